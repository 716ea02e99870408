"""What a refusal of the backlog prints is pasted, and works."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

from plastic.work.backlog.finish import LARGEST
from tests.backlog.desk import ROUTE

if TYPE_CHECKING:
    from tests.backlog.desk import Desk


class Proof(NamedTuple):
    """A refusal: where it is made, what comes before it, the refused call and its exit code."""

    where: str
    code: str
    argv: tuple[str, ...]
    rc: int
    before: tuple[tuple[str, ...], ...] = ()


ONE, TWO = ("add", "One"), ("add", "Two")
TAKEN = (ONE, ("claim", "local-1", "--owner", "o1"))
CHAIN = (ONE, ("add", "Two", "--blocked-by", "local-1"))
EPIC = ("add", "Epic", "--grouping", "--base", "feat/epic")
JOIN = ("add", "Join", "--integrates", "local-1", "--phase", "integration")
DONE = (*TAKEN, ("complete", "local-1", "--token", "1", "--evidence", "HEAD"))
PARKED = (ONE, ("park", "local-1", *ROUTE))
COMPLETE = ("complete", "local-1", "--token", "1", "--evidence")
RECONCILE = ("reconcile", "local-1", "--token", "1", "--state", "live")
MEMBER = ("add", "Part", "--part-of", "local-1")
RECORD = ("record", "Fix", "--pr", "1", "--commit", "main", "--id")

CASES = [
    Proof("cli/backlog/add.py", "nothing", ("edit", "local-1"), 2),
    Proof("cli/backlog/claim.py", "what", ("claim",), 2),
    Proof("cli/backlog/options.py", "token", ("renew", "local-1"), 2),
    Proof("rules/backlog/drafts.py", "title-blank", ("add", " "), 2),
    Proof("rules/backlog/drafts.py", "id-invalid", ("add", "T", "--id", "17"), 2),
    Proof("rules/backlog/drafts.py", "value-unknown", ("add", "T", "--priority", "P7"), 2),
    Proof("work/backlog/branches.py", "branch-nested", (*EPIC[:-1], "main/x"), 1),
    Proof("work/backlog/place.py", "value-unusable", ("show", "\udcff"), 2),
    Proof("work/backlog/place.py", "value-unusable", ("add", "T", "--threshold", "9" * 20), 2),
    Proof("rules/backlog/drafts.py", "value-unknown", ("add", "T", "--threshold", "0"), 2),
    Proof(
        "rules/backlog/drafts.py",
        "value-unknown",
        ("edit", "local-1", "--priority", "P7"),
        2,
        (ONE,),
    ),
    Proof(
        "rules/backlog/drafts.py", "value-unknown", ("edit", "local-1", "--title", " "), 2, (ONE,)
    ),
    Proof(
        "rules/backlog/grants.py",
        "lease-unusable",
        ("claim", "local-1", "--owner", "o1", "--lease", "0"),
        2,
        (ONE,),
    ),
    Proof(
        "rules/backlog/grouping.py",
        "base-main",
        ("add", "T", "--part-of", "local-1", "--base", "main"),
        1,
        (EPIC, JOIN),
    ),
    Proof(
        "rules/backlog/grouping.py",
        "integration-missing",
        ("add", "T", "--part-of", "local-1"),
        1,
        (EPIC,),
    ),
    Proof("rules/backlog/grouping.py", "integration-twice", JOIN, 1, (EPIC, JOIN)),
    Proof("rules/backlog/grouping.py", "target-missing", ("add", "T", "--part-of", "local-9"), 1),
    Proof(
        "rules/backlog/parking.py", "route-incomplete", ("park", "local-1", *ROUTE[2:]), 1, (ONE,)
    ),
    Proof(
        "store/authors.py",
        "changed",
        ("edit", "local-1", "--title", "x", "--if-revision", "7"),
        1,
        (ONE,),
    ),
    Proof("store/authors.py", "dependents", ("forget", "local-1"), 1, CHAIN),
    Proof(
        "store/authors.py", "edge-missing", ("unlink", "local-1", "blockedBy", "local-9"), 1, (ONE,)
    ),
    Proof("store/authors.py", "note-empty", ("note", "local-1", " "), 2, (ONE,)),
    Proof("store/authors.py", "relation", ("link", "local-1", "likes", "local-1"), 2, (ONE,)),
    Proof("store/birth.py", "item-exists", ("add", "T", "--id", "local-1"), 1, (ONE,)),
    Proof("store/claims.py", "owner-blank", ("claim", "local-1", "--owner", " "), 2, (ONE,)),
    Proof("store/gatework.py", "not-by-worker", (*RECORD, "issue-7", "--role", "worker"), 1),
    Proof(
        "store/gatework.py",
        "value-unknown",
        ("reconcile", "local-1", "--token", "1", "--state", "odd"),
        2,
        (ONE,),
    ),
    Proof("store/gatework.py", "claim-history", (*RECORD, "local-1"), 1, TAKEN),
    Proof("store/kin.py", "self-edge", ("link", "local-1", "blockedBy", "local-1"), 1, (ONE,)),
    Proof("store/kin.py", "cycle", ("link", "local-1", "blockedBy", "local-2"), 1, CHAIN),
    Proof("store/kin.py", "blocker-refused", ("add", "T", "--blocked-by", "local-9"), 1),
    Proof("store/kin.py", "target-missing", ("add", "T", "--related", "local-9"), 1),
    Proof(
        "store/waiting.py",
        "wait-unusable",
        ("claim", "local-1", "--owner", "o2", "--wait", "0"),
        2,
        (ONE,),
    ),
    Proof("work/backlog/exchange.py", "import-missing", ("import", "/nowhere.json"), 6),
    Proof("work/backlog/exchange.py", "form", ("export", "--format", "png"), 2),
    Proof("work/backlog/finish.py", "evidence-unknown", (*COMPLETE, "nothing"), 1, TAKEN),
    Proof("work/backlog/place.py", "item-missing", ("show", "local-9"), 6),
    Proof("work/backlog/claims.py", "item-missing", ("claim", "local-9", "--owner", "o1"), 6),
    Proof("work/backlog/claims.py", "item-missing", ("renew", "local-9", "--token", "1"), 6),
    Proof("work/backlog/claims.py", "item-missing", ("release", "local-9", "--token", "1"), 6),
    Proof(
        "work/backlog/claims.py",
        "takeover-record",
        ("claim", "local-1", "--owner", "o2", "--takeover"),
        2,
        TAKEN,
    ),
    Proof("store/rows.py", "item-missing", ("forget", "local-9"), 6),
    Proof("store/gatework.py", "not-invalid", RECONCILE, 1, TAKEN),
    Proof("store/works.py", "grouping-open", (*COMPLETE, "HEAD"), 1, (EPIC, JOIN)),
    Proof("store/works.py", "item-parked", ("park", "local-1", *ROUTE[:-1], "other"), 1, PARKED),
    Proof(
        "store/authors.py",
        "item-complete",
        ("link", "local-1", "blockedBy", "local-2"),
        1,
        (*DONE, TWO),
    ),
    Proof(
        "store/authors.py",
        "grouping-twice",
        ("link", "local-3", "partOf", "local-1"),
        1,
        (EPIC, JOIN, MEMBER),
    ),
    Proof(
        "store/kin.py",
        "grouping-twice",
        ("add", "T", "--part-of", "local-1", "--integrates", "local-2"),
        1,
        (EPIC, ("add", "Other", "--grouping", "--base", "feat/epic")),
    ),
    Proof(
        "store/kin.py",
        "grouping-ring",
        ("link", "local-1", "integrates", "local-2"),
        1,
        (EPIC, JOIN),
    ),
    Proof(
        "rules/backlog/grouping.py",
        "self-edge",
        ("link", "local-1", "partOf", "local-1"),
        1,
        (EPIC,),
    ),
    Proof(
        "rules/backlog/grouping.py",
        "grouping-closed",
        ("add", "T", "--part-of", "local-1"),
        1,
        (EPIC, JOIN, ("park", "local-1", *ROUTE)),
    ),
    Proof(
        "rules/backlog/grouping.py",
        "research-leaf",
        ("add", "More", "--grouping", "--phase", "research", "--base", "b", "--session", "s-1"),
        1,
        (("add", "Study", "--phase", "research"), ("claim", "local-1", "--session", "s-1")),
    ),
    Proof("work/backlog/exchange.py", "form", ("import", "in.json", "--from", "jira"), 2),
    Proof("work/backlog/exchange.py", "form", ("import", ".", "--from", "beads"), 2),
    Proof("work/backlog/exchange.py", "form", ("import", "tags.json", "--from", "backlog-md"), 2),
    Proof("work/backlog/exchange.py", "import-form", ("import", "."), 1),
    Proof("rules/backlog/importing.py", "import-form", ("import", "words.json"), 1),
    Proof("rules/backlog/importing.py", "import-form", ("import", "torn.json"), 1),
    Proof("rules/backlog/importing.py", "import-form", ("import", "odd.json"), 1),
    Proof("rules/backlog/import_own.py", "import-form", ("import", "own.json"), 1),
    Proof("work/backlog/finish.py", "evidence-large", (*COMPLETE, "large file.bin"), 1, TAKEN),
    Proof(
        "work/backlog/finish.py",
        "evidence-unknown",
        ("record", "x", "--pr", "1", "--id", "issue-7", "--commit", "no", "--base", "nowhere"),
        1,
    ),
    Proof("work/backlog/views.py", "format", ("graph", "--format", "png"), 2),
    Proof("work/backlog/views.py", "state", ("list", "--state", "done"), 2),
]


# Files of the shop's repository that some of these calls name.
FILES = {
    "tags.json": '[{"id": "a-1", "tags": []}]',
    "words.json": '["x"]',
    "torn.json": '{"id": 1}\n{',
    "odd.json": '[{"name": 1}]',
    "own.json": '[{"grip": {}, "blocked_by": [], "id": "a-1", "anchors": 3}]',
}


@pytest.fixture
def files(desk: Desk) -> None:
    """FILES, and one that is too large to be read."""
    for name, text in FILES.items():
        (desk.world.repo / name).write_text(text)
    with (desk.world.repo / "large file.bin").open("wb") as large:
        large.truncate(LARGEST + 1)


def works(desk: Desk, run: str) -> None:
    """Paste a printed command; it returns 0."""
    name, *words = shlex.split(run)
    if name == "plastic":
        done = desk.world.plastic(*words, cwd=desk.world.repo)
        assert done.rc == 0, (run, done.err)
    else:
        subprocess.run([name, *words], check=True, cwd=desk.world.repo, capture_output=True)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.where}-{one.code}-{one.argv[0]}")
def test_a_printed_command_works(desk: Desk, one: Proof) -> None:
    """Law 4: the command returns 0 where it was printed."""
    for argv in one.before:
        desk(*argv)
    found = desk.refused(*one.argv, rc=one.rc)
    assert found["error"]["code"] == one.code
    works(desk, found["error"]["run"])
