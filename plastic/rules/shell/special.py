"""Commands that a row of the table cannot say, and the functions that judge them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

    Special = Callable[[Run, Call, State], None]

SPECIAL: dict[str, Special] = {}
