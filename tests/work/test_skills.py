"""Every skill is installed and taken away exactly; what a person changed stays the person's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plastic.work import skills
from plastic.work.skills import Skill

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.name for path in (ROOT / "skills").iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "claude")


def named(folder: str, name: str) -> Skill:
    return next(one for one in skills.skills(folder) if one.name == name)


def test_all_of_them(folder: str) -> None:
    assert [one.name for one in skills.skills(folder)] == NAMES
    assert skills.FIRST in NAMES
    assert skills.install(folder) == skills.INSTALLED
    for name in NAMES:
        text = Path(folder, "skills", name, "SKILL.md").read_text()
        assert text.startswith((ROOT / "skills" / name / "SKILL.md").read_text())


def test_there_and_back_leaves_nothing(folder: str) -> None:
    Path(folder).mkdir()
    skills.install(folder)
    assert skills.uninstall(folder) == skills.ABSENT
    assert list(Path(folder).iterdir()) == []


def test_one_that_is_missing_is_added(folder: str) -> None:
    skills.install(folder)
    Path(named(folder, NAMES[-1]).path).unlink()
    assert skills.state(folder) == skills.OTHER
    assert skills.install(folder) == skills.INSTALLED


@pytest.mark.parametrize("name", NAMES)
def test_one_that_somebody_changed_stays(folder: str, name: str) -> None:
    skills.install(folder)
    path = Path(named(folder, name).path)
    path.write_text(path.read_text() + "mine\n")
    assert skills.install(folder) == skills.CHANGED
    assert skills.uninstall(folder) == skills.CHANGED
    assert path.read_text().endswith("mine\n")
    assert sorted(one.name for one in Path(folder, "skills").iterdir()) == [name]


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_is_for(name: str) -> None:
    text = (ROOT / "skills" / name / "SKILL.md").read_text()
    front = text.split("---\n")[1]
    assert re.search(rf"^name: {name}$", front, re.MULTILINE)
    assert re.search(r"^description: .{80,400}$", front, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_its_commands_are_commands(name: str) -> None:
    """No skill sends an agent to a verb that there is not."""
    from plastic.cli.lock import app as lock_app
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
