"""A takeover loses no work: tracked, untracked, half-merged, hidden, twice (real git)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from plastic.words import Broken, LockView
from plastic.work.lock.takeover import reclaim
from plastic.work.lock.verb import seen
from plastic.work.tree.salvage import keep
from tests.work.scene import Scene, me

REF = "refs/plastic/salvage/14/1"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.board("O")
    return made


def take(scene: Scene, session: str = "F") -> str | None:
    scene.silent()
    return reclaim(scene.home, scene.intent, me(session), despite=True).salvage


def kept(scene: Scene, path: str, ref: str = REF) -> str:
    return scene.git("show", f"{ref}:{path}")


def status(scene: Scene) -> str:
    return scene.git("status", "--porcelain", cwd=scene.tree)


def test_tracked_and_untracked_work_is_kept_and_stays(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("TAX = 2\n")
    (scene.tree / "new dir").mkdir()
    (scene.tree / "new dir/\u00e4 b.txt").write_text("new\n")
    (scene.tree / "staged.py").write_text("staged\n")
    scene.git("add", "staged.py", cwd=scene.tree)
    (scene.tree / ".env").write_text("SECRET")
    (scene.tree / "tool").write_text("#!/bin/sh\n")
    (scene.tree / "tool").chmod(0o755)
    (scene.tree / "link").symlink_to("app.py")
    index = (Path(scene.git("rev-parse", "--git-dir", cwd=scene.tree)) / "index").read_bytes()
    before = status(scene)
    assert take(scene) == REF
    assert kept(scene, "app.py") == "TAX = 2"
    assert kept(scene, "new dir/\u00e4 b.txt") == "new"
    assert kept(scene, "staged.py") == "staged"
    assert kept(scene, "link") == "app.py"
    assert ".env" not in scene.git("ls-tree", "-r", "--name-only", REF)
    assert "100755" in scene.git("ls-tree", REF, "tool")
    assert status(scene) == before
    now = (Path(scene.git("rev-parse", "--git-dir", cwd=scene.tree)) / "index").read_bytes()
    assert now == index, "the user's own index is not touched"
    assert scene.git("rev-parse", f"{REF}^") == scene.git("rev-parse", "plastic/14--tax")
    assert not list(Path(scene.git("rev-parse", "--git-dir", cwd=scene.tree)).glob("plastic.*"))


def test_what_was_only_staged_is_kept(scene: Scene) -> None:
    (scene.tree / "new.py").write_text("only staged\n")
    (scene.tree / "app.py").write_text("TAX = 2\n")
    scene.git("add", "new.py", "app.py", cwd=scene.tree)
    (scene.tree / "new.py").unlink()
    (scene.tree / "app.py").write_text("TAX = 3\n")
    assert take(scene) == REF
    assert kept(scene, "app.py") == "TAX = 3"
    staged = f"{REF}^2"
    assert kept(scene, "new.py", staged) == "only staged"
    assert kept(scene, "app.py", staged) == "TAX = 2"
    assert scene.git("rev-parse", f"{staged}^") == scene.git("rev-parse", f"{REF}^")
    before = scene.git("rev-parse", REF)
    keep(str(scene.repo), scene.intent, _view(scene), 1)
    assert scene.git("rev-parse", REF) == before


def test_an_edit_in_the_moment_of_a_commit_is_kept(scene: Scene) -> None:
    """Same size, same time as the index: only the index's own age tells git to look."""
    for name, value in (("core.trustctime", "false"), ("core.checkStat", "minimal")):
        scene.git("config", name, value)
    moment = (10**18, 10**18)
    file = scene.tree / "app.py"
    text = file.read_text()
    os.utime(file, ns=moment)
    scene.git("update-index", "--refresh", cwd=scene.tree)
    index = Path(scene.git("rev-parse", "--absolute-git-dir", cwd=scene.tree)) / "index"
    os.utime(index, ns=moment)
    file.write_text(text[:-2] + "7\n")
    os.utime(file, ns=moment)
    assert take(scene) == REF
    assert kept(scene, "app.py") == (text[:-2] + "7\n").strip()


