"""Items, edges and notes through the commands: what spec/backlog.md asks of an author."""

from __future__ import annotations

import pytest

from tests.backlog.desk import ROUTE, Desk


def test_an_item_from_a_shell_is_admitted_and_inherits_region_and_base(desk: Desk) -> None:
    """Case 1: every field set, no defect; it is considered."""
    one = desk("add", "Tax table", "--priority", "P0")
    assert (one["id"], one["priority"], one["phase"]) == ("local-1", "P0", "implementation")
    assert (one["region"], one["base"], one["admission"]) == ("local", "main", "admitted")
    assert one["defects"] == []
    assert desk.ready() == ["local-1"]
    journal = desk.world.plastic("log", "--json").json["events"]
    (row,) = [one for one in journal if one["event"] == "item-add"]
    assert (row["source"], row["item"]) == ("shell", "local-1")


@pytest.mark.parametrize("how", ["variable", "flag"])
def test_an_item_from_an_agent_is_gated(desk: Desk, how: str) -> None:
    """Cases 114, 143, 144: excluded until a person admits it, whatever the agent writes."""
    if how == "variable":
        one = desk("add", "Idea", session="s1")
    else:
        one = desk("add", "Idea", "--session", "s1")
    assert one["admission"] == "gated"
    assert desk.ready() == []
    assert desk("ready")["verdict"] == "all_gated"
    found = desk.refused("claim", one["id"], "--owner", "o1", rc=1)
    assert (found["granted"], found["reason"]) == (False, "not_admitted")
    assert desk.paste(found["error"]["run"]).rc == 0
    desk("edit", one["id"], "--body", "a full specification", session="s1")
    assert desk.ready() == []
    desk.as_person()
    assert desk("admit", one["id"])["admission"] == "admitted"
    assert desk.ready() == [one["id"]]
    assert not desk("admit", one["id"])["changed"]


def test_an_agent_cannot_admit_and_its_try_is_kept(desk: Desk) -> None:
    """Case 142: recorded violation, still gated."""
    id = desk("add", "Idea", session="s1")["id"]
    found = desk.refused("admit", id, session="s1", rc=1)
    assert found["error"]["code"] == "person"
    trail = desk("show", id)["trail"]
    assert [(row["what"], row["actor"]) for row in trail][-1] == ("violation", "s1")
    assert desk.ready() == []


def test_nothing_is_guessed_without_the_backlog_block(desk: Desk) -> None:
    path = f"{desk.world.home.root}/projects.yml"
    with open(path) as file:
        lines = [line for line in file if "base_branch" not in line]
    with open(path, "w") as file:
        file.writelines(lines)
    found = desk.refused("add", "Tax table", rc=1)
    assert "backlog.base_branch" in found["error"]["reason"]
    assert desk("list")["items"] == []


def test_inside_a_grouping_the_base_is_the_groupings(desk: Desk) -> None:
    """Cases 22 and 23: base main inside a grouping is D7; standalone it is legal."""
    epic = desk.add("Checkout", "--grouping", "--base", "feat/epic/checkout")
    assert desk.refused("add", "Cart", "--part-of", epic, rc=1)["error"]["code"] == (
        "integration-missing"
    )
    desk.add("Join", "--integrates", epic, "--phase", "integration")
    one = desk("add", "Cart", "--part-of", epic)
    assert one["base"] == "feat/epic/checkout"
    found = desk.refused("add", "Basket", "--part-of", epic, "--base", "main", rc=1)
    assert found["error"]["code"] == "base-main"
    desk("edit", one["id"], "--base", "main")
    reports = [row["code"] for row in desk("ready")["defects"] if row["item"] == one["id"]]
    assert reports == ["D7"]
    assert one["id"] not in desk.ready()
    free = desk.add("Alone", "--base", "main")
    assert free in desk.ready()


def test_two_resources_constrain_both(desk: Desk) -> None:
    """Cases 7 and 117: an item in flight keeps what shares a resource out."""
    box = desk.add("Box", "--resource", "box", "--resource", "slot")
    rival = desk.add("Slot", "--resource", "slot")
    other = desk.add("Other", "--resource", "desk")
    desk.claim(box)
    assert desk.ready() == [other]
    found = desk.refused("claim", rival, "--owner", "o2", rc=3)
    assert found["reason"] == "resource_busy"
    assert desk.paste(found["error"]["run"]).rc == 0


