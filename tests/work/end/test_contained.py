"""The proof that work is in the base: 0 wrong over every way a branch gets there, or does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from plastic.work.end import contained
from plastic.work.end.contained import Proven, proof
from plastic.work.merge import objects as merge
from tests.work.mill import Mill
from tests.world import World

NAME = "1--x"
LINES = "".join(f"line {number}\n" for number in range(40))
TEN = {f"f{number}": f"{number}\n" for number in range(10)}


def changed(line: int, text: str, source: str = LINES) -> str:
    """The text with one line exchanged."""
    lines = source.splitlines(keepends=True)
    lines[line] = text + "\n"
    return "".join(lines)


@pytest.fixture
def mill(world: World) -> Mill:
    mill = Mill(world)
    mill.commit({"a": LINES, "b": LINES, **TEN})
    return mill


def work(mill: Mill) -> None:
    """Two commits of a branch: an edit, then an edit and a new file."""
    mill.branch("tip", {"a": changed(3, "mine")}, {"a": changed(3, "mine, better"), "new": "n\n"})


def squash(mill: Mill, name: str = "tip", text: str = "squashed by hand") -> str:
    mill.git("merge", "-q", "--squash", name)
    mill.git("commit", "-q", "--allow-empty", "-m", text)
    return mill.oid("HEAD")


# Each builds a history on `main` with a branch `tip`.


def merged(mill: Mill) -> None:
    work(mill)
    mill.git("merge", "-q", "--no-ff", "-m", "merge", "tip")


def fast_forwarded(mill: Mill) -> None:
    work(mill)
    mill.git("merge", "-q", "--ff-only", "tip")


def merged_then_reverted(mill: Mill) -> None:
    merged(mill)
    mill.git("revert", "-m", "1", "--no-edit", "HEAD")


def squashed(mill: Mill) -> None:
    work(mill)
    squash(mill)


def squashed_onto_a_base_that_moved(mill: Mill) -> None:
    work(mill)
    mill.commit({"b": changed(30, "theirs")})
    mill.commit({"a": changed(30, "theirs, same file")})
    squash(mill)


def squashed_then_the_base_moved(mill: Mill) -> None:
    squashed(mill)
    for number in range(5):
        mill.commit({"b": changed(number, "later")})


def squashed_then_the_same_lines_were_edited(mill: Mill) -> None:
    squashed(mill)
    mill.commit({"a": changed(3, "edited once more"), "new": "rewritten\n"})


def squashed_then_reverted(mill: Mill) -> None:
    squashed(mill)
    mill.git("revert", "--no-edit", "HEAD")


def squashed_then_renamed(mill: Mill) -> None:
    squashed(mill)
    mill.git("mv", "a", "renamed")
    mill.git("commit", "-q", "-m", "rename")


def squashed_then_deleted(mill: Mill) -> None:
    squashed(mill)
    mill.commit({"a": None, "new": None})


def squashed_with_an_extra_edit(mill: Mill) -> None:
    work(mill)
    mill.git("merge", "-q", "--squash", "tip")
    mill.commit({"b": changed(20, "slipped in")}, "squash and more")


def rebased(mill: Mill) -> None:
    work(mill)
    mill.commit({"b": changed(1, "theirs")})
    mill.git("cherry-pick", "tip~1", "tip")


def rebased_and_interleaved(mill: Mill) -> None:
    work(mill)
    mill.git("cherry-pick", "tip~1")
    mill.commit({"b": changed(1, "between")})
    mill.git("cherry-pick", "tip")


def squashed_in_two_parts(mill: Mill) -> None:
    work(mill)
    mill.git("checkout", "-q", "tip~1", "--", ".")
    mill.commit({}, "first half")
    mill.git("checkout", "-q", "tip", "--", ".")
    mill.commit({}, "second half")


def squashed_a_branch_that_renames(mill: Mill) -> None:
    mill.branch("tip", {"a": None, "moved": changed(3, "mine")})
    mill.commit({"b": changed(1, "theirs")})
    squash(mill)


def squashed_a_branch_that_deletes(mill: Mill) -> None:
    mill.branch("tip", {"a": None, "f1": None})
    mill.commit({"b": changed(1, "theirs")})
    squash(mill)


def squashed_a_mode(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "tip")
    mill.git("update-index", "--chmod=+x", "a")
    mill.git("commit", "-q", "-m", "mode")
    mill.git("switch", "-q", "-f", "main")
    squash(mill)


def squashed_binary(mill: Mill) -> None:
    mill.branch("tip", {"bin": b"\0\1\2"}, {"bin": b"\0\1\3"})
    squash(mill)


def squashed_after_merging_the_base(mill: Mill) -> None:
    work(mill)
    mill.commit({"b": changed(1, "theirs")})
    mill.git("switch", "-q", "tip")
    mill.git("merge", "-q", "--no-edit", "main")
    mill.commit({"new": "after the merge\n"})
    mill.git("switch", "-q", "main")
    mill.commit({"b": changed(2, "theirs again", changed(1, "theirs"))})
    squash(mill)


def merged_elsewhere_first(mill: Mill) -> None:
    work(mill)
    mill.git("switch", "-q", "-c", "develop")
    squash(mill)
    mill.git("switch", "-q", "main")
    mill.commit({"b": changed(1, "theirs")})
    mill.git("merge", "-q", "--no-ff", "-m", "develop", "develop")


def net_zero(mill: Mill) -> None:
    """Changed and taken back: nothing is missing; its commits are in the salvage ref."""
    mill.branch("tip", {"a": changed(3, "mine")}, {"a": LINES})


def empty_branch(mill: Mill) -> None:
    mill.branch("tip", {})


def same_change_by_somebody_else(mill: Mill) -> None:
    work(mill)
    mill.commit({"a": changed(3, "mine, better"), "new": "n\n"})


def squashed_with_odd_names(mill: Mill) -> None:
    mill.branch("tip", {"with space": "1\n", "ümlaut": "2\n", '"quoted"': "3\n", "*": "4\n"})
    mill.commit({"b": changed(1, "theirs")})
    squash(mill)
    mill.commit({"*": "edited later\n"})


def squashed_with_a_line_break_in_a_name(mill: Mill) -> None:
    mill.branch("tip", {"two\nlines": "1\n"})
    squash(mill)
    mill.commit({"two\nlines": "2\n"})


def squashed_beside_an_unrelated_history(mill: Mill) -> None:
    """The base has merged another repository, with a file of the same name in it."""
    squashed(mill)
    mill.commit({"a": changed(3, "edited once more")})
    mill.git("switch", "-q", "--orphan", "elsewhere")
    mill.commit({"a": "of another project\n"})
    mill.git("switch", "-q", "main")
    mill.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "--no-edit", "elsewhere")


def resolved_conflict_of_our_own(mill: Mill) -> None:
    """Merged otherwise than git would, but the trailer names the tip."""
    work(mill)
    mill.commit({"a": changed(3, "theirs")})
    text = merge.message("squash", NAME, "X", "refs/heads/main", mill.oid("tip"))
    mill.commit({"a": changed(3, "both, put together"), "new": "n\n"}, text)


# -- not contained ---------------------------------------------------------------------------------


def nothing_yet(mill: Mill) -> None:
    work(mill)


def base_moved_only(mill: Mill) -> None:
    work(mill)
    mill.commit({"b": changed(1, "theirs")})


def one_more_commit_after_the_squash(mill: Mill) -> None:
    squashed(mill)
    mill.git("switch", "-q", "tip")
    mill.commit({"f3": "one more\n"})
    mill.git("switch", "-q", "main")


def amended_after_the_squash(mill: Mill) -> None:
    squashed(mill)
    mill.git("switch", "-q", "tip")
    mill.write({"new": "amended\n"})
    mill.git("commit", "-q", "-a", "--amend", "-m", "amended")
    mill.git("switch", "-q", "main")


def part_of_it(mill: Mill) -> None:
    work(mill)
    mill.commit({"a": changed(3, "mine, better")})


def one_of_two_commits(mill: Mill) -> None:
    work(mill)
    mill.git("cherry-pick", "tip~1")


def squashed_reverted_and_one_more(mill: Mill) -> None:
    squashed_then_reverted(mill)
    mill.git("switch", "-q", "tip")
    mill.commit({"f3": "one more\n"})
    mill.git("switch", "-q", "main")


def other_white_space(mill: Mill) -> None:
    mill.branch("tip", {"a": changed(3, "    if ready:  go()")})
    mill.commit({"a": changed(3, "if ready: go()")})


def white_space_of_a_whole_commit(mill: Mill) -> None:
    mill.branch("tip", {"n": "def f():\n\treturn 1\n"})
    mill.commit({"n": "def f():\n    return 1\n"})


def other_bytes(mill: Mill) -> None:
    mill.branch("tip", {"bin": b"\0\1\2"})
    mill.commit({"bin": b"\0\1\3"})


def evil_merge(mill: Mill) -> None:
    """A change that only a merge commit of the branch carries."""
    work(mill)
    mill.commit({"b": changed(1, "theirs")})
    mill.git("switch", "-q", "tip")
    mill.git("merge", "-q", "--no-commit", "--no-ff", "main")
    mill.write({"f5": "only in the merge\n"})
    mill.git("commit", "-q", "-a", "-m", "merge, and more")
    mill.git("switch", "-q", "main")
    mill.git("cherry-pick", "tip^1~1", "tip^1")


def hidden_by_an_ours_driver(mill: Mill) -> None:
    mill.commit({".gitattributes": "a merge=ours\n"})
    mill.git("config", "merge.ours.driver", "true")
    mill.branch("tip", {"a": changed(3, "mine")})
    mill.commit({"a": changed(30, "theirs")})
    squash(mill)


def hidden_by_info_attributes(mill: Mill) -> None:
    """What a repository's own info/attributes and default driver say does not count either."""
    hidden_by_an_ours_driver(mill)
    (mill.repo / ".git/info/attributes").write_text("* merge=ours\n")
    mill.git("config", "merge.default", "ours")


