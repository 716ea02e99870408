"""The texts that an intent is born with."""

from __future__ import annotations

import json
import string
from typing import TYPE_CHECKING

from plastic.rules.intent.artifacts import PLACEHOLDER
from plastic.rules.intent.links import projection

if TYPE_CHECKING:
    from collections.abc import Sequence

# Born as placeholders: their names show what will come, their content that it has not.
PLACEHOLDERS = ("spec.md", "plan.md", "checklist.md", "outcome.md")
FOLDERS = ("actions", "resources")
KEEP = ".gitkeep"
PUNCTUATION = frozenset(string.punctuation)


def placeholder() -> str:
    """A document whose stage has not been reached."""
    return PLACEHOLDER + "\n"


def quoted(text: str) -> str:
    """A string as a double-quoted YAML scalar; titles hold no control characters."""
    return json.dumps(text, ensure_ascii=False)


def _references(ids: Sequence[str]) -> str:
    return "[" + ", ".join(quoted(one) for one in ids) + "]"


def prose(title: str) -> str:
    """A title as a paragraph: its first character must not start a heading, fence or list."""
    first = title[:1]
    return (
        f"\\{title}" if first.isascii() and not first.isalnum() and first.isprintable() else title
    )


def intent_file(
    *,
    id: str,
    title: str,
    created: str,
    author: str,
    sources: Sequence[str] = (),
    chain: Sequence[str] = (),
    item: str | None = None,
) -> str:
    """A complete intent file; `item` is the backlog item that it delivers."""
    links = projection({"sources": list(sources), "chain": list(chain)})
    bound = f"\nitem: {quoted(item)}" if item else ""
    return f"""---
id: {quoted(id)}
intent: {quoted(title)}
sources: {_references(sources)}
chain: {_references(chain)}
created: {quoted(created)}
author: {quoted(author)}
tags: []{bound}
---

# {prose(title)}

## Intent

{prose(title)}

## Context

<!-- What is known, and why now. `### Decisions` may stand here. -->

## Outcome

<!-- What will be true when this is done. -->

## Insights

<!-- What was learned on the way. -->

## Links

{links}
"""
