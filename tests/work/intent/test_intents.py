"""Finding intents by whatever people type, and the one object that describes them (design 6.1)."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import held
from plastic.disk.session import Caller, derived
from plastic.rules.intent.artifacts import PLACEHOLDER
from plastic.rules.intent.templates import intent_file
from plastic.words import Intent, Missing, Refusal, Usage
from plastic.work.gate.facts import facts_of, title_of
from plastic.work.intent.intents import describe, facts, find, titled
from plastic.work.intent.shelf import all_intents, order_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

NAMES = {
    None: ["1--research"],
    "shop": ["2--tax-rate", "12--tax-table", "12a--tax-child", "120--other"],
    "web": ["3--tax-page"],
}
KEYS = (
    "id slug title dir project section stage lock lock_state heartbeat_at worktree".split()  # noqa: SIM905 - as the law lists them
)


def add(world: World, project: str | None, name: str) -> Intent:
    id, _, slug = name.partition("--")
    intent = Intent(id, slug, f"{world.home.store(project)}/{name}", project)
    os.makedirs(f"{intent.dir}/actions")
    with open(intent.file, "w") as file:
        file.write(intent_file(id=id, title=f"Title of {id}", created="2026", author="A"))
    return intent


@pytest.fixture
def stocked(world: World) -> World:
    for project, names in NAMES.items():
        for name in names:
            add(world, project, name)
    return world


def hold(world: World, intent: Intent, owner: str, **more: Any) -> None:
    lock = {"type": "delivery", "owner_session": owner, "token": 1, "acq": "a", **more}
    with open(f"{intent.dir}/delivery.lock", "w") as file:
        json.dump(lock, file)
    held.add(world.home, intent)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("12", "12--tax-table"),  # an exact id wins over the prefixes 12a and 120
        ("12a", "12a--tax-child"),
        ("12--tax-table", "12--tax-table"),
        ("12--", "12--tax-table"),
        ("120--o", "120--other"),
        (" 2 ", "2--tax-rate"),
        ("shop:12", "12--tax-table"),
        ("shop:120", "120--other"),
        ("shop:2--t", "2--tax-rate"),
        ("global:1", "1--research"),
        ("web:3", "3--tax-page"),
    ],
)
def test_find(stocked: World, text: str, name: str) -> None:
    assert find(stocked.home, text).name == name


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("99", Missing, "no intent '99'"),
        ("tax", Missing, "no intent"),
        ("web:12", Missing, "no intent"),
        ("nowhere:1", Missing, "no intent"),
        ("shop:", Missing, "no intent"),
        ("shop:1", Usage, "shop:12--tax-table, shop:12a--tax-child, shop:120--other"),
        ("/etc/passwd", Missing, "lies in no intent"),
        ("./x", Missing, "lies in no intent"),
        ("\x00/..", Missing, "no intent"),
    ],
)
def test_find_refuses(stocked: World, text: str, error: type[Refusal], words: str) -> None:
    with pytest.raises(error) as refused:
        find(stocked.home, text)
    assert words in refused.value.reason
    assert refused.value.run == "plastic list"


def test_find_by_path(stocked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = f"{stocked.home.store('shop')}/12--tax-table"
    (stocked.root / "link").symlink_to(folder)
    for text in (
        folder,
        f"{folder}/",
        f"{folder}/actions/not-there/x.md",
        f"{stocked.root}/link/.",
    ):
        assert find(stocked.home, text).id == "12"
    monkeypatch.chdir(f"{folder}/actions")
    for text in (".", "..", "../spec.md"):
        assert find(stocked.home, text).id == "12"
    tree = stocked.root / "shop/.claude/worktrees/2--tax-rate/src"
    tree.mkdir(parents=True)
    monkeypatch.chdir(tree)
    assert find(stocked.home, ".").id == "2"
    with pytest.raises(Missing):
        find(stocked.home, f"{stocked.home.store('shop')}/77--gone")


def test_one_id_in_two_stores_is_ambiguous(stocked: World) -> None:
    add(stocked, "web", "12--same-id")
    with pytest.raises(Usage) as refused:
        find(stocked.home, "12")
    assert "shop:12--tax-table, web:12--same-id" in refused.value.reason
    assert find(stocked.home, "web:12").slug == "same-id"


def test_without_a_name_the_one_that_is_held(stocked: World) -> None:
    me = Caller("me", "flag")
    with pytest.raises(Usage):
        find(stocked.home, None, me)
    one = find(stocked.home, "12")
    hold(stocked, one, "me")
    hold(stocked, find(stocked.home, "3"), "another")
    assert find(stocked.home, None, me).id == "12"
    assert find(stocked.home, "  ", me).id == "12"
    hold(stocked, find(stocked.home, "2"), "me")
    with pytest.raises(Usage) as refused:
        find(stocked.home, None, me)
    assert "12--tax-table" in refused.value.reason
    with pytest.raises(Usage):
        find(stocked.home, None, Caller("nobody", "flag"))


def test_without_a_session_the_derived_key_holds(stocked: World) -> None:
    one = find(stocked.home, "12")
    hold(stocked, one, derived(stocked.home.root, "12").session)
    assert find(stocked.home, None, Caller("", "none")).id == "12"
    with pytest.raises(Usage):
        find(stocked.home, None, Caller("me", "flag"))


def test_odd_entries_of_a_store_are_no_intents(stocked: World) -> None:
    store = stocked.home.store("shop")
    os.makedirs(f"{store}/notes")
    os.makedirs(f"{store}/13--half-born")
    os.makedirs(f"{store}/13--UPPER")
    with open(f"{store}/14--a-file", "w"):
        pass
    listed = [one.id for one in all_intents(stocked.home)]
    assert listed == ["1", "2", "12", "12a", "120", "3"]


def test_a_directory_without_rights_does_not_hide_the_others(
    stocked: World, permissions: None
) -> None:
    folder = f"{stocked.home.store('shop')}/12--tax-table"
    os.chmod(folder, 0)
    try:
        assert [one.id for one in all_intents(stocked.home)] == ["1", "2", "12", "12a", "120", "3"]
        assert describe(stocked.home, find(stocked.home, "12"))["stage"] == "what"
    finally:
        os.chmod(folder, 0o755)


def test_ids_are_ordered_by_number() -> None:
    assert sorted(["12a", "2", "120", "12", "12b1"], key=order_of) == [
        "2",
        "12",
        "12a",
        "12b1",
        "120",
    ]


# -- the one object -------------------------------------------------------------------------------


def test_the_object_has_exactly_the_keys_of_the_law(stocked: World) -> None:
    found = describe(stocked.home, find(stocked.home, "12"))
    assert list(found) == KEYS
    assert found["title"] == "Title of 12"
    assert (found["section"], found["stage"], found["lock_state"]) == (None, "why", "none")


def test_a_held_intent_shows_its_lock(stocked: World) -> None:
    one = find(stocked.home, "12")
    tree = {"path": "/x", "provisioned": True}
    hold(stocked, one, "me", worktree=tree, unknown="kept")
    found = describe(stocked.home, one)
    assert found["lock"]["unknown"] == "kept"
    assert (found["lock_state"], found["worktree"]) == ("fresh", tree)
    assert found["heartbeat_at"].endswith("Z")
    with open(f"{one.dir}/delivery.lock", "w") as file:
        file.write("{")
    found = describe(stocked.home, one)
    assert (found["lock"], found["lock_state"]) == (None, "corrupt")


@pytest.mark.parametrize(
    ("section", "shown"),
    [
        ("Active", "Active"),
        ("Future", "Future"),
        ("Completed", "Completed"),
        ("Abandoned", "Abandoned"),
        ("Relocated", None),
        ("Clusters", None),
    ],
)
def test_section(stocked: World, section: str, shown: str | None) -> None:
    with open(stocked.home.index("shop"), "w") as file:
        file.write(f"## {section}\n- [12 — X](x)\n")
    assert describe(stocked.home, find(stocked.home, "12"))["section"] == shown


def test_a_broken_world_can_still_be_looked_at(stocked: World) -> None:
    one = find(stocked.home, "12")
    os.mkfifo(stocked.home.index("shop"))
    os.remove(one.file)
    os.mkfifo(one.file)
    os.mkfifo(f"{one.dir}/spec.md")
    os.symlink("/etc/passwd", f"{one.dir}/plan.md")
    os.makedirs(f"{one.dir}/checklist.md")
    found = describe(stocked.home, one)
    assert (found["section"], found["stage"], found["title"]) == (None, "what", "tax table")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("files", "stage"),
    [
        ({}, "why"),
        ({"spec.md": PLACEHOLDER}, "why"),
        ({"spec.md": "x"}, "how"),
        ({"spec.md": "x", "plan.md": "x", "checklist.md": "- [ ] x"}, "how"),
        (
            {"spec.md": "x", "plan.md": "x", "checklist.md": "- [ ] x", "actions/.gitkeep": "x"},
            "how",
        ),
        ({"spec.md": "x", "plan.md": "x", "checklist.md": "- [ ] x", "actions/A.md": ""}, "how"),
        (
            {
                "spec.md": "x",
                "plan.md": "x",
                "checklist.md": "- [ ] x",
                "actions/A.md": PLACEHOLDER,
            },
            "how",
        ),
        ({"spec.md": "x", "plan.md": "x", "checklist.md": "no box", "actions/A.md": "x"}, "how"),
        ({"spec.md": "x", "plan.md": "x", "checklist.md": "- [ ] x", "actions/A.md": "x"}, "exec"),
        ({"outcome.md": "done"}, "done"),
    ],
)
def test_stage_follows_the_documents(stocked: World, files: dict[str, str], stage: str) -> None:
    """Case 9.8/142: a placeholder, an empty file or `.gitkeep` is no action."""
    one = find(stocked.home, "12")
    for name, text in files.items():
        write(stocked.root / os.path.relpath(one.dir, stocked.root) / name, text)
    assert describe(stocked.home, one)["stage"] == stage
    assert facts(one).open_boxes == (1 if "- [ ] x" in files.values() else 0)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('---\nintent: "A: b"\n---\n', "A: b"),
        ("---\nintent: plain words\n---\n", "plain words"),
        ("---\nintent: |\n  block\n---\n", "tax table"),
        ("---\nintent:\n---\n", "tax table"),
        ("", "tax table"),
    ],
)
def test_title_of(text: str, title: str) -> None:
    assert title_of(text, "12--tax-table") == title


def test_facts_of_nothing(tmp_path: Path) -> None:
    known = facts_of(str(tmp_path / "none"), "1--x")
    assert not any(known.has(fact) for fact in ("spec", "plan", "action", "outcome"))


# -- by title --------------------------------------------------------------------------------------


def test_titled_finds_the_open_intent_or_makes_one(shop: World) -> None:
    cwd = str(shop.repo)
    made = titled(shop.home, "Do [it]", None, is_global=False, cwd=cwd)
    assert (made.id, made.project) == ("1", "shop")
    assert titled(shop.home, " Do  [it] ", None, is_global=False, cwd=cwd).id == "1"
    assert titled(shop.home, "Do [it]", None, is_global=True, cwd=cwd).id == "2"
    assert titled(shop.home, "Do [it]", "shop", is_global=False, cwd="/").id == "1"
    page = shop.root / "home/projects/shop/INDEX.md"
    page.write_text(page.read_text().replace("## Active", "## Completed"))
    assert titled(shop.home, "Do [it]", None, is_global=False, cwd=cwd).id == "3"
