"""`plastic demo`: two rival sessions in a throw-away home and repository, real git, real gates.

Nothing is acted: every line that starts with `$` is run as a child process, every tool use goes
through the installed gate with the payload that Claude Code would send. The demo fails when an
answer is not the one that it explains.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import make_dirs, replace
from plastic.disk.process import Out, run
from plastic.disk.scratch import directory, set_back
from plastic.words import Broken
from plastic.work.house.share import folder

if TYPE_CHECKING:
    from collections.abc import Callable

    Say = Callable[[str], None]

ANA = "ana-5d1f"
BEN = "ben-77c2"
LAPSE = 31 * 60  # seconds: just past the lease of 30 minutes
DOCUMENTS = (
    ("spec.md", "# Spec\n\nThe cart is called a basket everywhere.\n"),
    ("plan.md", "# Plan\n\nRename in app.py, then in the tests.\n"),
    ("actions/ACTION_1.md", "# Action 1\n\nRename in app.py.\n"),
    ("checklist.md", "# Checklist\n\n- [ ] app.py speaks of a basket\n"),
)
DONE = "# Checklist\n\n- [x] app.py speaks of a basket\n"
OUTCOME = """---
disposition: delivered
---

## Summary

The cart is called a basket.

## Delivered

app.py

## Verification

Read by Ben.

## Follow-ups

None.
"""


class Stage(NamedTuple):
    """The throw-away world and how to speak in it."""

    root: str
    gate: str
    say: Say

    @property
    def repo(self) -> str:
        return f"{self.root}/shop"

    def env(self, session: str) -> dict[str, str]:
        """Our environment, with a home, an identity and a session of the demo's own."""
        person = {"NAME": "Demo Person", "EMAIL": "demo@example.invalid"}
        kept = {name: value for name, value in os.environ.items() if not _is_ours(name)}
        return {
            **kept,
            **{f"GIT_{role}_{key}": value for role in _ROLES for key, value in person.items()},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": f"{self.root}/user",
            "PLASTIC_HOME": f"{self.root}/home",
            "PLASTIC_TMP": f"{self.root}/bridges",
            "PLASTIC_PYTHON": sys.executable,
            **({"CLAUDE_CODE_SESSION_ID": session} if session else {}),
        }

    def intent(self, name: str) -> str:
        """The directory of an intent of the shop."""
        return f"{self.root}/home/projects/shop/store/{name}"

    def tree(self, name: str) -> str:
        """The worktree of an intent of the shop."""
        return f"{self.repo}/.claude/worktrees/{name}"

    def command(self, who: str, session: str, *argv: str, rc: int = 0) -> Out:
        """Run a command as somebody and show it with its answer; it must end with `rc`."""
        entry = {"plastic": "plastic", "plastic-lock": "plastic_lock"}.get(argv[0])
        start = f"import sys; from plastic.cli.main import {entry}; sys.exit({entry}(sys.argv[1:]))"
        real = argv if entry is None else (sys.executable, "-c", start, *argv[1:])
        out = run(real, self.repo, self.env(session), timeout=120)
        self.say(f"  {who} $ {self._short(shlex.join(argv))}")
        self._show(out.out + out.err)
        if out.rc != rc:
            said = f"`{shlex.join(argv)}` ended with {out.rc}, not with {rc}"
            raise Broken("demo", f"{said} (kept: {self.root})")
        return out

    def write(self, who: str, session: str, path: str, text: str, *, allowed: bool) -> None:
        """A Write of the agent: asked at the gate first, done only when the gate lets it pass."""
        payload = {
            "session_id": session,
            "transcript_path": f"{self.root}/transcript.jsonl",
            "cwd": self.repo,
            "permission_mode": "acceptEdits",
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": path, "content": text},
            "tool_use_id": f"toolu_{time.time_ns()}",
        }
        out = run(
            [self.gate, "claude"],
            self.repo,
            self.env(session),
            timeout=30,
            stdin=json.dumps(payload).encode(),
        )
        self.say(f"  {who} > Write {self._short(path)}")
        denial = _denial(out.out)
        self._show(denial or "allowed")
        if (denial == "") != allowed:
            raise Broken(
                "demo", f"the gate said {denial or 'allowed'!r} for {path} (kept: {self.root})"
            )
        if allowed:
            make_dirs(os.path.dirname(path))
            replace(path, text.encode())

    def _short(self, text: str) -> str:
        return text.replace(self.root, "~")

    def _show(self, text: str) -> None:
        for line in self._short(text.strip()).splitlines():
            self.say(f"      {line}")
        self.say("")


_ROLES = ("AUTHOR", "COMMITTER")


def _is_ours(name: str) -> bool:
    return name.startswith(("GIT_", "PLASTIC_")) or name.endswith(("_SESSION_ID", "_THREAD_ID"))


def _denial(stdout: str) -> str:
    """The reason that the gate gave, "" when it let the tool use pass."""
    if not stdout.strip():
        return ""
    answer = json.loads(stdout).get("hookSpecificOutput", {})
    denied = answer.get("permissionDecision") == "deny"
    return str(answer.get("permissionDecisionReason", "denied")) if denied else ""


