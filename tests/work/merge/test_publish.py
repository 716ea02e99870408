"""Publishing a merge: the exact end state of every ref, index and file, or nothing changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plastic.disk.git import ZERO
from plastic.words import Broken, Lost, Refused
from plastic.work.merge import publish, reftransaction, room
from plastic.work.merge.publish import Moved
from tests.work.mill import Mill, content, files_of, hook
from tests.work.press import MAIN, Press
from tests.world import World

LINES = "".join(f"line {number}\n" for number in range(30))
ROOT: dict[str, str | bytes | None] = {
    "a.txt": LINES,
    "gone.txt": "to be removed\n",
    "run.sh": "#!/bin/sh\n",
    "old/name.txt": LINES,
    "kind": "a file\n",
    "deep/one": "1\n",
    "other.txt": "untouched by the merge\n",
    ".gitignore": ".env\nbuild/\n",
}
TIP: dict[str, str | bytes | None] = {
    "a.txt": LINES + "from the branch\n",
    "gone.txt": None,
    "old/name.txt": None,
    "new/name.txt": LINES,
    "added.txt": "new\n",
    "deep/two": "2\n",
    ".env": "SECRET=from the branch\n",
    "made/out/file": "3\n",
}


@pytest.fixture
def mill(world: World) -> Mill:
    mill = Mill(world)
    mill.commit(ROOT)
    mill.branch("tip", TIP)
    mill.git("switch", "-q", "tip")
    (mill.repo / "run.sh").chmod(0o755)
    (mill.repo / "kind").unlink()
    os.symlink("a.txt", mill.repo / "kind")
    mill.git("add", "-A")
    mill.git("commit", "-q", "-m", "modes and kinds")
    mill.git("switch", "-q", "main")
    mill.commit({"base.txt": "the base moved on\n"})
    return mill


def expected(mill: Mill, commit: str) -> dict[str, object]:
    """The files of a fresh checkout of a commit, by git itself."""
    place = mill.world.root / "fresh"
    mill.git("worktree", "add", "-q", "--detach", str(place), commit)
    try:
        return files_of(place)
    finally:
        mill.git("worktree", "remove", "--force", str(place))


def quiet(mill: Mill, folder: Path) -> list[str]:
    """Lock files and private indexes that were left behind."""
    return [
        name for name in sorted(os.listdir(folder)) if "lock" in name or name == "plastic-index"
    ]


# -- it goes through -----------------------------------------------------------------------------


def clean(mill: Mill) -> None:
    """Nothing to add."""


def edited_elsewhere(mill: Mill) -> None:
    mill.write({"other.txt": "my edit\n", "mine.txt": "untracked\n", "build/x": "ignored\n"})


def staged_elsewhere(mill: Mill) -> None:
    mill.write({"other.txt": "staged\n", "staged.txt": "new and staged\n"})
    mill.git("add", "other.txt", "staged.txt")
    mill.write({"other.txt": "staged, then edited\n"})


def only_touched(mill: Mill) -> None:
    os.utime(mill.repo / "a.txt", (1, 1))


def racily_staged(mill: Mill) -> None:
    mill.write({"other.txt": "UNTOUCHED BY THE MERGE\n"})


def split_index(mill: Mill) -> None:
    mill.git("update-index", "--split-index")


GOOD: dict[str, Callable[[Mill], None]] = {
    one.__name__: one
    for one in (
        clean,
        edited_elsewhere,
        staged_elsewhere,
        only_touched,
        racily_staged,
        split_index,
    )
}


@pytest.mark.parametrize("name", GOOD)
def test_a_checkout_follows(mill: Mill, name: str) -> None:
    GOOD[name](mill)
    press = Press(mill, mill.repo)
    own = {path: value for path, value in files_of(mill.repo).items() if path not in TIP}
    edits = mill.git("diff")
    staged = mill.git("diff", "--cached")
    refs = mill.refs()
    press.go()
    assert mill.refs() == refs.replace(f"{MAIN} {press.old}", f"{MAIN} {press.new}")
    assert mill.git("diff") == edits
    assert mill.git("diff", "--cached") == staged
    wanted = expected(mill, press.new)
    now = files_of(mill.repo)
    for path in TIP.keys() | {"run.sh", "kind"}:
        assert now.get(path) == wanted.get(path), path
    for path in own.keys() - {"run.sh", "kind"}:
        assert now.get(path) == own[path], path
    assert not (mill.repo / "old").exists()
    assert quiet(mill, mill.repo / ".git") == []
    assert mill.git("reflog", "-1", "--format=%gs", "main").startswith("plastic: end of 1 at ")
    assert mill.git("reflog", "-1", "--format=%H %gs", "HEAD").startswith(press.new)
    assert mill.git("fsck", "--no-progress", "--no-dangling") == ""


def test_a_deleted_file_comes_back(mill: Mill) -> None:
    (mill.repo / "a.txt").unlink()
    Press(mill, mill.repo).go()
    assert mill.git("status", "--porcelain") == ""


def test_a_file_becomes_a_folder_and_back(world: World) -> None:
    mill = Mill(world)
    mill.commit({"x": "file\n", "y/inner": "in a folder\n"})
    mill.branch("tip", {"x": None, "x/inner": "in a folder\n", "y/inner": None, "y": "file\n"})
    press = Press(mill, mill.repo)
    press.go()
    assert mill.git("status", "--porcelain") == ""
    assert (mill.repo / "x/inner").read_text() == "in a folder\n"
    assert (mill.repo / "y").read_text() == "file\n"


def test_an_ignored_file_in_a_folder_that_becomes_a_file(world: World) -> None:
    mill = Mill(world)
    mill.commit({"y/inner": "in a folder\n"})
    mill.branch("tip", {"y/inner": None, "y": "file\n"})
    mill.write({"y/.env": "SECRET=mine\n"})
    press = Press(mill, mill.repo)
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    # The folder as a whole: `.env` moved inside of it would be in the way as before.
    assert caught.value.facts["paths"] == ["y"]
    assert mill.everything() == before
    subprocess.run(["/bin/sh", "-c", caught.value.run], check=True)
    press.go()
    assert (mill.repo / "y").read_text() == "file\n"
    assert (mill.repo / "y.aside/.env").read_text() == "SECRET=mine\n"


@pytest.mark.parametrize("where", ["linked", "nowhere", "detached", "bare"])
def test_where_the_base_is_checked_out(mill: Mill, where: str) -> None:
    linked = mill.world.root / "linked"
    common = mill.common
    if where == "linked":
        mill.git("switch", "-q", "-c", "feature")
        mill.git("worktree", "add", "-q", str(linked), "main")
    elif where == "nowhere":
        mill.git("switch", "-q", "-c", "feature")
    elif where == "detached":
        mill.git("switch", "-q", "--detach", "main")
    else:
        bare = mill.world.root / "bare.git"
        mill.git("clone", "-q", "--bare", str(mill.repo), str(bare))
        common = str(bare)
    mill.write({"other.txt": "my edit\n", ".env": "SECRET=mine\n"})
    before = mill.everything()
    place = linked if where == "linked" else None
    press = Press(mill, place, common)
    press.go()
    now = mill.git("rev-parse", MAIN, cwd=common)
    assert now == press.new
    assert "plastic: end of 1" in mill.git("reflog", "-1", MAIN, cwd=common)
    if where != "bare":
        moved = str(before[0]).replace(f"{MAIN} {press.old}", f"{MAIN} {press.new}")
        assert mill.everything() == (moved, *before[1:]), "the other checkout is as it was"
    if where == "linked":
        assert mill.git("status", "--porcelain", "--ignored", cwd=linked) == ""
        assert files_of(linked) == expected(mill, press.new)
        assert quiet(mill, mill.repo / ".git/worktrees/linked") == []


# -- refused, and nothing has changed --------------------------------------------------------------


def dirty(mill: Mill) -> None:
    mill.write({"a.txt": "mine\n"})


def dirty_mode(mill: Mill) -> None:
    (mill.repo / "a.txt").chmod(0o755)


def dirty_link(mill: Mill) -> None:
    (mill.repo / "a.txt").unlink()
    os.symlink("other.txt", mill.repo / "a.txt")


def dirty_removed_one(mill: Mill) -> None:
    mill.write({"gone.txt": "still needed\n"})


def staged(mill: Mill) -> None:
    mill.write({"a.txt": "mine\n"})
    mill.git("add", "a.txt")


def staged_removal(mill: Mill) -> None:
    mill.git("rm", "-q", "--cached", "a.txt")


def staged_same_content(mill: Mill) -> None:
    mill.write({"added.txt": "new\n"})
    mill.git("add", "added.txt")


def staged_and_deleted(mill: Mill) -> None:
    staged_same_content(mill)
    (mill.repo / "added.txt").unlink()


def intent_to_add(mill: Mill) -> None:
    mill.write({"added.txt": ""})
    mill.git("add", "-N", "added.txt")


def untracked(mill: Mill) -> None:
    mill.write({"added.txt": "mine\n"})


def untracked_same_content(mill: Mill) -> None:
    mill.write({"added.txt": "new\n"})


def untracked_folder(mill: Mill) -> None:
    mill.write({"added.txt/inner": "mine\n"})


def untracked_parent(mill: Mill) -> None:
    mill.write({"made": "mine\n"})


def untracked_link_as_parent(mill: Mill) -> None:
    os.symlink(mill.world.root, mill.repo / "made")


def ignored(mill: Mill) -> None:
    mill.write({".env": "SECRET=mine\n"})


def ignored_dangling_link(mill: Mill) -> None:
    os.symlink("nowhere", mill.repo / ".env")


def assume_unchanged(mill: Mill) -> None:
    mill.write({"a.txt": "mine\n"})
    mill.git("update-index", "--assume-unchanged", "a.txt")


def skip_worktree(mill: Mill) -> None:
    mill.git("update-index", "--skip-worktree", "a.txt")
    mill.write({"a.txt": "mine\n"})


def skip_worktree_unedited(mill: Mill) -> None:
    mill.git("update-index", "--skip-worktree", "a.txt")


def merging(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "side", "main~1")
    mill.commit({"base.txt": "otherwise\n"})
    mill.git("switch", "-q", "main")
    assert mill.world.run("git", "merge", "side", cwd=mill.repo).rc == 1


def merging_without_conflict(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "side", "main~1")
    mill.commit({"side.txt": "x\n"})
    mill.git("switch", "-q", "main")
    mill.git("merge", "-q", "--no-ff", "--no-commit", "side")


def cherry_picking(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "side", "main~1")
    mill.commit({"base.txt": "otherwise\n"})
    mill.git("switch", "-q", "main")
    assert mill.world.run("git", "cherry-pick", "side", cwd=mill.repo).rc == 1


def unmerged(mill: Mill) -> None:
    merging(mill)
    (mill.repo / ".git/MERGE_HEAD").unlink()


def bisecting(mill: Mill) -> None:
    mill.git("bisect", "start")


def index_locked(mill: Mill) -> None:
    (mill.repo / ".git/index.lock").write_bytes(b"")


def no_index(mill: Mill) -> None:
    (mill.repo / ".git/index").unlink()


BAD: dict[Callable[[Mill], None], tuple[str, list[str]]] = {
    dirty: ("dirty", ["a.txt"]),
    dirty_mode: ("dirty", ["a.txt"]),
    dirty_link: ("dirty", ["a.txt"]),
    dirty_removed_one: ("dirty", ["gone.txt"]),
    staged: ("staged", ["a.txt"]),
    staged_removal: ("staged", ["a.txt"]),
    staged_same_content: ("staged", ["added.txt"]),
    staged_and_deleted: ("staged", ["added.txt"]),
    intent_to_add: ("intent-to-add", ["added.txt"]),
    untracked: ("in-the-way", ["added.txt"]),
    untracked_same_content: ("in-the-way", ["added.txt"]),
    untracked_folder: ("in-the-way", ["added.txt"]),
    untracked_parent: ("in-the-way", ["made"]),
    untracked_link_as_parent: ("in-the-way", ["made"]),
    ignored: ("in-the-way", [".env"]),
    ignored_dangling_link: ("in-the-way", [".env"]),
    assume_unchanged: ("hidden", ["a.txt"]),
    skip_worktree: ("hidden", ["a.txt"]),
    skip_worktree_unedited: ("hidden", ["a.txt"]),
    merging: ("under-way", []),
    merging_without_conflict: ("under-way", []),
    cherry_picking: ("under-way", []),
    unmerged: ("unmerged", ["base.txt"]),
    bisecting: ("base-under-way", []),
    index_locked: ("index-locked", []),
    no_index: ("no-index", []),
}


@pytest.mark.parametrize("state", BAD, ids=lambda state: state.__name__)
def test_refused_before_the_first_change(
    mill: Mill, state: Callable[[Mill], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, paths = BAD[state]
    monkeypatch.setattr("plastic.work.merge.ready.WAIT", 0.1)
    press = Press(mill, mill.repo)
    state(mill)
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    assert (caught.value.code, caught.value.facts.get("paths", [])) == (code, paths)
    assert all(path in caught.value.reason for path in paths)
    assert mill.everything() == before
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0, caught.value.run


@pytest.mark.parametrize("how", ["rebase in another worktree", "bisect in another worktree"])
def test_the_base_is_in_an_operation_elsewhere(mill: Mill, how: str) -> None:
    """HEAD is detached there, so git lists the base as checked out nowhere."""
    mill.git("switch", "-q", "-c", "feature")
    linked = mill.world.root / "linked"
    mill.git("worktree", "add", "-q", str(linked), "main")
    if how.startswith("rebase"):
        editor = "sed -i s/^pick/edit/"
        env = {"GIT_SEQUENCE_EDITOR": editor}
        assert mill.world.run("git", "rebase", "-i", "HEAD~1", cwd=linked, env=env).rc == 0
    else:
        mill.git("bisect", "start", "HEAD", "HEAD~2", cwd=linked)
    press = Press(mill, None)
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    assert caught.value.code == "base-under-way"
    assert str(linked) in caught.value.reason
    assert mill.everything() == before


def test_a_missing_checkout_would_come_back_outdated(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "feature")
    linked = mill.world.root / "linked"
    mill.git("worktree", "add", "-q", str(linked), "main")
    shutil.rmtree(linked)
    press = Press(mill, linked)
    with pytest.raises(Refused) as caught:
        press.go()
    assert caught.value.code == "checkout-missing"
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0
    assert mill.oid("main") == press.old
    assert press.heal() == "undone"


def test_a_checkout_that_lost_its_git_file(mill: Mill) -> None:
    """danger 37: git would answer with the main checkout around it, and we would write there."""
    mill.git("switch", "-q", "-c", "feature")
    ghost = mill.repo / ".claude/worktrees/ghost"
    mill.git("worktree", "add", "-q", str(ghost), "main")
    press = Press(mill, ghost)
    (ghost / ".git").unlink()
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    assert caught.value.code == "checkout-missing"
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0
    assert press.heal() == "undone"
    assert mill.everything() == before


class Plan(NamedTuple):
    """What happens between plan and apply, and what the apply says."""

    act: Callable[[Mill], object]
    checkout: bool
    code: str


CHANGED = {
    "a commit in the checkout": Plan(lambda mill: mill.commit({"n": "1\n"}), True, "base-moved"),
    "the checkout leaves": Plan(
        lambda mill: mill.git("switch", "-q", "-c", "f"), True, "base-elsewhere"
    ),
    "the checkout is detached": Plan(
        lambda mill: mill.git("switch", "-q", "--detach"), True, "base-elsewhere"
    ),
    "somebody checks the base out": Plan(lambda mill: None, False, "base-elsewhere"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_the_world_moved_between_plan_and_apply(mill: Mill, name: str) -> None:
    plan = CHANGED[name]
    press = Press(mill, mill.repo if plan.checkout else None)
    plan.act(mill)
    before = mill.everything()
    with pytest.raises(Moved) as caught:
        press.go()
    assert caught.value.code == plan.code
    assert mill.everything()[:3] == before[:3]
    assert mill.everything()[4] == before[4]
    assert quiet(mill, mill.repo / ".git") == []


def test_moved_where_it_is_checked_out_nowhere(mill: Mill) -> None:
    mill.git("switch", "-q", "-c", "feature")
    press = Press(mill, None)
    mill.git("update-ref", MAIN, "main~1")
    with pytest.raises(Moved):
        press.go()
    assert mill.oid("main") == mill.oid(f"{press.old}~1")


@pytest.mark.parametrize("edited", [False, True])
def test_checked_out_at_the_very_moment_of_the_move(
    mill: Mill, monkeypatch: pytest.MonkeyPatch, edited: bool
) -> None:
    """Between the last look and the move: the checkout that came follows, edits stay."""
    from plastic.work.merge import publish as module
    from plastic.work.merge.reftransaction import move

    mill.git("switch", "-q", "-c", "feature")
    press = Press(mill, None)

    def switched(git: Any, step: Any) -> None:
        mill.git("switch", "-q", "main")
        if edited:
            mill.write({"mine.txt": "mine\n"})
        move(git, step)

    monkeypatch.setattr(module, "move", switched)
    press.go()
    assert mill.oid("main") == press.new
    assert mill.git("status", "--porcelain") == ("?? mine.txt" if edited else "")
    assert quiet(mill, mill.repo / ".git") == []


# -- fence and hooks -----------------------------------------------------------------------------


@pytest.mark.parametrize("checked_out", [True, False])
def test_a_raised_fence_stops_the_merge(mill: Mill, checked_out: bool) -> None:
    """reliability 3/28: git itself refuses an owner who was overtaken while it paused."""
    if not checked_out:
        mill.git("switch", "-q", "-c", "feature")
    press = Press(mill, mill.repo if checked_out else None)
    ref = "refs/plastic/fence/1"
    mine, theirs = (
        mill.world.run("git", "hash-object", "-w", "--stdin", cwd=mill.repo, stdin=word).out.strip()
        for word in (b"1", b"2")
    )
    mill.git("update-ref", ref, theirs)
    before = mill.everything()
    with pytest.raises(Lost) as caught:
        press.go((ref, mine))
    assert caught.value.code == "fence-raised"
    assert mill.everything()[0] == before[0]
    assert mill.everything()[4] == before[4]
    assert quiet(mill, mill.repo / ".git") == []
    press.go((ref, theirs))
    assert mill.oid("main") == press.new


def test_the_users_reference_transaction_hook_decides(mill: Mill) -> None:
    press = Press(mill, mill.repo)
    hook(mill.repo, "reference-transaction", '[ "$1" = committed ] || { echo frozen >&2; exit 1; }')
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    assert caught.value.code == "ref-hook"
    assert "frozen" in caught.value.reason
    assert mill.everything()[:3] == before[:3]
    assert mill.everything()[4] == before[4]
    assert quiet(mill, mill.repo / ".git") == []


def test_post_merge_runs_and_undoes_nothing(mill: Mill) -> None:
    press = Press(mill, mill.repo)
    hook(mill.repo, "post-merge", 'echo "$1 $(git rev-parse HEAD)" > .git/ran; exit 7')
    said: list[str] = []
    press.go(said=said)
    assert (mill.repo / ".git/ran").read_text() == f"0 {press.new}\n"
    assert said
    assert "7" in said[0]
    assert mill.oid("main") == press.new


def test_what_is_no_step_from_the_old_base_is_refused(mill: Mill) -> None:
    press = Press(mill, mill.repo)
    press.new = press.tip
    with pytest.raises(Broken) as caught:
        press.go()
    assert caught.value.code == "no-step"
    press.old = ZERO
    with pytest.raises(Broken):
        press.go()


# -- filters, sparse checkouts, submodules ---------------------------------------------------------


def lfs(mill: Mill) -> None:
    """A filter like LFS: a pointer in git, the content beside it."""
    store = mill.world.root / "lfs"
    store.mkdir(exist_ok=True)
    clean = (
        f'f=$(mktemp); cat > "$f"; h=$(sha1sum < "$f" | cut -c1-40); mv "$f" {store}/$h; echo $h'
    )
    mill.git("config", "filter.big.clean", clean)
    mill.git("config", "filter.big.smudge", f"read h; cat {store}/$h")
    mill.git("config", "filter.big.required", "true")


def test_filters_and_line_ends(world: World) -> None:
    mill = Mill(world)
    lfs(mill)
    mill.commit({".gitattributes": "*.bin filter=big\n*.txt text eol=crlf\n"})
    mill.commit({"a.bin": "big one\n", "t.txt": "a\nb\n"})
    mill.branch("tip", {"b.bin": "big two\n", "a.bin": "big one and more\n", "t.txt": "a\nb\nc\n"})
    mill.git("checkout", "-q", "-f")
    press = Press(mill, mill.repo)
    press.go()
    assert mill.git("status", "--porcelain") == ""
    assert content(mill.repo / "b.bin") == (False, b"big two\n")
    assert content(mill.repo / "t.txt") == (False, b"a\r\nb\r\nc\r\n")


def test_a_filter_that_fails_takes_everything_back(world: World) -> None:
    """reliability 3/50: the objects of LFS are missing; git finds out half way through."""
    mill = Mill(world)
    lfs(mill)
    mill.commit({".gitattributes": "*.bin filter=big\n", "a": "1\n", "z": "1\n", "gone": "1\n"})
    mill.branch("tip", {"b.bin": "big\n", "a": "2\n", "z": "2\n", "gone": None, "n": "new\n"})
    mill.write({"mine": "untracked\n"})
    shutil.rmtree(mill.world.root / "lfs")
    press = Press(mill, mill.repo)
    before = mill.everything()
    with pytest.raises(Broken) as caught:
        press.go()
    assert caught.value.code == "checkout-failed"
    assert mill.everything()[0] == before[0]
    assert mill.everything()[4] == before[4]
    assert mill.git("status", "--porcelain") == "?? mine"
    assert quiet(mill, mill.repo / ".git") == []


@pytest.mark.parametrize("kind", ["--cone", "--no-cone", "--sparse-index"])
def test_a_sparse_checkout_stays_sparse(world: World, kind: str) -> None:
    mill = Mill(world)
    mill.commit({"in/a": "1\n", "out/a": "1\n", "out/b": "1\n"})
    mill.branch(
        "tip", {"in/a": "2\n", "in/n": "2\n", "out/a": "2\n", "out/n": "2\n", "out/b": None}
    )
    mill.git("sparse-checkout", "set", kind, "/in/" if kind == "--no-cone" else "in")
    press = Press(mill, mill.repo)
    press.go()
    assert mill.git("status", "--porcelain") == ""
    assert (mill.repo / "in/a").read_text() == "2\n"
    assert (mill.repo / "in/n").read_text() == "2\n"
    assert not (mill.repo / "out").exists()
    assert mill.git("ls-files", "out").split() == ["out/a", "out/n"]


def test_a_file_that_came_back_into_a_sparse_checkout(world: World) -> None:
    mill = Mill(world)
    mill.commit({"in/a": "1\n", "out/a": "1\n"})
    mill.branch("tip", {"out/a": "2\n"})
    mill.git("sparse-checkout", "set", "--no-cone", "/in/")
    mill.write({"out/a": "mine\n"})
    press = Press(mill, mill.repo)
    before = mill.everything()
    with pytest.raises(Refused) as caught:
        press.go()
    # git notices the file and takes it for present again: then it is an edit like any other.
    assert caught.value.code in ("hidden", "dirty")
    assert mill.everything()[4] == before[4]
    assert mill.oid("main") == press.old


def test_a_submodule_pointer_moves_and_its_checkout_does_not(world: World) -> None:
    mill = Mill(world)
    sub = world.make_repo(world.root / "sub")
    mill.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(sub), "sub")
    mill.git("commit", "-q", "-m", "with a submodule")
    mill.git("config", "submodule.recurse", "true")
    one = mill.git("rev-parse", "HEAD", cwd=mill.repo / "sub")
    mill.git("commit", "-q", "--allow-empty", "-m", "second", cwd=mill.repo / "sub")
    two = mill.git("rev-parse", "HEAD", cwd=mill.repo / "sub")
    mill.git("checkout", "-q", one, cwd=mill.repo / "sub")
    mill.git("branch", "tip")
    tree = world.root / "tree"
    mill.git("worktree", "add", "-q", str(tree), "tip")
    mill.git("update-index", "--cacheinfo", f"160000,{two},sub", cwd=tree)
    mill.git("commit", "-q", "-m", "newer submodule", cwd=tree)
    press = Press(mill, mill.repo)
    press.go()
    assert mill.git("rev-parse", "main:sub") == two
    assert mill.git("rev-parse", ":sub") == two
    assert mill.git("rev-parse", "HEAD", cwd=mill.repo / "sub") == one
    assert mill.git("status", "--porcelain") == "M sub"


@pytest.mark.parametrize("kind", ["a file", "a link"])
@pytest.mark.parametrize("absorbed", [True, False], ids=["absorbed", "with its own .git"])
def test_a_submodule_that_becomes_a_file_is_not_deleted(
    world: World, kind: str, *, absorbed: bool
) -> None:
    """git itself removes the folder whole: edits, ignored files, a repository without a remote."""
    mill = Mill(world)
    away = world.make_repo(world.root / "away")
    how = ("submodule", "add") if absorbed else ("clone",)
    mill.git(*how, "-q", str(away), "sub")
    mill.git("add", "sub")
    mill.git("commit", "-q", "-m", "with a submodule")
    mill.git("branch", "tip")
    tree = world.root / "tree"
    mill.git("worktree", "add", "-q", str(tree), "tip")
    mill.git("rm", "-q", "--cached", "sub", cwd=tree)
    (tree / "sub").rmdir()
    if kind == "a file":
        (tree / "sub").write_text("now a file\n")
    else:
        (tree / "sub").symlink_to("elsewhere")
    mill.git("add", "sub", cwd=tree)
    mill.git("commit", "-q", "-m", "no submodule any more", cwd=tree)
    (mill.repo / "sub/.env").write_text("TOKEN=1\n")
    press = Press(mill, mill.repo)
    with pytest.raises(Refused) as caught:
        press.go()
    assert caught.value.facts["paths"] == ["sub"]
    assert (mill.repo / "sub/.env").read_text() == "TOKEN=1\n"
    assert world.run("sh", "-c", caught.value.run).rc == 0
    press.go()
    assert (mill.repo / "sub.aside/.env").read_text() == "TOKEN=1\n"
    assert os.path.lexists(mill.repo / "sub")
    assert not (mill.repo / "sub").is_dir()


# -- broken variants must be caught ----------------------------------------------------------------


def test_a_plain_fast_forward_would_have_lost_the_ignored_file(mill: Mill) -> None:
    """What publish refuses, `merge --ff-only` does: the reason for looking at every added path."""
    press = Press(mill, mill.repo)
    ignored(mill)
    with pytest.raises(Refused):
        press.go()
    assert (mill.repo / ".env").read_text() == "SECRET=mine\n"
    mill.git("merge", "-q", "--ff-only", press.new)
    assert (mill.repo / ".env").read_text() == "SECRET=from the branch\n"


def test_without_the_look_the_ignored_file_would_be_lost(
    mill: Mill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plastic.work.merge.room.in_the_way", lambda root, touched: [])
    monkeypatch.setattr("plastic.work.merge.publish.in_the_way", lambda root, touched: [])
    press = Press(mill, mill.repo)
    ignored(mill)
    press.go()
    assert (mill.repo / ".env").read_text() == "SECRET=from the branch\n"


@pytest.mark.parametrize("name", ["added.txt", ".env"])
def test_a_file_that_appears_after_the_check(
    mill: Mill, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    press = Press(mill, mill.repo)
    real = reftransaction.move

    def late(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        mill.write({name: "mine\n"})

    monkeypatch.setattr(publish, "move", late)
    before = mill.everything()
    with pytest.raises(Broken) as caught:
        press.go()
    assert caught.value.code == "checkout-failed"
    assert mill.everything()[:3] == before[:3]
    files = dict(before[4])  # type: ignore[call-overload]
    assert mill.everything()[4] == {**files, name: (False, b"mine\n")}
    assert quiet(mill, mill.repo / ".git") == []


def test_an_edit_that_appears_after_the_check(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut short, it looks like a torn file; it is none, since git had written nothing yet."""
    press = Press(mill, mill.repo)
    real = room.in_the_way

    def late(root: str, touched: object) -> list[str]:
        mill.write({"a.txt": LINES[:50]})
        return real(root, touched)  # type: ignore[arg-type]

    monkeypatch.setattr(publish, "in_the_way", late)
    with pytest.raises(Broken):
        press.go()
    assert (mill.repo / "a.txt").read_text() == LINES[:50]
    assert mill.oid("main") == press.old
    assert mill.git("status", "--porcelain") == "M a.txt"
    assert quiet(mill, mill.repo / ".git") == []
