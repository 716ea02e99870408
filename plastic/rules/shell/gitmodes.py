"""What git's verbs do with their operands: one function a mode of `rows_git.py`."""

from __future__ import annotations

from plastic.rules.shell.copying import move
from plastic.rules.shell.gitrefs import (
    branch,
    fetch,
    index,
    index_if,
    index_two,
    push,
    shared,
    update_ref,
)
from plastic.rules.shell.marks import STAR
from plastic.rules.shell.modes import MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.modes import Mode
    from plastic.rules.shell.row import Seen
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def tree(run: Run, call: Call, state: State, seen: Seen) -> None:
    """writes the files of the checkout, and its index"""
    run.write(seen.last("work-tree") or ".", state, reach="checkout")
    index(run, call, state, seen)


def _paths(run: Run, call: Call, state: State, seen: Seen, paths: list[str], op: str) -> None:
    """Pathspecs in the work tree; those with magic stand for the whole checkout."""
    top = seen.last("work-tree")
    for path in paths:
        if path[:1] == ":":
            run.write(top or ".", state, op, reach="checkout")
        elif top is not None and path[:1] != "/":
            run.write(f"{top}/{path}", state, op, "below")
        else:
            exact = path.rpartition("/")[2].find(".") > 0
            run.write(path, state, op, "" if exact else "below")
    index(run, call, state, seen)


def _behind_dashes(call: Call) -> list[str] | None:
    return call.args[call.args.index("--") + 1 :] if "--" in call.args else None


def checkout(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the paths behind `--` are written, else the checkout, unless only a branch is made"""
    paths = _behind_dashes(call)
    if paths:
        _paths(run, call, state, seen, paths, "write")
    elif seen.of("new"):
        (tree if seen.operands else index)(run, call, state, seen)
    elif len(seen.operands) > 1 or seen.operands == ["."]:
        _paths(run, call, state, seen, seen.operands[1:] or ["."], "write")
    elif seen.operands or "-p" in seen.options:
        tree(run, call, state, seen)
    elif "--detach" in seen.options:
        index(run, call, state, seen)


def switch(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the checkout is written, unless only a branch is made or HEAD detached"""
    stays = (seen.of("new") or "--detach" in seen.options or "-d" in seen.options) and (
        not seen.operands
    )
    (index if stays else tree)(run, call, state, seen)


def restore(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands are written, unless only the index is"""
    staged = "--staged" in seen.options or "-S" in seen.options
    if staged and not ("--worktree" in seen.options or "-W" in seen.options):
        index(run, call, state, seen)
    elif seen.operands:
        _paths(run, call, state, seen, seen.operands, "write")
    else:
        tree(run, call, state, seen)


def clean(run: Run, call: Call, state: State, seen: Seen) -> None:
    """untracked files of the checkout, or of the operands, are removed"""
    for path in seen.operands:
        run.write(path, state, "remove", "below")
    if not seen.operands:
        run.write(".", state, "remove", "checkout")


def remove(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the operands are removed"""
    _paths(run, call, state, seen, seen.operands, "remove")


def rename(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the last operand is written, the others are removed"""
    move(run, call, state, seen)
    index(run, call, state, seen)


def config(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the config, when a value is given or removed"""
    asks = len(seen.operands) < 2 and not any(
        one in seen.options
        for one in ("--unset", "--unset-all", "--remove-section", "-e", "--edit", "--add")
    )
    if asks:
        return
    if seen.operands[:1] == ["core.worktree"]:
        run.opaque("the checkout is put somewhere else", call, state)
    if seen.of("file"):
        run.write(seen.of("file")[-1], state)
    elif "--global" in seen.options:
        run.write(state.text("HOME") + "/.gitconfig", state)
    elif "--system" in seen.options:
        run.write("/etc/gitconfig", state)
    else:
        shared(run, call, state, seen)


def init(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the git directory in the operand, or here"""
    folder = seen.last("git-dir")
    for path in seen.operands[:1] or ["."]:
        run.write(folder or f"{path.rstrip('/')}/.git", state, reach="below")


def bisect(run: Run, call: Call, state: State, seen: Seen) -> None:
    """writes the checkout; behind `run` stands another command"""
    tree(run, call, state, seen)
    if seen.operands[:1] == ["run"] and seen.operands[1:]:
        run.call(run, call.inner(seen.operands[1:]), state.copy())


def submodule(run: Run, call: Call, state: State, seen: Seen) -> None:
    """writes the checkout; behind `foreach` stands a text"""
    if seen.operands[:1] != ["foreach"]:
        tree(run, call, state, seen)
        return
    words = [one for one in seen.operands[1:] if one not in ("--recursive", "--quiet")]
    inner = state.copy()
    inner.enter((None,))
    if words:
        run.text(" ".join(words), inner, call)


def worktree(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the worktree that is made, moved or removed, and its registration"""
    verb, paths = (seen.operands or [""])[0], seen.operands[1:]
    if verb == "add":
        for path in paths[:1]:
            run.write(path, state, reach="below")
    elif verb in ("remove", "move"):
        for path in paths[:1]:
            run.write(path, state, op="remove")
        for path in paths[1:2]:
            run.write(path, state, reach="below")
    if verb:
        index(run, call, state, seen)


def clone(run: Run, call: Call, state: State, seen: Seen) -> None:
    """the directory that is named, else the last name of the address"""
    words = seen.operands
    if not words:
        return
    name = words[0].rstrip("/").removesuffix(".git").rpartition("/")[2].rpartition(":")[2]
    target = words[1] if len(words) > 1 else name or STAR
    run.write(target, state, reach="below")


def bundle(run: Run, call: Call, state: State, seen: Seen) -> None:
    """`create` writes its first operand"""
    if seen.operands[:1] == ["create"]:
        for path in [one for one in seen.operands[1:] if one != "-"][:1]:
            run.write(path, state)


def patches(run: Run, call: Call, state: State, seen: Seen) -> None:
    """patch files here or in `-o`"""
    run.write(f"{seen.last('folder') or '.'}/{STAR}.patch", state)


GIT_MODES: dict[str, Mode] = {
    "read": MODES["read"],
    "opaque": MODES["opaque"],
    "write": MODES["write"],
    "first": MODES["first"],
    "index": index,
    "shared": shared,
    "branch": branch,
    "update-ref": update_ref,
    "fetch": fetch,
    "index-if": index_if,
    "index-two": index_two,
    "tree": tree,
    "checkout": checkout,
    "switch": switch,
    "restore": restore,
    "clean": clean,
    "rm": remove,
    "mv": rename,
    "push": push,
    "config": config,
    "init": init,
    "bisect": bisect,
    "submodule": submodule,
    "worktree": worktree,
    "clone": clone,
    "bundle": bundle,
    "patches": patches,
}
