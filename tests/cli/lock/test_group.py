"""plastic-lock as a user runs it: real processes, real git, every printed command pasted."""

from __future__ import annotations

import json
import os
import pty
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.desk import Desk, refused
from tests.world import World

if TYPE_CHECKING:
    pass

VERBS = [
    "who",
    "status",
    "arm",
    "fix",
    "release",
    "reclaim",
    "transfer",
    "delegate",
    "claim",
    "release-claim",
    "beat",
    "keep",
]


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


def test_a_process_of_its_own(desk: Desk) -> None:
    """What the other tests run inside of this one is the installed command."""
    assert desk.start("arm", desk.id).out == f"acquired {desk.id}--tax, token 1, owner O\n"
    done = desk.start("release", desk.id, session="F")
    assert (done.rc, done.out) == (3, "")
    assert done.err.splitlines()[0].startswith(f"plastic-lock: {desk.id}--tax is held by another")
    assert done.err.splitlines()[1] == f"held by: O since {desk.raw()['acquired_at']}"
    assert done.err.splitlines()[2:] == [f"run: plastic start {desk.id} --wait"]


def test_the_life_of_a_lock(desk: Desk) -> None:
    assert desk.json("arm", desk.id, "--mode", "auto", "--agent", "lead")["result"] == "acquired"
    assert desk.json("arm")["result"] == "rearmed"
    assert desk.json("fix")["actions"] == ["lock kept", "bridge written"]
    assert desk.json("delegate", "--delegate", "D", "--harness", "codex")["result"] == "delegated"
    assert (
        desk.json("delegate", "D", "--status", "finished")["delegates"][0]["status"] == "finished"
    )
    assert desk.json("claim", "spec.md")["claims"][0]["state"] == "fresh"
    assert desk.json("claim", desk.id, "--artifact", "plan.md")["result"] == "claimed"
    assert desk.json("release-claim", "--artifact", "spec.md")["result"] == "released"
    assert desk.json("release-claim", "spec.md")["result"] == "none"
    assert desk.json("beat")["result"] == "renewed"
    moved = desk.json("transfer", "--to", "N")
    assert (moved["result"], moved["lock"]["owner_session"], moved["lock"]["token"]) == (
        "transferred",
        "N",
        2,
    )
    assert desk.json("release", session="N")["lock_state"] == "none"
    assert desk.json("release", desk.id)["result"] == "none"


KEYS = [
    "id",
    "slug",
    "title",
    "dir",
    "project",
    "section",
    "stage",
    "lock",
    "lock_state",
    "heartbeat_at",
    "worktree",
    "session",
    "owner_is_me",
    "authorized",
    "heartbeat_age_s",
    "solo",
    "bridge",
    "claims",
    "delegates",
    "journal_tail",
]


def test_status_is_the_object_of_the_page(desk: Desk) -> None:
    desk.json("arm", desk.id)
    found = desk.json("status", desk.id)
    assert [key for key in found if key in KEYS] == KEYS
    assert found["session"] == {"id": "O", "source": "CLAUDE_CODE_SESSION_ID"}
    assert found["lock"] == desk.raw()
    assert found["solo"] == {"value": True, "reason": None}
    assert (found["owner_is_me"], found["authorized"]) == (True, True)
    assert found["journal_tail"][-1]["event"] == "acquire"
    other = desk.json("status", desk.id, session="F")
    assert (other["owner_is_me"], other["authorized"], other["solo"]["reason"]) == (
        False,
        False,
        "foreign-lock",
    )
    text = desk.run("status", desk.id).out
    assert "fresh, owner O (this session)" in text


WHO_ARMED = """{id} \u00b7 tax
State: fresh
Controller: lead via Claude
Session: O
Heartbeat: {heard}
Claims: plan.md by main, spec.md by O
Delegate: Unknown via Unknown, active
- D1: scout via Codex, finished
- D2: Unknown via Unknown, active
"""


def test_who_is_seven_lines_and_every_delegate(desk: Desk) -> None:
    desk.json("arm", desk.id, "--agent", "lead", "--harness", "claude")
    desk.json("delegate", "D1", "--agent", "scout", "--harness", "codex")
    desk.json("delegate", "D2")
    desk.json("delegate", "D1", "--status", "finished")
    desk.json("claim", "spec.md")
    desk.json("claim", "plan.md", "--delegate", "main")
    heard = int(time.time()) - 100
    os.utime(desk.path, (heard, heard))
    shown = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(heard))
    done = desk.run("who", desk.id, session="F")
    assert done.out == WHO_ARMED.format(id=desk.id, heard=shown)
    assert desk.run("who", session="O").out == done.out, "the one that this session holds"