def demo(say: Say, root: str | None = None) -> str:
    """Play everything in a new temporary directory and return it; the caller removes it."""
    root = os.path.realpath(root) if root else directory("plastic-demo-")
    stage = Stage(root, f"{folder()}/hooks/gate", say)
    for scene in (_set_up, _board, _stages, _rival, _worktree, _takeover, _end):
        scene(stage)
    say("Each refusal named the command that resolves it. Your own repository is next:")
    say("  plastic init . && plastic install claude")
    return root


def _set_up(stage: Stage) -> None:
    stage.say("1. A home and a repository. The home is a git repository of its own.\n")
    make_dirs(stage.repo)
    make_dirs(f"{stage.root}/user")
    for argv in (
        ("git", "init", "-q", "-b", "main"),
        ("git", "commit", "-q", "--allow-empty", "-m", "The shop opens"),
        ("plastic", "init", "."),
    ):
        stage.command("ana", "", *argv)


def _board(stage: Stage) -> None:
    stage.say("2. Ana's agent takes an intent: one owner, one worktree, one next step.\n")
    stage.command("ana", ANA, "plastic", "new", "Rename cart to basket")
    stage.command("ana", ANA, "plastic", "start", "1", "--mode", "auto")


def _stages(stage: Stage) -> None:
    name = "1--rename-cart-to-basket"
    code = f"{stage.tree(name)}/app.py"
    stage.say(
        "3. No stage can be skipped: code before the plan is refused, and says what is missing."
    )
    stage.say("")
    stage.write("ana", ANA, code, "BASKET = []\n", allowed=False)
    stage.command("ana", ANA, "plastic", "show", "1")
    for artifact, text in DOCUMENTS:
        stage.write("ana", ANA, f"{stage.intent(name)}/{artifact}", text, allowed=True)
    stage.write("ana", ANA, code, "BASKET = []\n", allowed=True)


def _rival(stage: Stage) -> None:
    name = "1--rename-cart-to-basket"
    stage.say(
        "4. Ben's agent comes for the same intent. It is told who holds it, and what to do.\n"
    )
    stage.command("ben", BEN, "plastic", "start", "1", rc=3)
    stage.write("ben", BEN, f"{stage.tree(name)}/app.py", "CART = None\n", allowed=False)
    stage.write("ben", BEN, f"{stage.intent(name)}/spec.md", "# Other\n\nNo.\n", allowed=False)
    stage.command("ben", BEN, "plastic-lock", "who", "1")


def _worktree(stage: Stage) -> None:
    stage.say("5. Ben takes an intent of his own. From now on nobody edits the shared checkout.\n")
    stage.command("ben", BEN, "plastic", "start", "--title", "Add gift wrapping")
    stage.write("ana", ANA, f"{stage.repo}/app.py", "BASKET = 1\n", allowed=False)


def _takeover(stage: Stage) -> None:
    name = "1--rename-cart-to-basket"
    stage.say(
        "6. Ana's agent dies; we set the clock of her files 31 minutes back. Nothing is taken"
    )
    stage.say("   silently: Ben must reclaim, and her uncommitted work is kept as a commit.\n")
    set_back(f"{stage.intent(name)}/delivery.lock", LAPSE)
    set_back(stage.tree(name), LAPSE)
    stage.command("ben", BEN, "plastic", "start", "1", rc=4)
    stage.command("ben", BEN, "plastic-lock", "reclaim", "1", "--token", "1", rc=4)
    stage.say(
        "   She was heard a moment ago, at the refused write: that is evidence of life, and only"
    )
    stage.say("   whoever knows better goes on at once. It is journalled.\n")
    stage.command("ben", BEN, "plastic-lock", "reclaim", "1", "--token", "1", "--despite-evidence")
    stage.command("ben", BEN, "git", "show", "--stat", "--format=%s", "refs/plastic/salvage/1/1")
    stage.write("ana", ANA, f"{stage.tree(name)}/app.py", "BASKET = 2\n", allowed=False)


def _end(stage: Stage) -> None:
    name = "1--rename-cart-to-basket"
    tree = stage.tree(name)
    stage.say("7. Ben finishes the work. End says everything that is in the way, all at once.\n")
    stage.write("ben", BEN, f"{stage.intent(name)}/checklist.md", DONE, allowed=True)
    stage.write("ben", BEN, f"{stage.intent(name)}/outcome.md", OUTCOME, allowed=True)
    stage.command("ben", BEN, "plastic", "end", "1", "--delivered", "--dry-run")
    stage.command("ben", BEN, "git", "-C", tree, "add", "app.py")
    stage.command("ben", BEN, "git", "-C", tree, "commit", "-q", "-m", "Rename cart to basket")
    stage.say(
        "   Merged without touching anybody's checkout by hand; the worktree goes to a trash,"
    )
    stage.say("   the branch only once it is proven to be in main, and the lock last.\n")
    stage.command("ben", BEN, "plastic", "end", "1", "--delivered")
    stage.command("ben", BEN, "git", "log", "--oneline", "--graph", "main")
    stage.command("ben", BEN, "git", "status", "--short", "--branch")
    stage.command("ben", BEN, "plastic", "list", "--all")
