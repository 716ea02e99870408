"""Variables that are set on one way only: what comes after it is judged for each of the ways."""

from __future__ import annotations

import pytest

from tests.rules.shell.judge import CWD, judge

# text -> what is written, and "?" where nobody can tell what else is
WRITES = [
    ("X=a; test q && X=b; echo > $X/f", "a/f b/f"),
    ("X=a; test q || X=b; echo > $X/f", "a/f b/f"),
    ("false && X=a; echo > $X/f", "a/f ?"),
    ("true || X=a; echo > $X/f", "a/f ?"),
    ("X=a; if q; then X=b; fi; echo > $X/f", "a/f b/f"),
    ("X=a; if q; then X=b; else X=c; fi; echo > $X/f", "b/f c/f"),
    ("X=a; case q in q) X=b;; *) X=c;; esac; echo > $X/f", "a/f b/f c/f"),
    ("X=a; for y in 1 2; do X=b; done; echo > $X/f", "a/f b/f"),
    ("X=a; while q; do X=b; done; echo > $X/f", "a/f b/f"),
    ("X=a; q && export X=b; bash -c 'echo > $X/f'", "a/f b/f"),
    ("X=a; q && X=b; eval 'echo > $X/f'", "a/f b/f"),
    ("X=a; q && X=b; Y=$X/c; echo > $Y", "a/c b/c"),
    ("X=a; q && X=b; cp x y $X", "a/x a/y b/x b/y"),
    ("X=a; q && X=(b c); touch ${X[@]}", "a b c"),
    ("f() { echo > $X/f; }; X=a; q && X=b; f", "a/f b/f"),
    ("X=a; trap 'echo > $X' EXIT; q && X=b", "a b"),
    ("X=a; q && X=b && echo > $X/f", "b/f"),
    ("X=a; q && X=b || exit; echo > $X/f", "b/f"),
    ("X=a; q && X=b; X=c; echo > $X/f", "c/f"),
    ("X=a; ! q && X=b; echo > $X/f", "a/f b/f"),
    ("q && X=a && Y=b; echo > $X$Y", "a* ab ?"),
    ("X=a Y=a; q && X=b Y=b; echo > $X$Y", "aa bb"),
    ("X=a Y=a; q && X=b; p && Y=b; echo > $X$Y", "aa ab ba bb"),
    ("X=a; (q && X=b); echo > $X", "a"),
    ("X=a; cd d && X=b; echo > $X", "d/b"),
    ("mkdir -p d && X=b; echo > $X", "b d"),
    ("X=a; Y=b; echo > $X", "a"),
    ("X=a; echo && X=b; echo > $X", "b"),
    ("X=a; echo > c && X=b; echo > $X", "a b c"),
    ("X=a; echo > /dev/null 2>&1 && X=b; echo > $X", "b"),
    ("X=a; q && X=b; for X in c; do echo > $X; done", "c"),
]


@pytest.mark.parametrize(("text", "expected"), WRITES, ids=[one[0] for one in WRITES])
def test_every_value_is_judged(text: str, expected: str) -> None:
    judged = judge(text)
    reasons = [one for one in judged.opaque if "plastic does not know" not in one]
    said = sorted({path.replace(f"{CWD}/", "") for path in judged.paths})
    assert " ".join([*said, *["?"] * bool(reasons)]) == expected


def test_what_has_too_many_values_is_not_known() -> None:
    text = "; ".join(f"X{at}=a; q && X{at}=b" for at in range(9))
    judged = judge(f"{text}; echo > $X0$X1$X2")
    every = [f"{CWD}/{x}{y}{z}" for x in "ab" for y in "ab" for z in "ab"]
    assert sorted(judged.paths) == every
    assert judge(f"{text}; echo > $X8/f").paths == []
    assert "where `*/f` lies is not known before it runs" in judge(f"{text}; echo > $X8/f").opaque
