"""What each harness makes of a hook's answer before a tool: whether the tool then runs.

Written down from what the programs did with every combination of exit code and text; Cursor's rows
are its documents'. doctor reads the answer to a canary with it, tests compare it with recordings.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

DENIED = 2  # the exit code that means "refused" to most of them
# The only keys that Codex takes at the top; any other makes it throw the whole answer away.
CODEX_KEYS = {"continue", "decision", "hookSpecificOutput", "reason"} | {
    "stopReason",
    "suppressOutput",
    "systemMessage",
}


class Ended(NamedTuple):
    """How a hook ended: `code` is None for one that was late, negative for one that was killed."""

    code: int | None
    out: str = ""
    err: str = ""


def runs(harness: str, ended: Ended, *, closed: bool = False, camel: bool = False) -> bool:
    """Whether the tool runs; `closed` = the harness's own fail-closed switch is set.

    `camel` = Copilot asked in its camelCase spelling, in which it knows no nested answer.
    """
    if harness == "copilot":
        return _copilot(ended, nested=not camel)
    return _JUDGES[harness](ended, closed)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text.strip())
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _nested(said: dict[str, Any], *, event: str = "") -> tuple[str, str]:
    """The nested permission and its reason; "" when they are not there or for another event."""
    own = said.get("hookSpecificOutput")
    if not isinstance(own, dict) or (event and own.get("hookEventName") != event):
        return "", ""
    return str(own.get("permissionDecision", "")), str(own.get("permissionDecisionReason", ""))


def _claude(ended: Ended, closed: bool) -> bool:  # noqa: FBT001 - one signature for the table
    if ended.code is None:
        return not closed
    if ended.code == DENIED:
        return False
    text = ended.out.lstrip("\ufeff")
    said = _object(text)
    if said is None:
        return not (closed and (ended.code != 0 or text.lstrip().startswith("{")))
    kind = _nested(said, event="PreToolUse")[0]
    if kind in ("deny", "ask") or said.get("decision") == "block" or said.get("continue") is False:
        return False
    odd = kind not in ("", "allow", "defer")
    return not (closed and (odd or (ended.code != 0 and not kind)))


def _codex(ended: Ended, _closed: bool) -> bool:  # noqa: FBT001
    if ended.code == DENIED:
        return not ended.err.strip()
    said = _object(ended.out) if ended.code == 0 else None
    if said is None or not CODEX_KEYS.issuperset(said) or said.get("continue") is False:
        return True
    if said.get("suppressOutput") is True:
        return True
    kind, reason = _nested(said)
    return not ((kind == "deny" and reason) or (said.get("decision") == "block" and _why(said)))


def _why(said: dict[str, Any]) -> bool:
    return bool(said.get("reason"))


def _gemini(ended: Ended, _closed: bool) -> bool:  # noqa: FBT001
    if ended.code is None or ended.code < 0:
        return True
    text = ended.out.strip() or ended.err.strip()
    said = _object(text)
    if said is not None:
        return said.get("decision") not in ("deny", "block")
    return ended.code in (0, 1) or not text


def _cursor(ended: Ended, closed: bool) -> bool:  # noqa: FBT001
    if ended.code == DENIED:
        return False
    said = _object(ended.out) if ended.code == 0 else None
    if said is not None:
        return said.get("permission") != "deny"
    silent = ended.code == 0 and not ended.out.strip()
    return silent or not closed


def _copilot(ended: Ended, *, nested: bool) -> bool:
    if ended.code is None:
        return True
    said = _object(ended.out)
    if ended.code != 0:
        return False
    if said is None:
        return True
    return not (said.get("permissionDecision") == "deny" or (nested and _nested(said)[0] == "deny"))


def _bridge(ended: Ended, closed: bool) -> bool:  # noqa: FBT001
    """Our own plugin file in OpenCode and pi: hooks/door.mjs."""
    said = _object(ended.out) if ended.code == 0 else None
    if said is not None:
        return said.get("decision") != "block"
    if ended.code == DENIED:
        return False
    silent = ended.code == 0 and not ended.out.strip()
    return silent or not closed


_JUDGES: dict[str, Callable[[Ended, bool], bool]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "opencode": _bridge,
    "pi": _bridge,
}
