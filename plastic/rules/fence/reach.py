"""How far the fence reaches: for each git command of a superseded session, what stops it and when.

Two layers stand in the worktree. The shell gate reads the command before the harness runs it, and
is asked by a harness alone. The hooks are asked by git itself, whoever started it, but only about
refs: what git writes before it asks is written by then.
"""

from __future__ import annotations

from typing import NamedTuple

REFUSES, PASSES = "refuses", "lets pass"
# What has become of the files, where no gate was asked.
KEPT, INDEX, WRITTEN = "untouched", "index rewritten", "rewritten"
SALVAGE = "the takeover's salvage has the files as they were then"


class Reach(NamedTuple):
    """One command, as a superseded session gives it in the worktree.

    `gate`: what the shell gate does with it. `hook`: which hook does, "" = none. `files`: what has
    happened to index and files when it was the hook, or nobody, that refused. `left`: what only
    shows afterwards where nothing refused.
    """

    command: str
    gate: str
    hook: str
    files: str
    left: str = ""


_REF, _COMMIT, _REBASE, _PUSH = "reference-transaction", "pre-commit", "pre-rebase", "pre-push"
REACH: tuple[Reach, ...] = (
    Reach("git commit -a -m x", REFUSES, _COMMIT, KEPT),
    Reach("git commit --amend --no-edit", REFUSES, _COMMIT, KEPT),
    Reach("git commit --no-verify --allow-empty -m x", REFUSES, _REF, KEPT),
    Reach("git reset --soft HEAD~1", REFUSES, _REF, KEPT),
    Reach("git reset HEAD~1", REFUSES, _REF, INDEX),
    Reach("git reset --hard HEAD~1", REFUSES, _REF, WRITTEN, SALVAGE),
    Reach("git reset --hard", REFUSES, _REF, WRITTEN, SALVAGE),
    Reach("git checkout app.py", REFUSES, "", WRITTEN, SALVAGE),
    Reach(
        "git checkout --force side", REFUSES, "", WRITTEN, f"HEAD names another branch; {SALVAGE}"
    ),
    Reach("git checkout -b other", REFUSES, _REF, KEPT),
    Reach("git checkout --force --detach side", REFUSES, _REF, WRITTEN, SALVAGE),
    Reach("git switch --discard-changes side", REFUSES, "", WRITTEN, f"as `checkout`; {SALVAGE}"),
    Reach("git restore app.py", REFUSES, "", WRITTEN, SALVAGE),
    Reach("git merge side", REFUSES, _REF, KEPT),
    Reach("git rebase side", REFUSES, _REBASE, KEPT),
    Reach(
        "git rebase --autostash side",
        REFUSES,
        _REBASE,
        WRITTEN,
        "`git rebase --quit` makes a stash of them",
    ),
    Reach("git cherry-pick side", REFUSES, _REF, WRITTEN, SALVAGE),
    Reach("git revert --no-edit HEAD", REFUSES, _REF, WRITTEN, SALVAGE),
    Reach("git am {patch}", REFUSES, _REF, KEPT, "`rebase-apply` stays: `git am --quit`"),
    Reach("git stash", REFUSES, _REF, KEPT),
    Reach("git branch -f other HEAD~1", REFUSES, _REF, KEPT),
    Reach("git branch -D side", REFUSES, _REF, KEPT),
    Reach("git tag v1", REFUSES, _REF, KEPT),
    Reach("git update-ref refs/heads/side HEAD", REFUSES, _REF, KEPT),
    Reach("git push {far} HEAD:refs/heads/x", REFUSES, _PUSH, KEPT),
    Reach("git push --no-verify {far} HEAD:refs/heads/x", REFUSES, "", KEPT, "the remote has it"),
    Reach("git fetch {far}", PASSES, "", KEPT, "nothing: what is known of a remote is no work"),
    Reach("git gc --quiet", PASSES, "", KEPT, "nothing: no ref says anything else"),
    Reach("git pack-refs --all", PASSES, "", KEPT, "nothing: no ref says anything else"),
    Reach("git clean -f -d", REFUSES, "", WRITTEN, SALVAGE),
    Reach("git worktree remove -f -f .", REFUSES, "", WRITTEN, SALVAGE),
    Reach(
        "git -c core.hooksPath= commit --allow-empty -m x",
        REFUSES,
        "",
        KEPT,
        "the branch has another tip: a sign of work, and in End's plan",
    ),
)
