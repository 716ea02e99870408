"""What a file will say after a write, as far as the call tells it."""

from __future__ import annotations

from plastic.disk.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.work.gate.sight import Written


def result(written: Written) -> tuple[str | None, str | None]:
    """The text before and after the write; None before = no file, None after = cannot be known."""
    try:
        before = read_text(written.path)
    except OSError:
        before = None
    change = written.change
    if change.content is not None:
        return before, change.content
    if not change.edits:
        return before, None
    text = before if before is not None else ""
    for old, new, everywhere in change.edits:
        if old == "" and text == "":
            text = new
            continue
        if old not in text and "\r\n" in text:
            text = text.replace("\r\n", "\n")
        if old == "" or old not in text:
            return before, None  # the tool fails by itself
        text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
    return before, text
