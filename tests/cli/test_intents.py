"""`plastic list`, `show`, `log` as a user meets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from plastic.disk.journal import note
from plastic.work.intent.intents import new

if TYPE_CHECKING:
    from tests.world import World


@pytest.fixture
def filled(shop: World) -> World:
    cwd = str(shop.repo)
    new(shop.home, "Tax rate", cwd=cwd)
    new(shop.home, "Later", cwd=cwd, future=True)
    new(shop.home, "Research", cwd=cwd, is_global=True)
    return shop


def test_list_is_aligned_and_ordered(filled: World) -> None:
    done = filled.plastic("list")
    assert done.rc == 0
    assert done.out == (
        "ID  PROJECT  SECTION  STAGE  HELD BY  TITLE\n"
        "3   global   Active   why    -        Research\n"
        "1   shop     Active   why    -        Tax rate\n"
        "2   shop     Future   why    -        Later\n"
    )


def test_list_hides_what_is_over_unless_asked(filled: World) -> None:
    page = filled.root / "home/projects/shop/INDEX.md"
    page.write_text(page.read_text().replace("## Future", "## Abandoned", 1))
    listed = filled.plastic("list").out
    assert "Later" not in listed
    assert listed.endswith("1 more that are over: plastic list --all\n")
    assert "Later" in filled.plastic("list", "--all").out
    assert "Later" in filled.plastic("list", "--section", "abandoned").out
    assert len(filled.plastic("list", "--json").json["intents"]) == 3


FILTERS: tuple[tuple[list[str], list[str]], ...] = (
    ([], ["3", "1", "2"]),
    (["--project", "shop"], ["1", "2"]),
    (["--project", "global"], ["3"]),
    (["--section", "Future"], ["2"]),
    (["--section", "Completed"], []),
)
REFUSED: tuple[tuple[list[str], int], ...] = (
    (["--project", "x"], 6),
    (["--section", "x"], 2),
    (["--nonsense"], 2),
)


def test_list_filters_and_refuses(filled: World) -> None:
    for argv, ids in FILTERS:
        done = filled.plastic("list", "--json", *argv)
        assert [one["id"] for one in done.json["intents"]] == ids, argv
    for argv, rc in REFUSED:
        done = filled.plastic("list", *argv)
        assert (done.rc, done.out) == (rc, "")
        assert "run: " in done.err


def test_an_empty_home_says_what_to_do(shop: World) -> None:
    assert "plastic new TITLE" in shop.plastic("list").out


def test_a_long_or_hostile_title_keeps_the_table_whole(shop: World) -> None:
    shop.new("word " * 39)
    path = next((shop.root / "home/projects/shop/store").glob("1--*/1--*.md"))
    lines = path.read_text().split("\n")
    lines[2] = 'intent: "red \\u001b[31m"'
    shop.new("Plain")
    assert all(len(line) < 120 for line in shop.plastic("list").out.splitlines())
    path.write_text("\n".join(lines))
    out = shop.plastic("list").out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 3


def test_show_names_the_next_document_and_where_it_belongs(filled: World) -> None:
    """Design 6.3: `plastic show ID` is what a stage or worktree refusal points at."""
    done = filled.plastic("show", "1")
    assert "next       write a real spec.md" in done.out
    assert f"documents  {filled.home.store('shop')}/1--tax-rate" in done.out
    assert "board with: plastic start 1" in done.out
    folder = f"{filled.home.store('shop')}/1--tax-rate"
    with open(f"{folder}/spec.md", "w") as file:
        file.write("real\n")
    tree = {"path": "/wt/1--tax-rate", "branch": "plastic/1--tax-rate", "base": "refs/heads/main"}
    lock = {"type": "delivery", "owner_session": "me", "worktree": tree}
    with open(f"{folder}/delivery.lock", "w") as file:
        json.dump(lock, file)
    os.makedirs(filled.home.held, exist_ok=True)
    os.symlink(f"{folder}/delivery.lock", f"{filled.home.held}/1--tax-rate")
    done = filled.plastic("show", session="me")
    assert "next       write a real plan.md" in done.out
    assert "worktree   /wt/1--tax-rate" in done.out
    assert "held by    me" in done.out
    away = filled.plastic("show", "1", env={"TZ": "Asia/Tokyo"}).out
    assert " JST (2" in away, "local time and UTC"
    shown = filled.plastic("show", "--json", "--session", "me").json
    assert shown["next"] == "write a real plan.md"
    assert shown["worktree"] == tree


@pytest.mark.parametrize("verb", ["list", "show"])
def test_a_broken_index_is_told_and_the_view_goes_on(filled: World, verb: str) -> None:
    page = filled.root / "home/projects/shop/INDEX.md"
    page.unlink()
    os.mkfifo(page)
    done = filled.plastic(verb, *(["1"] if verb == "show" else []), "--json")
    assert done.rc == 0
    assert str(page) in done.err
    assert len(done.err.splitlines()) == 1
    found = done.json if verb == "show" else done.json["intents"][1]
    assert (found["id"], found["section"]) == ("1", None)


def test_errors_as_json(filled: World) -> None:
    done = filled.plastic("show", "99", "--json")
    assert done.rc == 6
    assert done.json["error"]["code"] == "no-intent"
    assert done.json["error"]["run"] == "plastic list"


@pytest.mark.parametrize("verb", ["list", "show", "log"])
def test_without_a_home(world: World, verb: str) -> None:
    done = world.plastic(verb, *(["1"] if verb == "show" else []))
    if verb == "log":
        assert done.rc == 0
    else:
        assert done.rc == 6
        assert "run: plastic init" in done.err
    assert not os.path.exists(world.home.root)


def test_log(filled: World) -> None:
    note(filled.home, "would-deny", gate="stage", path="/x")
    note(filled.home, "deny", gate="lock", who="\x1b[1m")
    done = filled.plastic("log", "-n", "1")
    assert done.out.count("\n") == 1
    assert "gate=lock" in done.out
    assert "\x1b" not in done.out
    found = filled.plastic("log", "--would-deny", "--json").json["events"]
    assert [(row["event"], row["gate"]) for row in found] == [("would-deny", "stage")]
    text = filled.plastic("log", "--would-deny").out
    assert "would-deny" in text
    assert "gate=stage" in text


def test_log_of_nothing_says_so(filled: World) -> None:
    done = filled.plastic("log", "--would-deny")
    assert (done.rc, done.out) == (0, "")
    assert "nothing" in done.err
    assert filled.plastic("log", "--would-deny", "--json").json == {"events": []}


def test_log_follow_prints_as_events_come(filled: World) -> None:
    note(filled.home, "first")
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    child = subprocess.Popen(
        [sys.executable, "-c", code, "log", "--follow", "--json", "-n", "1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["event"] == "first"
        note(filled.home, "second")
        assert json.loads(child.stdout.readline())["event"] == "second"
    finally:
        child.kill()
        child.communicate()


def test_views_load_no_heavy_library(filled: World) -> None:
    code = (
        "import sys; from plastic.cli.main import plastic; rc = plastic(sys.argv[1:]);"
        "print([name for name in ('filelock', 'git', 'yaml', 'frontmatter', 'sqlite3')"
        " if name in sys.modules], file=sys.stderr)"
    )
    for argv in (["list"], ["list", "--json"], ["show", "1"], ["log"]):
        done = filled.run(sys.executable, "-c", code, *argv)
        assert done.err.strip().splitlines()[-1] == "[]", argv
