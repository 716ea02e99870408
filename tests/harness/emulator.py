"""What each harness does with the answer of a hook, as its real program was seen to do it.

`truth.json` holds the observations; test_emulator.py holds these functions against them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Hook(NamedTuple):
    """The end of a hook process; `code` None = it was too slow."""

    out: bytes
    err: bytes = b""
    code: int | None = 0

    @property
    def json(self) -> dict[str, Any] | None:
        """The object on stdout, None when there is none."""
        try:
            value = json.loads(self.out.decode())
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    @property
    def said(self) -> str:
        return self.err.decode().strip()


class Done(NamedTuple):
    """Whether the tool runs (None = the harness hangs), and what the model is told if not."""

    runs: bool | None
    text: str = ""


RUNS = Done(True)


def _nested(data: dict[str, Any]) -> dict[str, Any]:
    own = data.get("hookSpecificOutput")
    return own if isinstance(own, dict) and own.get("hookEventName") == "PreToolUse" else {}


def _denies(value: dict[str, Any]) -> bool:
    return value.get("permissionDecision") == "deny"


def claude(hook: Hook, *, strict: bool = False) -> Done:
    failed = Done(False, "the hook failed") if strict else RUNS
    if hook.code is None:
        return failed
    data = Hook(hook.out.removeprefix(b"\xef\xbb\xbf")).json or {}
    own = _nested(data)
    if own.get("permissionDecision") in ("deny", "ask"):
        return Done(False, own.get("permissionDecisionReason", ""))
    if data.get("decision") == "block":
        return Done(False, data.get("reason", ""))
    if hook.code == 2:
        return Done(False, hook.said)
    return failed if hook.code else RUNS


# A key beyond these and the whole answer counts for nothing.
_CODEX = {
    "continue",
    "decision",
    "hookSpecificOutput",
    "reason",
    "stopReason",
    "suppressOutput",
    "systemMessage",
}


def codex(hook: Hook) -> Done:
    if hook.code == 2 and hook.said:
        return Done(False, hook.said)
    data = hook.json
    if (
        hook.code != 0
        or data is None
        or set(data) - _CODEX
        or {"continue", "suppressOutput"} & {*data}
    ):
        return RUNS
    own = _nested(data)
    if _denies(own) and own.get("permissionDecisionReason"):
        return Done(False, own["permissionDecisionReason"])
    if data.get("decision") == "block" and data.get("reason"):
        return Done(False, data["reason"])
    return RUNS


def gemini(hook: Hook) -> Done:
    if hook.code is None:
        return RUNS
    data = hook.json
    if data is None:
        return Done(False, hook.said) if hook.code == 2 and hook.said else RUNS
    if data.get("decision") == "ask":
        return Done(None)
    return (
        Done(False, data.get("reason", "")) if data.get("decision") in ("deny", "block") else RUNS
    )


def copilot(hook: Hook, *, pascal: bool = True) -> Done:
    if hook.code is None:
        return RUNS
    data = hook.json or {}
    if hook.code == 0:
        for own in (_nested(data) if pascal else {}, data):
            if _denies(own):
                return Done(False, own.get("permissionDecisionReason", ""))
        return RUNS
    if hook.code == 2 and _denies(data) and not pascal:
        return Done(False, data.get("permissionDecisionReason", ""))
    return Done(False, f"the hook ended with {hook.code}")


def cursor(hook: Hook, *, strict: bool = False) -> Done:
    """By its documents."""
    failed = Done(False, "the hook failed") if strict else RUNS
    if hook.code == 2:
        return Done(False, (hook.json or {}).get("agent_message") or hook.said)
    if hook.code != 0 or (hook.out.strip() and hook.json is None):
        return failed
    data = hook.json or {}
    return Done(False, data.get("agent_message", "")) if data.get("permission") == "deny" else RUNS


def bridge(hook: Hook) -> Done:
    """Our own files in OpenCode and pi."""
    data = hook.json or {}
    if data.get("decision") == "block":
        return Done(False, data.get("reason", ""))
    return Done(False, hook.said) if hook.code == 2 else RUNS


EMULATORS: dict[str, Callable[[Hook], Done]] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "copilot": copilot,
    "cursor": cursor,
    "opencode": bridge,
    "pi": bridge,
}
