"""End's obstacles in the worktree: what its removal would take out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.end.obstacle import DISCARD, Rule, either, tree
from plastic.words import EXIT_BROKEN, EXIT_REFUSED

if TYPE_CHECKING:
    from plastic.rules.end.facts import Facts


def _is_gone(facts: Facts) -> bool:
    """Whether the branch was renamed or deleted."""
    return facts.merge is not None and not facts.merge.tip


TREE_RULES: tuple[Rule, ...] = (
    Rule(
        "worktree-broken",
        EXIT_BROKEN,
        "",
        "always",
        lambda facts, _: either(facts.tree.state == "broken"),
        "{path} is there, but it is no worktree of this repository any more",
        "git -C {root} worktree repair",
    ),
    Rule(
        "worktree-moved",
        EXIT_REFUSED,
        "",
        "always",
        tree("moved"),
        "{path} was moved to {first}, and git does not know it there",
        "git -C {root} worktree repair {first}",
    ),
    Rule(
        "worktree-lost",
        EXIT_REFUSED,
        DISCARD,
        "always",
        tree("lost"),
        "{path} is gone, but git still has something that was only there: {what}",
        "plastic start {id}",
    ),
    Rule(
        "trash-unusable",
        EXIT_BROKEN,
        "",
        "always",
        tree("trash_taken"),
        "{first} is no directory, so the worktree cannot go into the trash",
        "mv {first} {first}.aside",
    ),
    Rule(
        "trash-closed",
        EXIT_BROKEN,
        "",
        "always",
        tree("trash_closed"),
        "{first} may not be written, so the worktree cannot go into the trash",
        "chmod u+rwx {first}",
    ),
    Rule(
        "worktree-locked",
        EXIT_REFUSED,
        "",
        "always",
        tree("locked"),
        "somebody else has locked the worktree: {what}",
        "git -C {root} worktree unlock {path}",
    ),
    Rule(
        "unreadable",
        EXIT_BROKEN,
        "",
        "always",
        tree("unreadable"),
        "git cannot say whether {path} is clean: {what}",
        "git -C {path} status",
    ),
    Rule(
        "operation",
        EXIT_REFUSED,
        "",
        "always",
        tree("operation"),
        "{what} is under way in {path}",
        "git -C {path} status",
    ),
    Rule(
        "detached",
        EXIT_REFUSED,
        "",
        "always",
        tree("detached"),
        "{first} commit(s) hang on the detached HEAD of {path} only",
        "git -C {path} branch {name}-detached HEAD",
    ),
    Rule(
        "other-branch",
        EXIT_REFUSED,
        "",
        "always",
        lambda facts, _: either("" if _is_gone(facts) else facts.tree.elsewhere),
        "{path} is on {what}, not on {branch}",
        "git -C {path} switch {branch}",
    ),
    Rule(
        "branch-left",
        EXIT_REFUSED,
        "",
        "always",
        lambda facts, _: either(facts.tree.elsewhere if _is_gone(facts) else ""),
        "{path} is on {what}, and the branch {branch} is gone",
        "git -C {path} switch -c {branch}",
    ),
    Rule(
        "unmerged",
        EXIT_REFUSED,
        DISCARD,
        "always",
        tree("unmerged"),
        "conflicts are not resolved: {what}",
        "git -C {path} status",
    ),
    Rule(
        "dirty",
        EXIT_REFUSED,
        DISCARD,
        "always",
        tree("dirty"),
        "changes are not committed: {what}",
        "git -C {path} commit -m 'Last changes' -- {all}",
    ),
    Rule(
        "untracked",
        EXIT_REFUSED,
        DISCARD,
        "always",
        tree("untracked"),
        "files are not tracked: {what}",
        "git -C {path} add -- {all} && git -C {path} commit -m 'Last files' -- {all}",
    ),
    Rule(
        "hidden",
        EXIT_REFUSED,
        "",
        "always",
        tree("hidden"),
        "edits are hidden from git by assume-unchanged or skip-worktree: {what}",
        "git -C {path} update-index --no-assume-unchanged -- {names} && "
        "git -C {path} update-index --no-skip-worktree -- {names}",
    ),
    Rule(
        "nested",
        EXIT_REFUSED,
        "",
        "always",
        tree("nested"),
        "repositories lie inside of the worktree: {what}",
        "mv {path}/{first} {path}-nested",
    ),
    Rule(
        "submodule-dirty",
        EXIT_REFUSED,
        "",
        "always",
        tree("modules_dirty"),
        "submodules have changes that are not committed: {what}",
        "git -C {path}/{first} status",
    ),
    Rule(
        "submodule-unpushed",
        EXIT_REFUSED,
        "",
        "always",
        tree("modules_unpushed"),
        "submodules have commits that no remote has: {what}",
        "git -C {path}/{first} push --all",
    ),
    Rule(
        "stash",
        EXIT_REFUSED,
        "",
        "always",
        tree("stashes"),
        "work of {branch} lies in the stash: {what}",
        "git -C {path} stash pop {first}",
    ),
)
