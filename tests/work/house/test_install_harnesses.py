"""Each of seven harnesses: installed, checked, mended and taken out without a trace."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.harness.jsontext import read
from plastic.harness.places import PLACES
from plastic.work.house import share
from plastic.work.house.target import SETTINGS, Target, target

if TYPE_CHECKING:
    from tests.world import Done, World

ROOT = Path(__file__).parents[3]
SKILLS = sorted(path.name for path in (ROOT / "skills").iterdir())
PLUGINS = ("opencode", "pi")
WITH_JSON = [name for name in PLACES if name not in PLUGINS]
every = pytest.mark.parametrize("harness", PLACES)
every_json = pytest.mark.parametrize("harness", WITH_JSON)
every_plugin = pytest.mark.parametrize("harness", PLUGINS)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The harnesses' own variables of whoever runs the tests; and no Codex to ask."""
    for place in PLACES.values():
        for name, _ in place.variables:
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("plastic.work.house.trust.which", lambda _name: None)


def where(harness: str, scope: str = "user", cwd: str = "/") -> Target:
    return target(harness, scope, os.environ, cwd)


def settings(harness: str) -> Path:
    path = Path(where(harness).settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def call(world: World, verb: str, harness: str, *argv: str, **options: Any) -> Done:
    return world.plastic(verb, harness, *argv, "--json", **options)


def ok(done: Done) -> dict[str, Any]:
    assert done.rc == 0, done.err + done.out
    found: dict[str, Any] = done.json
    return found


def error(done: Done) -> tuple[int, str, str]:
    return done.rc, done.json["error"]["code"], done.json["error"]["reason"]


def tree(path: Path) -> dict[str, bytes]:
    return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}


def user() -> Path:
    return Path(os.environ["HOME"])


@every
def test_on_a_fresh_machine_every_file_comes_and_goes(world: World, harness: str) -> None:
    before = tree(user())
    done = ok(call(world, "install", harness))
    assert (done["state"], done["skill_state"], done["changed"]) == ("installed", "installed", True)
    assert done["skills"] == dict.fromkeys(SKILLS, "installed")
    assert ok(call(world, "install", harness, "--check"))["changed"] is False
    written = tree(user())
    assert ok(call(world, "install", harness))["changed"] is False
    assert tree(user()) == written, "twice is once"
    assert len(written) == len(before) + 1 + len(SKILLS)
    gone = ok(call(world, "uninstall", harness))
    assert (gone["state"], gone["skill_state"]) == ("not installed", "not installed")
    assert tree(user()) == before
    assert list(Path(where(harness).folder).iterdir()) == []
    assert ok(call(world, "uninstall", harness))["changed"] is False


@every
def test_in_a_repository_nothing_is_left_behind(world: World, harness: str) -> None:
    world.make_repo()
    done = ok(call(world, "install", harness, "--scope", "project", cwd=world.repo))
    assert done["settings"].startswith(f"{world.repo}/{PLACES[harness].project}/")
    assert all(
        one.is_relative_to(world.repo) for one in map(Path, (done["settings"], done["skill"]))
    )
    assert tree(user()) == {}
    ok(call(world, "uninstall", harness, "--scope", "project", cwd=world.repo))
    assert [one.name for one in world.repo.iterdir()] == [".git"] or (
        world.git("status", "--porcelain", "--ignored") == ""
    )


