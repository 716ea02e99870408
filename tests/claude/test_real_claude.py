"""The real Claude Code, with a scripted model: what is installed is what it obeys.

Runs where the program is: PLASTIC_TEST_CLAUDE=PATH, or what
`npm install --prefix ~/.cache/plastic-claude @anthropic-ai/claude-code@2.1.332` left. The program
gets a made-up key, its own HOME and, where the kernel lets us, a network of loopback alone.
"""

from __future__ import annotations

import glob
import json
import os
import pwd
import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from tests.world import World

ROOT = Path(__file__).parents[2]
MODEL = Path(__file__).with_name("model.py")
CACHE = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache" / "plastic-claude"
PACKAGE = "@anthropic-ai/claude-code@2.1.332"
HOW = f"set PLASTIC_TEST_CLAUDE, or npm install --prefix ~/.cache/plastic-claude {PACKAGE}"
NAMED = os.environ.get("PLASTIC_TEST_CLAUDE", "")
OWNER, RIVAL = str(uuid.UUID(int=1, version=4)), str(uuid.UUID(int=2, version=4))
_QUIET = """
DISABLE_AUTOUPDATER DISABLE_UPDATES DISABLE_TELEMETRY DISABLE_ERROR_REPORTING DO_NOT_TRACK
CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC
"""
QUIET = dict.fromkeys(_QUIET.split(), "1")
# Only for sessions: with a key the program's other verbs wait for a network that is not there.
KEY = {"ANTHROPIC_API_KEY": "not-a-real-key"}
SPEAKING = "Real words about the matter."
pytestmark = pytest.mark.claude


def program() -> str | None:
    """The program to test, None when there is none."""
    tail = "node_modules/@anthropic-ai/claude-code-*/claude"
    found = [NAMED] if NAMED else sorted(glob.glob(str(CACHE / tail)))
    return found[0] if found and os.access(found[0], os.X_OK) else None


def alone() -> list[str]:
    """The words that give a program a network of its own, if this machine has any that work."""
    for words in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        try:
            done = subprocess.run([*words, "true"], capture_output=True, check=False, timeout=20)
        except OSError:
            return []
        if done.returncode == 0:
            return words
    return []


class Run(NamedTuple):
    """One session: what the model was told about its tool calls, and everything it was sent."""

    results: list[tuple[bool, str]]
    sent: str


