"""End's obstacles between branch and base, and in the checkout of the base."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.end.obstacle import PROVEN, Rule, either, merge
from plastic.words import EXIT_BROKEN, EXIT_HELD, EXIT_REFUSED, EXIT_USAGE

if TYPE_CHECKING:
    from plastic.rules.end.facts import Merge
    from plastic.rules.end.obstacle import Find


def _unmade(name: str) -> Find:
    return merge(lambda one: one.unmade[1] if one.unmade[0] == name else "")


def _waiting(one: Merge) -> object:
    return one.is_remote and bool(one.tip) and bool(one.base_tip)


MERGE_RULES: tuple[Rule, ...] = (
    Rule(
        "salvage-ref",
        EXIT_BROKEN,
        "",
        "always",
        merge(lambda one: one.salvage_taken),
        "refs/plastic/salvage/{id} is a ref, so git can keep nothing below it",
        "git -C {root} branch -f plastic-salvage-{id}-{first} {first} && "
        "git -C {root} update-ref -d refs/plastic/salvage/{id} {first}",
    ),
    Rule(
        "pen",
        EXIT_HELD,
        "",
        "merge",
        merge(lambda one: one.checkout.pen),
        "{first} holds the pen of {checkout}",
        "plastic pen status",
    ),
    Rule(
        "branch-missing",
        EXIT_REFUSED,
        "",
        "merge",
        lambda facts, _: either(facts.merge and not facts.merge.tip and not facts.tree.elsewhere),
        "the branch {branch} is gone",
        "git -C {root} for-each-ref refs/plastic/salvage/{id}/",
    ),
    Rule(
        "base-missing",
        EXIT_BROKEN,
        "",
        "merge",
        merge(lambda one: not one.base_tip),
        "the base {base} does not exist",
        "git -C {root} branch --all",
    ),
    Rule(
        "proven-by",
        EXIT_USAGE,
        "",
        "delivered",
        lambda facts, flags: either(facts.merge and facts.merge.not_in_base and flags.proven_by),
        "{what} is no commit of {base}",
        "git -C {root} log --oneline {base}",
    ),
    Rule(
        "waiting",
        EXIT_REFUSED,
        PROVEN,
        "merge",
        merge(_waiting),
        "{branch} is not merged into {base} yet",
        "git -C {root} push {remote} {branch}",
    ),
    Rule(
        "shallow",
        EXIT_REFUSED,
        PROVEN,
        "merge",
        merge(lambda one: one.shallow),
        "the clone is shallow: what {branch} and {base} share is not here",
        "git -C {root} fetch --unshallow",
    ),
    Rule(
        "unrelated",
        EXIT_REFUSED,
        PROVEN,
        "merge",
        merge(lambda one: one.unrelated and not one.shallow),
        "{branch} and {base} share no commit",
        "git -C {root} log --oneline {branch}",
    ),
    Rule(
        "conflict",
        EXIT_REFUSED,
        PROVEN,
        "merge",
        merge(lambda one: () if one.is_remote else one.conflicts),
        "{branch} conflicts with {base} in {what}",
        "plastic sync {id}",
    ),
    Rule(
        "identity",
        EXIT_BROKEN,
        "",
        "merge",
        merge(lambda one: one.unnamed and not one.is_remote),
        "git does not know who commits in {root}",
        'git -C {root} config user.name "$(id -un)" && '
        'git -C {root} config user.email "$(id -un)@$(uname -n)"',
    ),
    Rule(
        "read-only",
        EXIT_BROKEN,
        "",
        "always",
        merge(lambda one: one.read_only),
        "nothing can be written into {what}",
        "chmod u+rwx {first}",
    ),
    Rule(
        "base-twice",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.more),
        "{base} is checked out more than once: {checkout}, {what}",
        "git -C {first} switch --detach",
    ),
    Rule(
        "base-away",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.away and one.checkout.path),
        "{base} is checked out at {what}, and nothing is there",
        "git -C {root} worktree remove {first}",
    ),
    Rule(
        "base-operation",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.operation),
        "{what} is under way in {checkout}, where {base} is at work",
        "git -C {checkout} status",
    ),
    Rule(
        "base-locked",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.locked),
        "another git is at work in {checkout}, or was killed there: {what} exists",
        "ls -l {first}",
    ),
    Rule(
        "base-dirty",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.dirty),
        "{checkout} has changes where the merge writes: {what}",
        "git -C {checkout} stash push -- {all}",
    ),
    Rule(
        "base-unmerged",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.unmerged),
        "{checkout} has conflicts that are not resolved: {what}",
        "git -C {checkout} status",
    ),
    Rule(
        "base-removed",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.removed),
        "files that the merge changes are removed in {checkout}, and that is not committed: {what}",
        "git -C {checkout} reset -q -- {all}",
    ),
    Rule(
        "base-intended",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.intended),
        "files are marked for adding in {checkout} where the merge adds its own: {what}",
        "git -C {checkout} reset -q -- {all}",
    ),
    Rule(
        "base-hidden",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.hidden),
        "git was told to overlook files in {checkout} where the merge writes: {what}",
        "git -C {checkout} ls-files -v -- {all}",
    ),
    Rule(
        "base-in-the-way",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.checkout.in_the_way),
        "files that git does not track lie in {checkout} where the merge adds its own: {what}",
        "mv {checkout}/{first} {checkout}/{first}.aside",
    ),
    Rule(
        "verify",
        EXIT_REFUSED,
        "",
        "merge",
        merge(lambda one: one.failed),
        "`verify: {what}` failed on the merged tree: {said}",
        "plastic sync {id} && cd {path} && sh -c {first}",
    ),
    Rule(
        "commit-msg",
        EXIT_REFUSED,
        "",
        "merge",
        _unmade("commit-msg"),
        "{what}",
        "git -C {root} rev-parse --git-path hooks/commit-msg",
    ),
    Rule(
        "signing",
        EXIT_BROKEN,
        "",
        "merge",
        _unmade("signing"),
        "{what}",
        "git -C {root} config user.signingKey",
    ),
    Rule(
        "merge-commit",
        EXIT_BROKEN,
        "",
        "merge",
        _unmade("merge-commit"),
        "the merge commit cannot be made: {what}",
        "git -C {root} fsck --connectivity-only",
    ),
)
