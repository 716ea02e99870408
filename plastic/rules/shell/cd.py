"""Where the shell goes: `cd`, `pushd` and `popd`."""

from __future__ import annotations

from plastic.rules.shell.paths import absolute
from plastic.rules.shell.traps import sprung

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State
    from plastic.rules.shell.worlds import Directories


def _targets(path: str, state: State) -> Directories:
    """Where `cd path` leads from here."""
    found: list[str | None] = []
    for cwd in state.cwds:
        full = absolute(path, cwd)
        if full not in found:
            found.append(full)
    search = state.get("CDPATH")
    if isinstance(search, str) and search and path[:1] not in ("/", "."):
        found += [absolute(f"{one or '.'}/{path}", state.cwd) for one in search.split(":")]
    return tuple(found)


def _enter(run: Run, path: str, state: State, options: list[str]) -> None:
    """Go where a path leads; the shell stays where it is if no directory is there."""
    found = _targets(path, state)
    if state.physical or any(word[:1] == "-" and "P" in word for word in options):
        ways = [run.links.walked(path, cwd) for cwd in state.cwds]
        full = [absolute(way, cwd) for way, cwd in zip(ways, state.cwds, strict=True)]
        found = tuple(run.links.end(one) for one in full)
    stays = () if all(run.folders.has(one) for one in found) else state.cwds
    state.enter(found, stays)


def cd(run: Run, call: Call, state: State) -> None:
    """changes directory"""
    words = call.operands()
    if not words:
        _enter(run, state.text("HOME"), state, [])
    elif words[0] == "-":
        state.enter(state.old)
    else:
        _enter(run, words[0], state, call.args[1:-1])
    sprung(run, state)


def pushd(run: Run, call: Call, state: State) -> None:
    """changes directory and remembers the old one"""
    words = call.operands()
    if "-n" in call.args:
        return
    here = state.cwds
    if not words:
        state.enter(state.dirs[0] if state.dirs else (None,))
        state.dirs = (here, *state.dirs[1:])
    elif words[0][:1] == "+" or words[0][:1] == "-":
        state.enter((None,))
        state.dirs = ()
    else:
        state.dirs = (here, *state.dirs)
        _enter(run, words[0], state, [])
    sprung(run, state)


def popd(run: Run, call: Call, state: State) -> None:
    """goes back to the directory that was remembered"""
    if state.dirs and len(call.args) == 1:
        state.enter(state.dirs[0])
        state.dirs = state.dirs[1:]
    else:
        state.enter((None,))
        state.dirs = ()
    sprung(run, state)
