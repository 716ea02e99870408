"""A street of refused calls: each is asked for real, and what the answer prints is pasted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.world import Done, World

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent
GATE = ROOT / "hooks" / "gate"
BIN = os.path.dirname(sys.executable)
A, B, BYSTANDER = "session-a", "session-b", "session-c"
MACHINE = ("GIT_", "PLASTIC_", "CLAUDE", "CODEX", "GEMINI", "XDG_")
DOCUMENTS = {
    "spec.md": "# Spec\n\nA tax.\n",
    "plan.md": "# Plan\n\nOne constant.\n",
    "actions/ACTION_1.md": "# Action\n\nChange it.\n",
    "checklist.md": "# Checklist\n\n- [ ] the constant\n",
}


class Call(NamedTuple):
    """A call that is refused: a command line, or the input of an agent's tool."""

    session: str
    argv: tuple[str, ...] = ()
    tool: str = ""
    values: dict[str, Any] = {}  # noqa: RUF012 - never written
    cwd: str = ""
    env: dict[str, str] = {}  # noqa: RUF012 - never written


class Answer(NamedTuple):
    """`code` is None when the call was let through."""

    code: str | None
    reason: str
    run: str
    rc: int


class Street(World):
    """A world whose environment does not depend on the test that happens to run."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        (root / "user").mkdir()
        (root / "gitconfig").write_text(
            "[user]\n\tname = Test Person\n\temail = test@example.invalid\n"
            "[init]\n\tdefaultBranch = main\n"
        )
        self.own = {
            "HOME": str(root / "user"),
            "GIT_CONFIG_GLOBAL": str(root / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PLASTIC_HOME": self.home.root,
            "PLASTIC_TMP": str(root / "bridges"),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
            "PLASTIC_PYTHON": sys.executable,
            "EDITOR": "true",
        }
        self.calls = 0

    def _command(
        self,
        entry: str,
        argv: tuple[str, ...],
        session: str | None,
        cwd: Path | str | None,
        env: dict[str, str] | None,
    ) -> Done:
        wanted = self.environment(env)
        with pytest.MonkeyPatch.context() as patch:
            for name in set(os.environ) - set(wanted):
                patch.delenv(name)
            for name, value in wanted.items():
                patch.setenv(name, value)
            return super()._command(entry, argv, session, cwd, None)

    def environment(self, env: dict[str, str] | None = None) -> dict[str, str]:
        """The environment of every process here; a value of "" takes a variable away."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(MACHINE) and not key.endswith("_SESSION_ID")
        }
        named = {**kept, **getattr(self, "own", {}), **(env or {})}
        return {key: value for key, value in named.items() if value}

    # -- situations --------------------------------------------------------------------------

    def open(self) -> Street:
        """A home, a repository, and somebody who works on something else: nobody is solo."""
        self.make_shop()
        self.held(BYSTANDER)
        return self

    def someone(self) -> str:
        """A session that nobody has heard of: its other events are no evidence of work."""
        self.calls += 1
        return f"session-{self.calls}"

    def intent(self, *argv: str) -> dict[str, Any]:
        self.calls += 1
        title = f"Work {self.calls}"
        made: dict[str, Any] = self.usual((title, argv), lambda: self.new(title, *argv))
        return made

    def held(self, session: str, *argv: str) -> dict[str, Any]:
        """An intent that `session` has boarded."""
        id = self.intent()["id"]
        found: dict[str, Any] = self.usual(
            (id, session, argv), lambda: self.start(id, session, *argv)
        )
        return found

    def planned(self, session: str) -> dict[str, Any]:
        """A boarded intent whose code is open."""
        made = self.held(session)
        for name, text in DOCUMENTS.items():
            Path(made["dir"], name).write_text(text)
        return made

    def lapse(self, made: dict[str, Any], seconds: float = 7200) -> None:
        """The owner fell silent, and so did its worktree."""
        self.age(lock_of(made), seconds)

    # -- refusals ----------------------------------------------------------------------------

    def ask(self, call: Call) -> Answer:
        """Make the call as a harness or a shell does."""
        return self._command_line(call) if call.argv else self._gate(call)

    def _command_line(self, call: Call) -> Answer:
        words = list(call.argv)
        if "--json" not in words:
            words[1:1] = [words.pop(1), "--json"] if words[1][:1] != "-" else ["--json"]
        env = {**_as(call.session), **call.env}
        entry = words[0].replace("-", "_")
        usual = self.own["PLASTIC_HOME"] == self.home.root and "PYTHONPATH" not in self.own
        if call.env or not usual or "keep" in words:
            done = self.run(*words, cwd=call.cwd or self.repo, env=env)
        else:
            done = self._command(entry, tuple(words[1:]), None, call.cwd or self.repo, env)
        if done.rc == 0 or '"error"' not in done.out:
            return Answer(None, done.out + done.err, "", done.rc)
        error = json.loads(done.out)["error"]
        return Answer(error["code"], error["reason"], error["run"], done.rc)

    def event(self, call: Call, kind: str) -> dict[str, Any]:
        """The payload of a tool of an agent."""
        self.calls += 1
        return {
            "session_id": call.session,
            "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
            "cwd": call.cwd or str(self.repo),
            "hook_event_name": kind,
            "tool_name": call.tool,
            "tool_use_id": f"toolu_{self.calls:020d}",
            "tool_input": call.values,
        }

    def hear(self, payload: dict[str, Any]) -> str:
        """What the hook says to it."""
        done = self.run(str(GATE), "claude", stdin=json.dumps(payload).encode())
        assert done.rc == 0, done.err
        return done.out

    def _gate(self, call: Call) -> Answer:
        out = self.hear(self.event(call, "PreToolUse"))
        own = json.loads(out or "{}").get("hookSpecificOutput", {})
        if own.get("permissionDecision") != "deny":
            return Answer(None, out, "", 0)
        reason = own["permissionDecisionReason"]
        row = json.loads(Path(self.home.log).read_text().splitlines()[-1])
        return Answer(row["code"], reason, reason.rpartition("\nrun: ")[2], 0)

    def paste(self, line: str, call: Call) -> Done:
        """The printed line in a shell of whoever was refused."""
        env = {**_as(call.session), **call.env}
        return self.run("sh", "-c", line, cwd=call.cwd or self.repo, env=env)


