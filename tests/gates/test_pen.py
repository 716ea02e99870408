"""The gate `pen`: who is bound writes with the pen in its hand, everybody else is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plastic.harness.sample import SESSION, write
from plastic.harness.table import HARNESSES
from plastic.work.pen.foreign import foreign
from tests.harness.played import answered

if TYPE_CHECKING:
    from tests.gates.scene import Scene


@pytest.mark.parametrize(
    ("state", "ends", "code"),
    [
        ("WORKING_ANA", 600, None),
        ("WORKING_ANA", -60, "plastic pen claim ana"),
        ("WORKING_BO", 600, "plastic pen status"),
        ("WORKING_BO", -60, "plastic pen status"),
        ("AWAITING_ANA", 0, "plastic pen claim ana"),
        ("AWAITING_BO", 0, "plastic pen status"),
        ("IDLE", 0, "plastic pen claim ana"),
        ("PAUSED", 0, "plastic pen status"),
        ("DONE", 0, "plastic pen status"),
    ],
)
def test_a_bound_session_needs_the_pen(
    scene: Scene, state: str, ends: int, code: str | None
) -> None:
    scene.pen(state, ends=ends)
    scene.bind("s-ana", "ana")
    said = scene.does("s-ana", scene.repo / "app.py")
    if code is None:
        assert (said.denied, said.advice) == (None, "")
        return
    assert said.denied is not None
    assert code in said.denied
    if "BO" in state:
        assert "bo" in said.denied
        assert "since" in said.denied


@pytest.mark.parametrize("harness", HARNESSES)
def test_every_harness_is_judged_alike(scene: Scene, harness: str) -> None:
    """In its own form: the holder writes, another bound session does not, who is not bound may."""
    scene.pen("WORKING_ANA")
    scene.bind("s-ana", "ana")
    scene.bind("s-bo", "bo")
    payload = json.dumps(write(harness, str(scene.repo / "app.py"), str(scene.repo)))
    said = {
        session: answered(scene.home, harness, json.loads(payload.replace(SESSION, session))).out
        for session in ("s-ana", "s-bo", "s-new")
    }
    denied = {
        session: any(word in out for word in (b'"deny"', b'"block"'))
        for session, out in said.items()
    }
    assert denied == {"s-ana": False, "s-bo": True, "s-new": False}
    assert b"ana has the pen" in said["s-bo"]
    assert said["s-ana"] == b""


def test_an_unbound_session_is_told_and_never_refused(scene: Scene) -> None:
    scene.pen("WORKING_BO")
    said = scene.does("s-new", scene.repo / "app.py")
    assert said.denied is None
    assert "bo has the pen" in said.advice
    scene.pen("IDLE")
    assert scene.does("s-new", scene.repo / "app.py").advice == ""


def test_reads_and_other_trees_are_nobodys_turn(scene: Scene) -> None:
    made = scene.planned()
    scene.pen("WORKING_BO")
    scene.bind("s-ana", "ana")
    scene.lock(made, "s-ana", tree=True)
    assert (
        scene.judge(scene.event("s-ana", "Read", file_path=str(scene.repo / "app.py"))).out == b""
    )
    inside = scene.does("s-ana", f"{scene.tree(made)}/app.py")
    assert (inside.denied, inside.advice) == (None, "")
    scene.git("worktree", "add", "-q", "-b", "aside", str(scene.root / "aside"))
    scene.bind("s-cy", "cy")
    assert scene.does("s-cy", scene.root / "aside/app.py").denied is None
    assert scene.does("s-cy", scene.repo / ".git/COMMIT_EDITMSG").denied is None
    assert scene.does("s-cy", scene.root / "elsewhere.py").denied is None


def test_outside_of_git_the_nearest_pen_upwards_rules(scene: Scene) -> None:
    folder = scene.root / "plain"
    (folder / "deep").mkdir(parents=True)
    scene.pen("WORKING_BO", folder=folder)
    scene.bind("s-ana", "ana", folder=folder)
    assert "plastic pen status" in (scene.does("s-ana", folder / "deep/a/b.py").denied or "")


def test_shell_commands_go_the_same_way(scene: Scene) -> None:
    scene.pen("WORKING_BO")
    scene.bind("s-ana", "ana")
    write = scene.event("s-ana", "Bash", command="make > app.py", cwd=str(scene.repo))
    assert "bo has the pen" in (scene.judge(write).denied or "")
    look = scene.event("s-ana", "Bash", command="git log > /dev/null; cat app.py")
    assert scene.judge(look).denied is None
    scene.pen("WORKING_ANA")
    again = scene.event("s-ana", "Bash", command="make > app.py", cwd=str(scene.repo))
    assert scene.judge(again).denied is None


def test_a_second_session_of_the_same_name_is_refused(scene: Scene) -> None:
    token = scene.pen("WORKING_ANA")
    scene.bind("s-1", "ana", token)
    scene.bind("s-2", "ana")
    assert scene.does("s-1", scene.repo / "app.py").denied is None
    assert "another session" in (scene.does("s-2", scene.repo / "app.py").denied or "")


def test_the_file_itself_is_written_by_its_command(scene: Scene) -> None:
    """The format allows an edit by hand: the holder and the unbound are advised."""
    scene.pen("WORKING_ANA")
    scene.bind("s-ana", "ana")
    scene.bind("s-bo", "bo")
    for name in ("M8SHIFT.md", "M8SHIFT.archive.md", ".m8shift/sessions/s-bo"):
        for session in ("s-ana", "s-new"):
            said = scene.does(session, scene.repo / name)
            assert said.denied is None
        assert "plastic pen" in scene.does("s-ana", scene.repo / name).advice
        assert scene.does("s-bo", scene.repo / name).denied is not None


def test_what_cannot_be_read_refuses_the_bound_alone(scene: Scene) -> None:
    scene.bind("s-ana", "ana")
    path = scene.repo / "M8SHIFT.md"
    path.write_text("# no block\n")
    assert "plastic pen repair" in (scene.does("s-ana", scene.repo / "app.py").denied or "")
    assert scene.does("s-new", scene.repo / "app.py").denied is None
    path.write_text("x" * 40_000)
    assert scene.does("s-ana", scene.repo / "app.py").denied is None, "only a whole look proves it"
    path.unlink()
    path.mkdir()
    assert scene.does("s-ana", scene.repo / "app.py").denied is None


def test_a_long_journal_is_not_read(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    import posix

    scene.pen("WORKING_BO")
    scene.bind("s-ana", "ana")
    with (scene.repo / "M8SHIFT.md").open("a") as file:
        file.write("x" * 5_000_000)
    sizes: list[int] = []
    real = posix.read

    def read(fd: int, size: int) -> bytes:
        found = real(fd, size)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(posix, "read", read)
    assert scene.does("s-ana", scene.repo / "app.py").denied is not None
    assert max(sizes) <= 16 * 1024


def test_solo_ends_where_somebody_else_has_the_pen(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, "s-ana", tree=True)
    path = scene.repo / "app.py"
    assert "solo" in scene.does("s-ana", path).advice
    scene.pen("WORKING_BO")
    assert scene.does("s-ana", path).denied is not None
    scene.pen("WORKING_BO", ends=-60)
    assert scene.does("s-ana", path).denied is None
    scene.pen("WORKING_ANA")
    scene.bind("s-ana", "ana")
    assert scene.does("s-ana", path).denied is None


def test_whose_pen_is_foreign(scene: Scene) -> None:
    def who(session: str, agent: str = "") -> str | None:
        found = foreign(str(scene.repo), session, {}, agent)
        return found.who if found is not None else None

    assert who("s") is None
    scene.pen("WORKING_BO")
    scene.bind("s-bo", "bo")
    assert (who("s"), who("s-bo"), who("s", "bo"), who("s-bo", "ana")) == ("bo", None, None, "bo")
    scene.pen("AWAITING_CY")
    assert who("s-bo") == "cy"
    for state in ("IDLE", "PAUSED", "DONE"):
        scene.pen(state)
        assert who("s") is None
    (scene.repo / "M8SHIFT.md").write_text("# no block\n")
    assert who("s") == "unknown (corrupt block)"
