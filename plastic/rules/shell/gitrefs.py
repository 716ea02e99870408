"""What git's verbs do with index and refs; a branch of an intent counts wherever it is named."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.row import Seen
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

OURS = "plastic/"  # how the branches of intents begin


def index(run: Run, call: Call, state: State, seen: Seen) -> None:
    """writes index, HEAD or branches of the checkout"""
    _own(run, state, seen, "git")


def shared(run: Run, call: Call, state: State, seen: Seen) -> None:
    """writes what all worktrees share: objects, remote branches, config"""
    _own(run, state, seen, "shared")


def _own(run: Run, state: State, seen: Seen, reach: str) -> None:
    folder = seen.last("git-dir")
    if folder is not None:
        run.write(folder, state, reach="below")
    else:
        run.write(".", state, reach=reach)


def _branches(run: Run, state: State, seen: Seen, names: list[str]) -> None:
    """Branches that are written by their names, of whatever worktree they are."""
    folder = seen.last("git-dir") or "."
    for name in names:
        short = name.lstrip("+").removeprefix("refs/heads/")
        if short.startswith(OURS):
            run.write(f"{folder}/{short}", state, reach="branch")


def branch(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `index`, when there is an operand; branches that are moved or deleted are written"""
    if not seen.operands:
        return
    index(run, call, state, seen)
    options = set(seen.options)
    if options & {"-d", "-D", "--delete", "-m", "-M", "--move"}:
        _branches(run, state, seen, seen.operands)
    elif options & {"-C", "--copy"}:
        _branches(run, state, seen, seen.operands[-1:])
    elif options & {"-f", "--force"}:
        _branches(run, state, seen, seen.operands[:1])


def update_ref(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `index`; the first operand is written, whatever branch it is"""
    index(run, call, state, seen)
    _branches(run, state, seen, seen.operands[:1])


def fetch(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `shared`; a branch behind the colon of a refspec is written"""
    shared(run, call, state, seen)
    specs = [one.partition(":") for one in seen.operands[1:]]
    _branches(run, state, seen, [target for _, colon, target in specs if colon])


def index_if(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `index`, when there is an operand"""
    if seen.operands:
        index(run, call, state, seen)


def index_two(run: Run, call: Call, state: State, seen: Seen) -> None:
    """as `index`, when there are two operands or something is deleted"""
    if len(seen.operands) > 1 or "-d" in seen.options or "--delete" in seen.options:
        index(run, call, state, seen)


def push(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the refs of the remote, and what is remembered of them here"""
    index(run, call, state, seen)
    for one in seen.operands[1:]:
        # Whose branch leaves, and under which name: `push . x:theirs` moves theirs.
        _branches(run, state, seen, [one.partition(":")[0], one.rpartition(":")[2]])
    for place in seen.operands[:1]:
        bare = place.removeprefix("file://")
        if bare[:1] in ("/", ".", "~"):
            run.write(bare, state, reach="git")
