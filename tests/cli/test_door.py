"""Whatever happens inside a command: one clear line, the right exit code, never a traceback."""

from __future__ import annotations

import errno
import json
import os
import shlex
import sys

import pytest
import typer

from plastic.cli import door
from plastic.words import Broken, Held, Lost, Missing, Refused, Stale, Usage
from tests.world import Done, World


def app_that(raises: BaseException | None) -> typer.Typer:
    app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

    @app.callback()
    def whole() -> None:
        """Nothing."""

    @app.command()
    def act(number: int = 0, as_json: bool = typer.Option(False, "--json")) -> None:
        """Act."""
        if raises is not None:
            raise raises
        door.emit({"number": number}, f"number {number}", as_json=as_json)

    return app


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refused("x", "no"), 1),
        (Usage("x", "no"), 2),
        (Held("x", "no"), 3),
        (Stale("x", "no"), 4),
        (Lost("x", "no"), 4),
        (Broken("x", "no"), 5),
        (Missing("x", "no"), 6),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/x"), 5),
        (ZeroDivisionError("our own bug"), 5),
        (KeyboardInterrupt(), 130),
    ],
)
def test_exit_codes(error: BaseException, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert door.run(app_that(error), "plastic", ["act"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("plastic: ")
    assert "Traceback" not in err


def test_a_refusal_is_what_who_and_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    error = Held("held", "7 is held", run="plastic start 7 --wait", who="S1", since="noon")
    assert door.run(app_that(error), "plastic", ["act"]) == 3
    assert capsys.readouterr().err.splitlines() == [
        "plastic: 7 is held",
        "held by: S1 since noon",
        "run: plastic start 7 --wait",
    ]
    assert door.run(app_that(error), "plastic", ["act", "--json"]) == 3
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == {
        "error": {
            "code": "held",
            "reason": "7 is held",
            "who": "S1",
            "since": "noon",
            "run": "plastic start 7 --wait",
        }
    }


@pytest.mark.parametrize(
    "argv", [["nonsense"], ["act", "--number", "many"], ["act", "--nope"], ["act", "extra"]]
)
def test_usage_is_one_line_with_the_help_command(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert door.run(app_that(None), "plastic", argv) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("run: plastic")
    assert lines[1].endswith("--help")


def test_a_result_is_text_or_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.run(app_that(None), "plastic", ["act", "--number", "3"]) == 0
    assert capsys.readouterr().out == "number 3\n"
    assert door.run(app_that(None), "plastic", ["act", "--number", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"number": 3}


def test_a_reason_is_read_by_people(capsys: pytest.CaptureFixture[str]) -> None:
    """A word of a hundred thousand letters is quoted by its two ends; --json has it whole."""
    long = Usage("x", f"no {'x' * 100_000} here", run="plastic --help")

    def act() -> int:
        raise long

    assert door.guarded("plastic", [], act) == 2
    said = capsys.readouterr().err
    assert len(said) < 2200
    assert said.startswith("plastic: no xxx")
    assert "xxx here\nrun: plastic --help" in said
    assert door.guarded("plastic", ["--json"], act) == 2
    assert json.loads(capsys.readouterr().out)["error"]["reason"] == long.reason


def test_control_characters_never_reach_a_terminal_raw() -> None:
    assert door.printable("a\x1b[31mb\x07\tc\nd\x9b") == "a\\x1b[31mb\\x07\tc\nd\\x9b"
    assert door.printable("b\udcff") == "b\\xdcff"
    assert door.printable("日本語 é") == "日本語 é"


@pytest.mark.parametrize("entry", ["plastic", "plastic_lock"])
def test_windows_is_refused_in_one_line(world: World, entry: str) -> None:
    # A Windows Python has no posix module: nothing that needs it may come first.
    code = (
        "import sys; sys.platform = 'win32'; sys.modules['posix'] = None; "
        f"from plastic.cli.entry import {entry}; sys.exit({entry}())"
    )
    done = world.run(sys.executable, "-c", code)
    assert done.rc == 1
    assert done.err == f"{entry.replace('_', '-')}: Windows is not supported; run it in WSL\n"


def test_a_relative_home_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLASTIC_HOME", "here")
    with pytest.raises(Usage, match="absolute"):
        door.home()


def test_a_bug_names_the_command_that_shows_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert door.run(app_that(ZeroDivisionError("x")), "plastic", ["act", "--number", "3"]) == 5
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "run: env PLASTIC_DEBUG=1 plastic act --number 3"
    monkeypatch.setenv("PLASTIC_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        door.run(app_that(ZeroDivisionError("x")), "plastic", ["act"])


def test_json_behind_two_dashes_is_another_commands(capsys: pytest.CaptureFixture[str]) -> None:
    def refuse() -> int:
        raise Held("held", "7 is held")

    assert door.guarded("plastic-lock", ["keep", "--", "cmd", "--json"], refuse) == 3
    assert capsys.readouterr() == ("", "plastic-lock: 7 is held\n")
    assert door.guarded("plastic-lock", ["keep", "--json", "--", "cmd"], refuse) == 3
    assert "held" in json.loads(capsys.readouterr().out)["error"]["code"]


def shell(world: World, command: str, **env: str) -> Done:
    """A shell line in which `plastic` is this Python's."""
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    function = f'plastic() {{ {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"; }}'
    return world.run("/bin/sh", "-c", f"{function}; {command}", cwd=world.repo, env=env)


def test_a_letter_that_the_terminal_lacks_is_shown_by_its_number(shop: World) -> None:
    shop.new("Zähle Brötchen")
    done = shell(shop, "plastic list", PYTHONIOENCODING="ascii")
    assert (done.rc, done.err) == (0, "")
    assert "Z\\xe4hle Br\\xf6tchen" in done.out


def test_a_working_directory_that_is_gone_is_said(shop: World) -> None:
    gone = "mkdir gone && cd gone && rmdir ../gone"
    done = shell(shop, f"{gone} && plastic new Title --json")
    assert (done.rc, done.err) == (5, "")
    assert done.json["error"]["code"] == "no-cwd"
    assert shell(shop, f"{gone} && plastic list").rc == 0


@pytest.mark.parametrize("verb", ["list", "list --json", "new Title --json", "show 9 --json"])
def test_a_full_stdout_is_said_on_stderr(shop: World, verb: str) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    done = shell(shop, f"plastic {verb} > /dev/full")
    assert done.rc in (5, 6)
    assert done.err.startswith("plastic: ")
    assert "Traceback" not in done.err
    assert "Exception ignored" not in done.err


def test_a_closed_stderr_leaves_stdout_to_the_object(shop: World) -> None:
    made = shop.new("Title")
    done = shell(shop, f"plastic start {made['id']} --json --session me 2>&-")
    assert done.rc == 0
    assert done.json["id"] == made["id"]
