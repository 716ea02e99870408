"""What an id, a slug, an artifact and a branch may be called."""

from __future__ import annotations

SLUG_MAX = 60
ID_MAX = 24
_SLUG = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_ID = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
STAGED = ("spec.md", "plan.md", "checklist.md", "outcome.md")
# Written by plastic's own verbs only; the gate `protected` keeps tools away from them.
PROTECTED = ("delivery.lock", "delivery.token", "delivery.write.lock", ".end.json", "savepoint.md")
CLAIMS = ".claims"
WORKTREES = ".claude/worktrees"
BRANCH_PREFIX = "plastic/"
# The file that agents share who take turns in one working tree.
PEN = "M8SHIFT.md"


def valid_id(text: str) -> bool:
    """Digits, then optional lower-case letters and digits."""
    return 0 < len(text) <= ID_MAX and text[0] in "0123456789" and _ID.issuperset(text)


def valid_slug(text: str) -> bool:
    """`[a-z0-9]` and single hyphens, 1 to 60 characters, no hyphen at an end."""
    return (
        0 < len(text) <= SLUG_MAX
        and _SLUG.issuperset(text)
        and text[0] != "-"
        and text[-1] != "-"
        and "--" not in text
    )


def split(name: str) -> tuple[str, str] | None:
    """`<id>--<slug>` as its two parts; None when it is no intent's name."""
    id, found, slug = name.partition("--")
    return (id, slug) if found and valid_id(id) and valid_slug(slug) else None


def branch(name: str) -> str:
    """The branch of an intent's worktree."""
    return BRANCH_PREFIX + name


def claimable(artifact: str, name: str) -> bool:
    """Whether one writer at a time may claim this file of the intent called `name`."""
    return artifact in ("spec.md", "plan.md", "checklist.md", f"{name}.md")