def hidden_by_union(mill: Mill) -> None:
    """The lines are there, in another order, beside others: close to it is not it."""
    mill.commit({".gitattributes": "log merge=union\n", "log": "0\n"})
    mill.branch("tip", {"log": "0\nmine\n"})
    mill.commit({"log": "0\ntheirs\n"})


def hidden_by_renormalizing(mill: Mill) -> None:
    mill.git("config", "merge.renormalize", "true")
    mill.commit({".gitattributes": "a text\n"})
    mill.branch("tip", {"n": "x\n"})
    mill.git("switch", "-q", "tip")
    blob = mill.world.run(
        "git",
        "hash-object",
        "-w",
        "--stdin",
        cwd=mill.repo,
        stdin=LINES.replace("\n", "\r\n").encode(),
    ).out.strip()
    mill.git("update-index", "--cacheinfo", f"100644,{blob},a")
    mill.git("commit", "-q", "-m", "other line ends")
    mill.git("switch", "-q", "-f", "main")
    mill.commit({"n": "x\n"})


def conflict_resolved_by_hand(mill: Mill) -> None:
    work(mill)
    mill.commit({"a": changed(3, "theirs")})
    mill.commit({"a": changed(3, "both, put together"), "new": "n\n"})


def the_other_way_round(mill: Mill) -> None:
    """The base is in the branch."""
    work(mill)
    mill.git("branch", "-f", "older", "main")


