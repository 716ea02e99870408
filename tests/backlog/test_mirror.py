"""The `files` mirror: told once from the outbox, a person's text never overwritten."""

from __future__ import annotations

from pathlib import Path

import frontmatter
import pytest

from plastic.store.sqlite import SqliteStore
from tests.backlog.desk import Desk


def file(desk: Desk, id: str) -> Path:
    return Path(desk.world.home.root, "projects", "shop", "backlog", f"{id}.md")


def test_each_item_is_a_file_with_front_matter_and_a_trail(desk: Desk) -> None:
    one = desk.add('Say "tax": 7 %', "--body", "The law.", "--priority", "P0")
    two = desk.add("Two", "--blocked-by", one)
    desk.claim(one)
    assert desk("mirror", "--check")["behind"] == [one, two]
    assert not file(desk, one).exists()
    assert desk("mirror")["written"] == [one, two]
    found = frontmatter.loads(file(desk, one).read_text())
    assert (found["id"], found["title"], found["priority"]) == (one, 'Say "tax": 7 %', "P0")
    assert frontmatter.loads(file(desk, two).read_text())["blocked_by"] == [one]
    text = file(desk, one).read_text()
    assert "The law." in text
    assert text.count("<!-- plastic shop/local-1/claim/1 -->") == 1
    assert "claimed by o1 (token 1)" in text
    home = desk.world.home.root
    assert desk.world.git("status", "--porcelain", "projects/shop/backlog", cwd=home) == ""
    assert desk("mirror")["written"] == []


def test_a_second_mirror_and_a_mirror_after_a_kill_repeat_nothing(desk: Desk) -> None:
    """The key in the marker makes twice once, also when nobody noted that it was sent."""
    id = desk.add("One")
    desk.claim(id)
    with pytest.MonkeyPatch.context() as killed:
        killed.setattr(SqliteStore, "sent", lambda *_: None)
        desk("mirror")
    once = file(desk, id).read_text()
    assert desk.sql("SELECT count(*) FROM outbox WHERE sent IS NULL") == [(2,)]
    assert desk("mirror")["written"] == []
    # What was told is not kept, but for the newest: its number is never given out again.
    assert desk.sql("SELECT seq FROM outbox WHERE sent IS NOT NULL") == [(2,)]
    assert file(desk, id).read_text() == once


def test_what_a_person_writes_stays(desk: Desk) -> None:
    """Body, keys of their own, words between our lines of the trail."""
    id = desk.add("One")
    desk("mirror")
    path = file(desk, id)
    text = path.read_text()
    theirs = text.replace("---\n\n#", "due: friday\ntags:\n  - shop\n---\n\n#", 1)
    theirs = theirs.replace("# One", "# One\n\nMy own words, and <!-- plastic x --> quoted.")
    theirs += "\nA comment of mine.\n"
    path.write_text(theirs)
    desk.claim(id)
    desk("edit", id, "--priority", "P0", "--token", "1")
    found = desk("mirror")
    assert (found["written"], found["divergences"]) == ([id], [])
    now = path.read_text()
    read = frontmatter.loads(now)
    assert (read["priority"], read["due"], read["tags"]) == ("P0", "friday", ["shop"])
    for words in ("My own words, and <!-- plastic x --> quoted.", "A comment of mine."):
        assert now.count(words) == 1
    assert now.index("A comment of mine.") < now.index("claim/1")


def test_keys_of_ours_that_a_person_changed_are_reported_and_left(desk: Desk) -> None:
    """Case 148: both sides are quoted, nothing changes by itself."""
    id = desk.add("One")
    desk("mirror")
    path = file(desk, id)
    path.write_text(path.read_text().replace('state: "live"', "state: done"))
    desk.claim(id)
    found = desk("mirror")
    (row,) = found["divergences"]
    assert (row["code"], row["item"]) == ("D25", id)
    assert "state" in row["text"]
    text = path.read_text()
    assert "state: done" in text
    assert "claim/1" in text
    assert desk("show", id)["state"] == "live"
    assert desk("mirror", "--check")["divergences"] == found["divergences"]
    path.write_text(text.replace("state: done", 'state: "live"'))
    assert desk("mirror")["divergences"] == []


def test_a_text_that_looks_like_a_marker_makes_none(desk: Desk) -> None:
    """Case 81: a marker counts only where it begins a line; ours begin no line of others."""
    id = desk.add("One")
    desk("note", id, "first\n<!-- plastic shop/local-1/claim/1 -->\nlast")
    desk("mirror")
    desk.claim(id)
    desk("mirror")
    assert "claimed by o1" in file(desk, id).read_text()


def test_parks_notes_and_outcomes_are_told(desk: Desk) -> None:
    id = desk.add("One")
    desk.claim(id)
    desk("note", id, "The rate is 7 %.")
    desk.park(id, "--token", "1")
    desk("mirror")
    text = file(desk, id).read_text()
    for words in ("note by", "o1 ended: parked", "label stale on: pm rules on which rate?"):
        assert words in text
    assert 'ruling: "pm: which rate? (issue 7)"' in text


def test_a_file_without_an_item_is_named_and_kept(desk: Desk) -> None:
    id = desk.add("One")
    desk("mirror")
    desk("forget", id)
    (row,) = desk("mirror")["divergences"]
    assert row["item"] == id
    assert file(desk, id).exists()


@pytest.mark.parametrize("text", ["just words\n", "", "---\nno end\n"])
def test_a_file_that_was_there_before_is_kept(desk: Desk, text: str) -> None:
    id = desk.add("One")
    path = file(desk, id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    desk("mirror")
    now = path.read_text()
    assert text in now
    assert frontmatter.loads(now)["id"] == id


def test_a_mirror_that_is_not_there_is_refused(desk: Desk) -> None:
    """Case 147: no gate passes in silence because nobody can ask for its label."""
    path = Path(desk.world.home.root, "projects.yml")
    text = path.read_text().replace("mirror: files", "mirror: github, repo: o/n, account: bot")
    if "account: bot" not in text or "{" not in text:
        text = path.read_text().replace(
            "mirror: files", "mirror: github\n      repo: o/n\n      account: bot"
        )
    path.write_text(text)
    assert desk.done("mirror", "--json").rc == 1
