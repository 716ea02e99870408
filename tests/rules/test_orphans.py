"""The table of worktrees, branches and leftovers: what each is, whether it may go, one command."""

from __future__ import annotations

import pytest

from plastic.rules.orphans import KINDS, Seen, judge

TREE = Seen(
    "/repo",
    "/repo/.claude/worktrees/1--x",
    "plastic/1--x",
    "1",
    section="Active",
    registered=True,
    exists=True,
    ours=True,
    indexed=True,
    whole=True,
    look="git log",
)
OVER = TREE._replace(section="Completed", proof="ancestor")
BRANCH = TREE._replace(path=None, registered=False)
DIRECTORY = TREE._replace(registered=False)


@pytest.mark.parametrize(
    ("seen", "kind", "safe", "run"),
    [
        (TREE._replace(lock="fresh"), "held", False, "plastic-lock who 1"),
        (OVER._replace(lock="corrupt"), "held", False, "plastic-lock who 1"),
        (TREE, "open", False, "plastic start 1"),
        (OVER, "done", True, "plastic worktree prune"),
        (OVER._replace(adopted=True), "done", False, "plastic worktree remove"),
        (OVER._replace(holds=("untracked: a",)), "waiting", False, "git log"),
        (OVER._replace(proof=None), "waiting", False, "git log"),
        (OVER._replace(proof=None, section="Abandoned"), "done", True, "plastic worktree prune"),
        (OVER._replace(section="no section"), "open", False, "plastic start 1"),
        (OVER._replace(section=""), "elsewhere", False, "git -C /repo worktree list"),
        (OVER._replace(ours=False), "foreign", False, "git -C /repo worktree list"),
        (TREE._replace(exists=False), "missing", False, "plastic start 1"),
        (OVER._replace(exists=False), "missing", True, "plastic worktree prune"),
        (
            OVER._replace(exists=False, usual=False),
            "missing",
            False,
            "plastic worktree remove",
        ),
        (
            OVER._replace(exists=False, holds=("a merge",)),
            "missing",
            False,
            "plastic worktree remove",
        ),
        (TREE._replace(indexed=False, whole=False), "half-made", False, "plastic start 1"),
        (
            OVER._replace(indexed=False, whole=False),
            "half-made",
            False,
            "plastic worktree remove",
        ),
        (TREE._replace(whole=False), "broken", False, "git -C /repo worktree repair"),
        (BRANCH, "branch", False, "plastic start 1"),
        (BRANCH._replace(section="Completed"), "branch", False, "git log"),
        (
            BRANCH._replace(section="Completed", proof="content"),
            "branch",
            True,
            "plastic worktree prune",
        ),
        (BRANCH._replace(section="", proof="ancestor"), "elsewhere", False, "git -C /repo log"),
        (DIRECTORY, "directory", False, "mv /repo/.claude"),
        (DIRECTORY._replace(linked="/else"), "moved", False, "git -C /repo worktree repair"),
    ],
)
def test_each_has_a_kind_and_one_command(seen: Seen, kind: str, safe: bool, run: str) -> None:
    row = judge(seen)
    assert (row.kind, row.safe) == (kind, safe)
    assert row.run.startswith(run)
    assert row.kind in KINDS
    assert row.why


def test_only_what_is_over_and_unheld_is_ever_safe() -> None:
    """Non-vacuity: each single fact that speaks against removal is enough."""
    assert judge(OVER).safe
    for against in (
        {"lock": "fresh"},
        {"lock": "stale"},
        {"section": "Active"},
        {"section": ""},
        {"ours": False},
        {"whole": False},
        {"holds": ("untracked: a",)},
        {"proof": None},
    ):
        assert not judge(OVER._replace(**against)).safe, against
