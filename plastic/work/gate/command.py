"""What one shell command does, as far as it could be read."""

from __future__ import annotations

import sys

from plastic.disk.journal import note
from plastic.disk.seen import first
from plastic.rules.gates.refusals import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.rules.shell.links import Made
    from plastic.words import Change, ToolUse


class Shell:
    """`changes` are certain writes, for the gates; the rest is for the opaque rule.

    `text` is the command and `cwd` where it starts ("" = unknown), as files can be asked for them;
    `opaque` are reasons why it may write more, `mentions` the paths that this could be about,
    `raw` the texts that nobody has read, `links` what texts that it runs link, `trouble` what
    is wrong with the parser.
    """

    __slots__ = ("changes", "cwd", "links", "mentions", "opaque", "raw", "text", "trouble")

    def __init__(self, text: str = "", cwd: str = "") -> None:
        self.text = text
        self.cwd = cwd
        self.changes: list[Change] = []
        self.opaque: list[str] = []
        self.mentions: list[str] = []
        self.raw: list[str] = []
        self.links: tuple[Made, ...] = ()
        self.trouble = ""

    def notes(self, home: Home, session: str, use: ToolUse) -> list[str]:
        """What is to be said of a parser that does not work, once a session."""
        if not self.trouble or not first(home, f"no parser\0{session}"):
            return []
        note(home, "broken", hook=use.harness, session=session, gate="shell", error=self.trouble)
        what = f"plastic: shell commands are judged by their words only ({self.trouble})"
        return [f"{what}; run: {quoted(sys.executable)} -m pip install shfmt-py"]
