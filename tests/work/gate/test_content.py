"""The gates links and create judge the result of a write: spec/delivery.md 9.8/151-154."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.rules.intent.templates import intent_file

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME = "owner-1"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("chain: []\n", "", "`chain`"),
        ("sources: []\n", "sources: 12\n", "`sources`"),
        ("## Insights", "## Thoughts", "Thoughts"),
        ("## Links\n\n_(none)_\n", "", "Links"),
    ],
)
def test_an_invalid_intent_file_is_refused(scene: Scene, old: str, new: str, named: str) -> None:
    """cases 9.8/151 and 9.8/152"""
    made = scene.intent()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    assert old in text
    said = scene.does(ME, made.file, content=text.replace(old, new))
    assert named in str(said.denied)
    assert "run: plastic show 96" in str(said.denied)
    assert scene.does(ME, made.file, "Edit", old_string=old, new_string=new).denied
    edits = [{"old_string": old, "new_string": new}]
    assert scene.does(ME, made.file, "MultiEdit", edits=edits).denied
    back = [*edits, {"old_string": new, "new_string": old}] if new else edits
    if new:
        assert scene.does(ME, made.file, "MultiEdit", edits=back).denied is None


def test_replace_all_is_honoured(scene: Scene) -> None:
    """case 9.8/152"""
    made = scene.intent()
    scene.lock(made, ME)
    text = Path(made.file).read_text() + "\nsee [] and []\n"
    text = text.replace("\nsee", "\n", 1)
    Path(made.file).write_text(text)
    edit = {"old_string": "[]", "new_string": "12"}
    assert scene.does(ME, made.file, "Edit", **edit, replace_all=True).denied
    assert scene.does(ME, made.file, "Edit", **edit).denied


def test_a_valid_result_is_free(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    assert scene.does(ME, made.file, content=text + "\n").out == b""
    edit = {"old_string": "## Context\n", "new_string": "## Context\n\nNew facts.\n"}
    assert scene.does(ME, made.file, "Edit", **edit).out == b""


def test_an_edit_that_will_fail_by_itself_is_free(scene: Scene) -> None:
    """case 9.8/153"""
    made = scene.intent()
    scene.lock(made, ME)
    said = scene.does(ME, made.file, "Edit", old_string="not there", new_string="## Bad")
    assert said.out == b""


def test_windows_line_ends_are_edited_as_the_tool_does(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    Path(made.file).write_bytes(Path(made.file).read_bytes().replace(b"\n", b"\r\n"))
    edit = {"old_string": "chain: []\ncreated", "new_string": "created"}
    assert "`chain`" in str(scene.does(ME, made.file, "Edit", **edit).denied)


@pytest.mark.parametrize("project", ["shop", None])
def test_a_new_intent_file_is_complete_or_refused(scene: Scene, project: str | None) -> None:
    path = f"{scene.home.store(project)}/97--it-s-new/97--it-s-new.md"
    whole = intent_file(id="97", title="New", created="2026-11-30", author="ana")
    assert scene.does(ME, path, content=whole).out == b""
    said = str(scene.does(ME, path, content="# New\n").denied)
    where = "--global" if project is None else "--project shop"
    assert f"run: plastic new 'It s new' --id 97 --slug it-s-new {where}" in said
    event = scene.event(ME, "mcp__any__frobnicate", path=path)
    assert "not shown" in str(scene.judge(event).denied)
    assert scene.does(ME, path, "Edit", old_string="a", new_string="b").denied


def test_unseen_content_of_a_file_that_is_there_waits_for_the_check(scene: Scene) -> None:
    made = scene.intent()
    scene.lock(made, ME)
    assert scene.judge(scene.event(ME, "mcp__any__frobnicate", path=made.file)).denied is None


def test_links_are_a_projection(scene: Scene) -> None:
    """case 9.8/154"""
    made = scene.intent()
    scene.lock(made, ME)
    text = Path(made.file).read_text()
    typed = text.replace("_(none)_", "- Sources: [[12]]")
    said = str(scene.does(ME, made.file, content=typed).denied)
    assert "`## Links`" in said
    assert "run: plastic show 96" in said
    right = typed.replace("sources: []", 'sources: ["12"]')
    assert scene.does(ME, made.file, content=right).out == b""
    fenced = text.replace("## Context\n", "## Context\n\n```\n## Links\n\n- mine\n```\n")
    assert scene.does(ME, made.file, content=fenced).out == b""
