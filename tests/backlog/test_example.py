"""The protocol's worked example end to end: two items of one epic, one waiting for the other."""

from __future__ import annotations

import json

import pytest

from tests.backlog.desk import Desk

BASE = "feat/epic/batches"
KEY = "repo/shop/mem/backlog/issue-"
TAGS = [
    "backlog",
    "priority:P1",
    "phase:implementation",
    "homeRegion:local",
    f"baseBranch:{BASE}",
]
EPIC, SEAM, POLL, JOIN = "issue-2099", "issue-2100", "issue-2101", "issue-2102"


@pytest.fixture
def epic(desk: Desk) -> Desk:
    """The epic, its integration item, the seam, and what is built on the seam."""
    desk.world.git("branch", BASE)
    anchors = ["repo/shop/file/app.py"]
    part = {"partOf": [f"{KEY}2099"], "anchoredTo": anchors}
    rows = [
        {"key": f"{KEY}2099", "title": "Batches", "tags": TAGS},
        {"key": f"{KEY}2100", "title": "Seam", "tags": TAGS, "links": part},
        {
            "key": f"{KEY}2101",
            "title": "Poll in batches",
            "tags": TAGS,
            "links": {**part, "blockedBy": [f"{KEY}2100"]},
        },
        {
            "key": f"{KEY}2102",
            "title": "Join",
            "tags": [tag.replace("implementation", "integration") for tag in TAGS],
            "links": {"integrates": [f"{KEY}2099"], "blockedBy": [f"{KEY}2100", f"{KEY}2101"]},
        },
    ]
    path = desk.world.root / "example.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    assert desk("import", str(path))["defects"] == []
    return desk


def test_the_dependent_follows_its_blocker_and_the_epic_its_join(epic: Desk) -> None:
    desk = epic
    assert desk.ready() == [SEAM]
    assert [(one["item"], one["code"]) for one in desk("why", JOIN)["why"]] == [
        (JOIN, "waiting"),
        (SEAM, "ready"),
    ]
    assert desk.finish(SEAM)["ready"] == [POLL]
    assert desk("show", SEAM)["dependents"] == [POLL, JOIN]
    assert desk.finish(POLL)["ready"] == [JOIN]
    codes = {(one["code"], one["item"]) for one in desk("ready", "--rows", "9")["defects"]}
    assert ("D20", EPIC) in codes or desk("ready")["counts"].get("D20") == 1
    assert desk("why", EPIC)["why"][0]["code"] == "grouping"
    token = str(desk.claim(JOIN)["fencing_token"])
    desk("complete", JOIN, "--token", token, "--evidence", "HEAD", "--checked")
    assert desk("ready")["verdict"] == "drained"
    assert desk("audit")["sound"]


def test_a_blocker_that_is_forgotten_is_a_defect_and_satisfies_nobody(epic: Desk) -> None:
    desk = epic
    desk("forget", SEAM, "--force")
    assert POLL not in desk.ready()
    rows = [one for one in desk("ready")["defects"] if one["item"] == POLL]
    assert [(one["code"], one["on"]) for one in rows] == [("D8", [SEAM])]


def test_an_edit_of_the_anchored_file_makes_both_stale(epic: Desk) -> None:
    desk = epic
    assert desk("show", SEAM)["stale_anchors"] == []
    desk.world.git("checkout", "-q", BASE)
    (desk.world.repo / "app.py").write_text("TAX = 0.07\n")
    desk.world.git("commit", "-qam", "tax")
    for id in (SEAM, POLL):
        assert desk("show", id)["stale_anchors"] == [{"path": "app.py", "how": "moved"}]
