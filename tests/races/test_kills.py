"""kill -9 at every point of every lock command; then the same command again finishes it."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import failpoints
from plastic.disk.lockfile import look
from plastic.words import Held, Refusal
from plastic.work.lock.claims import claim
from plastic.work.lock.release import release
from plastic.work.lock.takeover import reclaim
from plastic.work.lock.transfer import transfer
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from collections.abc import Callable

OURS = ("lock", "fix", "reclaim", "transfer", "release")


def killed_at(name: str, act: Callable[[], object]) -> None:
    """Run `act` in a child that is killed when it passes the point; the child must reach it."""
    child = os.fork()
    if child == 0:
        os.environ["PLASTIC_TEST"] = "1"
        os.environ["PLASTIC_FAILPOINT"] = f"{name}:kill"
        failpoints._passed.clear()
        try:
            act()
        finally:
            os._exit(7)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"{name} was not passed (exit {os.WEXITSTATUS(status)})"
    assert os.WTERMSIG(status) == signal.SIGKILL


def points(*prefixes: str) -> list[str]:
    return [name for name in failpoints.NAMES if name.split(".")[0] in prefixes]


def test_every_point_of_the_lock_has_its_test() -> None:
    mine = points(*OURS)
    assert len(mine) == 19, "a new point needs a new sweep"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.make_repo()
    return made


def whole_or_absent(scene: Scene) -> None:
    """What must hold after a kill anywhere, before anybody repairs anything."""
    view = look(str(scene.path))
    assert view.state in ("none", "fresh", "stale"), "never half a lock"
    if view.lock is not None:
        assert scene.held() == ["14--tax"], "a held lock has its link"
        assert scene.counter() >= view.lock.token, "the counter comes first"
        fence = scene.fence()
        assert fence is not None
        assert fence["token"] >= view.lock.token, "the fence comes first"


def healthy(scene: Scene, owner: str) -> dict[str, Any]:
    """What must hold after the plain re-run."""
    raw = scene.raw()
    assert raw["owner_session"] == owner
    assert scene.fence() == {"token": raw["token"], "acq": raw["acq"]}
    assert scene.counter() == raw["token"]
    assert scene.held() == ["14--tax"]
    return raw


@pytest.mark.parametrize("name", points("lock"))
def test_acquire(scene: Scene, name: str) -> None:
    killed_at(name, lambda: scene.arm("O"))
    whole_or_absent(scene)
    seen = {scene.counter()} if (scene.dir / "delivery.token").exists() else set()
    scene.arm("O")
    raw = healthy(scene, "O")
    if name != "lock.published":
        assert raw["token"] not in seen, "a number that may have been seen is not used again"


@pytest.mark.parametrize("name", points("lock"))
def test_somebody_else_after_a_killed_acquire(scene: Scene, name: str) -> None:
    killed_at(name, lambda: scene.arm("O"))
    if name == "lock.published":
        with pytest.raises(Held):
            scene.arm("F")
        return
    scene.arm("F")
    healthy(scene, "F")


@pytest.mark.parametrize("name", points("fix"))
def test_heal(scene: Scene, name: str) -> None:
    scene.path.write_bytes(b"precious bytes")
    scene.silent()
    killed_at(name, lambda: scene.arm("O"))
    whole_or_absent(scene)
    scene.arm("O")
    healthy(scene, "O")
    kept = [one.read_bytes() for one in scene.dir.glob(".delivery.lock.corrupt.*")]
    assert kept == [b"precious bytes"]


def stale_with_work(scene: Scene) -> None:
    from plastic.work.lock.acquire import set_worktree

    armed = scene.arm("O")
    set_worktree(scene.home, scene.intent, armed, scene.make_tree())
    claim(scene.home, scene.intent, me("O"), "spec.md")
    (scene.tree / "app.py").write_text("uncommitted\n")
    (scene.tree / "new.py").write_text("untracked\n")
    for path in (scene.tree / "app.py", scene.tree / "new.py"):
        scene.age(9000, path)
    scene.silent()


def take(scene: Scene, session: str = "F") -> object:
    return reclaim(scene.home, scene.intent, me(session))


@pytest.mark.parametrize("name", points("reclaim"))
def test_takeover(scene: Scene, name: str) -> None:
    """Nothing lost, nothing doubled, no token twice."""
    stale_with_work(scene)
    killed_at(name, lambda: take(scene))
    whole_or_absent(scene)
    take(scene)
    raw = healthy(scene, "F")
    assert raw["token"] in (2, 3)
    assert len(scene.audit("Lock")) == 1
    assert scene.git("show", "refs/plastic/salvage/14/1:app.py") == "uncommitted"
    assert scene.git("show", "refs/plastic/salvage/14/1:new.py") == "untracked"
    assert (scene.tree / "app.py").read_text() == "uncommitted\n"
    assert not (scene.dir / ".claims/spec.md.claim").exists()


@pytest.mark.parametrize("name", points("reclaim"))
def test_the_old_owner_wakes_up_after_a_killed_takeover(scene: Scene, name: str) -> None:
    """Before the lock has changed hands it is still the owner's, and it passes the fence again."""
    stale_with_work(scene)
    killed_at(name, lambda: take(scene))
    if name in ("reclaim.replaced", "reclaim.claims"):
        with pytest.raises(Held):
            scene.arm("O")
        return
    scene.arm("O")
    fence, raw = scene.fence(), scene.raw()
    assert fence == {"token": raw["token"], "acq": raw["acq"]}
    assert raw["owner_session"] == "O"


