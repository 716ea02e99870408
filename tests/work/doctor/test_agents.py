"""doctor about the harnesses: each trouble once, with the command that ends it or shows it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk.presence import path_of
from plastic.harness.places import PLACES
from plastic.harness.table import HARNESSES
from plastic.rules.checks import AGENTS, CHECKS
from plastic.work.doctor import agents
from plastic.work.doctor import canary as canaries
from plastic.work.doctor.found import Found, Patient
from plastic.work.doctor.signs import SIGNS, last_run, newest
from plastic.work.house.target import target

if TYPE_CHECKING:
    from tests.world import World

NAMES = list(PLACES)


def look(shop: World, name: str) -> list[Found]:
    from plastic.disk.session import Caller

    patient = Patient(shop.home, os.environ, str(shop.repo), Caller("", "none"))
    return agents.harness(name, patient)


def troubles(shop: World, name: str) -> list[Found]:
    return [one for one in look(shop, name) if one.level == "trouble"]


def install(shop: World, name: str, *words: str) -> Path:
    done = shop.plastic("install", name, "--json", *words, cwd=shop.repo)
    assert done.rc == 0, done.err + done.out
    return Path(done.json["settings"])


def seen(shop: World, name: str, ago: float = 0.0) -> None:
    path = Path(path_of(shop.home, name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"version": "v9"}\n')
    shop.age(path, ago)


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the processes of the canary, which other tests start."""
    monkeypatch.setattr(agents, "canary", lambda *_, **__: [])


def test_the_lists_of_harnesses_agree() -> None:
    assert {name: place.title for name, place in PLACES.items()} == AGENTS
    # `ok` stands before it where a harness is not there at all: then it must be true as well.
    assert all(CHECKS[name].looks.startswith(f"where {AGENTS[name]} is used, ") for name in NAMES)
    assert list(HARNESSES) == list(agents.TRIALS) == list(AGENTS) == NAMES
    assert set(SIGNS) <= set(NAMES)


def test_what_is_not_used_is_no_finding(shop: World) -> None:
    assert [one.run for one in look(shop, "claude")] == ["plastic install claude"]
    assert [look(shop, name) for name in NAMES if name != "claude"] == [[]] * 6


def test_what_was_uninstalled_is_not_taken_for_used(shop: World) -> None:
    for name in NAMES:
        folder = Path(os.path.expanduser(PLACES[name].user))
        folder.mkdir(parents=True, exist_ok=True)  # all that `uninstall` leaves
    assert [look(shop, name) for name in NAMES if name != "claude"] == [[]] * 6


