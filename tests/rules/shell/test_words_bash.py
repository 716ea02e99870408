"""Words expand as bash expands them: the same texts are given to both."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.shell.judge import judge

SETUP = 'x=one; y="two words"; z=; p=/a/b.c; arr=(first "second one" third); set -- p1 "p 2"; '
PARTS = st.sampled_from(
    [
        *("a", "b/c", "'q r'", '"d e"', "\\ ", "\\'", '"\\""', "$'t\\x41'", "''", '""', "-", "="),
        *("${x}", '"$x"', "${y}", '"$y"', "${z}", '"$z"', "${x:-d}", "${z:-d}", "${z-d}"),
        *("${x:+s}", "${z:+s}", "${p%.c}", "${p##*/}", "${p%/*}", "${p#/}", "${x^^}", "${x/n/N}"),
        *("${arr[1]}", '"${arr[1]}"', '"${arr[@]}"', "${arr[0]}", "$1", '"$2"', '"$@"', "$2"),
        *("{m,n}", "{1..3}", "$(echo s u)", '"$(echo s u)"', "${x:1:2}", "`echo v`", "$(pwd)"),
    ]
)

MOST = 64  # words of one brace expansion that are named


@given(st.lists(PARTS, min_size=1, max_size=4).map("".join))
@settings(max_examples=250, deadline=None)
def test_a_word_becomes_the_words_that_bash_makes(word: str) -> None:
    # A prefix keeps each word absolute, so that what is compared is the word itself.
    text = f"{SETUP}touch -- /=/{word}"
    done = subprocess.run(
        ["bash", "-c", f"{SETUP}printf '%s\\n' /=/{word}"],
        capture_output=True,
        check=True,
        text=True,
        cwd="/",
    )
    wanted = []
    for line in done.stdout.split("\n")[:-1]:
        name = line if line.startswith("/") else "/" + line
        wanted.append(normal(name))
    writes = judge(text, "/", {}).writes
    if len(wanted) > MOST:  # too many to name: one pattern that each of them meets
        assert all(any(write.hits(path) for write in writes) for path in wanted)
        return
    assert [one.path for one in writes] == list(dict.fromkeys(wanted))


def normal(path: str) -> str:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/" + "/".join(parts)


@pytest.mark.parametrize(
    "text",
    [
        "cd a && touch x; cd ..; touch y",
        "(cd a; touch x); touch y",
        "pushd a >/dev/null; touch x; popd >/dev/null; touch y",
        "cd nowhere 2>/dev/null || cd a; touch x",
        "D=a/b; mkdir -p $D; touch $D/{x,y}",
        "for i in 1 2; do touch a/f$i; done",
        "f() { touch $1/$2; }; f a x; f . y",
        "if cd a; then touch x; fi; touch y",
        "touch ./{p,q}.x; mv p.x a/; cp q.x a/r.x",
        "set -- x y; touch $2; shift; touch $1.z",
        "cat > x <<E\n$(touch y)\nE",
        "echo touch x | sh; bash -c 'cd a; touch $1' _ y",
        "eval 'touch x'; env -C a touch y",
        "printf 'x\\ny\\n' | xargs touch",
        "find a -name '*.md' -exec cp {} {}.bak \\;",
        "sed -i.bak s/a/b/ a/k.md; sed -n 'w x' a/k.md",
        "awk '{print > \"x\"}' a/k.md; tar -cf t.tar a; tar -xf t.tar -C b",
        "ln -s a l; ln a/k.md b/h; install -D a/k.md n/m/o; dd if=a/k.md of=d status=none",
        "exec 3>x; echo >&3; { echo; } >y; ( echo ) >>z",
        "trap 'touch x' EXIT; touch y",
        'arr=(x y); touch "${arr[@]}" ${arr[0]}.z',
        "split -l 1 a/k.md b/s.; csplit -s -f b/c a/k.md 1; sort -o s a/k.md; tee t < a/k.md >u",
        "git init -q g; git -C g config user.name x; cd g; echo > f; git add f",
        "rm a/k.md; rmdir b; truncate -s 3 v; gzip -k a/j.md; unlink a/i.md",
    ],
)
def test_what_bash_changes_was_foretold(text: str, tmp_path: Path) -> None:
    """The text is run, and every path that is new, gone or different was among the answers."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    for name in ("k", "j", "i"):
        (tmp_path / "a" / f"{name}.md").write_text("a\n")
    before = look(tmp_path)
    judged = judge(text, str(tmp_path))
    subprocess.run(["bash", "-c", text], cwd=tmp_path, check=False, capture_output=True)
    after = look(tmp_path)
    changed = [path for path in {*before, *after} if before.get(path) != after.get(path)]
    assert changed
    writes = judged.writes
    missed = [
        path
        for path in changed
        if not any(
            one.meets(path) or one.path.startswith(f"{path}/") or git(one.path, one.reach, path)
            for one in writes
        )
    ]
    assert missed == []


def git(place: str, reach: str, path: str) -> bool:
    return reach in ("git", "shared", "checkout") and path.startswith(f"{place}/.git")


def look(folder: Path) -> dict[str, str]:
    return {
        str(path): path.read_text(errors="replace") if path.is_file() else ""
        for path in folder.rglob("*")
    }
