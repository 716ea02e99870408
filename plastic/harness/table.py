"""The harnesses as a table: what is printed for people, and what installing and doctor go by."""

from __future__ import annotations

from typing import NamedTuple

# What becomes of a write that must not happen.
ENFORCED = "enforced"  # refused before it happens
ADVISED = "advised"  # said, but not stopped
AFTER = "detected after"  # found when the tool has run
UNSEEN = "not seen"  # nothing of ours is asked

# Ways to write, in the order of the printed table.
TOOLS = "its own edit tools"
PATCH = "`apply_patch` as a tool"
HEREDOC = "`apply_patch` in a shell command"
MCP = "tools of MCP servers that name a path"
SHELL = "shell commands whose writes can be read"
OPAQUE = "shell commands that run other programs"
LEFT = "what a command does after its call ended"
AGENTS = "sub-agents, by any of these"
PERSON = "commands that the person types to the harness"
EDITOR = "editors and programs outside the harness"
OFF = "anything, while the hooks are not trusted or not loaded"


class Harness(NamedTuple):
    """One harness. `version` is the one this was proven on, "" = documents only.

    `variables` are the names under which a command of the model finds its session. `events` are
    (theirs, ours) of the events that are asked for. `advise` is how a text reaches the agent:
    `context`, or `after` when only behind a tool. `on_crash` and `on_timeout` are what the tool
    does when a hook dies or is too slow: `runs` or `refused`; `strict` the same two with
    `--strict`. `commands` is how a skill `x` is typed.
    """

    name: str
    title: str
    version: str
    variables: tuple[str, ...]
    events: tuple[tuple[str, str], ...]
    timeout_unit: str
    advise: str
    on_crash: str
    on_timeout: str
    strict: tuple[str, str]
    commands: str
    ways: tuple[tuple[str, str], ...]
    caveats: tuple[str, ...] = ()


def _ways(**others: str) -> tuple[tuple[str, str], ...]:
    """The usual ways with what differs; an empty outcome takes a way out."""
    usual = {
        "TOOLS": ENFORCED,
        "PATCH": "",
        "HEREDOC": ENFORCED,
        "MCP": ENFORCED,
        "SHELL": ENFORCED,
        "OPAQUE": AFTER,
        "LEFT": AFTER,
        "AGENTS": ENFORCED,
        "PERSON": "",
        "EDITOR": UNSEEN,
        "OFF": UNSEEN,
    }
    texts = {name: globals()[name] for name in usual}
    return tuple((texts[name], how) for name, how in {**usual, **others}.items() if how)


