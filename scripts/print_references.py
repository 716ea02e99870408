"""Prints the tables of references/ from the rules: no page says what the code does not.

`python scripts/print_references.py` rewrites what stands between the markers
`<!-- table NAME -->` and `<!-- end NAME -->`; with `--check` it only says what would change.
To add a table: one function that returns Markdown, one line in TABLES, two markers in the page.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from plastic.cli.lock import group as lock_verbs  # noqa: E402
from plastic.cli.main import app  # noqa: E402
from plastic.disk.session import VARIABLES  # noqa: E402
from plastic.harness.faults import FAULTS  # noqa: E402
from plastic.harness.table import HARNESSES, Harness  # noqa: E402
from plastic.rules.briefing import UNTOLD  # noqa: E402
from plastic.rules.checks import CHECKS  # noqa: E402
from plastic.rules.config.keys import KEYS, Key  # noqa: E402
from plastic.rules.end.proof import RULES  # noqa: E402
from plastic.rules.fence.reach import REACH  # noqa: E402
from plastic.rules.gates.about import ABOUT  # noqa: E402
from plastic.rules.gates.refusals import REFUSALS  # noqa: E402
from plastic.rules.gates.table import DOORS, ORDER, SWITCHED  # noqa: E402
from plastic.rules.intent.savepoint import LANDINGS, STARTED  # noqa: E402
from plastic.rules.intent.stages import CODE_NEEDS, NEEDS, WORDS  # noqa: E402
from plastic.rules.lock.events import EVENTS, Row  # noqa: E402
from plastic.rules.orphans import KINDS  # noqa: E402
from plastic.rules.pen.guards import ASKS  # noqa: E402
from plastic.rules.pen.runs import RUNS  # noqa: E402
from plastic.rules.pen.table import COLUMNS, TABLE, Cell  # noqa: E402
from plastic.rules.pen.texts import REFUSALS as PEN_REFUSALS  # noqa: E402
from plastic.rules.shell import about as shell  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent))
from backlog_tables import tables as backlog  # noqa: E402 - beside this script
from relay_tables import tables as relay  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import typer

START = "<!-- table {} -->"
END = "<!-- end {} -->"


def rows(head: Iterable[str], body: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in body)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _default(key: Key) -> str:
    if key.kind == "map":
        return ""
    if key.default is None:
        return "required" if key.path == "projects.*.path" else "none"
    if isinstance(key.default, bool):
        return f"`{str(key.default).lower()}`"
    return f"`{key.default}`"


def _shown(key: Key) -> str:
    return "`" + key.path.replace("projects.*", "projects.SLUG") + "`"


def _kind(key: Key) -> str:
    return key.bounds if key.choices else f"{key.kind} {key.bounds}".strip()


def reach() -> str:
    """What stops a superseded session, for each of git's commands."""
    return rows(
        ("command", "shell gate", "hook", "index and files without the gate", "shows afterwards"),
        (
            (
                f"`{one.command}`",
                one.gate,
                f"`{one.hook}`" if one.hook else "none",
                one.files,
                one.left,
            )
            for one in REACH
        ),
    )


def config(file: str) -> str:
    """The keys of one configuration file."""
    return rows(
        ("key", "value", "default", "meaning"),
        ((_shown(key), _kind(key), _default(key), key.meaning) for key in KEYS if key.file == file),
    )


def gates() -> str:
    """The gates in their order."""
    return rows(
        ("gate", "denies when", "solo", "switch"),
        (
            (
                f"`{name}`",
                " ".join(ABOUT[name][0].split()),
                ABOUT[name][1],
                "yes" if name in SWITCHED else "no",
            )
            for name in ORDER
        ),
    )


def refusals() -> str:
    """Every refusal of the gates with its command."""
    return rows(
        ("code", "says", "run"),
        (
            (f"`{code}`", sentence.replace("|", "\\|"), f"`{command}`")
            for code, (sentence, command) in REFUSALS.items()
        ),
    )


def obstacles() -> str:
    """What keeps an intent from ending."""
    when = {"always": "both", "delivered": "delivered", "merge": "delivered, to be merged"}
    return rows(
        ("obstacle", "ends", "says", "run", "or", "exit"),
        (
            (
                f"`{rule.name}`",
                when[rule.ends],
                rule.says.replace("|", "\\|"),
                f"`{rule.run}`",
                f"`{rule.flag}`" if rule.flag else "",
                str(rule.exit),
            )
            for rule in RULES
        ),
    )


def doors() -> str:
    """What a harness can start."""
    return rows(
        ("door", "asks"), ((f"`hooks/{door}`", ", ".join(asked)) for door, asked in DOORS.items())
    )


