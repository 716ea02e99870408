"""Texts that were run, and what changed: writes that stay in the own worktree or in scratch."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
OWN: list[tuple[int, str, str, list[str]]] = [
    (
        244,
        "sed -i s/hello/bye/ /repo/.claude/worktrees/12--login/README.md",
        "write",
        ["/repo/.claude/worktrees/12--login/README.md"],
    ),
    (
        245,
        "mkdir -p build && touch build/x && rm -rf build",
        "write",
        ["/repo/.claude/worktrees/12--login/build"],
    ),
    (247, "cp /store/12--login/spec.md /tmp/spec-copy.md", "write", ["/tmp/spec-copy.md"]),
    (
        248,
        "cat /store/12--login/plan.md > plan-copy.md",
        "write",
        ["/repo/.claude/worktrees/12--login/plan-copy.md"],
    ),
    (250, "tar -cf /tmp/i.tar -C /store 12--login", "write", ["/tmp/i.tar"]),
    (251, "rsync -a /store/12--login/ /tmp/copy/", "write", ["/tmp/copy/"]),
    (
        253,
        "git commit -q --allow-empty -m 'docs: echo x > /store/12--login/spec.md'",
        "write",
        ["/repo/.git"],
    ),
    (
        254,
        "git commit -q --allow-empty -F - <<'EOF'\nrm -rf /store/12--login\nEOF",
        "write",
        ["/repo/.git"],
    ),
]