def unrelated(mill: Mill) -> None:
    mill.git("switch", "-q", "--orphan", "tip")
    mill.commit({"elsewhere": "1\n"})
    mill.git("switch", "-q", "main")


def trailer_of_another_tip(mill: Mill) -> None:
    work(mill)
    text = merge.message("squash", NAME, "X", "refs/heads/main", mill.oid("tip~1"))
    mill.commit({"a": changed(3, "theirs")}, text)


def trailer_of_another_intent(mill: Mill) -> None:
    work(mill)
    text = merge.message("squash", "2--y", "X", "refs/heads/main", mill.oid("tip"))
    mill.commit({"a": changed(3, "theirs")}, text)


def trailer_that_is_quoted(mill: Mill) -> None:
    work(mill)
    said = merge.message("squash", NAME, "X", "refs/heads/main", mill.oid("tip"))
    quoted = "".join(f"> {line}\n" for line in said.splitlines())
    mill.commit({"a": changed(3, "theirs")}, f"About it\n\n{said}\nmore text below\n\n{quoted}")


def trailer_on_the_branch_only(mill: Mill) -> None:
    work(mill)
    tip = mill.oid("tip")
    mill.git("switch", "-q", "-c", "aside")
    text = merge.message("squash", NAME, "X", "refs/heads/main", tip)
    mill.commit({"f1": "elsewhere\n"}, text)
    mill.git("switch", "-q", "main")


