"""Whether the fence of a worktree stands whole, and whether git asks it: reads only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk import gitconfig
from plastic.disk.git import Git
from plastic.rules.fence.hooks import PLACED
from plastic.rules.fence.include import CONFIG, HOOKS, has, hooks_config
from plastic.work.fence import facts
from plastic.work.fence.install import content, text_of_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plastic.words import Intent


def missing(common: str, admin: str, intent: Intent) -> list[str]:
    """What is not there or not ours: another tool may have put its own hook in the place."""
    return list(_missing(common, admin, intent))


def _missing(common: str, admin: str, intent: Intent) -> Iterator[str]:
    known = facts.read(admin)
    if known is None or known.lock != f"{intent.dir}/delivery.lock":
        yield facts.FACTS
    for name in PLACED:
        if content(f"{admin}/{HOOKS}/{name}") != text_of_hooks():
            yield name
    wanted = hooks_config(f"{admin}/{HOOKS}").encode("utf-8", "surrogateescape")
    if content(f"{admin}/{CONFIG}") != wanted:
        yield CONFIG
    if not has(gitconfig.text(common), admin.rpartition("/")[2]):
        yield "the lines in .git/config"


def asked_elsewhere(path: str, admin: str) -> str | None:
    """Where git looks for the hooks of this worktree when that is not the fence; else None."""
    found = Git(path).says("config", "--type=path", "--get", "core.hooksPath")
    return None if found in (None, f"{admin}/{HOOKS}") else found
