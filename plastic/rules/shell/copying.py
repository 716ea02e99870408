"""Commands that put files and links somewhere: where each comes to lie, and what stays a link."""

from __future__ import annotations

from plastic.rules.shell.marks import STAR
from plastic.rules.shell.paths import absolute, base_name, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.row import Seen
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def copy(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the last operand is written, or each name in it when it is a directory"""
    _copy(run, state, seen, "")


def copy_below(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `copy`, with whole directories"""
    _copy(run, state, seen, "below")


def _copy(run: Run, state: State, seen: Seen, reach: str) -> None:
    pairs = _into(run, state, seen, reach)
    if "-s" in seen.options or "--symbolic-link" in seen.options:
        _point(run, state, pairs, here=False)
    elif "-l" in seen.options or "--link" in seen.options:
        _point(run, state, pairs, here=True)
    elif not _FOLLOWS.isdisjoint(seen.options):
        return
    elif reach or not _KEEPS.isdisjoint(seen.options):
        _copied(run, state, pairs)


# Options of `cp` that copy what links lead to, and those that copy the links.
_FOLLOWS = frozenset(("-L", "--dereference"))
_KEEPS = frozenset(("-P", "-d", "--no-dereference"))


def move(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `copy`, and the others are removed"""
    pairs = _into(run, state, seen, "")
    _copied(run, state, pairs)
    for path, _ in pairs:
        run.write(path, state, op="remove")


def link(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `copy`; one operand is linked into the current directory"""
    if len(seen.operands) == 1 and seen.last("into") is None:
        name = base_name(seen.operands[0]) or STAR
        run.write(name, state)
        pairs = [(seen.operands[0], name)]
    else:
        pairs = _into(run, state, seen, "")
    soft = any(one == "-s" or one.startswith("--sy") for one in seen.options)
    here = not soft or "-r" in seen.options or "--relative" in seen.options
    _point(run, state, pairs, here=here)


def name(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the second operand is written, a name of the first"""
    for place in seen.operands[1:2]:
        run.write(place, state)
        _point(run, state, [(seen.operands[0], place)], here=True)


def _point(run: Run, state: State, pairs: list[tuple[str, str]], *, here: bool) -> None:
    """What links say is read where they lie, or `here`; a file's second name is like a link."""
    for cwd in state.cwds:
        for source, place in pairs:
            says = absolute(source, cwd) if here else source
            run.links.point(absolute(place, cwd), says or source)


def _copied(run: Run, state: State, pairs: list[tuple[str, str]]) -> None:
    """What is a link stays one; `l/` is what it leads to."""
    for cwd in state.cwds:
        for source, place in pairs:
            full = absolute(source, cwd)
            inside = full is not None and source.endswith("/")
            run.links.copied(absolute(place, cwd), f"{full}/" if inside else full)


def _into(run: Run, state: State, seen: Seen, reach: str) -> list[tuple[str, str]]:
    """Write the destination; answers the sources, each with where it comes to lie.

    Whether a single destination is a directory is not certain, so both are written: it, and the
    source's name in it.
    """
    target = seen.last("into")
    sources = seen.operands
    found = []
    if target is None:
        if len(sources) < 2:
            return []
        sources, target = sources[:-1], sources[-1]
        plain = not _PLAIN.isdisjoint(seen.options)
        if len(sources) == 1 and (plain or base_name(target) not in ("", ".", "..")):
            if plain or not _is_dir(run, target, state):
                found.append((sources[0], target))
            run.write(target, state, reach=reach)
        if plain:
            return found or [(path, target) for path in sources]
    for path in sources:
        place = f"{target.rstrip('/') or '/'}/{_name(path) or STAR}"
        run.write(place, state, reach=reach)
        # `d/.` is what lies in it
        found.append((f"{path}/", target) if f"/{path}".endswith("/.") else (path, place))
    return found


def _name(path: str) -> str:
    """The name that a source has in a directory."""
    return base_name(normal("/" + path)) if path.endswith(("/", ".")) else base_name(path)


def _is_dir(run: Run, path: str, state: State) -> bool:
    return all(run.folders.surely(absolute(path, cwd)) for cwd in state.cwds)


# The destination is not looked into.
_PLAIN = frozenset(("-T", "--no-target-directory"))


def sync(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the last operand is written, with what lies below, unless it is on another machine"""
    if len(seen.operands) < 2:
        return
    target = seen.operands[-1]
    if not _remote(target):
        if not _RSYNC_KEEPS.isdisjoint(seen.options):
            into = _is_dir(run, target, state)
            _copied(run, state, _synced(seen.operands, into=into))
        run.write(target, state, reach="below")
    if "--remove-source-files" in seen.options:
        for path in seen.operands[:-1]:
            run.write(path, state, op="remove")


_RSYNC_KEEPS = frozenset(("-a", "-l", "--archive", "--links"))


def _synced(operands: list[str], *, into: bool) -> list[tuple[str, str]]:
    """Where the sources of `rsync` come to lie; `d/` is what lies in it."""
    *sources, target = operands
    found = [(path, target) for path in sources if path.endswith("/") or not into]
    return found + [(path, f"{target.rstrip('/')}/{base_name(path)}") for path in sources]


def _remote(path: str) -> bool:
    return ":" in path.partition("/")[0]
