"""What a shell knows at one point of a text: directories, variables, parameters."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = str | tuple[str, ...]
    Directories = tuple[str | None, ...]

# Two ways of the text may leave the shell in different directories; more than this is unknown.
_MOST = 4


class State:
    """The shell here. `cwds` are the directories it may be in, None among them = any.

    A variable is a text with marks, or a tuple of them for an array; missing = not known. `args`
    None = the positional parameters are not known. `dead` = this place is not reached. `won` are
    the directories if the last statement has succeeded, None = the same as any way.
    """

    __slots__ = (
        "args",
        "base",
        "cwds",
        "dead",
        "dirs",
        "exported",
        "old",
        "strict",
        "values",
        "won",
        "zero",
    )

    def __init__(self, cwds: Directories, base: dict[str, str]) -> None:
        self.cwds = cwds
        self.base = base
        self.values: dict[str, Value] = {}
        self.args: tuple[str, ...] | None = None
        self.zero = ANY
        self.dirs: tuple[Directories, ...] = ()
        self.old: Directories = (None,)
        self.dead = False
        self.exported: frozenset[str] = frozenset()
        self.won: Directories | None = None
        self.strict = False

    def copy(self) -> State:
        made = State(self.cwds, self.base)
        made.values = dict(self.values)
        made.args = self.args
        made.zero = self.zero
        made.dirs = self.dirs
        made.old = self.old
        made.dead = self.dead
        made.exported = self.exported
        made.won = self.won
        made.strict = self.strict
        return made

    def become(self, other: State) -> None:
        """Go on as the other."""
        self.cwds = other.cwds
        self.values = other.values
        self.args = other.args
        self.dirs = other.dirs
        self.old = other.old
        self.dead = other.dead
        self.exported = other.exported
        self.won = other.won
        self.strict = other.strict

    def join(self, other: State) -> None:
        """Go on as either of the two."""
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
        for name in {*self.values, *other.values}:
            if self.get(name) != other.get(name):
                self.values[name] = ANY

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

    def enter(self, cwds: Directories, stays: Directories = ()) -> None:
        """Change directory; `stays` is where the shell is when that fails."""
        if not stays or self.strict:
            self.old = self.cwds
            self.cwds = cwds
            return
        self.old = either(self.old, self.cwds)
        self.won = cwds
        self.cwds = either(cwds, tuple(one for one in stays if one not in cwds))

    def succeed(self) -> State | None:
        """Go on as after a success; how it would go on after a failure, where that differs."""
        if self.won is None:
            return None
        failed = self.copy()
        failed.won = None
        failed.cwds = tuple(one for one in self.cwds if one not in self.won) or self.cwds
        self.cwds, self.won = self.won, None
        return failed

    def ended(self) -> bool:
        """`dead`, asked anew."""
        return self.dead

    @property
    def cwd(self) -> str | None:
        """The one directory that the shell is in, None when it is not known."""
        return self.cwds[0] if len(self.cwds) == 1 else None


def either(one: Directories, other: Directories) -> Directories:
    """The directories of both; too many = unknown."""
    if one == other:
        return one
    both = one + tuple(here for here in other if here not in one)
    return both if len(both) <= _MOST else (None,)