def events() -> str:
    """What each event does to the keys of a lock."""
    heads = ("event", "token", "acq", "acquired_at, host", *Row._fields[3:6], "savepoint line")
    return rows(
        heads,
        (
            (name, *row[:-1], f"`Lock  {row.audit}`" if row.audit else "none")
            for name, row in EVENTS.items()
        ),
    )


def checks() -> str:
    """What doctor looks at, and what it heals."""
    return rows(
        ("check", "healthy when", "`--fix`"),
        ((f"`{name}`", one.looks, one.heals or "a person decides") for name, one in CHECKS.items()),
    )


def worktrees() -> str:
    """What a worktree, branch or directory can be."""
    return rows(("kind", "what it is"), ((f"`{name}`", what) for name, what in KINDS.items()))


def sessions() -> str:
    """The variables that name a session."""
    return rows(("variable", "set by"), ((f"`{name}`", who) for name, who in VARIABLES.items()))


def _shell(one: Harness) -> str:
    if one.name in UNTOLD:
        return "none: its session starts with being told its name"
    return ", ".join(f"`{name}`" for name in one.variables)


ADVICE = {"context": "before the tool", "after": "behind the tool"}


def harnesses() -> str:
    """What each harness is called, was proven on, and how one speaks to it."""
    return rows(
        ("harness", "proven on", "a skill is typed", "session in its shell", "advice comes"),
        (
            (
                f"{one.title} (`{one.name}`)",
                one.version or "its documents only",
                f"`{one.commands}`",
                _shell(one),
                ADVICE[one.advise],
            )
            for one in HARNESSES.values()
        ),
    )


def ways() -> str:
    """Each way to write in each harness."""
    found: dict[str, dict[str, str]] = {}
    # Those with every way first: they give the order.
    for one in sorted(HARNESSES.values(), key=lambda one: -len(one.ways)):
        for way, how in one.ways:
            found.setdefault(way, {})[one.name] = how
    return rows(
        ("way to write", *(one.title for one in HARNESSES.values())),
        ((way, *(hows.get(name, "has none") for name in HARNESSES)) for way, hows in found.items()),
    )


def faults() -> str:
    """What a tool does when the hook cannot work."""
    return rows(
        ("when", *(one.title for one in HARNESSES.values())),
        (
            (fault.says, *(" / ".join(dict.fromkeys(fault.outcome(name))) for name in HARNESSES))
            for fault in FAULTS.values()
        ),
    )


def caveats() -> str:
    """What else to know of each harness."""
    return rows(
        ("harness", "know that"),
        ((one.title, text) for one in HARNESSES.values() for text in one.caveats),
    )


def needs() -> str:
    """What must be there before a document, or code, may be written."""
    every = [*NEEDS.items(), ("code in the worktree", CODE_NEEDS)]
    return rows(
        ("before", "there must be"),
        (
            (f"`{what}`" if "." in what or "/" in what else what, "; ".join(WORDS[n] for n in need))
            for what, need in every
        ),
    )


def ledger() -> str:
    """The lines that documents leave in the ledger."""
    begun = (
        (f"first write of `{name}`", f"`{one}  {two}`") for name, (one, two) in STARTED.items()
    )
    landed = (
        (f"`{name}` is real", ", ".join(f"`{one}  {two}`" for one, two in pairs))
        for name, pairs in LANDINGS.items()
    )
    return rows(("when", "line"), (*begun, *landed))


def verbs(commands: typer.Typer) -> str:
    """The verbs of a command, then those of its groups, with the first line of their help."""
    return rows(("verb", "does"), _verbs(commands, ""))


def _verbs(commands: typer.Typer, prefix: str) -> list[tuple[str, str]]:
    body = []
    for command in commands.registered_commands:
        called = command.callback
        name = command.name or (called.__name__.replace("_", "-") if called else "")
        text = command.help or (called.__doc__ if called else "") or ""
        body.append((f"`{prefix}{name}`", " ".join(text.split("\n\n")[0].split())))
    for group in commands.registered_groups:
        if group.typer_instance is not None and group.name != "lock":  # it has its own table
            body += _verbs(group.typer_instance, f"{prefix}{group.name} ")
    return body


def pen_moves() -> str:
    """What each command does to the pen in each state."""
    return rows(
        ("command", *COLUMNS), ((f"`{verb}`", *map(_cell, row)) for verb, row in TABLE.items())
    )


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return f"`{cell}`"
    if cell.state == "same":
        return "as it is"
    owner = {"actor": " me", "to": " `--to`", "none": ""}[cell.holder]
    turn = ", turn + 1" if cell.turn == "+1" else ""
    return f"**{cell.state}{owner}**{turn}"


