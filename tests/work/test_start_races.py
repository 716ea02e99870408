"""Parallel starts: everybody gets a whole worktree, or a clean refusal; nothing is half made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.soak import record

if TYPE_CHECKING:
    from tests.world import World

CODE = (
    "import sys; sys.stdin.readline(); from plastic.cli.entry import plastic; sys.exit(plastic())"
)


class Ended(NamedTuple):
    """How one start ended."""

    rc: int
    found: Any
    err: str


def at_once(shop: World, calls: list[tuple[str, str]]) -> list[Ended]:
    """`plastic start INTENT` for each (intent, session), let go together."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CODE, "start", intent, "--json"],
            cwd=shop.repo,
            env={**os.environ, "CLAUDE_CODE_SESSION_ID": session},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for intent, session in calls
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    ended = []
    for child in children:
        out, err = child.communicate(timeout=300)
        ended.append(Ended(child.returncode, json.loads(out), err))
    return ended


def branches(shop: World) -> set[str]:
    text = shop.git("for-each-ref", "--format=%(refname:short)", "refs/heads/plastic")
    return set(text.split())


def trees(shop: World) -> set[str]:
    """The registered worktrees without the main checkout."""
    lines = shop.git("worktree", "list", "--porcelain").splitlines()
    paths = [line.removeprefix("worktree ") for line in lines if line.startswith("worktree ")]
    return set(paths[1:])


def leftovers(shop: World) -> list[str]:
    """Temporary names anywhere in the home or in git's directory."""
    found = []
    for root in (shop.home.root, str(shop.repo / ".git")):
        for folder, _, names in os.walk(root):
            found += [f"{folder}/{name}" for name in names if name.endswith((".tmp", ".lock"))]
    return [path for path in found if not path.endswith(("/delivery.lock", "/delivery.write.lock"))]


def whole(shop: World, made: list[dict[str, Any]], ended: list[Ended]) -> None:
    """Every intent has its owner, branch and complete worktree, and there is nothing else."""
    assert [(one.rc, one.err) for one in ended] == [(0, "")] * len(made)
    names = {f"{one['id']}--{one['slug']}" for one in made}
    assert branches(shop) == {f"plastic/{name}" for name in names}
    assert {Path(path).name for path in trees(shop)} == names
    for one in ended:
        tree = one.found["lock"]["worktree"]
        assert tree["provisioned"] is True
        assert shop.git("status", "--porcelain", cwd=tree["path"]) == ""
        assert Path(tree["path"], "app.py").read_text() == "TAX = 0.2\n"
        branch = shop.git("symbolic-ref", "--short", "HEAD", cwd=tree["path"])
        assert branch == tree["branch"]
    assert shop.run("git", "config", "--get-regexp", "^branch[.]plastic/", cwd=shop.repo).out == ""
    assert {os.path.basename(path) for path in os.listdir(shop.home.held)} - {".complete"} == names
    assert leftovers(shop) == []


def index_is_whole(shop: World, made: list[dict[str, Any]]) -> None:
    text = Path(shop.home.index("shop")).read_text()
    active = text[text.index("## Active") : text.index("## Future")]
    for one in made:
        assert text.count(f"[{one['id']} ") == 1
        assert f"[{one['id']} " in active
    assert shop.git("status", "--porcelain", cwd=shop.home.root) == ""


def with_upstream(shop: World) -> None:
    """A remote whose branch the base follows: only then would git write an upstream."""
    origin = shop.root / "origin.git"
    shop.git("clone", "-q", "--bare", str(shop.repo), str(origin))
    shop.git("remote", "add", "origin", str(origin))
    shop.git("fetch", "-q", "origin")
    shop.git("branch", "-q", "--set-upstream-to=origin/main", "main")
    shop.git("config", "branch.autoSetupMerge", "always")


def race(shop: World, count: int, label: str) -> None:
    """`count` intents, each started by its own session, all at once."""
    made = [shop.new(f"{label} {number}", "--future") for number in range(count)]
    assert branches(shop) == set()
    ended = at_once(shop, [(one["id"], f"session-{one['id']}") for one in made])
    whole(shop, made, ended)
    index_is_whole(shop, made)
    assert len({one["id"] for one in made}) == count
    clear(shop, made)


def clear(shop: World, made: list[dict[str, Any]]) -> None:
    """Take locks and worktrees away again, so that the next round starts from nothing."""
    for one in made:
        assert shop.lock("release", one["id"], session=f"session-{one['id']}").rc == 0
    for path in trees(shop):
        shop.git("worktree", "remove", "-f", "-f", path)
    for name in branches(shop):
        shop.git("branch", "-q", "-D", name)


def test_six_starts_of_six_intents(shop: World) -> None:
    with_upstream(shop)
    race(shop, 6, "Work")


@pytest.mark.soak
def test_sixty_starts_of_sixty_intents(shop: World) -> None:
    with_upstream(shop)
    begun = time.monotonic()
    for number in range(5):
        race(shop, 12, f"Round {number}")
    what = "parallel starts of intents: whole worktrees, no orphan, no upstream"
    record(what, "5 rounds of 12 processes", "60 of 60", time.monotonic() - begun)


@pytest.mark.parametrize("section", ["--future", ""])
def test_eight_sessions_start_one_intent(shop: World, section: str) -> None:
    made = shop.new("Work", *([section] if section else []))
    sessions = [f"session-{number}" for number in range(8)]
    ended = at_once(shop, [(made["id"], session) for session in sessions])
    assert Counter(one.rc for one in ended) == {0: 1, 3: 7}
    (winner,) = [(one, who) for one, who in zip(ended, sessions, strict=True) if one.rc == 0]
    lock = json.loads(Path(made["dir"], "delivery.lock").read_text())
    assert (lock["owner_session"], lock["token"]) == (winner[1], 1)
    for one in ended:
        if one.rc == 3:
            assert one.found["error"]["code"] == "held"
            assert one.found["error"]["who"] == winner[1]
    whole(shop, [made], [winner[0]])
    index_is_whole(shop, [made])


def test_a_lost_branch_is_seen(shop: World) -> None:
    """Non-vacuity: an orphan branch, a written upstream or a dirty tree fails `whole`."""
    made = shop.new("Work")
    (done,) = at_once(shop, [(made["id"], "session-a")])
    whole(shop, [made], [done])
    shop.git("branch", "plastic/9--orphan")
    with pytest.raises(AssertionError):
        whole(shop, [made], [done])
    shop.git("branch", "-q", "-D", "plastic/9--orphan")
    shop.git("config", "branch.plastic/1--work.merge", "refs/heads/main")
    with pytest.raises(AssertionError):
        whole(shop, [made], [done])
