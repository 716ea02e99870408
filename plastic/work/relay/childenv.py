"""The environment of a child: nothing of the session that started the relay, and who it is."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from plastic.disk.session import VARIABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plastic.harness.agents.shape import Adapter, Launch

# A program that is started inside another agent takes these for its own.
INHERITED = ("CLAUDECODE", "CLAUDE_CODE_", "CODEX_SANDBOX", "GEMINI_CLI", "CURSOR_AGENT", "RELAY_")


def new_token() -> str:
    """What a child shows to signal: good for one turn."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is kept of it."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def child_env(
    env: Mapping[str, str], adapter: Adapter, launch: Launch, relay: str, token: str, session: str
) -> dict[str, str]:
    """The whole environment of one child."""
    kept = {
        key: value
        for key, value in env.items()
        if key not in VARIABLES and not key.startswith(INHERITED)
    }
    kept["RELAY_ID"], kept["RELAY_TOKEN"] = relay, token
    if adapter.caps.chooses_session:  # else the program has an id of its own, which comes later
        kept["PLASTIC_SESSION"] = session
    for key, value in launch.env.items():
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value
    return kept
