"""Walks the tree of shfmt in the order of the shell, keeping its state."""

from __future__ import annotations

from plastic.rules.shell.assign import assign, declare
from plastic.rules.shell.compound import case_clause, for_clause, if_clause, subshell, while_clause
from plastic.rules.shell.envcode import environment
from plastic.rules.shell.outputs import output
from plastic.rules.shell.redirects import redirect
from plastic.rules.shell.run import Call, Feed
from plastic.rules.shell.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.rules.shell.run import Node, Run
    from plastic.rules.shell.state import State

    Visit = Callable[[Run, Node, State, Feed | None], None]

# Functions of functions of ...: more is a recursion.
_DEEPEST = 12


def statements(run: Run, nodes: list[Node], state: State, feed: Feed | None = None) -> None:
    """One after the other; what comes after an `exit` is not reached."""
    for node in nodes:
        if state.ended():
            return
        statement(run, node, state, feed)


def statement(run: Run, node: Node, state: State, feed: Feed | None = None) -> None:
    """One statement with its redirections."""
    run.step()
    state.won = None
    if node.get("Background") or node.get("Coprocess"):
        state = state.copy()
    given = redirect(run, node["Redirs"], state) if "Redirs" in node else None
    command = node.get("Cmd")
    if command is None:
        return
    visit = VISITS.get(command["Type"])
    if visit is None:
        run.unknown(f"plastic does not know `{command['Type']}`", state)
    else:
        visit(run, command, state, given or feed)
    if node.get("Negated"):
        state.won = None


def _simple(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    """Assignments, or a command with those that are set for it alone."""
    words = Words(run, state)
    args = []
    for word in node.get("Args") or ():
        args += words.fields(word)
    if not args:
        run.last = None
        for one in node.get("Assigns") or ():
            assign(words, one)
        return
    sets: dict[str, str] = {}
    for one in node.get("Assigns") or ():
        name = one["Name"]["Value"]
        sets[name] = words.text(one.get("Value"))
        environment(run, name, sets[name], state)
    call = Call(args, feed, sets)
    run.call(run, call, state)
    run.last = call


def _binary(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    op = node["Op"]
    if op in ("|", "|&"):
        _pipe(run, node, state, feed)
        return
    before = state.copy()
    statement(run, node["X"], state, feed)
    if op == "&&":
        if not state.ended():
            _and(run, node, before, state, feed)
        return
    missed = state.succeed()
    done = state.copy()
    # The right side runs because the left failed: then a bare `cd` has moved nothing.
    failed = before if done.ended() or _moves(node["X"]) else missed or done
    state.become(failed.copy())
    state.dead = False
    statement(run, node["Y"], state, feed)
    state.join(done)


def _and(run: Run, node: Node, before: State, state: State, feed: Feed | None) -> None:
    """The right side of `&&`, which is reached when the left has succeeded."""
    failed = state.succeed()
    after = state.copy()
    statement(run, node["Y"], state, feed)
    if state.ended():
        # `a && exit`: what follows is reached when `a` failed.
        state.become(failed or (after if after.cwds == before.cwds else before))
        return
    if failed is None and state.cwds != after.cwds and not _succeeds(node["X"]):
        failed = after  # the `cd` on the right has not been reached
    if failed is not None:
        won = state.cwds if state.won is None else state.won
        state.join(failed)
        state.won = won


def _succeeds(node: Node) -> bool:
    """Whether a statement is a command that does not fail; of a `cd` the state itself tells."""
    command = node.get("Cmd") or {}
    if command.get("Op") == "&&":
        return _succeeds(command["X"]) and _succeeds(command["Y"])
    args = command.get("Args") or [{}]
    words = [(one.get("Parts") or [{}])[0].get("Value") for one in args[:2]]
    return words[0] in ("cd", "pushd", "true", ":", "echo", "set") or words == ["mkdir", "-p"]


def _moves(node: Node) -> bool:
    """Whether a statement is one `cd`."""
    args = (node.get("Cmd") or {}).get("Args") or [{}]
    parts = args[0].get("Parts") or [{}]
    return parts[0].get("Value") in ("cd", "pushd")


def _pipe(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    """Each side in a shell of its own; the right side reads what the left prints."""
    left = state.copy()
    run.last = None
    mark = run.mark()
    statement(run, node["X"], left, feed)
    last = run.printer(node["X"])
    printed = output(last, left) if last is not None else None
    into = Feed(printed, run.since(mark))
    statement(run, node["Y"], state.copy(), into)


def _block(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    statements(run, node.get("Stmts") or [], state, feed)


def _function(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    run.functions[node["Name"]["Value"]] = node["Body"]


def call_function(run: Run, name: str, call: Call, state: State) -> None:
    """The body with these parameters; `return` ends the body, not the caller."""
    run.called.add(name)
    if run.depth >= _DEEPEST:
        run.unknown(f"`{name}` calls itself", state)
        return
    kept = state.args, state.zero
    state.args = tuple(call.args[1:])
    run.depth += 1
    statement(run, run.functions[name], state, call.feed)
    run.depth -= 1
    state.args, state.zero = kept
    state.dead = False


def _declare(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    declare(Words(run, state), node)


def _time(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    if node.get("Stmt"):
        statement(run, node["Stmt"], state, feed)


def _coproc(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    """`coproc cat > f`: shfmt reads the command's name as the name of the coprocess."""
    inner = state.copy()
    stmt = node.get("Stmt") or {}
    named = Words(run, inner).fields(node["Name"]) if node.get("Name") else []
    statement(run, stmt, inner, feed)
    if named and (stmt.get("Cmd") or {}).get("Type") in (None, "CallExpr"):
        run.call(run, Call(named + _args(run, stmt, inner)), inner)


def _args(run: Run, stmt: Node, state: State) -> list[str]:
    words = Words(run, state)
    nodes = (stmt.get("Cmd") or {}).get("Args") or ()
    return [field for word in nodes for field in words.fields(word)]


def _dig(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    Words(run, state).dig({key: node[key] for key in node if key != "Type"})


VISITS: dict[str, Visit] = {
    "CallExpr": _simple,
    "BinaryCmd": _binary,
    "Block": _block,
    "Subshell": subshell,
    "IfClause": if_clause,
    "WhileClause": while_clause,
    "ForClause": for_clause,
    "CaseClause": case_clause,
    "FuncDecl": _function,
    "DeclClause": _declare,
    "TimeClause": _time,
    "CoprocClause": _coproc,
    "ArithmCmd": _dig,
    "LetClause": _dig,
    "TestClause": _dig,
}
