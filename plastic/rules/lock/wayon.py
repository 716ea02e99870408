"""What a session can do about a lock as it is: the last line of `plastic-lock status`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def way_on(found: dict[str, Any]) -> str:
    """The next command, or whose turn it is, for the object that `status` prints."""
    id, state, lock = found["id"], found["lock_state"], found["lock"]
    if state == "none":
        return f"plastic start {id}"
    if lock is None:
        return f"plastic-lock fix {id}"
    owner = lock["owner_session"]
    if found["owner_is_me"]:
        return f"it is yours; alone with one document: plastic-lock claim {id} spec.md"
    if found["authorized"]:
        return f"you may write; {owner} may: plastic-lock release|transfer|delegate {id}"
    if state == "stale":
        return f"plastic-lock reclaim {id} --token {lock.get('token', 0)}"
    if state == "future":
        return f"plastic-lock fix {id} --observe"
    return f"plastic start {id} --wait"


def claim_line(id: str, claim: dict[str, Any]) -> str:
    """One claim, and how its holder gives it back."""
    holder = claim["delegate"] or claim["owner_session"] or "unknown"
    line = f"{claim['artifact']} by {holder}, {claim['state']}"
    if claim["state"] != "fresh":
        return line
    return f"{line}; given back by: plastic-lock release-claim {id} {claim['artifact']}"
