"""Advice for harnesses that tell their agent nothing before a tool: kept, and said behind it."""

from __future__ import annotations

from plastic.disk.trail import is_kept, keep, take
from plastic.rules.gates.table import AFTER
from plastic.words import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.work.gate.sight import Sight


def later(sight: Sight, found: Verdict) -> Verdict:
    """The verdict that can be delivered now: it lacks what is kept, or has what was."""
    use, call = sight.use, f"advice\0{sight.call}"
    if not use.fits:
        return found  # the universal answer tells nobody: its twin keeps what there is
    if use.event == "pre" and found.kind == "advise":
        keep(sight.home, sight.session, call, {"text": found.text()})
    elif use.event in AFTER and found.kind != "deny" and is_kept(sight.home, sight.session, call):
        text = (take(sight.home, sight.session, call) or {}).get("text")
        if isinstance(text, str):
            more = [found.text()] if found.kind == "advise" else []
            reason = "\n".join(dict.fromkeys([text, *more]))
            return Verdict("advise", reason=reason, notes=found.notes, context=found.context)
    return found