@pytest.mark.parametrize("state", ["none", "corrupt"])
def test_who_without_an_owner_is_seven_lines_of_unknown(desk: Desk, state: str) -> None:
    if state == "corrupt":
        desk.path.write_text("{")
    assert desk.run("who", desk.id).out.splitlines() == [
        f"{desk.id} \u00b7 tax",
        f"State: {state}",
        "Controller: Unknown via Unknown",
        "Session: Unknown",
        "Heartbeat: none",
        "Claims: none",
        "Delegate: none",
    ]


def test_who_and_status_change_nothing(desk: Desk) -> None:
    """Neither bytes nor mtimes, byte for byte the same twice."""
    desk.json("arm", desk.id)
    desk.json("claim", "spec.md")

    def all_of() -> dict[str, Any]:
        return {
            str(path): (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
            for path in sorted(desk.world.root.glob("home/**/*"))
            if ".git" not in path.parts and "run" not in path.parts
        }

    before = all_of()
    first, second = desk.run("who", desk.id), desk.run("who", desk.id)
    desk.run("status", desk.id)
    assert first.out == second.out
    assert all_of() == before


def test_who_prints_no_control_characters(desk: Desk) -> None:
    desk.json("arm", desk.id)
    desk.path.write_text(json.dumps({**desk.raw(), "owner_agent": "a\x1b[31m\x07b"}))
    assert "\x1b" not in desk.run("who", desk.id).out


def test_what_the_two_views_load(desk: Desk) -> None:
    """Neither filelock nor GitPython nor YAML: each costs more than the view itself."""
    desk.json("arm", desk.id)
    for verb in ("who", "status"):
        code = (
            "import sys; from plastic.cli.main import plastic_lock; plastic_lock();"
            "print(sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
        )
        done = desk.world.run(
            sys.executable, "-c", code, verb, desk.id, env={"CLAUDE_CODE_SESSION_ID": "O"}
        )
        loaded = set(eval(done.err.splitlines()[-1]))
        heavy = {"filelock", "git", "yaml", "frontmatter", "rich", "typer", "pydantic", "asyncio"}
        assert loaded & heavy == set(), verb


# -- refusals ------------------------------------------------------------------------------------


def test_foreign_and_fresh(desk: Desk) -> None:
    desk.json("arm", desk.id)
    for argv in (
        ["arm"],
        ["fix"],
        ["release"],
        ["reclaim"],
        ["transfer", "--to", "X"],
        ["delegate", "--delegate", "X"],
        ["claim", "--artifact", "spec.md"],
        ["beat"],
    ):
        error = refused(desk.run(argv[0], desk.id, *argv[1:], "--json", session="F"), 3, "held")
        assert error["who"] == "O"
        assert error["since"] == desk.raw()["acquired_at"]
        assert error["run"] == f"plastic start {desk.id} --wait"


def test_stale_names_the_command_and_it_works(desk: Desk) -> None:
    desk.json("arm", desk.id)
    desk.silent()
    for verb in ("arm", "fix", "release", "beat"):
        error = refused(desk.run(verb, desk.id, "--json", session="F"), 4, "stale")
        assert error["run"] == f"plastic-lock reclaim {desk.id} --token 1"
    assert desk.paste(error["run"], "F").rc == 0
    assert desk.raw()["owner_session"] == "F"
    assert desk.run("arm", desk.id, session="F").rc == 0
    ledger = (desk.dir / "savepoint.md").read_text()
    assert ledger.count("Lock  takeover: F reclaimed delivery lock from O") == 1
    late = refused(desk.run("reclaim", desk.id, "--token", "1", "--json", session="G"), 4, "lost")
    assert desk.paste(late["run"], "G").rc == 0
    assert desk.world.git("status", "--porcelain", cwd=desk.world.home.root) == "", "committed"


def test_corrupt_names_the_command_and_it_works(desk: Desk) -> None:
    desk.path.write_text("{")
    desk.world.age(desk.path, 3.5)
    error = refused(desk.run("arm", desk.id, "--json", session="F"), 4, "corrupt")
    assert error["run"].startswith("sleep ")
    assert error["run"].endswith(f"plastic-lock fix {desk.id}")
    assert desk.paste(error["run"], "F").rc == 0
    assert desk.raw()["owner_session"] == "F"


def test_no_lock(desk: Desk) -> None:
    assert refused(desk.run("reclaim", desk.id, "--json"), 6, "no-lock")["run"] == (
        f"plastic start {desk.id}"
    )
    for argv in (["delegate", "--delegate", "X"], ["claim", "--artifact", "spec.md"], ["beat"]):
        error = refused(desk.run(argv[0], desk.id, *argv[1:], "--json"), 1, "no-lock")
    done = desk.paste(error["run"], "O")
    assert done.rc == 0, done.err
    assert desk.run("beat", desk.id).rc == 0


def test_delegates_are_refused_with_one(desk: Desk) -> None:
    desk.json("arm", desk.id)
    desk.json("delegate", "D")
    for argv in (
        ["release"],
        ["delegate", "--delegate", "E"],
        ["transfer", "--to", "D"],
        ["reclaim"],
    ):
        error = refused(
            desk.run(argv[0], desk.id, *argv[1:], "--json", session="D"), 1, "not-owner"
        )
        assert error["who"] == "O"
        assert desk.paste(error["run"], "D").rc == 0


def test_a_claimed_document(desk: Desk) -> None:
    desk.json("arm", desk.id)
    desk.json("claim", "spec.md")
    error = refused(desk.run("claim", "spec.md", "--json"), 3, "claimed")
    assert error["run"] == f"plastic-lock status {desk.id}"


USAGE = [
    ["arm", "ID", "--mode", "automatic"],
    ["transfer", "ID"],
    ["transfer", "ID", "--to", "N", "--from", "O"],
    ["transfer", "ID", "--to", "N", "--token", "1"],
    ["delegate", "--status", "finished"],
    ["delegate", "ID", "--delegate", "D", "--status", "active"],
    ["claim"],
    ["claim", "ID", "--artifact", "../../x"],
    ["claim", "a", "b", "--artifact", "spec.md"],
    ["keep", "ID"],
    ["keep", "--"],
    ["nonsense"],
    ["arm", "ID", "--nonsense"],
    ["reclaim", "ID", "--token", "many"],
]


@pytest.mark.parametrize("argv", USAGE, ids=" ".join)
def test_usage(desk: Desk, argv: list[str]) -> None:
    done = desk.run(*[desk.id if one == "ID" else one for one in argv])
    assert done.rc == 2, done.err
    assert done.out == ""
    assert "Traceback" not in done.err


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "keep"])
def test_an_unknown_intent_is_not_found(desk: Desk, verb: str) -> None:
    more: dict[str, list[str]] = {
        "delegate": ["--delegate", "X"],
        "transfer": ["--to", "X"],
        "reclaim": [],
    }
    argv = more.get(verb, ["--artifact", "spec.md"] if verb.endswith("claim") else [])
    refused(desk.run(verb, "999zz", *argv, "--json"), 6)


