"""Links in `held/`: of this home, of the place it had before, and of nothing."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from plastic.disk import held
from plastic.disk.home import Home

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"


@pytest.mark.parametrize("project", [None, "shop"])
def test_a_home_that_was_moved_or_copied_knows_its_locks(scene: Scene, project: str | None) -> None:
    made = scene.planned(project=project)
    scene.lock(made, ME)
    shutil.copytree(scene.home.root, scene.root / "copy", symlinks=True)
    shutil.move(scene.home.root, scene.root / "moved")
    for new in ("copy", "moved"):
        home = Home(str(scene.root / new))
        own = home.store(project) + f"/{made.name}/delivery.lock"
        assert held.lock_paths(home) == [own]
        held.mend(home, own)
        assert os.readlink(f"{home.held}/{made.name}") == own


def test_a_moved_home_still_keeps_its_owner_in_the_worktree(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME, tree=True)
    scene.lock(scene.planned("97", "other"), F)
    scene.home = Home(shutil.move(scene.home.root, str(scene.root / "moved")))
    assert "its own worktree" in (scene.does(ME, scene.repo / "app.py").denied or "")
    assert scene.does(ME, f"{scene.tree(made)}/app.py").denied is None
    assert scene.does(F, f"{scene.tree(made)}/app.py").denied


def test_what_leads_to_no_lock_is_nothing(tmp_path: Path) -> None:
    home = Home(str(tmp_path))
    os.makedirs(home.held)
    for number, target in enumerate(
        ("/dev/zero", "x", "../x", "/x/store/no-intent/delivery.lock", "/a/store/1--b/x", "/" * 9)
    ):
        os.symlink(target, f"{home.held}/{number}")
    os.mkfifo(f"{home.held}/fifo")
    assert held.lock_paths(home) == []