@pytest.mark.parametrize("name", points("transfer"))
def test_transfer(scene: Scene, name: str) -> None:
    armed = scene.arm("O")
    scene.write(**{**armed.lock.raw, "worktree": {"repo": str(scene.repo)}})
    claim(scene.home, scene.intent, me("O"), "spec.md")
    killed_at(name, lambda: transfer(scene.home, scene.intent, me("O"), "N"))
    whole_or_absent(scene)
    transfer(scene.home, scene.intent, me("O"), "N")
    healthy(scene, "N")
    assert len(scene.audit("transfer:")) == 1
    assert '"owner_session": "N"' in (scene.dir / ".claims/spec.md.claim").read_text()


@pytest.mark.parametrize("name", points("release"))
def test_release(scene: Scene, name: str) -> None:
    scene.arm("O")
    claim(scene.home, scene.intent, me("O"), "spec.md")
    killed_at(name, lambda: release(scene.home, scene.intent, me("O")))
    whole_or_absent(scene)
    release(scene.home, scene.intent, me("O"))
    assert (scene.path.exists(), scene.held(), scene.counter()) == (False, [], 1)
    assert scene.arm("F").token == 2
    healthy(scene, "F")


def test_what_killed_writes_leave_is_swept(scene: Scene) -> None:
    """Temp files of an hour ago go, younger ones may have a writer."""
    from plastic.work.lock.repair import repair

    old, young = scene.dir / ".delivery.x.1.tmp", scene.dir / ".delivery.y.2.tmp"
    for one in (old, young):
        one.write_text("")
    os.utime(old, (time.time() - 4000, time.time() - 4000))
    report = repair(scene.home, scene.intent, me("O"))
    assert f"removed {old.name}" in report.actions
    assert (old.exists(), young.exists()) == (False, True)


def test_a_random_life(scene: Scene) -> None:
    """A long history of kills: tokens only grow, and whoever holds the lock is alone."""
    last = 0
    names = [*points("lock"), *points("release")]
    for turn in range(40):
        session = f"S{turn % 3}"
        name = names[turn % len(names)]
        act: Callable[[], object] = (
            partial(scene.arm, session)
            if name.startswith("lock")
            else partial(release, scene.home, scene.intent, me(session))
        )
        try:
            killed_at(name, act)
        except AssertionError:
            pass  # this state does not pass this point
        whole_or_absent(scene)
        try:
            token = scene.arm(session).token
        except Refusal:
            continue
        assert token >= last
        last = token
        if turn % 2:
            release(scene.home, scene.intent, me(session))
