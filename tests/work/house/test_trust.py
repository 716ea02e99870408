"""What Codex says of our hooks is asked of Codex, in bounded time, and told to people."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.process import ask
from plastic.harness.codex_settings import command
from plastic.words import Broken
from plastic.work.house import trust
from plastic.work.house.trust import PARTLY, TRUSTED, UNKNOWN, UNLOADED, UNTRUSTED, judged

if TYPE_CHECKING:
    from tests.world import World

FILE = "/home/ana/.codex/hooks.json"
LINE = command("/opt/python", "/opt/plastic/hooks/gate")


def hook(status: str, **other: Any) -> dict[str, Any]:
    return {"command": LINE, "sourcePath": FILE, "trustStatus": status, "enabled": True, **other}


def said(*hooks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 2, "result": {"data": [{"hooks": list(hooks), "warnings": [], **more}]}}


TABLE = [
    (said(hook("trusted"), hook("managed")), TRUSTED, ""),
    (said(hook("untrusted"), hook("untrusted")), UNTRUSTED, "2 of 2 hooks"),
    (said(hook("trusted"), hook("modified")), PARTLY, "1 of 2 hooks"),
    (said(hook("trusted", enabled=False)), UNLOADED, "switched off"),
    (said(), UNLOADED, "does not load"),
    (said(warnings=[f"failed to parse {FILE}"]), UNLOADED, "failed to parse"),
    (said(hook("trusted", command="other")), UNLOADED, "does not load"),
    (said(hook("trusted", sourcePath="/repo/.codex/hooks.json")), UNLOADED, "does not load"),
    ({"id": 2, "error": {"message": "unknown method"}}, UNKNOWN, "not known"),
    ({"id": 2, "result": {"data": []}}, UNKNOWN, "not known"),
    (said(hook("trusted", sourcePath=None)), UNKNOWN, "not known"),
]


@pytest.mark.parametrize(("answer", "state", "why"), TABLE)
def test_what_an_answer_means(answer: dict[str, Any], state: str, why: str) -> None:
    found = judged(answer, FILE)
    assert found.state == state
    assert why in found.why


SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "hooks/list":
        print("no json", flush=True)
        print(json.dumps(HOOKS), flush=True)
    else:
        print(json.dumps({"id": asked.get("id"), "result": {}}), flush=True)
"""


@pytest.fixture
def codex(world: World, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name on PATH, and Codex's own folder."""
    folder = world.root / "bin"
    folder.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(world.root / "codex"))
    monkeypatch.setattr(trust, "which", lambda _name: str(folder / "codex"))
    return folder / "codex"


def program(path: Path, body: str) -> None:
    path.write_text(f"#!{sys.executable}\n{body}")
    path.chmod(0o755)


def answering(world: World, path: Path, status: str) -> None:
    one = hook(status, sourcePath=str(world.root / "codex" / "hooks.json"))
    program(path, SERVER.replace("HOOKS", repr(said(one))))


def test_install_says_that_the_hooks_do_not_run_yet(world: World, codex: Path) -> None:
    answering(world, codex, "untrusted")
    done = world.plastic("install", "codex")
    assert done.rc == 0
    assert "\ntrust  not trusted\n" in done.out
    assert "type /hooks" in done.out
    checked = world.plastic("install", "codex", "--check")
    assert (checked.rc, "not trusted" in checked.out) == (1, True)
    answering(world, codex, "trusted")
    checked = world.plastic("install", "codex", "--check", "--json")
    assert (checked.rc, checked.json["trust"], checked.json["notes"]) == (0, "trusted", [])


def test_a_codex_that_says_nothing_is_left_in_time(
    world: World, codex: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "SECONDS", 0.2)
    for body in ("import time; time.sleep(60)", "", "raise SystemExit(3)", "print('{')"):
        program(codex, body)
        done = world.plastic("install", "codex", "--json")
        assert (done.rc, done.json["trust"]) == (0, UNKNOWN)
        assert "does not say so" in done.json["notes"][0]
    codex.unlink()
    assert world.plastic("install", "codex", "--check", "--json").json["trust"] == UNKNOWN


def test_without_codex_nobody_is_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "which", lambda _name: None)
    done = world.plastic("install", "codex", "--json")
    assert (done.json["trust"], "not on PATH" in done.json["notes"][0]) == (UNKNOWN, True)
    assert "trust" not in world.plastic("install", "gemini", "--json").json


def test_a_server_is_asked_with_its_stdin_open(tmp_path: Path) -> None:
    path = tmp_path / "server"
    program(
        path, "import sys\nsys.stdin.readline()\nprint('one\\ntwo', flush=True)\nsys.stdin.read()"
    )
    found = ask([str(path)], "/", b"?\n", lambda line: line == "two", 30.0)
    assert found == "two"
    assert ask([str(path)], "/", b"?\n", lambda line: line == "three", 0.2) is None
    with pytest.raises(Broken):
        ask([str(tmp_path / "none")], "/", b"", lambda _line: True, 1.0)


def test_the_question_is_one_object_a_line() -> None:
    lines = [json.loads(line) for line in trust._question("/repo").splitlines()]
    assert [one["method"] for one in lines] == ["initialize", "initialized", "hooks/list"]
    assert lines[2]["params"] == {"cwds": ["/repo"]}
