"""A slug from a title: what people type, made safe for paths, refs and every file system."""

from __future__ import annotations

import unicodedata

from plastic.rules.intent.names import SLUG_MAX


def slug_of(title: str) -> str:
    """Lower-case ASCII words joined by hyphens, cut at a word; "" when nothing is left.

    Letters lose their accents; everything that is neither letter nor digit separates words.
    """
    flat = unicodedata.normalize("NFKD", title.replace("ß", "ss")).casefold()
    kept = []
    for letter in flat:
        if letter.isascii() and letter.isalnum():
            kept.append(letter)
        elif not unicodedata.combining(letter):
            kept.append("-")
    words = [word for word in "".join(kept).split("-") if word]
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:SLUG_MAX]
        if len(longer) > SLUG_MAX:
            break
        slug = longer
    return slug
