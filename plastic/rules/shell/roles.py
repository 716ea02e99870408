"""What the value of an option is: one function a role of the command table."""

from __future__ import annotations

from plastic.rules.shell.marks import STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

    Role = Callable[[Run, Call, State, str], None]


def _write(run: Run, call: Call, state: State, value: str) -> None:
    """is written"""
    if value != "-":
        run.write(value, state)


def _below(run: Run, call: Call, state: State, value: str) -> None:
    """is a directory that is written below"""
    run.write(value, state, reach="below")


def _prefix(run: Run, call: Call, state: State, value: str) -> None:
    """begins the names that are written"""
    run.write(value + STAR, state)


def _code(run: Run, call: Call, state: State, value: str) -> None:
    """is a text of shell"""
    run.text(value, state, call)


def _loads(run: Run, call: Call, state: State, value: str) -> None:
    """is a file of code"""
    run.opaque(f"`{call.args[0]}` runs the code in `{value}`", call, state)


def _setting(run: Run, call: Call, state: State, value: str) -> None:
    """is a setting: a `ProxyCommand` or `LocalCommand` is a text of shell"""
    name, _, text = value.partition("=" if "=" in value.partition(" ")[0] else " ")
    if name.lower() in ("proxycommand", "localcommand", "knownhostscommand"):
        run.text(text.lstrip(), state, call)


# What a command that only asks leaves alone.
WRITTEN = ("write", "below", "prefix")
# Roles without a function of their own: `cd` and `into` are read by the modes.
ROLES: dict[str, Role] = {
    "write": _write,
    "below": _below,
    "prefix": _prefix,
    "code": _code,
    "loads": _loads,
    "setting": _setting,
}
