"""Texts that were run, and what changed: redirections."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
REDIRECT: list[tuple[int, str, str, list[str]]] = [
    (1, "echo x > /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (2, "echo x >> /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (4, "echo x &> /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (5, "ls /nope &>> /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (7, "ls /nope 2> /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (8, "ls /nope 2>>/store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (10, ": 3<> /store/12--login/new.md", "write", ["/store/12--login/new.md"]),
    (11, "exec 7>/store/12--login/spec.md; echo hi >&7", "write", ["/store/12--login/spec.md"]),
    (13, "echo hi 1>/store/12--login/spec.md 2>&1", "write", ["/store/12--login/spec.md"]),
    (14, "> /store/12--login/spec.md echo first", "write", ["/store/12--login/spec.md"]),
    (
        16,
        "if true; then echo x; fi > /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        17,
        "for i in 1 2; do echo $i; done >> /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (19, "{ echo a; echo b; } > /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (20, "( cd /store/12--login && echo x > spec.md )", "write", ["/store/12--login/spec.md"]),
    (22, "cat <<EOF > /store/12--login/spec.md\nhello\nEOF", "write", ["/store/12--login/spec.md"]),
    (
        23,
        "cat > /store/12--login/spec.md <<-'EOF'\n\thello > not a redirect\n\tEOF",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (25, 'cat <<< "text" > /store/12--login/spec.md', "write", ["/store/12--login/spec.md"]),
    (26, "echo x > \\\n/store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (28, "echo x & echo y > /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (29, "! echo x > /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        31,
        ("coproc cat > /store/12--login/new.md; sleep 0.2; kill $COPROC_PID 2>/dev/null; wait"),
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        32,
        "case x in x) echo y > /store/12--login/spec.md;; esac",
        "write",
        ["/store/12--login/spec.md"],
    ),
]
