"""What one start made in a repository, and its undoing: only that, only while it is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.checkout import drop_empty
from plastic.disk.files import exists, reason, remove
from plastic.disk.git import Git, oid
from plastic.disk.locks import repo_guard
from plastic.disk.worktrees import NOTE, admin_dir, entry_at, has_index, listed
from plastic.disk.worktrees import remove as remove_worktree
from plastic.words import Refusal
from plastic.work.fence.install import sweep, take_down

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.work.tree.site import Site


class Made:
    """The undo handle of one call; empty where everything was there already.

    `branch` is the full ref that was created at `commit`, `path` the worktree that was registered
    under `reason`, `adopted` one that was only marked as ours, `absent` the directories that did
    not exist before. `left` is what `git status` showed when the worktree was handed out; None
    before that.
    """

    __slots__ = ("absent", "adopted", "branch", "commit", "left", "path", "reason", "site")

    def __init__(self, site: Site | None = None) -> None:
        self.site = site
        self.branch = ""
        self.commit = ""
        self.path = ""
        self.reason = ""
        self.adopted = ""
        self.absent: list[str] = []
        self.left: bytes | None = None


def status(path: str) -> bytes:
    """Everything in a worktree that is not committed, ignored files aside."""
    words = ("-c", "status.showUntrackedFiles=all", "status", "--porcelain", "-z", "-uall")
    return Git(path).raw(*words, timeout=300.0)


def unprovision(made: Made, say: Callable[[str], None]) -> bool:
    """Undo one start; False (and said) where something of it had to stay.

    It never raises: it runs while another error is on its way. Once a worktree was handed out
    only an untouched one is removed: a second start of the same owner may be at work in it.
    """
    if made.site is None or not (made.branch or made.path or made.adopted or made.absent):
        return True
    try:
        with repo_guard(made.site.common):
            done = _undo(made, made.site, say)
    except (Refusal, OSError) as error:
        what = reason(error) if isinstance(error, OSError) else str(error)
        say(f"what this start made could not be undone: {what}")
        return False
    return done


def _undo(made: Made, site: Site, say: Callable[[str], None]) -> bool:
    git = Git(site.root)
    if made.adopted:
        _give_back(made, site, git)
    if made.path and entry_at(git, made.path) is not None:
        if made.left is not None and not _is_untouched(made, site):
            say(f"{made.path} stays: it is no longer as it was handed out")
            return False
        remove_worktree(git, made.path, made.reason)
        sweep(site.common)
    made.path = ""
    if made.branch and not any(entry.branch == made.branch for entry in listed(git)):
        # Compare-and-delete: a branch that somebody moved is somebody's work.
        git.run("update-ref", "--stdin", stdin=f"delete {made.branch} {made.commit}\n", ok=None)
    made.branch = ""
    drop_empty([path for path in made.absent if exists(path)])
    made.absent = []
    return True


def _is_untouched(made: Made, site: Site) -> bool:
    admin = admin_dir(site.common, made.path)
    if admin is None or not exists(made.path) or not has_index(admin):
        return True
    return oid(Git(made.path), "HEAD") == made.commit and status(made.path) == made.left


def _give_back(made: Made, site: Site, git: Git) -> None:
    """An adopted worktree is somebody's: only our marks are taken off."""
    admin = admin_dir(site.common, made.adopted)
    if admin is not None:
        take_down(site.common, admin)
        remove(f"{admin}/{NOTE}")
    entry = entry_at(git, made.adopted)
    if made.reason and entry is not None and entry.locked == made.reason:
        git.run("worktree", "unlock", "--", made.adopted)
    made.adopted = ""