def scenarios() -> dict[Callable[[Mill], None], str | None]:
    ancestor = (merged, fast_forwarded, merged_then_reverted, empty_ancestor)
    content = (
        squashed,
        squashed_onto_a_base_that_moved,
        squashed_then_the_base_moved,
        squashed_then_the_same_lines_were_edited,
        squashed_then_reverted,
        squashed_then_renamed,
        squashed_then_deleted,
        squashed_with_an_extra_edit,
        rebased,
        rebased_and_interleaved,
        squashed_in_two_parts,
        squashed_a_branch_that_renames,
        squashed_a_branch_that_deletes,
        squashed_a_mode,
        squashed_binary,
        squashed_after_merging_the_base,
        merged_elsewhere_first,
        net_zero,
        empty_branch,
        same_change_by_somebody_else,
        squashed_with_odd_names,
        squashed_with_a_line_break_in_a_name,
        squashed_beside_an_unrelated_history,
    )
    trailer = (resolved_conflict_of_our_own,)
    missing = (
        nothing_yet,
        base_moved_only,
        one_more_commit_after_the_squash,
        amended_after_the_squash,
        part_of_it,
        one_of_two_commits,
        squashed_reverted_and_one_more,
        other_white_space,
        white_space_of_a_whole_commit,
        other_bytes,
        evil_merge,
        hidden_by_an_ours_driver,
        hidden_by_info_attributes,
        hidden_by_union,
        hidden_by_renormalizing,
        conflict_resolved_by_hand,
        the_other_way_round,
        unrelated,
        trailer_of_another_tip,
        trailer_of_another_intent,
        trailer_that_is_quoted,
        trailer_on_the_branch_only,
    )
    groups = ((ancestor, "ancestor"), (content, "content"), (trailer, "trailer"), (missing, None))
    return {one: how for group, how in groups for one in group}


def empty_ancestor(mill: Mill) -> None:
    """A branch without a commit of its own."""
    mill.git("branch", "tip")
    mill.commit({"b": changed(1, "theirs")})


SCENARIOS = scenarios()


@pytest.mark.parametrize("build", SCENARIOS, ids=lambda build: build.__name__)
def test_a_scenario(mill: Mill, build: Callable[[Mill], None]) -> None:
    build(mill)
    before = mill.everything()
    found = proof(mill.common, mill.oid("main"), mill.oid("tip"), NAME)
    assert (found.how if found else None) == SCENARIOS[build]
    assert mill.everything() == before
    if found is not None:
        assert (
            mill.world.run(
                "git", "merge-base", "--is-ancestor", found.commit, "main", cwd=mill.repo
            ).rc
            == 0
        ), "the commit is one of the base"


def test_there_are_enough_scenarios() -> None:
    assert len(SCENARIOS) >= 40


def test_the_commit_of_a_squash_is_named(mill: Mill) -> None:
    work(mill)
    commit = squash(mill)
    mill.commit({"a": changed(3, "edited once more")})
    assert proof(mill.common, "main", "tip", NAME) == Proven("content", commit)


def test_nothing_is_left_in_the_repository(mill: Mill) -> None:
    squashed_onto_a_base_that_moved(mill)
    before = mill.git("count-objects")
    assert proof(mill.common, "main", "tip", NAME) is not None
    assert mill.git("count-objects") == before


