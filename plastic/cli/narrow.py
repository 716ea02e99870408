"""The one verb that a command line asks for: building all of them costs more than most verbs do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.main import get_group

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import typer
    from typer.models import CommandInfo


def narrowed(app: typer.Typer, words: Sequence[str]) -> Callable[..., Any]:
    """`app` as a command that knows the verb of these words; all verbs where help names them."""
    verb = words[0] if words else ""
    commands = [one for one in app.registered_commands if _name(one) == verb]
    groups = [one for one in app.registered_groups if one.name == verb]
    if commands or groups:
        app.registered_commands, app.registered_groups = commands, groups
        for group in groups:
            _narrow(group.typer_instance, words[1:2])
    # A group also with one verb: its name stays a word of the line.
    return get_group(app)


def _narrow(group: typer.Typer | None, words: Sequence[str]) -> None:
    """The same inside of a group."""
    if group is not None:
        found = [one for one in group.registered_commands if [_name(one)] == [*words]]
        group.registered_commands = found or group.registered_commands


def _name(command: CommandInfo) -> str:
    own = command.callback.__name__ if command.callback is not None else ""
    return command.name or own.lower().replace("_", "-")
