"""The architecture, proven: who may import whom, one door for each outside thing, house numbers."""

from __future__ import annotations

import ast
import functools
import os
import statistics
from pathlib import Path
from typing import NamedTuple

import pytest

from plastic.disk import files
from tests.writes import writes

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "plastic"

# Folder or file of the package -> floor. A file imports from its own folder and from lower floors.
FLOORS = {
    "words": 0,
    "quickjson": 0,
    "applypatch": 0,
    "rules": 1,
    "harness": 1,
    "disk": 2,
    "store": 2,
    "work": 3,
    "hook": 4,
    "cli": 4,
    "board": 4,
}
# Same floor and yet strangers: what they share belongs below them.
STRANGERS = {("rules", "harness"), ("disk", "store"), ("hook", "board"), ("cli", "board")}
# A door that starts another door: `plastic hook` is the hook, `plastic board` the board.
DOORS = {("cli", "hook"), ("cli", "board")}

# Outside thing -> the only files that may import it.
ONE_DOOR = {
    "typer": ("cli/",),
    "rich": ("cli/", "board/"),
    "filelock": ("disk/locks.py",),
    "git": ("disk/git.py",),
    "yaml": ("disk/projects.py",),
    "tomlkit": ("harness/codex_toml.py",),
    "frontmatter": ("disk/notes.py",),
    "psycopg": ("store/postgres.py",),
    "sqlite3": ("store/",),
    "subprocess": ("disk/process.py",),
}
# The doors for writes: what a hook may do as well, and what only commands do.
WRITE_DOORS = ("disk/files.py", "disk/tree.py")
# (file, function, call) -> why it is no write of a file.
NO_FILE = {
    ("hook.py", "_write", "posix.write"): "the answer on stdout and stderr",
    ("disk/shfmt.py", "_feed", "posix.write"): "the pipe to the parser",
    ("cli/backlog/edges.py", "unlink", ".unlink"): "an edge of the backlog",
    **{
        ("disk/effects.py", "", f"os.O_{name}"): "a flag that is looked for"
        for name in ("WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND")
    },
}

LONGEST_FILE = 350
MEDIAN_FILE = 100
LONGEST_FUNCTION = 60
LONG_FUNCTION = 40
SHARE_OF_SHORT_FUNCTIONS = 0.95


class Module(NamedTuple):
    """One parsed file of the package."""

    path: str  # relative to the package, with slashes
    tree: ast.Module
    lines: int

    @property
    def folder(self) -> str:
        return self.path.split("/")[0].removesuffix(".py")

    @property
    def name(self) -> str:
        dotted = "plastic." + self.path.removesuffix(".py").replace("/", ".")
        return dotted.removesuffix(".__init__")


PATHS = [
    path
    for path in sorted(one.relative_to(PACKAGE).as_posix() for one in PACKAGE.rglob("*.py"))
    if not path.startswith("_share/")
]


@functools.cache
def parsed(path: str) -> Module:
    """Only where a test asks for it: each process of a run collects every test."""
    text = (PACKAGE / path).read_text()
    return Module(path, ast.parse(text), text.count("\n"))


def modules() -> list[Module]:
    return [parsed(path) for path in PATHS]


def documented() -> list[Module]:
    return [module for module in modules() if not module.path.endswith("__init__.py")]


