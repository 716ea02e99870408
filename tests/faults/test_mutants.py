"""Non-vacuity: what keeps owners apart and work alive, taken out piece by piece; each loss shows.

Each test does the same twice: with our code, and with the one thing taken out. A row of MUTANTS
is a thing and the tests that see it missing, here or where it lives; `pytest -m soak` prints them.
"""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from plastic.disk import locks
from plastic.disk.git import oid
from plastic.words import Refusal
from plastic.work.end.contained import Proven
from plastic.work.fence.ref import delete
from plastic.work.lock import takeover
from plastic.work.lock.takeover import reclaim
from plastic.work.merge.reftransaction import move
from plastic.work.tree.trash import bury
from tests.work.ends import Mould, Ready, one_ready
from tests.work.scene import Scene, me

if TYPE_CHECKING:
    from pathlib import Path

    from plastic.disk.git import Git
    from plastic.disk.process import Out
    from plastic.work.merge.reftransaction import Step

twice = pytest.mark.parametrize("kept", [True, False], ids=["ours", "taken out"])


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Ready]:
    return Mould(tmp_path_factory.mktemp("mutants"), one_ready)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    found = Scene(tmp_path)
    found.arm("O")
    found.silent()
    return found


def another(ready: Ready, ref: str) -> str:
    """A commit of somebody else on a branch, without any checkout."""
    git = ready.world.git
    made = git("commit-tree", f"{ref}^{{tree}}", "-p", ref, "-m", "somebody else")
    git("update-ref", ref, made)
    return made


def is_kept(ready: Ready, commit: str) -> bool:
    """Whether some branch has it."""
    return bool(ready.world.git("for-each-ref", "--contains", commit, "refs/heads"))


@twice
def test_the_guard(scene: Scene, monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    """Two look at the same stale lock: both take it, with the same token."""
    monkeypatch.setattr(locks, "INTENT_WAIT", 0.0)
    taken: list[tuple[str, int]] = []
    real = takeover._judge

    def take(session: str) -> None:
        try:
            lock = reclaim(scene.home, scene.intent, me(session)).view.lock
        except Refusal:
            return
        assert lock is not None
        taken.append((session, lock.token))

    def slow(*args: object, **more: bool) -> object:
        found = real(*args, **more)  # type: ignore[arg-type]
        if threading.current_thread() is threading.main_thread():
            other = threading.Thread(target=take, args=("G",))
            other.start()
            other.join()
        return found

    monkeypatch.setattr(takeover, "_judge", slow)
    if not kept:
        monkeypatch.setattr(takeover, "intent_guard", lambda _: nullcontext())
    take("F")
    assert taken == ([("F", 2)] if kept else [("G", 2), ("F", 3)])
    if not kept:
        assert len(scene.audit("takeover:")) == 2


@twice
def test_the_token_that_a_taker_saw(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """The lock went to G, who fell silent too: F never looked at G's work."""
    reclaim(scene.home, scene.intent, me("G"))
    scene.silent()
    if not kept:
        monkeypatch.setattr(takeover, "_refuse_at_once", lambda *_: None)
    with nullcontext() if not kept else pytest.raises(Refusal):
        reclaim(scene.home, scene.intent, me("F"), expected=1)
    assert scene.raw()["owner_session"] == ("G" if kept else "F")


@twice
def test_the_compare_of_the_base(
    mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """Somebody commits to the base between End's plan and its publish."""
    ready = mould.fresh()
    ready.world.git("switch", "-q", "-c", "elsewhere")
    theirs: list[str] = []

    def late(git: Git, step: Step) -> None:
        if not theirs:
            theirs.append(another(ready, step.ref))
        move(git, step if kept else step._replace(old=oid(git, step.ref) or ""))

    monkeypatch.setattr("plastic.work.merge.publish.move", late)
    assert ready.end().rc == 0
    assert ready.merges()
    assert is_kept(ready, theirs[0]) is kept


@twice
def test_the_tip_that_was_proven(
    mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """A commit reaches the branch between the proof and its deletion."""
    ready = mould.fresh()
    late: list[str] = []

    def slow(git: Git, ref: str, old: str, barrier: tuple[str, str] | None) -> Out:
        late.append(another(ready, ref))
        return delete(git, ref, old if kept else late[0], barrier)

    monkeypatch.setattr("plastic.work.end.leave.delete", slow)
    ready.end()
    assert ready.has_branch() is kept
    assert is_kept(ready, late[0]) is kept


@twice
def test_the_proof(mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch, kept: bool) -> None:
    """Somebody sets the base back after End has merged: the branch has what the base lost."""
    ready = mould.fresh()
    tip, main = (ready.world.git("rev-parse", one) for one in (ready.branch, "main"))
    ready.world.git("switch", "-q", "-c", "elsewhere")

    def late(common: str, path: str, id: str, token: int) -> str | None:
        ready.world.git("update-ref", "refs/heads/main", main)
        return bury(common, path, id, token)

    monkeypatch.setattr("plastic.work.end.leave.bury", late)
    if not kept:
        monkeypatch.setattr("plastic.work.end.leave.proof", lambda *_: Proven("ancestor", tip))
    ready.end()
    assert is_kept(ready, tip) is kept