@pytest.mark.parametrize(
    ("argv", "rc", "code"),
    [
        (("add", " "), 2, "title-blank"),
        (("add", "T", "--priority", "P7"), 2, "value-unknown"),
        (("add", "T", "--phase", "complete"), 2, "value-unknown"),
        (("add", "T", "--id", "17"), 2, "id-invalid"),
        (("add", "T", "--blocked-by", "local-9"), 1, "blocker-refused"),
        (("add", "T", "--related", "local-9"), 1, "target-missing"),
        (("edit", "local-1"), 2, "nothing"),
        (("edit", "local-9", "--title", "x"), 6, "item-missing"),
        (("edit", "local-1", "--title", "x", "--if-revision", "7"), 1, "changed"),
        (("link", "local-1", "blockedBy", "local-1"), 1, "self-edge"),
        (("link", "local-1", "likes", "local-1"), 2, "relation"),
        (("unlink", "local-1", "blockedBy", "local-9"), 1, "edge-missing"),
        (("show", "local-9"), 6, "item-missing"),
        (("why", "local-9"), 6, "item-missing"),
        (("note", "local-1", " "), 2, "note-empty"),
        (("forget", "local-9"), 6, "item-missing"),
        (("list", "--state", "done"), 2, "state"),
        (("graph", "--format", "png"), 2, "format"),
    ],
)
def test_what_an_author_may_not(desk: Desk, argv: tuple[str, ...], rc: int, code: str) -> None:
    """Cases 9, 11, 12, 17, 19, 97, 104: refused with one command, nothing written."""
    desk.add("First")
    before = desk("list")
    found = desk.refused(*argv, rc=rc)
    assert found["error"]["code"] == code
    assert desk.paste(found["error"]["run"]).rc == 0
    assert desk("list") == before


def test_a_revision_makes_a_concurrent_author_visible(desk: Desk) -> None:
    id = desk.add("First")
    revision = desk("show", id)["revision"]
    desk("edit", id, "--title", "Second", "--if-revision", str(revision))
    found = desk.refused("edit", id, "--title", "Third", "--if-revision", str(revision), rc=1)
    assert found["revision"] == revision + 1
    assert desk("show", id)["title"] == "Second"


def test_edges_are_all_or_nothing(desk: Desk) -> None:
    """Cases 96, 97, 103: a live target is allowed; one bad of several writes nothing."""
    one, two, three = (desk.add(name) for name in ("One", "Two", "Three"))
    assert desk("link", three, "blockedBy", one)["blocked_by"] == [one]
    found = desk.refused("link", three, "blockedBy", two, "local-9", rc=1)
    assert found["blockers"] == {"local-9": "missing"}
    assert desk("show", three)["blocked_by"] == [one]
    assert desk("unlink", three, "blockedBy", one)["ready"] == [three]


def test_a_cycle_is_refused_with_its_path(desk: Desk) -> None:
    """Cases 104 and 105."""
    one = desk.add("One")
    two = desk.add("Two", "--blocked-by", one)
    three = desk.add("Three", "--blocked-by", two)
    found = desk.refused("link", one, "blockedBy", three, rc=1)
    assert found["error"]["code"] == "cycle"
    assert all(id in found["error"]["reason"] for id in (one, two, three))


def test_a_parked_blocker_stalls_and_takes_no_new_edge(desk: Desk) -> None:
    """Cases 99, 102, 109: stalled with the route, listed even when others are ready."""
    law = desk.add("Law")
    code = desk.add("Code", "--blocked-by", law)
    free = desk.add("Free")
    desk.park(law)
    look = desk("ready")
    assert [one["id"] for one in look["ready"]] == [free]
    (row,) = look["stalled"]
    assert (row["item"], row["on"]) == (code, [law])
    assert "pm rules on which rate? at issue 7" in row["text"]
    chain = desk("why", code)["why"]
    assert [one["code"] for one in chain] == ["stalled", "parked"]
    found = desk.refused("link", free, "blockedBy", law, rc=1)
    assert found["blockers"] == {law: "parked"}


def test_forget_refuses_what_is_needed(desk: Desk) -> None:
    """Cases 59, 98: dependents become invalid only by force; tokens are never reused."""
    one = desk.add("One")
    two = desk.add("Two", "--blocked-by", one)
    token = desk.claim(one)["fencing_token"]
    desk("release", one, "--token", str(token))
    found = desk.refused("forget", one, rc=1)
    assert found["dependents"] == [two]
    assert desk.paste(found["error"]["run"]).rc == 0
    assert [row["code"] for row in desk("ready")["defects"]] == ["D8"]
    assert desk("ready")["verdict"] == "all_invalid"
    assert desk("add", "One again", "--id", one)["id"] == one
    assert desk.claim(one)["fencing_token"] > token


