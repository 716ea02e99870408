"""Every refusal: one sentence, one command, quoted so that it works when pasted."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.gates.refusals import REFUSALS, quoted, refuse

FIELDS: dict[str, object] = {
    "id": "96",
    "name": "96--demo",
    "dir": "/home/ana/it's here/96--demo",
    "path": "/home/ana/it's here/96--demo/a b.md",
    "file": "savepoint.md",
    "artifact": "spec.md",
    "what": "plan.md",
    "missing": "a real spec.md",
    "heard": "2026-11-30T10:00:00Z",
    "token": 7,
    "project": "shop",
    "right": "/w/a b.md",
    "why": "no `chain`; {braces} stay",
    "title": "It's new; rm -rf $HOME",
    "slug": "its-new",
    "store": "--project shop",
    "holder": "bo",
    "me": "ana",
    "state": "WORKING_BO",
    "tree": "/home/ana/a b",
}
VERBS = {
    "plastic": {"start", "show", "list", "new", "init", "log", "pen", "--help"},
    "plastic-lock": None,
}
LOCK_VERBS = {"status", "fix", "reclaim"}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_is_one_sentence_and_one_command(code: str) -> None:
    said = refuse("gate", code, FIELDS, who="x", since="y")
    assert (said.kind, said.gate, said.code) == ("deny", "gate", code)
    assert "\n" not in said.reason
    assert "{" not in said.reason.replace("{braces}", "")
    words = shlex.split(said.run)
    assert words[0] in VERBS
    assert words[1] in (VERBS[words[0]] or LOCK_VERBS)
    for bad in ("&&", ";", "|", "\n"):
        assert bad not in said.run.replace(quoted(str(FIELDS["title"])), "")


def test_values_are_single_words_of_a_shell() -> None:
    words = shlex.split(refuse("create", "invalid-new", FIELDS).run)
    assert words == [
        "plastic",
        "new",
        "It's new; rm -rf $HOME",
        *["--id", "96", "--slug", "its-new", "--project", "shop"],
    ]


@given(st.text())
def test_quoting_is_that_of_the_standard_library(text: str) -> None:
    assert shlex.split(quoted(text)) == [text] if "\0" not in text else True
    if text.isascii():
        assert quoted(text) == shlex.quote(text)
