"""Codex's config.toml takes our tables and gives them back; comments and order of others stay."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from plastic.harness.codex_settings import EVENTS, FORM, command
from plastic.harness.codex_toml import has_hooks, has_ours, installed, removed, state
from plastic.harness.entry import ABSENT, INSTALLED, OTHER
from plastic.harness.jsontext import JsonError

LINE = command("/opt/my py/bin/python", '/opt/it\'s "p"/hooks/gate')
MOVED = command("/home/ana/python", "/home/ana/plastic/hooks/gate")
THEIRS = """\
[[hooks.PreToolUse]]
matcher = "Bash" # shell only
[[hooks.PreToolUse.hooks]]
type = "command"
command = 'audit.sh'
"""
STATE = '\n[hooks.state."/x/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:0"\n'
TEXTS = [
    "",
    "\n",
    'model = "m"',
    "# mine\nmodel = 'm'\n\n",
    THEIRS,
    THEIRS.rstrip(),
    THEIRS.replace("\n", "\r\n"),
    f"# top\n{THEIRS}\n[mcp_servers.a]\ncommand = 'x'\n{STATE}",
    f"[features]\nhooks = true\n{STATE}",
]
every = pytest.mark.parametrize("text", TEXTS)


def without_ours(text: str) -> Any:
    return tomllib.loads(removed(text))


@every
@pytest.mark.parametrize("strict", [False, True])
def test_in_and_out_again_byte_for_byte(text: str, strict: bool) -> None:
    with_ours = installed(text, LINE, strict=strict)
    before, after = tomllib.loads(text), tomllib.loads(with_ours)
    for event in EVENTS:
        theirs = before.get("hooks", {}).get(event, [])
        assert after["hooks"][event] == [*theirs, FORM.entry(event, LINE, strict=strict)]
    assert installed(with_ours, LINE, strict=strict) == with_ours
    assert state(with_ours, LINE, strict=strict) == INSTALLED
    assert state(text, LINE, strict=strict) == ABSENT
    assert has_ours(with_ours)
    assert removed(with_ours) == text


@every
def test_a_moved_checkout_is_mended_not_doubled(text: str) -> None:
    old = installed(text, MOVED, strict=True)
    assert state(old, LINE, strict=False) == OTHER
    new = installed(old, LINE, strict=False)
    assert "/home/ana" not in new
    assert removed(new) == text


@every
def test_what_others_added_since_stays(text: str) -> None:
    later = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "late"\n'
    grown = f"first = 1\n{installed(text, LINE, strict=False)}{later}"
    joint = "" if text.endswith("\n") or not text else "\n"
    assert removed(grown) == f"first = 1\n{text}{joint}{later}"


@every
def test_what_a_tool_laid_out_anew_is_known_by_what_it_says(text: str) -> None:
    laid_out = "\n".join(
        one
        for one in installed(text, LINE, strict=True).splitlines()
        if not one.startswith("# plastic")
    )
    assert state(laid_out, LINE, strict=True) == INSTALLED
    assert without_ours(laid_out) == tomllib.loads(text)
    whole = tomlkit.dumps(tomllib.loads(laid_out))
    assert without_ours(whole) == tomllib.loads(text)
    assert ("shell only" in removed(laid_out)) == ("shell only" in text)


def test_a_hook_of_others_in_our_own_table_stays() -> None:
    extra = '[[hooks.SessionEnd.hooks]]\ntype = "command"\ncommand = "theirs"\n'
    mixed = installed("", LINE, strict=False).replace("# plastic: end", f"{extra}# plastic: end")
    mixed = mixed.replace("# plastic: the hooks of", "# the hooks of")
    assert without_ours(mixed)["hooks"] == {
        "SessionEnd": [{"hooks": [{"type": "command", "command": "theirs"}]}]
    }


def test_which_file_holds_hooks() -> None:
    assert [has_hooks(text) for text in TEXTS] == [
        False, False, False, False, True, True, True, True, False
    ]  # fmt: skip
    assert not has_ours(THEIRS)


@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("a = 1\n[hooks\n", 2, "expected"),
        ("hooks = []\n", 1, "no further tables"),
        ("hooks = {Stop = [{hooks = []}]}\n", 1, "no further tables"),
        ("a = 'x", 1, "expected"),
    ],
)
def test_what_cannot_be_understood_is_refused(text: str, number: int, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        installed(text, LINE, strict=False)
    assert (caught.value.line, words in str(caught.value)) == (number, True), str(caught.value)


_scalar = st.booleans() | st.integers(-9, 9) | st.text("ab#\"'é\\", max_size=5)
_handler = st.fixed_dictionaries({"type": st.just("command"), "command": _scalar.map(str)})
_group = st.fixed_dictionaries(
    {"hooks": st.lists(_handler, max_size=2)}, optional={"matcher": st.just("Bash")}
)
_file = st.fixed_dictionaries(
    {},
    optional={
        "model": _scalar,
        "hooks": st.dictionaries(
            st.sampled_from(["PreToolUse", "Stop", "Other"]),
            st.lists(_group, min_size=1, max_size=2),
            max_size=2,
        ),
        "projects": st.dictionaries(st.text("a/ .", max_size=3), st.just({"trust": "t"})),
    },
)


@given(_file, st.booleans(), st.sampled_from(["", "\n", "# end", "\n# end\n"]))
def test_any_file_survives(value: Any, crlf: bool, tail: str) -> None:
    text = tomlkit.dumps(value) + tail
    text = text.replace("\n", "\r\n") if crlf else text
    with_ours = installed(text, LINE, strict=False)
    assert removed(with_ours) == text
    bare = "\n".join(one for one in with_ours.splitlines() if not one.startswith("# plastic"))
    wanted = tomllib.loads(text)
    if wanted.get("hooks") == {}:
        del wanted["hooks"]  # an empty table is as good as none
    assert without_ours(bare) == wanted
