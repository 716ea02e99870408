"""Everything about one intent's lock in one object: what `plastic-lock status` prints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk import held
from plastic.disk.clock import both
from plastic.disk.journal import tail
from plastic.disk.lockfile import look, look_claims
from plastic.quickjson import loads
from plastic.rules.lock.delegates import delegates_shown
from plastic.rules.lock.lease import TTL
from plastic.rules.lock.solo import REASONS, why_not
from plastic.rules.lock.wayon import claim_line, way_on
from plastic.work.end.tainted import line, taints
from plastic.work.intent.intents import describe
from plastic.work.lock.bridge import look as look_bridge
from plastic.work.lock.verb import caller_for, local_now, seen

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Claim, Intent

TAIL_ROWS = 10
TAIL_BYTES = 64 * 1024


def status(home: Home, intent: Intent, caller: Caller) -> dict[str, Any]:
    """The intent's object and what this session may do with it; reads only."""
    who = caller_for(home, intent, caller)
    view = seen(intent)
    lock = view.lock
    found = describe(home, intent)
    found |= {
        "session": {"id": who.session, "source": who.source},
        "owner_is_me": lock is not None and lock.owner == who.session,
        "authorized": lock is not None and lock.authorizes(who.session),
        "heartbeat_age_s": round(view.age, 1) if view.age is not None else None,
        "solo": solo(home, who.session),
        "bridge": look_bridge(intent, who.session, view),
        "claims": [
            _claim(one)
            for one in look_claims(intent.dir, lock.ttl if lock is not None else TTL, local_now())
        ],
        "delegates": delegates_shown(lock.raw) if lock is not None else [],
        "taints": taints(home, intent),
        "journal_tail": journal_tail(home, intent),
        "warnings": warnings(home, intent, who),
    }
    return found


def solo(home: Home, session: str) -> dict[str, Any]:
    """Whether the session works alone, and why not."""
    from plastic.disk.compiled import load
    from plastic.disk.paths import real
    from plastic.work.pen.foreign import foreign

    views = [look(path) for path in held.lock_paths(home)]
    trees = [project.path for project in load(home).projects.values()]
    others = [foreign(real(one), session, os.environ) for one in trees]
    reason = why_not(
        views,
        session,
        complete=held.is_complete(home),
        foreign_pen=any(one is not None and one.is_fresh for one in others),
    )
    return {"value": reason is None, "reason": reason}


def _claim(one: Claim) -> dict[str, str | None]:
    return {
        "artifact": one.artifact,
        "owner_session": one.owner or None,
        "delegate": one.delegate,
        "acquired_at": one.acquired_at or None,
        "state": one.state,
    }


def warnings(home: Home, intent: Intent, who: Caller) -> list[str]:
    """What a person should know: a shared key, a configuration that does not hold."""
    from plastic.disk.compiled import load
    from plastic.disk.troubles import line_about

    found = []
    view = seen(intent)
    if view.lock is not None and view.lock.owner.startswith("auto-"):
        found.append("the owner is a derived key, which every process without a session shares")
    if who.is_derived:
        found.append(f"this session is a derived key ({who.session}): it is not exclusive")
    config = load(home)
    found += config.errors
    broken = line_about(home)
    if broken is not None:
        found.append(broken)
    return found


def journal_tail(home: Home, intent: Intent) -> list[dict[str, Any]]:
    """The newest rows of the journal about this intent."""
    rows: list[dict[str, Any]] = []
    for data in reversed(tail(home.log, TAIL_BYTES).split(b"\n")):
        if len(rows) == TAIL_ROWS:
            break
        try:
            row = loads(data)
        except ValueError:
            continue
        if isinstance(row, dict) and row.get("intent") in (intent.id, intent.name):
            rows.append(row)
    return rows[::-1]


def text(found: dict[str, Any]) -> str:
    """The object for people."""
    lock = found["lock"] or {}
    rows = [
        ("intent", f"{found['id']}--{found['slug']}  {found['title']}"),
        ("stage", f"{found['section'] or '?'}, {found['stage']}"),
        ("lock", _lock_line(found)),
        ("token", str(lock.get("token", 0)) if lock else "none"),
        ("session", f"{found['session']['id']} ({found['session']['source']})"),
        ("you may", "write" if found["authorized"] else "read"),
        ("solo", _solo_line(found["solo"])),
        ("documents", found["dir"]),
        ("worktree", _tree_line(found["worktree"])),
    ]
    rows += [("claim", claim_line(found["id"], one)) for one in found["claims"]]
    rows += [("delegate", f"{one['session']}, {one.get('status')}") for one in found["delegates"]]
    rows += [("taint", line(one)) for one in found["taints"]]
    rows += [("warning", one) for one in found["warnings"]]
    rows.append(("next", way_on(found)))
    return "\n".join(f"{name:<10} {value}" for name, value in rows)


def _lock_line(found: dict[str, Any]) -> str:
    lock = found["lock"]
    if lock is None:
        return str(found["lock_state"])
    me = " (this session)" if found["owner_is_me"] else ""
    view = look(f"{found['dir']}/delivery.lock")
    heard = both(view.heartbeat) if view.heartbeat is not None else "never"
    return f"{found['lock_state']}, owner {lock['owner_session']}{me}, last heard {heard}"


def _tree_line(tree: object) -> str:
    path = tree.get("path") if isinstance(tree, dict) else None
    return path if isinstance(path, str) else "none"


def _solo_line(value: dict[str, Any]) -> str:
    return "yes" if value["value"] else f"no: {REASONS.get(value['reason'], value['reason'])}"
