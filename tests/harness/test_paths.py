"""Paths in the input of tools that nobody described to us."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.paths import changes, is_reader, path_of

READERS = "read_file read_text_file list_directory directory_tree search_files get_file_info "
READERS += "find_symbol find_referencing_symbols get_symbols_overview list_allowed_directories "
READERS += "readFile GetDiagnostics file-info browser_view git_status git_diff tree"
WRITERS = "write_file edit_file create_directory move_file rename_symbol replace_content put "
WRITERS += "get_or_create_file safe_delete_symbol insert_after_symbol applyPatch run_tests note "
WRITERS += (
    "execute find_and_replace readWrite check_and_fix tree_refactor getThenStore view_rewrite"
)


@pytest.mark.parametrize("tool", READERS.split())
def test_tools_that_only_read(tool: str) -> None:
    assert is_reader(f"mcp__server__{tool}")


@pytest.mark.parametrize("tool", [*WRITERS.split(), ""])
def test_tools_that_may_write(tool: str) -> None:
    assert not is_reader(f"mcp__read_server__{tool}")


CASES: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("write_note", {"path": "a.md"}, [("/w/a.md", "write")]),
    ("write_note", {"path": "/a.md"}, [("/a.md", "write")]),
    ("x", {"filePath": "a"}, [("/w/a", "write")]),
    ("x", {"relative_path": "a", "project_root": "/p"}, [("/p/a", "write")]),
    ("x", {"relative_path": "a", "project_root": "p"}, [("/w/a", "write")]),
    ("x", {"repo_path": "/r", "cwd": "/r", "root": "/r"}, []),
    ("x", {"path": "https://example.invalid/a"}, []),
    ("x", {"uri": "file:///a%20b/c"}, [("/a b/c", "write")]),
    ("x", {"uri": "file://localhost/a"}, [("/a", "write")]),
    ("x", {"uri": "file:/a"}, [("/a", "write")]),
    ("x", {"uri": "FILE:///a"}, [("/a", "write")]),
    ("x", {"uri": "file:///a%zz%"}, [("/a%zz%", "write")]),
    ("x", {"path": "~/a"}, [("~/a", "write")]),
    ("x", {"path": None, "file": 3, "paths": [1, None]}, []),
    ("x", {"paths": ["a", "b"]}, [("/w/a", "write"), ("/w/b", "write")]),
    ("x", {"files": [{"path": "a"}, {"path": "b"}]}, [("/w/a", "write"), ("/w/b", "write")]),
    ("x", {"edits": {"deep": [{"file_path": "a"}]}}, [("/w/a", "write")]),
    ("move_file", {"source": "a", "destination": "b"}, [("/w/a", "remove"), ("/w/b", "write")]),
    ("rename", {"old_path": "a", "new_path": "b"}, [("/w/a", "remove"), ("/w/b", "write")]),
    ("rename_file", {"path": "d/a", "newName": "b"}, [("/w/d/a", "remove"), ("/w/d/b", "write")]),
    ("copy_file", {"source": "a", "destination": "b"}, [("/w/b", "write")]),
    ("delete_file", {"path": "a"}, [("/w/a", "remove")]),
    ("remove_all", {"paths": ["a", "b"]}, [("/w/a", "remove"), ("/w/b", "remove")]),
    ("send_mail", {"to": "bob", "from": "ana", "source": "web"}, []),
    ("send_mail", {"to": "/a"}, [("/a", "write")]),
    ("write_file", {"path": "a", "dryRun": True}, []),
    ("create_or_update_file", {"owner": "o", "repo": "r", "path": "a"}, []),
    ("create_or_update_file", {"owner": "o", "repo": "r", "path": "/a"}, [("/a", "write")]),
    ("x", {"file": "first line\nsecond"}, []),
    ("x", {"file": "/first\nsecond"}, [("/first\nsecond", "write")]),
    ("x", {"text": "/a", "command": "/b"}, []),
    # Found by playing a stranger: keys, lists and bases that opened the gate.
    (
        "x",
        {"files": {"/a": "content", "b.py": {"content": "c"}}},
        [("/a", "write"), ("/w/b.py", "write")],
    ),
    ("x", {"changes": {"file:///a": [{"newText": "x"}]}}, [("/a", "write")]),
    ("x", {"output": "/a", "location": "/b"}, [("/a", "write"), ("/b", "write")]),
    ("x", {"output": "json", "location": "Berlin", "notebook": "Work"}, []),
    ("delete_route", {"routes": {"/": {"get": 1}}}, [("/", "write")]),
    ("x", {"new_file_path": "/a"}, [("/a", "write")]),
    ("x", {"saveAs": "/a"}, [("/a", "write")]),
    ("x", {"targetDirectory": "/a"}, [("/a", "write")]),
    ("x", {"destination-file": "/a"}, [("/a", "write")]),
    ("x", {"source_file": "/a", "output_dir": "b"}, []),
    ("move_it", {"old_file": "/a", "new_file": "b"}, [("/a", "remove"), ("/w/b", "write")]),
    ("x", {"input_file": "/a", "config_path": "/b", "search_path": "/c"}, []),
    ("x", {"path": " /a"}, [("/a", "write")]),
    ("x", {"cwd": "/p", "path": "a"}, [("/p/a", "write")]),
    ("x", {"base_dir": "/p", "filename": "a"}, [("/p/a", "write")]),
    ("x", {"directory": "/p", "command": "make"}, []),
    ("create_directory", {"directory": "/p"}, [("/p", "write")]),
    ("delete_folder", {"folder": "/p"}, [("/p", "remove")]),
    ("download", {"owner": "o", "repo": "r", "path": "a", "destination": "/b"}, [("/b", "write")]),
    ("create_file", {"project_id": 7, "file_path": "a", "content": "x"}, []),
    ("x", {"paths": [f"/{n}" for n in range(600)]}, [(f"/{n}", "write") for n in range(600)]),
]


@pytest.mark.parametrize(("tool", "values", "found"), CASES)
def test_what_a_call_writes(
    tool: str, values: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    made = changes(f"mcp__server__{tool}", values, "/w/")
    assert [(one.path, one.op) for one in made] == found


def test_results_that_the_input_tells() -> None:
    (one,) = changes("mcp__fs__write_file", {"path": "/a", "content": "new"}, "/")
    assert one.content == "new"
    (one,) = changes("mcp__fs__append_file", {"path": "/a", "content": "new"}, "/")
    assert one.content is None
    edits = [{"oldText": "a", "newText": "b"}]
    (one,) = changes("mcp__fs__edit_file", {"path": "/a", "edits": edits}, "/")
    assert one.edits == [("a", "b", False)]
    (one,) = changes("mcp__fs__edit_file", {"path": "/a", "edits": [*edits, {"line": 3}]}, "/")
    assert one.edits == []


@given(st.text(), st.text())
def test_a_path_is_absolute_or_nothing(text: str, base: str) -> None:
    path = path_of(text, "/" + base)
    assert path == "" or path.startswith(("/", "~/"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "files", "source", "to", "edits", "x"]), inner)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["path", "paths", "source", "edits", "content"]), JSON))
def test_no_input_breaks_the_reading(values: dict[str, Any]) -> None:
    for tool in ("mcp__a__move_file", "mcp__a__write_file", "", "x"):
        for one in changes(tool, values, "/w"):
            assert one.path
            assert one.op in ("write", "remove")
