"""Prints the tables of references/ from the rules: no page says what the code does not.

`python scripts/print_references.py` rewrites what stands between the markers
`<!-- table NAME -->` and `<!-- end NAME -->`; with `--check` it only says what would change.
To add a table: one function that returns Markdown, one line in TABLES, two markers in the page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plastic.rules.config_keys import KEYS, Key  # noqa: E402 - after the path of this checkout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

START = "<!-- table {} -->"
END = "<!-- end {} -->"


def rows(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in body)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _default(key: Key) -> str:
    if key.kind == "map":
        return ""
    if key.default is None:
        return "required" if key.path == "projects.*.path" else "none"
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    return f"`{key.default}`"


def _shown(key: Key) -> str:
    return "`" + key.path.replace("projects.*", "projects.SLUG") + "`"


def _kind(key: Key) -> str:
    return key.bounds if key.choices else f"{key.kind} {key.bounds}".strip()


def config(file: str) -> str:
    """The keys of one configuration file."""
    return rows(
        ("key", "value", "default", "meaning"),
        ((_shown(key), _kind(key), _default(key), key.meaning) for key in KEYS if key.file == file),
    )


# page, name of the table, what prints it
TABLES: list[tuple[str, str, Callable[[], str]]] = [
    ("references/config.md", "projects.yml", lambda: config("projects.yml")),
    ("references/config.md", "config.yml", lambda: config("config.yml")),
]


def printed(page: str, name: str, table: str) -> str:
    """The page with this table between its markers; ValueError when they are missing."""
    start, end = START.format(name), END.format(name)
    pattern = re.compile(f"({re.escape(start)}\n).*?({re.escape(end)})", re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page needs `{start}` and `{end}`, once")
    return pattern.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", page)


def pages() -> dict[Path, str]:
    """Every page as it should read."""
    out: dict[Path, str] = {}
    for file, name, table in TABLES:
        path = ROOT / file
        out[path] = printed(out.get(path) or path.read_text(encoding="utf-8"), name, table())
    return out


def main(argv: list[str]) -> int:
    """Write the pages; `--check`: exit 1 when one is behind."""
    behind = [(path, text) for path, text in pages().items() if path.read_text("utf-8") != text]
    for path, text in behind:
        print(f"{path.relative_to(ROOT)}: {'is behind' if '--check' in argv else 'printed'}")
        if "--check" not in argv:
            path.write_text(text, encoding="utf-8")
    return 1 if behind and "--check" in argv else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
