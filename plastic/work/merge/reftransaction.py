"""Moves a base branch as one compare-and-swap that git checks together with the intent's fence."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.command import again
from plastic.disk.git import failure, oid
from plastic.words import Lost, Refused
from plastic.work.tree.base import HEADS

if TYPE_CHECKING:
    from plastic.disk.git import Git

TIMEOUT = 120.0  # seconds; the user's reference-transaction hook runs inside


class Moved(Refused):
    """The base, or the place where it is checked out, is no longer what was planned with."""


class Step(NamedTuple):
    """One move of a base; `fence` is (ref, the blob that it must still name) or None."""

    ref: str
    old: str
    new: str
    why: str
    fence: tuple[str, str] | None


def moved(step: Step, now: str | None) -> Moved:
    """The error for a base that somebody else moved."""
    short = step.ref.removeprefix(HEADS)
    there = now[:12] if now else "nothing"
    return Moved(
        "base-moved", f"{short} moved meanwhile: {step.old[:12]} is now {there}", run=again()
    )


def move(git: Git, step: Step) -> None:
    """Move the base; whatever git answers, the refs say what happened.

    Raises Moved when the base was moved by somebody else, Lost when the fence was raised, Refused
    when the user's hook says no. Then nothing has changed.
    """
    verify = f"verify {step.fence[0]} {step.fence[1]}\n" if step.fence else ""
    asked = f"{verify}update {step.ref} {step.new} {step.old}\n"
    words = ("update-ref", "--create-reflog", "-m", step.why, "--stdin")
    done = git.run(*words, ok=None, stdin=asked, timeout=TIMEOUT)
    now = oid(git, step.ref)
    if now == step.new:
        return
    if step.fence is not None:
        fence = git.says("rev-parse", "--verify", "--quiet", step.fence[0])
        if fence != step.fence[1]:
            raise Lost(
                "fence-raised",
                f"{step.fence[0]} was raised by somebody else: this lock is no longer the newest",
                run=again(),
            )
    if now != step.old:
        raise moved(step, now)
    if "hook" in done.err:
        raise Refused(
            "ref-hook",
            f"the reference-transaction hook refuses to move {step.ref}: {done.tail(3)}",
            run=shlex.join(
                ("git", "-C", git.cwd, "rev-parse", "--git-path", "hooks/reference-transaction")
            ),
        )
    raise failure(git.cwd, words, done)


def move_back(git: Git, step: Step) -> bool:
    """Take a move back; True when the base is where it was."""
    back = Step(step.ref, step.new, step.old, f"{step.why} (taken back)", None)
    asked = f"update {back.ref} {back.new} {back.old}\n"
    git.run("update-ref", "-m", back.why, "--stdin", ok=None, stdin=asked, timeout=TIMEOUT)
    return oid(git, step.ref) == step.old
