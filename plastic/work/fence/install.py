"""Gives a worktree its own hooks, tells them of a new token, and takes them away with it.

Files below git's directory of the worktree, which go when git drops it, and two lines in the
repository's configuration, which name a file that is then missing: git passes over them, and the
next `sweep` takes them out. So every kill leaves something that the next step makes whole.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from plastic.disk import gitconfig
from plastic.disk.failpoints import point
from plastic.disk.files import exists, make_dirs, put, read, reason, remove, stat
from plastic.disk.gitdir import git_dir
from plastic.disk.journal import note
from plastic.disk.lockfile import look
from plastic.disk.paths import parent_of
from plastic.disk.tree import set_mode
from plastic.rules.fence.hooks import PLACED
from plastic.rules.fence.include import CONFIG, HOOKS, added, dropped, hooks_config, included
from plastic.rules.lock.lease import worktree
from plastic.words import Refusal
from plastic.work.fence import facts
from plastic.work.house.share import PACKAGE, folder, interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.words import Intent


def install(home: Home, common: str, admin: str, intent: Intent) -> bool:
    """Put up the fence of one worktree, or what of it is missing; False when it stood whole.

    The caller holds the repository's guard.
    """
    changed = tell(home, admin, intent)
    point("fence.told")
    hooks = f"{admin}/{HOOKS}"
    if not exists(hooks):
        make_dirs(hooks)
        _share(admin, hooks, run=True)
    text = text_of_hooks()
    for name in PLACED:
        if content(f"{hooks}/{name}") != text:
            remove(f"{hooks}/{name}")
            put(f"{hooks}/{name}", text, 0o777, new=True)
            _share(admin, f"{hooks}/{name}", run=True)
            changed = True
    config = hooks_config(hooks).encode("utf-8", "surrogateescape")
    if content(f"{admin}/{CONFIG}") != config:
        put(f"{admin}/{CONFIG}", config)
        _share(admin, f"{admin}/{CONFIG}")
        changed = True
    point("fence.placed")
    name = admin.rpartition("/")[2]
    done = gitconfig.rewrite(common, lambda text: added(text, name), is_ours)
    point("fence.included")
    if changed or done:
        # Asked anew by the next hook: what it knows may come from another place.
        remove(f"{admin}/{facts.OWN}")
    return changed or done


def put_up(home: Home, common: str, admin: str, intent: Intent, say: Callable[[str], None]) -> None:
    """`install`, where a worktree is handed out: without a fence it is one all the same."""
    try:
        install(home, common, admin, intent)
    except (Refusal, OSError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        note(home, "fence-missing", intent=intent.id, reason=why)
        say(f"the fence of {intent.name} is not up: {why}; `plastic doctor --fix` puts it up")


def tell(home: Home, admin: str, intent: Intent) -> bool:
    """Write down whose worktree it is and under which token; False when that is known."""
    lock = f"{intent.dir}/delivery.lock"
    view = look(lock)
    old = facts.read(admin)
    token = view.lock.token if view.lock is not None else (old.token if old is not None else 0)
    now = facts.Facts(
        intent.id, intent.name, lock, home.root, token, interpreter(), parent_of(PACKAGE)
    )
    if not facts.write(admin, now):
        return False
    _share(admin, f"{admin}/{facts.FACTS}")
    return True


def follow(home: Home, intent: Intent) -> None:
    """Tell the hooks of an intent's worktree that its lock was raised or renewed.

    Nothing depends on it: they believe the lock, and find out what they were not told.
    """
    view = look(f"{intent.dir}/delivery.lock")
    tree = worktree(view.lock) if view.lock is not None else None
    if tree is None:
        return
    try:
        admin = git_dir(str(tree["path"]))
        known = facts.read(admin) if admin else None
        if known is not None and known.lock == f"{intent.dir}/delivery.lock":
            tell(home, admin, intent)
            point("fence.followed")
    except (OSError, ValueError) as error:
        note(home, "fence-behind", intent=intent.id, reason=str(error))


def left(common: str) -> list[str]:
    """The worktrees that the configuration names and that have no fence any more."""
    named = included(gitconfig.text(common))
    return [name for name in named if not exists(f"{common}/worktrees/{name}/{CONFIG}")]


def sweep(common: str) -> list[str]:
    """Take out of the configuration what includes a file that is gone; the worktrees it named.

    The caller holds the repository's guard.
    """
    gone = left(common)
    if gone:
        gitconfig.rewrite(common, lambda text: functools.reduce(dropped, gone, text), is_ours)
        point("fence.excluded")
    return gone


def take_down(common: str, admin: str) -> None:
    """Take the fence of a worktree away that stays; the caller holds the repository's guard."""
    remove(f"{admin}/{CONFIG}")
    sweep(common)
    for name in PLACED:
        remove(f"{admin}/{HOOKS}/{name}")
    for name in (facts.FACTS, facts.OWN, facts.TOLD):
        remove(f"{admin}/{name}")


def is_ours(now: bytes, found: bytes) -> bool:
    """Whether a text that lies in git's lock differs from the configuration by our lines alone."""
    return _bare(now) == _bare(found)


def _bare(text: bytes) -> bytes:
    return functools.reduce(dropped, included(text), text)


def text_of_hooks() -> bytes:
    """What every hook of a fence consists of: one text, which looks at its own name."""
    return read(f"{folder()}/hooks/fence") or b""


def content(path: str) -> bytes | None:
    """The content of a file of ours; None also for a link that somebody put in its place."""
    try:
        return read(path)
    except OSError:
        return None


def _share(admin: str, path: str, *, run: bool = False) -> None:
    """Whoever reads git's own files there must read ours: git dies of a file that it may not."""
    seen = stat(f"{admin}/HEAD")
    if seen is not None:
        mode = seen.st_mode & 0o666
        set_mode(path, mode | (mode & 0o444) >> 2 if run else mode)
