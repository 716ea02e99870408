"""Which hooks the worktree of an intent has, and which of them let only its owner pass."""

from __future__ import annotations

JUDGED = ("reference-transaction", "pre-commit", "pre-rebase", "pre-push")
# Every hook that a repository may have: git looks for them in one place, and that is ours now. Not
# push-to-checkout, proc-receive and post-index-change, whose being there changes what git does.
PLACED = (
    *JUDGED,
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-checkout",
    "post-merge",
    "post-rewrite",
    "pre-auto-gc",
    "sendemail-validate",
    "pre-receive",
    "update",
    "post-receive",
    "post-update",
)
