"""`plastic install claude` and back: only our bytes come and go, whatever the file looks like."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.harness.seal import is_unchanged, sealed
from plastic.words import Broken
from plastic.work.house import share

if TYPE_CHECKING:
    from tests.world import Done, World

ROOT = Path(__file__).parents[3]
SKILLS = sorted(path.name for path in (ROOT / "skills").iterdir())
MINE = '{\n  "model": "opus", // mine\n  "hooks": {\n    "PreToolUse": [\n    ]\n  }\n}\n'


@pytest.fixture
def folder() -> Path:
    """Claude Code's own folder of this test's user."""
    path = Path(os.environ["HOME"]) / ".claude"
    path.mkdir()
    return path


def install(world: World, *argv: str, **options: Any) -> Done:
    return world.plastic("install", "claude", *argv, "--json", **options)


def uninstall(world: World, *argv: str, **options: Any) -> Done:
    return world.plastic("uninstall", "claude", *argv, "--json", **options)


def ok(done: Done) -> dict[str, Any]:
    assert done.rc == 0, done.err + done.out
    found: dict[str, Any] = done.json
    return found


def error(done: Done) -> tuple[int, str, str]:
    return done.rc, done.json["error"]["code"], done.json["error"]["reason"]


def tree(path: Path) -> dict[str, bytes]:
    return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}


def test_in_and_out_leaves_nothing_and_takes_nothing(world: World, folder: Path) -> None:
    """Case 9.8/168: a user's own hooks and skills are the user's."""
    (folder / "settings.json").write_text(MINE)
    (folder / "skills" / "theirs").mkdir(parents=True)
    (folder / "skills" / "theirs" / "SKILL.md").write_text("x")
    before = tree(folder)
    done = ok(install(world))
    assert (done["state"], done["skill_state"], done["changed"]) == ("installed", "installed", True)
    assert ok(install(world))["changed"] is False
    assert ok(install(world, "--check"))["state"] == "installed"
    gone = ok(uninstall(world))
    assert (gone["state"], gone["skill_state"]) == ("not installed", "not installed")
    assert tree(folder) == before
    assert ok(uninstall(world))["changed"] is False


def test_on_a_fresh_machine_every_file_goes_again(world: World) -> None:
    done = ok(install(world))
    folder = Path(os.environ["HOME"]) / ".claude"
    assert done["settings"] == str(folder / "settings.json")
    assert set(tree(folder)) == {"settings.json", *(f"skills/{name}/SKILL.md" for name in SKILLS)}
    assert ok(install(world, "--check"))["changed"] is False
    ok(uninstall(world))
    assert tree(folder) == {}
    assert list(folder.iterdir()) == []


def test_check_says_what_is_there_and_exits_1_when_it_is_not(world: World, folder: Path) -> None:
    absent = install(world, "--check")
    assert (absent.rc, absent.json["state"]) == (1, "not installed")
    assert tree(folder) == {}, "--check writes nothing"
    ok(install(world))
    text = (folder / "settings.json").read_text()
    (folder / "settings.json").write_text(text.replace(sys.executable, "/old/python"))
    other = install(world, "--check")
    assert (other.rc, other.json["state"]) == (1, "other version")
    people = world.plastic("install", "claude", "--check")
    assert people.out.endswith("next   plastic install claude --scope user\n")
    assert world.run("sh", "-c", "true").rc == 0
    ok(install(world))
    assert (folder / "settings.json").read_text() == text, "repaired in its place"
    assert uninstall(world, "--check").rc == 1


def test_strict_is_seen_and_given_up_by_installing_without(world: World, folder: Path) -> None:
    ok(install(world, "--strict"))
    assert '"onFailure": "block"' in (folder / "settings.json").read_text()
    assert ok(install(world, "--check"))["strict"] is True
    ok(install(world))
    assert install(world, "--check", "--strict").rc == 1
    assert "onFailure" not in (folder / "settings.json").read_text()


def test_the_installed_command_runs_as_a_harness_runs_it(world: World, folder: Path) -> None:
    ok(install(world))
    hooks = json.loads((folder / "settings.json").read_text())["hooks"]
    line = hooks["PreToolUse"][0]["hooks"][0]["command"]
    payload = {"session_id": "s", "cwd": "/", "hook_event_name": "PreToolUse", "tool_name": "Read"}
    done = world.run(
        "sh", "-c", line, stdin=json.dumps({**payload, "tool_input": {}}).encode(), cwd="/"
    )
    assert (done.rc, done.out, done.err) == (0, "", "")


def test_the_other_place_of_the_settings(world: World) -> None:
    other = world.root / "cfg dir"
    done = ok(install(world, env={"CLAUDE_CONFIG_DIR": str(other)}))
    assert done["settings"] == str(other / "settings.json")
    assert not (Path(os.environ["HOME"]) / ".claude").exists()


def test_the_scope_of_one_repository(world: World) -> None:
    world.make_repo()
    (world.repo / "src").mkdir()
    done = ok(install(world, "--scope", "project", cwd=world.repo / "src"))
    assert done["settings"] == str(world.repo / ".claude" / "settings.json")
    ok(uninstall(world, "--scope", "project", cwd=world.repo))
    assert world.git("status", "--porcelain") == ""
    outside = install(world, "--scope", "project", cwd=world.root)
    assert error(outside)[:2] == (1, "no-repository")


def test_a_link_to_the_settings_stays_a_link(world: World, folder: Path) -> None:
    dotfiles = world.root / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_text(MINE)
    (folder / "settings.json").symlink_to(dotfiles / "claude.json")
    ok(install(world))
    assert (folder / "settings.json").is_symlink()
    assert "hooks/gate" in (dotfiles / "claude.json").read_text()
    ok(uninstall(world))
    assert (dotfiles / "claude.json").read_text() == MINE


def test_a_dangling_link_gets_its_file(world: World, folder: Path) -> None:
    (folder / "settings.json").symlink_to(world.root / "not-yet.json")
    ok(install(world))
    assert "hooks/gate" in (world.root / "not-yet.json").read_text()
    ok(uninstall(world))
    assert not (world.root / "not-yet.json").exists()


# content, what the one line says
UNREADABLE = [
    (b'{\n  "model": "op', "settings.json:2: unterminated string"),
    (b'{\n  "hooks": {\n', "settings.json:3: the file ends before the '}' of line 2"),
    (b'{\n  "hooks": []\n}', "settings.json:2: `hooks` must be an object"),
    (b"\xff\xfe{\x00}\x00", "is not UTF-8 text"),
]


@pytest.mark.parametrize(("data", "words"), UNREADABLE)
@pytest.mark.parametrize("verb", [install, uninstall])
def test_a_half_written_file_is_refused_with_its_line(
    world: World, folder: Path, data: bytes, words: str, verb: Any
) -> None:
    (folder / "settings.json").write_bytes(data)
    done = verb(world)
    assert error(done)[:2] == (1, "settings")
    assert words in error(done)[2]
    assert tree(folder) == {"settings.json": data}
    seen = world.run("sh", "-c", done.json["error"]["run"], env={"EDITOR": "echo"})
    assert str(folder / "settings.json") in seen.out


def test_a_read_only_file_is_refused_with_the_command_that_helps(
    world: World, folder: Path
) -> None:
    path = folder / "settings.json"
    path.write_text(MINE)
    path.chmod(0o444)
    done = install(world)
    assert error(done)[:2] == (1, "read-only")
    assert path.read_text() == MINE
    assert done.json["error"]["run"].startswith(f"chmod u+w {path} && plastic install claude")


def test_what_is_no_file_is_refused(world: World, folder: Path) -> None:
    os.mkfifo(folder / "settings.json")
    assert error(install(world))[:2] == (5, "settings")


def test_modes_are_kept(world: World, folder: Path) -> None:
    path = folder / "settings.json"
    path.write_text("{}")
    path.chmod(0o600)
    ok(install(world))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_skill_that_somebody_changed_is_kept(world: World, folder: Path) -> None:
    path = folder / "skills" / "plastic-intent-starting" / "SKILL.md"
    ok(install(world))
    text = path.read_text()
    path.write_text(text.replace("guided", "careful"))
    assert ok(install(world))["skill_state"] == "changed by somebody"
    assert ok(uninstall(world))["skill_state"] == "changed by somebody"
    assert "careful" in path.read_text()


def test_a_skill_of_an_older_version_is_renewed(world: World, folder: Path) -> None:
    path = folder / "skills" / "plastic-intent-starting" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(sealed("older words\n"))
    assert ok(install(world))["skill_state"] == "installed"
    assert "older words" not in path.read_text()


def test_the_seal_knows_every_changed_byte() -> None:
    text = sealed("a\nb\n")
    assert is_unchanged(text)
    for broken in (text + "\n", text[1:], text.replace("b", "c"), "a\nb\n", ""):
        assert not is_unchanged(broken)
    assert is_unchanged(sealed("no final newline"))


def test_unknown_words_name_the_right_ones(world: World) -> None:
    assert error(world.plastic("install", "emacs", "--json"))[:2] == (2, "harness")
    assert error(install(world, "--scope", "galaxy"))[:2] == (2, "scope")


def test_an_installation_without_hooks_says_so(tmp_path: Path) -> None:
    with pytest.raises(Broken) as caught:
        share.folder(str(tmp_path / "plastic"))
    assert caught.value.code == "no-hooks"
    (tmp_path / "plastic" / "_share" / "hooks").mkdir(parents=True)
    (tmp_path / "plastic" / "_share" / "hooks" / "gate").write_text("")
    assert share.folder(str(tmp_path / "plastic")) == str(tmp_path / "plastic" / "_share")


def test_a_hook_that_does_not_run_is_not_installed(world: World, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "plastic", copy / "plastic")
    shutil.copytree(ROOT / "hooks", copy / "hooks")
    shutil.copytree(ROOT / "skills", copy / "skills")
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"

    def run() -> Done:
        return world.run(
            sys.executable,
            "-c",
            f"import sys; sys.path.insert(0, {str(copy)!r}); {code}",
            "install",
            "claude",
            "--json",
        )

    (copy / "hooks" / "gate").chmod(0o644)
    assert error(run())[:2] == (5, "gate")
    (copy / "hooks" / "gate").write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    (copy / "hooks" / "gate").chmod(0o755)
    done = run()
    assert error(done)[:2] == (5, "canary")
    assert "exit 3): broken" in error(done)[2]
    assert not (Path(os.environ["HOME"]) / ".claude" / "settings.json").exists()


def test_people_are_told_when_no_shell_finds_plastic(world: World) -> None:
    bare = world.plastic("install", "claude", env={"PATH": "/usr/bin:/bin"})
    assert "agents will not find `plastic`" in bare.out
    line = bare.out.rstrip().rpartition("next   ")[2]
    assert line == f"export PATH={Path(sys.executable).parent}:$PATH"
    (world.root / "bin").mkdir()
    (world.root / "bin" / "plastic").write_text("#!/bin/sh\n")
    (world.root / "bin" / "plastic").chmod(0o755)
    found = world.plastic("install", "claude", env={"PATH": f"{world.root}/bin:/usr/bin:/bin"})
    assert "agents" not in found.out
