"""`plastic sync`: merges the base's tip into an intent's worktree, where its owner can resolve it.

The lock's `base_commit` stays as it is: it is where the intent's own work began, and evidence and
proofs compare against it. A merge from the base is no new beginning.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.files import exists
from plastic.disk.git import Git, current_branch, is_root, oid
from plastic.disk.journal import note
from plastic.disk.locks import intent_guard
from plastic.rules.lock.lease import worktree
from plastic.words import Broken, Refused
from plastic.work.fence import ref as fence
from plastic.work.lock.refuse import lost, not_held, refusal, start_command
from plastic.work.lock.verb import caller_for, relation, seen
from plastic.work.merge.intheway import differing, in_the_way
from plastic.work.merge.underway import UNDER_WAY
from plastic.work.tree.base import HEADS, REMOTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.disk.process import Out
    from plastic.disk.session import Caller
    from plastic.words import Intent, Lock

FETCH_TIMEOUT = 300.0  # seconds
MERGE_TIMEOUT = 600.0
SHOWN = 6  # paths named in a refusal
# Credential programs and ssh must fail instead of opening a window or a terminal.
UNATTENDED = {"GIT_ASKPASS": "false", "SSH_ASKPASS": "false", "SSH_ASKPASS_REQUIRE": "never"}


class Tree(NamedTuple):
    """The worktree that a lock names; `branch` and `base` are full refs."""

    git: Git
    path: str
    branch: str
    base: str

    def command(self, *words: str) -> str:
        """A git command in this worktree, ready to paste."""
        return shlex.join(("git", "-C", self.path, *words))


def sync(home: Home, intent: Intent, caller: Caller, say: Callable[[str], None]) -> dict[str, Any]:
    """Merge the base's tip; the tip, the new head and whether anything was merged.

    Owner and delegates only. Raises Refused with a conflict left in place, or with nothing
    changed where the merge would touch uncommitted work.
    """
    session = caller_for(home, intent, caller).session
    lock = _authorized(intent, session)
    tree = _tree_of(intent, lock)
    fetch(tree.git, tree.base, say)
    tip = oid(tree.git, tree.base)
    if tip is None:
        raise Broken(
            "base-missing",
            f"the base {tree.base} of {intent.name} does not exist",
            run=tree.command("branch", "--all"),
        )
    # Whoever takes the intent over waits until the merge is whole, or we see the new owner.
    with intent_guard(intent.dir):
        now = _authorized(intent, session)
        if (now.acq, now.token) != (lock.acq, lock.token):
            raise lost(intent, seen(intent), f"{intent.name} changed hands meanwhile")
        fence.barrier(tree.path, intent, lock)
        merged = _merge(tree, tip, session, say)
    head = oid(tree.git, "HEAD")
    note(home, "sync", intent=intent.id, session=session, base=tree.base, tip=tip, head=head)
    return {
        "id": intent.id,
        "path": tree.path,
        "branch": tree.branch.removeprefix(HEADS),
        "base": tree.base,
        "base_tip": tip,
        "head": head,
        "merged": merged,
    }


def _authorized(intent: Intent, session: str) -> Lock:
    view = seen(intent)
    if view.state == "none":
        raise not_held(intent)
    if view.lock is None or relation(view, session) not in ("owner", "delegate"):
        raise refusal(intent, view)
    return view.lock


def _tree_of(intent: Intent, lock: Lock) -> Tree:
    known = worktree(lock)
    if known is None:
        why = lock.raw.get("worktree")
        reason = why.get("reason") if isinstance(why, dict) else "it was never provisioned"
        raise Refused(
            "no-worktree",
            f"{intent.name} has no worktree to sync ({reason})",
            run=start_command(intent),
        )
    path = str(known["path"])
    if not is_root(path):
        raise Broken(
            "worktree-broken",
            f"{path} is no longer a worktree",
            run=start_command(intent),
        )
    tree = Tree(Git(path), path, f"{HEADS}{known.get('branch')}", str(known.get("base")))
    _require_quiet(tree)
    return tree


def _require_quiet(tree: Tree) -> None:
    """On its branch and in the middle of nothing."""
    folder = tree.git.read("rev-parse", "--absolute-git-dir")
    for name, what in UNDER_WAY.items():
        if exists(f"{folder}/{name}"):
            raise Refused(
                "under-way",
                f"{what} is under way in {tree.path}; finish or abort it first",
                run=tree.command("status"),
            )
    if current_branch(tree.git) != tree.branch:
        raise Refused(
            "other-branch",
            f"{tree.path} is not on {tree.branch.removeprefix(HEADS)}",
            run=tree.command("switch", tree.branch.removeprefix(HEADS)),
        )


def fetch(git: Git, base: str, say: Callable[[str], None]) -> None:
    """Ask the remote for its branch, never a person; a local base is what it is."""
    if not base.startswith(REMOTES):
        return
    rest = base.removeprefix(REMOTES)
    remotes = [one for one in git.read("remote").splitlines() if rest.startswith(f"{one}/")]
    if not remotes:
        return
    remote = max(remotes, key=len)
    source = f"{HEADS}{rest.removeprefix(f'{remote}/')}"
    say(f"fetching {rest}")
    git.run(
        "-c",
        "credential.interactive=false",
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        remote,
        f"+{source}:{base}",
        env=UNATTENDED,
        timeout=FETCH_TIMEOUT,
    )


def _merge(tree: Tree, tip: str, session: str, say: Callable[[str], None]) -> bool:
    if tree.git.run("merge-base", "--is-ancestor", tip, "HEAD", ok=(0, 1)).rc == 0:
        return False
    _require_room(tree, tip)
    short = tree.base.removeprefix(HEADS).removeprefix(REMOTES)
    message = f"Merge {short} into {tree.branch.removeprefix(HEADS)}"
    words = ("merge", "--ff", "--no-edit", "--no-autostash", "-m", message, tip)
    # The worktree's own hooks ask who merges, and a session may be named by a flag alone.
    env = {"PLASTIC_SESSION": session}
    done = tree.git.run(*words, ok=None, env=env, timeout=MERGE_TIMEOUT)
    if done.rc != 0:
        _explain(tree, tip, done, say)
    return True


def _require_room(tree: Tree, tip: str) -> None:
    """Nothing uncommitted may lie where the merge writes; git itself overwrites ignored files."""
    done = tree.git.run("merge-tree", "--write-tree", "--no-messages", "-z", "HEAD", tip, ok=(0, 1))
    merged = done.out.split("\0")[0].split("\n")[0].strip()
    if not merged:
        raise Broken("merge", f"git cannot merge {tree.base} into {tree.branch}", run="git version")
    touched = differing(tree.git, "HEAD", merged)
    written = {change.path for change in touched}
    staged = tree.git.paths("diff", "--cached", "--name-only", "-z", "--no-renames")
    edited = tree.git.paths("diff", "--name-only", "-z", "--no-renames")
    occupied = in_the_way(tree.path, touched)
    clash = sorted({*staged, *(set(edited) & written)})
    if clash:
        raise Refused(
            "dirty",
            f"uncommitted changes in {tree.path} would meet the merge: {_some(clash)}",
            run=tree.command("commit", "-a", "-m", "Work before sync"),
        )
    if occupied:
        first = shlex.quote(f"{tree.path}/{occupied[0]}")
        raise Refused(
            "in-the-way",
            f"files that git does not track lie where the merge writes: {_some(occupied)}",
            run=f"mv {first} {first}.aside",
        )


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _explain(tree: Tree, tip: str, done: Out, say: Callable[[str], None]) -> None:
    """Judge a merge that git did not call good; raises unless the base's tip is in."""
    if oid(tree.git, "MERGE_HEAD") == tip:
        unmerged = tree.git.paths("diff", "--name-only", "-z", "--diff-filter=U")
        abort = tree.command("merge", "--abort")
        if unmerged:
            say(f"resolve, then:  {tree.command('add', '--', *unmerged[:SHOWN])}")
            say(f"and:            {tree.command('commit', '--no-edit')}")
            say(f"or give it up:  {abort}")
            raise Refused(
                "conflict",
                f"{tree.base} conflicts in {_some(unmerged)}; the merge is left in {tree.path}, "
                f"undo it with `{abort}`",
                run=tree.command("status"),
                facts={"conflicts": unmerged},
            )
        raise Refused(
            "merge-stopped",
            f"the merge of {tree.base} is staged but not committed: {done.tail(1)}",
            run=tree.command("commit", "--no-edit"),
        )
    if tree.git.run("merge-base", "--is-ancestor", tip, "HEAD", ok=(0, 1)).rc == 0:
        say(f"git merge ended with {done.rc}, but the base is in: {done.tail(1)}")
        return
    raise Broken(
        "merge", f"git merge failed and changed nothing: {done.tail(1)}", run=tree.command("status")
    )
