"""A skill of ours in the form in which each harness offers a command, like `/plastic-doctor`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from plastic.harness.table import HARNESSES

if TYPE_CHECKING:
    from collections.abc import Callable

ARGUMENTS = "$ARGUMENTS"
# Where a harness hands nothing over, the words stand in the person's message.
SPOKEN = "what the person wrote with the name of this skill"

# Harnesses that keep the session from the shell of their model (rules/briefing.py tells it there).
UNTOLD = ("gemini",)
KNOWN = "Your session is known from\n`CLAUDE_CODE_SESSION_ID`; never pass `--session`, never borrow"
UNKNOWN = (
    "Your shell does not know your\nsession: pass `--session` with every command, as plastic said "
    "when you began; never borrow"
)


class Form(NamedTuple):
    """How a command is stored: its file below the folder, its kind for the seal, its text."""

    file: str  # with {name}
    kind: str  # of comment
    render: Callable[[str, str, str], str]  # name, description, body


def split(text: str) -> tuple[dict[str, str], str]:
    """The front matter of one of OUR skills (one `key: value` a line), and the rest."""
    _, front, body = text.split("---\n", 2)
    pairs = (line.partition(": ") for line in front.splitlines())
    return {key: value for key, _, value in pairs}, body.lstrip("\n")


def rendered(form: str, harness: str, text: str) -> str:
    """One skill as the command of a harness; only Claude Code's is the file in skills/ itself."""
    if form == "skill":
        return text
    front, body = split(text)
    body = body.replace("--harness claude", f"--harness {harness}")
    body = _session(harness, body)
    return FORMS[form].render(front["name"], front["description"], body)


def _session(harness: str, body: str) -> str:
    """How the model of this harness lets our commands know its session."""
    if harness in UNTOLD:
        return body.replace(KNOWN, UNKNOWN)
    return body.replace("CLAUDE_CODE_SESSION_ID", HARNESSES[harness].variables[0])


def _bare(name: str, description: str, body: str) -> str:
    body = body.replace(ARGUMENTS, SPOKEN)
    return f"---\nname: {name}\ndescription: {json.dumps(description)}\n---\n\n{body}"


def _prompt(_name: str, description: str, body: str) -> str:
    return f"---\ndescription: {json.dumps(description)}\n---\n\n{body}"


def _page(_name: str, _description: str, body: str) -> str:
    return body.replace(ARGUMENTS, "what the person wrote after the name of this command")


def _toml(_name: str, description: str, body: str) -> str:
    body = body.replace(ARGUMENTS, "{{args}}")
    # JSON's strings are TOML's too, but for DEL and for what only several lines can say well.
    quoted = body.replace("\\", "\\\\").replace('"""', '""\\"')
    return f'description = {json.dumps(description)}\nprompt = """\n{quoted}"""\n'


def _skill(_name: str, _description: str, body: str) -> str:
    return body


FORMS: dict[str, Form] = {
    "skill": Form("{name}/SKILL.md", "md", _skill),
    "bare": Form("{name}/SKILL.md", "md", _bare),
    "prompt": Form("{name}.md", "md", _prompt),
    "page": Form("{name}.md", "md", _page),
    "toml": Form("{name}.toml", "toml", _toml),
}
