"""The parameters that the shell sets itself: positions, numbers, directories."""

from __future__ import annotations

from plastic.rules.shell.marks import STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.state import State

    Values = tuple[str, ...] | None

# Numbers: part of a name, never a path.
_NUMBERS = frozenset(
    ("#", "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID")
)

# What sets a variable in arithmetic.
ASSIGNS = {
    "BinaryArithm": ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="),
    "UnaryArithm": ("++", "--"),
}
# Keys of a node that say where it stands.
PLACES = frozenset(("Pos", "End", "OpPos", "Left", "Right", "ValuePos", "ValueEnd", "Position"))


def special(state: State, name: str) -> tuple[Values] | None:
    """The values of such a parameter, None among them = not known; None = it is a variable."""
    if name in _NUMBERS:
        return ((STAR,),)
    if name in ("@", "*"):
        return (state.args,)
    if name == "0":
        return ((state.zero,),)
    if name.isdigit():
        return (_position(state, name),)
    if name == "PWD":
        return ((state.cwd,) if state.cwd is not None else None,)
    if name == "OLDPWD":
        known = state.old[0] if len(state.old) == 1 else None
        return (None if known is None else (known,),)
    return None


def _position(state: State, name: str) -> Values:
    if state.args is None:
        return (state.base[name],) if name in state.base else None
    number = int(name) if len(name) < 9 else len(state.args) + 1
    return (state.args[number - 1],) if number <= len(state.args) else ("",)
