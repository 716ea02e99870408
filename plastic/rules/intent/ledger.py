"""What the savepoint ledger proves: where an intent stands, and which lines are phantoms."""

from __future__ import annotations

from plastic.rules.intent.savepoint import LANDINGS, REPEATED, line, parse_line
from plastic.rules.intent.stages import Facts, stage

LIFECYCLE = ("What", "Why", "How", "Exec", "Done")
STATIONS = ("what", "why", "how", "exec", "end", "done")
# A pair that says a stage began -> the document that must be real for it.
_BEGINS = {("How", "started"): "spec.md", ("Exec", "started"): "checklist.md"}
_FACT_OF = {"spec.md": "spec", "plan.md": "plan", "checklist.md": "checklist"}
_LANDED = {pair: artifact for artifact, pairs in LANDINGS.items() for pair in pairs}
Row = tuple[str, str, str]


def last(rows: list[Row]) -> Row | None:
    """The last line that speaks of the lifecycle: audits of the lock are passed over."""
    return next((row for row in reversed(rows) if row[1] in LIFECYCLE), None)


def station(rows: list[Row], facts: Facts) -> str:
    """Where the work goes on: one of STATIONS.

    The documents decide: a ledger that claims more (a file was lost) or less (a line was lost)
    is outvoted. Only the ledger knows whether a written outcome has been through the End tail.
    """
    proven = stage(facts)
    if proven != "done":
        return proven
    row = last(rows)
    return "done" if row is not None and row[1] == "Done" else "end"


def is_behind(rows: list[Row], facts: Facts) -> bool:
    """Whether the ledger claims something that the documents do not bear out."""
    return any(_unproven(row, facts) for row in rows)


def _unproven(row: Row, facts: Facts) -> bool:
    pair = (row[1], row[2])
    artifact = _BEGINS.get(pair) or _LANDED.get(pair)
    if artifact is None:
        return False
    if artifact == "outcome.md":
        return not facts.outcome
    return not facts.has(_FACT_OF[artifact])


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def phantoms(text: str, facts: Facts) -> list[str]:
    """The lines that are not true: a landing without its document, a start without what it
    needs, and the later of two equal pairs (case 9.8/162)."""
    found = []
    seen: set[tuple[str, str]] = set()
    for one in _lines(text):
        row = parse_line(one)
        if row is None:
            continue
        pair = (row[1], row[2])
        if _unproven(row, facts) or (pair in seen and row[1] not in REPEATED):
            found.append(one)
        seen.add(pair)
    return found


def rebuild(text: str, facts: Facts, landed: dict[str, str]) -> str:
    """The ledger without its phantoms and with the landings it lacks.

    `landed` is the time (ISO) at which each real document was written. Whatever cannot be derived
    from documents (starts, takeovers, Done, people's notes) stays where it is.
    """
    kept: list[str] = []
    seen: set[tuple[str, str]] = set()
    for one in _lines(text):
        row = parse_line(one)
        pair = (row[1], row[2]) if row is not None else ("", "")
        if row is not None:
            if _unproven(row, facts) or (pair in seen and row[1] not in REPEATED):
                continue
            seen.add(pair)
        kept.append(one)
    for artifact, pairs in LANDINGS.items():
        when = landed.get(artifact)
        if when is None:
            continue
        for pair in pairs:
            row = (when, *pair)
            if pair not in seen and not _unproven(row, facts):
                kept.insert(_place(kept, when), line(*row).rstrip("\n"))
    return "".join(f"{one}\n" for one in kept)


def _place(lines: list[str], when: str) -> int:
    """Before the first line that is later; ISO times in UTC sort as text."""
    for number, one in enumerate(lines):
        row = parse_line(one)
        if row is not None and row[0] > when:
            return number
    return len(lines)
