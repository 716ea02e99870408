"""kill -9 behind every effect of `plastic end`; the same command again finishes it, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from plastic.disk import failpoints
from tests.races.test_kills import killed_at
from tests.work.ends import A, B, Ready

if TYPE_CHECKING:
    from tests.world import World

TREE = ("trash.recorded", "trash.moved", "trash.detached", "trash.unregistered")
CHECKOUT = (
    "publish.locked",
    "publish.checked",
    "publish.moved",
    "publish.written",
    "publish.indexed",
    "publish.unlocked",
)
UNLOCK = ("release.claims", "release.unlocked", "release.unlinked")
MINE = tuple(name for name in failpoints.NAMES if name.startswith("end."))
DELIVERY = (*(one for one in MINE if one != "end.followed_up"), *CHECKOUT, *TREE, *UNLOCK)
# The other steps are those of a delivery.
GIVING_UP = ("end.noted", "end.followed_up", "end.indexed", "end.buried", "release.unlocked")
# What is over once the lock is gone may be finished by anybody.
LAST = ("release.unlocked", "release.unlinked", "end.unlocked", "end.bridged", "end.told")


def ready(world: World, disposition: str = "delivered") -> Ready:
    one = Ready(world).documents(disposition, open_boxes=2 if disposition == "abandoned" else 0)
    one.commit()
    (one.tree / ".env").write_text("TOKEN=1\n")
    return one


def silent(one: Ready) -> None:
    """The killed owner is not heard any more, and nothing it did is recent."""
    one.world.age(one.dir / "delivery.lock", 7200)


@pytest.mark.parametrize("name", DELIVERY)
def test_a_killed_delivery_is_finished_by_the_same_command(shop: World, name: str) -> None:
    """Cases 9.10/209 and 9.6/121: one merge commit, one Done line, one stamp, nothing lost."""
    one = ready(shop)
    killed_at(name, lambda: one.end("--note", "first"))
    done = one.end()
    assert done.rc == 0, done.err + done.out
    one.ended()
    assert len(one.merges()) == 1
    assert shop.git("show", "main:tax.py") == "TAX = 1"
    assert [(place / ".env").read_text() for place in one.trashed()] == ["TOKEN=1\n"]
    index = (shop.root / "home/projects/shop/INDEX.md").read_text()
    assert index.count(one.name) == 2  # the two halves of one link
    assert "first" in index or name in ("end.salvaged",)
    assert one.end().rc == 0, "an End that is over may be run again"


@pytest.mark.parametrize("name", GIVING_UP)
def test_a_killed_abandonment_is_finished_by_the_same_command(shop: World, name: str) -> None:
    one = ready(shop, "abandoned")
    before = one.main()
    killed_at(name, lambda: one.end("--abandoned"))
    done = one.end("--abandoned")
    assert done.rc == 0, done.err + done.out
    one.ended("abandoned")
    assert one.main() == before
    assert (one.dir / "outcome.md").read_text().count("- [ ] open 1") == 1


@pytest.mark.parametrize("name", ["end.merged", "publish.moved", "publish.written", "end.indexed"])
def test_a_killed_end_is_finished_after_a_takeover(shop: World, name: str) -> None:
    """Case 9.10/209: F, after the lease has lapsed."""
    one = ready(shop)
    killed_at(name, one.end)
    silent(one)
    assert one.end(session=B).rc == 4
    taken = shop.lock("reclaim", one.id, "--despite-evidence", session=B)
    assert taken.rc == 0, taken.err
    done = one.end(session=B)
    assert done.rc == 0, done.err + done.out
    one.ended()
    assert len(one.merges()) == 1


@pytest.mark.parametrize("name", LAST)
def test_after_the_unlock_anybody_finishes(shop: World, name: str) -> None:
    one = ready(shop)
    killed_at(name, one.end)
    done = one.end(session=B)
    assert done.rc == 0, done.err + done.out
    one.ended()


@pytest.mark.parametrize("name", ["end.indexed", "end.recorded", "end.committed", "trash.moved"])
def test_a_lock_that_is_released_in_the_middle_of_an_end(shop: World, name: str) -> None:
    """INDEX has decided how it ended, nobody can board it any more: anybody finishes it."""
    one = ready(shop)
    killed_at(name, one.end)
    assert shop.lock("release", one.id, session=A).rc == 0
    assert one.end("--abandoned", session=B).rc == 1
    done = one.end(session=B)
    assert done.rc == 0, done.err + done.out
    one.ended()
    assert len(one.merges()) == 1


def test_released_in_the_middle_with_new_work_in_the_worktree(shop: World) -> None:
    one = ready(shop)
    killed_at("end.committed", one.end)
    assert shop.lock("release", one.id, session=A).rc == 0
    (one.tree / "late.py").write_text("late\n")
    assert one.end(session=B).rc == 1
    assert one.blocked(session=B) == ["untracked"]
    assert one.end("--discard-worktree-changes", session=B).rc == 0
    one.ended()


def test_a_note_of_an_end_that_never_published_does_not_date_the_next(shop: World) -> None:
    """Killed before the merge, more work afterwards: the new merge is made anew."""
    one = ready(shop)
    killed_at("end.merged", one.end)
    later = one.commit("more.py", "MORE = 1\n")
    assert one.end().rc == 0
    one.ended()
    assert later in shop.git("rev-list", "main")
    assert len(one.merges()) == 1


def test_salvage_holds_the_branch_before_anything_else(shop: World) -> None:
    one = ready(shop)
    tip = shop.git("rev-parse", one.branch)
    before = one.main()
    killed_at("end.salvaged", one.end)
    assert shop.git("rev-parse", f"refs/plastic/salvage/{one.id}/{one.token}") == tip
    assert one.main() == before
