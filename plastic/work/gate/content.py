"""The gates that judge the RESULT of a write to an intent file: links and create."""

from __future__ import annotations

from plastic.rules.gates.refusals import refuse
from plastic.rules.intent.intentfile import errors
from plastic.rules.intent.links import verdict as links_verdict
from plastic.work.gate.admit import fields_of, holder
from plastic.work.gate.confine import switched
from plastic.work.gate.result import result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Intent, Verdict
    from plastic.work.gate.sight import Sight, Written


def links(sight: Sight, written: Written, *, anew: bool = False) -> Verdict | None:
    """`## Links` is a projection of the front matter; `anew` judges what stood there before too."""
    intent = written.intent
    if intent is None or not written.is_intent_file:
        return None
    before, after = result(written)
    if anew:
        before = None
    why = None if after is None else links_verdict(before, after)
    return None if why is None else _refused(sight, written, intent, "links", why)


def create(sight: Sight, written: Written) -> Verdict | None:
    """An intent file is valid after every write of it."""
    intent = written.intent
    if intent is None or not written.is_intent_file:
        return None
    before, after = result(written)
    if after is not None:
        wrong = errors(after, intent.name)
    else:
        wrong = [] if before is not None else ["there is no file, and its content is not shown"]
    if not wrong:
        return None
    return _refused(sight, written, intent, "invalid", "; ".join(wrong), new=before is None)


def _refused(
    sight: Sight, written: Written, intent: Intent, code: str, why: str, *, new: bool = False
) -> Verdict | None:
    fields = {**fields_of(intent, written.path), "why": why}
    if new:
        code = "invalid-new"
        fields["slug"] = intent.slug
        fields["title"] = intent.slug.replace("-", " ").capitalize()
        store = "--global" if intent.project is None else f"--project {intent.project}"
        fields["store"] = store
    who, since = holder(sight.grip(intent).view)
    gate = "links" if code == "links" else "create"
    return switched(sight, intent.project, refuse(gate, code, fields, who=who, since=since))
