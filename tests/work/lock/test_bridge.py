"""Bridges are a cache: purged by state, never believed against the lock (cases 9.4/66 to 87)."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from plastic.disk import bridges
from plastic.words import Intent
from plastic.work.lock.bridge import forget, look, path_of, purge, write_bridge
from plastic.work.lock.verb import seen
from tests.gates.scene import GATE
from tests.work.scene import Scene
from tests.world import World


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def index(scene: Scene, section: str) -> None:
    text = f"# INDEX\n\n## {section}\n\n- [14 \u2014 Tax](store/14--tax/14--tax.md)\n"
    Path(scene.home.index("shop")).write_text(text)


def files() -> list[str]:
    folder = Path(bridges.directory(os.environ))
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_one_file_a_session_and_intent(scene: Scene) -> None:
    """Case 9.4/69."""
    other = Intent("15", "vat", scene.intent.dir.replace("14--tax", "15--vat"), "shop")
    os.makedirs(other.dir)
    scene.arm("O")
    assert write_bridge(scene.home, scene.intent, "O")
    first = Path(path_of(scene.intent, "O")).read_bytes()
    assert write_bridge(scene.home, other, "O")
    assert len(files()) == 2
    assert Path(path_of(scene.intent, "O")).read_bytes() == first


def test_no_session_no_bridge(scene: Scene) -> None:
    assert not write_bridge(scene.home, scene.intent, "  ")
    assert files() == []


def test_the_lock_is_right_and_the_bridge_disagrees(scene: Scene) -> None:
    """Cases 9.4/72, 9.4/73, 9.11/247."""
    scene.arm("O")
    write_bridge(scene.home, scene.intent, "O")
    assert look(scene.intent, "O", seen(scene.intent)) == {"present": True, "agrees": True}
    scene.write(**{**scene.raw(), "owner_session": "P", "token": 9})
    assert look(scene.intent, "O", seen(scene.intent)) == {"present": True, "agrees": False}
    os.unlink(path_of(scene.intent, "O"))
    assert look(scene.intent, "O", seen(scene.intent)) == {"present": False, "agrees": False}


def test_another_sessions_bridge_is_never_mine(scene: Scene) -> None:
    """Case 9.4/67."""
    scene.arm("B")
    write_bridge(scene.home, scene.intent, "B")
    assert look(scene.intent, "A", seen(scene.intent))["present"] is False


def plant(name: str, value: object) -> None:
    folder = bridges.directory(os.environ)
    bridges.make(folder)
    Path(folder, name).write_text(value if isinstance(value, str) else json.dumps(value))


def test_what_says_nothing_goes(scene: Scene) -> None:
    """Cases 9.4/66, 9.4/78."""
    plant("a.json", "{")
    plant("b.json", {"session": None, "intent": {"id": "14"}})
    plant("c.json", {"session": "X"})
    plant("d.json", {"session": "X", "intent": {"id": "14"}})
    plant("e.json", {"session": "  ", "intent": {"id": "14"}, "home": scene.home.root})
    gone = {"session": "X", "home": scene.home.root, "intent": {"dir": f"{scene.intent.dir}x"}}
    plant("f.json", gone)
    assert len(purge(scene.home, "O")) == 6
    assert files() == []


# section, lock, session that purges -> kept
PURGE = [
    ("Active", False, "other", True),
    ("Completed", False, "other", False),
    ("Abandoned", False, "other", False),
    ("Future", False, "other", False),
    ("Completed", True, "other", True),  # case 9.4/79: a lock is there
    ("Completed", False, "O", True),  # case 9.4/79: its own files
    (None, False, "other", True),  # case 9.4/81: no INDEX to read, unknown
]


@pytest.mark.parametrize(("section", "locked", "session", "kept"), PURGE)
def test_purge(scene: Scene, section: str | None, locked: bool, session: str, kept: bool) -> None:
    scene.arm("O")
    write_bridge(scene.home, scene.intent, "O")
    if not locked:
        scene.path.unlink()
    if section is not None:
        index(scene, section)
    os.utime(path_of(scene.intent, "O"), (1, 1))
    purge(scene.home, session)
    assert bool(files()) is kept, "by state, however old"


def test_an_unreadable_index_keeps_it(scene: Scene, permissions: None) -> None:
    """Case 9.4/81."""
    scene.arm("O")
    write_bridge(scene.home, scene.intent, "O")
    scene.path.unlink()
    index(scene, "Completed")
    os.chmod(scene.home.index("shop"), 0)
    assert purge(scene.home, "other") == []


def test_bridges_of_another_home_are_not_ours_to_judge(scene: Scene, tmp_path: Path) -> None:
    other = Scene(tmp_path / "second")
    other.arm("X")
    write_bridge(other.home, other.intent, "X")
    other.path.unlink()
    index(other, "Completed")
    assert purge(scene.home, "O") == []


def test_forget_is_one_session_and_one_intent(scene: Scene) -> None:
    """Case 9.4/82."""
    for session in ("A", "B"):
        write_bridge(scene.home, scene.intent, session)
    assert forget(scene.intent, "A")
    assert not forget(scene.intent, "A")
    assert len(files()) == 1


def test_a_stranger_directory_is_not_used(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 9.4/87: no bridge, and nothing fails."""
    monkeypatch.setenv("PLASTIC_TMP", "/proc/1")
    assert not write_bridge(scene.home, scene.intent, "O")
    assert purge(scene.home, "O") == []


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_that_starts_changes_no_bridge(shop: World, source: str) -> None:
    """Case 9.4/84."""
    shop.start(shop.new("Tax")["id"], "O")
    folder = Path(os.environ["PLASTIC_TMP"])
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    event = {"hook_event_name": "SessionStart", "session_id": "O", "source": source}
    payload = json.dumps({**event, "cwd": str(shop.repo), "transcript_path": "/t.jsonl"})
    env = {"PLASTIC_PYTHON": sys.executable}
    done = shop.run(str(GATE), "claude", stdin=payload.encode(), env=env)
    assert done.rc == 0, done.err
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    assert (after, len(after)) == (before, 1)