@pytest.mark.parametrize("name", [name for name in NAMES if name != "opencode"])
def test_what_is_used_is_a_note(shop: World, name: str) -> None:
    folder = Path(os.path.expanduser(PLACES[name].user))
    (folder / "sessions").mkdir(parents=True)
    (one,) = look(shop, name)
    assert "it is used here" in one.what
    assert (one.run, one.level) == (f"plastic install {name}", "note")
    assert shop.plastic(*one.run.split()[1:], cwd=shop.repo).rc == 0
    assert not any("not installed" in found.what for found in look(shop, name))


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_the_canary_of_each_is_refused(shop: World, name: str, strict: bool) -> None:
    install(shop, name, *(["--strict"] if strict else []))
    assert troubles(shop, name) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_refuses_nothing_is_found(
    shop: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """field 3.5: a gate that proves that it is alive"""
    install(shop, name)
    monkeypatch.setattr(canaries, "installed_line", lambda *_, **__: "cat > /dev/null")
    (one,) = troubles(shop, name)
    assert "let a write into a foreign intent pass" in one.what
    assert one.run == f"plastic install {name} --scope user"


def test_a_line_that_minds_everything_or_breaks_is_found(
    shop: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(shop, "copilot")
    for line, said in (
        ("cat > /dev/null; echo no >&2; exit 2", "minds a harmless write"),
        ("cat > /dev/null; exit 3", "breaks (exit 3"),
    ):
        monkeypatch.setattr(canaries, "installed_line", lambda *_, line=line, **__: line)
        (one,) = troubles(shop, "copilot")
        assert said in one.what


def test_the_line_is_the_one_of_the_settings(shop: World) -> None:
    for name in ("claude", "codex", "gemini", "cursor", "copilot"):
        for strict in (False, True):
            path = install(shop, name, *(["--strict"] if strict else []))
            where = target(name, "user", os.environ, str(shop.repo))
            line = canaries.installed_line(where, strict=strict)
            assert json.dumps(line)[1:-1] in path.read_text(), name
            assert shop.plastic("uninstall", name, cwd=shop.repo).rc == 0


def test_an_older_installation(shop: World, fast: None) -> None:
    path = install(shop, "claude")
    raw = json.loads(path.read_text())
    for event in ("SessionStart", "Stop"):
        del raw["hooks"][event]
    path.write_text(json.dumps(raw))
    (one,) = troubles(shop, "claude")
    assert "of another version or incomplete" in one.what
    assert shop.plastic(*one.run.split()[1:], cwd=shop.repo).rc == 0
    assert troubles(shop, "claude") == []
    assert set(json.loads(path.read_text())["hooks"]) >= {"SessionStart", "Stop", "SessionEnd"}


@pytest.mark.parametrize(
    ("name", "text"),
    [("claude", {"disableAllHooks": True}), ("gemini", {"hooksConfig": {"enabled": False}})],
)
def test_a_switch_that_turns_hooks_off(
    shop: World, fast: None, name: str, text: dict[str, Any]
) -> None:
    path = Path(os.path.expanduser(PLACES[name].user), "settings.json")
    path.parent.mkdir()
    path.write_text(json.dumps(text))
    install(shop, name)
    (one,) = [one for one in troubles(shop, name) if "turns all hooks off" in one.what]
    assert next(iter(text)) in one.what
    assert str(path) in one.run


class TestTrust:
    @pytest.mark.parametrize(
        ("state", "level"), [("not trusted", "trouble"), ("unknown", "note"), ("trusted", None)]
    )
    def test_codex_says_what_it_trusts(
        self, shop: World, fast: None, monkeypatch: pytest.MonkeyPatch, state: str, level: str
    ) -> None:
        from plastic.work.house import trust

        install(shop, "codex")
        answer = trust.Trust(state, "2 of 8 hooks")
        monkeypatch.setattr(trust, "look", lambda _: answer)
        found = [one for one in look(shop, "codex") if one.run == "codex"]
        assert [one.level for one in found] == ([level] if level else [])
        assert all("/hooks" in one.what for one in found)


class TestSeen:
    def session(self, shop: World, ago: float, project: str = "any") -> None:
        path = Path(os.path.expanduser("~/.claude/projects"), project, "x.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
        shop.age(path, ago)

    def test_not_yet(self, shop: World, fast: None) -> None:
        install(shop, "claude")
        (one,) = look(shop, "claude")
        assert "has not called the hooks yet" in one.what
        assert (one.run, one.level) == ("claude -p ok && plastic doctor", "note")

    def test_last_seen(self, shop: World, fast: None) -> None:
        install(shop, "claude")
        seen(shop, "claude", 60)
        (one,) = look(shop, "claude")
        assert one.what.startswith("last seen ")
        assert "(v9)" in one.what

    def test_it_ran_and_was_not_seen(self, shop: World, fast: None) -> None:
        """The loud line."""
        path = install(shop, "claude")
        shop.age(path, 90_000)
        self.session(shop, 0)
        (one,) = look(shop, "claude")
        assert one.level == "trouble"
        assert "called no hook of ours at all: NOTHING IS ENFORCED THERE" in one.what
        assert one.run == "claude -p ok && plastic doctor"
        seen(shop, "claude", 80_000)
        (one,) = look(shop, "claude")
        assert one.level == "trouble"
        assert "no hook of ours since " in one.what
        seen(shop, "claude", 300)
        assert troubles(shop, "claude") == []

    def test_the_printed_command_ends_the_loud_line(
        self, shop: World, fast: None, tmp_path: Path
    ) -> None:
        """The command starts the harness, and a harness that calls the hooks is heard of."""
        path = install(shop, "claude")
        shop.age(path, 90_000)
        self.session(shop, 0)
        (one,) = troubles(shop, "claude")
        start = {"session_id": "s", "cwd": "/", "hook_event_name": "SessionStart"}
        line = target("claude", "user", os.environ, str(shop.repo)).line
        (tmp_path / "bin").mkdir()
        program = tmp_path / "bin" / "claude"
        program.write_text(f"#!/bin/sh\necho '{json.dumps(start)}' | {line}\n")
        program.chmod(0o755)
        env = {"PATH": f"{program.parent}:{os.environ['PATH']}"}
        command = one.run.removesuffix(" && plastic doctor")
        assert shop.run("/bin/sh", "-c", command, env=env).rc == 0
        assert troubles(shop, "claude") == []

    def test_a_session_from_before_the_installation_says_nothing(
        self, shop: World, fast: None
    ) -> None:
        install(shop, "claude")
        self.session(shop, 3600)
        assert troubles(shop, "claude") == []

    def test_an_installation_in_a_repository_is_judged_by_its_own_sessions(
        self, shop: World, fast: None
    ) -> None:
        path = install(shop, "claude", "--scope", "project")
        shop.age(path, 90_000)
        self.session(shop, 0, "-elsewhere")
        assert troubles(shop, "claude") == []
        own = "".join(one if one.isalnum() else "-" for one in str(shop.repo))
        self.session(shop, 0, own)
        assert len(troubles(shop, "claude")) == 1

    def test_seen_without_an_entry_of_ours(self, shop: World) -> None:
        seen(shop, "copilot")
        (one,) = look(shop, "copilot")
        assert "were seen all the same" in one.what
        assert one.level == "note"

    def test_the_newest_file_of_many(self, tmp_path: Path) -> None:
        now = time.time()
        for number in range(20):
            path = tmp_path / "sessions" / "2026" / f"{number:02}" / "30" / "rollout.jsonl"
            path.parent.mkdir(parents=True)
            path.touch()
            os.utime(path, (now, now - 1000 + number))
            os.utime(path.parents[1], (now, now - 1000 + number))
        (tmp_path / "sessions" / "loop").symlink_to(tmp_path)
        assert last_run("codex", str(tmp_path), {}, None) == pytest.approx(now - 981)
        assert last_run("codex", str(tmp_path), {}, "/repo") is None
        assert last_run("cursor", str(tmp_path), {}, None) is None
        assert newest(str(tmp_path / "none"), 3) is None
        assert newest(str(tmp_path), 0) is None
        env = {"XDG_DATA_HOME": str(tmp_path)}
        assert last_run("opencode", "/none", env, None) is None
        (tmp_path / "opencode" / "storage").mkdir(parents=True)
        (tmp_path / "opencode" / "storage" / "x.json").touch()
        assert last_run("opencode", "/none", env, None) is not None
