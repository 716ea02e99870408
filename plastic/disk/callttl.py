"""A lock's ttl while a long tool call runs: raised before the call, restored by the next event."""

from __future__ import annotations

import posix

from plastic.disk.files import replace
from plastic.disk.lockfile import GUARD, look, try_guard
from plastic.disk.paths import parent_of
from plastic.quickjson import dumps
from plastic.rules.lock.lease import call_ttl, ttl_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from plastic.words import LockView

KEPT = "ttl_before_call"  # what the lock says again after the call


def set_ttl(view: LockView, timeout: float | None) -> bool:
    """Make the ttl outlast a call with this stated timeout, or restore the lock's own.

    Under the intent's guard, tried once, and only for the acquisition that `view` shows. False
    when it had to be skipped; the next event tries again.
    """
    guard = try_guard(f"{parent_of(view.path)}/{GUARD}")
    if guard is None:
        return False
    try:
        now = look(view.path).lock
        if now is None or view.lock is None:
            return False
        if now.acq != view.lock.acq or now.owner != view.lock.owner:
            return False
        replace(view.path, _pretty(_changed(now.raw, timeout)))
    except OSError:
        return False
    finally:
        posix.close(guard)
    return True


def _changed(raw: dict[str, Any], timeout: float | None) -> dict[str, Any]:
    """The lock's object with the ttl of this moment; a ttl that was never written stays away."""
    out = dict(raw)
    own = out.pop(KEPT) if KEPT in out else out.get("ttl")
    long = call_ttl(timeout, ttl_of(own))
    if long > ttl_of(own):
        out["ttl"] = int(long)
        out[KEPT] = own
    elif own is None:
        out.pop("ttl", None)
    else:
        out["ttl"] = own
    return out


def _pretty(raw: dict[str, Any]) -> bytes:
    """One key a line, as the commands write a lock."""
    lines = [f"  {dumps(key)}: {dumps(value)}" for key, value in raw.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