def test_notes_are_the_findings_of_research(desk: Desk) -> None:
    """Case 139: research with findings only in its own body is refused."""
    id = desk.add("Study", "--phase", "research", "--body", "all is well")
    token = str(desk.claim(id)["fencing_token"])
    assert desk.refused("complete", id, "--token", token, rc=1)["error"]["code"] == "no-findings"
    desk("note", id, "The rate is 7 %.")
    assert desk("complete", id, "--token", token)["state"] == "complete"
    assert "The rate is 7 %." in desk.text("show", id)


def test_a_park_names_its_whole_way_out(desk: Desk) -> None:
    """Cases 88, 89: each missing part is named, nothing is written."""
    id = desk.add("Law")
    for gone in ("owner", "topic", "question", "where", "reason"):
        words = list(ROUTE)
        at = words.index(f"--{gone}")
        del words[at : at + 2]
        found = desk.refused("park", id, *words, rc=1)
        assert found["missing"] == [gone]
    assert desk("show", id)["state"] == "live"
    assert desk.refused("park", id, *ROUTE[2:], "--owner", "a,b", rc=1)["missing"] == ["owner"]
    assert desk.park(id)["state"] == "parked"
    assert not desk.park(id)["changed"]


def test_only_a_person_unparks(desk: Desk) -> None:
    """Cases 94: an agent's try is refused and kept; after a person's, dependents wait."""
    law = desk.add("Law")
    code = desk.add("Code", "--blocked-by", law)
    desk.park(law)
    assert desk.refused("unpark", law, session="s1", rc=1)["error"]["code"] == "person"
    assert desk("show", law)["state"] == "parked"
    back = desk.as_person()
    assert desk("unpark", law)["state"] == "live"
    back()
    assert [one["code"] for one in desk("why", code)["why"]] == ["waiting", "ready"]


def test_anchors_know_the_blob_and_say_when_it_moved(desk: Desk) -> None:
    """D12: moved and gone are told apart."""
    id = desk("add", "Tax", "--anchor", "app.py", "--anchor", "later.py")["id"]
    blob = desk.world.git("rev-parse", "main:app.py")
    assert desk("show", id)["anchors"] == [
        {"path": "app.py", "blob": blob},
        {"path": "later.py", "blob": None},
    ]
    later = {"path": "later.py", "how": "gone"}
    assert desk("show", id)["stale_anchors"] == [later]
    desk.commit("later.py")
    desk("edit", id, "--anchor", "app.py", "--anchor", "later.py")
    assert desk("show", id)["stale_anchors"] == []
    desk.commit("app.py")
    assert desk("show", id)["stale_anchors"] == [{"path": "app.py", "how": "moved"}]
    assert desk.claim(id)["stale_anchors"] == [{"path": "app.py", "how": "moved"}]
    desk.world.git("rm", "-q", "app.py")
    desk.world.git("commit", "-q", "-m", "gone")
    assert desk("show", id)["stale_anchors"] == [{"path": "app.py", "how": "gone"}]
    assert "anchor app.py gone" in desk.text("show", id)


def test_cases_133_134_136_the_branch_of_a_member(desk: Desk) -> None:
    """A claim says where to work; `show` says what is wrong with where it was worked."""
    git = desk.world.git
    git("branch", "feat/epic/tax")
    epic = desk.add("Tax", "--grouping", "--base", "feat/epic/tax")
    desk.add("Join", "--integrates", epic, "--phase", "integration")
    item = desk.add("Compute", "--part-of", epic)
    taken = desk.claim(item)
    assert taken["branch"] == f"feat/epic/tax-{item}"
    git("branch", taken["branch"], "feat/epic/tax")
    git("branch", "ada/tax", "feat/epic/tax")
    git("commit", "-q", "--allow-empty", "-m", "the grouping goes on")
    git("branch", "-f", "feat/epic/tax", "main")
    for where, verdict, text in (
        (taken["branch"], "defect", "does not descend from feat/epic/tax"),
        ("main", "nit", "is not named feat/epic/tax-ITEM"),
        ("ada/tax", "defect", "does not descend from feat/epic/tax"),
    ):
        desk("edit", item, "--location", where, "--token", "1")
        assert desk("show", item)["branch"] == {"verdict": verdict, "text": f"{where} {text}"}
        assert f"branch     {verdict}: {where}" in desk.text("show", item)
    desk("edit", item, "--location", "nowhere", "--token", "1")
    assert desk("show", item)["branch"] is None
    for nested in ("feat/epic/tax/part", "feat"):
        error = desk.refused("add", "Part", "--grouping", "--base", nested, rc=1)["error"]
        assert error["code"] == "branch-nested"
    assert desk.claim(desk.add("Alone"))["branch"] is None
