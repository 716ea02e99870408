"""The plan that a dry run shows: the steps that apply, in their order, in words."""

from __future__ import annotations

from plastic.rules.end.facts import ABANDONED, DELIVERED, Checkout, Facts, Flags, Grip, Merge, Tree
from plastic.rules.end.plan import steps

MERGE = Merge(
    root="/r",
    common="/r/.git",
    branch="refs/heads/plastic/7--tax",
    base="refs/heads/main",
    tip="a" * 40,
    base_tip="b" * 40,
    tree="c" * 40,
    changed=3,
    commits=2,
)
FACTS = Facts(
    "7", "7--tax", Grip(token=4), tree=Tree("there", "/r/.claude/worktrees/7--tax"), merge=MERGE
)


def numbers(facts: Facts, how: str = DELIVERED, mode: str = "merge") -> list[int]:
    return [one.number for one in steps(facts, Flags(how), mode, ["pytest"], ["notify"])]


def text(facts: Facts, number: int, how: str = DELIVERED, mode: str = "merge") -> str:
    found = steps(facts, Flags(how), mode, ["pytest"], ["notify"])
    return next(one.text for one in found if one.number == number)


def test_a_delivery_has_every_step() -> None:
    assert numbers(FACTS) == [0, 1, 2, 3, 5, 6, 7, 8, 9]
    assert text(FACTS, 1).endswith("refs/plastic/salvage/7/4")
    assert text(FACTS, 2) == "merge plastic/7--tax into main: 2 commit(s), 3 path(s)"
    assert text(FACTS, 2, mode="squash").startswith("squash plastic/7--tax")
    assert "/r/.git/plastic/trash" in text(FACTS, 5)
    assert text(FACTS, 6).startswith("delete plastic/7--tax")
    assert "token 4" in text(FACTS, 7)


def test_the_checkout_of_the_base_is_named() -> None:
    facts = FACTS._replace(merge=MERGE._replace(checkout=Checkout("/r")))
    assert text(facts, 2).endswith("followed by the checkout /r")


def test_giving_up_merges_nothing_and_keeps_the_branch() -> None:
    assert numbers(FACTS, ABANDONED) == [1, 3, 5, 6, 7, 8, 9]
    assert text(FACTS, 6, ABANDONED).startswith("keep plastic/7--tax")
    assert "Abandoned" in text(FACTS, 3, ABANDONED)


def test_what_is_in_the_base_is_not_merged_or_tried_again() -> None:
    facts = FACTS._replace(merge=MERGE._replace(contained="content", proof="d" * 40))
    assert 0 not in numbers(facts)
    assert "in main already (content at dddddddddddd)" in text(facts, 2)


def test_others_merge_a_remote_base() -> None:
    remote = MERGE._replace(base="refs/remotes/origin/main", is_remote=True)
    assert "merged into origin/main by others" in text(FACTS._replace(merge=remote), 2)
    assert (
        text(FACTS._replace(merge=MERGE._replace(tree="")), 2) == "merge plastic/7--tax into main"
    )


def test_lock_only_missing_and_adopted() -> None:
    assert numbers(FACTS._replace(tree=Tree(), merge=None)) == [3, 7, 8, 9]
    gone = FACTS._replace(tree=Tree("missing", "/x"))
    assert text(gone, 5) == "drop the registration of /x, which is gone"
    theirs = FACTS._replace(tree=Tree("there", "/x", adopted=True))
    assert text(theirs, 5).startswith("leave /x: somebody else made it")
