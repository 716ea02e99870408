"""A session that loses the lock between its first look and its guard changes nothing any more.

The takeover happens at the last possible moment: when the command asks for the intent's guard. So
whatever it looked at before is old, and only a look under the guard can refuse it.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import locks
from tests.faults.sweep import VERBS
from tests.work.ends import Mould, Ready

if TYPE_CHECKING:
    from tests.world import Done, World

A, B = "ana-1", "bo-2"
# A verb of sweep.py -> what makes it possible before; the words when they are other ones here.
MINE = {
    "start": "plastic start {ready}",
    "end": VERBS["end"].line,
    "end abandoned": "plastic end {ready} --abandoned --discard-worktree-changes",
    "sync": VERBS["sync"].line,
    "maintain": "plastic maintain {ready} --move Future --why later --rule order",
    "remove": "plastic worktree remove {ready}",
    "arm": "plastic-lock arm {ready}",
    "release": VERBS["release"].line,
    "reclaim": "plastic-lock reclaim {ready}",
    "transfer": "plastic-lock transfer {ready} --to cyd-3",
    "delegate": VERBS["delegate"].line,
    "claim": VERBS["claim"].line,
    "release-claim": VERBS["release-claim"].line,
    "beat": VERBS["beat"].line,
    "guard": "plastic guard {ready} -- touch ran",
}
# Not about one intent's lock: each says what it does with a lock of somebody else.
OTHERS = {
    "new": "an intent that nobody else knows yet",
    "start again": "the same as start",
    "prune": "looks under the guard of each intent as remove does",
    "restore": "a new branch beside everything",
    "fix": "repairs for everybody; a fresh lock of B stays as it is: below",
    "init install uninstall": "no intent",
    "doctor": "only prints, or calls fix",
    "pen init": "the pen has tokens of its own",
    "backlog add": "the backlog has tokens of its own",
}


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Ready]:
    def build(world: World) -> Ready:
        ready = Ready(world, "Ready").documents()
        ready.commit()
        (world.repo / "mine.txt").write_text("mine\n")
        world.git("add", "mine.txt")
        world.git("commit", "-q", "-m", "mine")
        return ready

    return Mould(tmp_path_factory.mktemp("token"), build)


def state(ready: Ready) -> tuple[Any, ...]:
    """What belongs to B now; a guard is nobody's content."""
    world = ready.world
    documents = {
        str(path.relative_to(ready.dir)): path.read_bytes()
        for path in ready.dir.rglob("*")
        if path.is_file() and path.name != "delivery.write.lock"
    }
    trees = {path.name: path.read_bytes() for path in ready.tree.iterdir() if path.is_file()}
    index = Path(world.home.root, "projects/shop/INDEX.md").read_bytes()
    return documents, trees, index, world.git("for-each-ref"), world.git("worktree", "list")


def superseding(ready: Ready, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Let B take over at the first wish for the guard; the state right afterwards, once."""
    real = locks._obtained
    seen: list[tuple[Any, ...]] = []

    def late(path: str, wait_s: float, label: str) -> object:
        if path == f"{ready.dir}/delivery.write.lock" and not seen:
            seen.append(())
            if (ready.dir / "delivery.lock").exists():
                ready.world.age(ready.dir / "delivery.lock", 7200)
                done = ready.world.lock("reclaim", ready.id, "--despite-evidence", session=B)
            else:
                done = ready.world.lock("arm", ready.id, session=B)
            assert done.rc == 0, done.err
            seen[0] = state(ready)
        return real(path, wait_s, label)

    monkeypatch.setattr(locks, "_obtained", late)
    return seen


def run(ready: Ready, line: str) -> Done:
    words = shlex.split(line.format(ready=ready.id))
    words.insert(words.index("--") if "--" in words else len(words), "--json")
    act = ready.world.plastic if words[0] == "plastic" else ready.world.lock
    return act(*words[1:], session=A, cwd=ready.world.repo)


@pytest.mark.parametrize("name", MINE)
def test_it_is_refused_with_the_new_owner_s_name(
    mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ready = mould.fresh()
    if name == "release-claim":
        assert run(ready, MINE["claim"]).rc == 0
    if name == "end abandoned":
        ready.documents("abandoned")
    if name == "maintain":  # of an intent that nobody holds
        assert run(ready, MINE["release"]).rc == 0
    seen = superseding(ready, monkeypatch)
    done = run(ready, MINE[name])
    assert seen, f"{name} takes no guard of the intent"
    if name == "release-claim" and done.rc == 0:
        assert done.json["result"] == "none"  # the takeover has cleared it: nothing to give back
    else:
        assert done.rc in (3, 4), (done.out, done.err)
        assert json.loads(done.out)["error"]["who"] == B, done.out
    assert state(ready) == seen[0]
    assert not (ready.world.repo / "ran").exists()


def test_fix_leaves_the_new_owner_alone(
    mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = mould.fresh()
    seen = superseding(ready, monkeypatch)
    run(ready, VERBS["fix"].line)
    assert json.loads((ready.dir / "delivery.lock").read_text())["owner_session"] == B
    assert state(ready) == seen[0]


def test_each_verb_is_here_or_says_why_not() -> None:
    assert not {*VERBS} - {*MINE} - {one for key in OTHERS for one in (key, *key.split())}


MUTANTS = {
    "release": "plastic.work.lock.release.require_owner",
    "transfer": "plastic.work.lock.transfer.require_owner",
    "delegate": "plastic.work.lock.delegates.require_owner",
    "claim": "plastic.work.lock.claims._authorized",
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_check_that_is_missing_is_caught(
    mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ready = mould.fresh()
    monkeypatch.setattr(MUTANTS[name], lambda *_: None)
    seen = superseding(ready, monkeypatch)
    done = run(ready, MINE[name])
    assert done.rc == 0
    assert state(ready) != seen[0]
