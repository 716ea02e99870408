"""The file of ours in a plugin folder: it names Python and gate, and loads the bridge beside it.

The bridge (hooks/opencode.mjs, hooks/pi.mjs) stays where plastic is installed, so that an upgrade
of plastic is an upgrade of the bridge. Without it, or without the gate, every tool runs.
"""

from __future__ import annotations

import json
from typing import NamedTuple
from urllib.parse import quote

from plastic.harness.entry import ABSENT, CHANGED, INSTALLED, OTHER, command, parts
from plastic.harness.jsontext import JsonError
from plastic.harness.seal import is_unchanged, sealed

_TEXT = """\
// plastic: gates for __TITLE__. `plastic uninstall __HARNESS__` takes this file away.
const where = {
  python: __PYTHON__,
  gate: __GATE__,
  strict: __STRICT__,
};

async function bridge() {
  try {
    return await import(__BRIDGE__);
  } catch {
    return null;
  }
}

__EXPORT__
"""


class NotOurs(JsonError):
    """Something else than our text lies in our place."""


class Plugin(NamedTuple):
    """The plugin file of one harness, by the same four functions as the settings of the others."""

    harness: str
    title: str
    export: str

    def command(self, python: str, gate: str) -> str:
        """The command that the plugin starts for every event."""
        return command(python, gate, self.harness)

    def text(self, line: str, *, strict: bool) -> str:
        """The whole file."""
        python, gate = parts(line)
        bridge = f"{gate.rpartition('/')[0]}/{self.harness}.mjs"
        values = {
            "TITLE": self.title,
            "HARNESS": self.harness,
            "PYTHON": json.dumps(python),
            "GATE": json.dumps(gate),
            "STRICT": json.dumps(strict),
            "BRIDGE": json.dumps("file://" + quote(bridge)),
            "EXPORT": self.export.strip(),
        }
        text = _TEXT
        for name, value in values.items():
            text = text.replace(f"__{name}__", value)
        return sealed(text, "js")

    def state(self, text: str | None, line: str, *, strict: bool) -> str:
        """Whether the file is ours as it should be, ours of another time or place, or not there."""
        if text is None:
            return ABSENT
        if text == self.text(line, strict=strict):
            return INSTALLED
        return OTHER if is_unchanged(text, "js") else CHANGED

    def installed(self, text: str | None, line: str, *, strict: bool) -> str:
        """The file; NotOurs when somebody changed it or it is only half there."""
        if text is not None and not is_unchanged(text, "js"):
            raise NotOurs(text, 0, "this file is not as `plastic install` wrote it")
        return self.text(line, strict=strict)

    def removed(self, text: str) -> str | None:
        """None: the file goes. Somebody's own text stays."""
        return None if is_unchanged(text, "js") else text
