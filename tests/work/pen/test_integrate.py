"""`plastic pen integrate`: E57, E66 to E69, E71; the merge is End's, the pen is handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.pen.other import fields, turns
from tests.races.test_kills import killed_at
from tests.work.ends import A
from tests.work.pen.conftest import pen

if TYPE_CHECKING:
    from tests.work.ends import Ready
    from tests.world import Done


def integrate(one: Ready, *more: str, to: str = "bo") -> Done:
    return pen(one, "integrate", one.id, "ana", "--into", "main", "--to", to, *more)


def text(one: Ready) -> str:
    return (one.world.repo / "M8SHIFT.md").read_text()


def handed(one: Ready, turn: int = 1) -> dict[str, str]:
    block = fields(text(one))
    assert (block["state"], block["holder"], block["turn"]) == ("AWAITING_BO", "bo", str(turn))
    assert "integrating" not in block
    return turns(text(one))[turn]


def test_it_merges_once_and_hands_over(one: Ready) -> None:
    done = integrate(one)
    assert done.rc == 0, done.out + done.err
    assert done.json["merge_commit"]
    one.ended()
    turn = handed(one)
    assert (turn["integrated"], turn["handoff"]) == (f"{one.id}:main", "bo")
    assert turn["at"]
    assert integrate(one).rc == 0, "E67: already"
    assert len(one.merges()) == 1
    assert list(turns(text(one))) == [0, 1]


def test_a_second_integrate_with_the_pen_in_hand_says_already(one: Ready) -> None:
    """E67"""
    assert integrate(one).rc == 0
    assert pen(one, "claim", "bo").rc == 0
    assert pen(one, "append", "bo", "--to", "ana").rc == 0
    assert integrate(one).rc == 0
    handed(one, 3)
    assert len(one.merges()) == 1


@pytest.mark.parametrize(
    "name",
    [
        *("pen.locked", "pen.written", "pen.integrating", "end.merged"),
        *("publish.moved", "end.published", "end.unlocked", "pen.integrated"),
    ],
)
def test_killed_anywhere_the_same_command_finishes_it(one: Ready, name: str) -> None:
    """E67, E71: while it is under way nobody moves the pen, by force neither."""
    killed_at(name, lambda: integrate(one))
    if name not in ("pen.locked",):
        assert fields(text(one))["integrating"].startswith(f"{one.id}@")
        before = text(one)
        for line in ("claim bo --force", "release bo --to cy --force --reason x", "done ana"):
            assert pen(one, *line.split(), session="s-bo").rc == 1
        assert text(one) == before
    done = integrate(one)
    assert done.rc == 0, done.out + done.err
    one.ended()
    handed(one)
    assert len(one.merges()) == 1


def test_a_conflict_is_handed_over(one: Ready) -> None:
    """E66: nothing merged, the reason in the turn, exit 1."""
    one.commit("app.py", "TAX = 1\n")
    (one.world.repo / "app.py").write_text("TAX = 2\n")
    one.world.git("commit", "-q", "-am", "theirs")
    done = integrate(one)
    assert done.rc == 1
    assert done.json["error"]["code"] == "conflict"
    assert handed(one)["blocked_on"] == f"conflict:{one.id}"
    assert one.merges() == []
    assert one.has_branch()


def test_a_base_that_moved_under_the_merge(one: Ready) -> None:
    """E66: a commit of somebody between a kill and the next run is merged over, not reverted."""
    killed_at("pen.integrating", lambda: integrate(one))
    one.commit("theirs.py", where=one.world.repo)
    done = integrate(one)
    assert done.rc == 0, done.out + done.err
    one.ended()
    handed(one)
    assert len(one.merges()) == 1
    assert one.world.git("ls-files", "theirs.py", "tax.py").split() == ["tax.py", "theirs.py"]


BAD_IDS = ("../x", "a/b", "a b", ".hidden", "-bad", "bad branch", "x\n")


def test_names_that_are_none(one: Ready) -> None:
    """E68: as an intent and as a branch; the pen stays where it is and nothing is made."""
    before = text(one), one.world.git("for-each-ref")
    merge = ("pen", "integrate", "--json", "--to=bo")
    for name in BAD_IDS:
        for words in (
            ("new", "Some title", "--project=shop", f"--id={name}", "--json"),
            (*merge, "--into=main", "--", name, "ana"),
            (*merge, f"--into={name}", one.id, "ana"),
        ):
            done = one.world.plastic(*words, session=A, cwd=one.world.repo)
            assert done.rc in (1, 2), (words, done.out)
            assert done.json["error"]["run"]
        assert (text(one), one.world.git("for-each-ref")) == before, name


def test_what_is_not_committed_keeps_its_worktree(one: Ready) -> None:
    """E69: neither the merge nor `worktree remove` takes it, and the branch survives."""
    (one.tree / "draft.py").write_text("not yet\n")
    before = text(one)
    done = integrate(one)
    assert done.json["error"]["code"] == "untracked"
    assert one.world.plastic("worktree", "remove", one.id, "--json", session=A).rc != 0
    assert (text(one), one.has_branch()) == (before, True)
    assert (one.tree / "draft.py").read_text() == "not yet\n"


def test_a_hook_runs_without_the_lock_of_the_pen(one: Ready) -> None:
    """E57: and one that says no hands the pen over."""
    hook = one.world.repo / ".git/hooks/commit-msg"
    free = "flock -n .m8shift.guard true || exit 9; test ! -e .m8shift.lock || exit 8"
    hook.write_text(f"#!/bin/sh\ncd {one.world.repo}\n{free}\necho no >&2\nexit 1\n")
    hook.chmod(0o755)
    done = integrate(one)
    assert done.rc == 1
    assert handed(one)["blocked_on"].endswith(f":{one.id}")
    hook.unlink()
    assert one.merges() == []


@pytest.mark.parametrize("how", ["no outcome", "another's", "another base", "to itself"])
def test_what_stands_in_the_way_takes_no_pen(one: Ready, how: str) -> None:
    if how == "no outcome":
        (one.dir / "outcome.md").unlink()
    if how == "another's":
        assert pen(one, "claim", "cy").rc == 0
    before = text(one)
    words = ["--into", "nowhere"] if how == "another base" else []
    done = integrate(one, *words, to="ana" if how == "to itself" else "bo")
    assert done.rc == 1, done.out + done.err
    error = done.json["error"]
    if how == "another base":
        assert (error["code"], error["run"]) == ("other-base", f"plastic show {one.id}")
        assert one.world.plastic("show", one.id).rc == 0
    assert text(one) == before
    assert one.merges() == []