@every
def test_its_own_variables_name_the_place(
    world: World, harness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rest in PLACES[harness].variables:
        with monkeypatch.context() as patch:
            patch.setenv(name, str(world.root / "own place"))
            done = ok(call(world, "install", harness))
            assert done["settings"].startswith(f"{world.root}/own place{rest}/")
            patch.setenv(name, "  ")
            assert where(harness).folder == os.path.expanduser(PLACES[harness].user)


@every
def test_a_moved_checkout_is_mended(world: World, harness: str) -> None:
    ok(call(world, "install", harness))
    path = settings(harness)
    text = path.read_text()
    form = SETTINGS[harness]
    old = form.installed(None, form.command("/old/python", "/old/hooks/gate"), strict=True)
    path.write_text(old)
    seen = call(world, "install", harness, "--check")
    assert (seen.rc, seen.json["state"]) == (1, "other version")
    assert ok(call(world, "install", harness))["changed"] is True
    assert path.read_text() == text
    path.write_text(old)
    ok(call(world, "uninstall", harness))
    assert not path.exists(), "known wherever it lay"


@every
def test_strict_is_seen_and_said(world: World, harness: str) -> None:
    done = ok(call(world, "install", harness, "--strict"))
    assert f"strict: {SETTINGS[harness].STRICT}" in done["notes"]
    assert ok(call(world, "install", harness, "--check"))["strict"] is True
    assert ok(call(world, "install", harness))["changed"] is True
    assert call(world, "install", harness, "--check", "--strict").rc == 1
    people = world.plastic("install", harness, "--strict")
    assert f"note   strict: {SETTINGS[harness].STRICT}" in people.out


def pre_line(harness: str, *, strict: bool) -> str:
    """What the harness starts before a tool."""
    at = where(harness)
    if harness in PLUGINS:
        return at.line
    form = at.form.FORM
    event = next(name for name in form.events if "tool" in name.lower())
    handler = form.handler(event, at.line, strict)
    return str(handler[form.key])


@every
@pytest.mark.parametrize("strict", [False, True])
def test_the_installed_line_runs_as_a_harness_runs_it(
    world: World, harness: str, strict: bool
) -> None:
    done = world.run("sh", "-c", pre_line(harness, strict=strict), stdin=b"{}", cwd="/")
    assert (done.rc, done.out, done.err) == (0, "", "")


@every
def test_a_package_that_is_gone_lets_every_tool_pass(
    world: World, harness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks, case 11.5/41: an entry outlives what it starts."""
    copy = world.root / "it's gone"
    shutil.copytree(ROOT / "hooks", copy / "hooks")
    monkeypatch.setattr(share, "folder", lambda: str(copy))
    event = b'{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {}}'
    line = pre_line(harness, strict=False)
    done = world.run("sh", "-c", line, stdin=event)
    assert (done.rc, done.out, done.err) == (0, "", "")
    strict = pre_line(harness, strict=True)
    if harness not in PLUGINS:
        refused = world.run("sh", "-c", strict, stdin=event)
        assert (refused.rc, refused.out) == (2, "")
        assert "plastic" in refused.err
    shutil.rmtree(copy)
    done = world.run("sh", "-c", line, stdin=event)
    assert done.out == ""
    # 127 is "the hook failed": the tool runs, but where that refuses, whose line looks first.
    assert done.rc == (0 if harness in ("copilot", "gemini") else 127)
    if harness in ("codex", "gemini"):
        assert world.run("sh", "-c", strict, stdin=event).rc == 2


@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
@pytest.mark.parametrize("harness", ["codex", "gemini"])
def test_a_strict_line_refuses_whatever_ends_the_gate(
    world: World, harness: str, shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Codex and Gemini CLI have no switch for it, so the line does it."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    gate = world.root / "hooks" / "gate"
    gate.parent.mkdir()
    monkeypatch.setattr(share, "folder", lambda: str(world.root))
    strict = pre_line(harness, strict=True)
    for body, rc in (("exit 0", 0), ("exit 2", 2), ("exit 1", 2), ("kill -9 $$", 2)):
        gate.write_text(f"#!/bin/sh\necho said\n{body}\n")
        gate.chmod(0o755)
        done = world.run(shell, "-c", strict, stdin=b"{}")
        assert (done.rc, done.out) == (rc, "said\n")
        assert ("strict" in done.err) == (body not in ("exit 0", "exit 2"))


def test_a_link_to_the_settings_stays_a_link(world: World) -> None:
    for harness in WITH_JSON:
        file = world.root / f"{harness}.json"
        file.write_text('{"version": 1}')
        settings(harness).symlink_to(file)
        ok(call(world, "install", harness))
        assert settings(harness).is_symlink()
        assert "hooks/gate" in file.read_text()
        ok(call(world, "uninstall", harness))
        assert file.read_text() == '{"version": 1}'


# What lies there, and it comes back to the byte.
FOREIGN = [
    b"",
    b"{}",
    b'\xef\xbb\xbf{\r\n\t"version": 1, // mine\r\n\t"hooks": {}\r\n}\r\n',
    b'{\n  "version": 1,\n  "hooks": {\n    "other": [\n      {"command": "a"}\n    ]\n  }\n}',
]


@every_json
def test_what_lay_there_comes_back_to_the_byte(world: World, harness: str) -> None:
    path = settings(harness)
    for data in FOREIGN:
        path.write_bytes(data)
        path.chmod(0o600)
        ok(call(world, "install", harness))
        assert path.stat().st_mode & 0o777 == 0o600
        ok(call(world, "uninstall", harness))
        assert path.read_bytes() == data


@every_json
def test_others_that_came_since_stay(world: World, harness: str) -> None:
    path = settings(harness)
    ok(call(world, "install", harness))
    value = json.loads(path.read_text())
    value["hooks"]["other"] = [{"command": "theirs"}]
    path.write_text(json.dumps(value))
    ok(call(world, "uninstall", harness))
    left = json.loads(path.read_text())
    assert left["hooks"]["other"] == [{"command": "theirs"}]
    assert "hooks/gate" not in path.read_text()


@every_json
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_half_written_file_is_refused_with_its_line(
    world: World, harness: str, verb: str
) -> None:
    path = settings(harness)
    for data in (b'{\n  "hooks": {\n', b'{\n  "model": "op', b"\xff\xfe{"):
        path.write_bytes(data)
        done = call(world, verb, harness)
        assert error(done)[:2] == (1, "settings")
        assert f"{path}:" in error(done)[2]
        assert str(path) in done.json["error"]["run"]
        assert tree(user()) == {str(path.relative_to(user())): data}


@every_plugin
def test_a_plugin_that_somebody_changed_is_left_alone(world: World, harness: str) -> None:
    ok(call(world, "install", harness))
    path = settings(harness)
    whole = path.read_text()
    for text in (whole[:80], "", whole.replace("strict: false", "strict: true"), "// mine\n"):
        path.write_text(text)
        seen = call(world, "install", harness, "--check")
        assert (seen.rc, seen.json["state"]) == (1, "changed by somebody")
        done = call(world, "install", harness)
        assert error(done)[:2] == (1, "changed")
        assert done.json["error"]["run"].startswith(f"mv {path} {path}.changed && plastic install")
        ok(call(world, "uninstall", harness))
        assert path.read_text() == text


@every
def test_read_only_is_refused_with_the_command_that_helps(world: World, harness: str) -> None:
    path = settings(harness)
    form = SETTINGS[harness]
    old = form.installed(None, form.command("/old/python", "/old/hooks/gate"), strict=False)
    path.write_text(old)
    path.chmod(0o444)
    for verb in ("install", "uninstall"):
        done = call(world, verb, harness)
        assert error(done)[:2] == (1, "read-only")
        assert path.read_text() == old
        run = f"chmod u+w {path} && plastic {verb} {harness}"
        assert done.json["error"]["run"].startswith(run)


def test_a_command_that_somebody_changed_stays(world: World) -> None:
    for harness in PLACES:
        done = ok(call(world, "install", harness))
        path = Path(done["skill"])
        path.write_text(path.read_text() + "mine\n")
        assert ok(call(world, "install", harness))["skill_state"] == "changed by somebody"
        assert ok(call(world, "uninstall", harness))["skill_state"] == "changed by somebody"
        assert path.read_text().endswith("mine\n")


def test_what_codex_cannot_read_is_said(world: World) -> None:
    settings("codex").write_text('{\n  // mine\n  "hooks": {}\n}\n')
    notes = ok(call(world, "install", "codex"))["notes"]
    assert any("reads no comments" in note and "(line 2)" in note for note in notes)
    assert any("/hooks" in note for note in notes), "trust is explained"


def test_hooks_that_gemini_has_switched_off_are_said(world: World) -> None:
    for switch in ({"enabled": False}, {"disabled": ["plastic"]}):
        settings("gemini").write_text(json.dumps({"hooksConfig": switch}))
        notes = ok(call(world, "install", "gemini"))["notes"]
        assert any("switched off by hooksConfig" in note for note in notes)


@every_plugin
def test_a_plugin_names_its_paths_as_javascript(world: World, harness: str) -> None:
    form = SETTINGS[harness]
    line = form.command('/my "py"/python', "/it's ü/hooks/gate")
    assert shlex.split(line)[1:] == ["/it's ü/hooks/gate", harness]
    text = form.installed(None, line, strict=True)
    assert 'python: "/my \\"py\\"/python"' in text
    assert f'import("file:///it%27s%20%C3%BC/hooks/{harness}.mjs")' in text
    assert "__" not in text.replace("__proto__", "")


def test_the_entry_is_the_one_of_the_design(world: World) -> None:
    for harness in PLACES:
        expected = f"PLASTIC_PYTHON='{sys.executable}' '{ROOT}/hooks/gate' {harness}"
        assert where(harness).line == expected
    ok(call(world, "install", "gemini"))
    node = read(settings("gemini").read_text())
    assert node is not None
    assert node.value["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"] == 10_000


def test_the_readme_names_each_place() -> None:
    text = (ROOT / "README.md").read_text()
    for harness, place in PLACES.items():
        typed = f"{place.typed}plastic-intent-starting"
        settings_at, commands = f"{place.user}/{place.file}", f"{place.user}/{place.commands}/"
        assert f"| `{harness}` | `{settings_at}` | `{commands}` | `{typed}` |" in text


def test_codex_hooks_in_config_toml_are_joined_there(world: World) -> None:
    """Codex warns at each start when one folder has hooks in both of its files."""
    folder = user() / ".codex"
    folder.mkdir()
    text = "# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'a'\n"
    (folder / "config.toml").write_text(text)
    done = ok(call(world, "install", "codex", "--strict"))
    assert done["settings"] == str(folder / "config.toml")
    assert not (folder / "hooks.json").exists()
    (folder / "hooks.json").write_text("{}")
    assert ok(call(world, "install", "codex", "--check"))["strict"] is True
    ok(call(world, "uninstall", "codex"))
    assert (folder / "config.toml").read_text() == text
    assert ok(call(world, "install", "codex"))["settings"] == str(folder / "hooks.json")
