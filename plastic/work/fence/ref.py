"""The fence of an intent: a ref that every raise of the token moves, checked by git itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import again
from plastic.disk.git import ZERO, Git
from plastic.disk.gitdir import find
from plastic.quickjson import loads
from plastic.rules.lock.lease import token_of
from plastic.words import Broken, Lost
from plastic.work.lock.refuse import start_command

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.process import Out
    from plastic.words import Intent, Lock, LockView

# A repository's own reference-transaction hook must not decide over our bookkeeping.
NO_HOOKS = ("-c", "core.hooksPath=/dev/null")


class Fence(NamedTuple):
    """What the ref says: the highest token raised in this repository, and whose it is.

    Ids are each home's own, so a second home may have raised it for another intent of the same
    id: `foreign`. Then the number counts, so no token is issued twice; nobody is overtaken by it.
    """

    token: int
    acq: str
    oid: str
    dir: str = ""  # of the intent, in its home
    foreign: bool = False


def ref_of(intent: Intent) -> str:
    """The fence of one intent."""
    return f"refs/plastic/fence/{intent.id}"


def repo_of(home: Home, intent: Intent, view: LockView | None = None) -> str | None:
    """The repository of an intent: its project's path, else the one its lock names; None = none."""
    from plastic.disk.compiled import load

    project = load(home).projects.get(intent.project) if intent.project is not None else None
    candidates = [project.path] if project is not None else []
    tree = view.lock.raw.get("worktree") if view is not None and view.lock is not None else None
    if isinstance(tree, dict) and isinstance(tree.get("repo"), str):
        candidates.append(tree["repo"])
    return next((one for one in candidates if one.startswith("/") and find(one) is not None), None)


def read(repo: str | None, intent: Intent) -> Fence | None:
    """The fence as it stands, None without one; a blob that says nothing counts as token 0."""
    if repo is None:
        return None
    git, ref = Git(repo), ref_of(intent)
    # `OID blob SIZE` and the content, or `REF missing`: also when the ref leads to nothing.
    seen = git.run("cat-file", "--batch", stdin=f"{ref}\n", ok=None, quiet=True).out
    head, _, text = seen.partition("\n")
    oid, _, kind = head.partition(" ")
    if not kind.startswith("blob "):
        text = ""
        oid = git.says("rev-parse", "--verify", "--quiet", "--end-of-options", ref) or ""
    if not oid:
        return None
    try:
        value = loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return Fence(0, "", oid)
    acq, place = (
        text if isinstance(text, str) else "" for text in (value.get("acq"), value.get("dir"))
    )
    foreign = bool(place) and place.rpartition("/")[2] != intent.name
    return Fence(token_of(value.get("token")), acq, oid, place, foreign)


def move(repo: str | None, intent: Intent, token: int, acq: str, old: Fence | None) -> Fence | None:
    """Point the fence at this token, compared with what it said before."""
    if repo is None:
        return None
    git = Git(repo)
    content = json.dumps({"token": token, "acq": acq, "dir": intent.dir}) + "\n"
    oid = git.run("hash-object", "-w", "--stdin", stdin=content).out.strip()
    done = _update(git, intent, oid, old.oid if old is not None else ZERO)
    if done != 0:
        raise Broken(
            "fence-moved",
            f"{ref_of(intent)} was moved by somebody else at this moment; the lock is as it was",
            run=again(),
        )
    return Fence(token, acq, oid, intent.dir)


def undo(repo: str | None, intent: Intent, moved: Fence | None, old: Fence | None) -> None:
    """Put the fence back where a raise that did not come about found it."""
    if repo is None or moved is None:
        return
    _update(Git(repo), intent, old.oid if old is not None else ZERO, moved.oid)


def _update(git: Git, intent: Intent, new: str, old: str) -> int:
    ref = ref_of(intent)
    if new == ZERO:
        args: tuple[str, ...] = ("-d", ref, old)
    else:
        args = (ref, new, "0" * len(new) if old == ZERO else old)
    return git.run(*NO_HOOKS, "update-ref", *args, ok=None).rc


def barrier(repo: str, intent: Intent, lock: Lock) -> tuple[str, str] | None:
    """What a write in git under this lock verifies in its own transaction: the ref and its blob.

    Lost when somebody has raised past the lock already; None where there is no fence.
    """
    stands = read(repo, intent)
    if stands is None:
        return None
    if is_overtaken(stands, lock.token, lock.acq):
        raise overtaken(intent, stands, lock)
    return ref_of(intent), stands.oid


def delete(git: Git, ref: str, old: str, barrier: tuple[str, str] | None) -> Out:
    """Delete a ref that is still at `old`, while the fence still says what it said."""
    verify = f"verify {barrier[0]} {barrier[1]}\n" if barrier is not None else ""
    asked = f"{verify}option no-deref\ndelete {ref} {old}\n"
    return git.run(*NO_HOOKS, "update-ref", "--stdin", ok=None, stdin=asked)


def overtaken(intent: Intent, stands: Fence, lock: Lock) -> Lost:
    """The error for an owner past whom the token was raised."""
    return Lost(
        "overtaken",
        f"{intent.name} was boarded with token {stands.token} by another home or by a takeover "
        f"that was cut short; this lock has {lock.token}",
        run=start_command(intent),
    )


def is_overtaken(fence: Fence | None, token: int, acq: str) -> bool:
    """Whether somebody raised past this lock: another home, or a takeover that was killed."""
    if fence is None or fence.foreign:
        return False
    return fence.token >= token and fence.acq != acq
