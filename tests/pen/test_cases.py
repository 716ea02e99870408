"""The numbered cases at the command line: what is printed, what the file says, what stays."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.pen import other
from tests.pen.conftest import Tree
from tests.world import World


def test_a_session_from_beginning_to_end(tree: Tree) -> None:
    found = tree.ok("claim", "ana")
    assert (found["state"], found["holder"], found["epoch"]) == ("WORKING_ANA", "ana", 1)
    window = other.fields(tree.file.read_text())
    assert 1795 < seconds(window["expires"]) - time.time() <= 1800
    found = tree.ok(
        "append", "ana", "--to", "bo", "--ask", "look", "--done", "tax", "--files", "a.py"
    )
    assert (found["state"], found["turn"], found["expires"]) == ("AWAITING_BO", 1, "-")
    assert tree.turns[1]["ask"] == "look"
    assert tree.turns[1]["handoff"] == "bo"
    assert tree.ok("next", "bo")["handoff"]["header"]["done"] == "tax"
    tree.ok("append", "bo", "--to", "ana")
    assert tree.turns[2]["done"] == "—"
    tree.ok("done", "ana")
    assert tree.block["state"] == "DONE"
    assert tree.block["holder"] == "none"


def seconds(text: str) -> float:
    from plastic.disk.clock import seconds as read

    found = read(text)
    assert found is not None
    return found


def test_e2_the_same_name_refreshes(tree: Tree) -> None:
    first = tree.ok("claim", "ana")
    again = tree.ok("claim", "ana")
    assert again["pen_id"] == first["pen_id"]
    assert again["since"] == first["since"]


def test_e3_not_ones_turn(tree: Tree) -> None:
    tree.relay("ana", "bo")
    error = tree.no("claim", "cy")
    assert (error["code"], error["who"]) == ("awaited", "bo")
    assert error["since"].startswith(tree.block["since"])


def test_e4_a_stale_pen(tree: Tree) -> None:
    """A plain claim is refused, force takes it; who was displaced writes nothing any more."""
    old = tree.ok("claim", "ana")
    assert tree.no("claim", "bo", "--force")["code"] == "live"
    other.expire(tree.file)
    error = tree.no("claim", "bo")
    assert error["code"] == "stale"
    assert error["run"] == "plastic pen claim bo --force"
    assert tree.run(error["run"]).rc == 0
    assert tree.block["state"] == "WORKING_BO"
    assert tree.no("append", "ana", "--to", "bo")["code"] == "held"
    assert tree.no("append", "ana", "--to", "bo", "--pen-id", old["pen_id"])["code"] == "held"
    assert [row["event"] for row in tree.rows()][-2:] == ["state", "force"]


def test_e9_a_late_turn(tree: Tree) -> None:
    tree.ok("claim", "ana")
    other.expire(tree.file)
    assert tree.ok("append", "ana", "--to", "bo")["turn"] == 1


def test_e12_done_is_done(tree: Tree) -> None:
    tree.relay("ana", "bo")
    tree.ok("done", "bo")
    rows = tree.rows()
    for line in (
        ["claim", "ana"],
        ["release", "ana", "--to", "bo"],
        ["release", "ana", "--to", "bo", "--force", "--reason", "x"],
        ["append", "ana", "--to", "bo"],
        ["pause", "ana", "--reason", "x"],
        ["resume", "ana", "--scope", "x"],
        ["cooldown", "--until", "2099-01-01T00:00:00Z", "--reason", "x"],
    ):
        error = tree.no(*line)
        assert error["code"] == "done"
    before = tree.files()
    tree.ok("done", "ana")  # case E13
    assert tree.files() == before
    assert tree.rows() == rows
    assert tree.run(error["run"]).rc == 0
    assert tree.block["state"] == "IDLE"
    assert tree.block["turn"] == "1"
    assert list(tree.turns) == [1], "no turn goes with a new session"
    tree.ok("claim", "ana")


def test_e14_done_over_a_peer(tree: Tree) -> None:
    tree.relay("ana", "bo")
    assert tree.no("done", "ana")["code"] == "awaited"
    assert tree.no("done", "ana", "--force")["code"] == "no-reason"
    tree.ok("done", "ana", "--force", "--reason", "he left")
    assert tree.block["note"] == "he left"
    assert tree.rows()[-1]["reason"] == "he left"


def test_e16_unread(tree: Tree) -> None:
    """Read is read: after peek the turn may be passed on; the archive makes it no less unread."""
    tree.relay("ana", "bo")
    tree.ok("claim", "bo")
    assert tree.no("release", "bo", "--to", "cy")["code"] == "unread"
    tree.ok("archive", "--keep", "0")
    error = tree.no("release", "bo", "--to", "cy")
    assert tree.run(error["run"]).rc == 0
    assert tree.ok("release", "bo", "--to", "cy")["state"] == "AWAITING_CY"


def test_e18_a_live_pen_is_a_persons(tree: Tree) -> None:
    tree.ok("claim", "ana")
    error = tree.no("release", "bo", "--to", "cy", "--force", "--reason", "x")
    assert (error["code"], error["who"]) == ("person", "ana")
    other.expire(tree.file)
    tree.ok("release", "bo", "--to", "cy", "--force", "--reason", "x")


def test_e18_a_person_is_asked(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.ok("claim", "ana")
    monkeypatch.setattr("plastic.work.pen.move.why_no_person", lambda env, terminal: None)
    asked = []
    monkeypatch.setattr(
        "plastic.work.pen.move.require_person", lambda *words: asked.append(words[1])
    )
    tree.ok("release", "bo", "--to", "cy", "--force", "--reason", "x")
    assert asked == ["ana"]


def test_e29_back_to_the_old_holder(tree: Tree) -> None:
    """Journal, pending turn and number stay; two rows for each move; it can be repeated."""
    tree.relay("ana", "bo")
    tree.ok("claim", "bo")
    turns = tree.turns
    for _ in range(2):
        other.expire(tree.file)
        tree.ok("claim", "cy", "--force")
        rows = len(tree.rows())
        tree.ok("release", "cy", "--to", "bo", "--force", "--reason", "back")
        assert [row["event"] for row in tree.rows()[rows:]] == ["state", "force"]
        tree.ok("claim", "bo")
        assert tree.turns == turns
        assert tree.block["turn"] == "1"


def test_e31_a_refresher_opens_nothing(tree: Tree) -> None:
    tree.ok("claim", "ana")
    tree.ok("claim", "ana", "--refresh")
    tree.ok("append", "ana", "--to", "bo")
    tree.ok("claim", "bo")
    tree.ok("append", "bo", "--to", "ana")
    assert tree.no("claim", "ana", "--refresh")["code"] == "no-window"
    assert tree.do("claim", "ana", "--refresh", "--force").rc == 2


def test_e32_e34_pause(tree: Tree) -> None:
    assert tree.no("pause", "ana", "--reason", "x")["code"] == "unclaimed"
    tree.ok("claim", "ana")
    assert tree.no("pause", "bo", "--reason", "x")["code"] == "held"
    assert tree.no("pause", "ana")["code"] == "no-reason"
    tree.ok("task", "add", "ana", "the tax")
    error = tree.no("pause", "ana", "--reason", "x")
    assert error["code"] == "open-task"
    assert tree.run(error["run"]).rc == 0
    tree.ok("pause", "ana", "--reason", "what next?")
    assert (tree.block["state"], tree.block["holder"], tree.block["expires"]) == (
        "PAUSED",
        "none",
        "-",
    )
    assert tree.no("pause", "ana", "--reason", "x")["code"] == "paused"
    assert tree.no("claim", "bo")["code"] == "paused"
    tree.yet("wait", "bo", "--once")
    tree.yet("next", "bo")
    assert tree.no("resume", "bo")["code"] == "no-reason"
    assert tree.no("resume", "bo", "--reason", "go on")["code"] == "no-scope"
    tree.ok("resume", "bo", "--scope", "the cart")
    assert tree.block["state"] == "AWAITING_BO"
    assert tree.rows()[-1]["reason"] == "the cart"


@pytest.mark.parametrize(
    "words",
    [
        ["--scope", "the cart"],
        ["--scope", "the cart", "--reason", "she says so"],
        ["--scope", "--reason", "she says so"],
        ["--reason", "she says so", "--scope"],
    ],
)
def test_e34_the_ways_to_say_the_scope(tree: Tree, words: list[str]) -> None:
    tree.ok("claim", "ana")
    tree.ok("pause", "ana", "--reason", "x")
    tree.ok("resume", "ana", *words)


def test_e33_next_with_resume(tree: Tree) -> None:
    tree.ok("claim", "ana")
    tree.ok("pause", "ana", "--reason", "x")
    assert tree.ok("next", "bo", "--resume", "--scope", "cart")["state"] == "WORKING_BO"


def test_e36_a_cooldown_is_kept(tree: Tree) -> None:
    tree.relay("ana", "bo")
    until = other.now(3600)
    assert tree.no("cooldown", "--until", "soon", "--reason", "x")["code"] == "no-moment"
    assert (
        tree.no("cooldown", "--until", until, "--for", "cy", "--reason", "x")["code"]
        == "not-awaited"
    )
    tree.ok("cooldown", "--until", until, "--for", "bo", "--reason", "limit")
    for name in ("bo", "ana"):
        error = tree.no("resume", name, "--scope", "x")
        assert error["code"] == "cooldown"
        assert error["run"].startswith("sleep ")
    since = tree.block["since"]
    tree.ok("cooldown", "--replace", "--until", other.now(-1), "--for", "bo", "--reason", "sooner")
    assert tree.block["since"] == since
    assert tree.no("resume", "ana", "--scope", "x")["code"] == "cooldown-of"
    tree.ok("resume", "bo", "--scope", "x")
    assert "pen_cooldown" not in tree.block


def test_e37_e39_requests(tree: Tree) -> None:
    assert tree.no("request", "bo", "--to", "ana", "--reason", "x")["code"] == "free"
    tree.ok("claim", "ana")
    before = tree.file.read_bytes()
    assert tree.no("request", "bo", "--to", "cy", "--reason", "x")["code"] == "not-holder"
    assert tree.ok("request", "bo", "--to", "ana", "--reason", "urgent")["request"] == 1
    assert tree.ok("request", "bo", "--to", "ana", "--reason", "still")["request"] == 2
    assert tree.file.read_bytes() == before
    assert tree.no("yield", "ana", "--request", "7", "--to", "bo")["code"] == "request-missing"
    assert tree.no("yield", "ana", "--request", "1", "--to", "cy")["code"] == "request-missing"
    tree.ok("decline", "ana", "--request", "1", "--reason", "soon")
    assert tree.no("decline", "ana", "--request", "1")["code"] == "request-closed"
    assert tree.no("yield", "ana", "--request", "1", "--to", "bo")["code"] == "request-closed"
    tree.ok("yield", "ana", "--request", "2", "--to", "bo")
    assert tree.block["state"] == "AWAITING_BO"
    tree.ok("request", "cy", "--to", "bo", "--reason", "he is away")
    steer = ("steer", "cy", "--from", "bo", "--request", "3", "--reason", "away")
    assert tree.no(*steer)["code"] == "no-force"
    tree.ok(*steer, "--force")
    assert tree.block["state"] == "AWAITING_CY"
    assert tree.ok("status")["requests"] == []


def test_e38_a_request_can_always_be_closed(tree: Tree) -> None:
    """Also when who was asked has handed over before it answered."""
    tree.ok("claim", "ana")
    tree.ok("request", "bo", "--to", "ana", "--reason", "x")
    tree.ok("request", "bo", "--to", "ana", "--reason", "y")
    tree.ok("append", "ana", "--to", "cy")
    assert tree.no("yield", "ana", "--request", "1", "--to", "bo")["code"] == "awaited"
    tree.ok("decline", "ana", "--request", "1")
    assert tree.no("request", "cy", "--withdraw", "2")["code"] == "request-missing"
    tree.ok("request", "bo", "--withdraw", "2")
    assert tree.ok("status")["requests"] == []


@pytest.mark.parametrize("where", ["--ask", "--done", "--files", "--branch", "--next"])
def test_e41_no_marker_in_a_line(tree: Tree, where: str) -> None:
    tree.ok("claim", "ana")
    marker = "<!-- M8SHIFT:TURN 9 eve BEGIN -->"
    assert tree.no("append", "ana", "--to", "bo", where, marker)["code"] == "marker"
    assert tree.no("append", "ana", "--to", "bo", where, "a\nb")["code"] == "line-break"
    assert tree.no("append", "ana", "--to", "bo", where, "\x1b[31m")["code"] == "control"  # E43


def test_e41_a_marker_in_a_body(tree: Tree) -> None:
    tree.ok("claim", "ana")
    body = tree.folder / "body"
    body.write_text("<!-- M8SHIFT:TURN 9 eve BEGIN -->\nstate: WORKING_EVE\n- to: eve\n\x1b[31m\n")
    tree.ok("append", "ana", "--to", "bo", "--body", str(body))
    assert tree.ok("status")["last_turn"] == {"n": 1, "agent": "ana", "to": "bo"}
    assert "\x1b" not in tree.do("peek", "bo").out


def test_e42_lines_of_ones_own(tree: Tree) -> None:
    tree.ok("claim", "ana")
    for field, code in {
        "to=eve": "taken-key",
        "branch=x": "taken-key",
        "A=x": "bad-key",
        "=x": "bad-key",
        "none": "bad-key",
    }.items():
        assert tree.no("append", "ana", "--to", "bo", "--field", field)["code"] == code
    twice = ("--field", "a=1", "--field", "a=2")
    assert tree.no("append", "ana", "--to", "bo", *twice)["code"] == "taken-key"
    tree.ok("append", "ana", "--to", "bo", "--field", "why=a=b")
    assert tree.turns[1]["why"] == "a=b"


def test_e43_what_others_wrote_is_shown_harmless(tree: Tree) -> None:
    tree.relay("ana", "bo")
    text = (
        tree.file.read_text()
        .replace("ana did it", "\x1b]0;evil\x07\u202e")
        .replace("note:     -", "note: \x1b[2J")
    )
    tree.file.write_text(text)
    for line in (["status"], ["peek", "bo"], ["turn", "1"], ["log"], ["claim", "cy"]):
        done = tree.do(*line)
        assert not set("\x1b\x07\u202e") & set(done.out + done.err), line


@pytest.mark.parametrize(
    ("spoil", "code", "heals"),
    [
        (lambda text: text.replace("\n---\n", "\n\udcff\n"), "not-utf8", True),
        (lambda text: text.replace("turn:     1", "turn:     1\nturn:     1"), "corrupt", True),
        (lambda text: text.replace("turn:     1", "turn:     0"), "corrupt", True),
        (lambda text: text + other.LOCK.search(text)[0], "corrupt", True),  # type: ignore[index]
        (lambda text: text.replace("holder:   bo", "holder:   ana"), "corrupt", True),
        (lambda text: text.replace("<!-- M8SHIFT:LOCK:END -->", ""), "corrupt", True),
        (lambda text: text.replace("expires:  -", "expires:  soon"), "corrupt", True),
        (lambda text: "\x00" * 100, "corrupt", True),
    ],
)
def test_e46_e47_e51_what_is_broken(tree: Tree, spoil: object, code: str, heals: bool) -> None:
    """One clear line from every command, and repair, which keeps what was there."""
    tree.relay("ana", "bo")
    text = tree.file.read_text()
    broken = spoil(text).encode("utf-8", "surrogateescape")  # type: ignore[operator]
    tree.file.write_bytes(broken)
    for line in (
        *(["status"], ["claim", "bo"], ["append", "bo", "--to", "ana"], ["peek", "bo"]),
        *(["wait", "bo", "--once"], ["guard", "bo"], ["archive"], ["log"], ["init"]),
        *(["next", "bo"], ["init", "--force"], ["roster"], ["remember", "bo", "x"]),
    ):
        error = tree.no(*line)
        assert error["code"] == code, line
        assert error["run"] == "plastic pen repair"
    dry = tree.ok("repair", "--dry-run")
    assert dry["repaired"]
    assert tree.file.read_bytes() == broken
    tree.ok("repair")
    assert tree.ok("repair")["repaired"] == []
    kept = list(tree.folder.glob("M8SHIFT.broken.*"))
    assert [one.read_bytes() for one in kept] == [broken]
    if text[-9:] in broken.decode("utf-8", "replace"):
        assert tree.turns[1]["done"] == "ana did it"
        tree.ok("claim", "bo")


def test_e46_a_directory(bare: Tree) -> None:
    bare.file.mkdir()
    for line in (["status"], ["init"], ["repair"], ["claim", "ana"]):
        assert bare.no(*line)["code"] == "not-a-file"


def test_e48_mode_and_line_ends(tree: Tree) -> None:
    tree.file.write_bytes(tree.file.read_bytes().replace(b"\n", b"\r\n"))
    os.chmod(tree.file, 0o444)
    tree.relay("ana", "bo")
    assert tree.file.stat().st_mode & 0o7777 == 0o444
    assert b"\n" not in tree.file.read_bytes().replace(b"\r\n", b"")
    assert tree.turns[1]["done"] == "ana did it"


def test_e49_a_link(tree: Tree) -> None:
    real = tree.folder.parent / "elsewhere" / "pen.md"
    real.parent.mkdir()
    tree.file.rename(real)
    tree.file.symlink_to(real)
    tree.relay("ana", "bo")
    assert tree.file.is_symlink()
    assert other.fields(real.read_text())["state"] == "AWAITING_BO"


def test_e52_e53_e54_the_roster(bare: Tree) -> None:
    for bad in ("ana", "ana,ana", "ana,b b", "ana,none", "ana,system", "ana,all", ",", "ana,é"):
        assert bare.no("init", "--agents", bad)["code"] == "bad-roster"
    assert not bare.file.exists()
    bare.ok("init", "--agents", "Ana, CODEX-2,ana")
    assert bare.ok("roster")["agents"] == ["ana", "codex-2"]
    before = bare.files()
    bare.ok("init", "--agents", "ana,codex-2")
    bare.ok("init")
    assert bare.files() == before
    assert bare.no("init", "--agents", "ana,bo")["code"] == "other-roster"
    bare.ok("claim", "CODEX-2")
    assert bare.block["state"] == "WORKING_CODEX-2"
    bare.ok("append", " Codex-2 ", "--to", "ANA")
    bare.ok("init", "--force", "--agents", "ana,bo")
    assert bare.ok("status")["agents"] == ["ana", "bo"]
    assert list(bare.turns) == [1]


def test_e53_nobody_joins_as_nobody(tree: Tree) -> None:
    tree.ok("claim", "ana")
    assert tree.no("roster", "add", "none", "--by", "ana")["code"] == "bad-name"
    assert tree.no("roster", "add", "dan", "--by", "bo")["code"] == "held"
    before = tree.file.read_text()
    tree.ok("roster", "add", "dan", "--by", "ana")
    assert tree.file.read_text() == before.replace("ana,bo,cy", "ana,bo,cy,dan")
    assert tree.ok("roster", "add", "Dan", "--by", "ana")["joined"] is False
    other.expire(tree.file)
    assert tree.no("roster", "add", "eve", "--by", "ana")["code"] == "expired"


def test_e56_a_title_is_no_block(bare: Tree) -> None:
    assert bare.no("init", "--name", "x <!-- M8SHIFT:LOCK:BEGIN -->")["code"] == "marker"
    assert bare.no("init", "--name", "a\nb")["code"] == "line-break"
    bare.file.write_bytes(b"")
    bare.ok("init")
    assert bare.block["agents"] == "claude,codex"


def test_e64_archive(tree: Tree) -> None:
    tree.relay("ana", "bo", "ana", "bo", "ana", "bo")
    tree.ok("claim", "bo")
    tree.ok("append", "bo", "--to", "cy", "--done", "for cy")
    before = tree.ok("log")["turns"]
    found = tree.ok("archive", "--keep", "0")
    assert found["archived"] == [1, 2, 3, 4, 5]
    assert tree.block["turn"] == "6"
    text = tree.file.read_text()
    assert 0 in other.turns(text)
    assert list(tree.turns) == [6]
    archive = tree.folder / "M8SHIFT.archive.md"
    assert list(other.turns(archive.read_text())) == [1, 2, 3, 4, 5]
    assert tree.ok("log", "--all")["turns"] == before
    assert tree.do("turn", "2").out.startswith("turn=2\nfrom=bo\n")
    assert tree.no("turn", "99")["code"] == "no-turn"
    assert tree.ok("archive", "--keep", "-3")["archived"] == []
    assert tree.ok("peek", "cy")["handoff"]["header"]["done"] == "for cy"


def test_e64_what_another_program_has_hidden(tree: Tree) -> None:
    """It moves the newest turn as well: the number stands, and nothing is corrupt."""
    tree.relay("ana", "bo")
    text = tree.file.read_text()
    start = text.index("<!-- M8SHIFT:TURN 1 ")
    (tree.folder / "M8SHIFT.archive.md").write_text("# archive\n\n" + text[start:])
    tree.file.write_text(text[:start])
    tree.ok("claim", "bo")
    assert tree.ok("append", "bo", "--to", "ana")["turn"] == 2


def test_e64_an_archive_of_any_bytes_is_added_to(tree: Tree) -> None:
    tree.relay("ana", "bo", "ana", "bo", "ana")
    archive = tree.folder / "M8SHIFT.archive.md"
    assert "nothing to archive" in tree.do("archive").out
    assert not archive.exists()
    tree.ok("archive", "--keep", "2")
    archive.write_bytes(archive.read_bytes() + b"\xff\n")
    kept = archive.read_bytes()
    assert tree.ok("archive", "--keep", "1")["archived"] == [3]
    assert archive.read_bytes().startswith(kept)
    assert [one["turn"] for one in tree.ok("log", "--all")["turns"]] == [1, 2, 3, 4]


@pytest.mark.parametrize("kind", ["folder", "link", "large"])
def test_e64_an_archive_that_cannot_be_read_is_not_replaced(
    tree: Tree, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.relay("ana", "bo", "ana", "bo")
    archive = tree.folder / "M8SHIFT.archive.md"
    if kind == "folder":
        archive.mkdir()
    elif kind == "link":
        archive.symlink_to("/dev/null")
    else:
        archive.write_text("x" * 9000)
        monkeypatch.setattr("plastic.disk.penfile.MOST", 8000)
    error = tree.no("archive", "--keep", "1")
    assert str(archive) in error["reason"] + error["run"]


def test_a_link_to_what_is_no_pen(bare: Tree) -> None:
    """It may have come with a repository: the reader's own file gets no block."""
    letter = bare.folder / "letter"
    letter.write_text("dear all\n")
    bare.file.symlink_to(letter)
    assert bare.no("init")["code"] == "corrupt"
    assert bare.no("repair")["code"] == "not-a-file"
    bare.file.unlink()
    bare.file.write_text("dear all\n")
    bare.ok("repair")


