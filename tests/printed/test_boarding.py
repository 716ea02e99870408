"""Each refusal of boarding and of sync: what is printed makes the next try go through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.printed.street import A, B, Call, Case, Street, lock_of, play, types


def _start(made: dict[str, Any], *words: str, session: str = A, **more: Any) -> Call:
    return types(session, "plastic", "start", str(made["id"]), *words, **more)


def _tree(street: Street, made: dict[str, Any]) -> Path:
    """Where the worktree of an intent is, or would be."""
    return street.repo / ".claude" / "worktrees" / f"{made['id']}--{made['slug']}"


def _linked(street: Street, *words: str) -> str:
    """A worktree that somebody else made."""
    street.calls += 1
    path = str(street.root / f"linked-{street.calls}")
    street.git("worktree", "add", "-q", path, *(words or ("-b", f"own-{street.calls}")))
    return path


def _key(street: Street, line: str) -> None:
    """One more key of the project, and an editor that comments it out again."""
    registry = Path(street.home.projects_yml)
    registry.write_text(registry.read_text().rstrip() + f"\n    {line}\n")
    mend = street.root / "mend"
    mend.write_text('#!/bin/sh\nsed "${1#+}s/^/#/" "$2" > "$2.new" && mv "$2.new" "$2"\n')
    mend.chmod(0o755)
    street.own["EDITOR"] = str(mend)


# -- start -----------------------------------------------------------------------------------------


def two_ways_to_name_an_intent(street: Street) -> Call:
    return _start(street.intent(), "--title", "Other")


def a_mode_that_there_is_not(street: Street) -> Call:
    return _start(street.intent(), "--mode", "fast")


def a_base_that_there_is_not(street: Street) -> Call:
    return _start(street.intent(), "--base", "nowhere")


def a_base_that_is_a_tag(street: Street) -> Call:
    street.git("tag", "-f", "v1")
    return _start(street.intent(), "--base", "v1")


def another_base_than_before(street: Street) -> Call:
    street.git("branch", "-f", "next")
    return _start(street.held(A), "--base", "next")


def a_squatted_place(street: Street) -> Call:
    made = street.intent()
    (_tree(street, made) / "sub").mkdir(parents=True)
    return _start(made)


def a_worktree_of_somebody_else(street: Street) -> Call:
    made = street.intent()
    street.git("worktree", "add", "-q", "-b", f"own-{made['id']}", str(_tree(street, made)))
    return _start(made)


def a_lost_worktree_of_somebody_else(street: Street) -> Call:
    made = street.intent()
    path = _tree(street, made)
    street.git("worktree", "add", "-q", "-b", f"plastic/{made['id']}--{made['slug']}", str(path))
    path.rename(street.root / f"lost-{made['id']}")
    return _start(made)


def a_worktree_without_its_git_file(street: Street) -> Call:
    made = street.held(A)
    (_tree(street, made) / ".git").unlink()
    return _start(made)


def a_branch_in_another_worktree(street: Street) -> Call:
    made = street.intent()
    _linked(street, "-b", f"plastic/{made['id']}--{made['slug']}")
    return _start(made)


def a_branch_in_a_worktree_that_is_gone(street: Street) -> Call:
    made = street.intent()
    path = _linked(street, "-b", f"plastic/{made['id']}--{made['slug']}")
    Path(path).rename(f"{path}.gone")
    return _start(made)


def nothing_to_adopt(street: Street) -> Call:
    return _start(street.intent("--global"), "--adopt", str(street.repo))


def an_adopted_folder(street: Street) -> Call:
    return _start(street.intent(), "--adopt", str(street.root))


def an_adopted_detached_worktree(street: Street) -> Call:
    return _start(street.intent(), "--adopt", _linked(street, "--detach"))


def a_second_worktree(street: Street) -> Call:
    return _start(street.held(A), "--adopt", _linked(street))


def a_worktree_of_another_intent(street: Street) -> Call:
    other = street.held(A)
    assert street.lock("release", other["id"], session=A).rc == 0
    return _start(street.intent(), "--adopt", str(_tree(street, other)))


def a_worktree_of_a_held_intent(street: Street) -> Call:
    return _start(street.intent(), "--adopt", str(_tree(street, street.held(B))))


def an_adopted_base(street: Street) -> Call:
    street.calls += 1
    base = f"base-{street.calls}"
    return _start(street.intent(), "--base", base, "--adopt", _linked(street, "-b", base))


BASE, PLACE, ADOPT, SYNC = (
    "work/tree/base.py",
    "work/tree/placing.py",
    "work/tree/adopt.py",
    "work/sync.py",
)
CASES = [
    Case("cli/start.py", "what", two_ways_to_name_an_intent, "TITLE"),
    Case("cli/start.py", "mode", a_mode_that_there_is_not, "auto or guided"),
    Case(BASE, "base-missing", a_base_that_there_is_not, "main"),
    Case(BASE, "base-kind", a_base_that_is_a_tag, "main"),
    Case(PLACE, "base-differs", another_base_than_before, "from refs/heads/main"),
    Case("work/tree/site.py", "worktree-squatted", a_squatted_place),
    Case(PLACE, "worktree-foreign", a_worktree_of_somebody_else),
    Case(PLACE, "worktree-missing", a_lost_worktree_of_somebody_else),
    Case(PLACE, "worktree-broken", a_worktree_without_its_git_file),
    Case(PLACE, "branch-elsewhere", a_branch_in_another_worktree),
    Case(PLACE, "branch-elsewhere", a_branch_in_a_worktree_that_is_gone),
    Case("work/tree/provision.py", "no-repository", nothing_to_adopt, "no code repository"),
    Case(ADOPT, "adopt-unknown", an_adopted_folder, "[main]"),
    Case(ADOPT, "adopt-detached", an_adopted_detached_worktree),
    Case(ADOPT, "adopt-second", a_second_worktree, "worktree"),
    Case(ADOPT, "adopt-foreign", a_worktree_of_another_intent, "worktree"),
    Case(ADOPT, "adopt-held", a_worktree_of_a_held_intent, "plastic start"),
    Case(ADOPT, "adopt-base", an_adopted_base),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_printed_about_a_boarding_resolves_it(shared: Street, case: Case) -> None:
    play(shared, case)


# -- start, where the repository or the registry is at fault ---------------------------------------


def a_base_of_the_project_that_there_is_not(street: Street) -> Call:
    _key(street, "base: nowhere")
    return _start(street.intent())


def a_base_that_only_the_remote_has(street: Street) -> Call:
    street.git("clone", "-q", "--bare", str(street.repo), str(street.root / "origin.git"))
    street.git("branch", "next", cwd=street.root / "origin.git")
    street.git("remote", "add", "origin", str(street.root / "origin.git"))
    _key(street, "base: origin/next")
    return _start(street.intent())


def a_copy_from_outside(street: Street) -> Call:
    made = street.intent()
    _key(street, "copy: [../secret]")
    return _start(made)


def a_copy_through_a_link(street: Street) -> Call:
    (street.repo / ".env").symlink_to(street.root / "user")
    _key(street, "copy: [.env]")
    return _start(street.intent())


def a_setup_that_fails(street: Street) -> Call:
    _key(street, "setup: ['exit 3']")
    return _start(street.intent())


def a_bare_project(street: Street) -> Call:
    """A project's path is a bare repository; the editor puts the checkout there."""
    street.git("clone", "-q", "--bare", str(street.repo), str(street.root / "bare.git"))
    registry = Path(street.home.projects_yml)
    right = registry.read_text()
    mend = street.root / "mend"
    (street.root / "right.yml").write_text(right)
    mend.write_text(f'#!/bin/sh\ngrep -q path "$2" && cp "{street.root}/right.yml" "$2"\n')
    mend.chmod(0o755)
    street.own["EDITOR"] = str(mend)
    made = street.intent()
    registry.write_text(right.replace(str(street.repo), str(street.root / "bare.git")))
    return _start(made)