_CLAUDE = Harness(
    "claude",
    "Claude Code",
    "2.1.332",
    ("CLAUDE_CODE_SESSION_ID",),
    (
        ("PreToolUse", "pre"),
        ("PostToolUse", "post"),
        ("PostToolUseFailure", "failed"),
        ("SessionStart", "start"),
        ("UserPromptSubmit", "prompt"),
        ("SubagentStart", "agent"),
        ("PreCompact", "compact"),
        ("Stop", "stop"),
        ("SessionEnd", "end"),
    ),
    "s",
    "context",
    "runs",
    "runs",
    ("refused", "refused"),
    "/x",
    _ways(PERSON=UNSEEN),
    ("A session that ends by SIGKILL ends without an event.",),
)
_CODEX = Harness(
    "codex",
    "Codex CLI",
    "0.171.0",
    ("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    (
        ("PreToolUse", "pre"),
        ("PostToolUse", "post"),
        ("SessionStart", "start"),
        ("UserPromptSubmit", "prompt"),
        ("SubagentStart", "agent"),
        ("PreCompact", "compact"),
        ("Stop", "stop"),
        ("SessionEnd", "end"),
    ),
    "s",
    "context",
    "runs",
    "runs",
    ("refused", "runs"),
    "$x",
    _ways(PATCH=ENFORCED, PERSON=UNSEEN),
    (
        "It passes over hooks that were not trusted once in `/hooks`, and says nothing.",
        "After `apply_patch` in a shell command it reports nothing.",
        "SIGTERM ends it without an event.",
    ),
)
_GEMINI = Harness(
    "gemini",
    "Gemini CLI",
    "0.61.0",
    ("GEMINI_SESSION_ID",),
    (
        ("BeforeTool", "pre"),
        ("AfterTool", "post"),
        ("SessionStart", "start"),
        ("BeforeAgent", "prompt"),
        ("AfterAgent", "stop"),
        ("SessionEnd", "end"),
    ),
    "ms",
    "after",
    "runs",
    "runs",
    ("refused", "runs"),
    "/x",
    _ways(PERSON=UNSEEN),
    (
        "Sub-agents cannot be told from their root.",
        "Only hooks know the session: in its shell, commands need `--session`.",
        "Before a tool, advice reaches the person only.",
        "Its tools write in the workspace only: name the home by `--include-directories`.",
        "Its shell keeps the git settings of the user away: name yourself in the repository.",
    ),
)
_CURSOR = Harness(
    "cursor",
    "Cursor",
    "",
    ("PLASTIC_SESSION",),
    (
        ("preToolUse", "pre"),
        ("postToolUse", "post"),
        ("postToolUseFailure", "failed"),
        ("sessionStart", "start"),
        ("beforeSubmitPrompt", "prompt"),
        ("subagentStart", "agent"),
        ("preCompact", "compact"),
        ("stop", "stop"),
        ("sessionEnd", "end"),
    ),
    "s",
    "after",
    "runs",
    "runs",
    ("refused", "refused"),
    "/x",
    _ways(PERSON=UNSEEN),
    (
        "Completions by Tab are reported when they stand in the file, to nobody here.",
        "Before a tool, with a prompt and to a sub-agent no advice can be given.",
        "Agents in its cloud run committed project hooks only.",
    ),
)
_OPENCODE = Harness(
    "opencode",
    "OpenCode",
    "1.18.33",
    ("PLASTIC_SESSION",),
    (
        ("tool.execute.before", "pre"),
        ("tool.execute.after", "post"),
        ("session.created", "start"),
        ("chat.message", "prompt"),
        ("experimental.session.compacting", "compact"),
        ("session.idle", "stop"),
        ("session.deleted", "end"),
    ),
    "s",
    "context",
    "runs",
    "runs",
    ("refused", "refused"),
    "/x",
    _ways(PATCH=ENFORCED, PERSON=UNSEEN),
    (
        "Sub-agents are sessions of their own; our plugin file tells their root.",
        "Of two first starts at once one may end, or was seen to run without its plugins.",
    ),
)
_PI = Harness(
    "pi",
    "pi",
    "1.6.0",
    ("PI_SESSION_ID",),
    (
        ("tool_call", "pre"),
        ("user_bash", "pre"),
        ("tool_result", "post"),
        ("session_start", "start"),
        ("before_agent_start", "prompt"),
        ("session_before_compact", "compact"),
        ("agent_end", "stop"),
        ("session_shutdown", "end"),
    ),
    "s",
    "context",
    "runs",
    "runs",
    ("refused", "refused"),
    "/x",
    _ways(AGENTS="", PERSON=ENFORCED),
    ("It has no sub-agents; an extension that adds them brings its own sessions.",),
)
_COPILOT = Harness(
    "copilot",
    "Copilot CLI",
    "1.0.102",
    ("COPILOT_AGENT_SESSION_ID",),
    (
        ("preToolUse", "pre"),
        ("postToolUse", "post"),
        ("postToolUseFailure", "failed"),
        ("sessionStart", "start"),
        ("userPromptSubmitted", "prompt"),
        ("subagentStart", "agent"),
        ("agentStop", "stop"),
        ("sessionEnd", "end"),
    ),
    "s",
    "context",
    "refused",
    "runs",
    ("refused", "runs"),
    "/x",
    _ways(PATCH=ENFORCED, PERSON=UNSEEN),
    ("It runs the hooks of `.claude/settings.json` too: one edit may ask twice.",),
)
HARNESSES: dict[str, Harness] = {
    one.name: one for one in (_CLAUDE, _CODEX, _GEMINI, _CURSOR, _OPENCODE, _PI, _COPILOT)
}
