"""A hand-off without a relay: the next session of the repository gets it, once, and nobody else."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.disk.relay.left import leave, take
from plastic.work.life.handoffs import MOST
from tests.relay.test_kills import QUICK

if TYPE_CHECKING:
    from tests.gates.scene import Scene
    from tests.relay.stage import Stage

ME, NEXT = "session-1", "session-2"


def left(scene: Scene, text: str = "Decided: B.\nNext: test it.", key: str = "") -> Path:
    return Path(leave(scene.home.root, key or f"{scene.repo}/.git", ME, text))


def told(scene: Scene, session: str = NEXT, source: str = "startup") -> str:
    return str(scene.lives(session, "SessionStart", source=source).advice or "")


def test_the_next_session_gets_it_once(scene: Scene) -> None:
    path = left(scene)
    first = told(scene)
    assert "a hand-off was left here by session session-1" in first
    assert first.endswith("Decided: B.\nNext: test it.")
    assert told(scene) == told(scene, "session-3") == ""
    assert not path.exists()
    assert (path.parent / "taken" / path.name).read_text().endswith("test it.")


def test_two_of_them_come_in_order(scene: Scene) -> None:
    left(scene, "one")
    left(scene, "two")
    text = told(scene)
    assert text.index("one") < text.index("two")


@pytest.mark.parametrize(
    ("session", "source"), [(ME, "clear"), (NEXT, "resume"), (NEXT, "compact")]
)
def test_who_is_not_the_next(scene: Scene, session: str, source: str) -> None:
    """The one that left it, and a conversation that goes on."""
    path = left(scene)
    assert told(scene, session, source) == ""
    assert path.exists()


def test_another_repository_is_not_here(scene: Scene) -> None:
    path = left(scene, key="/elsewhere/.git")
    assert told(scene) == ""
    assert path.exists()


def test_a_child_of_a_relay_has_its_own(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    path = left(scene)
    monkeypatch.setitem(os.environ, "RELAY_ID", "r")
    monkeypatch.setattr("posix.environ", {b"RELAY_ID": b"r"})
    assert told(scene) == ""
    assert path.exists()


def test_files_that_are_none(scene: Scene) -> None:
    folder = left(scene).parent
    for name, data in (("a.md", b"no"), ("b.md", b"[1]\nx"), ("c.md", b"\xff"), ("d.txt", b"{}")):
        (folder / name).write_bytes(data)
    (folder / "e.md").mkdir()
    (folder / "f.md").symlink_to("/etc/passwd")
    (folder / "g.md").write_bytes(b"x" * 300_000)
    assert told(scene).count("was left here") == 1


def test_a_long_one_says_where_it_is(scene: Scene) -> None:
    path = left(scene, "x" * (MOST + 1))
    assert f"(the rest is in {path.parent}/taken/{path.name})" in told(scene)


def test_of_many_at_once_one_gets_it(scene: Scene) -> None:
    path = left(scene)
    found: list[int] = []
    key = f"{scene.repo}/.git"

    def come(number: int) -> None:
        found.append(len(take(scene.home.root, key, f"next-{number}")))

    threads = [threading.Thread(target=come, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [0] * 7 + [1]
    assert not path.exists()


def test_the_command(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of a relay a file, inside of one the signal."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", ME)
    done = stage.do("leave", "all that matters", "--json")
    assert Path(done.json["path"]).read_text().endswith("all that matters")
    common = os.path.realpath(stage.world.repo / ".git")
    assert take(stage.world.home.root, common, NEXT)[0][:2] == (ME, "all that matters")
    monkeypatch.delenv("CLAUDE_CODE_SESSION_ID")
    stage.turns("plastic relay leave 'part 2'\n", f"{QUICK}say done x")
    assert stage.start().rc == 0
    assert stage.got() == ["begin", "part 2"]


def test_nothing_is_no_hand_off(stage: Stage) -> None:
    done = stage.do("leave", " ", "--json")
    assert (done.rc, done.json["error"]["code"]) == (2, "hand-off")
    assert stage.do(*done.json["error"]["run"].split()[2:]).rc == 0
