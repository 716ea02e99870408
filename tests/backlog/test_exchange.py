"""Import and export: other trackers' files, the tag form with all its defects, and round trips."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.backlog.desk import Desk

if TYPE_CHECKING:
    from pathlib import Path

GOOD = ["backlog", "priority:P1", "phase:implementation", "homeRegion:local", "baseBranch:main"]


def put(desk: Desk, rows: list[dict[str, Any]], name: str = "in.jsonl") -> str:
    path: Path = desk.world.root / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def tags(*change: str, without: str = "") -> list[str]:
    kept = [tag for tag in GOOD if not (without and tag.startswith(without))]
    return [*kept, *change]


# case -> (tags, links, codes of the item's own reports, is it offered)
TAG_CASES: dict[str, tuple[list[str], dict[str, list[str]], list[str], bool]] = {
    "1": (tags(), {}, [], True),
    "2": (tags(without="homeRegion"), {}, ["D1"], False),
    "3": (tags(without="priority"), {}, ["D1"], False),
    "4": (tags(without="baseBranch"), {}, ["D1"], False),
    "6": (tags("priority:P0"), {}, ["D2"], False),
    "7": (tags("resource:box", "resource:slot"), {}, [], True),
    "8": (tags("priority:P1"), {}, [], True),
    "9": (tags("priority:P7", without="priority"), {}, ["D3"], False),
    "11": (tags("phase:review"), {}, ["D2", "D4"], False),
    "12": (tags("state:done"), {}, ["D5"], False),
    "13 case": (tags("state:Complete"), {}, ["D5"], False),
    "13 empty": (tags("state:"), {}, ["D5"], False),
    "14": (tags("state:complete", "state:parked"), {}, ["D6"], False),
    "16": (tags(), {}, [], True),
    "21": (tags("needs-box-exclusive"), {}, [], True),
    "23": (tags(), {}, [], True),
    "93": (tags("state:parked"), {}, ["D11"], False),
    "98": (tags(), {"blockedBy": ["repo/x/mem/backlog/issue-404"]}, ["D8"], False),
}


@pytest.mark.parametrize("case", TAG_CASES)
def test_the_tag_form_keeps_what_it_is_given_and_reports(desk: Desk, case: str) -> None:
    """Spec 8, cases 1 to 23, 93, 98: nothing is filled in, nothing is picked."""
    given, links, codes, offered = TAG_CASES[case]
    row = {"key": "repo/x/mem/backlog/issue-7", "title": "T", "tags": given, "links": links}
    found = desk("import", put(desk, [row]))
    assert (found["form"], found["imported"]) == ("tags", ["issue-7"])
    assert sorted(one["code"] for one in found["defects"]) == codes
    assert desk.ready() == (["issue-7"] if offered else [])
    assert desk("show", "issue-7")["tags"] == list(dict.fromkeys(given))
    assert desk("audit")["sound"]


def test_an_expiry_on_an_item_is_a_defect(desk: Desk) -> None:
    """Case 18."""
    row = {"id": "issue-7", "title": "T", "tags": GOOD, "ttlSeconds": 60}
    assert [one["code"] for one in desk("import", put(desk, [row]))["defects"]] == ["D27"]


@pytest.mark.parametrize(
    ("token", "markers", "attempts", "codes"),
    [
        (None, 0, 0, []),
        (4, 0, None, ["D13"]),
        (3, 3, 3, []),
        (5, 2, 2, []),
        (None, 2, None, ["D13"]),
    ],
)
def test_tokens_and_markers_are_compared(
    desk: Desk, token: int | None, markers: int, attempts: int | None, codes: list[str]
) -> None:
    """Cases 76 to 80; a token that was given out there is never given out again."""
    row = {"id": "issue-7", "title": "T", "tags": GOOD, "fencingToken": token, "markers": markers}
    found = desk("import", put(desk, [row]))
    assert [one["code"] for one in found["defects"]] == codes
    one = desk("show", "issue-7")
    assert one["attempts"] == attempts
    assert one["claim"]["fencing_token"] == token
    assert not one["claim"]["held"]


def test_an_imported_cycle_is_reported_with_its_path(desk: Desk) -> None:
    """Cases 106 and 124."""
    rows = [
        {"id": f"issue-{n}", "title": "T", "tags": GOOD, "links": {"blockedBy": [f"issue-{m}"]}}
        for n, m in ((1, 2), (2, 1))
    ]
    desk("import", put(desk, rows))
    look = desk("ready")
    assert (look["ready"], look["verdict"]) == ([], "cycle")
    assert "issue-1 -> issue-2 -> issue-1" in desk.text("why", "issue-1")
    drawn = desk("graph")
    assert drawn["cycles"]
    assert "==>" in drawn["text"]
    assert "cycle" in desk.text("graph", "--format", "dot")
    assert desk("unlink", "issue-1", "blockedBy", "issue-2")["ready"] == ["issue-1"]
    assert desk("graph")["cycles"] == []


def test_beads_issues(desk: Desk) -> None:
    rows = [
        {"id": "bd-1", "title": "Epic", "status": "open", "priority": 1, "issue_type": "epic"},
        {
            "id": "bd-a3f",
            "title": "Bug",
            "description": "It breaks.",
            "status": "in_progress",
            "priority": 0,
            "issue_type": "bug",
            "created_at": "2026-03-01T10:00:00.5Z",
            "labels": ["ui"],
            "dependencies": [
                {"issue_id": "bd-a3f", "depends_on_id": "bd-2", "type": "blocks"},
                {"issue_id": "bd-a3f", "depends_on_id": "bd-1", "type": "parent-child"},
            ],
        },
        {"id": "bd-2", "title": "Done", "status": "closed", "priority": 4, "issue_type": "task"},
        {"id": "bd-3", "title": "Late", "status": "deferred", "priority": 9, "issue_type": "task"},
        {"id": "bd-4", "title": "Gone", "status": "tombstone", "priority": 2},
        {"id": "../../x", "title": "Odd", "status": "open", "priority": 2},
    ]
    found = desk("import", put(desk, rows))
    assert found["form"] == "beads"
    assert [one["id"] for one in found["skipped"]] == ["bd-4", "../../x"]
    bug = desk("show", "bd-a3f")
    assert (bug["priority"], bug["part_of"], bug["blocked_by"]) == ("P0", "bd-1", ["bd-2"])
    assert (bug["created_at"], bug["tags"], bug["body"]) == (
        "2026-03-01T10:00:00Z",
        ["ui"],
        "It breaks.",
    )
    assert desk("show", "bd-2")["state"] == "complete"
    codes = {(one["item"], one["code"]) for one in found["defects"]}
    assert {("bd-3", "D3"), ("bd-3", "D5"), ("bd-1", "D21")} <= codes


def test_github_issues(desk: Desk) -> None:
    """As `gh` prints them, and as the API does; a second import changes nothing."""
    rows: list[dict[str, Any]] = [
        {
            "number": 12,
            "title": "Cart",
            "body": "Text\n\n- Blocked by #7, #9\n",
            "state": "OPEN",
            "labels": [{"name": "priority:P1"}],
            "createdAt": "2026-02-01T00:00:00Z",
        },
        {"number": 7, "title": "Tax", "state": "CLOSED", "stateReason": "COMPLETED", "labels": []},
        {"number": 9, "title": "No", "state": "closed", "state_reason": "not_planned"},
        {"number": 3, "title": "Idea", "state": "open", "labels": ["needs-specification"]},
        {"number": 4, "title": "A pull", "state": "open", "pull_request": {"url": "x"}},
    ]
    path = desk.world.root / "issues.json"
    path.write_text(json.dumps(rows))
    found = desk("import", str(path))
    assert found["form"] == "github"
    assert found["imported"] == ["issue-12", "issue-7", "issue-9", "issue-3"]
    assert found["skipped"] == [{"id": "issue-4", "why": "a pull request"}]
    cart = desk("show", "issue-12")
    assert (cart["priority"], cart["blocked_by"]) == ("P1", ["issue-7", "issue-9"])
    assert desk("why", "issue-12")["why"][0]["code"] == "invalid"
    assert desk("show", "issue-3")["admission"] == "gated"
    before = desk("list")
    desk("edit", "issue-12", "--title", "Basket")
    again = desk("import", str(path))
    assert again["imported"] == []
    assert len(again["skipped"]) == 5
    assert desk("show", "issue-12")["title"] == "Basket"
    assert len(desk("list")["items"]) == len(before["items"])


def test_what_github_says_otherwise_is_quoted_and_changes_nothing(desk: Desk) -> None:
    """D24, D25, D26; cases 91 and 148: a label without the park leaves the item claimable."""
    rows: list[dict[str, Any]] = [
        {"number": n, "title": "T", "state": "open", "labels": []} for n in (1, 2, 3, 4)
    ]
    path = desk.world.root / "issues.json"
    path.write_text(json.dumps(rows))
    assert desk("import", str(path))["divergences"] == []
    desk.park("issue-2")
    desk.finish("issue-4")
    rows[0]["labels"] = [{"name": "stale"}]
    rows[2]["state"] = "closed"
    rows += [
        {"number": n, "title": title, "state": "open", "pull_request": {"url": "x"}}
        for n, title in ((5, "Fixes #1"), (6, "Something else"))
    ]
    path.write_text(json.dumps(rows))
    before = desk("list")
    found = desk("import", str(path))
    assert [(one["code"], one["item"]) for one in found["divergences"]] == [
        ("D24", "issue-1"),
        ("D24", "issue-2"),
        ("D25", "issue-3"),
        ("D25", "issue-4"),
        ("D26", ""),
    ]
    assert "D26  -: pull request 6 has no item" in desk.text("import", str(path))
    assert desk("list") == before
    assert desk.ready() == ["issue-1", "issue-3"]


def test_backlog_md_tasks(desk: Desk) -> None:
    folder = desk.world.root / "other" / "backlog" / "tasks"
    folder.mkdir(parents=True)
    (folder / "task-1 - First.md").write_text(
        "---\nid: TASK-1\ntitle: First\nstatus: Done\ncreated_date: '2026-01-02'\n"
        "labels: [a]\ndependencies: []\npriority: high\n---\n\n## Description\n\nText\n"
    )
    (folder / "task-2 - Second.md").write_text(
        "---\nid: task-2\ntitle: Second\nstatus: To Do\ndependencies:\n  - TASK-1\n---\nBody\n"
    )
    (folder / "readme.md").write_text("no task\n")
    found = desk("import", str(desk.world.root / "other"))
    assert (found["form"], sorted(found["imported"])) == ("backlog-md", ["task-1", "task-2"])
    assert [one["id"] for one in found["skipped"]] == ["readme.md"]
    assert desk("show", "task-1")["priority"] == "P1"
    assert desk.ready() == ["task-2"]


def test_an_export_is_imported_as_it_was(desk: Desk) -> None:
    one = desk.add("One", "--anchor", "app.py", "--resource", "box", "--body", "text")
    two = desk.add("Two", "--blocked-by", one, "--priority", "P0")
    law = desk.add("Law")
    desk.park(law)
    desk.finish(one)
    before = desk("export")
    path = desk.world.root / "out.json"
    path.write_text(json.dumps(before))
    for id in (two, one, law):
        desk.sql("UPDATE items SET project = 'other' WHERE id = ?", id)
    assert desk("list")["items"] == []
    assert desk("import", str(path))["form"] == "plastic"
    after = desk("export")
    for was, is_ in zip(before["items"], after["items"], strict=True):
        for item in (was, is_):
            for name in ("revision", "grip"):
                item.pop(name)
        assert is_ == was
    assert desk.ready() == [two]
    lines = desk.text("export", "--format", "tags").splitlines()
    row = json.loads(lines[1])
    assert row["links"] == {"blockedBy": [one]}
    assert "priority:P0" in row["tags"]


@pytest.mark.parametrize(
    ("text", "argv", "rc"),
    [
        ("{", (), 1),
        ('["x"]', (), 1),
        ('[{"name": 1}]', (), 1),
        ('[{"grip": {}, "blocked_by": [], "id": "a-1", "anchors": 3}]', (), 1),
        ("[]", ("--from", "jira"), 2),
    ],
)
def test_what_cannot_be_read_changes_nothing(
    desk: Desk, text: str, argv: tuple[str, ...], rc: int
) -> None:
    path = desk.world.root / "in.json"
    path.write_text(text)
    found = desk.refused("import", str(path), *argv, rc=rc)
    assert desk.paste(found["error"]["run"]).rc == 0
    assert desk("list")["items"] == []
    assert desk.refused("import", "/nowhere.json", rc=6)
    assert desk.refused("export", "--format", "png", rc=2)
