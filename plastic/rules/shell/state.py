"""What a shell knows at one point of a text: directories, variables, parameters."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.worlds import common, either, merged, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.worlds import Directories, Value, World


class State:
    """The shell here. `cwds` are the directories it may be in, None among them = any.

    A variable is a text with marks, or a tuple of them for an array; missing = not known. `args`
    None = the positional parameters are not known. `dead` = this place is not reached. `strict`:
    what fails ends it; `physical`: `cd` goes where links lead, and forgets them.

    Where two ways have left different values, `worlds` has what belongs together, and `values` that
    nothing is known; `apart` gives a shell for each. `won` and `lost` are the shell if the last
    statement has succeeded or failed, None = as it is; `sure` = it is taken to succeed.
    """

    __slots__ = (
        "args",
        "base",
        "cwds",
        "dead",
        "dirs",
        "exported",
        "lost",
        "old",
        "physical",
        "strict",
        "sure",
        "values",
        "won",
        "worlds",
        "zero",
    )

    def __init__(self, cwds: Directories, base: dict[str, str]) -> None:
        self.cwds = cwds
        self.base = base
        self.values: dict[str, Value] = {}
        self.worlds: tuple[World, ...] = ()
        self.args: tuple[str, ...] | None = None
        self.zero = ANY
        self.dirs: tuple[Directories, ...] = ()
        self.old: Directories = (None,)
        self.dead = False
        self.exported: frozenset[str] = frozenset()
        self.strict = False
        self.physical = False
        self.won: State | None = None
        self.lost: State | None = None
        self.sure = False

    def copy(self) -> State:
        """The same shell; how the last statement ended does not go along."""
        made = State(self.cwds, self.base)
        made.become(self)
        made.values = dict(self.values)
        made.zero = self.zero
        return made

    def become(self, other: State) -> None:
        """Go on as the other."""
        self.cwds = other.cwds
        self.values = other.values
        self.worlds = other.worlds
        self.args = other.args
        self.dirs = other.dirs
        self.old = other.old
        self.dead = other.dead
        self.exported = other.exported
        self.strict = other.strict
        self.physical = other.physical
        self.end(None, None)

    def join(self, other: State) -> None:
        """Go on as either of the two."""
        self.end(None, None)
        if other.dead:
            return
        if self.dead:
            self.become(other)
            return
        self.cwds = either(self.cwds, other.cwds)
        self.old = either(self.old, other.old)
        if self.dirs != other.dirs:
            self.dirs = ()
        self.exported |= other.exported
        if self.args != other.args:
            self.args = None
        if self.worlds != other.worlds or self.values != other.values:
            self._join_values(other)

    def _join_values(self, other: State) -> None:
        names = {*self.values, *other.values}
        found = [name for name in names if self.get(name) != other.get(name)]
        if not found and self.worlds == other.worlds:
            return
        known, self.worlds = merged(self.get, self.worlds, other.get, other.worlds, found)
        self.values.update(known)

    def apart(self) -> list[State]:
        """A shell for each of the worlds."""
        made = [self.copy() for _ in self.worlds or ({},)]
        for one, world in zip(made, self.worlds, strict=False):
            one.values.update(world)
            one.worlds = ()
        return made

    def gather(self, several: list[State]) -> None:
        """Go on as any of these, keeping how each has ended."""
        ends = [one.ends() for one in several]
        self.become(several[0])
        for one in several[1:]:
            self.join(one)
        won, lost, sure = ends[0]
        for more_won, more_lost, more_sure in ends[1:]:
            won.join(more_won)
            lost.join(more_lost)
            sure = sure and more_sure
        self.end(won, lost, sure=sure)

    def get(self, name: str) -> Value | None:
        """The value of a variable, None when it is not known."""
        found = self.values.get(name)
        return self.base.get(name) if found is None else found

    def text(self, name: str) -> str:
        """The value as one text, with marks for what is not known."""
        found = self.get(name)
        if found is None:
            return ANY
        if isinstance(found, str):
            return found
        return found[0] if found else ""

    def set(self, name: str, value: Value) -> None:
        self.values[name] = value
        if self.worlds:
            known, self.worlds = common(without(self.worlds, name))
            self.values.update(known)

    def enter(self, cwds: Directories, stays: Directories = ()) -> None:
        """Change directory; `stays` is where the shell is when that fails."""
        lost = self.copy()
        self.old, self.cwds = self.cwds, cwds
        if not stays or self.strict:
            self.end(None, lost, sure=True)
            return
        won = self.copy()
        self.join(lost)
        self.end(won, lost)

    def end(self, won: State | None, lost: State | None, *, sure: bool = False) -> None:
        """How the last statement may have ended."""
        self.won, self.lost, self.sure = won, lost, sure

    def ends(self) -> tuple[State, State, bool]:
        """The shell after a success, after a failure, and whether nobody reckons with that."""
        return self.won or self.copy(), self.lost or self.copy(), self.sure

    def ended(self) -> bool:
        """`dead`, asked anew."""
        return self.dead

    @property
    def cwd(self) -> str | None:
        """The one directory that the shell is in, None when it is not known."""
        return self.cwds[0] if len(self.cwds) == 1 else None
