"""The edge of every command: errors become one clear line and an exit code, nowhere else."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

from plastic.disk.command import look_command, remember
from plastic.disk.files import exists, reason
from plastic.disk.home import Home, home_from
from plastic.disk.session import Caller, caller_from
from plastic.disk.trail import mark
from plastic.words import Broken, Refusal, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import typer

INTERRUPTED = 130


def home() -> Home:
    """The home of this process."""
    try:
        return home_from(os.environ)
    except ValueError as error:
        raise Usage("home", str(error), run=f"export PLASTIC_HOME={_usual_home()}") from None


def _usual_home() -> str:
    """The default home; a login without HOME has one in the user database."""
    if os.environ.get("HOME", "").startswith("/"):
        return "$HOME/.plastic"
    import pwd

    return shlex.quote(pwd.getpwuid(os.getuid()).pw_dir.rstrip("/") + "/.plastic")


def caller(flag: str | None) -> Caller:
    """The session of this process."""
    return caller_from(os.environ, flag)


def emit(value: dict[str, Any], text: str, *, as_json: bool) -> None:
    """Print a result: one JSON object and nothing else, or text for people."""
    out = json.dumps(value, indent=2, ensure_ascii=True) if as_json else printable(text)
    print(out)


def say(line: str) -> None:
    """A line of progress or advice for people; stdout stays for the result."""
    print(printable(line), file=sys.stderr)


def printable(text: str) -> str:
    """Text without control characters, which a hostile title or file name could carry."""
    shown = "".join(
        letter if letter in "\n\t" or letter.isprintable() else f"\\x{ord(letter):02x}"
        for letter in text
    )
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def run(app: typer.Typer, name: str, args: Sequence[str] | None = None) -> int:
    """Run one command line of `app` and return its exit code; never a traceback."""
    words = list(sys.argv[1:] if args is None else args)
    return guarded(name, words, lambda: doing(name, words, lambda: _attempt(app, name, words)))


# Verbs that change no intent, and those that only wait or run something else for hours.
QUIET = frozenset(
    ("", "who", "status", "list", "show", "log", "hook", "keep", "guard", "board", "pen", "relay")
)


def doing(name: str, words: list[str], act: Callable[[], int]) -> int:
    """Run a command and leave a trace of when it ran: what it changes is nobody's taint."""
    verb = next((word for word in words if not word.startswith("-") and word != "lock"), "")
    if verb in QUIET or "--wait" in words or "--help" in words:
        return act()
    try:
        place = home_from(os.environ)
    except ValueError:
        return act()
    if not exists(place.projects_yml):
        return act()  # no home yet, or somebody else's folder: no trace is made in it
    call = str(os.getpid())
    mark(place, "command", "", call, f"{name} {verb}")
    try:
        return act()
    finally:
        mark(place, "end", "", call)


def guarded(name: str, words: list[str], act: Callable[[], int]) -> int:
    """Run what a command line asks for; an error becomes one clear line and its exit code."""
    remember(name, words)
    if os.environ.get("PLASTIC_TEST"):
        from plastic.disk.effects import watch

        watch()
    _mend_streams()
    # What stands behind `--` belongs to the command that is run.
    as_json = "--json" in words[: words.index("--") if "--" in words else None]
    try:
        return act()
    except Refusal as refusal:
        return _report(refusal, name, as_json=as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as error:
        return _report(_environment(error), name, as_json=as_json)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as bug:
        if os.environ.get("PLASTIC_DEBUG"):
            raise
        again = shlex.join(["env", "PLASTIC_DEBUG=1", name, *words])
        line = f"a bug of ours: {type(bug).__name__}: {bug}"
        return _report(Broken("bug", line, run=again), name, as_json=as_json)


def _mend_streams() -> None:
    """A terminal without the letter shows its number; a closed stderr is not stdout instead."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 # as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _cwd() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None


def _environment(error: OSError) -> Broken:
    """An error of the system, and the look at what it is about: room, or rights."""
    if error.filename is None and _cwd() is None:
        return Broken("no-cwd", "the working directory of this shell is gone", run="cd")
    place = error.filename if isinstance(error.filename, str) else _cwd() or "/"
    look = "df -h" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "ls -ld"
    return Broken("environment", reason(error), run=look_command(place, look))


def _attempt(app: typer.Typer, name: str, words: list[str]) -> int:
    from plastic.cli.narrow import narrowed

    command = narrowed(app, words)
    try:
        code = command(args=words, prog_name=name, standalone_mode=False)
    except Exception as error:
        # The usage errors of typer (and of click below older typers) share this shape only.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else name
        raise Usage("usage", message(), run=f"{path} --help") from None
    sys.stdout.flush()
    if code == INTERRUPTED:  # what typer makes of Ctrl-C
        print(f"{name}: interrupted", file=sys.stderr)
    return code if isinstance(code, int) else 0


LONGEST = 2000  # characters of a reason on a terminal; with --json it is whole


def _cut(reason: str) -> str:
    """A reason that quotes a word of a hundred thousand letters is read by nobody."""
    half = LONGEST // 2
    return reason if len(reason) <= LONGEST else f"{reason[:half]} [...] {reason[-half:]}"


def _report(refusal: Refusal, name: str, *, as_json: bool) -> int:
    if as_json:
        error = {
            "code": refusal.code,
            "reason": refusal.reason,
            "who": refusal.who,
            "since": refusal.since,
            "run": refusal.run,
        }
        try:
            print(json.dumps({"error": error, **refusal.facts}, indent=2), flush=True)
            return refusal.exit
        except OSError:
            # The full disk is stdout's own: what it could not take must not be tried again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    print(printable(f"{name}: {_cut(refusal.reason)}"), file=sys.stderr)
    if refusal.who:
        since = f" since {refusal.since}" if refusal.since else ""
        print(printable(f"held by: {refusal.who}{since}"), file=sys.stderr)
    if refusal.run:
        print(printable(f"run: {refusal.run}"), file=sys.stderr)
    return refusal.exit
