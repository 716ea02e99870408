"""What looks: list, why, graph, audit, and the text that people read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from plastic.cli.backlog.plain import plain
from tests.backlog.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_an_empty_backlog_is_drained(desk: Desk) -> None:
    """Case 122: exit 0, one line."""
    look = desk("ready")
    assert (look["ready"], look["pending"], look["verdict"]) == ([], 0, "drained")
    assert desk.text("ready").splitlines() == ["0 pending: nothing is pending: the end, exit 0"]
    assert "plastic backlog add TITLE" in desk.text("list")


def test_nothing_ready_while_all_is_held_is_no_alarm(desk: Desk) -> None:
    """Case 123."""
    for name in ("One", "Two", "Three"):
        desk.claim(desk.add(name))
    look = desk("ready")
    assert (look["pending"], look["verdict"]) == (3, "all_in_flight")


def test_the_order_is_priority_then_age_then_number(desk: Desk) -> None:
    """Case 116."""
    for n in (100, 99):
        desk.add(f"Issue {n}", "--id", f"issue-{n}")
    desk.sql("UPDATE items SET created = 1")
    desk.add("First", "--priority", "P0")
    assert desk.ready() == ["local-1", "issue-99", "issue-100"]


def test_a_grouping_is_never_offered_and_closes_with_its_integration(desk: Desk) -> None:
    """Cases 111, 112, 126, 127, 129, 132."""
    epic = desk.add("Checkout", "--grouping", "--base", "feat/epic/checkout")
    join = desk.add("Join", "--integrates", epic, "--phase", "integration")
    assert desk.refused("add", "Again", "--integrates", epic, "--phase", "integration", rc=1)
    cart = desk.add("Cart", "--part-of", epic)
    after = desk.add("After", "--blocked-by", epic)
    assert desk("show", join)["blocked_by"] == [cart]
    assert desk.ready() == [cart]
    token = str(desk.claim(cart)["fencing_token"])
    found = desk.refused("claim", join, "--owner", "o2", rc=3)
    assert found["reason"] == "siblings_active"
    desk.world.git("branch", "feat/epic/checkout")
    desk("complete", cart, "--token", token, "--evidence", "HEAD")
    assert desk("complete", epic, "--token", "1", rc=1)["error"]["code"] == "grouping-open"
    assert desk.ready() == [join]
    token = str(desk.claim(join)["fencing_token"])
    argv = ("complete", join, "--token", token, "--evidence", "HEAD")
    assert desk.refused(*argv, rc=1)["error"]["code"] == "not-checked"
    assert desk(*argv, "--checked")["ready"] == [after]
    assert desk.ready() == [after]


def test_the_list_says_of_each_item_what_why_says(desk: Desk) -> None:
    law = desk.add("Law")
    code = desk.add("Code", "--blocked-by", law)
    done = desk.add("Done")
    desk.finish(done)
    desk.park(law)
    rows = {one["id"]: one for one in desk("list")["items"]}
    assert {id: one["cause"] for id, one in rows.items()} == {
        law: "parked",
        code: "stalled",
        done: "complete",
    }
    for id, one in rows.items():
        assert desk("why", id)["why"][0]["code"] == one["cause"]
    text = desk.text("list")
    assert done not in text
    assert done in desk.text("list", "--all")
    assert [one["id"] for one in desk("list", "--state", "parked")["items"]] == [law]
    assert desk("list", "--priority", "P0")["items"] == []


def test_the_graph_marks_what_is_stalled(desk: Desk) -> None:
    law = desk.add('Law "7"')
    desk.add(f"Code <b> #35; {'x' * 100_000}", "--blocked-by", law)
    desk.park(law)
    found = desk("graph")
    assert found["stalled"] == ["local-2"]
    assert found["edges"] == [{"blocker": law, "waits": "local-2", "cycle": False}]
    text = desk.text("graph")
    assert text.splitlines()[0] == "flowchart TD"
    assert 'n0["local-1 (parked) Law #quot;7#quot;"]:::parked' in text
    assert "Code #lt;b#gt; #35;35; xxx" in text
    dot = desk.text("graph", "--format", "dot")
    assert max(map(len, [*text.splitlines(), *dot.splitlines()])) < 200, "what Mermaid still draws"
    assert '"local-1" -> "local-2";' in dot
    assert dot.count("{") == dot.count("}")


def test_an_audit_counts_values_and_finds_what_was_changed_past_us(desk: Desk) -> None:
    """Case 12's audit: distinct values are listed; counters are recomputed."""
    one = desk.add("One")
    desk.add("Two", "--blocked-by", one, "--body", "Status: done")
    found = desk("audit")
    assert found["sound"]
    assert found["values"]["state"] == {"live": 2}
    assert [(row["code"], row["item"]) for row in found["guesses"]] == [("D16", "local-2")]
    desk.sql("UPDATE items SET waiting = 0")
    broken = desk.done("audit")
    assert broken.rc == 1
    assert "NOT sound" in broken.out


