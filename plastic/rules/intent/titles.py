"""What a title may be, and the slug that it gives."""

from __future__ import annotations

import shlex
import unicodedata

from plastic.rules.intent.names import SLUG_MAX, valid_slug
from plastic.rules.intent.slugs import slug_of
from plastic.words import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TITLE_MAX = 200
# A title in letters that have no ASCII form is a good title; its id alone makes the name unique.
PLAIN_SLUG = "intent"
# Invisible characters that turn text around or are no characters at all.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff")


def _new(*words: str) -> str:
    return shlex.join(("plastic", "new", *words))


def clean(title: str, mended: Callable[[str], str] = _new) -> str:
    """The title on one line; Usage when it is empty, too long or not printable.

    `mended` is the caller's command with a better title in place of this one.
    """
    text = " ".join(title.split())
    if not text:
        raise Usage("title", "the title is empty", run=mended("a few words"))
    bad = next((one for one in text if not _may_stand(one)), None)
    if bad is not None:
        kept = "".join(one for one in text if _may_stand(one))[:TITLE_MAX].strip()
        why = f"the title has the character U+{ord(bad):04X}"
        raise Usage("title", why, run=mended(kept or "a few words"))
    if len(text) > TITLE_MAX:
        cut = text[:TITLE_MAX].rpartition(" ")[0] or text[:TITLE_MAX]
        raise Usage(
            "title",
            f"the title has {len(text)} characters, at most {TITLE_MAX} are read; "
            "the rest belongs under `## Intent`",
            run=mended(cut),
        )
    return text


def _may_stand(letter: str) -> bool:
    if letter in _TURNING or ord(letter) & 0xFFFE == 0xFFFE:
        return False
    return unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp")


def slug_for(
    title: str, slug: str | None = None, mended: Callable[[str], str] | None = None
) -> str:
    """The slug that was asked for, else the title's; Usage when there is none."""
    mended = mended or (lambda better: _new(title, "--slug", better))
    if slug is not None:
        if not valid_slug(slug):
            better = slug_of(slug) or PLAIN_SLUG
            raise Usage(
                "slug",
                f"{slug[:SLUG_MAX]!r} is no slug: a-z, 0-9 and single hyphens, at most {SLUG_MAX}",
                run=mended(better),
            )
        return slug
    made = slug_of(title)
    if not made and any(letter.isalnum() for letter in title):
        return PLAIN_SLUG
    if not made:
        raise Usage(
            "slug",
            f"the title {title!r} has no letter or digit to make a directory's name from",
            run=mended(PLAIN_SLUG),
        )
    return made
