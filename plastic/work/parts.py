"""Which modules the hook keeps as bytecode, in groups that are put in place at one go."""

from __future__ import annotations

# Within a group each stands after those of it that it imports.
FIRST = ("plastic.quickjson",)
# What every decision needs; a test compares the groups with what allows and denials really load.
CORE = (
    "plastic.words",
    "plastic.rules.intent.names",
    "plastic.rules.lock.lease",
    "plastic.rules.gates.table",
    "plastic.rules.gates.protected",
    "plastic.harness.claude",
    "plastic.disk.paths",
    "plastic.disk.files",
    "plastic.disk.home",
    "plastic.disk.gitdir",
    "plastic.disk.held",
    "plastic.disk.lockfile",
    "plastic.disk.presence",
    "plastic.disk.compiled",
    "plastic.work.gate.sight",
    "plastic.work.gate.admit",
    "plastic.work.gate.confine",
    "plastic.work.lock.pulse",
    "plastic.work.gate.judge",
)
# A document of an intent or code in its worktree: what stands in the documents.
STAGE = ("plastic.rules.intent.artifacts", "plastic.rules.intent.stages", "plastic.work.gate.facts")
# Something to say: the words, the journal, and whether it was said before.
SAID = ("plastic.rules.gates.refusals", "plastic.disk.journal", "plastic.disk.seen")
# A time that somebody will read.
CLOCK = ("plastic.disk.clock",)
# A document is begun or has landed.
LEDGER = (
    "plastic.rules.intent.savepoint",
    "plastic.work.intent.ledger",
    "plastic.work.gate.savepoints",
)
# An allowed write of a document, or a command.
TRACES = ("plastic.disk.trail", "plastic.work.gate.traces")
# What it takes to start the shell's parser; it works while the core is put in place.
PARSER = (
    "plastic.rules.gates.harmless",
    "plastic.rules.shell.flatwords",
    "plastic.rules.shell.flat",
    "plastic.disk.shfmt",
)
# A tree whose agents take turns.
PEN = (
    "plastic.rules.pen.clock",
    "plastic.rules.pen.block",
    "plastic.disk.penfile",
    "plastic.disk.penplace",
    "plastic.work.pen.foreign",
    "plastic.work.gate.pen",
)
HOT = (FIRST, CORE, STAGE, SAID, CLOCK, LEDGER, TRACES, PARSER, PEN)
# What understands its answer, in a file of its own.
SHELL = (
    "plastic.rules.shell.marks",
    "plastic.rules.shell.paths",
    "plastic.rules.shell.quoting",
    "plastic.rules.shell.traps",
    "plastic.rules.shell.cd",
    "plastic.rules.shell.builtins",
    "plastic.rules.shell.copying",
    "plastic.rules.shell.modes",
    "plastic.rules.shell.roles",
    "plastic.rules.shell.row",
    "plastic.rules.shell.rows_code",
    "plastic.rules.shell.rows_files",
    "plastic.rules.shell.rows_read",
    "plastic.rules.shell.rows_start",
    "plastic.rules.shell.rows_tools",
    "plastic.rules.shell.table",
    "plastic.rules.shell.archives",
    "plastic.rules.shell.editors",
    "plastic.rules.shell.fetch",
    "plastic.rules.shell.gitrefs",
    "plastic.rules.shell.gitmodes",
    "plastic.rules.shell.rows_git",
    "plastic.rules.shell.git",
    "plastic.rules.shell.rows_calls",
    "plastic.rules.shell.scan",
    "plastic.rules.shell.program",
    "plastic.rules.shell.awktext",
    "plastic.rules.shell.sedtext",
    "plastic.rules.shell.streams",
    "plastic.rules.shell.languages",
    "plastic.rules.shell.own",
    "plastic.rules.shell.answer",
    "plastic.rules.shell.folders",
    "plastic.rules.shell.links",
    "plastic.rules.shell.run",
    "plastic.rules.shell.envcode",
    "plastic.rules.shell.shells",
    "plastic.rules.shell.special",
    "plastic.rules.shell.outputs",
    "plastic.rules.shell.parameters",
    "plastic.rules.shell.params",
    "plastic.rules.shell.words",
    "plastic.rules.shell.worlds",
    "plastic.rules.shell.assign",
    "plastic.rules.shell.compound",
    "plastic.rules.shell.redirects",
    "plastic.rules.shell.walk",
    "plastic.rules.shell.calls",
    "plastic.rules.shell.state",
    "plastic.rules.shell.analyse",
    "plastic.work.gate.command",
    "plastic.work.gate.shell",
    "plastic.work.gate.opaque",
    "plastic.work.gate.tripwire",
)
BUNDLES = {"hot": HOT, "shell": (SHELL,)}
