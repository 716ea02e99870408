"""Reads what the documents of one intent say; gates ask it for every write, so it loads little."""

from __future__ import annotations

from plastic.disk.files import names, read_text
from plastic.rules.intent.artifacts import has_box, has_heading, open_boxes, real
from plastic.rules.intent.names import split
from plastic.rules.intent.stages import INTENT_HEADING, Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Intent

LIMIT = 8 << 20  # bytes of one document


def document(path: str) -> str:
    """The text of one document; "" when it is absent or cannot be read, so never real."""
    try:
        return read_text(path, LIMIT) or ""
    except OSError:
        return ""


def facts_of(directory: str, name: str, own: str | None = None) -> Facts:
    """The facts of the intent `name` in `directory`; `own` is its intent file, if read already."""
    checklist = document(f"{directory}/checklist.md")
    return Facts(
        intent_heading=has_heading(
            document(f"{directory}/{name}.md") if own is None else own, INTENT_HEADING
        ),
        spec=real(document(f"{directory}/spec.md")),
        plan=real(document(f"{directory}/plan.md")),
        checklist=real(checklist) and has_box(checklist),
        action=any(real(document(path)) for path in actions(directory)),
        outcome=real(document(f"{directory}/outcome.md")),
        open_boxes=open_boxes(checklist),
    )


def facts_for(intent: Intent, artifact: str) -> Facts:
    """What the documents say, as far as it decides about `artifact` ("code": repository code)."""
    found = Facts()
    where = intent.dir
    if artifact == "spec.md":
        own = document(f"{where}/{intent.name}.md")
        found.intent_heading = has_heading(own, INTENT_HEADING)
    elif artifact == "outcome.md":
        found.open_boxes = open_boxes(document(f"{where}/checklist.md"))
    elif artifact == "plan.md" or artifact.startswith("actions/"):
        found.spec = real(document(f"{where}/spec.md"))
    else:
        found.plan = real(document(f"{where}/plan.md"))
        found.action = any(real(document(path)) for path in actions(where))
        if artifact == "code":
            boxes = document(f"{where}/checklist.md")
            found.checklist = real(boxes) and has_box(boxes)
    return found


def actions(directory: str) -> list[str]:
    """The action documents that are there, real or not."""
    folder = f"{directory}/actions"
    try:
        found = names(folder)
    except OSError:
        return []
    return [f"{folder}/{name}" for name in found if name.endswith(".md") and name[0] != "."]


def title_of(text: str, name: str) -> str:
    """The title that an intent file gives, else the words of the directory's name."""
    from plastic.rules.intent.intentfile import frontmatter  # gates come here for other things

    said = (frontmatter(text) or {}).get("intent")
    if isinstance(said, str) and said.strip():
        return " ".join(said.split())
    parts = split(name)
    return (parts[1] if parts else name).replace("-", " ")
