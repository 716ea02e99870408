"""Every skill is installed and taken away exactly; what a person changed stays the person's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plastic.harness.entry import ABSENT, CHANGED, INSTALLED, OTHER
from plastic.harness.places import PLACES
from plastic.work.house import skills
from plastic.work.house.skills import Skill
from plastic.work.house.target import Target, target

ROOT = Path(__file__).parents[3]
NAMES = sorted(path.name for path in (ROOT / "skills").iterdir())


@pytest.fixture(params=PLACES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    """The user's place of each harness."""
    folder = str(tmp_path / "harness")
    found = target(request.param, "user", {}, str(tmp_path))
    return found._replace(folder=folder, commands=f"{folder}/commands")


def named(where: Target, name: str) -> Skill:
    return next(one for one in skills.skills(where) if one.name == name)


def test_all_of_them(where: Target) -> None:
    assert [one.name for one in skills.skills(where)] == NAMES
    assert skills.FIRST in NAMES
    assert skills.install(where) == INSTALLED
    for name in NAMES:
        text = Path(named(where, name).path).read_text()
        source = (ROOT / "skills" / name / "SKILL.md").read_text()
        if where.harness == "claude":
            assert text.startswith(source)
        else:
            assert "--harness claude" not in text
            assert ("--harness" in source) == (f"--harness {where.harness}" in text)


def test_there_and_back_leaves_nothing(where: Target) -> None:
    Path(where.folder).mkdir()
    skills.install(where)
    assert skills.uninstall(where) == ABSENT
    assert list(Path(where.folder).iterdir()) == []


def test_one_that_is_missing_is_added(where: Target) -> None:
    skills.install(where)
    Path(named(where, NAMES[-1]).path).unlink()
    assert skills.state(where) == OTHER
    assert skills.install(where) == INSTALLED


def test_one_that_somebody_changed_stays(where: Target) -> None:
    skills.install(where)
    path = Path(named(where, NAMES[0]).path)
    path.write_text(path.read_text() + "mine\n")
    assert skills.install(where) == CHANGED
    assert skills.uninstall(where) == CHANGED
    assert path.read_text().endswith("mine\n")
    left = [one for one in Path(where.commands).rglob("*") if one.is_file()]
    assert left == [path]


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_is_for(name: str) -> None:
    text = (ROOT / "skills" / name / "SKILL.md").read_text()
    front = text.split("---\n")[1]
    assert re.search(rf"^name: {name}$", front, re.MULTILINE)
    assert re.search(r"^description: .{80,400}$", front, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_its_commands_are_commands(name: str) -> None:
    """No skill sends an agent to a verb that there is not."""
    from plastic.cli.lock.group import app as lock_app
    from plastic.cli.main import app

    def verbs(command: str) -> set[str]:
        made = app() if command == "plastic" else lock_app()
        found = {
            one.name or one.callback.__name__.strip("_").replace("_", "-")
            for one in made.registered_commands
            if one.callback is not None
        }
        return found | {str(group.name) for group in made.registered_groups}

    text = (ROOT / "skills" / name / "SKILL.md").read_text()
    used = re.findall(r"(?:`|^    |\n    )(plastic(?:-lock)?) ([a-z-]+)", text)
    assert used
    assert [f"{one} {verb}" for one, verb in used if verb not in verbs(one)] == []
