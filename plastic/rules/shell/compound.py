"""Branches and loops: each way that the shell may take, and where it may be afterwards."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Feed, Node, Run
    from plastic.rules.shell.state import State


def subshell(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    run.walk(run, node.get("Stmts") or [], state.copy(), feed)


def if_clause(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    if "Cond" not in node:  # `else`
        run.walk(run, node.get("Then") or [], state, feed)
        return
    run.walk(run, node["Cond"], state, feed)
    then, other, _ = state.ends()
    run.walk(run, node.get("Then") or [], then, feed)
    if node.get("Else"):
        if_clause(run, node["Else"], other, feed)
    state.become(then)
    state.join(other)


def while_clause(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    run.walk(run, node.get("Cond") or [], state, feed)
    loop(run, node, state, feed)


def loop(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    """A body that runs any number of times."""
    before, made = state.copy(), run.links.made
    run.walk(run, node.get("Do") or [], state, feed)
    moved = (state.cwds != before.cwds or run.links.made != made) and not state.ended()
    state.join(before)
    if moved:
        run.walk(run, node.get("Do") or [], state, feed)
        state.join(before)


def for_clause(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    """Each value of a list; where one is not known, any."""
    each = node.get("Loop") or {}
    words = Words(run, state)
    if each.get("Type") != "WordIter" or node.get("Select"):
        words.dig(each)
        name = (each.get("Name") or {}).get("Value")
        if name:
            for item in each.get("Items") or ():
                words.fields(item)
            state.set(name, ANY)
        loop(run, node, state, feed)
        return
    name = each["Name"]["Value"]
    values: list[str] = []
    if "Items" in each:
        for item in each["Items"]:
            values += words.fields(item)
    else:
        values = list(state.args) if state.args is not None else [ANY]
    before = state.copy()
    for value in values:
        state.set(name, value)
        run.walk(run, node.get("Do") or [], state, feed)
        if state.ended():
            state.become(before.copy())
            state.dead = False
    state.join(before)
    if values:
        state.set(name, values[-1])


def case_clause(run: Run, node: Node, state: State, feed: Feed | None) -> None:
    words = Words(run, state)
    words.text(node.get("Word"))
    before = state.copy()
    for item in node.get("Items") or ():
        for pattern in item.get("Patterns") or ():
            words.text(pattern)
        branch = before.copy()
        run.walk(run, item.get("Stmts") or [], branch, feed)
        state.join(branch)
