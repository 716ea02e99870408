"""What the shell itself does with a text: redirections, directories, variables, substitutions."""

from __future__ import annotations

import pytest

from tests.rules.shell.judge import CWD, judge

# text -> what is written (relative names are below the directory of the call)
WRITES = [
    ("echo x > f", ["f"]),
    ("echo x >> f", ["f"]),
    ("echo x >| f", ["f"]),
    ("echo x &> f", ["f"]),
    ("echo x &>> f", ["f"]),
    ("echo x >& f", ["f"]),
    ("echo x >&f", ["f"]),
    ("echo x 2>f", ["f"]),
    ("echo x >'a b'", ["a b"]),
    ("echo x >f 2>&1", ["f"]),
    (": 3<> f", ["f"]),
    ("exec 7>f", ["f"]),
    ("exec {fd}>f", ["f"]),
    (">f", ["f"]),
    (">a echo >b", ["a", "b"]),
    ("! echo x > f", ["f"]),
    ("time echo x > f", ["f"]),
    ("echo x & echo y > f", ["f"]),
    ("coproc cat > f", ["f"]),
    ("coproc N { cat > f; }", ["f"]),
    ("{ a() { echo; }; a; } > f", ["f"]),
    ("f() { echo; } > f; f", ["f"]),
    ("f() { echo > $1; }; f one; f two", ["one", "two"]),
    ("f() { echo > f; }", ["f"]),
    ("f() { return; echo > no; }; f; echo > f", ["f"]),
    ("while read -r x; do echo > f; done", ["f"]),
    ("until false; do echo; done >> f", ["f"]),
    ("for ((i=0; i<2; i++)); do echo; done > f", ["f"]),
    ("select x in a b; do echo > f; done", ["f"]),
    ("if a; then b; elif c; then echo > f; else echo > g; fi", ["f", "g"]),
    ("case $x in a) echo > f;; *) echo > g;; esac", ["f", "g"]),
    ("[[ -n $(echo > f) ]]", ["f"]),
    ("(( a[$(echo > f; echo 0)] = 1 ))", ["f"]),
    ("let x=$(echo > f)", ["f"]),
    ("a=($(echo > f) x)", ["f"]),
    ("export A=$(echo > f)", ["f"]),
    ("cat <(echo > f) >(cat > g)", ["f", "g"]),
    ("echo ${x:-$(echo > f)} ${y/a/$(echo > g)}", ["f", "g"]),
    ("cat <<E\n`echo > f`\nE", ["f"]),
    ("cat <<'E'\n`echo > f`\nE", []),
    ('cat <<"E"\n$(echo > f)\nE', []),
    ("cat <<E > f\n> g\nE", ["f"]),
    ("echo x > /dev/null 2> /dev/stderr", []),
    ("echo x > /dev/shm/f", ["/dev/shm/f"]),
    ("echo >&2; echo <&- >&- 2>&1 3>&1-", []),
    ("exit; echo > f", []),
    ("a || exit; echo > f", ["f"]),
    ("a && exit; echo > f", ["f"]),
    # directories
    ("cd d && echo > f", ["d/f"]),
    ("cd d; cd ..; echo > f", ["f"]),
    ("(cd d; echo > f); echo > g", ["d/f", "g"]),
    ("cd d & echo > f", ["f"]),
    ("cd d | cat; echo > f", ["f"]),
    ("cd a || cd b; echo > f", ["b/f", "a/f"]),
    ("cd a || exit 1; echo > f", ["a/f"]),
    ("cd a && cd b && echo > f", ["a/b/f"]),
    ("cd d; cd -; echo > f", ["f"]),
    ("cd d; echo > ~-/f", ["f"]),
    ("cd d; echo > ~+/f", ["d/f"]),
    ("cd d; echo > $PWD/f; echo > $OLDPWD/g", ["d/f", "g"]),
    ("pushd d; echo > f; popd; echo > g", ["d/f", "g"]),
    ("cd; echo > f", ["/root/f"]),
    ("CDPATH=/x; cd d; echo > f", ["d/f", "/x/d/f"]),
    ("if a; then cd d; fi; echo > f", ["d/f", "f"]),
    ("if cd d; then echo > f; else echo > g; fi", ["d/f", "g"]),
    ("if cd d; then :; fi; echo > f", ["d/f", "f"]),
    ("for d in a b; do (cd $d; echo > f); done", ["a/f", "b/f"]),
    ("command cd d; echo > f", ["d/f"]),
    ("cd /proc/self/cwd/d; echo > f", ["d/f"]),
    ("echo > /proc/self/root/f", ["/f"]),
    ("cd /tmp/$X; echo > f", ["/tmp/*/f"]),
    # variables
    ("D=d; echo > $D/f", ["d/f"]),
    ("D=d; echo > ${D}/f", ["d/f"]),
    ("D=a; D+=b; echo > $D", ["ab"]),
    ("A=/a B=$A/b; echo > $B/f", ["/a/b/f"]),
    ("a=(x y); touch ${a[@]} ${a[1]}z $a.q", ["x", "y", "yz", "x.q"]),
    ("a=(x); a+=(y); touch ${a[*]}", ["x", "y"]),
    ('X="a b"; touch $X "$X"', ["a", "b", "a b"]),
    ("echo > ${X:-f}", ["f"]),
    ("echo ${X:=f}; echo > $X", ["f"]),
    ("X=f; echo > ${X:+g}", ["g"]),
    (
        "F=a/b.c; touch ${F%.c} ${F##*/} ${F/b/x} ${F%/*}/q ${F:0:1}",
        ["a/b", "b.c", "a/x.c", "a/q", "a"],
    ),
    ("X=Ab; touch ${X,,} ${X^^}", ["ab", "AB"]),
    ("X=Y Y=f; echo > ${!X}", ["f"]),
    ("set -- a b; touch $2; shift; touch $1.q", ["b", "b.q"]),
    ("local x=f; declare -r y=g; readonly z=h; touch $x $y $z", ["f", "g", "h"]),
    ("for x in a b; do echo > $x.t; done", ["a.t", "b.t"]),
    ("for x in a; do :; done; echo > $x", ["a"]),
    ("i=0; echo > f$((i+1)) ", ["f*"]),
    ("echo > f$$", ["f*"]),
    ("echo > ~/f", ["/root/f"]),
    ("HOME=/h; echo > ~/f", ["/h/f"]),
    ("echo > ~root/f", []),
    ("echo > '~/f'", ["~/f"]),
    # what a substitution prints
    ("echo > $(pwd)/f", ["f"]),
    ("D=$(mktemp -d); echo > $D/f", ["/tmp/*/f"]),
    ("D=$(dirname a/b); touch $D/$(basename x/y.c .c)", ["a/y"]),
    ("touch $(echo a b)", ["a", "b"]),
    ("touch $(printf '%s.x ' a b)", ["a.x", "b.x"]),
    ("touch $(printf 'a\\154')", []),
    ("touch $(echo -e 'a\\x6c') $(echo -n b)", ["b"]),
    ("X='$(touch f)'; echo ${X@P}", ["f"]),
    ("declare -n r=X; X=d; touch $r/f /g", ["/g"]),
    ("touch $_/f", []),
    # quotes, globs, braces
    ("echo > \"a\"'b'c", ["abc"]),
    ("echo > $'a\\x41\\101\\tb'", ["aAA\tb"]),
    ("echo > a\\ b", ["a b"]),
    ("echo > \\\nf", ["f"]),
    ("touch *.md d/?.c [ab].h @(x|y)", ["*.md", "d/?.c", "?.h", "*"]),
    ("touch '*.md'", ["*.md"]),
    ("touch {a,b}.{c,d}", ["a.c", "a.d", "b.c", "b.d"]),
    ("touch f{1..3} {x}", ["f1", "f2", "f3", "{x}"]),
    ("touch f{08..10}", ["f08", "f09", "f10"]),
    ("touch a{,.bak}", ["a", "a.bak"]),
    ("touch {1..100000}", ["*"]),
    ("touch a//b/./c/../d", ["a/b/d"]),
]


TRAPS = [
    ("c() { cd d; echo x > f; }; trap c EXIT; echo x > g", ["d/f", "g"]),
    ("c() { cd d; echo x > f; }; trap c EXIT; cd e", ["d/f", "e/d/f"]),
    ("trap 'cd d; echo x > f' EXIT; cd e", ["d/f", "e/d/f"]),
]


@pytest.mark.parametrize(("text", "paths"), TRAPS)
def test_a_trap_runs_wherever_the_shell_is_and_starts_no_other(text: str, paths: list[str]) -> None:
    judged = judge(text)
    assert sorted(judged.paths) == [f"{CWD}/{one}" for one in paths]
    assert judged.opaque == []


@pytest.mark.parametrize(("text", "paths"), WRITES)
def test_what_is_written(text: str, paths: list[str]) -> None:
    judged = judge(text)
    assert judged.paths == [one if one[0] == "/" else f"{CWD}/{one}" for one in paths]