def test_e72_two_pens(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    rival = tree.folder.parent / "rival"
    rival.mkdir()
    (rival / "M8SHIFT.md").write_text(other.FULL)
    monkeypatch.setenv("M8SHIFT_ROOT", str(rival))
    error = tree.no("claim", "ana")
    assert error["code"] == "two-pens"
    assert str(rival.parent) not in error["reason"]
    for line in (["status"], ["guard", "ana"], ["log"], ["wait", "ana"]):
        done = tree.do(*line)
        assert done.rc in (0, 3)
        assert "names another pen, in 'rival'" in done.err
    assert not (tree.folder / ".m8shift.lock").exists()
    monkeypatch.setenv("M8SHIFT_ROOT", str(tree.folder))
    assert tree.do("status").err == ""
    tree.ok("claim", "ana")


def test_e73_from_any_folder(tree: Tree, world: World) -> None:
    below = tree.folder / "a" / "b"
    below.mkdir(parents=True)
    assert world.plastic("pen", "claim", "ana", cwd=below).rc == 0
    assert tree.block["state"] == "WORKING_ANA"


def test_e74_the_guard(tree: Tree) -> None:
    assert tree.yet("guard", "ana")["may_write"] is False
    tree.ok("claim", "ana")
    assert tree.ok("guard", "ana")["may_write"] is True
    assert tree.yet("guard", "bo")["may_write"] is False
    other.expire(tree.file)
    done = tree.do("guard", "ana")
    assert done.rc == 3
    assert "expired lock" in done.out


def test_e76_a_ledger_of_rubbish(tree: Tree) -> None:
    path = tree.folder / "M8SHIFT.sessions.jsonl"
    path.write_bytes(b"[" * 100_000 + b"\n\xff\n{}")
    tree.relay("ana", "bo")
    tree.ok("status")


def test_e78_tasks(tree: Tree) -> None:
    assert tree.ok("task", "add", "ana", "tax")["task"] == 1
    assert tree.ok("task", "add", "bo", "cart")["task"] == 2
    assert tree.no("task", "done", "ana", "9")["code"] == "no-task"
    tree.ok("task", "drop", "ana", "#1")
    assert tree.no("task", "done", "ana", "1")["code"] == "no-task"
    assert [one["id"] for one in tree.ok("task", "list")["tasks"]] == [2]
    tree.ok("claim", "bo")
    tree.ok("remember", "cy", "the cart is slow")
    assert (tree.folder / "M8SHIFT.memory.md").read_text().endswith(" cy: the cart is slow\n")


def test_e79_check(tree: Tree) -> None:
    tree.ok("claim", "ana")
    tree.ok("append", "ana", "--to", "bo", "--files", "src/tax.py, cart.py")
    before = tree.files()
    found = tree.ok("claim", "bo", "--check", "--force", "--files", "tax.py,cart.py")
    assert found["overlap"] == {"1": ["cart.py"]}
    assert tree.yet("claim", "cy", "--check")["ready"] is False
    assert tree.no("claim", "bo", "--check", "--files", "a\nb")["code"] == "line-break"
    assert tree.do("claim", "bo", "--files", "x").rc == 2
    assert tree.files() == before
    tree.ok("done", "bo")
    assert tree.yet("claim", "bo", "--check")["ready"] is False


def test_times_are_utc_and_local(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fact D9: people see both, with the zone's name or its offset; JSON is UTC alone."""
    tree.file.write_text(tree.file.read_text().replace(tree.block["since"], "2026-06-22T18:00:00Z"))
    for zone, shown in {
        "UTC0": "2026-06-22T18:00:00Z (UTC 2026-06-22 18:00:00)",
        "CET-1CEST": "2026-06-22T18:00:00Z (CEST 2026-06-22 20:00:00)",
        "<+0530>-5:30": "2026-06-22T18:00:00Z (+0530 2026-06-22 23:30:00)",
    }.items():
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert shown in tree.do("status").out
        assert tree.ok("status")["since"] == "2026-06-22T18:00:00Z"
    monkeypatch.delenv("TZ")
    time.tzset()


def test_the_log_is_ascii(tree: Tree) -> None:
    tree.ok("claim", "ana")
    tree.ok("append", "ana", "--to", "bo", "--done", "déjà vu", "--files", "a,b")
    tree.ok("claim", "bo")
    tree.ok("append", "bo", "--to", "ana")
    lines = tree.do("log").out.splitlines()
    assert lines == ["1 ana -> bo (2 files) d\\xe9j\\xe0 vu", "2 bo -> ana (0 files) -"]
    assert tree.do("log", "--limit", "1").out.splitlines() == lines[1:]


def test_state_is_judged_before_the_body(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tree.no("append", "ana", "--to", "bo", "--body", "/nowhere")["code"] == "unclaimed"
    tree.ok("claim", "ana")
    assert tree.no("append", "ana", "--to", "bo", "--body", "/etc")["code"] == "no-body"
    large = tree.folder / "large"
    large.write_text("x" * (256 * 1024 + 1))
    assert tree.no("append", "ana", "--to", "bo", "--body", str(large))["code"] == "too-long"
    tree.ok("append", "ana", "--to", "bo", "--body", str(large), "--allow-large-body")
    tree.ok("claim", "bo")
    monkeypatch.setattr("plastic.work.pen.desk.MOST", 300_000)
    words = ("append", "bo", "--to", "ana", "--body", str(large), "--allow-large-body")
    assert tree.no(*words)["code"] == "too-long", "nobody could read the file afterwards"
    assert tree.do("append", "ana").rc == 2


def test_french(bare: Tree) -> None:
    """`lang: fr`: refusals and reports, from one catalogue."""
    bare.ok("init", "--agents", "ana,bo", "--lang", "fr")
    assert "plume prise par ana" in bare.do("claim", "ana").out
    done = bare.do("claim", "bo")
    assert "ana tient la plume" in done.err
    assert bare.no("init", "--lang", "xx")["code"] == "bad-lang"


def test_the_language_of_the_environment(bare: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """A flag goes before it, the block before both."""
    monkeypatch.setenv("M8SHIFT_LANG", "fr")
    assert "pas de plume" in bare.do("status").err
    bare.ok("init")
    assert bare.block["lang"] == "fr"
    monkeypatch.setenv("M8SHIFT_LANG", "en")
    assert "plume prise" in bare.do("claim", "claude").out


def test_no_pen(bare: Tree) -> None:
    error = bare.no("claim", "ana")
    assert (error["code"], error["run"]) == ("no-pen", "plastic pen init")


def test_json_of_a_refusal_tells_the_state(tree: Tree) -> None:
    tree.ok("claim", "ana")
    done = tree.do("claim", "bo", "--json")
    found = json.loads(done.out)
    assert (found["state"], found["holder"], found["turn"]) == ("WORKING_ANA", "ana", "0")


def test_exit_codes(tree: Tree, bare: Tree) -> None:
    assert tree.do("nope").rc == 2
    assert tree.do("claim", "--nope").rc == 2
    assert tree.do("turn", "x").rc == 2
    Path(tree.folder / "M8SHIFT.archive.md").mkdir()
    assert tree.do("log").rc == 0
    assert tree.no("log", "--all")["code"] == "not-a-file", "a part is not all"
