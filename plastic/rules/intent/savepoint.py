"""Lines of savepoint.md: `time  Stage  milestone`, two blanks between, newest at the bottom."""

from __future__ import annotations

# What a document's landing is worth in the ledger: artifact -> its lines, in order.
LANDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "spec.md": (("Why", "spec.md created"),),
    "plan.md": (("How", "plan.md created"),),
    "checklist.md": (("How", "checklist.md created"), ("Exec", "started")),
    "outcome.md": (("Exec", "outcome.md created"),),
}
# What the first write of a document that is not real yet begins.
STARTED: dict[str, tuple[str, str]] = {"spec.md": ("Why", "started"), "plan.md": ("How", "started")}
# Audits repeat: who took over twice, or stopped twice, is recorded twice.
REPEATED = ("Lock", "Relay")


def _one_line(text: str) -> str:
    """Words joined by single blanks: two would end the field, a line end the line."""
    return " ".join("".join(" " if ord(one) < 32 else one for one in text).split())


def line(when: str, stage: str, milestone: str) -> str:
    """One ledger line, with its end."""
    return f"{_one_line(when)}  {_one_line(stage)}  {_one_line(milestone)}\n"


def parse_line(text: str) -> tuple[str, str, str] | None:
    """Time, stage and milestone of one line; None when it has not three fields."""
    fields = [part.strip() for part in text.strip().replace("\t", "  ").split("  ")]
    fields = [part for part in fields if part]
    if len(fields) < 3:
        return None
    return fields[0], fields[1], "  ".join(fields[2:])


def parse(text: str) -> list[tuple[str, str, str]]:
    """The (time, stage, milestone) of every line that has these three fields."""
    parsed = [parse_line(one) for one in text.replace("\r", "\n").split("\n")]
    return [one for one in parsed if one is not None]


def has(text: str, stage: str, milestone: str) -> bool:
    """Whether the pair (stage, milestone) is recorded."""
    wanted = (_one_line(stage), _one_line(milestone))
    return any((one[1], one[2]) == wanted for one in parse(text))


def to_record(text: str, artifact: str, *, real: bool) -> list[tuple[str, str]]:
    """The pairs that a write of `artifact` adds to a ledger: its start, or its landing."""
    if real:
        pairs = LANDINGS.get(artifact, ())
    else:
        pairs = (STARTED[artifact],) if artifact in STARTED else ()
    return [pair for pair in pairs if not has(text, *pair)]
