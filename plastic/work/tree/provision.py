"""Gives an intent its own worktree, or says why it has none; anything else fails as a whole.

Registered under the repository's guard, filled after it: the checkout of a big repository must
not keep eleven other starts waiting. Handed out only when it is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plastic.disk.checkout import checkout, filling
from plastic.disk.command import again
from plastic.disk.failpoints import point
from plastic.disk.files import reason
from plastic.disk.git import whereabouts
from plastic.disk.journal import note as journal
from plastic.disk.locks import repo_guard
from plastic.disk.projects import mend_command
from plastic.disk.worktrees import has_index, noted_for, recall, remember
from plastic.words import Broken, Refused
from plastic.work.fence.install import put_up
from plastic.work.lock.refuse import start_command
from plastic.work.tree.adopt import adopt as take_over
from plastic.work.tree.base import HEADS
from plastic.work.tree.copies import copy_files, set_up
from plastic.work.tree.homes import require_own
from plastic.work.tree.made import Made, status, unprovision
from plastic.work.tree.placing import Place, Wish, place
from plastic.work.tree.site import Site, site_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.words import Intent

# What a person mends in projects.yml: code of the refusal -> key of the project.
MENDED = {
    "bare-repository": "path",
    "base-missing": "base",
    "copy-outside": "copy",
    "setup-failed": "setup",
}

__all__ = ["Made", "provision", "unprovision"]


def _silent(line: str) -> None:
    """Nobody listens."""


def provision(
    home: Home,
    intent: Intent,
    project: Project | None,
    token: int,
    base: str | None = None,
    adopt: str | None = None,
    say: Callable[[str], None] = _silent,
    usual: str | None = None,
    lock_only: str = "",
) -> tuple[dict[str, Any], Made]:
    """The lock's `worktree` object and the undo handle of this call.

    `base` is what --base names, `usual` what the item does, `adopt` a worktree to take over,
    `lock_only` why there is to be none (a worktree that is there already stays in use). An
    existing worktree is found again without any change in git. Raises after undoing what this
    call made.
    """
    try:
        return _provision(home, intent, project, token, base, adopt, say, usual, lock_only)
    except Broken as broken:
        if project is not None and broken.code in MENDED and not broken.run:
            broken.run = mend_command(home, project.slug, MENDED[broken.code])
        raise


def _provision(
    home: Home,
    intent: Intent,
    project: Project | None,
    token: int,
    base: str | None,
    adopt: str | None,
    say: Callable[[str], None],
    usual: str | None,
    lock_only: str,
) -> tuple[dict[str, Any], Made]:
    site = site_of(intent, project)
    if lock_only and isinstance(site, Site) and noted_for(site.common, intent.name) is None:
        site = lock_only
    if isinstance(site, str) or project is None:
        why = str(site)
        if adopt is not None:
            raise Refused("no-repository", f"nothing to adopt: {why}", run=start_command(intent))
        journal(home, "lock-only", intent=intent.id, reason=why)
        return _lock_only(project, why), Made()
    made = Made(site)
    wish = Wish(site, intent, project, token, base, say, home.root, usual)
    try:
        with repo_guard(site.common):
            require_own(site.common, intent)
            point("provision.begun")
            found = place(wish, made) if adopt is None else take_over(home, wish, made, adopt)
            put_up(home, site.common, found.admin, intent, say)
        _fill(wish, made, found)
    except OSError as error:
        unprovision(made, say)
        raise Broken("provision", f"no worktree: {reason(error)}", run=again()) from error
    except BaseException:
        unprovision(made, say)
        raise
    return _worktree(site.root, found), made


def _lock_only(project: Project | None, why: str) -> dict[str, Any]:
    repo = project.path if project is not None and project.path else None
    return {
        "repo": repo,
        "path": None,
        "branch": None,
        "base": None,
        "base_commit": None,
        "provisioned": False,
        "reason": why,
    }


def _worktree(root: str, found: Place) -> dict[str, Any]:
    return {
        "repo": root,
        "path": found.path,
        "branch": found.branch,
        "base": found.note.base,
        "base_commit": found.note.base_commit,
        "provisioned": True,
        "reason": "adopted" if found.note.adopted else None,
    }


def _fill(wish: Wish, made: Made, found: Place) -> None:
    """Checkout, copies and setup, each only if an earlier start did not get that far."""
    if has_index(found.admin) and found.note.prepared:
        return
    with filling(found.admin, wish.say) as held:
        try:
            if not has_index(found.admin):
                checkout(found.path, found.admin, held, wish.say)
                _verify(wish, found)
                point("provision.checked_out")
            note = recall(found.admin) or found.note
            if not note.prepared:
                copy_files(wish.site.root, found.path, wish.project.copy, wish.say)
                point("provision.copied")
                set_up(found.path, wish.project.setup, wish.say)
                remember(found.admin, note._replace(prepared=True))
                point("provision.set_up")
            if made.path:
                made.left = status(found.path) if wish.project.setup else b""
        except BaseException:
            # Before the guard goes: whoever waits for it must find nothing rather than half.
            unprovision(made, wish.say)
            raise


def _verify(wish: Wish, found: Place) -> None:
    """Ask the world: the tree is a worktree of this repository and on the right branch."""
    seen = whereabouts(found.path)
    wanted = (found.path, wish.site.common, f"{HEADS}{found.branch}")
    right = seen is not None and tuple(seen) == wanted and has_index(found.admin)
    if not right:
        raise Broken("worktree-broken", f"{found.path} did not come out as asked", run=again())
