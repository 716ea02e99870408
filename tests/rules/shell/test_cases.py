"""Every recorded text is judged as it behaved when it was run."""

from __future__ import annotations

import pytest

from plastic.rules.shell import rows_files, table
from tests.rules.shell.cases_filecmd import FILECMD
from tests.rules.shell.cases_git import GIT
from tests.rules.shell.cases_interp import INTERP
from tests.rules.shell.cases_look import LOOK
from tests.rules.shell.cases_outside import OUTSIDE
from tests.rules.shell.cases_own import OWN
from tests.rules.shell.cases_redirect import REDIRECT
from tests.rules.shell.cases_wrap import WRAP
from tests.rules.shell.fixture import FOREIGN, REPO, TREE, covers
from tests.rules.shell.judge import judge

GROUPS = {
    "redirect": REDIRECT,
    "filecmd": FILECMD,
    "git": GIT,
    "interp": INTERP,
    "wrap": WRAP,
    "outside": OUTSIDE,
    "own": OWN,
    "look": LOOK,
}
CASES = [(f"{group}-{case[0]}", *case[1:]) for group, cases in GROUPS.items() for case in cases]
# What is answered beyond what happened: the text may do it, and did not in this world.
BEYOND = {
    "filecmd-91": ["+below"],  # the branch behind `||` unpacks here
    "filecmd-92": [".rej"],  # a hunk that fails
    "git-145": ["+checkout"],  # a rebase that moves
    "outside-236": ["+git"],  # `git apply --index`
    "wrap-226": ["here2/spec.md"],  # where the first `cd` would have led
}


@pytest.mark.parametrize(("name", "text", "kind", "paths"), CASES, ids=[one[0] for one in CASES])
def test_the_kind_and_the_paths(name: str, text: str, kind: str, paths: list[str]) -> None:
    judged = judge(text)
    missing = [path for path in paths if not any(covers(one, path) for one in judged.writes)]
    if kind == "read":
        assert (judged.paths, judged.opaque) == ([], [])
    elif kind == "write":
        assert judged.kind == "write"
        assert missing == []
    else:
        assert judged.opaque or missing == []


@pytest.mark.parametrize(("name", "text", "kind", "paths"), CASES, ids=[one[0] for one in CASES])
def test_nothing_is_answered_that_did_not_happen(
    name: str, text: str, kind: str, paths: list[str]
) -> None:
    judged = judge(text)
    more = [
        shown
        for one, shown in zip(judged.writes, judged.paths, strict=True)
        if not any(covers(one, path) for path in paths)
    ]
    expected = BEYOND.get(name, [])
    assert len(more) == len(expected)
    assert all(shown.endswith(end) for shown, end in zip(more, expected, strict=True))


def test_the_own_worktree_is_never_mistaken_for_another() -> None:
    for number, text, _, _ in OWN:
        for write in judge(text).writes:
            assert not write.meets(FOREIGN), number
            assert not write.hits(f"{REPO}/README.md"), number


def test_a_neighbour_with_the_same_beginning_is_another_directory() -> None:
    (write,) = judge(f"echo x > {TREE}-evil/f").writes
    assert not write.meets(TREE)
    (write,) = judge(f"rm -rf {FOREIGN}2").writes
    assert not write.meets(FOREIGN)


def wrong() -> int:
    """How many recorded texts are misjudged."""
    found = 0
    for _, text, kind, paths in CASES:
        judged = judge(text)
        if kind == "write":
            found += not all(any(covers(one, path) for one in judged.writes) for path in paths[:1])
        elif kind == "read":
            found += judged.kind != "read"
    return found


def test_a_table_that_forgets_a_command_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_PARSED", {})
    monkeypatch.setitem(rows_files.FILES, "tee", "read")
    judged = judge("echo x | tee /store/12--login/spec.md")
    assert judged.kind == "read", "the broken variant must be seen by the cases above"
    assert wrong() > 0