def a_detached_main_checkout(street: Street) -> Call:
    street.git("checkout", "-q", "--detach")
    return _start(street.intent())


def a_repository_without_a_commit(street: Street) -> Call:
    street.git("update-ref", "-d", "refs/heads/main")
    return _start(street.intent())


def a_branch_called_plastic(street: Street) -> Call:
    for name in street.git("for-each-ref", "--format=%(refname)", "refs/heads/plastic").split():
        street.git("worktree", "remove", "-f", "-f", str(_of(street, name)))
        street.git("update-ref", "-d", name)
    street.git("branch", "plastic")
    return _start(street.intent())


def _of(street: Street, ref: str) -> Path:
    return street.repo / ".claude" / "worktrees" / ref.rpartition("/")[2]


def a_parent_that_leads_elsewhere(street: Street) -> Call:
    made = street.intent()
    (street.repo / ".claude").rename(street.root / "claude")
    (street.repo / ".claude").symlink_to(street.root / "claude")
    return _start(made)


def a_branch_in_the_main_checkout(street: Street) -> Call:
    made = street.intent()
    street.git("checkout", "-q", "-b", f"plastic/{made['id']}--{made['slug']}")
    return _start(made, "--base", "main")


def a_repository_of_another_user(street: Street) -> Call:
    made = street.intent()
    street.own["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
    street.paste(f"git config --global --add safe.directory '{street.home.root}'", _start(made))
    return _start(made)


def a_git_hook_that_refuses(street: Street) -> Call:
    """A hook that vetoes references: git's own word is printed with git's command."""
    made = street.intent()
    hook = street.repo / ".git" / "hooks" / "reference-transaction"
    mark = street.root / "once"
    hook.write_text(
        f'#!/bin/sh\n[ "$1" = prepared ] || exit 0\n[ -e "{mark}" ] || exit 0\n'
        f'grep -q refs/heads/plastic/ || exit 0\nrm "{mark}"; exit 1\n'
    )
    hook.chmod(0o755)
    mark.touch()
    return _start(made)


OWN = [
    Case(BASE, "base-missing", a_base_of_the_project_that_there_is_not),
    Case(BASE, "base-missing", a_base_that_only_the_remote_has),
    Case("disk/projects.py", "config", a_copy_from_outside),
    Case("work/tree/copies.py", "copy-outside", a_copy_through_a_link),
    Case("work/tree/copies.py", "setup-failed", a_setup_that_fails),
    Case("work/tree/site.py", "bare-repository", a_bare_project),
    Case(BASE, "base-detached", a_detached_main_checkout, "worktree"),
    Case(BASE, "base-unborn", a_repository_without_a_commit),
    Case(PLACE, "branch-conflict", a_branch_called_plastic),
    Case("work/tree/site.py", "worktree-parent", a_parent_that_leads_elsewhere),
    Case(PLACE, "branch-elsewhere", a_branch_in_the_main_checkout),
    Case("disk/git.py", "git", a_git_hook_that_refuses),
]


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_what_is_printed_about_a_repository_resolves_it(own: Street, case: Case) -> None:
    play(own, case)


SPECIAL = [("disk/git.py", "git-ownership")]


def test_repositories_of_another_user_are_marked_one_by_one(own: Street) -> None:
    call = a_repository_of_another_user(own)
    asked = []
    while (said := own.ask(call)).code is not None:
        assert said.code == "git-ownership"
        assert said.run not in asked
        asked.append(said.run)
        assert own.paste(said.run, call).rc == 0
    assert len(asked) == 2  # the repository, and the worktree that was made in it


# -- sync ------------------------------------------------------------------------------------------


def _moved(street: Street, name: str = "") -> tuple[dict[str, Any], Path]:
    """A boarded intent whose base has gone on; the base changes `name`."""
    street.calls += 1
    base = f"line-{street.calls}"
    street.git("branch", base)
    made = street.held(A, "--base", base)
    aside = _linked(street, base)
    name = name or f"new-{street.calls}.txt"
    Path(aside, name).write_text(f"theirs {street.calls}\n")
    street.git("add", "-A", cwd=aside)
    street.git("commit", "-q", "-m", "theirs", cwd=aside)
    return made, _tree(street, made)


def _sync(made: dict[str, Any]) -> Call:
    return types(A, "plastic", "sync", str(made["id"]))


def a_sync_without_a_worktree(street: Street) -> Call:
    return _sync(street.start(street.intent("--global")["id"], A))


def a_sync_of_a_removed_worktree(street: Street) -> Call:
    made, tree = _moved(street)
    tree.rename(street.root / f"gone-{made['id']}")
    return _sync(made)


def a_sync_in_the_middle_of_a_merge(street: Street) -> Call:
    made, tree = _moved(street)
    head = street.git("rev-parse", "HEAD", cwd=tree)
    Path(street.git("rev-parse", "--absolute-git-dir", cwd=tree), "MERGE_HEAD").write_text(head)
    return _sync(made)


def a_sync_on_another_branch(street: Street) -> Call:
    made, tree = _moved(street)
    street.git("checkout", "-q", "-b", f"aside-{made['id']}", cwd=tree)
    return _sync(made)


def a_sync_over_uncommitted_work(street: Street) -> Call:
    made, tree = _moved(street)
    (tree / "app.py").write_text("TAX = 0.3\n")
    street.git("add", "app.py", cwd=tree)
    return _sync(made)


def a_sync_over_untracked_work(street: Street) -> Call:
    made, tree = _moved(street, "notes.txt")
    (tree / "notes.txt").write_text("mine\n")
    return _sync(made)


def a_sync_that_conflicts(street: Street) -> Call:
    made, tree = _moved(street, "app.py")
    (tree / "app.py").write_text("TAX = 0.3\n")
    street.git("commit", "-q", "-a", "-m", "mine", cwd=tree)
    return _sync(made)


def a_sync_with_a_base_that_is_gone(street: Street) -> Call:
    made, _ = _moved(street)
    street.git("update-ref", "-d", made["lock"]["worktree"]["base"])
    return _sync(made)


def a_merge_that_a_hook_stopped(street: Street) -> Call:
    made, tree = _moved(street)
    (tree / "mine.txt").write_text("mine\n")
    street.git("add", "mine.txt", cwd=tree)
    street.git("commit", "-q", "-m", "mine", cwd=tree)
    hook, mark = street.repo / ".git" / "hooks" / "pre-merge-commit", street.root / "once"
    hook.write_text(f'#!/bin/sh\n[ -e "{mark}" ] || exit 0\nrm "{mark}"; exit 1\n')
    hook.chmod(0o755)
    mark.touch()
    return _sync(made)


def a_sync_of_an_overtaken_owner(street: Street) -> Call:
    """Another home has boarded the same intent of this repository since."""
    made, _ = _moved(street)
    value = json.dumps({"token": 9, "acq": "of-another-home"}).encode()
    blob = street.run("git", "hash-object", "-w", "--stdin", cwd=street.repo, stdin=value)
    street.git("update-ref", f"refs/plastic/fence/{made['id']}", blob.out.strip())
    return _sync(made)


SYNCS = [
    Case("work/fence/ref.py", "overtaken", a_sync_of_an_overtaken_owner),
    Case(SYNC, "no-worktree", a_sync_without_a_worktree, "no worktree"),
    Case(SYNC, "worktree-broken", a_sync_of_a_removed_worktree),
    Case(SYNC, "under-way", a_sync_in_the_middle_of_a_merge, "git commit"),
    Case(SYNC, "other-branch", a_sync_on_another_branch),
    Case(SYNC, "dirty", a_sync_over_uncommitted_work),
    Case(SYNC, "in-the-way", a_sync_over_untracked_work),
    Case(SYNC, "conflict", a_sync_that_conflicts, "git merge --abort"),
    Case(SYNC, "base-missing", a_sync_with_a_base_that_is_gone, "main"),
    Case(SYNC, "merge-stopped", a_merge_that_a_hook_stopped),
]


@pytest.mark.parametrize("case", SYNCS, ids=lambda case: case.name)
def test_what_is_printed_about_a_sync_resolves_it(shared: Street, case: Case) -> None:
    play(shared, case)


def test_a_refused_start_keeps_the_named_session(shared: Street) -> None:
    """A person who said `--session me` goes on as `me`, not under a derived key."""
    made = shared.held(shared.someone())
    shared.lapse(made)
    call = types("", "plastic", "start", made["id"], "--session", "me")
    said = shared.ask(call)
    assert said.run.endswith("--session me")
    assert shared.paste(said.run, call).rc == 0
    assert json.loads(lock_of(made).read_text())["owner_session"] == "me"
