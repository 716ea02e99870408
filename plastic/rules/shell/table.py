"""Looks a command up in the table and applies its row."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, shown
from plastic.rules.shell.modes import MODES
from plastic.rules.shell.paths import absolute
from plastic.rules.shell.roles import ROLES, WRITTEN
from plastic.rules.shell.row import Reader, Row, Seen
from plastic.rules.shell.rows_code import OPAQUE, RUNNERS
from plastic.rules.shell.rows_files import FILES
from plastic.rules.shell.rows_read import READS
from plastic.rules.shell.rows_start import BEHIND, STARTS
from plastic.rules.shell.rows_tools import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

# Rows that were needed before.
_PARSED: dict[str, Row] = {}
# Words that make any command of the table a read.
_QUESTIONS = ("--help", "--version")
# Programs with a verb that starts another command.
_WITH_VERBS = frozenset(name.partition(" ")[0] for name in BEHIND)


def row_of(name: str) -> Row | None:
    """The row of a command."""
    row = _PARSED.get(name)
    if row is None:
        text = row_text(name)
        if text is None:
            return None
        row = _PARSED[name] = Row(text)
    return row


def row_text(name: str) -> str | None:
    """The row of a command as it stands in the table."""
    found = FILES.get(name) or STARTS.get(name) or TOOLS.get(name)
    if found is None and name in RUNNERS:
        return f"opaque {RUNNERS[name]}"
    return "opaque" if found is None and name in OPAQUE else found


def harmless(name: str) -> bool:
    """Whether the command writes nothing, whatever its words are."""
    return name in READS


def seen_by(text: str, call: Call) -> Seen:
    """The words of a call, told apart by a row that stands in the code."""
    row = _PARSED.get(text)
    if row is None:
        row = _PARSED[text] = Row(text)
    return Reader(row, call.args[1:]).read()


def apply(run: Run, row: Row, call: Call, state: State) -> None:
    """Judge a call by its row."""
    seen = Reader(row, call.args[1:]).read()
    if not row.first and any(word in _QUESTIONS for word in seen.options):
        return
    state = moved(seen, state)
    roles(run, call, state, seen)
    MODES[seen.mode](run, call, state, seen)


def behind(run: Run, name: str, row: Row, call: Call, state: State) -> bool:
    """Judge the command behind a verb (`uv run pytest`), if it is such a verb."""
    if name not in _WITH_VERBS:
        return False
    head = Reader(row, call.args[1:], first=True).read()
    text = BEHIND.get(" ".join([name, *head.operands[:1]]))
    if text is None:
        return False
    state = moved(head, state)
    roles(run, call, state, head)
    inner = seen_by(text, call.inner(head.operands))
    state = moved(inner, state)
    roles(run, call, state, inner)
    MODES[inner.mode](run, call, state, inner)
    return True


def moved(seen: Seen, state: State) -> State:
    """The state of a command that is told to change directory first."""
    for path in seen.of("cd"):
        state = state.copy()
        state.enter(tuple(absolute(path, cwd) for cwd in state.cwds))
    return state


def roles(run: Run, call: Call, state: State, seen: Seen) -> None:
    """Judge the values of the options."""
    for role, value in seen.values:
        judge = ROLES.get(role)
        if judge is not None and value and not (seen.asks and role in WRITTEN):
            judge(run, call, state, value)


def nameless(run: Run, call: Call, state: State) -> None:
    """A command whose name is only known when it runs."""
    if ANY in call.args[0] or call.args[0]:
        run.unknown(f"`{shown(call.args[0])}` is only known when it runs", state)
