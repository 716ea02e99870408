"""What a session is told of itself: at its start, when a sub-agent starts, and when it pauses."""

from __future__ import annotations

from plastic.rules.gates.refusals import quoted
from plastic.words import one_line

MOST = 12  # lines of one context
WIDEST = 1000  # characters of one line
# Harnesses that name the session to their hooks and keep it from the shell of their model.
UNTOLD = ("gemini",)


class Holding:
    """One intent that a session holds, as far as its agent needs to know it."""

    __slots__ = ("dir", "id", "is_owner", "name", "next", "stage", "token", "tree")

    def __init__(
        self,
        id: str,
        name: str,
        *,
        stage: str,
        token: int,
        dir: str,
        tree: str,
        next: str,
        is_owner: bool,
    ) -> None:
        self.id = id
        self.name = name
        self.stage = stage
        self.token = token
        self.dir = dir
        self.tree = tree
        self.next = next
        self.is_owner = is_owner

    def head(self) -> str:
        """What it is, in one line."""
        who = "" if self.is_owner else " as its delegate"
        return f"you hold {self.name}{who}: stage {self.stage}, token {self.token}"

    def lines(self) -> list[str]:
        """All of it."""
        found = [self.head(), f"  documents: {self.dir}"]
        if self.tree:
            found.append(f"  worktree: {self.tree} (code is written there and nowhere else)")
        return [*found, f"  next: {self.next}"]

    def line(self) -> str:
        """All that fits in one line."""
        return f"{self.head()}; {self.tree or self.dir}; next: {self.next}"


def briefing(holdings: list[Holding], wrong: list[str], first: str = "") -> str:
    """At most twelve lines, "" when there is nothing to say; what is wrong is never left out
    for what is held. `first` is a line before all others.
    """
    begin = [first] if first else []
    most = MOST - len(begin)
    wrong = fitted([f"wrong: {one}" for one in wrong], MOST // 2 if holdings else most)
    room = most - len(wrong)
    held = [line for one in holdings for line in one.lines()]
    if len(held) > room:
        held = [one.line() for one in holdings]
    return text_of([*begin, *fitted(held, room), *wrong])


def text_of(lines: list[str]) -> str:
    """Lines as one text that says whose words these are."""
    if not lines:
        return ""
    return "plastic: " + "\n".join(one_line(one, WIDEST) for one in lines)


def fitted(lines: list[str], room: int) -> list[str]:
    """As many lines as there is room for; the last one then counts the others."""
    if len(lines) <= room:
        return lines
    return [*lines[: room - 1], f"and {len(lines) - room + 1} lines more; run: plastic list"]


def lost(name: str, id: str, new: str) -> str:
    """A lock that this session no longer holds."""
    return (
        f"{name} went to {one_line(new)}: this session writes nothing there any more; "
        f"run: plastic-lock status {quoted(id)}"
    )


def left_behind(name: str, id: str, old: str, new: str, token: int) -> str:
    """What a session that got another id by `clear` held before."""
    words = ("--from", old, "--to", new, "--token", str(token))
    command = " ".join(quoted(word) for word in ("plastic-lock", "transfer", id, *words))
    return (
        f"{name} is held by {one_line(old)}, which this session was before it was cleared; "
        f"a person takes it along, one minute after it was heard last; run: {command}"
    )


def untold(session: str) -> str:
    """Who the session is, where its shell does not know: a command could not tell it either."""
    return (
        "the shell of this harness does not say which session it runs in: "
        f"add --session {quoted(one_line(session))} to every plastic and plastic-lock command"
    )


def tree_gone(name: str, id: str) -> str:
    """A worktree that somebody removed."""
    return f"the worktree of {name} is gone; run: plastic start {quoted(id)}"


def end_begun(name: str, id: str, disposition: str) -> str:
    """An End that was cut short."""
    return f"the End of {name} was begun; run: plastic end {quoted(id)} --{disposition}"


def tainted(name: str, id: str, path: str) -> str:
    """Something was written past the gates."""
    what = one_line(path) if path else "something"
    return f"{what} was written past the gates of {name}; run: plastic-lock status {quoted(id)}"


def sub_agent(agent: str, session: str, holdings: list[Holding]) -> str:
    """What a sub-agent must know: who it is, where it writes, how it gets a document alone."""
    lines = [
        f"you are agent {one_line(agent)} of session {one_line(session)}, whose locks are yours too"
    ]
    shown = holdings[: (MOST - 3) // 2]
    for one in shown:
        claim = f"plastic-lock claim {quoted(one.id)} plan.md --delegate {quoted(agent)}"
        lines.append(one.line())
        lines.append(f"  to write one of its documents alone; run: {claim}")
    lines.append("what another agent has claimed is refused to you until it is given back")
    lines.append("only the main agent releases, transfers or ends; never give up a lock yourself")
    return text_of(lines[:MOST])


# What a pause finds: reason -> what is said to the person. Each is said once for an acquisition.
PAUSES: dict[str, str] = {
    "no-done": "{name} has its outcome but was not ended; run: plastic end {id} --{how} --dry-run",
    "held": "this session still holds {name} (stage {stage}): give it back when you leave it; run: "
    "plastic-lock release {id} --session {session}",
    "dirty": "{count} uncommitted in the worktree of {name}; run: git -C {tree} status",
    "more": "and {count} more things about held intents; run: plastic list",
    "not-committed": "the documents of {name} were not committed ({why}); run: plastic doctor",
}


def pause(reason: str, **fields: str) -> str:
    """The sentence for one reason; commands get their words quoted."""
    words = ("id", "tree", "session")
    safe = {key: quoted(value) if key in words else value for key, value in fields.items()}
    return PAUSES[reason].format_map(safe)
