"""What a write answers to: exact paths, patterns, and what lies below."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.shell.answer import Text, Write
from plastic.rules.shell.marks import ANY, ONE, STAR, literal_part, matches, matches_below, shown
from plastic.rules.shell.paths import absolute, ignored, normal

PATTERN = st.text(alphabet=["a", "b", "/", ".", ANY, STAR, ONE], max_size=10)
PLAIN = st.text(alphabet=["a", "b", "/", "."], max_size=10)
RULES = {ANY: ".*", STAR: "[^/]*", ONE: "[^/]"}


def rule(pattern: str) -> str:
    return "".join(RULES.get(letter, re.escape(letter)) for letter in pattern)


@given(PATTERN, PLAIN)
def test_matching_is_that_of_a_regular_expression(pattern: str, text: str) -> None:
    wanted = re.fullmatch(rule(pattern), text, re.DOTALL) is not None
    assert matches(pattern, text) is wanted


@given(PATTERN, PLAIN)
def test_below_is_the_directory_a_slash_and_anything(pattern: str, directory: str) -> None:
    directory = directory.rstrip("/")
    if any(matches(pattern, f"{directory}/{rest}") for rest in ("", "a", "b", "a/b", "..", "ab.a")):
        assert matches_below(pattern, directory)


@pytest.mark.parametrize(
    ("write", "yes", "no"),
    [
        (Write("/a/b"), ["/a/b"], ["/a", "/a/b/c", "/a/bc"]),
        (Write("/a/b", "remove"), ["/a/b", "/a/b/c"], ["/a", "/a/bc"]),
        (Write("/a/b", reach="below"), ["/a/b", "/a/b/c"], ["/a", "/a/bc"]),
        (Write(f"/a/{STAR}.md"), ["/a/x.md", "/a/.md"], ["/a/x/y.md", "/a/x.mdx"]),
        (Write(f"/a/{ANY}.md"), ["/a/x.md", "/a/x/y.md"], ["/a/x"]),
        (Write(f"/a/{ONE}"), ["/a/x"], ["/a/", "/a/xy", "/a//"]),
        (Write(f"/a/{STAR}", "remove"), ["/a/x", "/a/x/y"], ["/b/x"]),
        (Write("/", "remove"), ["/", "/a/b"], []),
    ],
    ids=lambda one: repr(one) if isinstance(one, Write) else "",
)
def test_what_a_write_hits(write: Write, yes: list[str], no: list[str]) -> None:
    assert [path for path in yes if not write.hits(path)] == []
    assert [path for path in no if write.hits(path)] == []


@pytest.mark.parametrize(
    ("write", "yes", "no"),
    [
        (Write("/a/b"), ["/a", "/a/b", "/"], ["/a/b/c", "/ab"]),
        (Write("/a/b", "remove"), ["/a", "/a/b", "/a/b/c"], ["/ab"]),
        (Write(f"/a/{STAR}/c"), ["/a", "/a/x", "/a/x/c"], ["/a/x/d", "/b"]),
        (Write(f"/a/{ANY}"), ["/a", "/a/b/c/d"], ["/b"]),
        (Write(f"{ANY}/c"), ["/a", "/a/b", "/c"], []),
    ],
    ids=lambda one: repr(one) if isinstance(one, Write) else "",
)
def test_what_a_write_meets(write: Write, yes: list[str], no: list[str]) -> None:
    assert [path for path in yes if not write.meets(path)] == []
    assert [path for path in no if write.meets(path)] == []


def test_an_exact_write_is_one_path() -> None:
    assert Write("/a").exact
    assert not Write("/a", reach="below").exact
    assert not Write(f"/a{STAR}").exact
    assert (Write(f"/a/b{STAR}/c").base, Write("/a/b").base) == ("/a", "/a/b")
    assert Write(f"/a/{STAR}{ONE}{ANY}").shown == "/a/*?*"
    assert literal_part(STAR) == "/"
    assert shown("/plain") == "/plain"


def test_texts_are_the_same_in_the_same_place() -> None:
    one = Text("a", "/x", {"A": "1"})
    assert one.same(Text("a", "/x", {"A": "1"}))
    assert not one.same(Text("a", None, {"A": "1"}))
    assert not one.same(Text("a", "/x", {}))


@pytest.mark.parametrize(
    ("path", "cwd", "wanted"),
    [
        ("/a/../b", "/x", "/b"),
        ("/..", "/x", "/"),
        ("a/./b//c/", "/x", "/x/a/b/c"),
        ("../a", "/x/y", "/x/a"),
        ("a", None, None),
        ("", "/x", None),
        (f"{ANY}/a", "/x", None),
        (f"a{ANY}/../b", "/x", f"/x/{ANY}/b"),
        (f"{STAR}/../b", "/x", "/x/b"),
        ("/proc/self/root/a", "/x", "/a"),
        ("/proc/self/root", "/x", "/"),
        ("/proc/self/cwd/../a", "/x/y", "/x/a"),
    ],
)
def test_a_path_seen_from_a_directory(path: str, cwd: str | None, wanted: str | None) -> None:
    assert absolute(path, cwd) == wanted


@given(st.text(alphabet="ab./", max_size=20))
def test_a_normal_path_stays_as_it_is(path: str) -> None:
    once = normal("/" + path)
    assert normal(once) == once
    assert once == "/" or not once.endswith("/")


def test_devices_are_no_files() -> None:
    assert ignored("/dev/null")
    assert ignored("/proc/self/fd/1")
    assert not ignored("/dev/shm/x")
    assert not ignored("/device")
