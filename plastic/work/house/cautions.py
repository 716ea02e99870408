"""What a person has to know or do after an installation: a few lines, for each harness its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.files import read_text
from plastic.disk.paths import real
from plastic.harness.entry import ABSENT
from plastic.harness.jsontext import JsonError
from plastic.harness.jsontext import read as read_json
from plastic.work.house.trust import TRUSTED, UNKNOWN, UNLOADED

if TYPE_CHECKING:
    from plastic.work.house.target import Target
    from plastic.work.house.trust import Trust

ONCE = "start codex, type /hooks and trust the hooks of plastic, once after each change of them"


def cautions(where: Target, state: str, trust: Trust | None) -> list[str]:
    """The lines; none when nothing is installed."""
    if state == ABSENT:
        return []
    found = [f"strict: {where.form.STRICT}"] if where.strict else []
    if trust is not None:
        found += _codex(where, trust)
    if where.harness == "gemini":
        found += _gemini(where)
    if where.scope == "project" and where.harness in ("gemini", "pi", "claude"):
        title = where.place.title
        found.append(f"{title} loads the hooks of a repository only where a person trusts it")
    return found


def _codex(where: Target, trust: Trust) -> list[str]:
    found = []
    if trust.state == UNKNOWN:
        found.append(
            f"Codex runs no hook that is not trusted, and does not say so ({trust.why}): {ONCE}"
        )
    elif trust.state == UNLOADED:
        found.append(f"Codex does not run these hooks: {trust.why}")
        if where.scope == "project":
            found.append("Codex reads a repository's .codex only when the project is trusted")
    elif trust.state != TRUSTED:
        found.append(f"Codex does not run {trust.why}, they are not trusted: {ONCE}")
    text = _text(where)
    if where.settings.endswith(".json") and ("//" in text or "/*" in text or "\ufeff" in text):
        found += _strictly(where, text)
    return found


def _strictly(where: Target, text: str) -> list[str]:
    """Codex reads plain JSON: with a comment in it, no hook of the whole file runs."""
    import json

    try:
        json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        return [f"Codex reads no comments: no hook of {where.settings} runs (line {line})"]
    return []


def _gemini(where: Target) -> list[str]:
    try:
        root = read_json(_text(where))
    except JsonError:
        return []
    value = root.value if root is not None else {}
    switch = value.get("hooksConfig") if isinstance(value, dict) else None
    if not isinstance(switch, dict):
        return []
    disabled = switch.get("disabled")
    off = switch.get("enabled") is False or (isinstance(disabled, list) and "plastic" in disabled)
    return [f"the hooks are switched off by hooksConfig in {where.settings}"] if off else []


def _text(where: Target) -> str:
    return read_text(real(where.settings)) or ""
