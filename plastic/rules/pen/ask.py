"""What a command asks of the pen, and the two answers it may get."""

from __future__ import annotations

from typing import NamedTuple


class Ask(NamedTuple):
    """One command: who, what and when, and what the caller has looked up for the guards."""

    verb: str  # a row of the table
    actor: str
    now: int
    to: str = ""
    reason: str = ""
    # The instance that the caller says it is: what a claim gave it.
    pen_id: str = ""
    epoch: int | None = None
    # What is given to a window that opens.
    nonce: str = "00000000"
    session: str = ""
    # What the caller knows.
    seen: tuple[str, ...] | None = None  # `identity` of the block before the lock was taken
    unread: int = 0  # the newest turn to the actor that it has not read; 0 for none
    alive: str = ""  # when another program last saw the holder of an expired pen at work
    task: int = 0  # an open task of the actor; 0 for none
    request: str = ""  # open, closed or missing: the state of the request that is answered
    is_forced: bool = False
    is_other: bool = False  # another session of the same name opened the window
    is_person: bool = False
    scope: str = ""
    until: str = ""  # of a cooldown
    whom: str = ""  # whose cooldown; the target of a request
    name: str = ""  # the agent that joins


class Move(NamedTuple):
    """The values that the block gets (None: the line goes), and the event of the ledger."""

    before: str
    state: str
    changes: dict[str, str | None]
    event: str


class No:
    """A refusal by its code, with what its sentence names."""

    __slots__ = ("code", "facts")

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.facts = {key: str(value) for key, value in facts.items()}
