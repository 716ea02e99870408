"""The catalogue is complete in both languages, and so is what is asked of it."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import plastic
from plastic.rules.pen.runs import RUNS
from plastic.rules.pen.texts import FAULTS, LANGUAGES, REFUSALS, SAID, text

EVERY = {**REFUSALS, **SAID, **FAULTS}
NOTATION = ("value",)  # the same in every language
PACKAGE = Path(plastic.__file__).parent


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("code", EVERY)
def test_both_languages_say_the_same(code: str) -> None:
    english, french = EVERY[code]
    assert english
    assert french
    assert english != french or code in NOTATION
    assert places(english) == places(french)
    assert "\n" not in english + french


def test_no_code_is_both() -> None:
    assert not set(REFUSALS) & set(SAID)


def test_every_fault_is_said_and_none_is_dead() -> None:
    """The codes that the rules write are those of the catalogue."""
    files = [PACKAGE / f"rules/pen/{name}.py" for name in ("block", "turns", "repair")]
    files += [
        PACKAGE / name for name in ("work/pen/desk.py", "work/pen/tidy.py", "disk/penfile.py")
    ]
    nodes = (node for path in files for node in ast.walk(ast.parse(path.read_text())))
    named = {str(node.value) for node in nodes if isinstance(node, ast.Constant)}
    assert set(FAULTS) <= named


@pytest.mark.parametrize("code", REFUSALS)
def test_one_command(code: str) -> None:
    assert RUNS[code]
    assert "\n" not in RUNS[code]


def test_a_language_that_is_not_there_reads_english() -> None:
    assert LANGUAGES == ("en", "fr")
    assert text("free", "de", {}) == REFUSALS["free"][0]
    assert text("free", "fr", {}) == REFUSALS["free"][1]


def test_a_missing_fact_is_no_crash() -> None:
    assert text("awaited", "en", {}) == "it is the turn of -"


def asked() -> set[str]:
    """Every literal first argument of the functions that say something."""
    found = set()
    for path in [*PACKAGE.glob("work/pen/*.py"), *PACKAGE.glob("cli/pen/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first = node.args[0]
                if name in ("said", "refusal") and isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def test_whatever_is_said_is_in_the_catalogue() -> None:
    assert len(asked()) > 30, "the search itself works"
    assert asked() <= set(EVERY)
