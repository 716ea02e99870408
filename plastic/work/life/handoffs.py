"""What the session before left for this one: told at its start, to one session, once."""

from __future__ import annotations

import posix

from plastic.disk.paths import real
from plastic.disk.relay.left import take
from plastic.words import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.work.gate.sight import Sight

MOST = 6000  # characters that a context takes; the rest is read from the file
GOES_ON = ("resume", "compact")  # the same conversation as before


def handed(sight: Sight) -> list[str]:
    """Each hand-off that waits in this repository; a child of a relay has its own."""
    use = sight.use
    if (
        not use.fits
        or use.source in GOES_ON
        or use.agent != "main"
        or posix.environ.get(b"RELAY_ID")
    ):
        return []
    repo = sight.repo(use.cwd)
    key = repo[1] if repo is not None else real(use.cwd)
    return [_told(*one) for one in take(sight.home.root, key, sight.session)]


def _told(session: str, text: str, path: str) -> str:
    who = f" by session {one_line(session)}" if session else ""
    rest = f"\n(the rest is in {path})" if len(text) > MOST else ""
    return f"plastic: a hand-off was left here{who}; go on from it:\n{text[:MOST]}{rest}"
