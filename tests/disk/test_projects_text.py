"""Inserting a project keeps every foreign byte of projects.yml."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk.projects import parse
from plastic.disk.projects_text import Entry, insert

ENTRY: Entry = {"path": "~/src/new", "backlog": {"mirror": "files", "base_branch": "main"}}
BLOCK = "  new:\n    path: ~/src/new\n    backlog: {mirror: files, base_branch: main}\n"
FLOW = "new: {path: ~/src/new, backlog: {mirror: files, base_branch: main}}"

# name, text before, text after
TABLE = [
    ("null", "version: 1\nprojects:\n", f"version: 1\nprojects:\n{BLOCK}"),
    ("no final newline", "version: 1\nprojects:", f"version: 1\nprojects:\n{BLOCK}"),
    ("written null", "projects: null # none\n", f"projects: # none\n{BLOCK}"),
    ("empty flow", "projects: {}\nversion: 1\n", f"projects:\n{BLOCK}version: 1\n"),
    ("no key", "version: 1\n", f"version: 1\nprojects:\n{BLOCK}"),
    ("no key, no newline", "version: 1", f"version: 1\nprojects:\n{BLOCK}"),
    (
        "behind the last, its own comment kept with it",
        "projects:\n  a:\n    path: /a  # here\n    # of a\n# end\nversion: 1\n",
        f"projects:\n  a:\n    path: /a  # here\n    # of a\n{BLOCK}# end\nversion: 1\n",
    ),
    (
        "the file's own indentation",
        "projects:\n    a:\n        path: /a\n\n\n",
        "projects:\n    a:\n        path: /a\n"
        + BLOCK.replace("  new", "    new")
        .replace("    path", "      path")
        .replace("    b", "      b")
        + "\n\n",
    ),
    (
        "flow",
        "projects: {a: {path: /a}, # one\n}\n",
        f"projects: {{a: {{path: /a}}, {FLOW}, # one\n}}\n",
    ),
    (
        "all flow",
        '{"version": 1, "projects": {}}\n',
        f'{{"version": 1, "projects": {{{FLOW}}}}}\n',
    ),
    (
        "last value is a list",
        "projects:\n  a:\n    path: /a\n    verify:\n    - pytest\n    - ruff\n",
        f"projects:\n  a:\n    path: /a\n    verify:\n    - pytest\n    - ruff\n{BLOCK}",
    ),
    (
        "last value is a literal block",
        "projects:\n  a:\n    path: /a\n    verify:\n    - |\n      one\n      two\n\n# end\n",
        "projects:\n  a:\n    path: /a\n    verify:\n    - |\n      one\n      two\n"
        + BLOCK
        + "\n# end\n",
    ),
    (
        "last key has no value",
        "projects:\n  a:\n    path: /a\n    base:\n",
        f"projects:\n  a:\n    path: /a\n    base:\n{BLOCK}",
    ),
    (
        "Windows line ends",
        "version: 1\r\nprojects:\r\n  a:\r\n    path: /a\r\n",
        "version: 1\r\nprojects:\r\n  a:\r\n    path: /a\r\n" + BLOCK.replace("\n", "\r\n"),
    ),
    ("BOM", "\ufeffprojects:\n", f"\ufeffprojects:\n{BLOCK}"),
    (
        "order: projects before version",
        "projects:\n  b:\n    path: /b\n  a:\n    path: /a\nversion: 1\n",
        f"projects:\n  b:\n    path: /b\n  a:\n    path: /a\n{BLOCK}version: 1\n",
    ),
    (
        "document start",
        "---\nprojects:\n  a: {path: /a}\n",
        f"---\nprojects:\n  a: {{path: /a}}\n{BLOCK}",
    ),
]


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in TABLE], ids=[r[0] for r in TABLE])
def test_every_foreign_byte_stays(before: str, after: str) -> None:
    assert insert(before, "new", ENTRY) == after


@pytest.mark.parametrize("text", ["", "\n\n", "# mine\n", "\ufeff"])
def test_a_file_without_content_gets_the_skeleton_or_the_keys(text: str) -> None:
    new = insert(text, "new", ENTRY)
    assert parse(new)["projects"] == {"new": ENTRY}
    assert "# mine" not in text or new.startswith("# mine\n")


@pytest.mark.parametrize(
    "text",
    ["version: 1\n...\n", "- a\n- b\n", "projects: [a]\n", "projects: text\n", "just text\n"],
)
def test_what_cannot_be_placed_is_refused_not_guessed(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of them
        insert(text, "new", ENTRY)


NASTY = ["/with space", "/a: b", "/a #b", "~/x'y", '/q"r', "/ünï/日本", "/a\\b", "~", "/new\nline"]


@pytest.mark.parametrize("path", NASTY)
def test_any_path_is_read_back_as_it_is(path: str) -> None:
    new = insert("projects:\n  a:\n    path: /a\n", "new", {"path": path})
    assert parse(new)["projects"]["new"]["path"] == path


_comment = st.sampled_from(["", "# c\n", "\n", "  # deep\n", "      # deeper\n"])
_value = st.sampled_from(["/a", '"/a b"', "'/x'", "/a # note", "{a: b}", "[x, y]", ""])


@given(
    st.lists(st.tuples(_comment, _value), min_size=0, max_size=4),
    _comment,
    st.booleans(),
    st.integers(1, 4),
)
def test_only_insertion_never_change(
    projects: list[tuple[str, str]], tail: str, crlf: bool, indent: int
) -> None:
    pad = " " * indent
    text = "version: 1\nprojects:\n"
    for number, (comment, value) in enumerate(projects):
        text += f"{comment}{pad}p{number}:\n{pad}  path: {value}\n"
    text += tail
    if crlf:
        text = text.replace("\n", "\r\n")
    new = insert(text, "new", ENTRY)
    assert list(parse(new)["projects"]) == [f"p{n}" for n in range(len(projects))] + ["new"]
    rest = iter(new)
    assert all(letter in rest for letter in text), "a byte of the file is gone or moved"
