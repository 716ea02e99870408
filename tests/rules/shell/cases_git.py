"""Texts that were run, and what changed: git."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
GIT: list[tuple[int, str, str, list[str]]] = [
    (
        124,
        "git -C /store checkout -- 12--login/spec.md",
        "write",
        ["/store/12--login/spec.md", "/store/.git"],
    ),
    (
        125,
        "git -C /store restore 12--login/spec.md",
        "write",
        ["/store/12--login/spec.md", "/store/.git"],
    ),
    (127, "cd /store && git stash -q", "write", ["/store/12--login/spec.md", "/store/.git"]),
    (
        128,
        "git -C /store reset -q --hard",
        "write",
        ["/store/12--login", "/store/12--login2/spec.md", "/store/.git"],
    ),
    (
        130,
        "git -C /store rm -qf 12--login/plan.md",
        "write",
        ["/store/12--login/plan.md", "/store/.git"],
    ),
    (
        131,
        "git -C /store mv 12--login/plan.md 12--login/plan2.md",
        "write",
        ["/store/12--login/plan.md", "/store/12--login/plan2.md", "/store/.git"],
    ),
    (
        133,
        "git -C /store am -q /tmp/fx/store.mbox 2>/dev/null; true",
        "write",
        ["/store/12--login/plan.md", "/store/.git"],
    ),
    (
        134,
        "git worktree add -q /repo/.claude/worktrees/99--x -b x99",
        "write",
        ["/repo/.claude/worktrees/99--x", "/repo/.git"],
    ),
    (136, "git -C /repo checkout -q -b other", "write", ["/repo/.git"]),
    (137, "git -C /repo switch -q --detach", "write", ["/repo/.git"]),
    (
        139,
        "git branch -D other2 2>/dev/null; git update-ref refs/heads/main HEAD",
        "write",
        ["/repo/.git"],
    ),
    (140, "git config core.hooksPath /tmp/evil", "write", ["/repo/.git"]),
    (
        142,
        "git -c alias.z='!touch /store/12--login/new.md' z",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        143,
        "git -c core.editor='touch /store/12--login/new.md; true' commit -q --amend",
        "write",
        ["/store/12--login/new.md", "/repo/.git"],
    ),
    (
        145,
        "git rebase -q -x 'touch /store/12--login/new.md' HEAD~1 2>/dev/null; true",
        "write",
        ["/store/12--login/new.md", "/repo/.git"],
    ),
    (
        146,
        (
            "git bisect start HEAD HEAD~2 >/dev/null 2>&1; git bisect run sh -c 'touch "
            "/store/12--login/new.md' >/dev/null 2>&1; true"
        ),
        "write",
        [
            "/store/12--login/new.md",
            "/repo/.git",
            "/repo/.claude/worktrees/12--login/src/feature.py",
        ],
    ),
    (
        148,
        "GIT_EDITOR='touch /store/12--login/new.md;:' git commit -q --amend",
        "write",
        ["/store/12--login/new.md", "/repo/.git"],
    ),
    (
        149,
        (
            "GIT_EXTERNAL_DIFF='sh -c \"touch /store/12--login/new.md\"' git diff "
            "HEAD~1 >/dev/null 2>&1; true"
        ),
        "write",
        ["/store/12--login/new.md", "/repo/.git"],
    ),
]
