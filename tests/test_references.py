"""The printed pages and the example say what the tables of the rules say."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from plastic.disk.projects import load, parse
from plastic.rules.config.check import defaults
from plastic.rules.config.keys import KEYS, keys_of

ROOT = Path(__file__).parents[1]


def script() -> Any:
    spec = importlib.util.spec_from_file_location("printer", ROOT / "scripts/print_references.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PRINTER = script()


@pytest.mark.parametrize("page", sorted({file for file, _, _ in PRINTER.TABLES}))
def test_a_printed_page_is_up_to_date(page: str) -> None:
    """Run scripts/print_references.py when this fails."""
    path = ROOT / page
    assert path.read_text(encoding="utf-8") == PRINTER.pages()[path]


def test_a_page_without_its_markers_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs `<!-- table x -->`"):
        PRINTER.printed("# page\n", "x", "|")
    page = "a\n<!-- table x -->\nold\n<!-- end x -->\nb\n"
    once = PRINTER.printed(page, "x", "| new |")
    assert once == "a\n<!-- table x -->\n\n| new |\n\n<!-- end x -->\nb\n"
    assert PRINTER.printed(once, "x", "| new |") == once


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.file}:{key.path}")
def test_every_key_is_in_its_table(key: Any) -> None:
    page = (ROOT / "references/config.md").read_text()
    name = key.path.replace("*", "SLUG")
    assert re.search(rf"^\| `{re.escape(name)}` \| .* \| {re.escape(key.meaning)} \|$", page, re.M)


def paths(tree: Any, at: str = "") -> list[str]:
    if not isinstance(tree, dict):
        return []
    out = []
    for name, value in tree.items():
        here = "projects.*" if at == "projects" else f"{at}.{name}".lstrip(".")
        out += ([] if here == "projects.*" else [here]) + paths(value, here)
    return out


def example() -> tuple[str, str]:
    """The example's two files; config.yml stands in it as a comment."""
    text = (ROOT / "projects.example.yml").read_text()
    first, found, second = text.partition("# config.yml is a file of its own beside it:\n#\n")
    assert found
    return first, "".join(line.removeprefix("# ") for line in second.splitlines(keepends=True))


def test_the_example_has_every_key_and_each_has_a_comment() -> None:
    for file, text in zip(("projects.yml", "config.yml"), example(), strict=True):
        assert sorted(paths(parse(text))) == sorted(keys_of(file))
        lines = [line for line in text.splitlines() if line.strip() and line.strip()[0] != "#"]
        assert [line for line in lines if "#" not in line] == (
            ["  shop:"] if file == "projects.yml" else []
        )


def test_the_example_is_valid_and_shows_the_defaults(tmp_path: Path) -> None:
    projects, config = example()
    (tmp_path / "projects.yml").write_text(projects)
    (tmp_path / "config.yml").write_text(config)
    loaded = load(str(tmp_path / "projects.yml"))
    assert loaded.faults == []
    shop = loaded.values["projects"]["shop"]
    for name, value in defaults().items():
        if value not in (None, []) and name != "backlog":
            assert shop[name] == value, name
    assert load(str(tmp_path / "config.yml")).faults == []
    assert load(str(tmp_path / "config.yml")).values == defaults("")


def test_the_plugin_is_the_version_of_the_package() -> None:
    plugin = json.loads((ROOT / ".claude-plugin/plugin.json").read_text())
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert version is not None
    assert (plugin["name"], plugin["version"]) == ("plastic", version[1])
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    assert [entry["source"] for entry in market["plugins"]] == ["./"]
    assert [entry["name"] for entry in market["plugins"]] == [plugin["name"]]


def test_the_skill_is_named_as_its_folder_and_names_real_commands() -> None:
    text = (ROOT / "skills/plastic-intent-starting/SKILL.md").read_text()
    _, front, body = text.split("---\n", 2)
    head = parse(front)
    assert head["name"] == "plastic-intent-starting"
    assert len(head["description"]) < 1024
    verbs = set(re.findall(r"`?plastic ([a-z]+)", body))
    assert verbs == {"start", "list", "init", "backlog"}
    assert set(re.findall(r"plastic-lock ([a-z-]+)", body)) == {"reclaim", "fix", "keep"}