def pen_guards() -> str:
    """What is asked before a command moves the pen, in this order."""
    asked: dict[str, list[str]] = {name: [] for name in ASKS}
    for verb, row in TABLE.items():
        for name in dict.fromkeys(n for cell in row if isinstance(cell, Cell) for n in cell.guards):
            asked[name].append(f"`{verb}`")
    return rows(
        ("guard", "holds when", "asked by"),
        ((name, ASKS[name], ", ".join(verbs)) for name, verbs in asked.items()),
    )


def pen_diagram() -> str:
    """Each way from state to state, with the commands that go it."""
    ways: dict[tuple[str, str], list[str]] = {}
    for verb, row in TABLE.items():
        for title, cell in zip(COLUMNS, row, strict=True):
            if isinstance(cell, Cell) and cell.state not in ("same", title.split()[0].strip(",")):
                way = (title.split()[0].strip(","), cell.state)
                ways.setdefault(way, []).append(verb.removesuffix(" --force"))
    lines = [
        f"    {one:<9}─ {', '.join(dict.fromkeys(verbs))} ─► {other}"
        for (one, other), verbs in sorted(ways.items(), key=lambda way: STATES.index(way[0][0]))
    ]
    return "```\n" + "\n".join(lines) + "\n```"


STATES = ("IDLE", "WORKING", "AWAITING", "PAUSED", "DONE")


def pen_refusals() -> str:
    """Every refusal of the pen with its command."""
    return rows(
        ("code", "says", "run"),
        (
            (f"`{code}`", english.replace("|", "\\|"), f"`{RUNS[code].replace('+--', ' --')}`")
            for code, (english, _) in PEN_REFUSALS.items()
        ),
    )


COMMAND_HEADS = ("command", "operands", "options that matter")

# page, name of the table, what prints it
TABLES: list[tuple[str, str, Callable[[], str]]] = [
    ("references/config.md", "projects.yml", lambda: config("projects.yml")),
    ("references/config.md", "config.yml", lambda: config("config.yml")),
    ("references/gates.md", "gates", gates),
    ("references/gates.md", "refusals", refusals),
    ("references/gates.md", "doors", doors),
    ("references/end.md", "obstacles", obstacles),
    ("references/locks.md", "events", events),
    ("references/locks.md", "sessions", sessions),
    ("references/security.md", "reach", reach),
    ("references/stages.md", "needs", needs),
    ("references/stages.md", "ledger", ledger),
    ("references/doctor.md", "checks", checks),
    ("references/harnesses.md", "harnesses", harnesses),
    ("references/harnesses.md", "ways", ways),
    ("references/harnesses.md", "faults", faults),
    ("references/harnesses.md", "caveats", caveats),
    ("references/doctor.md", "worktrees", worktrees),
    ("references/shell.md", "commands", lambda: rows(COMMAND_HEADS, shell.commands())),
    ("references/shell.md", "special", lambda: rows(("command", "judged"), shell.special())),
    ("references/shell.md", "verbs", lambda: rows(COMMAND_HEADS, shell.verbs())),
    ("references/shell.md", "lists", lambda: rows(("these", "are"), shell.lists())),
    ("references/pen.md", "diagram", pen_diagram),
    ("references/pen.md", "moves", pen_moves),
    ("references/pen.md", "guards", pen_guards),
    ("references/pen.md", "refusals", pen_refusals),
    ("references/commands.md", "plastic", lambda: verbs(app())),
    ("references/commands.md", "plastic-lock", lambda: verbs(lock_verbs.app())),
    *backlog(rows),
    *relay(rows),
]


def printed(page: str, name: str, table: str) -> str:
    """The page with this table between its markers; ValueError when they are missing."""
    start, end = START.format(name), END.format(name)
    pattern = re.compile(f"({re.escape(start)}\n).*?({re.escape(end)})", re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page needs `{start}` and `{end}`, once")
    return pattern.sub(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", page)


def pages() -> dict[Path, str]:
    """Every page as it should read."""
    out: dict[Path, str] = {}
    for file, name, table in TABLES:
        path = ROOT / file
        out[path] = printed(out.get(path) or path.read_text(encoding="utf-8"), name, table())
    return out


def main(argv: list[str]) -> int:
    """Write the pages; `--check`: exit 1 when one is behind."""
    behind = [(path, text) for path, text in pages().items() if path.read_text("utf-8") != text]
    for path, text in behind:
        print(f"{path.relative_to(ROOT)}: {'is behind' if '--check' in argv else 'printed'}")
        if "--check" not in argv:
            path.write_text(text, encoding="utf-8")
    return 1 if behind and "--check" in argv else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
