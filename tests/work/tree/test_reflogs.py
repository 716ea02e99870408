"""Commits that only a reflog has: kept when it goes away, listed, shown and brought back."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from plastic.work.tree import reflogs
from tests.work.ends import A, Mould, Ready, one_ready

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Ready]:
    return Mould(tmp_path_factory.mktemp("mould"), one_ready)


@pytest.fixture
def one(mould: Mould[Ready]) -> Ready:
    return mould.fresh()


def amended(one: Ready) -> str:
    """The commit that was replaced."""
    lost = one.commit("gone.py", "ONLY = 'in the reflog'\n")
    one.world.git("rm", "-q", "gone.py", cwd=one.tree)
    (one.tree / "new.py").write_text(f"after {lost}\n")
    one.world.git("add", "-A", cwd=one.tree)
    one.world.git("commit", "-q", "--amend", "-m", "Better", cwd=one.tree)
    return lost


def reset_away(one: Ready) -> str:
    lost = one.commit("gone.py", "ONLY = 'in the reflog'\n")
    one.world.git("reset", "-q", "--hard", "HEAD~1", cwd=one.tree)
    return lost


def on_a_deleted_branch(one: Ready) -> str:
    git = one.world.git
    git("switch", "-q", "-c", "topic", cwd=one.tree)
    lost = one.commit("gone.py", "ONLY = 'in the reflog'\n")
    git("switch", "-q", one.branch, cwd=one.tree)
    git("branch", "-q", "-D", "topic", cwd=one.tree)
    return lost


WAYS = [amended, reset_away, on_a_deleted_branch]


def salvages(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.plastic("salvage", "list", "--json").json["salvages"]
    return found


def brought_back(one: Ready, lost: str) -> None:
    """Listed, shown, and on a branch again."""
    world = one.world
    name = f"{one.id}/{one.token}.reflog"
    assert name in [row["salvage"] for row in salvages(world)]
    shown = world.plastic("salvage", "show", name, "--json").json
    assert any(line.startswith(lost[:7]) for line in shown["commits"])
    done = world.plastic("salvage", "restore", name, "--json")
    assert done.rc == 0, done.err
    branch = done.json["branch"]
    world.git("gc", "-q", "--prune=now")
    assert world.git("show", f"{lost}:gone.py") == "ONLY = 'in the reflog'"
    world.git("merge-base", "--is-ancestor", lost, branch)


@pytest.mark.parametrize("how", ["delivered", "abandoned"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_an_end_keeps_them(one: Ready, way: Any, how: str) -> None:
    lost = way(one)
    one.documents(how)
    done = one.end(f"--{how}")
    assert done.rc == 0, done.err
    one.ended(how)
    brought_back(one, lost)


def test_an_end_without_any_makes_no_ref(one: Ready) -> None:
    assert one.end().rc == 0
    assert [row["salvage"] for row in salvages(one.world)] == [f"{one.id}/{one.token}"]


def over(one: Ready) -> None:
    """Completed in INDEX and unlocked, the worktree left behind."""
    git = one.world.git
    git("merge", "-q", "--no-ff", "--no-edit", one.branch)
    assert one.world.lock("release", one.id, session=A).rc == 0
    from plastic.work.intent.index import set_section
    from plastic.work.intent.shelf import all_intents

    intent = next(each for each in all_intents(one.world.home) if each.id == one.id)
    set_section(one.world.home, intent, "Completed")


@pytest.mark.parametrize("words", [("remove",), ("prune",)], ids=lambda words: words[0])
def test_a_removal_keeps_them(one: Ready, words: tuple[str, ...]) -> None:
    lost = amended(one)
    over(one)
    named = (one.id,) if words == ("remove",) else ()
    done = one.world.plastic("worktree", *words, *named, "--json", session=A)
    assert done.rc == 0, done.err
    assert not one.tree.exists()
    assert one.world.plastic("worktree", "prune").rc == 0
    assert not one.has_branch()
    brought_back(one, lost)


def test_a_registration_that_is_replaced(one: Ready) -> None:
    """The directory was deleted by hand: the next start registers it anew."""
    lost = on_a_deleted_branch(one)
    shutil.rmtree(one.tree)
    done = one.world.plastic("start", one.id, session=A, cwd=one.world.repo)
    assert done.rc == 0, done.err
    brought_back(one, lost)


def test_more_of_them_later_come_on_top(one: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several commits hold what one cannot, and a second look keeps the first one's."""
    monkeypatch.setattr("plastic.work.tree.reflogs.PARENTS", 2)
    lost = [amended(one) for _ in range(3)]
    intent = _intent(one)
    common = str(one.world.repo / ".git")
    branches = [f"refs/heads/{one.branch}"]
    words = (common, intent, one.token, str(one.tree), branches)
    first = reflogs.keep_reflogs(*words)
    assert first is not None
    assert reflogs.keep_reflogs(*words) is None
    lost.append(reset_away(one))
    second = reflogs.keep_reflogs(*words)
    assert second is not None
    for commit in (first.commit, *lost):
        one.world.git("merge-base", "--is-ancestor", commit, second.ref)


def test_it_is_bounded(one: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the newest entries of a reflog are looked at."""
    monkeypatch.setattr("plastic.work.tree.reflogs.MOST", 3)
    made = []
    for turn in range(4):
        made.append(one.commit(f"turn{turn}.py"))
        one.world.git("reset", "-q", "--hard", "HEAD~1", cwd=one.tree)
    intent = _intent(one)
    common = str(one.world.repo / ".git")
    kept = reflogs.keep_reflogs(common, intent, one.token, None, [f"refs/heads/{one.branch}"])
    assert kept is not None
    one.world.git("merge-base", "--is-ancestor", made[-1], kept.ref)
    words = ("git", "merge-base", "--is-ancestor", made[0], kept.ref)
    assert one.world.run(*words, cwd=one.world.repo).rc == 1


def _intent(one: Ready) -> Any:
    from plastic.work.intent.shelf import all_intents

    return next(each for each in all_intents(one.world.home) if each.id == one.id)
