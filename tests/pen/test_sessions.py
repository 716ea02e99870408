"""Which session is which agent: bound ones need no name, and a second of the same name waits."""

from __future__ import annotations

import pytest

from tests.pen import other
from tests.pen.conftest import Tree


def test_a_bound_session_needs_no_name(tree: Tree) -> None:
    assert tree.no("claim")["code"] == "who"
    assert tree.no("bind", "ana")["code"] == "no-session"
    tree.ok("bind", "ana", session="s-1")
    assert tree.ok("claim", session="s-1")["state"] == "WORKING_ANA"
    tree.ok("append", "--to", "bo", session="s-1")
    assert tree.no("claim", session="s-2")["code"] == "who"
    tree.ok("bind", "--clear", session="s-1")
    assert tree.no("claim", session="s-1")["code"] == "who"
    assert tree.no("bind", "eve", session="s-1")["code"] == "no-agent"
    assert tree.no("bind", "../eve", session="s-1")["code"] == "bad-name"


def test_two_sessions_of_one_name(tree: Tree) -> None:
    """Bound, they are two: the second is refused until the first has handed over or expired."""
    for session in ("s-1", "s-2"):
        tree.ok("bind", "ana", session=session)
    first = tree.ok("claim", session="s-1")
    assert tree.ok("claim", session="s-1")["pen_id"] == first["pen_id"]
    for line in (["claim"], ["append", "--to", "bo"], ["claim", "--refresh"], ["claim", "--force"]):
        error = tree.no(*line, session="s-2")
        assert error["code"] == "other-instance"
    assert tree.yet("guard", session="s-2")["may_write"] is False
    assert tree.yet("wait", "--once", session="s-2")["turn_is_yours"] is False
    assert tree.ok("guard", session="s-1")["may_write"] is True
    other.expire(tree.file)
    second = tree.ok("claim", "--force", session="s-2")
    assert second["epoch"] == 2
    assert tree.no("append", "--to", "bo", session="s-1")["code"] == "other-instance"
    tree.ok("append", "--to", "bo", session="s-2")


def test_what_is_not_bound_goes_by_its_name(tree: Tree) -> None:
    tree.ok("bind", "ana", session="s-1")
    tree.ok("claim", session="s-1")
    tree.ok("claim", "ana")
    tree.ok("append", "ana", "--to", "bo", session="s-3")


def test_a_window_that_was_opened_before_the_binding(tree: Tree) -> None:
    tree.ok("claim", "ana", session="s-1")
    tree.ok("bind", "ana", session="s-1")
    tree.ok("claim", session="s-1")
    tree.ok("bind", "ana", session="s-2")
    assert tree.no("claim", session="s-2")["code"] == "other-instance"


def test_presented_by_hand(tree: Tree) -> None:
    first = tree.ok("claim", "ana")
    tree.ok("append", "ana", "--to", "bo", "--epoch", "1")
    tree.relay("bo", "ana")
    second = tree.ok("claim", "ana")
    assert (first["epoch"], second["epoch"]) == (1, 3)
    for token in (["--epoch", "1"], ["--pen-id", first["pen_id"]]):
        error = tree.no("append", "ana", "--to", "bo", *token)
        assert error["code"] == "displaced"
        assert tree.yet("guard", "ana", *token)["may_write"] is False
    tree.ok("append", "ana", "--to", "bo", "--pen-id", second["pen_id"], "--epoch", "3")


@pytest.mark.parametrize("session", ["a/../b", "x" * 400, "é\n", ".", " s "])
def test_any_session_id(tree: Tree, session: str) -> None:
    tree.ok("bind", "ana", "--session", session)
    assert tree.ok("claim", "--session", session)["holder"] == "ana"
    folder = tree.folder / ".m8shift" / "sessions"
    assert len(list(folder.iterdir())) == 1


def test_a_spoiled_binding_is_none(tree: Tree) -> None:
    tree.ok("bind", "ana", session="s-1")
    (tree.folder / ".m8shift/sessions/s-s-1").write_bytes(b"\xff[")
    assert tree.no("claim", session="s-1")["code"] == "who"
    tree.ok("claim", "ana", session="s-1")
