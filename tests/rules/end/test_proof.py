"""Every obstacle of End has its row, its fact, its own option and its own command."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from plastic.rules.end.facts import (
    ABANDONED,
    DELIVERED,
    Bound,
    Checkout,
    Facts,
    Flags,
    Grip,
    Merge,
    Papers,
    Tree,
)
from plastic.rules.end.obstacle import DISCARD, PROVEN, TAINTED
from plastic.rules.end.proof import RULES, Obstacle, obstacles, worst

MERGE = Merge(
    root="/r",
    common="/r/.git",
    branch="refs/heads/plastic/7--tax",
    base="refs/heads/main",
    tip="a" * 40,
    base_tip="b" * 40,
    tree="c" * 40,
)
TREE = Tree("there", "/r/.claude/worktrees/7--tax")
CLEAR = Facts("7", "7--tax", Grip(who="ana", token=3, acq="x"), Papers(), TREE, MERGE)
DELIVER = Flags(DELIVERED)
ABANDON = Flags(ABANDONED)

# obstacle -> (exit code, option, also when abandoned, the fact that makes it)
ROWS: dict[str, tuple[int, str, bool, dict[str, Any]]] = {
    "held": (3, "", True, {"grip": Grip("foreign", "fresh", "bo")}),
    "stale": (4, "", True, {"grip": Grip("foreign", "stale", "bo")}),
    "corrupt": (4, "", True, {"grip": Grip("corrupt", "corrupt")}),
    "future": (4, "", True, {"grip": Grip("foreign", "future", "bo")}),
    "overtaken": (4, "", True, {"grip": Grip(overtaken=True)}),
    "not-owner": (1, "", True, {"grip": Grip("delegate", "fresh", "bo")}),
    "no-lock": (1, "", True, {"grip": Grip("none", "none")}),
    "ended": (1, "", True, {"papers": Papers(section="Relocated")}),
    "item": (1, "", False, {"bound": Bound("local-1", "shop", "it is parked")}),
    "structure": (1, "", True, {"papers": Papers(wrong=("no `## Intent`",))}),
    "no-outcome": (1, "", True, {"papers": Papers(outcome=False, said=None)}),
    "disposition": (1, "", True, {"papers": Papers(said=None)}),
    "boxes": (1, "", False, {"papers": Papers(open_boxes=2)}),
    "tainted": (1, TAINTED, False, {"papers": Papers(tainted=("app.py",))}),
    "worktree-broken": (5, "", True, {"tree": TREE._replace(state="broken")}),
    "worktree-moved": (1, "", True, {"tree": TREE._replace(state="missing", moved="/r/x")}),
    "worktree-lost": (1, DISCARD, True, {"tree": TREE._replace(state="missing", lost=("x",))}),
    "trash-unusable": (5, "", True, {"tree": TREE._replace(trash_taken="/r/.git/plastic")}),
    "trash-closed": (5, "", True, {"tree": TREE._replace(trash_closed="/r/.git")}),
    "salvage-ref": (5, "", True, {"merge": MERGE._replace(salvage_taken="1" * 40)}),
    "read-only": (5, "", True, {"merge": MERGE._replace(read_only="/r/.git/objects")}),
    "worktree-locked": (1, "", True, {"tree": TREE._replace(locked="usb disk")}),
    "unreadable": (5, "", True, {"tree": TREE._replace(unreadable="fatal: bad index")}),
    "operation": (1, "", True, {"tree": TREE._replace(operation="a rebase")}),
    "detached": (1, "", True, {"tree": TREE._replace(detached=2)}),
    "other-branch": (1, "", True, {"tree": TREE._replace(elsewhere="topic")}),
    "branch-left": (
        1,
        "",
        True,
        {"tree": TREE._replace(elsewhere="topic"), "merge": MERGE._replace(tip="")},
    ),
    "unmerged": (1, DISCARD, True, {"tree": TREE._replace(unmerged=("app.py",))}),
    "dirty": (1, DISCARD, True, {"tree": TREE._replace(dirty=("app.py",))}),
    "untracked": (1, DISCARD, True, {"tree": TREE._replace(untracked=("new.py",))}),
    "hidden": (1, "", True, {"tree": TREE._replace(hidden=("app.py",))}),
    "nested": (1, "", True, {"tree": TREE._replace(nested=("lib",))}),
    "submodule-dirty": (1, "", True, {"tree": TREE._replace(modules_dirty=("sub",))}),
    "submodule-unpushed": (1, "", True, {"tree": TREE._replace(modules_unpushed=("sub",))}),
    "stash": (1, "", True, {"tree": TREE._replace(stashes=("stash@{0}",))}),
    "branch-missing": (1, "", False, {"merge": MERGE._replace(tip="")}),
    "base-missing": (5, "", False, {"merge": MERGE._replace(base_tip="")}),
    "waiting": (1, PROVEN, False, {"merge": MERGE._replace(is_remote=True)}),
    "shallow": (1, PROVEN, False, {"merge": MERGE._replace(shallow=True)}),
    "unrelated": (1, PROVEN, False, {"merge": MERGE._replace(unrelated=True)}),
    "conflict": (1, PROVEN, False, {"merge": MERGE._replace(conflicts=("app.py",))}),
    "identity": (5, "", False, {"merge": MERGE._replace(unnamed=True)}),
    "pen": (3, "", False, {"merge": MERGE._replace(checkout=Checkout("/r", pen="bo"))}),
    "base-twice": (1, "", False, {"merge": MERGE._replace(checkout=Checkout("/r", ("/s",)))}),
    "base-away": (1, "", False, {"merge": MERGE._replace(checkout=Checkout("/r", away=True))}),
    "base-operation": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", operation="a merge"))},
    ),
    "base-dirty": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", dirty=("app.py",)))},
    ),
    "base-unmerged": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", unmerged=("app.py",)))},
    ),
    "base-removed": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", removed=("app.py",)))},
    ),
    "base-intended": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", intended=("app.py",)))},
    ),
    "base-hidden": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", hidden=("app.py",)))},
    ),
    "base-in-the-way": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", in_the_way=(".env",)))},
    ),
    "base-locked": (
        1,
        "",
        False,
        {"merge": MERGE._replace(checkout=Checkout("/r", locked="/r/.git/index.lock"))},
    ),
    "commit-msg": (1, "", False, {"merge": MERGE._replace(unmade=("commit-msg", "no ticket"))}),
    "signing": (5, "", False, {"merge": MERGE._replace(unmade=("signing", "no key"))}),
    "merge-commit": (5, "", False, {"merge": MERGE._replace(unmade=("merge-commit", "full"))}),
    "verify": (1, "", False, {"merge": MERGE._replace(failed="pytest -q", said="1 failed")}),
}


def wanted(name: str) -> Facts:
    return CLEAR._replace(**ROWS[name][3])


def names(found: list[Obstacle]) -> list[str]:
    return [one.name for one in found]


def test_nothing_is_in_the_way_of_a_clean_end() -> None:
    assert obstacles(CLEAR, DELIVER) == []
    ended = CLEAR._replace(papers=Papers(said=ABANDONED, open_boxes=3))
    assert obstacles(ended, ABANDON) == []


def test_every_row_of_the_table_is_tried() -> None:
    assert [rule.name for rule in RULES if rule.name != "proven-by"] == [
        name for name in (rule.name for rule in RULES) if name in ROWS
    ]
    assert {rule.name for rule in RULES} == {*ROWS, "proven-by"}


@pytest.mark.parametrize("name", ROWS)
def test_one_fact_makes_one_obstacle(name: str) -> None:
    """Cases 9.10/194, 196-198, 206 and 9.6/111-122 as rows."""
    code, flag, _, _ = ROWS[name]
    found = obstacles(wanted(name), DELIVER)
    assert names(found) == [name]
    assert (found[0].exit, found[0].flag) == (code, flag)
    assert found[0].reason
    assert "{" not in found[0].reason.replace("stash@{0}", "")


def test_an_outcome_without_a_disposition_is_told_what_to_write() -> None:
    silent, other = (
        obstacles(wanted("disposition")._replace(papers=Papers(said=said)), DELIVER)[0].reason
        for said in (None, ABANDONED)
    )
    assert silent.endswith(
        "has no `disposition:`: this End asks for `disposition: delivered` there"
    )
    assert "has `disposition: abandoned`: this End asks for `disposition: delivered`" in other


@pytest.mark.parametrize("name", ROWS)
def test_abandoning_asks_for_less(name: str) -> None:
    facts = wanted(name)
    if name not in ("disposition", "no-outcome"):
        facts = facts._replace(papers=facts.papers._replace(said=ABANDONED))
    assert names(obstacles(facts, ABANDON)) == ([name] if ROWS[name][2] else [])


@pytest.mark.parametrize("name", ROWS)
def test_the_command_of_each_is_a_shell_line(name: str) -> None:
    run = obstacles(wanted(name), DELIVER)[0].run
    words = shlex.split(run)
    assert words[0] in ("git", "plastic", "plastic-lock", "mv", "cd", "chmod", "ls")
    assert "{" not in run.replace("stash@{0}", "")


@pytest.mark.parametrize("flag", [DISCARD, TAINTED])
def test_an_option_lifts_its_own_obstacles_only(flag: str) -> None:
    flags = Flags(DELIVERED, discard=flag == DISCARD, accept_tainted=flag == TAINTED)
    for name, row in ROWS.items():
        lifted = row[1] == flag
        assert names(obstacles(wanted(name), flags)) == ([] if lifted else [name])


def test_what_is_in_the_base_already_needs_no_merge() -> None:
    """Case 9.6/121: a merge that has landed is not looked at again."""
    for name, (_, _, is_always, change) in ROWS.items():
        facts = wanted(name)
        merge = change.get("merge")
        if merge is not None and not is_always:
            facts = facts._replace(merge=merge._replace(contained="ancestor"))
            assert obstacles(facts, DELIVER) == []


def test_a_commit_that_is_not_in_the_base_proves_nothing() -> None:
    facts = CLEAR._replace(merge=MERGE._replace(not_in_base=True))
    found = obstacles(facts, Flags(DELIVERED, proven_by="deadbeef"))
    assert names(found) == ["proven-by"]
    assert "deadbeef" in found[0].reason
    assert found[0].exit == 2


def test_a_lock_only_intent_has_no_git_obstacles() -> None:
    facts = CLEAR._replace(tree=Tree(), merge=None)
    assert obstacles(facts, DELIVER) == []


def test_all_are_named_at_once_and_the_worst_gives_the_exit_code() -> None:
    facts = CLEAR._replace(
        tree=TREE._replace(dirty=("b",), untracked=("a",)),
        merge=MERGE._replace(conflicts=("x",), unnamed=True),
    )
    found = obstacles(facts, DELIVER)
    assert names(found) == ["dirty", "untracked", "conflict", "identity"]
    assert worst(found).name == "identity"
    held = obstacles(facts._replace(grip=Grip("foreign", "fresh", "bo")), DELIVER)
    assert worst(held).name == "held"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain.py", "plain.py"),
        ("two words", "'two words'"),
        (":(top)x", "':(literal):(top)x'"),
        (":!x", "':(literal):!x'"),
        ("*", "':(literal)*'"),
        ("a?", "':(literal)a?'"),
        ("[a]", "':(literal)[a]'"),
        ("a\\b", "':(literal)a\\b'"),
    ],
)
def test_a_name_that_looks_like_a_pattern_means_itself(name: str, shown: str) -> None:
    """In every command that takes pathspecs; `update-index` takes plain names."""
    for tree in (TREE._replace(dirty=(name,)), TREE._replace(untracked=(name,))):
        assert obstacles(CLEAR._replace(tree=tree), DELIVER)[0].run.endswith(f" -- {shown}")
    hidden = CLEAR._replace(tree=TREE._replace(hidden=(name,)))
    assert obstacles(hidden, DELIVER)[0].run.endswith(f" -- {shlex.quote(name)}")
    dirty = MERGE._replace(checkout=Checkout("/r", dirty=(name,)))
    found = obstacles(CLEAR._replace(merge=dirty), DELIVER)[0]
    assert found.run == f"git -C /r stash push -- {shown}"


def test_names_of_files_are_quoted_and_a_long_list_is_cut() -> None:
    odd = TREE._replace(untracked=("a b; rm -rf /", *(f"f{n}" for n in range(60))))
    found = obstacles(CLEAR._replace(tree=odd), DELIVER)[0]
    assert "56 more" in found.reason
    assert "rm -rf" not in found.run
    few = TREE._replace(untracked=("a b; rm -rf /",))
    run = obstacles(CLEAR._replace(tree=few), DELIVER)[0].run
    assert "'a b; rm -rf /'" in run