class Claude:
    """Claude Code of one test's user."""

    def __init__(self, world: World, path: str) -> None:
        self.world = world
        self.path = path
        self.folder = Path(os.environ["HOME"]) / ".claude"
        self.network = alone()
        self.runs = 0

    def env(self) -> dict[str, str]:
        """An environment of nothing but this; `python3` is the Python of the tests."""
        bin = self.world.root / "bin"
        bin.mkdir(exist_ok=True)
        if not (bin / "python3").exists():
            (bin / "python3").symlink_to(sys.executable)
        keep = ("HOME", "PLASTIC_HOME", "PLASTIC_TMP", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
        return {
            **{name: os.environ[name] for name in keep},
            **QUIET,
            "PATH": f"{bin}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "CLAUDE_CONFIG_DIR": str(self.folder),
        }

    def command(self, *argv: str) -> str:
        """One of the program's own verbs; its stdout."""
        done = subprocess.run(
            [*self.network, self.path, *argv],
            env=self.env(),
            cwd=self.world.root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def say(self, session: str, prompt: str, cwd: str, *turns: list[dict[str, Any]]) -> Run:
        """One session with a prompt and what the model answers, turn by turn."""
        self.runs += 1
        script = self.world.root / f"script{self.runs}.json"
        seen = self.world.root / f"seen{self.runs}.jsonl"
        script.write_text(json.dumps(turns))
        argv = [
            *self.network, sys.executable, str(MODEL), str(script), str(seen), "--",
            self.path, "-p", prompt, "--session-id", session, "--output-format", "json",
            "--permission-mode", "acceptEdits", "--allowedTools", "Write", "Bash",
        ]  # fmt: skip
        done = subprocess.run(
            argv,
            env={**self.env(), **KEY},
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        rows = [json.loads(line) for line in seen.read_text().splitlines()]
        last = max(rows, key=lambda row: len(row["messages"]))
        return Run(list(_results(last["messages"])), json.dumps(last["messages"]))


def _results(messages: list[dict[str, Any]]) -> Any:
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_result":
                content = block.get("content")
                text = content if isinstance(content, str) else json.dumps(content)
                yield bool(block.get("is_error")), text


@pytest.fixture
def claude(shop: World) -> Claude:
    path = program()
    if path is None:
        pytest.skip(f"Claude Code is not here: {HOW}")
    return Claude(shop, path)


def write(path: str, text: str = "x\n") -> list[dict[str, Any]]:
    return [{"tool": "Write", "input": {"file_path": path, "content": text}}]


def armed(world: World, session: str) -> str:
    """An intent of `session` that may write code; the path of its worktree."""
    intent = world.new("Rename cart")
    directory = Path(intent["dir"])
    (directory / "spec.md").write_text(f"# Spec\n\n{SPEAKING}\n")
    (directory / "plan.md").write_text(f"# Plan\n\n{SPEAKING}\n")
    (directory / "actions" / "ACTION_1.md").write_text(f"# Action\n\n{SPEAKING}\n")
    (directory / "checklist.md").write_text("# Checklist\n\n- [ ] rename it\n")
    started = world.start(intent["id"], session)
    return str(started["worktree"]["path"])


def test_the_owner_writes_the_rival_is_refused_and_uninstalling_ends_it(claude: Claude) -> None:
    world = claude.world
    worktree = armed(world, OWNER)
    claude.folder.mkdir(parents=True)
    settings = claude.folder / "settings.json"
    theirs = '{\n  "cleanupPeriodDays": 30\n}\n'
    settings.write_text(theirs)
    env = {"CLAUDE_CONFIG_DIR": str(claude.folder)}
    assert world.plastic("install", "claude", env=env).rc == 0

    own = claude.say(OWNER, "go", worktree, write(f"{worktree}/cart.py", "BASKET = 1\n"))
    assert [bad for bad, _ in own.results] == [False], own.results
    assert Path(worktree, "cart.py").read_text() == "BASKET = 1\n"

    rival = claude.say(RIVAL, "go", worktree, write(f"{worktree}/rival.py"))
    ((refused, text),) = rival.results
    assert refused, text
    assert OWNER in text, "the refusal says who"
    assert "plastic start 1 --wait" in text, "and what to do"
    assert not Path(worktree, "rival.py").exists()

    document = claude.say(str(uuid.uuid4()), "go", worktree, write(world.home.projects_yml))
    assert document.results[0][0], "nobody's tool writes the registry"

    assert world.plastic("uninstall", "claude", env=env).rc == 0
    assert settings.read_text() == theirs
    claude.say(str(uuid.uuid4()), "go", worktree, write(f"{worktree}/rival.py"))
    assert Path(worktree, "rival.py").exists(), "it was our gate that refused"


def test_the_bare_slash_command_brings_the_skill(claude: Claude) -> None:
    env = {"CLAUDE_CONFIG_DIR": str(claude.folder)}
    assert claude.world.plastic("install", "claude", env=env).rc == 0
    run = claude.say(RIVAL, "/plastic-intent-starting shop-42", str(claude.world.repo))
    assert "Board an intent" in run.sent
    assert "Asked for: shop-42" in run.sent


def test_the_session_of_a_tool_is_the_session_of_the_hook(claude: Claude) -> None:
    """`plastic start` run by the model's shell arms the session that the gate then sees."""
    world = claude.world
    env = {"CLAUDE_CONFIG_DIR": str(claude.folder)}
    assert world.plastic("install", "claude", env=env).rc == 0
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    bash = {"command": f'{sys.executable} -c "{code}" start --title "Sell tea" --json'}
    path = f"{world.home.store('shop')}/1--sell-tea/spec.md"
    run = claude.say(
        OWNER,
        "go",
        str(world.repo),
        [{"tool": "Bash", "input": bash}],
        [{"tool": "Bash", "input": {"command": f"cat {path}"}}],
    )
    assert [bad for bad, _ in run.results] == [False, False], run.results
    shown = world.plastic("show", "1", "--json").json
    assert shown["lock"]["owner_session"] == OWNER


def test_the_checkout_is_an_installable_plugin(claude: Claude) -> None:
    world = claude.world
    worktree = armed(world, OWNER)
    claude.folder.mkdir(parents=True)
    claude.command("plugin", "validate", str(ROOT))
    claude.command("plugin", "marketplace", "add", str(ROOT))
    claude.command("plugin", "install", "plastic@plastic")
    rival = claude.say(
        RIVAL, "/plastic:plastic-intent-starting tea", worktree, write(f"{worktree}/r.py")
    )
    assert "Board an intent" in rival.sent
    assert [bad for bad, _ in rival.results] == [True], rival.results
    assert not Path(worktree, "r.py").exists()
