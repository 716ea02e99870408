"""What the package may be: pure, quick to load, and printed as it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from plastic.rules.shell import about
from plastic.rules.shell.builtins import BUILTINS
from plastic.rules.shell.gitmodes import GIT_MODES
from plastic.rules.shell.modes import MODES
from plastic.rules.shell.roles import ROLES
from plastic.rules.shell.rows_files import FILES
from plastic.rules.shell.rows_git import VERBS
from plastic.rules.shell.rows_start import STARTS
from plastic.rules.shell.rows_tools import TOOLS
from plastic.rules.shell.special import SPECIAL

FOLDER = Path(about.__file__).parent
MODULES = sorted(path for path in FOLDER.glob("*.py") if path.name != "__init__.py")


def imported(path: Path) -> list[str]:
    """What a module imports when it runs, without what is only for types."""
    tree = ast.parse(path.read_text())
    typed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if id(node) not in typed and isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        elif id(node) not in typed and isinstance(node, ast.ImportFrom):
            found.append(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_imports_only_this_package(path: Path) -> None:
    """A hook loads them: anything else costs more than the analysis."""
    allowed = ("__future__", "plastic.rules.shell", "plastic.applypatch")
    assert [one for one in imported(path) if not one.startswith(allowed)] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small(path: Path) -> None:
    assert path.read_text().count("\n") <= 250


@pytest.mark.parametrize("table", [MODES, GIT_MODES, ROLES, BUILTINS, SPECIAL], ids=range(5))
def test_every_function_of_a_table_says_what_it_means(table: dict[str, object]) -> None:
    assert [name for name, judge in table.items() if not about.meaning(judge)] == []


def test_every_row_is_printed() -> None:
    page = "".join("|".join(row) for row in about.commands())
    assert [name for name in (*FILES, *STARTS, *TOOLS) if f"`{name}`" not in page] == []
    page = "".join("|".join(row) for row in about.verbs())
    assert [name for name in VERBS if f"`{name}`" not in page] == []
    page = "".join("|".join(row) for row in about.special())
    assert [name for name in SPECIAL if f"`{name}`" not in page] == []


def test_a_printed_row_says_what_its_options_do() -> None:
    (row,) = [row for row in about.commands() if row[0] == "`sort`" or "`sort`" in row[0]]
    assert row[1] == "operands are read"
    assert "`-o`, `--output` is written" in row[2]
    assert all("|" not in cell.replace("\\|", "") for row in about.commands() for cell in row)
