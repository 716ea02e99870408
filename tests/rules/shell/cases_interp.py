"""Texts that were run, and what changed: interpreters and texts that are run."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
INTERP: list[tuple[int, str, str, list[str]]] = [
    (
        151,
        "python3 -c \"open('/store/12--login/spec.md','w').write('x')\"",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        152,
        (
            "python3 - <<'EOF'\nfrom pathlib import "
            'Path\nPath("/store/12--login/spec.md").write_text("x")\nEOF'
        ),
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        154,
        ("python3 -c \"import shutil; shutil.copy('README.md','/store/12--login/spec.md')\""),
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        155,
        (
            'python3 -c "import subprocess as s; '
            "s.run(['cp','README.md','/store/12--login/spec.md'])\""
        ),
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        157,
        (
            "python3 -c "
            "\"exec(__import__('base64').b64decode('b3BlbignL3N0b3JlLzEyLS1sb2dpbi9zcGVjLm1kJywndycp'))\""
        ),
        "opaque",
        ["/store/12--login/spec.md"],
    ),
    (
        158,
        "node -e \"require('fs').writeFileSync('/store/12--login/spec.md','x')\"",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        160,
        "perl -e 'open(F,\">/store/12--login/spec.md\");print F 1'",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        161,
        'perl -MFile::Copy -e \'copy("README.md","/store/12--login/spec.md")\'',
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        163,
        "sh -c 'echo x > \"$0\"' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        164,
        "bash <<'EOF'\necho x > /store/12--login/spec.md\nEOF",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (166, "bash -s <<< 'touch /store/12--login/new.md'", "write", ["/store/12--login/new.md"]),
    (167, "eval 'echo x > /store/12--login/spec.md'", "write", ["/store/12--login/spec.md"]),
    (
        169,
        "echo ZWNobyB4ID4gL3N0b3JlLzEyLS1sb2dpbi9zcGVjLm1kCg== | base64 -d | sh",
        "opaque",
        ["/store/12--login/spec.md"],
    ),
    (170, ". /tmp/fx/w.sh", "opaque", ["/store/12--login/spec.md"]),
    (172, "/tmp/fx/w.sh", "opaque", ["/store/12--login/spec.md"]),
    (173, "make -s spec", "opaque", ["/store/12--login/spec.md"]),
    (175, "python3 tools/w.py", "opaque", ["/store/12--login/spec.md"]),
    (176, "trap 'echo x > /store/12--login/spec.md' EXIT", "write", ["/store/12--login/spec.md"]),
    (178, "BASH_ENV=/tmp/fx/w.sh bash -c true", "opaque", ["/store/12--login/spec.md"]),
    (
        179,
        "mapfile -C 'echo x > /store/12--login/spec.md; :' -c 1 a < README.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (181, 'echo "${x:=$(touch /store/12--login/new.md)}"', "write", ["/store/12--login/new.md"]),
    (182, "(( a[$(touch /store/12--login/new.md)0]=1 ))", "write", ["/store/12--login/new.md"]),
    (184, "cat <<EOF\n$(touch /store/12--login/new.md)\nEOF", "write", ["/store/12--login/new.md"]),
    (
        185,
        "case $(touch /store/12--login/new.md) in *) ;; esac",
        "write",
        ["/store/12--login/new.md"],
    ),
    (187, "echo `touch /store/12--login/new.md`", "write", ["/store/12--login/new.md"]),
    (188, "diff <(touch /store/12--login/new.md) /dev/null", "write", ["/store/12--login/new.md"]),
]