def test_every_verb_has_its_help(desk: Desk) -> None:
    from plastic.cli.backlog.group import VERBS

    listed = desk.text("--help")
    for verb in VERBS:
        assert f" {verb} " in listed
        assert "Usage: plastic backlog" in desk.text(verb, "--help")


def test_another_directory_needs_the_project(desk: Desk) -> None:
    desk.add("One")
    there = str(desk.world.root)
    found = desk.world.plastic("backlog", "list", "--json", cwd=there)
    assert found.rc == 2
    found = desk.world.plastic("backlog", "list", "--json", "--project", "shop", cwd=there)
    assert [one["id"] for one in found.json["items"]] == ["local-1"]
    argv = ("backlog", "claim", "local-9", "--owner", "o", "--project", "shop", "--json")
    refused = desk.world.plastic(*argv, cwd=there)
    assert refused.json["error"]["run"] == "plastic backlog list --project shop"
    old = ("backlog", "edit", "local-1", "--title", "x", "--if-revision", "9", "--project", "shop")
    refused = desk.world.plastic(*old, "--json", cwd=there)
    assert refused.json["error"]["run"] == "plastic backlog show local-1 --project shop"


@pytest.fixture
def tokyo() -> Iterator[None]:
    """A machine in another zone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_what_people_read_is_one_line_an_item_and_their_own_time(desk: Desk) -> None:
    """Hostile titles, 6.1: local time and UTC; who gave an item back holds nothing."""
    id = desk.add("evil\x1b[31m title\nsecond \x07 line\u2028third")
    for argv in (("claim", id, "--owner", "o1"), ("status", id), ("renew", id, "--token", "1")):
        assert "JST (" in desk.text(*argv)
    lines = desk.text("list").splitlines()
    assert len(lines) == 2
    assert "evil\\x1b[31m title second \\x07 line third" in lines[1]
    desk("release", id, "--token", "1")
    assert "given back by o1" in desk.text("show", id)
    assert "lease  " not in desk.text("status", id)
    assert desk.refused("renew", id, "--token", "7", rc=1)["error"]["who"] is None
    again = desk.refused("edit", id, "--token", "1", "--note", "x", rc=1)
    assert (again["error"]["code"], again["error"]["who"]) == ("claim-released", None)


PLAIN = [["ready"], ["ready", "--json"], ["ready", "--project", "shop", "--session", "s", "--json"]]
OTHERS = [
    [],
    ["why", "local-1"],
    ["ready", "--help"],
    ["ready", "--most", "3"],
    ["ready", "local-1"],
    ["ready", "--project"],
    ["ready", "--project", "--json"],
    ["ready", "--project=shop"],
]


@pytest.mark.parametrize("words", PLAIN + OTHERS, ids=" ".join)
def test_the_plain_form_of_ready_skips_the_parser(words: list[str]) -> None:
    assert (plain(words) is not None) == (words in PLAIN)


def test_the_plain_form_prints_what_the_parser_prints(desk: Desk) -> None:
    """Law: one verb, one output, also where it is refused."""
    desk.add("One")
    desk.park(desk.add("Two"))
    assert desk("ready") == desk("ready", "--most", "20")
    assert desk.text("ready") == desk.text("ready", "--rows", "50")
    assert desk.refused("ready", "--project", "no", rc=6) == desk.refused(
        "ready", "--project=no", rc=6
    )
