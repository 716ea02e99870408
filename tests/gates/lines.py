"""Shell text from a grammar, safe to run: every path lies in a throw-away tree."""

from __future__ import annotations

import shlex

from hypothesis import strategies as st

# Names that nobody minds, and names in the delivery of somebody else (`{D}`, or through a link).
OWN = [
    "a.txt",
    "sub/b.txt",
    "new.md",
    "sub/../a.txt",
    "'a-b.txt'",
    "*.txt",
    "{x,y}.txt",
    "s*/b.txt",
]
OWN += ["./sub", "sub/new.txt", '"a.txt"', "$W/a.txt", "~/h.txt", "nowhere/c.txt"]
FOREIGN = ["{D}/spec.md", "{D}/plan.md", "lnk/spec.md", "{D}/new.md", "{D}/*.md", "{D}/s?ec.md"]
FOREIGN += [
    "act/../spec.md",
    "$D/plan.md",
    '"{D}"/actions/ACTION_1.md',
    "{D}",
    "lnk",
    "{D}/actions/../spec.md",
]
FOLDERS = ["$W/sub", "$W", "."]
FOREIGN_FOLDERS = ["{D}", "$W/lnk", "{D}/actions"]

# `P` and `Q` are paths.
WRITERS = [
    "echo x > P",
    "echo x >> P",
    "cat Q > P",
    "ls nope 2> P",
    ": &> P",
    "tee P < Q > /dev/null",
    "echo x | tee -a P Q",
    "cp Q P",
    "cp -r Q P",
    "mv Q P",
    "rm -f P",
    "rm -rf P",
    "rmdir P",
    "unlink P",
    "touch P Q",
    "mkdir -p P",
    "sed -i s/a/b/ P",
    "sed -i.bak s/a/b/ P",
    "sed -n 'w new.md' Q",
    "perl -pi -e s/a/b/ P",
    "truncate -s 3 P",
    "install Q P",
    "dd if=Q of=P status=none",
    "ln -f Q P",
    "ln -sf Q P",
    "ln -sfn $W/Q P",
    "cp -P Q P",
    "cp -a Q P",
    "sort -o P Q",
    "chmod 700 P",
    "find P -name '*.md' -delete",
    "find . -name a.txt -exec rm {} +",
    "find P -type f -exec sed -i s/a/b/ {} \\;",
    "echo P | xargs rm -f",
    "tar -cf new.tar Q",
    "gzip -f P",
    "awk 'BEGIN { print 1 > \"new.md\" }'",
    "split -n 2 Q part.",
]
READERS = [
    "cat P",
    "grep a P Q",
    "ls -la P",
    "wc -l < P",
    "[ -f P ]",
    "echo 'rm P'",
    "head -1 P | sort | uniq -c",
    "find P -name '*.md'",
    "sed -n 1,2p P",
    "diff P Q",
    "tar -cf /dev/null P",
    "echo $(cat P)",
    "true # > P",
    "cat <<'E'\nrm P\nE",
    "test -w P && echo yes",
]
# `A` and `B` are commands, `C` is one as a quoted word, `F` a folder.
AROUND = [
    "A; B",
    "A && B",
    "A || B",
    "A | B",
    "A\nB",
    "(A)",
    "{ A; B; }",
    "! A",
    "bash -c C",
    "sh -c C; B",
    "eval C",
    "cd F && A",
    "cd F; A",
    "(cd F; A); B",
    "pushd F > /dev/null && { A; popd > /dev/null; }; B",
    "if A; then B; fi",
    "for f in P Q; do touch $f; A; done",
    "X=P; touch $X; A",
    "X=P\ncat $X > Q",
    "X=P; A && X=Q; touch $X",
    "A || X=P; touch $X; B",
    "X=P; if A; then X=Q; fi; B; rm -f $X",
    "while true; do A; break; done",
    "case x in x) A;; *) B;; esac",
    "f() { A; }; f; B",
    "A & wait",
    "time A",
    "env X=1 sh -c C",
    "command touch P",
    "cat <<E > P\n$(A)\nE",
    'echo "$(A)" `B`',
    "diff <(A) <(B)",
    "trap C EXIT; B",
    "{ A; } > P",
    'set -- P Q; touch "$1"; A',
    "until A; do break; done 2> P",
    "[[ -f P ]] && A",
    "printf '%s\\n' P | while read -r l; do A; done",
]


def lines(*, foreign: bool) -> st.SearchStrategy[str]:
    """Texts of one to three levels; without `foreign` no path of somebody else is named."""
    paths = st.sampled_from([*OWN, *(FOREIGN if foreign else [])])
    folders = st.sampled_from([*FOLDERS, *(FOREIGN_FOLDERS if foreign else [])])
    one = st.builds(_fill, st.sampled_from([*WRITERS, *READERS]), paths, paths)
    return st.recursive(
        one,
        lambda inner: st.builds(_wrap, st.sampled_from(AROUND), inner, inner, paths, folders),
        max_leaves=4,
    )


def _fill(line: str, p: str, q: str) -> str:
    return line.replace("P", "\1").replace("Q", q).replace("\1", p)


def _wrap(line: str, a: str, b: str, p: str, folder: str) -> str:
    marks = {"A": a, "B": b, "C": shlex.quote(a), "F": folder, "P": p, "Q": "sub/b.txt"}
    return "".join(
        marks.get(letter, letter) if not _in_word(line, at) else letter
        for at, letter in enumerate(line)
    )


def _in_word(line: str, at: int) -> bool:
    """Whether a capital is a part of a longer word (`EXIT`)."""
    around = line[at - 1 : at] + line[at + 1 : at + 2]
    return any(one.isalpha() for one in around) or line[at - 1 : at] == "$"
