"""Flat texts are read without a parser: the tree is the one that shfmt makes, or there is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plastic.rules.shell import flat
from plastic.rules.shell.flat import tree
from tests.gates.lines import lines
from tests.gates.ordinary import commands
from tests.rules.shell.judge import parse
from tests.rules.shell.ordinary import made as plain
from tests.rules.shell.test_cases import CASES

PLACES = {
    "Pos",
    "End",
    "OpPos",
    "Left",
    "Right",
    "ValuePos",
    "ValueEnd",
    "Position",
    "Semicolon",
}
NAMES = {"d": "/store/12--login", "t": "/repo", "r": "/repo", "o": "/store/7--own"}
# What texts are made of; most of it is not flat somewhere.
BITS = (
    "a cp ls x=1 --k=v -x 2 12 2a f2 ~ ~/x * a*b ? @x +x a+=b % ^ ! {} } if then in [ ] [[ time "
    "echo 'q_r' \"d_e\" '' \"\" 'a;b' '#' '$x' \"$x\" ; && || | |& & > < >> >& &> &>> <> <& >| << "
    "<<< ;; - 1 . /f a:b a,b # a#b \\ $x `a` ( ) {a,b} é 2>&1 >&2 2>/dev/null >f a>b"
).split()
BITS += (
    '$x $x_1 $x/y a$x $x$y $1 $_ $? $$ "a$x" "$x b" "$x[0]" "${x}" "$" x=$y x= x=\'a\' y="$x" '
    "X+=a x=a=b x=~/a x=* 1x=2 x=$x/z"
).split()
BITS += ["\n", "\n\n", "\t", " ", "'a b'", '"\n"', "'\n'"]


def bare(node: Any) -> Any:
    """A tree without its places in the text."""
    if isinstance(node, dict):
        kept = {key: node[key] for key in node if key not in PLACES}
        if isinstance(kept.get("Dollar"), dict):  # a place; of a quoted text it says which kind
            del kept["Dollar"]
        return {key: bare(value) for key, value in kept.items()}
    return [bare(one) for one in node] if isinstance(node, list) else node


def agree(texts: list[str]) -> int:
    """How many of these are flat; shfmt reads them one below the other."""
    read = [(text, made) for text in texts if (made := tree(text)) is not None]
    theirs = bare(parse("\n".join(text for text, _ in read)))
    ours = [bare(stmt) for _, made in read for stmt in made.get("Stmts", ())]
    assert theirs is not None, [text for text, _ in read]
    assert theirs.get("Stmts", []) == ours
    return len(read)


def test_the_recorded_texts() -> None:
    assert agree([text for _, text, _, _ in CASES]) > 60


def test_ordinary_commands() -> None:
    assert agree([line for line, _ in commands(7, 2000, NAMES, owner=True)]) > 1000
    assert agree([line for line, _, _ in plain(1000)]) > 300


SOME = settings(max_examples=40, deadline=None)


@given(st.lists(lines(foreign=True), min_size=30, max_size=30))
@SOME
def test_texts_of_the_grammar(texts: list[str]) -> None:
    agree(texts)


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(BITS), st.sampled_from(["", " "])), max_size=7),
        min_size=30,
        max_size=60,
    )
)
@SOME
def test_texts_of_bits(texts: list[list[tuple[str, str]]]) -> None:
    agree(["".join(bit + gap for bit, gap in bits) for bits in texts])


FLAT = [
    "",
    "make all > log.txt",
    "git commit -qm 'a > b; c' && git push",
    "a | b |\n c || d\n\ne; f;",
    "cat <f 2>&1 >>g >| h &>>i 3>&-",
    "echo \"it's\" 'so \"' --x='a b'c\"\"",
    "find . -name '*.py' -exec rm {} +",
    'echo $X "$X" a$X/b "a $X_1 b" $X$Y > $X',
    "X=1 a; X=1; X= Y='a b'c Z=$X/a a b=c; X=a=b",
]
NOT_FLAT = [
    "echo ${X}",
    'echo "${X}"',
    "echo $1 $?",
    "echo $",
    "echo $'a'",
    'echo "$X[0]"',
    "X+=1",
    "X[1]=a",
    "X=(a)",
    'echo "a\\"b"',
    "echo a\\ b",
    "echo `a`",
    "a & b",
    "a |& b",
    "(a)",
    "{ a; }",
    "! a",
    "if a; then b; fi",
    "> f X=1",
    "a 'b",
    "a > ",
    "a &&",
    "; a",
    "a ;; b",
    "cat << E\nE",
    "cat <<< a",
    "a <(b)",
    "export X",
    "time a",
    "[[ a ]]",
    "a # b",
    "> f",
    "a\rb",
    "a\x01b",
    "a\ud800",
    "é",
    "ab[1]",
    "echo {fd}>f",
    "true; " * 3000,
]


@pytest.mark.parametrize("text", FLAT)
def test_what_is_flat(text: str) -> None:
    assert tree(text) is not None
    agree([text])


@pytest.mark.parametrize("text", NOT_FLAT)
def test_what_is_not_flat(text: str) -> None:
    assert tree(text) is None


def test_a_reader_that_takes_a_mark_for_a_letter_is_caught(monkeypatch: Any) -> None:
    """Non-vacuity: without the test of what stands outside of quotes the trees differ."""
    monkeypatch.setattr(flat, "_PLAIN", dict.fromkeys(range(1, 128)))
    monkeypatch.setattr(flat, "_last", ["", None])
    with pytest.raises(AssertionError):
        agree(["echo a\\ b > f"])