def _as(session: str) -> dict[str, str]:
    return {"CLAUDE_CODE_SESSION_ID": session} if session else {}


def lock_of(made: dict[str, Any]) -> Path:
    return Path(made["dir"], "delivery.lock")


def writes(session: str, path: Path | str, content: str = "x\n", **more: Any) -> Call:
    """An agent's Write."""
    return Call(session, tool="Write", values={"file_path": str(path), "content": content}, **more)


def types(session: str, *argv: str, **more: Any) -> Call:
    """A command typed by `session`; `cwd` and `env` where it is not the shop."""
    return Call(session, argv, **more)


class Case(NamedTuple):
    """One refusal: the file that makes it, its code, and a situation that leads to it.

    `then` is what the pasted command has to show: "" = the refused call is let through
    afterwards, else a text of its output that names the next step.
    """

    where: str
    code: str
    build: Callable[[Street], Call]
    then: str = ""

    @property
    def name(self) -> str:
        return f"{self.code}-{self.build.__name__}"


def play(street: Street, case: Case) -> None:
    """Be refused, paste what is printed, see that it resolves the refusal."""
    call = case.build(street)
    said = street.ask(call)
    assert said.code == case.code, said
    done = street.paste(said.run, call)
    assert done.rc == 0, f"{said.run}\n{done.out}{done.err}"
    if case.then:
        assert case.then in done.out + done.err, f"{said.run}\n{done.out}{done.err}"
    else:
        after = street.ask(call)
        assert (after.code, after.rc) == (None, 0), f"{said.run}\n{after}"
