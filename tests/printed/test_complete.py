"""Every refusal of the package has a command, and a case that pastes it or a reason why not."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from plastic.rules.gates.refusals import REFUSALS
from plastic.work.tree.provision import MENDED
from tests.backlog import test_delivery_printed, test_printed_store, test_printed_world
from tests.backlog import test_printed as test_backlog
from tests.printed import (
    test_boarding,
    test_end,
    test_gates,
    test_house,
    test_lock,
    test_removal,
)
from tests.printed.street import ROOT, Case
from tests.relay import test_printed as test_relay
from tests.store import test_postgres_commands

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "plastic"
ERRORS = {"Refused", "Usage", "Held", "Stale", "Lost", "Broken", "Missing"}

# Refusals that no test can reach from outside, or whose command does not end by itself.
EXEMPT = {
    ("cli/door.py", "bug"): "asks for a bug of ours; test_door.py raises one",
    ("cli/pen/door.py", "environment"): "an error of the system, a full disk for instance",
    ("work/pen/desk.py", "usage"): "the verb's --help, which tests/pen/test_door.py asks of each",
    ("work/lock/refuse.py", "future"): "needs a clock that was set back, and a ttl of watching",
    ("work/demo.py", "demo"): "the demo itself found a fault: what it kept is to be looked at",
    ("disk/gitconfig.py", "config-locked"): "a start goes on without; test_install.py pastes it",
    ("disk/git.py", "git-timeout"): "a git command that hangs for a minute",
    ("disk/checkout.py", "worktree-gone"): "a race of two starts; the same command again",
    ("disk/commit.py", "home-moving"): "somebody commits in the home twenty times meanwhile",
    ("disk/commit.py", "not-in-home"): "a slip of our own code, no state of the world",
    ("disk/notes.py", "front-matter"): "asked by End only, which names the document",
    ("disk/trash.py", "trash-refused"): "a repository that may not be written any more",
    ("disk/trash.py", "trash-elsewhere"): "a worktree on another file system than its repository",
    ("disk/trash.py", "trash-unusable"): "a link in our own folder; test_trash.py makes one",
    ("disk/upkeep.py", "too-large"): "a document of 64 MB; test_maintain.py pastes it",
    ("work/tree/homes.py", "other-home"): "needs two homes; test_homes.py pastes it",
    ("disk/upkeep.py", "home-moving"): "somebody commits in the home twenty times meanwhile",
    (
        "work/intent/maintain.py",
        "maintain-moving",
    ): "somebody rewrites the documents five times meanwhile",
    ("work/tree/salvages.py", "branch-refused"): "a repository that may not be written any more",
    ("work/tree/trash.py", "trash-foreign"): "somebody puts a repository there between two looks",
    ("work/tree/worktrees.py", "branch-busy"): "a repository that may not be written any more",
    ("work/tree/worktrees.py", "changed"): "somebody works there between two looks",
    ("disk/worktrees.py", "worktree-foreign"): "somebody relocks a worktree while it is undone",
    ("disk/indexlock.py", "checkout-busy"): "a git of a killed command writes for two minutes",
    ("work/merge/committing.py", "no-identity"): "the plan of End finds it first",
    ("work/merge/follow.py", "checkout-failed"): "git fails while it writes a checkout",
    ("work/merge/follow.py", "checkout-torn"): "a person edits where a killed git has half written",
    ("work/merge/mend.py", "base-elsewhere"): "a person switches branches behind a killed End",
    (
        "work/merge/mend.py",
        "edited-meanwhile",
    ): "a person edits where a killed End has half written",
    ("work/merge/objects.py", "no-commit"): "a commit is pruned between two looks",
    ("work/merge/objects.py", "unrelated"): "the plan of End finds it first",
    ("work/merge/publish.py", "base-elsewhere"): "a race: End plans again by itself",
    ("work/merge/publish.py", "no-step"): "a slip of our own code, no state of the world",
    ("work/merge/ready.py", "base-elsewhere"): "a race: End plans again by itself",
    (
        "work/merge/ready.py",
        "in-the-way",
    ): "the plan of End finds it first, unless it comes meanwhile",
    ("work/merge/ready.py", "index-locked"): "git of somebody else holds the index for long",
    (
        "work/merge/ready.py",
        "no-index",
    ): "a checkout of the base in which nothing was ever checked out",
    ("work/merge/ready.py", "no-room"): "what the plan of End cannot foresee, and git can",
    (
        "work/merge/ready.py",
        "under-way",
    ): "the plan of End finds it first, unless it comes meanwhile",
    ("work/end/record.py", "document-busy"): "an editor saves twenty times meanwhile",
    ("work/merge/reftransaction.py", "base-moved"): "a race: End plans again by itself",
    ("work/merge/reftransaction.py", "fence-raised"): "somebody raises the fence between two looks",
    ("work/merge/seats.py", "base-under-way"): "the plan of End finds it first",
    ("work/merge/seats.py", "checkout-missing"): "the plan of End finds it first",
    ("work/intent/births.py", "taken"): "somebody makes a directory in a store at that very moment",
    ("work/intent/births.py", "guard-unusable"): "a file system without locks",
    ("work/tree/copies.py", "copy-outside"): "the check of projects.yml is faster",
    ("work/fence/ref.py", "fence-moved"): "somebody writes our own references meanwhile",
    ("work/intent/index.py", "index-busy"): "an editor saves a hundred times meanwhile",
    ("work/house/install.py", "settings-changed"): "the harness writes its settings meanwhile",
    ("work/tree/placing.py", "worktree-moved"): "test_end_obstacles.py pastes it",
    ("work/tree/placing.py", "worktree-broken"): "git lost its directory between two looks",
    ("work/tree/placing.py", "worktree-parent"): "somebody puts a link in between two looks",
    ("work/tree/provision.py", "provision"): "an error of the system, a full disk for instance",
    ("work/tree/provision.py", "worktree-broken"): "git's checkout ended on another branch",
    ("work/tree/snapshot.py", "salvage"): "a repository that may not be written any more",
    ("work/tree/snapshot.py", "salvage-ref"): "a ref made by hand; test_takeover.py pastes it",
    ("work/house/share.py", "no-python"): "an interpreter that does not know its own path",
    ("work/tree/site.py", "intent-name"): "no such name is ever made",
    ("work/tree/site.py", "main-checkout"): "test_provision_kinds.py has one; names no single way",
    (
        "store/migrations.py",
        "schema-newer",
    ): "installs from a package index; test_sqlite.py reads it",
    (
        "store/postgresspeech.py",
        "database-old",
    ): "a server of 2019; test_postgres.py has one",
    ("store/postgresspeech.py", "database-driver"): "installs; test_postgres_commands.py reads it",
    ("work/backlog/finish.py", "evidence-gone"): "somebody removes the file between two looks",
    ("disk/relay/place.py", "newer"): "installs from a package index; test_journal.py reads it",
    ("work/relay/people.py", "relay-silent"): "a runner that was stopped and yet lives",
    ("work/sync.py", "merge"): "a merge that git itself cannot explain",
}

# Verbs and gates of the parts that are being built; their cases come with them.
PENDING_VERBS: set[str] = set()
PENDING_GATES: set[str] = set()


class Site(NamedTuple):
    """One place that makes a refusal; `has_run` says that it names a command."""

    where: str
    code: str
    has_run: bool


def imported(path: Path) -> set[Path]:
    """The files of the package that a file imports, at its head or where it uses them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("plastic"):
            base = ROOT / node.module.replace(".", "/")  # type: ignore[union-attr]
            found |= {base.with_suffix(".py"), *(base / f"{one.name}.py" for one in node.names)}
    return {one for one in found if one.exists()}


