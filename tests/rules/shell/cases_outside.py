"""Texts that were run, and what changed: places outside of the own worktree."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
OUTSIDE: list[tuple[int, str, str, list[str]]] = [
    (233, "echo x > /repo/README.md", "write", ["/repo/README.md"]),
    (
        235,
        (
            'cd "$(git rev-parse --show-superproject-working-tree 2>/dev/null; dirname '
            '"$(git rev-parse --git-common-dir)")" && echo x > README.md'
        ),
        "opaque",
        ["/repo/README.md"],
    ),
    (236, "git -C /repo apply /tmp/fx/repo.patch", "write", ["/repo/README.md"]),
    (
        238,
        "echo x > /repo/.claude/worktrees/34--other/f.txt",
        "write",
        ["/repo/.claude/worktrees/34--other/f.txt"],
    ),
    (
        239,
        "echo x > /repo/.claude/worktrees/12--login-evil/f",
        "write",
        ["/repo/.claude/worktrees/12--login-evil/f"],
    ),
    (241, "echo x >> /repo/.git/hooks/post-checkout", "write", ["/repo/.git/hooks/post-checkout"]),
    (
        242,
        'echo x >> "$(git rev-parse --git-path info/exclude)"',
        "opaque",
        ["/repo/.git/info/exclude"],
    ),
]
