"""Texts that were run, and what changed: commands that change files."""

from __future__ import annotations

# Number, text, kind, and what a run of the text really changed.
FILECMD: list[tuple[int, str, str, list[str]]] = [
    (34, "echo x | tee /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        35,
        "echo x | tee -a /tmp/log /store/12--login/spec.md >/dev/null",
        "write",
        ["/tmp/log", "/store/12--login/spec.md"],
    ),
    (
        37,
        "sed -i.bak -e 's/a/b/' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md", "/store/12--login/spec.md.bak"],
    ),
    (
        38,
        "sed --in-place=.orig 's/a/b/' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md", "/store/12--login/spec.md.orig"],
    ),
    (
        40,
        "sed -n 'w /store/12--login/new.md' /store/12--login/spec.md",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        41,
        "sed 's/a/b/w /store/12--login/new.md' /store/12--login/spec.md >/dev/null",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        43,
        "perl -i.bak -ne 'print' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md", "/store/12--login/spec.md.bak"],
    ),
    (
        44,
        "ruby -i -pe '$_.upcase!' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        46,
        "awk '{print > \"/store/12--login/new.md\"}' /store/12--login/spec.md",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        47,
        "awk 'BEGIN{system(\"touch /store/12--login/new.md\")}'",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        49,
        "dd if=/dev/zero of=/store/12--login/spec.md bs=1 count=1 2>/dev/null",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (50, "cp README.md /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (52, "cp -t /store/12--login README.md", "write", ["/store/12--login/README.md"]),
    (
        53,
        "cp --target-directory=/store/12--login README.md",
        "write",
        ["/store/12--login/README.md"],
    ),
    (
        55,
        "mv /store/12--login/plan.md /tmp/plan.md",
        "write",
        ["/store/12--login/plan.md", "/tmp/plan.md"],
    ),
    (
        56,
        "mv README.md /store/12--login/spec.md",
        "write",
        ["/repo/.claude/worktrees/12--login/README.md", "/store/12--login/spec.md"],
    ),
    (58, "install -D README.md /store/12--login/a/b/c.md", "write", ["/store/12--login/a"]),
    (59, "rsync -a README.md /store/12--login/", "write", ["/store/12--login/README.md"]),
    (61, "ln -s /etc/passwd /store/12--login/link", "write", ["/store/12--login/link"]),
    (62, "ln -f README.md /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (64, "truncate -s 0 /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (65, "touch /store/12--login/new.md", "write", ["/store/12--login/new.md"]),
    (67, "rm /store/12--login/delivery.lock", "write", ["/store/12--login/delivery.lock"]),
    (68, "rm -rf /store/12--login", "write", ["/store/12--login"]),
    (70, "mkdir -p /store/12--login/actions/x", "write", ["/store/12--login/actions/x"]),
    (71, "chmod 000 /store/12--login/spec.md", "write", ["/store/12--login/spec.md"]),
    (
        73,
        (
            "setfacl -m u:nobody:rw /store/12--login/spec.md 2>/dev/null || chattr +i "
            "/store/12--login/spec.md 2>/dev/null; true"
        ),
        "write",
        ["/store/12--login/spec.md"],
    ),
    (74, "unlink /store/12--login/plan.md", "write", ["/store/12--login/plan.md"]),
    (
        76,
        "sort -o /store/12--login/spec.md /store/12--login/plan.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        77,
        "sort /store/12--login/plan.md --output=/store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        79,
        "split -l 1 /store/12--login/plan.md /store/12--login/part.",
        "write",
        [
            "/store/12--login/part.aa",
            "/store/12--login/part.ab",
            "/store/12--login/part.ac",
            "/store/12--login/part.ad",
        ],
    ),
    (
        80,
        "csplit -s -f /store/12--login/cs /store/12--login/plan.md 2",
        "write",
        ["/store/12--login/cs00", "/store/12--login/cs01"],
    ),
    (82, "mktemp /store/12--login/tmp.XXXXXX", "write", ["/store/12--login/tmp.a1b2c3"]),
    (
        83,
        'script -qc "echo hi" /store/12--login/new.md >/dev/null',
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        85,
        'busybox sh -c "echo x > /store/12--login/spec.md"',
        "write",
        ["/store/12--login/spec.md"],
    ),
    (86, "tar -xf /tmp/fx/a.tar -C /store/12--login", "write", ["/store/12--login/from_tar.md"]),
    (88, "tar -cf /store/12--login/new.tar README.md", "write", ["/store/12--login/new.tar"]),
    (89, "unzip -qo /tmp/fx/a.zip -d /store/12--login", "write", ["/store/12--login/from_zip.md"]),
    (
        91,
        (
            "cpio -idm --quiet -D /store/12--login < /tmp/fx/a.cpio 2>/dev/null || "
            "busybox cpio -i -d < /tmp/fx/a.cpio"
        ),
        "write",
        ["/store/12--login/from_cpio.md"],
    ),
    (
        92,
        "patch -s /store/12--login/spec.md < /tmp/fx/spec.patch",
        "write",
        ["/store/12--login/spec.md", "/store/12--login/spec.md.orig"],
    ),
    (
        94,
        "curl -s -o /store/12--login/new.md file:///etc/hostname",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        95,
        "cd /store/12--login && curl -sO file:///etc/hostname",
        "write",
        ["/store/12--login/hostname"],
    ),
    (
        97,
        "sqlite3 /store/12--login/new.db 'create table t(a)'",
        "write",
        ["/store/12--login/new.db"],
    ),
    (
        98,
        'sqlite3 :memory: ".output /store/12--login/new.md" "select 1"',
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        100,
        "ex -s -c '1s/$/x/' -c 'wq' /store/12--login/spec.md",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        101,
        "vim -es -N -u NONE -c 'normal ix' -c 'wq' /store/12--login/spec.md </dev/null",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (103, "find /store/12--login -name '*.md' -delete", "write", ["/store/12--login"]),
    (
        104,
        "find /store/12--login -name spec.md -exec sed -i 's/a/b/' {} +",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        106,
        "find . -name README.md -fprint /store/12--login/new.md",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        107,
        "find . -maxdepth 1 -fprintf /store/12--login/new.md '%p\\n'",
        "write",
        ["/store/12--login/new.md"],
    ),
    (
        109,
        "echo spec.md | xargs -I{} cp README.md /store/12--login/{}",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        110,
        "printf '%s\\0' /store/12--login/spec.md | xargs -0 sh -c 'echo x > \"$1\"' _",
        "opaque",
        ["/store/12--login/spec.md"],
    ),
    (
        112,
        "cat README.md | dd of=/store/12--login/spec.md status=none",
        "write",
        ["/store/12--login/spec.md"],
    ),
    (
        113,
        (
            "objcopy --version >/dev/null 2>&1; openssl rand -out "
            "/store/12--login/new.bin 8 2>/dev/null || head -c 8 /dev/urandom > "
            "/store/12--login/new.bin"
        ),
        "write",
        ["/store/12--login/new.bin"],
    ),
    (115, "git log -1 --output=/store/12--login/new.md", "write", ["/store/12--login/new.md"]),
    (116, "git archive -o /store/12--login/new.tar HEAD", "write", ["/store/12--login/new.tar"]),
    (
        118,
        "git bundle create -q /store/12--login/new.bundle HEAD",
        "write",
        ["/store/12--login/new.bundle"],
    ),
    (
        119,
        "diff -u README.md src/app.py > /store/12--login/new.diff",
        "write",
        ["/store/12--login/new.diff"],
    ),
    (
        121,
        "python3 -m zipfile -e /tmp/fx/a.zip /store/12--login",
        "write",
        ["/store/12--login/from_zip.md"],
    ),
    (
        122,
        "python3 -m tarfile -e /tmp/fx/a.tar /store/12--login",
        "write",
        ["/store/12--login/from_tar.md"],
    ),
]