@pytest.mark.parametrize("verb", ["who", "status", "arm", "release", "beat"])
def test_without_an_intent_and_holding_none_or_two(desk: Desk, verb: str) -> None:
    assert desk.run(verb).rc == 2
    other = desk.new("Vat")["id"]
    desk.json("arm", desk.id)
    desk.json("arm", other)
    assert desk.run(verb).rc == 2


def test_two_agents_in_the_environment(desk: Desk) -> None:
    """A command does not guess: exit 2, both named, and the printed way out works."""
    done = desk.run("arm", desk.id, CODEX_THREAD_ID="C")
    assert done.rc == 2
    assert "CLAUDE_CODE_SESSION_ID=O" in done.err
    assert "CODEX_THREAD_ID=C" in done.err
    assert desk.run("arm", desk.id, "--session", "C", CODEX_THREAD_ID="C").rc == 0


def test_without_a_session_the_key_is_derived_and_said(desk: Desk) -> None:
    """Cases 9.4/62 to 9.4/64."""
    done = desk.run("arm", desk.id, session="  ")
    assert done.rc == 0
    assert "not exclusive" in done.err
    assert desk.raw()["owner_session"].startswith("auto-")
    again = desk.run("status", session=None)
    assert again.rc == 0
    assert "derived" in again.out
    other = desk.new("Vat")["id"]
    desk.run("arm", other, session=None)
    lock = Path(json.loads(desk.run("status", other, "--json").out)["dir"]) / "delivery.lock"
    assert json.loads(lock.read_text())["owner_session"] != desk.raw()["owner_session"]


