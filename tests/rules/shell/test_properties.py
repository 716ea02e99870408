"""Whatever the tree or the text is: the analysis answers, in time that grows with the text."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plastic.rules.shell.analyse import analyse
from plastic.rules.shell.answer import Analysis
from plastic.rules.shell.marks import CLOSE, COMMA, OPEN
from plastic.rules.shell.quoting import braces, quoted
from plastic.rules.shell.walk import VISITS
from tests.rules.shell.judge import CWD, parse
from tests.rules.shell.ordinary import made
from tests.rules.shell.test_cases import CASES

KEYS = """
    Type Cmd Args Parts Value Stmts Redirs Op Word Hdoc Assigns Name X Y Cond Then Else Do Loop
    Items Patterns Body Variant Stmt Param Exp Index Array Elems Repl Orig With Slice N Naked Excl
    """.split()
WORDS = [*VISITS, *"Lit SglQuoted DblQuoted ParamExp CmdSubst ProcSubst ArithmExp ExtGlob".split()]
WORDS += "WordIter rm cd git -c /a/b x > << >& | && || @".split()
TREES = st.recursive(
    st.sampled_from([*WORDS, "", "1", "~", "*", "{a,b}"])
    | st.booleans()
    | st.none()
    | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=25,
)
TEXTS = [text for _, text, _, _ in CASES] + [text for text, _, _ in made(150)]
PIECES = st.sampled_from(
    [
        *"echo cd rm -rf /a $x > >> | && || ; ( ) {a,b} * ~ a=1 2>&1 git -C sed -i sh".split(),
        *"-c eval trap xargs find if [[ ]] (( )) esac f() ;; a) & $( ` ${x:- } a=(x".split(),
        *("<<E\n", "\nE\n", "\n", "\\", '"$y"', "'q'", "{ ", "; }", "; then", "; fi", "; done"),
        *("for i in a b; do", "case x in"),
    ]
)


def trees(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"Stmts": value}


@given(TREES, st.none() | st.just("/a") | st.just("a"))
@settings(max_examples=1500, suppress_health_check=[HealthCheck.too_slow])
def test_any_tree_is_answered(value: Any, cwd: str | None) -> None:
    answer = analyse(trees(value), cwd, {"HOME": "/h"})
    assert all(one.path.startswith(("/", "\ue000")) for one in answer.writes)


@given(st.lists(PIECES, max_size=14))
@settings(max_examples=150, deadline=None)
def test_any_text_of_shell_is_answered(pieces: list[str]) -> None:
    tree = parse(" ".join(pieces))
    if tree is not None:
        answer = analyse(tree, CWD, {})
        assert all(one.path[0] == "/" for one in answer.writes)


@given(st.text(max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_at_all_is_answered(text: str) -> None:
    tree = parse(text.replace("\0", ""))
    if tree is not None:
        analyse(tree, CWD, {})


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=150, deadline=None)
def test_halves_of_real_texts_are_answered(one: str, other: str, cut: int, at: int) -> None:
    tree = parse(one[: cut % (len(one) + 1)] + other[at % (len(other) + 1) :])
    if tree is not None:
        analyse(tree, CWD, {"HOME": "/h"})


def test_a_tree_of_an_old_shfmt_is_opaque() -> None:
    tree = parse("echo x > f")
    assert tree is not None
    old = json.loads(json.dumps(tree).replace('"Op": ">"', '"Op": 54'))
    assert analyse(old, CWD, {}).opaque


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    trees_of = [parse(text) for text in TEXTS[:60]]
    first = [repr(analyse(tree, CWD, {})) for tree in trees_of if tree is not None]
    again = [repr(analyse(tree, CWD, {})) for tree in reversed(trees_of) if tree is not None]
    assert first == again[::-1]


# Shapes that grow: text of about this many letters.
SHAPES: dict[str, Any] = {
    "commands": lambda n: "echo a > f; " * (n // 12),
    "words": lambda n: "rm " + "a/b " * (n // 4),
    "unknown words": lambda n: "rm " + "$x/a " * (n // 5),
    "document": lambda n: "cat <<E > f\n" + "x y $z\n" * (n // 7) + "E\n",
    "subshells": lambda n: "v=x; (cd a); " * (n // 13),
    "functions": lambda n: "f() { rm a; }; f; " * (n // 18),
    "cases": lambda n: "case x in " + "a) echo > f;; " * (n // 14) + "esac",
    "variables": lambda n: "".join(f"v{at}=x; " for at in range(n // 9)),
    "texts": lambda n: "eval 'rm a'; " * (n // 13),
    "braces": lambda n: "echo " + "{a,b}" * (n // 5),
    "globs": lambda n: "rm " + "*" * n,
    "dots": lambda n: "rm " + "a/../" * (n // 5),
    "sed": lambda n: "sed '" + "s/[/]/b/;" * (n // 9) + "' f",
    "awk": lambda n: "awk '" + '{print > "x"}' * (n // 13) + "'",
    "python": lambda n: "python3 -c '" + 'open("x","w");' * (n // 14) + "'",
    "xargs": lambda n: "echo " + "a " * (n // 2) + "| xargs rm",
    "cut": lambda n: "x=" + "a/" * (n // 2) + "; echo ${x%%/*} ${x##*/} ${x%/*}",
    "array": lambda n: "a=(" + "x " * (n // 2) + '); rm "${a[@]}"',
    "quotes": lambda n: "rm " + "'a'\"b\"\\c" * (n // 8),
}


def calls_of(text: str) -> int:
    """How many functions of Python the analysis calls: a clock would tell of other processes."""
    tree = parse(text)
    assert tree is not None
    count = 0

    def seen(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        analyse(tree, CWD, {"HOME": "/h"})
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_text_is_at_most_twice_the_work(shape: str) -> None:
    small, large = calls_of(SHAPES[shape](4000)), calls_of(SHAPES[shape](8000))
    assert large <= small * 2.3 + 500


# Texts that unroll to far more than they say.
BOMBS = [
    "for a in 1 2 3 4 5 6 7 8 9; do " * 8 + "rm $a" + "; done" * 8,
    "".join(f"f{at}() {{ f{at + 1}; f{at + 1}; }}; " for at in range(30)) + "f0",
    "f() { f; f; }; f",
    "echo {1..9}{1..9}{1..9}{1..9}{1..9}",
    "echo {{{{{{a,b},{c,d}},{e,f}},g},h},i}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    "while a; do while b; do while c; do cd x; done; done; done; " * 3,
    "x=" + "a" * 200 + "; " + "x=$x$x; " * 60 + "echo > $x",
    "a=(x y); " + 'a=("${a[@]}" "${a[@]}"); ' * 30 + 'rm "${a[@]}"',
    "set -- a b; " + 'set -- "$@" "$@"; ' * 30 + 'rm "$@"',
    "x='a b'; " + 'x="$x $x"; ' * 30 + "rm $x",
]


@pytest.mark.parametrize("text", BOMBS, ids=range(len(BOMBS)))
def test_a_text_that_unrolls_is_cut_off(text: str) -> None:
    assert calls_of(text) < 400_000


def test_nested_too_deeply_is_opaque() -> None:
    stmt: Any = {"Cmd": {"Type": "CallExpr", "Args": [{"Parts": [{"Type": "Lit", "Value": "ls"}]}]}}
    for _ in range(3000):
        stmt = {"Cmd": {"Type": "Block", "Stmts": [stmt]}}
    answer: Analysis = analyse({"Stmts": [stmt], "End": {"Offset": 9000}}, CWD, {})
    assert answer.opaque == ["it is nested too deeply"]


@given(st.text(alphabet="ab'\"\\ $`\n*{}~!", max_size=12))
@settings(max_examples=100, deadline=None)
def test_a_quoted_word_is_one_word_again(word: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"printf %s {quoted(word)}"], capture_output=True, check=True
    )
    assert done.stdout.decode() == word


BRACE = st.recursive(
    st.sampled_from(["a", "b", "{x}", "{1..4..2}", "{03..5}", "{3..1}"]),
    lambda inner: st.lists(inner | st.just(""), min_size=2, max_size=3).map(
        lambda of: "{" + ",".join(of) + "}"
    ),
    max_leaves=6,
)


@given(st.lists(BRACE, min_size=1, max_size=2).map("".join))
@settings(max_examples=150, deadline=None)
def test_braces_expand_as_bash_says(text: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' z{text}z"], capture_output=True, check=True, text=True
    )
    marked = text.replace("{", OPEN).replace(",", COMMA).replace("}", CLOSE)
    ours = braces(f"z{marked}z")
    assert set(done.stdout.split()) <= set(ours) or "\ue000" in "".join(ours)
