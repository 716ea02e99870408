"""Cases 9.6/111-122: what keeps an intent from ending, with real git, and the way out of each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.work.ends import A, Mould, Ready, everything, one_ready
from tests.world import World


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Ready]:
    return Mould(tmp_path_factory.mktemp("mould"), one_ready)


@pytest.fixture
def one(mould: Mould[Ready], monkeypatch: pytest.MonkeyPatch) -> Ready:
    monkeypatch.setattr("plastic.work.merge.ready.WAIT", 0.1)
    return mould.fresh()


def modified(one: Ready) -> None:
    (one.tree / "app.py").write_text("TAX = 9\n")


def staged(one: Ready) -> None:
    modified(one)
    one.world.git("add", "app.py", cwd=one.tree)


def untracked(one: Ready) -> None:
    (one.tree / "deep").mkdir()
    (one.tree / "deep/new file.txt").write_text("new\n")


def untracked_unseen(one: Ready) -> None:
    one.world.git("config", "status.showUntrackedFiles", "no")
    untracked(one)


def assumed(one: Ready) -> None:
    one.world.git("update-index", "--assume-unchanged", "app.py", cwd=one.tree)
    modified(one)


def skipped(one: Ready) -> None:
    one.world.git("update-index", "--skip-worktree", "app.py", cwd=one.tree)
    modified(one)


def nested(one: Ready) -> None:
    place = one.tree / "build" / "lib"
    exclude = one.world.repo / ".git/info/exclude"
    exclude.write_text(exclude.read_text() + "build/\n")
    one.world.make_repo(place)


def merging(one: Ready) -> None:
    git = one.world.git
    git("branch", "side", "main", cwd=one.tree)
    git("merge", "-q", "--no-commit", "--no-ff", "side", cwd=one.tree)
    head = git("rev-parse", "main", cwd=one.tree)
    place = git("rev-parse", "--path-format=absolute", "--git-dir", cwd=one.tree)
    Path(place, "MERGE_HEAD").write_text(f"{head}\n")


def bisecting(one: Ready) -> None:
    one.world.git("bisect", "start", cwd=one.tree)


def detached(one: Ready) -> None:
    one.world.git("switch", "-q", "--detach", cwd=one.tree)
    one.commit("lost.py", "lost\n")


def on_another_branch(one: Ready) -> None:
    one.world.git("switch", "-q", "-c", "topic", cwd=one.tree)


def stashed(one: Ready) -> None:
    modified(one)
    one.world.git("stash", "push", "-q", "-m", "for later", cwd=one.tree)


def locked(one: Ready) -> None:
    one.world.git("worktree", "unlock", str(one.tree))
    one.world.git("worktree", "lock", "--reason", "on a stick", str(one.tree))


def broken(one: Ready) -> None:
    (one.tree / ".git").unlink()


def conflicting(one: Ready) -> None:
    one.commit("app.py", "TAX = 7\n", where=one.world.repo)
    one.commit("app.py", "TAX = 8\n")


def branch_renamed(one: Ready) -> None:
    one.world.git("branch", "-m", one.branch, "topic")


def unresolved(one: Ready, where: Path) -> None:
    """As after `stash pop`: no operation is under way, and the files hold conflict marks."""
    world = one.world
    blobs = [world.git("rev-parse", f"HEAD:{name}", cwd=where) for name in (".gitignore", "app.py")]
    rows = "".join(f"100644 {blobs[stage % 2]} {stage}\t.gitignore\n" for stage in (1, 2, 3))
    gone = f"0 {'0' * 40}\t.gitignore\n"
    done = world.run("git", "update-index", "--index-info", cwd=where, stdin=(gone + rows).encode())
    assert done.rc == 0, done.err


def unmerged(one: Ready) -> None:
    unresolved(one, one.tree)


def base_unmerged(one: Ready) -> None:
    unresolved(one, one.world.repo)


def base_intended(one: Ready) -> None:
    (one.world.repo / "tax.py").touch()
    one.world.git("add", "-N", "tax.py")
    (one.world.repo / "tax.py").unlink()


def base_removed(one: Ready) -> None:
    one.commit("app.py", "TAX = 5\n")
    one.world.git("rm", "-q", "app.py")


def base_removed_from_the_index(one: Ready) -> None:
    one.commit("app.py", "TAX = 5\n")
    one.world.git("rm", "-q", "--cached", "app.py")


def base_folder_in_place_of_a_file(one: Ready) -> None:
    one.commit("app.py", "TAX = 5\n")
    (one.world.repo / "app.py").unlink()
    (one.world.repo / "app.py").mkdir()
    (one.world.repo / "app.py" / "notes.txt").write_text("mine\n")


def base_hidden(one: Ready) -> None:
    one.commit("app.py", "TAX = 5\n")
    one.world.git("update-index", "--assume-unchanged", "app.py")


def base_dirty(one: Ready) -> None:
    one.commit("app.py", "TAX = 8\n")
    (one.world.repo / "app.py").write_text("TAX = 7\n")


def base_untracked(one: Ready) -> None:
    (one.world.repo / "tax.py").write_text("mine\n")


def base_ignored(one: Ready) -> None:
    (one.tree / ".env").write_text("THEIRS=1\n")
    one.world.git("add", "-f", ".env", cwd=one.tree)
    one.world.git("commit", "-q", "-m", "env", cwd=one.tree)
    (one.world.repo / ".env").write_text("MINE=1\n")


def base_merging(one: Ready) -> None:
    head = one.world.git("rev-parse", "HEAD")
    (one.world.repo / ".git/MERGE_HEAD").write_text(f"{head}\n")


def base_rebasing(one: Ready) -> None:
    one.world.git("switch", "-q", "--detach")
    folder = one.world.repo / ".git/rebase-merge"
    folder.mkdir()
    (folder / "head-name").write_text("refs/heads/main\n")


def base_away(one: Ready) -> None:
    place = one.world.root / "away"
    one.world.git("switch", "-q", "--detach")
    one.world.git("worktree", "add", "-q", str(place), "main")
    shutil.rmtree(place)


def base_gone(one: Ready) -> None:
    one.world.git("switch", "-q", "--detach")
    one.world.git("branch", "-D", "main")


def branch_gone(one: Ready) -> None:
    one.world.git("worktree", "remove", "-f", "-f", str(one.tree))
    one.world.git("update-ref", "-d", f"refs/heads/{one.branch}")


def nameless(one: Ready) -> None:
    one.world.git("config", "user.useConfigOnly", "true")
    one.world.git("config", "--global", "--unset", "user.email")


def hook_says_no(one: Ready) -> None:
    path = one.world.repo / ".git/hooks/commit-msg"
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\necho no ticket >&2\nexit 1\n")
    path.chmod(0o755)


def hook_empties(one: Ready) -> None:
    hook_says_no(one)
    hook = one.world.repo / ".git/hooks/commit-msg"
    hook.write_text('#!/bin/sh\n: > "$1"\n')


def no_key(one: Ready) -> None:
    keys = {"commit.gpgSign": "true", "gpg.format": "ssh", "user.signingKey": "/no/such/key"}
    for key, value in keys.items():
        one.world.git("config", key, value)


def no_new_objects(one: Ready) -> None:
    (one.world.repo / ".git/objects").chmod(0o555)


def base_index_locked(one: Ready) -> None:
    (one.world.repo / ".git/index.lock").touch()


def trash_is_a_file(one: Ready) -> None:
    (one.world.repo / ".git/plastic").write_text("mine\n")


def trash_is_a_link(one: Ready) -> None:
    (one.world.repo / ".git/plastic").mkdir()
    (one.world.repo / ".git/plastic/trash").symlink_to(one.world.root)


def trash_may_not_be_written(one: Ready) -> None:
    (one.world.repo / ".git/plastic").mkdir(mode=0o555)


def worktree_may_not_be_moved(one: Ready) -> None:
    one.tree.parent.chmod(0o555)


def moved_by_hand(one: Ready) -> None:
    modified(one)
    one.tree.rename(one.tree.parent / "else where")


def salvages_ref_taken(one: Ready) -> None:
    one.world.git("update-ref", f"refs/plastic/salvage/{one.id}", "HEAD")


Make = Callable[[Ready], None]
# how it comes about, what is listed, whether `--abandoned` lists it too
ROWS: list[tuple[Make, list[str], bool]] = [
    (modified, ["dirty"], True),
    (staged, ["dirty"], True),
    (untracked, ["untracked"], True),
    (untracked_unseen, ["untracked"], True),
    (assumed, ["hidden"], True),
    (skipped, ["hidden"], True),
    (nested, ["nested"], True),
    (merging, ["operation"], True),
    (bisecting, ["operation"], True),
    (detached, ["detached", "other-branch"], True),
    (on_another_branch, ["other-branch"], True),
    (branch_renamed, ["branch-left"], True),
    (unmerged, ["unmerged"], True),
    (stashed, ["stash"], True),
    (locked, ["worktree-locked"], True),
    (broken, ["worktree-broken"], True),
    (moved_by_hand, ["worktree-moved"], True),
    (conflicting, ["conflict"], False),
    (base_dirty, ["base-dirty"], False),
    (base_unmerged, ["base-unmerged"], False),
    (base_intended, ["base-intended"], False),
    (base_removed, ["base-removed"], False),
    (base_removed_from_the_index, ["base-removed"], False),
    (base_folder_in_place_of_a_file, ["base-in-the-way"], False),
    (base_hidden, ["base-hidden"], False),
    (base_untracked, ["base-in-the-way"], False),
    (base_ignored, ["base-in-the-way"], False),
    (base_merging, ["base-operation"], False),
    (base_rebasing, ["base-operation"], False),
    (base_away, ["base-away"], False),
    (base_gone, ["base-missing"], False),
    (branch_gone, ["branch-missing"], False),
    (nameless, ["identity"], False),
    (hook_says_no, ["commit-msg"], False),
    (hook_empties, ["commit-msg"], False),
    (no_key, ["signing"], False),
    (no_new_objects, ["read-only"], True),
    (base_index_locked, ["base-locked"], False),
    (trash_is_a_file, ["trash-unusable"], True),
    (trash_is_a_link, ["trash-unusable"], True),
    (trash_may_not_be_written, ["trash-closed"], True),
    (worktree_may_not_be_moved, ["trash-closed"], True),
    (salvages_ref_taken, ["salvage-ref"], True),
]
IDS = [row[0].__name__ for row in ROWS]


# What the command of an obstacle leaves to a person, or to a second look.
PERSON = (
    *("conflict", "operation", "base-operation", "base-missing", "branch-missing", "detached"),
    *("unmerged", "base-unmerged", "base-hidden"),
    *("base-locked", "commit-msg", "signing"),
)


@pytest.mark.usefixtures("permissions")
@pytest.mark.parametrize(("make", "names", "also"), ROWS, ids=IDS)
def test_each_is_found_changes_nothing_and_has_a_way_out(
    one: Ready, make: Make, names: list[str], also: bool
) -> None:
    """Dry run and refusal leave every byte and every time; the command leads on when pasted."""
    make(one)
    watched = [one.world.repo, one.dir.parent.parent, Path(one.world.home.held)]
    before = everything(*watched)
    assert one.blocked() == names
    done = one.end()
    assert done.rc in (1, 5)
    assert done.json["error"]["code"] in names
    assert [row["name"] for row in done.json["obstacles"]] == names
    assert everything(*watched) == before
    outcome = one.dir / "outcome.md"
    told = outcome.read_text()
    outcome.write_text(told.replace("delivered", "abandoned"))
    assert one.blocked("--abandoned") == (names if also else [])
    outcome.write_text(told)
    leads_on(one, done.json["obstacles"][0]["run"], names[0])


def leads_on(one: Ready, run: str, name: str) -> None:
    if run.startswith("plastic sync"):
        done = one.world.plastic("sync", one.id, session=A)
        assert "resolve, then" in done.err
        return
    done = one.world.run("/bin/sh", "-c", run)
    assert done.rc == 0, f"{run}: {done.err}"
    if name not in PERSON:
        assert name not in one.blocked()


@pytest.mark.parametrize("make", [modified, staged, untracked], ids=lambda one: one.__name__)
@pytest.mark.parametrize("how", ["--delivered", "--abandoned"])
def test_discarded_changes_are_kept_twice(one: Ready, make: Make, how: str) -> None:
    """The option drops them from sight: a salvage commit and the trash have them."""
    make(one)
    files = {name: (one.tree / name).read_bytes() for name in ("app.py",)}
    outcome = one.dir / "outcome.md"
    outcome.write_text(outcome.read_text().replace("delivered", how[2:]))
    assert one.end(how).rc == 1
    done = one.end(how, "--discard-worktree-changes")
    assert done.rc == 0, done.err
    one.ended(how[2:])
    for name, data in files.items():
        shown = one.world.git("show", f"{done.json['salvage']}:{name}")
        assert shown.encode() == data.rstrip(b"\n")
        assert (Path(done.json["trash"]) / name).read_bytes() == data


@pytest.mark.parametrize("make", [assumed, nested, detached, stashed], ids=lambda one: one.__name__)
def test_the_option_implies_no_other(one: Ready, make: Make) -> None:
    make(one)
    assert one.end("--discard-worktree-changes").rc == 1
    assert one.tree.exists()


def test_ignored_files_go_into_the_trash(one: Ready) -> None:
    """delivery 4.3: git itself would delete them."""
    (one.tree / ".env").write_text("SECRET=1\n")
    done = one.end()
    assert done.rc == 0, done.err
    assert (Path(done.json["trash"]) / ".env").read_text() == "SECRET=1\n"


def test_a_conflict_leaves_all_as_it_was(one: Ready) -> None:
    """Case 111."""
    conflicting(one)
    before = one.main()
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["run"] == f"plastic sync {one.id}"
    reason = done.json["error"]["reason"]
    assert one.branch in reason
    assert "main" in reason
    assert "app.py" in reason
    assert one.main() == before
    assert one.tree.exists()
    assert one.has_branch()
    one.clean()


def test_a_conflict_that_sync_and_a_person_resolve(one: Ready) -> None:
    conflicting(one)
    assert one.world.plastic("sync", one.id, session=A).rc == 1
    assert one.blocked() == ["operation", "dirty", "conflict"] or "operation" in one.blocked()
    (one.tree / "app.py").write_text("TAX = 78\n")
    one.world.git("add", "app.py", cwd=one.tree)
    one.world.git("commit", "-q", "--no-edit", cwd=one.tree)
    assert one.end().rc == 0
    one.ended()
    assert one.world.git("show", "main:app.py") == "TAX = 78"


def test_a_status_that_cannot_be_had(one: Ready) -> None:
    """Cases 114, 206: cleanliness that is not shown is no cleanliness."""
    index = one.world.git(
        "rev-parse", "--path-format=absolute", "--git-path", "index", cwd=one.tree
    )
    Path(index).write_bytes(b"garbage")
    done = one.end()
    assert done.rc == 5
    assert one.tree.exists()
    assert one.section() == "Active"


def test_a_worktree_that_was_deleted_by_hand(one: Ready) -> None:
    """Case 117."""
    shutil.rmtree(one.tree)
    assert one.end().rc == 0
    one.ended()
    assert one.world.git("show", "main:tax.py") == "TAX = 1"


def test_the_callers_directory_goes_away(one: Ready) -> None:
    """Case 119."""
    inside = one.tree / "deep"
    inside.mkdir()
    done = one.end(cwd=inside)
    assert done.rc == 0, done.err
    one.ended()
    assert f"cd {os.path.realpath(one.world.repo)}" in done.err


def test_a_branch_that_somebody_looks_at_stays(one: Ready) -> None:
    """Case 9.6: deleting it would leave that checkout without a commit."""
    place = one.world.root / "look"
    one.world.git("worktree", "add", "-q", "-f", str(place), one.branch)
    done = one.end()
    assert done.rc == 0, done.err
    assert one.has_branch()
    assert str(place) in done.json["branch"]


def test_an_adopted_worktree_is_somebody_elses(shop: World) -> None:
    place = shop.root / "theirs"
    shop.git("worktree", "add", "-q", "-b", "topic", str(place), "main")
    one = Ready(shop, "Add tax", "--adopt", str(place)).documents()
    one.commit(where=place)
    (place / "left.txt").write_text("left\n")
    assert one.blocked() == ["untracked"]
    (place / "left.txt").unlink()
    done = one.end()
    assert done.rc == 0, done.err
    assert place.exists()
    assert one.section() == "Completed"
    assert "somebody else made it" in done.err
    assert "topic" in shop.git("branch", "--list", "topic")
    assert "locked" not in shop.git("worktree", "list", "--porcelain")
    assert not list((shop.repo / ".git/worktrees").glob("*/plastic.json"))


def test_submodules(shop: World) -> None:
    """Case 122: dirty, then with a commit that nobody else has."""
    library = shop.root / "library"
    shop.make_repo(library)
    one = Ready(shop).documents()
    shop.git("submodule", "--quiet", "add", str(library), "lib", cwd=one.tree)
    shop.git("commit", "-q", "-m", "Add lib", cwd=one.tree)
    assert one.blocked() == []
    inner = one.tree / "lib"
    (inner / "app.py").write_text("TAX = 5\n")
    assert one.blocked() == ["submodule-dirty"]
    shop.git("commit", "-q", "-a", "-m", "inside", cwd=inner)
    assert one.blocked() == ["dirty", "submodule-unpushed"]
    shop.git("config", "receive.denyCurrentBranch", "ignore", cwd=library)
    shop.git("push", "-q", "origin", "HEAD:refs/heads/more", cwd=inner)
    shop.git("commit", "-q", "-a", "-m", "Use it", cwd=one.tree)
    assert one.blocked() == []
    assert one.end().rc == 0
    assert one.section() == "Completed"


def test_a_shallow_clone_that_ends_too_early(world: World) -> None:
    origin = world.make_repo(world.root / "origin")
    for turn in range(3):
        (origin / "app.py").write_text(f"TAX = {turn}\n")
        world.git("commit", "-q", "-a", "-m", f"turn {turn}", cwd=origin)
    world.git("clone", "-q", "--depth", "1", f"file://{origin}", str(world.repo), cwd=world.root)
    world.init()
    one = Ready(world).documents()
    one.commit()
    assert one.blocked() == []
    old = world.git("commit-tree", "-m", "from nowhere", "HEAD^{tree}", cwd=one.tree)
    world.git("reset", "-q", "--hard", old, cwd=one.tree)
    assert one.blocked() == ["shallow"]
    listed = one.end("--dry-run").json["obstacles"][0]
    assert world.run("/bin/sh", "-c", listed["run"]).rc == 0
    assert one.blocked() == ["unrelated"]


def test_a_person_may_vouch_and_an_agent_may_not(one: Ready) -> None:
    conflicting(one)
    head = one.main()
    assert one.end("--proven-by", head).json["error"]["code"] == "person"
    assert one.blocked("--proven-by", head) == []
    assert one.blocked("--proven-by", one.branch) == ["proven-by"]
    assert one.end("--accept-tainted").json["error"]["code"] == "person"


def test_a_branch_whose_merge_a_person_vouches_for(
    one: Ready, monkeypatch: pytest.MonkeyPatch
) -> None:
    conflicting(one)
    head = one.main()
    tip = one.world.git("rev-parse", one.branch)
    monkeypatch.setattr("plastic.disk.person.require_person", lambda *_: None)
    done = one.end("--proven-by", head)
    assert done.rc == 0, done.err
    one.ended()
    assert one.main() == head
    assert one.world.git("rev-parse", done.json["salvage"]) == tip


def test_what_was_written_past_a_gate(one: Ready) -> None:
    row = f'{{"at": "x", "event": "taint", "intent": "{one.name}", "path": "/x/spec.md"}}\n'
    with open(one.world.home.log, "a") as log:
        log.write(row)
    assert one.blocked() == ["tainted"]
    assert one.blocked("--accept-tainted") == []
    assert one.end().rc == 1


def test_many_at_once_are_all_listed(one: Ready) -> None:
    modified(one)
    untracked(one)
    base_untracked(one)
    (one.dir / "checklist.md").write_text("- [ ] a\n")
    assert one.blocked() == ["boxes", "dirty", "untracked", "base-in-the-way"]
    shown = one.world.plastic("end", one.id, "--delivered", "--dry-run", session=A)
    assert shown.rc == 0
    assert "in the way:" in shown.out
    assert "--discard-worktree-changes" in shown.out
    refused = one.world.plastic("end", one.id, "--delivered", session=A)
    assert f"run: plastic end {one.id} --delivered --dry-run" in refused.err
    assert "(and 3 more)" in refused.err
    assert len(refused_obstacles(one)) == 4


def refused_obstacles(one: Ready, session: str = A) -> list[str]:
    return [row["name"] for row in one.end(session=session).json["obstacles"]]


def released(one: Ready) -> str:
    assert one.world.lock("release", one.id, session=A).rc == 0
    return A


def delegated(one: Ready) -> str:
    assert one.world.lock("delegate", one.id, "--delegate", "bo-2", session=A).rc == 0
    return "bo-2"


def strange(one: Ready) -> str:
    return "bo-2"


@pytest.mark.parametrize("who", [released, delegated, strange], ids=lambda who: who.__name__)
def test_a_refusal_counts_what_the_dry_run_shows(one: Ready, who: Callable[[Ready], str]) -> None:
    """Also towards those whom the lock alone refuses: nothing new comes up behind it."""
    modified(one)
    base_untracked(one)
    session = who(one)
    shown = one.blocked(session=session)
    assert shown[1:] == ["dirty", "base-in-the-way"]
    done = one.end(session=session)
    assert [row["name"] for row in done.json["obstacles"]] == shown
    reason = done.json["error"]["reason"]
    assert "(and 2 more)" in reason or done.json["error"]["code"] == "held"


def test_a_start_does_not_replace_what_was_moved(one: Ready) -> None:
    """Its edits would be cut off from git; repaired it is used where it is."""
    moved_by_hand(one)
    done = one.world.plastic("start", one.id, "--json", session=A, cwd=one.world.repo)
    assert done.json["error"]["code"] == "worktree-moved"
    assert one.world.run("/bin/sh", "-c", done.json["error"]["run"]).rc == 0
    found = one.world.start(one.id, A)
    assert found["worktree"]["path"].endswith("else where")
    assert one.blocked() == ["dirty"]
    done = one.end("--discard-worktree-changes")
    assert done.rc == 0, done.err
    assert (Path(done.json["trash"]) / "app.py").read_text() == "TAX = 9\n"


def test_a_base_that_is_an_alias(one: Ready) -> None:
    """The branch behind it is what git checks out and lists, so it is what is merged into."""
    git = one.world.git
    git("branch", "-q", "-m", "main", "trunk")
    git("symbolic-ref", "refs/heads/main", "refs/heads/trunk")
    assert one.blocked() == []
    assert one.world.plastic("sync", one.id, session=A).rc == 0
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert done.json["base"] == "refs/heads/trunk"
    assert git("symbolic-ref", "refs/heads/main") == "refs/heads/trunk"
    assert (one.world.repo / "tax.py").read_text() == "TAX = 1\n", "its checkout has followed"


def test_a_base_whose_alias_leads_nowhere(one: Ready) -> None:
    one.world.git("switch", "-q", "--detach")
    one.world.git("branch", "-q", "-D", "main")
    one.world.git("symbolic-ref", "refs/heads/main", "refs/heads/trunk")
    assert one.blocked() == ["base-missing"]
    assert one.end().json["error"]["code"] == "base-missing"
    assert not one.world.git("for-each-ref", "refs/plastic/salvage")


ODD = (":(top)x", "*", "[a]", "a?", ":!x", "-n", "new line\n.txt")


@pytest.mark.parametrize("add", [True, False], ids=["untracked", "dirty"])
def test_a_name_that_looks_like_a_pattern(one: Ready, add: bool) -> None:
    """The printed command takes this file and no other."""
    git = one.world.git
    if not add:
        for name in ODD:
            (one.tree / name).write_text("old\n")
        git("add", "-A", cwd=one.tree)
        git("commit", "-q", "-m", "odd names", cwd=one.tree)
        modified(one)
        git("update-index", "--skip-worktree", "app.py", cwd=one.tree)
    for name in ODD:
        (one.tree / name).write_text("new\n")
    listed = one.end("--dry-run").json["obstacles"][0]
    assert listed["name"] == ("untracked" if add else "dirty")
    done = one.world.run("/bin/sh", "-c", listed["run"])
    assert done.rc == 0, done.err
    names = one.world.git("show", "--name-only", "-z", "--format=", "HEAD", cwd=one.tree)
    assert sorted(name for name in names.split("\0") if name) == sorted(ODD)


@pytest.mark.parametrize("name", [":(top)app.py", "*.py"])
def test_the_checkout_of_the_base_is_stashed_by_name(one: Ready, name: str) -> None:
    repo = one.world.repo
    one.commit(name, "one\n", where=repo)
    assert one.world.plastic("sync", one.id, session=A).rc == 0
    (one.tree / name).write_text("two\n")
    one.world.git("commit", "-q", "-a", "-m", "odd", cwd=one.tree)
    (repo / name).write_text("mine\n")
    (repo / ".gitignore").write_text("mine as well\n")
    listed = one.end("--dry-run").json["obstacles"][0]
    assert listed["name"] == "base-dirty"
    done = one.world.run("/bin/sh", "-c", listed["run"])
    assert done.rc == 0, done.err
    assert (repo / name).read_text() == "one\n"
    assert (repo / ".gitignore").read_text() == "mine as well\n", "no other file was stashed"


def test_what_was_published_by_nobody_leaves_nothing(
    one: Ready, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal that only the last look can give: step 1 is taken back."""
    watched = [one.world.repo, one.dir]
    before = everything(*watched, without=("hooks",))
    hook = one.world.repo / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ngrep -q refs/heads/main && exit 1\nexit 0\n")
    hook.chmod(0o755)
    done = one.end()
    assert done.json["error"]["code"] == "ref-hook"
    after = everything(*watched, without=("hooks",))
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert {os.path.basename(name) for name in changed} <= {"delivery.lock", "plastic.publish"}
    hook.unlink()
    assert one.end().rc == 0
    one.ended()