def test_a_clean_worktree_is_kept_as_its_commit(scene: Scene) -> None:
    (scene.tree / "new.py").write_text("x")
    scene.git("add", "-A", cwd=scene.tree)
    scene.git("commit", "-qm", "work", cwd=scene.tree)
    assert take(scene) == REF
    assert scene.git("rev-parse", REF) == scene.git("rev-parse", "plastic/14--tax")


def test_a_deleted_file_is_deleted_in_the_salvage(scene: Scene) -> None:
    (scene.tree / "app.py").unlink()
    take(scene)
    assert "app.py" not in scene.git("ls-tree", "--name-only", REF)


def test_a_salvage_that_is_there_becomes_a_parent(scene: Scene) -> None:
    """A takeover that was killed and tried again after more work loses neither."""
    (scene.tree / "app.py").write_text("first try\n")
    keep(str(scene.repo), scene.intent, _view(scene), 1)
    first = scene.git("rev-parse", REF)
    (scene.tree / "app.py").write_text("second try\n")
    take(scene)
    assert kept(scene, "app.py") == "second try"
    assert first in scene.git("rev-list", REF).split()


def test_twice_the_same_is_one(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("work\n")
    keep(str(scene.repo), scene.intent, _view(scene), 1)
    first = scene.git("rev-parse", REF)
    take(scene)
    assert scene.git("rev-parse", REF) == first


def _view(scene: Scene) -> LockView:
    return seen(scene.intent)


def _diverge(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("mine\n")
    scene.git("commit", "-qam", "mine", cwd=scene.tree)
    (scene.repo / "app.py").write_text("theirs\n")
    scene.git("commit", "-qam", "theirs")


STATES = {
    "merge": ("merge", "main"),
    "rebase": ("rebase", "main"),
    "cherry-pick": ("cherry-pick", "main"),
}


@pytest.mark.parametrize("state", STATES)
def test_half_done_operations_are_kept_with_their_commits(scene: Scene, state: str) -> None:
    _diverge(scene)
    mine = scene.git("rev-parse", "plastic/14--tax")
    scene.git(*STATES[state], cwd=scene.tree, check=False)
    assert "<<<<<<<" in (scene.tree / "app.py").read_text()
    before = status(scene)
    take(scene)
    assert "<<<<<<<" in kept(scene, "app.py")
    history = scene.git("rev-list", REF).split()
    assert mine in history
    assert scene.git("rev-parse", "main") in history
    assert status(scene) == before, "the operation goes on as if nothing had happened"


def test_edits_hidden_by_assume_unchanged_are_kept(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("hidden\n")
    scene.git("update-index", "--assume-unchanged", "app.py", cwd=scene.tree)
    take(scene)
    assert kept(scene, "app.py") == "hidden"
    assert scene.git("ls-files", "-v", cwd=scene.tree).splitlines()[-1].startswith("h ")


def test_commits_on_a_detached_head_are_kept(scene: Scene) -> None:
    scene.git("checkout", "-q", "--detach", cwd=scene.tree)
    (scene.tree / "app.py").write_text("detached\n")
    scene.git("commit", "-qam", "detached", cwd=scene.tree)
    tip = scene.git("rev-parse", "HEAD", cwd=scene.tree)
    scene.git("checkout", "-q", "plastic/14--tax", cwd=scene.tree)
    scene.git("checkout", "-q", tip, cwd=scene.tree)
    take(scene)
    assert tip in scene.git("rev-list", REF).split()


def test_a_lost_git_file_does_not_lose_the_files(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("work\n")
    (scene.tree / "new.py").write_text("new\n")
    (scene.tree / ".git").unlink()
    take(scene)
    assert kept(scene, "app.py") == "work"
    assert kept(scene, "new.py") == "new"
    assert scene.git("status", "--porcelain", "-uno") == "", "the main checkout is not touched"


def test_a_lost_directory_keeps_the_branch(scene: Scene) -> None:
    (scene.tree / "app.py").write_text("work\n")
    scene.git("commit", "-qam", "work", cwd=scene.tree)
    subprocess.run(["rm", "-rf", str(scene.tree)], check=True)
    take(scene)
    assert kept(scene, "app.py") == "work"


def test_without_an_identity(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("EMAIL", "")
    scene.git("config", "user.useConfigOnly", "true")
    (scene.tree / "app.py").write_text("work\n")
    take(scene)
    assert scene.git("log", "-1", "--format=%an <%ae>", REF) == "plastic <plastic@localhost>"


def test_hooks_and_signing_have_no_say(scene: Scene) -> None:
    hooks = scene.repo / ".git/hooks"
    for name in ("reference-transaction", "pre-commit", "post-checkout", "commit-msg"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    scene.git("config", "commit.gpgSign", "true")
    scene.git("config", "gpg.program", "/nowhere")
    (scene.tree / "app.py").write_text("work\n")
    take(scene)
    assert kept(scene, "app.py") == "work"


def test_odd_line_ends_do_not_stop_it(scene: Scene) -> None:
    scene.git("config", "core.autocrlf", "true")
    scene.git("config", "core.safecrlf", "true")
    (scene.tree / "app.py").write_bytes(b"a\nb\r\n")
    assert take(scene) == REF


def test_a_file_that_cannot_be_read_does_not_stop_it(scene: Scene, permissions: None) -> None:
    """It stays where it is, as everything does; the rest is kept."""
    (scene.tree / "secret").write_text("x")
    (scene.tree / "secret").chmod(0)
    (scene.tree / "app.py").write_text("work\n")
    take(scene)
    assert kept(scene, "app.py") == "work"
    assert (scene.tree / "secret").exists()


def test_a_submodule_is_safe(scene: Scene, tmp_path: Path) -> None:
    sub = tmp_path / "sub"
    sub.mkdir()
    scene.git("init", "-q", cwd=sub)
    (sub / "s.txt").write_text("s")
    scene.git("add", "-A", cwd=sub)
    scene.git("commit", "-qm", "sub", cwd=sub)
    scene.git("submodule", "--quiet", "add", str(sub), "lib", cwd=scene.tree)
    scene.git("commit", "-qm", "with sub", cwd=scene.tree)
    (scene.tree / "lib/s.txt").write_text("edited")
    (scene.tree / "app.py").write_text("work\n")
    assert take(scene) == REF
    assert kept(scene, "app.py") == "work"
    assert (scene.tree / "lib/s.txt").read_text() == "edited"
    inner = scene.git("for-each-ref", "--format=%(refname)", "refs/plastic", cwd=scene.tree / "lib")
    assert inner == REF
    assert scene.git("show", f"{REF}:s.txt", cwd=scene.tree / "lib") == "edited"


def test_an_unborn_nested_repository_does_not_stop_it(scene: Scene) -> None:
    (scene.tree / "nested").mkdir()
    scene.git("init", "-q", cwd=scene.tree / "nested")
    (scene.tree / "nested/x").write_text("x")
    (scene.tree / "app.py").write_text("work\n")
    assert take(scene) == REF
    assert kept(scene, "app.py") == "work"


def test_a_ref_that_cannot_be_written_stops_the_takeover(scene: Scene, permissions: None) -> None:
    """Prefer refusing to losing."""
    (scene.tree / "app.py").write_text("work\n")
    folder = scene.repo / ".git/refs/plastic"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o555)
    try:
        with pytest.raises(Broken):
            take(scene)
    finally:
        folder.chmod(0o755)
    assert scene.raw()["owner_session"] == "O"
