"""The gate `pen`: who is bound to an agent of a tree writes there with the pen in its hand.

Hot, but loaded only where a pen file is there. The block at the top of the file is all that is
read of it, however long the journal is.
"""

from __future__ import annotations

from plastic.disk.paths import is_below
from plastic.disk.penfile import HEAD, head
from plastic.disk.penplace import Place, form_of
from plastic.rules.pen.block import faults, holder, instance, is_stale, split
from plastic.work.gate.admit import refuse, soften
from plastic.work.pen.foreign import bound, is_others

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.pen.block import Pen
    from plastic.words import Verdict
    from plastic.work.gate.sight import Sight, Written


def pen(sight: Sight, written: Written, folder: str, common: str) -> Verdict | None:
    """A bound session writes with the pen in its hand; every other is told who has it."""
    place = Place(folder, common, form_of(_names(sight)))
    text = head(place.file)
    if text is None:
        return None  # no file that anybody could read: `plastic pen status` says what it is
    block = split(text, place.form)
    mine = bound(place, sight.session)
    me = str(mine.get("agent") or "")
    fields: dict[str, object] = {"path": written.path, "tree": folder, "me": me or "-"}
    if block is None or faults(block):
        # What is not in its first part may stand further down: only a whole look is a proof.
        is_proof = me and (block is not None or len(text) < HEAD)
        verdict = refuse("pen", "pen-corrupt", fields, who="unknown (corrupt block)")
        return verdict if is_proof else soften(verdict, "this session is not bound to the pen")
    code = _why(place, block, me, mine.get("pen_id", ""), sight)
    if code is None:
        return _by_hand(place, written, fields)
    fields |= {"holder": holder(block) or "nobody", "state": block.get("state")}
    who = holder(block) if code in ("pen-held", "pen-instance") else "none"
    verdict = refuse("pen", code, fields, who=who, since=block.get("since"))
    if me:
        return verdict
    if code == "pen-held":
        return soften(verdict, "this session is not bound to the pen")
    return _by_hand(place, written, fields)


def _why(place: Place, block: Pen, me: str, opened: str, sight: Sight) -> str | None:
    """The code of the reason why `me` may not write here; None when it may."""
    if not me or holder(block) != me:
        return "pen-held" if holder(block) else "pen-closed" if block.kind != "IDLE" else "pen-free"
    if block.kind != "WORKING" or is_stale(block, int(sight.now)):
        return "pen-free"
    current = instance(block)
    if not current or current == opened:
        return None
    return "pen-instance" if is_others(place, sight.session, current) else None


def _by_hand(place: Place, written: Written, fields: dict[str, object]) -> Verdict | None:
    """The format allows an edit by hand; an agent that makes one hears of the command."""
    stem = place.path.removesuffix(".md")
    is_ours = written.path in (place.path, place.file) or written.path.startswith(stem + ".")
    if not is_ours and not is_below(written.path, place.hidden):
        return None
    return soften(refuse("pen", "pen-file", fields, who="none"), "the format allows it")


def _names(sight: Sight) -> dict[str, str]:
    return {name: sight.variable(name) for name in ("PLASTIC_PEN", "PLASTIC_PEN_MARK")}