# -- keep ----------------------------------------------------------------------------------------


def test_keep_runs_the_command_and_returns_its_code(desk: Desk) -> None:
    desk.json("arm", desk.id)
    done = desk.start("keep", "--", "sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.rc, done.out, done.err) == (7, "out\n", "err\n")
    done = desk.start("keep", desk.id, "--", "sh", "-c", 'echo "$1" --json', "x", "a b")
    assert (done.rc, done.out) == (0, "a b --json\n")


def test_keep_renews_a_lease_that_would_lapse(desk: Desk) -> None:
    """Case 9.1/29: a command longer than the ttl, and a rival that tries all the time."""
    desk.json("arm", desk.id)
    desk.path.write_text(json.dumps({**desk.raw(), "ttl": 2}))
    code = (
        "import sys, time; from plastic.disk.lockfile import look\n"
        "end = time.monotonic() + 4.5; seen = set()\n"
        "while time.monotonic() < end: seen.add(look(sys.argv[1]).state); time.sleep(0.05)\n"
        "print(sorted(seen))"
    )
    done = desk.start("keep", "--", sys.executable, "-c", code, str(desk.path))
    assert done.out.strip() == "['fresh']"


def test_keep_tells_when_the_lock_changed_hands(desk: Desk) -> None:
    desk.json("arm", desk.id)
    code = (
        "import json, sys; path = sys.argv[1]; raw = json.load(open(path))\n"
        "raw.update(owner_session='F', acq='other', token=2); json.dump(raw, open(path, 'w'))"
    )
    done = desk.start("keep", "--", sys.executable, "-c", code, str(desk.path))
    assert done.rc == 4
    assert "changed hands" in done.err


def test_keep_refuses_before_it_runs_anything(desk: Desk) -> None:
    desk.json("arm", desk.id)
    done = desk.run("keep", desk.id, "--", "touch", str(desk.world.root / "ran"), session="F")
    assert done.rc == 3
    assert not (desk.world.root / "ran").exists()
    assert desk.run("keep", desk.id, "--", "/nowhere/x").rc == 5


# -- a person ------------------------------------------------------------------------------------


def at_terminal(desk: Desk, argv: list[str], typed: str, **env: str) -> tuple[int, str]:
    """Run plastic-lock on a terminal of its own and type a line."""
    code = "import sys; from plastic.cli.main import plastic_lock; sys.exit(plastic_lock())"
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(desk.world.repo)
        os.environ.update(env)
        os.execv(sys.executable, [sys.executable, "-c", code, *argv])
    os.write(terminal, f"{typed}\n".encode())
    said = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            break
        if not more:
            break
        said += more
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said.decode()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_person_moves_the_lock_of_a_session_that_is_gone(desk: Desk) -> None:
    """Case 9.1/32."""
    desk.json("arm", desk.id)
    desk.world.age(desk.path, 120)
    argv = ["transfer", desk.id, "--from", "O", "--to", "N", "--token", "1"]
    error = refused(desk.run(*argv, "--json", session=None), 1, "person")
    assert shlex.split(error["run"])[:3] == ["plastic-lock", "transfer", desk.id]
    assert at_terminal(desk, argv, desk.id, CLAUDECODE="1")[0] == 1
    assert at_terminal(desk, argv, "yes")[0] == 1
    assert desk.raw()["owner_session"] == "O"
    code, said = at_terminal(desk, argv, desk.id)
    assert code == 0, said
    assert desk.raw()["owner_session"] == "N"


def test_help_lists_every_verb(desk: Desk) -> None:
    text = desk.run("--help").out
    assert [verb for verb in VERBS if f" {verb} " not in text] == []
    assert desk.world.plastic("lock", "--help").rc == 0
    assert desk.world.plastic("lock", "who", desk.id).out == desk.run("who", desk.id).out


def test_a_busy_guard_is_the_same_command_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 9.1/16, our answer: nothing is written without the guard."""
    import fcntl

    desk.json("arm", desk.id)
    monkeypatch.setattr("plastic.disk.locks.INTENT_WAIT", 0.3)
    fd = os.open(desk.dir / "delivery.write.lock", os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        error = refused(desk.run("release", desk.id, "--json"), 5, "guard-busy")
    finally:
        os.close(fd)
    assert "delivery.write.lock" in error["reason"]
    assert desk.path.exists()
    assert desk.paste(error["run"].replace(" --json", ""), "O").rc == 0
    assert not desk.path.exists()
