"""Texts that were run, and what changed: wrappers, quoting and paths."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
WRAP: list[tuple[int, str, str, list[str]]] = [
    (190, "env -i -u X -C /store/12--login touch new.md", "write", ["/store/12--login/new.md"]),
    (191, "env -S 'touch /store/12--login/new.md'", "write", ["/store/12--login/new.md"]),
    (193, "timeout -k 1 5 touch /store/12--login/new.md", "write", ["/store/12--login/new.md"]),
    (
        194,
        "nice -n 5 ionice -c3 touch /store/12--login/new.md",
        "write",
        ["/store/12--login/new.md"],
    ),
    (196, "command touch /store/12--login/new.md", "write", ["/store/12--login/new.md"]),
    (197, "builtin echo x > /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (199, "\\rm /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (200, "'r''m' /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (202, "$'\\x72m' /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (203, "X=rm; $X /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (205, 'D=/store/12--login; echo x > "${D}/spec.md"', "write", ["/store/12--login/spec.md"]),
    (206, "echo x > $STORE/12--login/spec.md", "opaque", ["/store/12--login/spec.md"]),
    (208, "HOME=/store; echo x > ~/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (209, "echo x > ../../../../store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        211,
        "cd /store/12--login; cd actions; echo x > ../spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        212,
        "pushd /store/12--login >/dev/null; echo x > spec.md; popd >/dev/null",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (214, "echo x > /store/12--logi?/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        215,
        "touch /store/12--login/{a,b}.md",
        "write",
        ["/store/12--login/a.md", "/store/12--login/b.md"],
    ),
    (217, "rm /store/12--login/[s]pec.md", "write", ["/store/12--login/spec.md"]),
    (218, 'echo x > "/store/12--"login/sp""ec.md', "write", ["/store/12--login/spec.md"]),
    (220, "echo x > /store//12--login/./spec.md", "write", ["/store/12--login/spec.md"]),
    (221, "echo x > /store/12--login/../12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        223,
        "echo x > /proc/self/cwd/../../../../store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        224,
        "echo x > /proc/self/root/store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        226,
        "cd here2 2>/dev/null || cd /store/12--login; echo x > spec.md",
        "opaque",
        ["/store/12--login/spec.md"],
    ),
    (227, 'su root -c "touch /store/12--login/new.md"', "write", ["/store/12--login/new.md"]),
    (
        229,
        'flock /tmp/l -c "touch /store/12--login/new.md"',
        "write",
        ["/store/12--login/new.md", "/tmp/l"],
    ),
    (
        230,
        (
            "watch -n1 -g true >/dev/null 2>&1 & sleep 0.1; kill $! 2>/dev/null; touch "
            "/store/12--login/new.md"
        ),
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        232,
        (
            'unshare -r sh -c "touch /store/12--login/new.md" 2>/dev/null || chroot / '
            "touch /store/12--login/new.md"
        ),
        "write",
        ["/store/12--login/new.md"],
    ),
]
