"""A half-done operation of git; its `--continue` or `--abort` belongs to whoever began it."""

from __future__ import annotations

# Name in the git directory of a checkout -> the operation, in words.
UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
    "sequencer": "a sequence of commits",
    "BISECT_LOG": "a bisection",
}
