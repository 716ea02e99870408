"""What a relay is like at this moment, for people and as one JSON object."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING, Any

from plastic.disk.relay.place import owner
from plastic.rules.relay.state import WORKING, outstanding
from plastic.rules.relay.texts import STANDS, needed

if TYPE_CHECKING:
    from plastic.disk.relay.place import About, Place
    from plastic.rules.relay.state import State


def report(place: Place, about: About, state: State) -> dict[str, Any]:
    """The one object of every `plastic relay` command."""
    pid = owner(place)
    if not pid and state.state in WORKING:
        state = state._replace(state="interrupted", was=state.state)
    pending = state.pending
    return {
        "relay": place.name,
        "state": state.state,
        "reason": state.reason or None,
        "was": state.was if state.state == "interrupted" else None,
        "means": means(state),
        "step": state.step,
        "max_steps": state.max_steps,
        "cost": {
            "total": round(state.cost, 6),
            "cap": state.max_cost,
            "known": state.pricing != "unknown",
            "pricing": state.pricing,
        },
        "session": dict(state.names).get(state.current, state.current) or None,
        "sessions": len(state.sessions),
        "question": state.question or None,
        "pending": None
        if pending is None
        else {
            "hop": pending.hop,
            "first_line": pending.prompt.strip().split("\n", 1)[0][:200],
            "bytes": len(pending.prompt.encode("utf-8", "surrogateescape")),
            "from": pending.source,
            "to": pending.replacement or None,
            "sent": pending.is_started,
            "delivered": pending.is_delivered,
            "unknown": pending.is_unknown,
            "model": pending.model or None,
        },
        "background": [
            {"id": id, "state": status, "label": label} for id, status, label in outstanding(state)
        ],
        "suppressed": state.signal[0] if state.signal else None,
        "correction_used": state.correction_used,
        "staged_model": state.staged_model or None,
        "error": state.last_error or None,
        "agent": about.agent,
        "intent": about.intent or None,
        "cwd": about.cwd,
        "started": about.created,
        "runner": pid or None,
        "next": next_command(place, state, is_run=bool(pid)),
    }


def means(state: State) -> str:
    """The state in a few words."""
    text = STANDS.get(state.reason) or STANDS.get(state.state) or (state.state, "")
    return text[0]


def next_command(place: Place, state: State, *, is_run: bool) -> str:
    """The one command that is worth running now."""
    name = place.name
    if state.state in ("running", "background", "advancing"):
        return f"plastic relay attach {name}"
    if state.state == "attention" and state.reason == "delivery_timeout" and is_run:
        return f"plastic relay attach {name}"
    if state.state == "user_paused" or state.reason == "malformed":
        return f"plastic relay reply --relay {name} {shlex.quote('your answer')}"
    if state.reason == "done":
        return f"plastic relay log {name}"
    if state.state == "off":
        return "plastic relay start --help"
    more = ""
    if state.step >= state.max_steps and (state.pending or state.reason == "limit_steps"):
        more += f" --max-steps {state.step + 1}"
    if state.reason in ("limit_cost", "limit_guard"):
        more += f" --max-cost {needed(state.cost)}"
    return f"plastic relay resume {name}{more}"


def text(found: dict[str, Any]) -> str:
    """The same for people."""
    cost = found["cost"]
    cap = f" of {cost['cap']:.2f}" if cost["cap"] is not None else ""
    known = "" if cost["known"] else ", not all of it known"
    state = found["state"] + (f" ({found['reason']})" if found["reason"] else "")
    ago = max(0, int(time.time() - found["started"]))
    rows = [
        ("relay", f"{found['relay']}  {found['agent']}, started {ago} s ago"),
        ("state", f"{state}: {found['means']}"),
        ("step", f"{found['step']} of {found['max_steps']}"),
        ("cost", f"{cost['total']:.2f}{cap} USD ({cost['pricing']}{known})"),
        ("session", found["session"] or "none"),
    ]
    if found["question"]:
        rows.append(("question", found["question"]))
    if found["error"] and found["state"] == "stopped":
        rows.append(("error", found["error"]))
    pending = found["pending"]
    if pending:
        sent = "delivered" if pending["delivered"] else "sent" if pending["sent"] else "waiting"
        if pending["unknown"]:
            sent = "it may have arrived, and resuming may send it twice"
        rows.append(("hand-off", f"{sent}, {pending['bytes']} bytes: {pending['first_line']}"))
    rows += [("background", f"{one['label']} ({one['state']})") for one in found["background"]]
    if found["suppressed"]:
        rows.append(("not heard", f"{found['suppressed']}, said while background work was open"))
    if found["staged_model"]:
        rows.append(("next model", found["staged_model"]))
    if found["intent"]:
        rows.append(("intent", found["intent"]))
    ended, refused = found.get("end"), found.get("end_refused")
    if ended:
        rows.append(("end", "the intent is delivered and unlocked"))
    if refused:
        rows += [("end", f"refused: {refused['reason']}"), ("run", refused["run"])]
    return "\n".join(f"{name:<10} {value}" for name, value in [*rows, ("next", found["next"])])
