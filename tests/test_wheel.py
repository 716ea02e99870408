"""A wheel carries hooks/ and skills/; `plastic install claude` works from a fresh environment."""

from __future__ import annotations

import json
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.world import World

ROOT = Path(__file__).parents[1]
CANNOT = ("Could not find a version", "No matching distribution", "Connection", "Temporary failure")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout, built in a copy so that no build folder is left behind."""
    import subprocess

    copy = tmp_path_factory.mktemp("source")
    for name in ("plastic", "hooks", "skills"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    built = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(built), str(copy)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    if done.returncode != 0 and any(words in done.stderr for words in CANNOT):
        pytest.skip(f"pip cannot get setuptools here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return next(built.glob("*.whl"))


@pytest.fixture
def venv(world: World, wheel: Path) -> Path:
    """A fresh environment with the wheel; its libraries are those of this one, by path."""
    path = world.root / "venv with space"
    assert world.run(sys.executable, "-m", "venv", "--without-pip", str(path)).rc == 0
    python = path / "bin" / "python"
    done = world.run(
        sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps",
        "--no-index", "--no-compile", str(wheel),
    )  # fmt: skip
    assert done.rc == 0, done.err
    site = next(path.glob("lib/python*/site-packages"))
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return path


def answer(done: Any) -> dict[str, Any]:
    assert done.rc == 0, done.err
    found: dict[str, Any] = done.json
    return found


def test_install_from_a_wheel(world: World, venv: Path) -> None:
    plastic = str(venv / "bin" / "plastic")
    answer(world.run(plastic, "init", str(world.make_repo()), "--json"))
    done = answer(world.run(plastic, "install", "claude", "--json"))
    gate = Path(done["gate"])
    assert gate.parts[-4:] == ("plastic", "_share", "hooks", "gate")
    assert gate.is_relative_to(os.path.realpath(venv))
    assert done["python"] == f"{venv}/bin/python"
    assert list(gate.parents[2].glob("__pycache__/hook.*.pyc")), "the bytecode is there"
    text = (Path(os.environ["HOME"]) / ".claude" / "settings.json").read_text()
    line = json.loads(text)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    payload = {
        "session_id": "s",
        "cwd": str(world.repo),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_use_id": "t",
        "tool_input": {"file_path": world.home.projects_yml, "content": "x"},
    }
    seen = world.run("sh", "-c", line, stdin=json.dumps(payload).encode())
    assert '"deny"' in seen.out, "the gate of the wheel judges"
    skill = Path(done["skill"]).read_text()
    assert skill.startswith((ROOT / "skills/plastic-intent-starting/SKILL.md").read_text())
    answer(world.run(plastic, "uninstall", "claude", "--json"))
    assert not (Path(os.environ["HOME"]) / ".claude" / "settings.json").exists()


def test_a_package_that_is_gone_lets_every_tool_pass(world: World, venv: Path) -> None:
    """Hooks, case 11.5/41: an entry outlives its package. Python alone would answer 2: deny."""
    plastic = str(venv / "bin" / "plastic")
    answer(world.run(plastic, "install", "claude", "--json"))
    text = (Path(os.environ["HOME"]) / ".claude" / "settings.json").read_text()
    line = json.loads(text)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    site = next(venv.glob("lib/python*/site-packages"))
    (site / "plastic" / "hook.py").unlink()
    done = world.run("sh", "-c", line, stdin=b'{"tool_name": "Write"}')
    assert (done.rc, done.out) == (0, "")
