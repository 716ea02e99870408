"""`git status --porcelain=v2 -z`: every kind of entry, and names that hold anything."""

from __future__ import annotations

import pytest

from plastic.rules.porcelain import Status, status

HASH = "0" * 40


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", Status((), (), ())),
        (f"1 .M N... 100644 100644 100644 {HASH} {HASH} a b.py\0", Status(("a b.py",), (), ())),
        (f"1 A. N... 000000 100644 100644 {HASH} {HASH} new.py\0", Status(("new.py",), (), ())),
        (
            f"2 R. N... 100644 100644 100644 {HASH} {HASH} R100 to.py\0from 1 ? x.py\0? more\0",
            Status(("to.py", "from 1 ? x.py"), ("more",), ()),
        ),
        (
            f"u UU N... 100644 100644 100644 100644 {HASH} {HASH} {HASH} both.py\0",
            Status(("both.py",), (), (), ("both.py",)),
        ),
        ("? new\nline\0? d/\0", Status((), ("new\nline", "d/"), ())),
        # a submodule with changes inside only, and one at another commit
        (f"1 .M S.MU 160000 160000 160000 {HASH} {HASH} lib\0", Status((), (), ("lib",))),
        (f"1 .M SCM. 160000 160000 160000 {HASH} {HASH} lib\0", Status(("lib",), (), ())),
        ("! ignored\0# branch.head main\0", Status((), (), ())),
    ],
)
def test_every_kind_of_entry(text: str, wanted: Status) -> None:
    assert status(text) == wanted
