"""Bad lock files on the command line: one clear line, the right code, nothing changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.desk import Desk, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


def _directory(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("kept")


BAD: dict[str, Callable[[Path], Any]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(b'{"type": "delivery", "owner_session": "O"'),
    "array": lambda path: path.write_bytes(b'["O"]'),
    "binary": lambda path: path.write_bytes(bytes(range(256))),
    "huge": lambda path: path.write_bytes(b"[" + b" " * 400_000 + b"]"),
    "delegates no list": lambda path: path.write_bytes(b'{"owner_session":"O","delegates":"D"}'),
    "fifo": os.mkfifo,
    "directory": _directory,
    "dangling link": lambda path: path.symlink_to("nowhere"),
}
# verb and further words -> exit code while the lock is young
VERBS: list[tuple[list[str], int]] = [
    (["arm"], 4),
    (["fix"], 4),
    (["release"], 4),
    (["reclaim"], 4),
    (["reclaim", "--token", "3", "--despite-evidence"], 4),
    (["transfer", "--to", "N"], 4),
    (["delegate", "--delegate", "D"], 4),
    (["claim", "--artifact", "spec.md"], 4),
    (["beat"], 4),
]


def _whole(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in sorted(desk.dir.rglob("*")):
        if path.name != "delivery.write.lock":
            seen = path.lstat()
            data = path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else b""
            found[str(path)] = (seen.st_mode, seen.st_mtime_ns, data)
    return found


@pytest.mark.parametrize("kind", BAD)
def test_every_verb(desk: Desk, kind: str) -> None:
    BAD[kind](desk.path)
    before = _whole(desk)
    for (verb, *more), exit in VERBS:
        error = refused(desk.run(verb, desk.id, *more, "--json"), exit, "corrupt")
        assert error["run"].endswith(f"plastic-lock fix {desk.id}")
        assert error["who"] is None
    text = desk.run("release", desk.id)
    assert len(text.err.splitlines()) == 2
    assert desk.json("status", desk.id)["lock_state"] == "corrupt"
    assert desk.json("who", desk.id)["state"] == "corrupt"
    assert desk.json("status", desk.id)["lock"] is None
    assert _whole(desk) == before


@pytest.mark.parametrize("verb", ["fix", "arm", "reclaim"])
def test_settled_it_is_healed_with_its_bytes(desk: Desk, verb: str) -> None:
    desk.path.write_text("precious")
    desk.silent()
    assert desk.run(verb, desk.id, session="F").rc == 0
    kept = [one.read_text() for one in desk.dir.glob(".delivery.lock.corrupt.*")]
    assert kept == ["precious"]
    assert desk.raw()["owner_session"] == "F"
    assert desk.world.git("status", "--porcelain", cwd=desk.world.home.root) == ""


def test_without_rights(desk: Desk, permissions: None) -> None:
    """It may be a valid lock: exit 5, and pasting the command makes it readable again."""
    desk.json("arm", desk.id)
    desk.path.chmod(0)
    desk.silent()
    for verb in ("arm", "fix", "release", "reclaim", "beat"):
        error = refused(desk.run(verb, desk.id, "--json", session="F"), 5, "lock-unreadable")
        assert "EACCES" in error["reason"]
    assert desk.json("status", desk.id)["lock_state"] == "corrupt"
    assert desk.paste(error["run"], "O").rc == 0
    assert desk.raw()["owner_session"] == "O"


ODD = [
    '{"owner_session": "O", "ttl": NaN, "token": 1e400}',
    '{"owner_session": "O", "ttl": -1, "token": "7"}',
    '{"owner_session": "O", "ttl": 1e999, "token": true}',
    '{"owner_session": "O", "delegate_activity": "junk", "worktree": 7, "acquired_at": 5}',
    '{"owner_session": "O", "delegates": null, "delegate_activity": [1, null, {}]}',
]


@pytest.mark.parametrize("text", ODD)
def test_odd_values_are_read_as_defaults(desk: Desk, text: str) -> None:
    """Never a traceback, never free, and the owner can go on."""
    desk.path.write_text(text)
    assert desk.json("status", desk.id)["lock_state"] == "fresh"
    assert desk.run("who", desk.id).out.splitlines()[3] == "Session: O"
    refused(desk.run("arm", desk.id, "--json", session="F"), 3, "held")
    assert desk.json("arm", desk.id)["result"] == "rearmed"
    assert desk.json("delegate", "D")["result"] == "delegated"
    assert desk.json("transfer", "--to", "N")["result"] == "transferred"
