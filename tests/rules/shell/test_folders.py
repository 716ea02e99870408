"""A `cd` that may fail: what comes after it is judged where the shell may be, and nowhere else."""

from __future__ import annotations

import pytest

from plastic.rules.shell.analyse import analyse
from tests.rules.shell.judge import CWD, parse

# Directories that are there, below the directory of the call.
THERE = {CWD, f"{CWD}/d", f"{CWD}/d/e", "/there"}
# text -> what is written (relative names are below the directory of the call)
WRITES = [
    ("cd d; echo > f", ["d/f"]),
    ("cd no; echo > f", ["no/f", "f"]),
    ("cd no && echo > f", ["no/f"]),
    ("cd no && echo > f; echo > g", ["no/f", "no/g", "g"]),
    ("cd no || echo > f", ["f"]),
    ("cd no || exit; echo > f", ["no/f"]),
    ("cd no || { echo > g; exit 1; }; echo > f", ["g", "no/f"]),
    ("cd no || true; echo > f", ["no/f", "f"]),
    ("cd d && cd no && echo > f; echo > g", ["d/no/f", "d/no/g", "d/g"]),
    ("cd no && cd d && echo > f; echo > g", ["no/d/f", "no/d/g", "no/g", "g"]),
    ("ls && cd no && echo > f", ["no/f"]),
    ("ls; cd no > /dev/null 2>&1 && echo > f", ["no/f"]),
    ("(cd no; echo > f); echo > g", ["no/f", "f", "g"]),
    ("{ cd no; } && echo > f", ["no/f"]),
    ("if cd no; then echo > f; else echo > g; fi; echo > h", ["no/f", "g", "no/h", "h"]),
    ("! cd no && echo > f", ["f"]),
    ("! cd no || echo > f", ["no/f"]),
    ("cd d && cd no || echo > f", ["d/f"]),
    ("{ cd no || cd d; } && echo > f", ["no/f", "d/f"]),
    ("if ! cd no; then echo > f; fi", ["f"]),
    ("if ls; cd d; then echo > f; else echo > g; fi", ["d/f", "g"]),
    ("pushd no; echo > f", ["no/f", "f"]),
    ("set -e; cd no; echo > f", ["no/f"]),
    ("set -euo pipefail\ncd no\necho > f", ["no/f"]),
    ("mkdir no; cd no; echo > f", ["no", "no/f"]),
    ("mkdir -p no/x; cd no; echo > f", ["no/x", "no/f"]),
    ("mkdir no && cd no && cd ..; echo > f", ["no", "f"]),
    ("rm -rf d; cd d; echo > f", ["d", "d/f", "f"]),
    ("rm -rf d; mkdir d; cd d; echo > f", ["d", "d", "d/f"]),
    ("cd /there/..; echo > f", ["/f"]),
    ("[ -f x ] && cd d; echo > f", ["d/f", "f"]),
    ("make && cd d && echo > f; echo > g", ["d/f", "d/g", "g"]),
    ("cd d && cd e; echo > f", ["d/e/f"]),
    ("cd d && mkdir -p no && cd no; echo > f", ["d/no", "d/no/f"]),
    ("mkdir -p no && cd no; echo > f", ["no", "no/f"]),
    ('cd "$X"; echo > /there/f', ["/there/f"]),
    ("f() { cd no; }; f && echo > f", ["no/f"]),
]


@pytest.mark.parametrize(("text", "paths"), WRITES, ids=[one[0] for one in WRITES])
def test_where_it_may_be(text: str, paths: list[str]) -> None:
    answer = analyse(parse(text) or {}, CWD, {}, is_dir=lambda path: path in {"/", *THERE} or None)
    expected = [path if path[0] == "/" else f"{CWD}/{path}" for path in paths]
    assert sorted({one.path for one in answer.writes}) == sorted(set(expected))


def test_without_a_look_every_cd_succeeds() -> None:
    answer = analyse(parse("cd no; echo > f") or {}, CWD, {})
    assert [one.path for one in answer.writes] == [f"{CWD}/no/f"]


def test_many_that_fail_are_anywhere() -> None:
    text = "; ".join(f"cd n{at}" for at in range(9)) + "; echo > f"
    answer = analyse(parse(text) or {}, CWD, {}, is_dir=lambda _: None)
    assert answer.writes == []
    assert answer.opaque != []
