"""A home and a repository as files, and events of a harness played against the gates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from plastic.disk import compiled
from plastic.disk.home import Home
from plastic.disk.lockfile import look
from plastic.disk.penplace import place_of
from plastic.harness import claude
from plastic.rules.gates.table import DOORS
from plastic.rules.intent.artifacts import PLACEHOLDER
from plastic.rules.intent.templates import intent_file
from plastic.rules.pen.clock import stamp
from plastic.words import Intent, LockView
from plastic.work.gate.judge import judge
from plastic.work.house.compile import compile_config
from plastic.work.pen.bind import bind
from tests.mould import pour, surroundings

ROOT = Path(__file__).parent.parent.parent
GATE = ROOT / "hooks" / "gate"
SINCE = "2026-11-30T10:00:00Z"
PLAN = {
    "spec.md": "# Spec\n\nA tax of 20 %.\n",
    "plan.md": "# Plan\n\nOne constant.\n",
    "actions/ACTION_1.md": "# Action\n\nChange it.\n",
    "checklist.md": "# Checklist\n\n- [ ] the constant\n",
}

PEN_BLOCK = """# Shop

<!-- M8SHIFT:LOCK:BEGIN -->
holder:   {holder}
state:    {state}
agents:   ana,bo,cy
turn:     0
since:    {since}
expires:  {expires}
note:     -
pen_id:   {token}
<!-- M8SHIFT:LOCK:END -->
"""


class Said(NamedTuple):
    """An answer as the harness sees it."""

    out: bytes
    err: bytes
    rc: int

    @property
    def json(self) -> Any:
        return json.loads(self.out) if self.out else {}

    @property
    def denied(self) -> str | None:
        """The reason of a denial, None when the tool runs."""
        own = self.json.get("hookSpecificOutput", {})
        if own.get("permissionDecision") == "deny":
            reason: str = own["permissionDecisionReason"]
            return reason
        return self.json.get("reason") if self.json.get("decision") == "block" else None

    @property
    def advice(self) -> str:
        text: str = self.json.get("hookSpecificOutput", {}).get("additionalContext", "")
        return text

    @property
    def message(self) -> str:
        text: str = self.json.get("systemMessage", "")
        return text


class Scene:
    """`root` holds `home`, the repository `shop`, and what a test adds."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.home = Home(str(self.root / "home"))
        self.repo = self.root / "shop"
        self.calls = 0
        self.sections: dict[str | None, dict[str, list[str]]] = {}
        for name in ("held", "log", "run"):
            Path(self.home.root, name).mkdir(parents=True)
        Path(self.home.held, ".complete").touch()
        key = surroundings(os.environ)
        pour(self.root, ["shop"], key and ("scene", key), self.make_repo)
        self.projects: dict[str, dict[str, Any]] = {"shop": {"path": str(self.repo)}}
        self.config: dict[str, Any] = {}
        self.register()

    def make_repo(self) -> None:
        self.git("init", "-q", "-b", "main", str(self.repo), cwd=self.root)
        (self.repo / "app.py").write_text("TAX = 0.2\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")

    def git(self, *argv: str, cwd: Path | None = None) -> None:
        who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.invalid")
        command = ["git", *who, *argv]
        subprocess.run(command, cwd=cwd or self.repo, check=True, capture_output=True)

    def register(self) -> None:
        """Write both YAML files (JSON is YAML) and compile them."""
        text = json.dumps({"version": 1, "projects": self.projects}, indent=1)
        Path(self.home.projects_yml).write_text(text)
        Path(self.home.config_yml).write_text(json.dumps({"version": 1, **self.config}))
        assert compile_config(self.home) == []
        assert not compiled.load(self.home).stale

    # -- intents -----------------------------------------------------------------------------

    def intent(
        self,
        id: str = "96",
        slug: str = "demo",
        *,
        project: str | None = "shop",
        section: str | None = "Active",
        **documents: str,
    ) -> Intent:
        """An intent as it is born; `documents` by name with `_` for `.` (`spec_md`)."""
        made = Intent(id, slug, f"{self.home.store(project)}/{id}--{slug}", project)
        Path(made.dir, "actions").mkdir(parents=True)
        Path(made.dir, "actions", ".gitkeep").touch()
        text = intent_file(id=id, title=slug, created="2026-11-30", author="ana")
        Path(made.file).write_text(text)
        for name in ("spec.md", "plan.md", "checklist.md", "outcome.md"):
            Path(made.dir, name).write_text(PLACEHOLDER + "\n")
        Path(made.dir, "savepoint.md").write_text(f"{SINCE}  What  {made.name}.md\n")
        for name, content in documents.items():
            self.write(made, name.replace("_md", ".md"), content)
        if section is not None:
            self.sections.setdefault(project, {}).setdefault(section, []).append(made.name)
        self.index(project)
        return made

    def planned(self, id: str = "96", slug: str = "demo", **more: Any) -> Intent:
        """An intent whose code is open."""
        made = self.intent(id, slug, **more)
        for name, text in PLAN.items():
            self.write(made, name, text)
        return made

    def write(self, intent: Intent, name: str, text: str) -> None:
        Path(intent.dir, name).write_text(text)

    def index(self, project: str | None) -> None:
        lines = ["# INDEX", ""]
        for section in ("Active", "Future", "Abandoned", "Completed"):
            lines += [f"## {section}", ""]
            named = self.sections.get(project, {}).get(section, [])
            for name in named:
                id, _, slug = name.partition("--")
                lines.append(f"- [{id} \u2014 {slug}](store/{name}/{name}.md)")
            lines += [] if named else ["_(none)_"]
            lines.append("")
        Path(self.home.index(project)).write_text("\n".join(lines))

    def lock(
        self,
        intent: Intent,
        owner: str,
        *,
        age: float = 0,
        tree: bool = False,
        link: bool = True,
        **keys: Any,
    ) -> LockView:
        """A delivery.lock whose last heartbeat is `age` seconds old."""
        raw: dict[str, Any] = {
            "type": "delivery",
            "owner_session": owner,
            "acquired_at": SINCE,
            "acq": f"acq-{intent.id}-{owner}",
            "token": 3,
            "ttl": 1800,
            "delegates": [],
            "worktree": None,
        }
        if tree:
            path = self.tree(intent)
            raw["worktree"] = {"repo": str(self.repo), "path": path, "provisioned": True}
        path = f"{intent.dir}/delivery.lock"
        Path(path).write_text(json.dumps({**raw, **keys}, indent=2))
        if age:
            self.age(path, age)
        if link:
            self.link(intent)
        return look(path)

    def link(self, intent: Intent) -> None:
        link = Path(self.home.held, intent.name)
        link.unlink(missing_ok=True)
        link.symlink_to(f"{intent.dir}/delivery.lock")

    def tree(self, intent: Intent) -> str:
        """The intent's worktree, made by git."""
        path = f"{self.repo}/.claude/worktrees/{intent.name}"
        if not os.path.isdir(path):
            self.git("worktree", "add", "-q", "-b", f"plastic/{intent.name}", path)
        return path

    def claim(
        self, intent: Intent, artifact: str, owner: str, delegate: str | None = None, age: float = 0
    ) -> Path:
        folder = Path(intent.dir, ".claims")
        folder.mkdir(exist_ok=True)
        path = folder / f"{artifact}.claim"
        raw = {"artifact": artifact, "owner_session": owner, "delegate": delegate}
        path.write_text(json.dumps({**raw, "acquired_at": SINCE}))
        if age:
            self.age(path, age)
        return path

    def pen(self, state: str, *, ends: int = 600, folder: Path | None = None) -> str:
        """A pen in the main checkout (or in `folder`); its instance when somebody is at work."""
        now = int(time.time())
        kind, _, who = state.partition("_")
        since = stamp(now - 60)
        token = since.replace("-", "").replace(":", "") + "-0a1b2c3d"
        text = PEN_BLOCK.format(
            holder=who.lower() or "none",
            state=state,
            since=since,
            expires=stamp(now + ends) if kind == "WORKING" else "-",
            token=token,
        )
        ((folder or self.repo) / "M8SHIFT.md").write_text(text)
        return token

    def bind(self, session: str, agent: str, token: str = "", folder: Path | None = None) -> None:
        """`plastic pen bind`."""
        bind(place_of(str(folder or self.repo), {}), session, agent, token)

    def age(self, path: Path | str, seconds: float) -> None:
        then = time.time() - seconds
        os.utime(path, (then, then))

    # -- events ------------------------------------------------------------------------------

    def event(self, session: str, tool: str, event: str = "PreToolUse", **more: Any) -> Any:
        """A payload of Claude Code; keyword arguments that it does not know are the input."""
        self.calls += 1
        known = ("cwd", "agent_id", "tool_use_id", "tool_response")
        payload: dict[str, Any] = {
            "session_id": session,
            "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
            "cwd": str(self.repo),
            "hook_event_name": event,
            "tool_name": tool,
            "tool_use_id": f"toolu_{self.calls:020d}",
        }
        payload.update({key: more.pop(key) for key in known if key in more})
        return {**payload, "tool_input": more}

    def lives(self, session: str, event: str, **more: Any) -> Said:
        """The answer to an event that is no tool use: SessionStart, Stop, SubagentStart."""
        payload = {"session_id": session, "cwd": str(self.repo), "hook_event_name": event}
        transcript = {"transcript_path": "/home/ana/.claude/projects/shop/x.jsonl"}
        return self.judge({**payload, **transcript, **more})

    def judge(self, payload: Any, door: str = "gate") -> Said:
        """The answer to a payload, decided in this process."""
        use = claude.read(payload)
        return Said(*claude.answer(judge(self.home, use, DOORS[door]), use.event))

    def does(self, session: str, path: str | Path, tool: str = "Write", **more: Any) -> Said:
        """A session writes a file: by Write unless another tool is named."""
        key = "notebook_path" if tool == "NotebookEdit" else "file_path"
        values = {key: str(path), **({"content": "x\n"} if tool == "Write" else {}), **more}
        return self.judge(self.event(session, tool, **values))

    def wrote(self, session: str, path: str | Path, text: str | None = None) -> Said:
        """The event behind a Write; the file is written first when `text` is given."""
        if text is not None:
            Path(path).write_text(text)
        event = self.event(session, "Write", "PostToolUse", file_path=str(path), content=text or "")
        return self.judge(event)

    def run(self, payload: Any, door: Path | str = GATE, *argv: str, **env: str) -> Said:
        """The answer of the real process; bytes are sent as they are."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        done = subprocess.run(
            [str(door), *(argv or ("claude",))],
            input=data,
            capture_output=True,
            check=False,
            timeout=60,
            env={
                **os.environ,
                "PLASTIC_HOME": self.home.root,
                "PLASTIC_PYTHON": sys.executable,
                **env,
            },
        )
        return Said(done.stdout, done.stderr, done.returncode)

    def journal(self, event: str | None = None) -> list[dict[str, Any]]:
        try:
            lines = Path(self.home.log).read_text().splitlines()
        except FileNotFoundError:
            return []
        rows = [json.loads(line) for line in lines]
        return [row for row in rows if event in (None, row["event"])]

    def ledger(self, intent: Intent) -> list[str]:
        """The savepoint lines without their times."""
        text = Path(intent.dir, "savepoint.md").read_text()
        return [line.partition("  ")[2] for line in text.splitlines()]
