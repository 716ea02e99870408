"""Our skills keep their meaning in every harness's form, and each form is what its reader reads."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from plastic.disk.session import VARIABLES
from plastic.harness.commandtext import ARGUMENTS, FORMS, UNTOLD, rendered, split
from plastic.harness.places import PLACES
from plastic.harness.seal import is_unchanged, sealed
from plastic.harness.table import HARNESSES
from plastic.rules import briefing

FOLDER = Path(__file__).parents[2] / "skills"
SKILLS = sorted(path.name for path in FOLDER.iterdir())
every = pytest.mark.parametrize("name", SKILLS)


def source(name: str) -> str:
    return (FOLDER / name / "SKILL.md").read_text()


def made(form: str, name: str) -> str:
    kind = FORMS[form].kind
    text = sealed(rendered(form, "codex", source(name)), kind)
    assert is_unchanged(text, kind)
    assert not is_unchanged(text + "\n", kind)
    return text


@every
def test_claude_code_has_the_file_itself(name: str) -> None:
    assert rendered("skill", "claude", source(name)) == source(name)


@every
@pytest.mark.parametrize("form", ["bare", "prompt"])
def test_the_front_matter_is_what_every_reader_takes(form: str, name: str) -> None:
    front, body = split(made(form, name))
    known = split(source(name))[0]
    assert json.loads(front["description"]) == known["description"]
    assert set(front) == {"name", "description"} if form == "bare" else {"description"}
    assert (ARGUMENTS in body) == (form == "prompt")


def test_each_harness_reads_how_its_session_is_known() -> None:
    """A model that passes none where its shell has none acts as somebody else."""
    assert tuple(briefing.UNTOLD) == UNTOLD
    for harness, place in PLACES.items():
        text = rendered(place.form, harness, source("plastic-intent-starting"))
        known = [name for name in VARIABLES if name in text]
        if harness in UNTOLD:
            assert known == []
            assert "pass `--session` with every command" in text
        else:
            assert known == [HARNESSES[harness].variables[0]]
            assert "never pass `--session`" in text


@every
def test_gemini_reads_toml(name: str) -> None:
    text = made("toml", name)
    found = tomllib.loads(text)
    front, body = split(source(name))
    assert found["description"] == front["description"]
    expected = (
        body.replace(ARGUMENTS, "{{args}}")
        .replace("--harness claude", "--harness codex")
        .replace("CLAUDE_CODE_SESSION_ID", "CODEX_SESSION_ID")
    )
    assert found["prompt"] == expected


def test_any_text_survives_toml() -> None:
    text = '---\nname: n\ndescription: a "b" \\ c\n---\n\n"""\\d {{x}}\n""""\n'
    found = tomllib.loads(rendered("toml", "gemini", text))
    assert found == {"description": 'a "b" \\ c', "prompt": '"""\\d {{x}}\n""""\n'}


@every
def test_a_page_is_text_alone(name: str) -> None:
    text = made("page", name)
    assert text.startswith("# ")
    assert ARGUMENTS not in text


@every
def test_nothing_in_it_is_run_or_read_by_a_reader(name: str) -> None:
    """`!`…``, `!{…}` and `@file` are commands and files in some of the forms."""
    body = split(source(name))[1]
    for sign in ("!`", "!{", "@{", " @", "$1", "$@", "{{"):
        assert sign not in body


def test_each_harness_has_a_form() -> None:
    assert {place.form for place in PLACES.values()} == set(FORMS)
