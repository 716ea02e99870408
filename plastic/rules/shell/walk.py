"""Walks the tree of shfmt in the order of the shell, keeping its state."""

from __future__ import annotations

from plastic.rules.shell.assign import assign, declare
from plastic.rules.shell.compound import case_clause, for_clause, if_clause, subshell, while_clause
from plastic.rules.shell.envcode import environment
from plastic.rules.shell.outputs import output
from plastic.rules.shell.paths import absolute
from plastic.rules.shell.redirects import may_fail, redirect
from plastic.rules.shell.run import Call, Feed
from plastic.rules.shell.words import Words
from plastic.rules.shell.worlds import speaks

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
    """One statement with its redirections, in each of the worlds that it speaks of."""
    if state.worlds and (run.functions or run.aliases or speaks(node, state.worlds[0])):
        several = state.apart()
        for one in several:
            statement(run, node, one, feed)
        state.gather(several)
        return
    run.step()
    state.end(None, None)
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
    if state.sure and "Redirs" in node:
        state.sure = not any(map(may_fail, node["Redirs"]))
    if node.get("Negated"):
        won, lost, _ = state.ends()
        state.end(lost, won)


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
        state.sure = True
        return
    sets: dict[str, str] = {}
    for one in node.get("Assigns") or ():
        name = one["Name"]["Value"]
        sets[name] = words.text(one.get("Value"))
        environment(run, name, sets[name], state)
    call = Call(args, feed, sets)
    run.call(run, call, state)
    state.sure = state.sure or call.args[0] in _SUCCEED or _makes(run, call.args, state)
    run.last = call


def _makes(run: Run, args: list[str], state: State) -> bool:
    """Whether this is a `mkdir -p` that nothing is in the way of."""
    names = [one for one in args[2:] if one[:1] != "-"]
    return args[:2] == ["mkdir", "-p"] and all(
        run.folders.can_be_made(absolute(one, cwd)) for one in names for cwd in state.cwds
    )


# Commands that do not fail; of a `cd` the state itself tells.
_SUCCEED = frozenset(("true", ":", "echo", "printf", "set"))


def _binary(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    op = node["Op"]
    if op in ("|", "|&"):
        _pipe(run, node, state, feed)
        return
    statement(run, node["X"], state, feed)
    if state.ended():
        return
    won, lost, sure = state.ends()
    if op == "&&":
        statement(run, node["Y"], won, feed)
        then, missed, sure_too = won.ends()
        state.become(lost if won.ended() else won)  # `a && exit`: who comes on has failed
        if not sure:
            state.join(lost)
        if sure and not sure_too:
            lost = missed
        else:
            lost.join(missed)
        state.end(then, lost, sure=sure and sure_too)
        return
    statement(run, node["Y"], lost, feed)
    then, missed, sure_too = lost.ends()
    state.become(lost)
    state.join(won)
    won.join(then)
    state.end(won, missed, sure=sure or sure_too)


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