def test_names_that_do_not_exist(mill: Mill) -> None:
    assert proof(mill.common, "main", "0" * 39 + "1", NAME) is None
    assert proof(mill.common, "nowhere", "main", NAME) is None


# -- cut histories ---------------------------------------------------------------------------------


def cloned(mill: Mill, depth: int) -> str:
    place = mill.world.root / "shallow"
    words = ("clone", "-q", f"--depth={depth}", "--no-single-branch")
    mill.git(*words, f"file://{mill.repo}", str(place), cwd=mill.world.root)
    mill.git("branch", "tip", "origin/tip", cwd=place)
    assert mill.git("rev-parse", "--is-shallow-repository", cwd=place) == "true"
    return f"{place}/.git"


def test_a_shallow_clone_that_holds_both_sides_whole(mill: Mill) -> None:
    for number in range(5):
        mill.commit({"f7": f"older {number}\n"})
    squashed_onto_a_base_that_moved(mill)
    common = cloned(mill, 5)
    found = proof(common, "origin/main", "tip", NAME)
    assert found is not None
    assert found.how == "content"


def test_a_cut_between_merge_base_and_base_proves_nothing(
    mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """danger 28: from a farther merge base, what the branch took back looks as if it was there."""
    mill.branch("old", {"f9": "aside\n"})
    mill.commit({"a": changed(3, "in the base")})
    mill.branch("tip", {"a": LINES, "f1": "mine\n"})
    cut = mill.commit({"f1": "mine\n"})
    mill.git("merge", "-q", "--no-edit", "old")
    assert proof(mill.common, "main", "tip", NAME) is None
    (mill.repo / ".git/shallow").write_text(f"{cut}\n")
    assert mill.git("rev-parse", "--is-shallow-repository") == "true"
    assert proof(mill.common, "main", "tip", NAME) is None
    # Non-vacuity: the same proof without a look at the cut calls it contained.
    monkeypatch.setattr(contained, "_is_cut", lambda *args: False)
    assert proof(mill.common, "main", "tip", NAME) is not None


def test_a_squash_behind_the_cut_is_not_known_to_be_missing(mill: Mill) -> None:
    squashed_then_the_same_lines_were_edited(mill)
    assert proof(mill.common, "main", "tip", NAME) is not None
    assert proof(cloned(mill, 1), "origin/main", "tip", NAME) is None


def test_a_replaced_commit_is_not_believed(mill: Mill) -> None:
    work(mill)
    mill.commit({"b": changed(1, "theirs")})
    fake = mill.git("commit-tree", "main^{tree}", "-p", "tip", "-m", "as if merged")
    mill.git("replace", "main", fake)
    assert (
        mill.world.run("git", "merge-base", "--is-ancestor", "tip", "main", cwd=mill.repo).rc == 0
    )
    assert proof(mill.common, "main", "tip", NAME) is None


def test_the_search_is_bounded(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    squashed(mill)
    for number in range(4):
        mill.commit({"a": changed(3, f"again {number}")})
    assert proof(mill.common, "main", "tip", NAME) is not None
    monkeypatch.setattr(contained, "MOST", 2)
    assert proof(mill.common, "main", "tip", NAME) is None


# -- broken variants must be caught ----------------------------------------------------------------


@pytest.mark.parametrize("build", [other_white_space, evil_merge], ids=lambda build: build.__name__)
def test_git_cherry_would_lie(mill: Mill, build: Callable[[Mill], None]) -> None:
    """Patch ids ignore white space and skip merges: both of these would be deleted."""
    build(mill)
    lines = mill.git("cherry", "main", "tip").splitlines()
    assert lines, "something to look at"
    assert all(line.startswith("-") for line in lines)
    assert proof(mill.common, "main", "tip", NAME) is None


def test_with_attributes_the_proof_would_lie(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the checkout's attributes, an `ours` driver makes every merge change nothing."""
    hidden_by_an_ours_driver(mill)
    merged = mill.git("merge-tree", "--write-tree", "main", "tip")
    assert merged == mill.oid("main^{tree}")
    assert proof(mill.common, "main", "tip", NAME) is None
