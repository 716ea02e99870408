"""Where each harness keeps hooks and commands, for a user and in a repository: data only."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Of one harness; `file` and the commands' folders are relative to its folder of the scope."""

    title: str
    variables: tuple[tuple[str, str], ...]  # (variable, what follows its value), the first one set
    user: str  # its folder when no variable names it
    project: str  # its folder in a repository
    file: str  # what `install` writes into
    project_file: str  # the same in a repository
    form: str  # of a command: a key of plastic.harness.commandtext.FORMS
    commands: str
    project_commands: str  # from the top of the repository
    typed: str  # what stands before a command's name


PLACES: dict[str, Place] = {
    "claude": Place(
        "Claude Code",
        (("CLAUDE_CONFIG_DIR", ""),),
        "~/.claude",
        ".claude",
        "settings.json",
        "settings.json",
        "skill",
        "skills",
        ".claude/skills",
        "/",
    ),
    "codex": Place(
        "Codex",
        (("CODEX_HOME", ""),),
        "~/.codex",
        ".codex",
        "hooks.json",
        "hooks.json",
        "bare",
        "skills",
        ".agents/skills",
        "$",
    ),
    "gemini": Place(
        "Gemini CLI",
        (("GEMINI_CLI_HOME", "/.gemini"),),
        "~/.gemini",
        ".gemini",
        "settings.json",
        "settings.json",
        "toml",
        "commands",
        ".gemini/commands",
        "/",
    ),
    "cursor": Place(
        "Cursor",
        (),
        "~/.cursor",
        ".cursor",
        "hooks.json",
        "hooks.json",
        "page",
        "commands",
        ".cursor/commands",
        "/",
    ),
    "opencode": Place(
        "OpenCode",
        (("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "/opencode")),
        "~/.config/opencode",
        ".opencode",
        "plugins/plastic.js",
        "plugins/plastic.js",
        "prompt",
        "commands",
        ".opencode/commands",
        "/",
    ),
    "pi": Place(
        "pi",
        (("PI_CODING_AGENT_DIR", ""),),
        "~/.pi/agent",
        ".pi",
        "extensions/plastic.ts",
        "extensions/plastic.ts",
        "prompt",
        "prompts",
        ".pi/prompts",
        "/",
    ),
    "copilot": Place(
        "Copilot CLI",
        (("COPILOT_HOME", ""),),
        "~/.copilot",
        ".github",
        "hooks/plastic.json",
        "hooks/plastic.json",
        "bare",
        "skills",
        ".github/skills",
        "/",
    ),
}
