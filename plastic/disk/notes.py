"""Markdown with front matter, read as YAML says: the only importer of python-frontmatter."""

from __future__ import annotations

from typing import Any

from plastic.words import Refused


def parse(text: str, name: str = "the text") -> tuple[dict[str, Any], str]:
    """Front matter and body of a Markdown text; Refused when the front matter is no YAML map."""
    import frontmatter

    try:
        front, body = frontmatter.parse(text)
    except Exception as error:  # YAML's errors: their classes belong to another door
        first = str(error).partition("\n")[0]
        raise Refused("front-matter", f"the front matter of {name} is no YAML: {first}") from None
    return dict(front), str(body)


def disposition(text: str) -> str | None:
    """`delivered` or `abandoned` as an outcome's front matter says; None for anything else."""
    try:
        said = parse(text)[0].get("disposition")
    except Refused:
        return None
    return said if said in ("delivered", "abandoned") else None