def imports(tree: ast.AST) -> list[str]:
    """Every module that is imported anywhere in the file, lazily or for types as well."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the floor"
            found.append(node.module or "")
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def own(name: str) -> str | None:
    parts = name.split(".")
    return parts[1] if parts[0] == "plastic" and len(parts) > 1 and parts[1] in FLOORS else None


def broken_floors(module: Module) -> list[str]:
    wrong = []
    here = module.folder
    for name in imports(module.tree):
        there = own(name)
        if there is None or there == here or (here, there) in DOORS:
            continue
        if FLOORS[there] >= FLOORS[here] or {(here, there), (there, here)} & STRANGERS:
            wrong.append(f"{module.path} imports {name}")
    return wrong


def test_a_folder_is_nothing_but_a_name() -> None:
    """Every hook passes through some of them, and nothing looks for code there."""
    folders = [module for module in modules() if module.path.endswith("__init__.py")]
    assert [one.path for one in folders if one.lines] == []


@pytest.mark.parametrize("path", PATHS)
def test_imports_go_down(path: str) -> None:
    module = parsed(path)
    assert module.folder in FLOORS or module.path == "__init__.py"
    assert broken_floors(module) == []


def test_a_climbing_import_is_seen() -> None:
    climbing = Module("rules/x.py", ast.parse("def f():\n  from plastic.disk.files import read"), 2)
    assert broken_floors(climbing) != []
    strange = Module("harness/x.py", ast.parse("import plastic.rules.intent.names"), 1)
    assert broken_floors(strange) != []


def test_no_import_cycles() -> None:
    graph: dict[str, set[str]] = {}
    known = {module.name for module in modules()}
    for module in modules():
        graph[module.name] = {name for name in imports(module.tree) if name in known} - {
            module.name
        }
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        assert name not in path, f"import cycle: {' -> '.join([*path, name])}"
        if name in done:
            return
        path.append(name)
        for there in sorted(graph[name]):
            visit(there)
        path.pop()
        done.add(name)

    for name in sorted(graph):
        visit(name)


def test_one_door_for_each_outside_thing() -> None:
    wrong = []
    for module in modules():
        for name in imports(module.tree):
            doors = ONE_DOOR.get(name.split(".")[0])
            if doors is not None and not module.path.startswith(doors):
                wrong.append(f"{module.path} imports {name}")
    assert wrong == []


def test_only_the_doors_change_the_file_system() -> None:
    wrong, named = [], set()
    for module in modules():
        if module.path in WRITE_DOORS:
            continue
        for one in writes(module.tree):
            place = (module.path, one.where, one.what)
            if place in NO_FILE:
                named.add(place)
            else:
                wrong.append(f"{module.path}:{one.line} {one.what}, which only a door may do")
    assert wrong == []
    assert named == set(NO_FILE), "an exception that nobody needs"


def test_the_doors_are_what_is_said_of_them() -> None:
    """Both write, and what they hand out as flags opens nothing for writing."""
    for path in WRITE_DOORS:
        door = next(module for module in modules() if module.path == path)
        assert len(writes(door.tree)) > 5, path
    assert not files.NOFOLLOW & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC)


def test_rules_and_words_are_pure() -> None:
    """No clock, no files, no randomness, no processes on the two lowest floors."""
    impure = {"os", "posix", "time", "random", "socket", "pathlib", "secrets", "uuid", "datetime"}
    wrong = [
        f"{module.path} imports {name}"
        for module in modules()
        if module.folder in ("rules", "harness", "words", "quickjson", "applypatch")
        for name in imports(module.tree)
        if name.split(".")[0] in impure
    ]
    assert wrong == []


def test_words_are_imported_by_name() -> None:
    wrong = [
        module.path
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.module == "plastic"
    ]
    assert wrong == []


@pytest.mark.parametrize("path", [one for one in PATHS if not one.endswith("__init__.py")])
def test_every_module_says_what_it_is_for(path: str) -> None:
    module = parsed(path)
    text = ast.get_docstring(module.tree)
    assert text, module.path
    assert text.splitlines()[0].endswith("."), module.path


def functions(module: Module) -> list[tuple[str, int]]:
    """Name and length of every function, from its `def` line to its last line."""
    return [
        (f"{module.path}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_house_numbers() -> None:
    long_files = [
        (module.path, module.lines) for module in documented() if module.lines > LONGEST_FILE
    ]
    assert long_files == []
    assert statistics.median(module.lines for module in documented()) <= MEDIAN_FILE
    every = [one for module in modules() for one in functions(module)]
    assert [one for one in every if one[1] > LONGEST_FUNCTION] == []
    short = [one for one in every if one[1] <= LONG_FUNCTION]
    assert len(short) / len(every) >= SHARE_OF_SHORT_FUNCTIONS


def test_more_lines_of_tests_than_of_source() -> None:
    source = sum(module.lines for module in modules())
    tests = sum(path.read_text().count("\n") for path in (ROOT / "tests").rglob("*.py"))
    assert tests >= source
