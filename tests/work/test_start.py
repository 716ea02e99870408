"""Boarding from every state an intent can be in (spec cases 9.11/218-222, 9.1/6, 9.1/11, 244)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plastic.disk.failpoints import NAMES
from tests.world import World

A = "session-a"
B = "session-b"


def lock_of(found: dict[str, Any]) -> Path:
    return Path(found["dir"]) / "delivery.lock"


def read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def tree_state(root: Path) -> dict[str, bytes | str]:
    """Every file below `root` with its content, to show that nothing changed."""
    state: dict[str, bytes | str] = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder) / name
            key = str(path.relative_to(root))
            if "/.git/" in f"/{key}" or key.startswith(("run/", "log/")):
                continue
            state[key] = os.readlink(path) if path.is_symlink() else path.read_bytes()
    return state


def test_a_free_intent_is_boarded(shop: World) -> None:
    made = shop.new("Rename cart")
    found = shop.start(made["id"], A, "--mode", "guided", "--model", "m-1")
    assert (found["lock_state"], found["station"], found["stage"]) == ("fresh", "why", "why")
    assert found["next"].startswith("write a real spec.md")
    lock = found["lock"]
    assert lock == read(lock_of(found))
    assert (lock["owner_session"], lock["token"], lock["run_mode"]) == (A, 1, "guided")
    assert (lock["owner_model"], lock["owner_agent"]) == ("m-1", None)
    tree = lock["worktree"]
    assert tree["provisioned"] is True
    assert tree["path"] == f"{os.path.realpath(shop.repo)}/.claude/worktrees/1--rename-cart"
    assert shop.git("rev-parse", "--abbrev-ref", "HEAD", cwd=tree["path"]) == (
        "plastic/1--rename-cart"
    )
    assert os.readlink(f"{shop.home.held}/1--rename-cart") == str(lock_of(found))
    assert shop.git("status", "--porcelain") == ""


def test_boarding_again_changes_nothing_that_counts(shop: World) -> None:
    # Case 9.1/3: identity, delegates and known provenance stay; given values replace.
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A, "--agent", "ana", "--mode", "auto")
    assert shop.lock("delegate", made["id"], "--delegate", "D", session=A).rc == 0
    before = shop.git("rev-parse", "refs/heads/plastic/1--rename-cart")
    again = shop.start(made["id"], A, "--mode", "guided")
    for key in ("token", "acq", "acquired_at", "host", "owner_agent", "worktree"):
        assert again["lock"][key] == first["lock"][key], key
    assert again["lock"]["delegates"] == ["D"]
    assert again["lock"]["run_mode"] == "guided"
    assert shop.git("rev-parse", "refs/heads/plastic/1--rename-cart") == before
    savepoint = Path(made["dir"], "savepoint.md").read_text()
    assert savepoint.count("What  ") == 1


def test_a_stale_lock_of_ones_own_is_rearmed(shop: World) -> None:
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A)
    shop.age(lock_of(first), 4000)
    again = shop.start(made["id"], A)
    assert again["lock_state"] == "fresh"
    assert again["lock"]["token"] == first["lock"]["token"]


def test_a_fresh_foreign_lock_refuses_and_changes_nothing(shop: World) -> None:
    made = shop.new("Rename cart")
    shop.start(made["id"], A)
    before = tree_state(Path(shop.home.root))
    done = shop.plastic("start", made["id"], session=B)
    assert done.rc == 3
    assert A in done.err
    assert f"run: plastic start {made['id']} --wait" in done.err
    assert tree_state(Path(shop.home.root)) == before
    as_json = shop.plastic("start", made["id"], "--json", session=B)
    error = as_json.json["error"]
    assert (as_json.rc, error["code"], error["who"]) == (3, "held", A)


def test_a_stale_foreign_lock_names_the_takeover(shop: World) -> None:
    # Case 9.1/6: never taken silently; the printed command then works.
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A)
    lock_path = lock_of(first)
    shop.age(lock_path, 4000)
    shop.age(first["lock"]["worktree"]["path"] + "/app.py", 5000)
    before = lock_path.read_bytes()
    done = shop.plastic("start", made["id"], session=B)
    assert done.rc == 4
    assert lock_path.read_bytes() == before
    assert f"run: plastic-lock reclaim {made['id']} --token 1" in done.err
    assert shop.lock("reclaim", made["id"], "--token", "1", session=B).rc == 0
    assert shop.start(made["id"], B)["lock"]["token"] == 2


def test_a_corrupt_lock_is_healed_once_it_has_settled(shop: World) -> None:
    # Case 9.1/11: at once it could be half written; later anybody's start heals it.
    made = shop.new("Rename cart")
    lock_path = Path(made["dir"], "delivery.lock")
    lock_path.write_text("")
    early = shop.plastic("start", made["id"], session=A)
    assert early.rc == 4
    assert f"plastic-lock fix {made['id']}" in early.err
    assert lock_path.read_text() == ""
    shop.age(lock_path, 6)
    found = shop.start(made["id"], A)
    assert found["lock"]["owner_session"] == A
    kept = [name for name in os.listdir(made["dir"]) if name.startswith(".delivery.lock.corrupt")]
    assert len(kept) == 1


def test_a_legacy_lock_is_rearmed_to_the_whole_schema(shop: World) -> None:
    # Case 9.1/4.
    made = shop.new("Rename cart")
    legacy = {"type": "delivery", "owner_session": A, "acquired_at": "2026-01-01T00:00:00Z"}
    Path(made["dir"], "delivery.lock").write_text(json.dumps(legacy))
    found = shop.start(made["id"], A)
    assert found["lock"]["acquired_at"] == "2026-01-01T00:00:00Z"
    assert found["lock"]["ttl"] == 1800
    assert found["lock"]["worktree"]["provisioned"] is True


@pytest.mark.parametrize("section", ["Completed", "Abandoned"])
def test_a_terminal_intent_is_only_reported(shop: World, section: str) -> None:
    # Case 9.11/218: no lock, no worktree.
    made = shop.new("Rename cart")
    index = Path(shop.home.index("shop"))
    text = index.read_text()
    line = next(row for row in text.splitlines() if "1--rename-cart" in row)
    moved = text.replace(line + "\n", "").replace(f"## {section}\n", f"## {section}\n\n{line}\n")
    index.write_text(moved)
    found = shop.start(made["id"], A)
    assert (found["section"], found["lock"]) == (section, None)
    assert shop.git("worktree", "list").count("\n") == 0
    assert not lock_of(found).exists()
    again = shop.plastic("start", made["id"], session=A)
    assert "nothing to board" in again.out


def test_a_future_intent_is_activated(shop: World) -> None:
    # Case 9.11/219.
    made = shop.new("Rename cart", "--future")
    assert made["section"] == "Future"
    assert shop.start(made["id"], A)["section"] == "Active"
    committed = shop.git("show", "HEAD:projects/shop/INDEX.md", cwd=shop.home.root)
    active = committed.split("## Active")[1].split("\n## ")[0]
    assert "1--rename-cart" in active


def test_the_station_is_that_of_the_last_lifecycle_line(shop: World) -> None:
    # Cases 9.11/221 and 222: an audit is no station, and a document that is gone does not count.
    made = shop.new("Rename cart")
    directory = Path(made["dir"])
    (directory / "spec.md").write_text("# Spec\n\nReal.\n")
    with open(directory / "savepoint.md", "a", encoding="utf-8") as ledger:
        ledger.write("2026-11-30T10:00:00Z  Why  spec.md created\n")
        ledger.write("2026-11-30T10:01:00Z  Lock  takeover: X reclaimed delivery lock from Y\n")
    assert shop.start(made["id"], A)["station"] == "how"
    (directory / "spec.md").unlink()
    assert shop.start(made["id"], A)["station"] == "why"
    assert "takeover: X" in (directory / "savepoint.md").read_text()


def test_without_a_session_the_key_is_derived_and_says_so(shop: World) -> None:
    # Cases 9.4/62-64.
    made = shop.new("Rename cart")
    done = shop.plastic("start", made["id"], "--json")
    assert done.rc == 0
    assert done.json["lock"]["owner_session"].startswith("auto-")
    assert "not exclusive" in done.err
    assert shop.plastic("start", made["id"]).rc == 0


def test_two_harness_variables_are_not_guessed_between(shop: World) -> None:
    made = shop.new("Rename cart")
    env = {"CODEX_THREAD_ID": "other"}
    done = shop.plastic("start", made["id"], session=A, env=env)
    assert done.rc == 2
    assert "CLAUDE_CODE_SESSION_ID=session-a" in done.err
    assert "CODEX_THREAD_ID=other" in done.err
    assert not Path(made["dir"], "delivery.lock").exists()
    assert shop.plastic("start", made["id"], "--session", A, session=A, env=env).rc == 0


def test_title_boards_the_open_intent_of_that_title_or_makes_it(shop: World) -> None:
    first = shop.plastic("start", "--title", "Add gifts", "--json", session=A, cwd=shop.repo)
    assert first.rc == 0, first.err
    again = shop.plastic("start", "--title", "Add gifts", "--json", session=A, cwd=shop.repo)
    assert again.json["id"] == first.json["id"]
    assert len(os.listdir(shop.home.store("shop"))) == 1


@pytest.mark.parametrize("argv", [[], ["1", "--title", "x"], ["1", "--mode", "fast"]])
def test_usage(shop: World, argv: list[str]) -> None:
    shop.new("Rename cart")
    done = shop.plastic("start", *argv, session=A)
    assert done.rc == 2
    assert len(done.err.splitlines()) == 2


def test_an_unknown_intent_is_missing(shop: World) -> None:
    done = shop.plastic("start", "99", session=A)
    assert done.rc == 6
    assert "run: plastic list" in done.err


def test_a_global_intent_gets_the_lock_only(shop: World) -> None:
    # Case 9.6/104.
    done = shop.plastic("new", "Compare databases", "--global", "--json")
    found = shop.start(done.json["id"], A)
    assert found["lock"]["worktree"]["provisioned"] is False
    assert found["lock"]["worktree"]["reason"]
    assert shop.git("worktree", "list").count("\n") == 0


def test_a_worktree_that_cannot_be_had_leaves_everything_as_it_was(shop: World) -> None:
    made = shop.new("Rename cart")
    shop.git("branch", "plastic")
    before = tree_state(Path(shop.home.root))
    done = shop.plastic("start", made["id"], session=A)
    assert done.rc == 5
    assert "plastic" in done.err
    after = tree_state(Path(shop.home.root))
    token = os.path.join("projects", "shop", "store", "1--rename-cart", "delivery.token")
    # Tokens are never given out twice: the counter stays, everything else is as before.
    assert after.pop(token, None) is not None
    assert set(after) - set(before) <= {token.replace("delivery.token", "delivery.write.lock")}
    assert all(after[key] == before[key] for key in before)
    shop.git("branch", "-D", "plastic")
    assert shop.start(made["id"], A)["lock"]["token"] == 2


def test_a_failing_worktree_keeps_a_lock_that_was_there_before(shop: World) -> None:
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A)
    shop.git("worktree", "unlock", first["lock"]["worktree"]["path"])
    shop.git("worktree", "remove", "--force", first["lock"]["worktree"]["path"])
    shop.git("update-ref", "-d", "refs/heads/plastic/1--rename-cart")
    shop.git("update-ref", "refs/heads/plastic", "HEAD")
    done = shop.plastic("start", made["id"], session=A)
    assert done.rc == 5
    assert read(lock_of(first))["acq"] == first["lock"]["acq"]


def test_wait_boards_when_the_lock_is_released(shop: World) -> None:
    made = shop.new("Rename cart")
    shop.start(made["id"], A)
    code = "import sys; from plastic.cli.entry import plastic; sys.exit(plastic())"
    with subprocess.Popen(
        [sys.executable, "-c", code, "start", made["id"], "--wait", "--json"],
        cwd=shop.repo,
        env={**os.environ, "CLAUDE_CODE_SESSION_ID": B},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as waiter:
        assert waiter.stderr is not None
        assert "waiting for" in waiter.stderr.readline()
        assert shop.lock("release", made["id"], session=A).rc == 0
        out, err = waiter.communicate(timeout=60)
    assert waiter.returncode == 0, err
    assert json.loads(out)["lock"]["owner_session"] == B


def test_wait_does_not_take_over(shop: World) -> None:
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A)
    shop.age(lock_of(first), 4000)
    done = shop.plastic("start", made["id"], "--wait", session=B)
    assert done.rc == 4


def test_a_delegate_boards_on_its_owners_lock(shop: World) -> None:
    made = shop.new("Rename cart")
    first = shop.start(made["id"], A)
    assert shop.lock("delegate", made["id"], "--delegate", B, session=A).rc == 0
    found = shop.start(made["id"], B)
    assert found["lock"]["owner_session"] == A
    assert found["lock"]["acq"] == first["lock"]["acq"]


def test_nothing_is_inferred_about_the_owner(shop: World) -> None:
    """Case 9.11/246: neither environment nor path nor an old bridge says what a flag did not."""
    made = shop.new("Rename cart")
    shop.start(made["id"], A, "--agent", "ana", "--model", "m-1")
    assert shop.lock("release", made["id"], session=A).rc == 0
    env = {
        "CLAUDE_MODEL": "m-2",
        "ANTHROPIC_MODEL": "m-2",
        "CLAUDECODE": "1",
        "AGENT": "bob",
        "CLAUDE_CODE_SESSION_ID": A,
    }
    done = shop.plastic("start", made["id"], "--json", env=env)
    assert done.rc == 0, done.err
    lock = done.json["lock"]
    for key in ("owner_harness", "owner_agent", "owner_model", "owner_thread", "run_mode"):
        assert lock[key] is None, key
    assert shop.lock("who", made["id"]).out.splitlines()[2] == "Controller: Unknown via Unknown"


POINTS = [name for name in NAMES if name.startswith(("lock.", "start.", "provision."))]


@pytest.mark.parametrize("name", POINTS)
def test_a_killed_start_is_finished_by_running_it_again(shop: World, name: str) -> None:
    (shop.repo / ".env").write_text("SECRET=1\n")
    registry = Path(shop.home.projects_yml)
    text = registry.read_text().rstrip() + "\n    copy: [.env]\n    setup: [touch set-up]\n"
    registry.write_text(text)
    made = shop.new("Rename cart", "--future")
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    env = {
        **os.environ,
        "CLAUDE_CODE_SESSION_ID": A,
        "PLASTIC_TEST": "1",
        "PLASTIC_FAILPOINT": f"{name}:kill",
    }
    killed = subprocess.run(
        [sys.executable, "-c", code, "start", made["id"]],
        env=env,
        cwd=shop.repo,
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    found = shop.start(made["id"], A)
    tree = found["lock"]["worktree"]
    assert found["section"] == "Active"
    assert found["lock"]["owner_session"] == A
    assert shop.git("worktree", "list", "--porcelain").count("worktree ") == 2
    assert shop.git("branch", "--list", "plastic/*").count("plastic/") == 1
    assert shop.git("status", "--porcelain", cwd=tree["path"]) == "?? set-up"
    assert Path(tree["path"], ".env").read_text() == "SECRET=1\n"
    savepoint = Path(made["dir"], "savepoint.md").read_text()
    assert savepoint.count("What  ") == 1
    assert Path(shop.home.index("shop")).read_text().count("[1 ") == 1
    rest = [one for one in os.listdir(made["dir"]) if one.endswith(".tmp")]
    assert rest == []
