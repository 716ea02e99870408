"""One shell text as shfmt parsed it -> what it writes, runs and hides: the door of this package."""

from __future__ import annotations

from plastic.rules.shell.calls import command
from plastic.rules.shell.folders import Folders
from plastic.rules.shell.links import Links
from plastic.rules.shell.marks import ANY
from plastic.rules.shell.paths import normal
from plastic.rules.shell.run import Run, Spent
from plastic.rules.shell.state import State
from plastic.rules.shell.traps import sprung
from plastic.rules.shell.walk import statement, statements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from plastic.rules.shell.answer import Analysis
    from plastic.rules.shell.links import Made


def analyse(
    tree: dict[str, Any],
    cwd: str | None,
    variables: dict[str, str],
    *,
    braces: bool = True,
    is_dir: Callable[[str], bool | None] | None = None,
    link: Callable[[str], str] | None = None,
    links: tuple[Made, ...] = (),
) -> Analysis:
    """Judge the JSON of `shfmt --to-json`, run in `cwd` (None = unknown) with these variables.

    A variable that is not given is not known; "1", "2", ... are positional parameters. Never
    raises: what cannot be followed is opaque. Without `braces` it is a shell that knows none.
    `is_dir` tells which directories are there (None = nothing is); without it every `cd` succeeds.
    `link` tells what a link says ("" = it is none), `links` are those that were made before the
    text runs.
    """
    start = normal(cwd) if cwd is not None and cwd.startswith("/") else None
    run = Run(start, _size(tree), statements, command)
    run.braces = braces
    run.folders = Folders(run.out, is_dir)
    run.links = Links(link, links)
    state = State((start,), variables)
    state.zero = variables.get("0", ANY)
    try:
        statements(run, tree.get("Stmts") or [], state)
        for one in state.apart():
            sprung(run, one)
        _not_called(run, state)
    except Spent:
        run.out.cut = "it unrolls to more commands than are looked at"
    except (RecursionError, MemoryError):
        run.out.cut = "it is nested too deeply"
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        run.out.cut = "this is not the tree that plastic knows"
    run.out.links = run.links.made
    if run.out.cut:
        run.unknown(run.out.cut, state)
    return run.out


def _size(tree: dict[str, Any]) -> int:
    end = tree.get("End")
    size = end.get("Offset") if isinstance(end, dict) else None
    return size if isinstance(size, int) else 0


def _not_called(run: Run, state: State) -> None:
    """Functions that nothing here calls: a trap, or the shell that goes on, may."""
    state.dead = False
    state.args = None
    for name in list(run.functions):
        if name not in run.called:
            opaque, mentions = len(run.out.opaque), len(run.out.mentions)
            statement(run, run.functions[name], state.copy())
            del run.out.opaque[opaque:], run.out.mentions[mentions:]
