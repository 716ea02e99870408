"""Calls people: by commands of their own, the status on stdin, and on the desktop there is."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from plastic.disk.process import run
from plastic.disk.projects import settings
from plastic.words import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from plastic.disk.home import Home

PATIENCE = 60.0  # seconds for one command
DESKTOP = 5.0
# AppleScript that takes its words as arguments: a title never becomes code.
_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


def alert(home: Home, found: dict[str, Any], text: str, say: Callable[[str], None]) -> None:
    """Tell that a relay is done, or needs somebody. What fails is said, and stops nothing."""
    when = "on_done" if found["reason"] == "done" else "on_attention"
    try:
        lines = (settings(home).get("relay") or {}).get(when) or []
    except Refusal as refusal:
        say(f"relay: {when} was not run: {refusal.reason}; run: {refusal.run}")
        lines = []
    data = (json.dumps(found) + "\n").encode()
    where = found["cwd"] if os.path.isdir(found["cwd"]) else home.root
    for line in lines:
        done = run(["/bin/sh", "-c", line], where, timeout=PATIENCE, stdin=data)
        if done.rc:
            said = done.tail(1) or "it said nothing"
            say(f"relay: {when}: {line} ended with {done.rc}: {said}")
    words = desktop(os.environ, "plastic relay", text)
    if words:
        run(words, where, timeout=DESKTOP)


def desktop(env: Mapping[str, str], title: str, text: str) -> list[str]:
    """The command that shows a notification; nothing where nobody would see it."""
    if sys.platform == "darwin" and _has("osascript", env) and not env.get("SSH_CONNECTION"):
        parts = [word for line in _SCRIPT for word in ("-e", line)]
        return ["osascript", *parts, title, text]
    if _has("notify-send", env) and (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        return ["notify-send", "--app-name=plastic", "--", title, text]
    return []


def _has(name: str, env: Mapping[str, str]) -> bool:
    """Whether a program of this name would be found."""
    return any(os.access(f"{one}/{name}", os.X_OK) for one in os.get_exec_path(dict(env)))
