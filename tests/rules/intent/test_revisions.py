"""revisions.md: entries are numbered, appended and never touched again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.intent.revisions import Revision, added, numbers
from plastic.rules.intent.upkeep import is_stray, with_links, without_section

ONE = Revision("2026-11-30-21:30", "It was dangling.", "dangling-ref", "a.md, line 3", "x", "y")
WORDS = st.text(max_size=60)


def test_the_first_entry() -> None:
    text, number = added("", ONE)
    assert number == 1
    assert text == (
        "# revisions.md\n\n## Revision v1 - 2026-11-30-21:30\n\n"
        "- Why: It was dangling. [rule: dangling-ref]\n"
        "- Prior location: a.md, line 3\n- Change: `x` -> `y`\n"
    )


def test_after_three_comes_four() -> None:
    """case 9.11/236"""
    before = added(added(added("", ONE)[0], ONE)[0], ONE)[0]
    text, number = added(before, ONE)
    assert number == 4
    assert text.startswith(before)


@pytest.mark.parametrize("before", ["# mine\n\n## Revision v7 - x", "no newline", "a\r\nb\r\n"])
def test_whatever_stands_there_stays(before: str) -> None:
    text, number = added(before, ONE)
    assert text.startswith(before)
    assert number == (8 if "v7" in before else 1)


def test_held_content_is_never_an_entry() -> None:
    held = "## Revision v9 - x\n\n```\n- Why: no"
    text, _ = added("", ONE._replace(held=held))
    assert numbers(text) == [1]
    assert added(text, ONE)[1] == 2


@given(st.lists(st.tuples(WORDS, WORDS, WORDS, st.none() | WORDS), max_size=5))
def test_numbers_grow_by_one_whatever_is_written(entries: list[tuple[str, str, str, None]]) -> None:
    text = ""
    for count, (why, before, after, held) in enumerate(entries, 1):
        revision = Revision("now", why, "tag", "here", before, after, held)
        longer, number = added(text, revision)
        assert number == count
        assert longer.startswith(text)
        text = longer
    assert numbers(text) == list(range(1, len(entries) + 1))


class TestSections:
    TEXT = (
        "---\nid: 1\n---\n# T\n\n## Intent\n\nx\n\n"
        "## Notes\n\n```\n## Fake\n```\n\n## Links\n\n_(none)_\n"
    )

    def test_a_section_is_cut_out_whole(self) -> None:
        cut = without_section(self.TEXT, "Notes")
        assert cut is not None
        assert cut.held == "## Notes\n\n```\n## Fake\n```"
        assert cut.text == self.TEXT.replace(cut.held + "\n\n", "")
        assert self.TEXT.split("\n")[cut.line - 1] == "## Notes"

    @pytest.mark.parametrize("name", ["Fake", "Nothing", ""])
    def test_nothing_to_cut(self, name: str) -> None:
        assert without_section(self.TEXT, name) is None

    def test_two_of_a_name_are_not_guessed(self) -> None:
        assert without_section(self.TEXT + "## Notes\n", "Notes") is None

    def test_crlf_stays(self) -> None:
        cut = without_section(self.TEXT.replace("\n", "\r\n"), "Notes")
        assert cut is not None
        assert cut.text.count("\r\n") == cut.text.count("\n")


@pytest.mark.parametrize(
    ("path", "stray"),
    [
        ("notes.txt", True),
        ("draft/a.md", True),
        ("spec.md", False),
        ("1--x.md", False),
        ("2--y.md", True),
        ("actions/ACTION_1.md", False),
        ("resources/a", False),
        ("savepoint.md", False),
        ("revisions.md", False),
        ("delivery.lock", False),
        (".claims/spec.md.claim", False),
    ],
)
def test_what_is_a_stray_file(path: str, stray: bool) -> None:
    assert is_stray(path, "1--x") is stray


class TestLinks:
    TEXT = "---\nid: 1\nsources: [3, 4]\nchain: []\n---\n# T\n\n## Links\n\n_(none)_\n"

    def test_made_from_the_front_matter(self) -> None:
        found = with_links(self.TEXT)
        assert found is not None
        assert found[0].endswith("## Links\n\n- Sources: [[3]], [[4]]\n")
        again = with_links(found[0])
        assert again is not None
        assert again[0] == found[0]

    @pytest.mark.parametrize("text", ["# T\n\n## Links\n", TEXT.replace("## Links", "## No")])
    def test_not_guessed(self, text: str) -> None:
        assert with_links(text) is None
