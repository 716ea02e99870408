"""What people and tools bring to a repository keeps working in a fenced worktree."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tests.work.ends import Ready
from tests.work.fence.stage import A, B, Stage

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

COMMIT = ("commit", "-q", "-a", "-m", "more")


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_signing(stage: Stage) -> None:
    """A program that signs as gpg does: git checks that it says SIG_CREATED."""
    tool = script(
        stage.world.root / "sign",
        "cat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2; echo '-----BEGIN PGP SIGNATURE-----'\n"
        "echo; echo x; echo '-----END PGP SIGNATURE-----'",
    )
    stage.world.git("config", "gpg.program", str(tool))
    stage.world.git("config", "commit.gpgSign", "true")
    assert stage.git(A, *COMMIT).rc == 0
    assert "gpgsig" in stage.git(A, "cat-file", "commit", "HEAD").out


def test_filters_as_lfs_has_them(shop: World) -> None:
    """clean and smudge on the way in and out, and a pre-push that reads what is pushed."""
    for key, value in (("clean", "sed s/long/short/"), ("smudge", "sed s/short/long/")):
        shop.git("config", f"filter.big.{key}", value)
    shop.git("config", "filter.big.required", "true")
    (shop.repo / ".gitattributes").write_text("*.bin filter=big\n")
    (shop.repo / "a.bin").write_text("long\n")
    shop.git("add", "-A")
    shop.git("commit", "-q", "-m", "big")
    log = shop.root / "pushed"
    script(shop.repo / ".git/hooks/pre-push", f'cat >"{log}"; echo "$@" >>"{log}"')
    stage = Stage(shop)
    assert (stage.tree / "a.bin").read_text() == "long\n"
    (stage.tree / "a.bin").write_text("long, long\n")
    assert stage.git(A, *COMMIT).rc == 0
    assert stage.git(A, "show", "HEAD:a.bin").out == "short, long\n"
    far = shop.root / "far.git"
    shop.git("init", "-q", "--bare", str(far))
    assert stage.git(A, "push", "-q", str(far), "HEAD:refs/heads/x").rc == 0
    head = stage.git(A, "rev-parse", "HEAD").out.strip()
    zero = "0" * 40
    assert log.read_text() == f"HEAD {head} refs/heads/x {zero}\n{far} {far}\n"
    # As `git lfs update --force` does it: one hook is written over, the others stay.
    (stage.hooks / "pre-push").write_text("#!/bin/sh\nexit 0\n")
    assert stage.git(B, *COMMIT).rc != 0


def test_sparse_checkout(stage: Stage) -> None:
    """It sets the extension for configurations of worktrees itself; both stand side by side."""
    (stage.tree / "deep").mkdir()
    (stage.tree / "deep/x.py").write_text("x\n")
    assert stage.git(A, "add", "deep").rc == 0
    assert stage.git(A, *COMMIT).rc == 0
    assert stage.git(A, "sparse-checkout", "set", "--no-cone", "/tax.py").rc == 0
    assert not (stage.tree / "deep").exists()
    assert stage.git(A, "commit", "-q", "--allow-empty", "-m", "x").rc == 0
    assert stage.git(B, "commit", "-q", "--allow-empty", "-m", "x").rc != 0
    assert stage.git(A, "sparse-checkout", "disable").rc == 0
    assert (stage.tree / "deep/x.py").exists()


def test_a_submodule_has_its_own_git_directory_and_hooks(shop: World) -> None:
    shop.make_repo(shop.root / "lib")
    shop.git("submodule", "add", "-q", str(shop.root / "lib"), "lib")
    shop.git("commit", "-q", "-m", "lib")
    stage = Stage(shop)
    assert stage.git(A, "submodule", "update", "--init", "-q").rc == 0
    commit = ("git", "commit", "-q", "--allow-empty", "-m", "x")
    for session in (A, B):
        env = {"CLAUDE_CODE_SESSION_ID": session}
        done = shop.run(*commit, cwd=stage.tree / "lib", env=env)
        assert (done.rc, done.err) == (0, "")
    assert stage.git(A, *COMMIT).rc == 0
    assert stage.git(B, "commit", "-q", "--allow-empty", "-m", "x").rc != 0


def test_husky_as_it_installs_itself_in_the_worktree(stage: Stage) -> None:
    """It sets a relative core.hooksPath in the shared configuration, from inside."""
    log = stage.world.root / "log"
    husky = script(stage.tree / ".husky/_/h", 'sh -e "${0%/*/*}/${0##*/}" "$@"')
    shutil.copy(husky, stage.tree / ".husky/_/pre-commit")
    script(stage.tree / ".husky/pre-commit", f'echo linted >>"{log}"')
    assert stage.git(A, "config", "core.hooksPath", ".husky/_").rc == 0
    assert stage.git(A, *COMMIT).rc == 0
    assert log.read_text() == "linted\n"
    assert stage.git(B, "commit", "-q", "--allow-empty", "-m", "x").rc != 0
    assert stage.world.git("config", "--get", "core.hooksPath") == ".husky/_"


def test_the_pre_commit_framework_as_it_writes_its_hook(stage: Stage) -> None:
    """Installed in the main checkout; its hook finds its own place, and asks git for the index."""
    log = stage.world.root / "log"
    script(
        stage.world.repo / ".git/hooks/pre-commit",
        'HERE="$(cd "$(dirname "$0")" && pwd)"\n'
        f'echo "$HERE $(git diff --cached --name-only | xargs)" >>"{log}"\n',
    )
    assert stage.git(A, *COMMIT).rc == 0
    assert log.read_text() == f"{stage.world.repo}/.git/hooks app.py\n"


def test_partial_and_interactive_ways_to_commit(stage: Stage) -> None:
    for name in ("one.py", "two.py"):
        (stage.tree / name).write_text("x\n")
    assert stage.git(A, "add", "-N", "one.py", "two.py").rc == 0
    assert stage.git(A, "commit", "-q", "-m", "one", "--", "one.py").rc == 0
    assert stage.git(A, "show", "--name-only", "--format=", "HEAD").out == "one.py\n"
    assert stage.git(A, "add", "two.py").rc == 0
    assert stage.git(A, "stash", "-q").rc == 0
    assert stage.git(A, "stash", "pop", "-q").rc == 0
    assert stage.git(A, "commit", "-q", "--fixup", "HEAD", "-a").rc == 0
    env = {"GIT_SEQUENCE_EDITOR": "true"}
    assert stage.git(A, "rebase", "-q", "-i", "--autosquash", "HEAD~2", **env).rc == 0
    assert stage.git(A, "bisect", "start", "HEAD", "main").rc == 0
    assert stage.git(A, "bisect", "reset").rc == 0


def test_end_of_a_delivery_with_hooks_of_its_own(shop: World) -> None:
    """commit-msg is asked by our merge commit, and the fence is none of the base's business."""
    log = shop.root / "log"
    script(shop.repo / ".git/hooks/commit-msg", f'head -1 "$1" >>"{log}"')
    made = Ready(shop)
    made.commit()
    made.documents()
    assert made.end("--delivered").rc == 0
    assert len(log.read_text().splitlines()) == 2
