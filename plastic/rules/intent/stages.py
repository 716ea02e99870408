"""Which stage an intent has reached, and what is missing before the next document."""

from __future__ import annotations

INTENT_HEADING = "## Intent"
STAGES = ("what", "why", "how", "exec", "done")
# Artifact -> what must be there before it may be written (outcome.md: see `missing_for`).
NEEDS: dict[str, tuple[str, ...]] = {
    "spec.md": ("intent_heading",),
    "plan.md": ("spec",),
    "actions/": ("spec",),
    "checklist.md": ("plan", "action"),
}
CODE_NEEDS = ("plan", "checklist", "action")
WORDS: dict[str, str] = {
    "intent_heading": f"`{INTENT_HEADING}` in the intent file",
    "spec": "a real spec.md",
    "plan": "a real plan.md",
    "checklist": "a real checklist.md with at least one box",
    "action": "a real action, actions/ACTION_1.md",
    "outcome": "a real outcome.md",
}


class Facts:
    """What the documents of one intent say: each flag is True when that document is real."""

    __slots__ = ("action", "checklist", "intent_heading", "open_boxes", "outcome", "plan", "spec")

    def __init__(
        self,
        *,
        intent_heading: bool = False,
        spec: bool = False,
        plan: bool = False,
        checklist: bool = False,
        action: bool = False,
        outcome: bool = False,
        open_boxes: int = 0,
    ) -> None:
        self.intent_heading = intent_heading
        self.spec = spec
        self.plan = plan
        self.checklist = checklist
        self.action = action
        self.outcome = outcome
        self.open_boxes = open_boxes

    def has(self, fact: str) -> bool:
        """The flag called `fact`."""
        return bool(getattr(self, fact))


def stage(facts: Facts) -> str:
    """The stage that the documents prove."""
    if facts.outcome:
        return "done"
    if all(facts.has(fact) for fact in CODE_NEEDS):
        return "exec"
    if facts.spec:
        return "how"
    return "why" if facts.intent_heading else "what"


def _lacking(needs: tuple[str, ...], facts: Facts) -> str | None:
    lacking = [WORDS[fact] for fact in needs if not facts.has(fact)]
    return " and ".join(lacking) if lacking else None


def missing_for(artifact: str, facts: Facts) -> str | None:
    """What is missing before `artifact` (`spec.md`, `actions/X`) may be written; None = nothing.

    For outcome.md the caller lets an abandoned one pass: only a delivery needs its boxes ticked.
    """
    if artifact == "outcome.md":
        if facts.open_boxes == 0:
            return None
        boxes = "box" if facts.open_boxes == 1 else "boxes"
        return f"a tick in {facts.open_boxes} open {boxes} of checklist.md"
    key = "actions/" if artifact.startswith("actions/") else artifact
    return _lacking(NEEDS.get(key, ()), facts)


def code_open(facts: Facts) -> str | None:
    """What is missing before code may be written; None = the code is open."""
    return _lacking(CODE_NEEDS, facts)


def next_step(facts: Facts) -> str:
    """The next thing to write, in words for people and agents."""
    if facts.outcome:
        return "end it: plastic end --delivered, or --abandoned"
    for fact in ("intent_heading", "spec", "plan", "action", "checklist"):
        if not facts.has(fact):
            return f"write {WORDS[fact]}"
    if facts.open_boxes:
        boxes = "box" if facts.open_boxes == 1 else "boxes"
        return f"work in the worktree; {facts.open_boxes} open {boxes} in checklist.md"
    return f"write {WORDS['outcome']}"
