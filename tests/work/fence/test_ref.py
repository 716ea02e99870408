"""The fence: a ref that only moves when it says what was expected (real git)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plastic.words import Broken
from plastic.work.fence.ref import Fence, is_overtaken, move, read, repo_of, undo
from plastic.work.lock.verb import seen
from tests.work.scene import Scene

REF = "refs/plastic/fence/14"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.make_repo()
    return made


def test_without_a_repository_there_is_none(scene: Scene) -> None:
    assert read(None, scene.intent) is None
    assert move(None, scene.intent, 1, "a", None) is None
    undo(None, scene.intent, None, None)


def test_it_moves_by_compare_and_swap(scene: Scene) -> None:
    repo = str(scene.repo)
    first = move(repo, scene.intent, 1, "a", None)
    assert read(repo, scene.intent) == first
    second = move(repo, scene.intent, 2, "b", first)
    with pytest.raises(Broken) as refused:
        move(repo, scene.intent, 3, "c", first)
    assert (refused.value.code, refused.value.exit) == ("fence-moved", 5)
    with pytest.raises(Broken):
        move(repo, scene.intent, 3, "c", None)
    assert read(repo, scene.intent) == second


def test_undo_only_what_one_moved(scene: Scene) -> None:
    repo = str(scene.repo)
    first = move(repo, scene.intent, 1, "a", None)
    second = move(repo, scene.intent, 2, "b", first)
    undo(repo, scene.intent, first, None)
    assert read(repo, scene.intent) == second, "it is not where that move left it"
    undo(repo, scene.intent, second, first)
    assert read(repo, scene.intent) == first
    undo(repo, scene.intent, first, None)
    assert read(repo, scene.intent) is None


BLOBS = ["", "{", "[1]", "null", '{"token": "x"}', '{"token": -1, "acq": 3}', '{"token": true}']


@pytest.mark.parametrize("blob", BLOBS)
def test_a_blob_that_says_nothing_is_token_zero(scene: Scene, blob: str, tmp_path: Path) -> None:
    (tmp_path / "blob").write_text(blob)
    oid = scene.git("hash-object", "-w", str(tmp_path / "blob"))
    scene.git("update-ref", REF, oid)
    assert read(str(scene.repo), scene.intent) == Fence(0, "", oid)
    assert scene.arm("O").token == 1


def test_a_commit_under_its_name_is_no_obstacle(scene: Scene) -> None:
    scene.git("update-ref", REF, "HEAD")
    assert scene.arm("O").token == 1


OVERTAKEN = [
    (None, False),
    (Fence(3, "mine", ""), False),
    (Fence(5, "mine", ""), False),
    (Fence(2, "other", ""), False),
    (Fence(3, "other", ""), True),
    (Fence(4, "other", ""), True),
    (Fence(4, "other", "", "/home/projects/shop/store/14--x", foreign=True), False),
]


@pytest.mark.parametrize(("fence", "expected"), OVERTAKEN)
def test_who_is_overtaken(fence: Fence | None, expected: bool) -> None:
    """The lock has token 3 and acquisition `mine`."""
    assert is_overtaken(fence, 3, "mine") is expected


def test_a_hook_of_the_repository_has_no_say(scene: Scene) -> None:
    hook = scene.repo / ".git/hooks/reference-transaction"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert scene.arm("O").token == 1


def test_a_sha256_repository(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.repo.mkdir()
    scene.git("init", "-q", "--object-format=sha256")
    scene.git("commit", "-q", "--allow-empty", "-m", "first")
    armed = scene.arm("O")
    assert scene.fence() == {"token": 1, "acq": armed.lock.acq}


def test_the_repository_of_an_intent(scene: Scene, tmp_path: Path) -> None:
    """Its project's path, else the one its lock names, and only where a repository is."""
    assert repo_of(scene.home, scene.intent) is None
    for path, found in (
        (str(scene.repo), str(scene.repo)),
        (str(tmp_path / "none"), None),
        ("relative", None),
        (7, None),
    ):
        scene.write(worktree={"repo": path})
        assert repo_of(scene.home, scene.intent, seen(scene.intent)) == found


def test_a_broken_repository_is_exit_five_and_nothing_changes(scene: Scene) -> None:
    """The refs directory is a file: git cannot move the fence."""
    (scene.repo / ".git/refs/plastic").write_text("")
    with pytest.raises(Broken) as refused:
        scene.arm("O")
    assert refused.value.exit == 5
    assert not scene.path.exists()
    assert scene.held() == []