def in_use() -> list[Path]:
    """What a command or a hook can reach: a part that has no verb yet refuses nobody."""
    reached: set[Path] = set()
    verbs = {one for one in (PACKAGE / "cli").rglob("*.py") if one.name not in PENDING_VERBS}
    ahead = verbs | {PACKAGE / "hook.py"}
    while ahead:
        reached |= ahead
        ahead = {one for path in ahead for one in imported(path)} - reached
    return sorted(reached)


def sites(files: list[Path] | None = None) -> list[Site]:
    """Every construction of a refusal with a code that stands in the source."""
    found = []
    for path in in_use() if files is None else files:
        where = str(path.relative_to(PACKAGE))
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            first = node.args[0]
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                continue
            has_run = any(one.arg == "run" for one in node.keywords)
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in ERRORS or (has_run and len(node.args) == 2 and name != "Verdict"):
                found.append(Site(where, first.value, has_run))
    for code, (_, run) in REFUSALS.items():
        if code not in PENDING_GATES:
            found.append(Site("rules/gates/refusals.py", code, bool(run)))
    return found


def cases() -> list[Case]:
    """Every case of the tables."""
    modules = (test_gates, test_lock, test_boarding, test_house, test_removal, test_end)
    lists = [value for module in modules for value in vars(module).values()]
    return [one for value in lists if isinstance(value, list) for one in value if type(one) is Case]


def covered() -> Counter[tuple[str, str]]:
    """How many cases there are for each refusal."""
    special = [
        *(
            ("rules/gates/refusals.py", code)
            for code in (*test_gates.WAITING, *test_gates.AFTER, *test_gates.ADVICE)
        ),
        *test_lock.WAITING,
        *test_boarding.SPECIAL,
        *test_house.SPECIAL,
        *test_removal.SPECIAL,
    ]
    special += [(proof.where, proof.code) for proof in test_backlog.CASES]
    special += [(proof.where, proof.code) for proof in test_printed_store.DIRECT]
    special += [*test_printed_world.SPECIAL, *test_delivery_printed.PASTED]
    special += [*test_relay.PASTED, *test_postgres_commands.SPECIAL]
    return Counter([(one.where, one.code) for one in cases()] + special)


def test_every_refusal_is_pasted_or_says_why_not() -> None:
    wanted = Counter((one.where, one.code) for one in sites())
    missing = {key: count for key, count in (wanted - covered()).items() if key not in EXEMPT}
    assert missing == {}, "a case of tests/printed, or an entry of EXEMPT, is missing"


def test_nothing_is_covered_or_exempt_that_is_gone() -> None:
    there = {(one.where, one.code) for one in sites(sorted(PACKAGE.rglob("*.py")))}
    assert set(covered()) - there == set()
    assert set(EXEMPT) - there == set()


def test_every_refusal_names_a_command() -> None:
    """Law 4; what is mended in projects.yml gets its command in work/tree/provision.py."""
    everything = sites(sorted(PACKAGE.rglob("*.py")))
    bare = {(one.where, one.code) for one in everything if not one.has_run}
    filled = {key for key in bare if key[1] in MENDED}
    assert bare - filled == {
        ("disk/commit.py", "not-in-home"),
        ("disk/notes.py", "front-matter"),
        ("work/demo.py", "demo"),
    }


def test_the_search_sees_what_it_must() -> None:
    """Non-vacuity: gates, commands, and the one refusal whose class is chosen at run time."""
    there = {(one.where, one.code) for one in sites()}
    assert ("rules/gates/refusals.py", "too-early") in there
    assert ("work/lock/refuse.py", "held") in there
    assert ("work/tree/adopt.py", "adopt-held") in there
    assert len(there) > 120
