"""Starts shfmt, which knows the shell's grammar, and reads the syntax tree of a command from it.

A hook cannot afford `subprocess`. A parser that is absent, breaks, hangs or says too much gives no
tree, never half of one: the caller then knows nothing of the command.
"""

from __future__ import annotations

import posix
import sys
import time

from plastic.quickjson import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PATIENCE = 2.0  # seconds; a harness waits ten for the hook, shfmt needs three thousandths
LONGEST = 16 * 1024  # bytes of one text that is parsed
SHORT = 2048  # bytes that a parser in order answers; what nests deeper in more may take minutes
MOST = 24 << 20  # bytes of JSON; 16 KB of commands make some four million
PIECE = 1 << 18
TICK = 0.0001  # seconds between two looks at a pipe that is empty
KILL = 9
# It lives for three thousandths of a second: collecting memory or starting threads is not worth it.
ENV = {"GOGC": "off", "GOMAXPROCS": "1"}
_ahead: dict[str, Run] = {}


class Unparsed(Exception):
    """There is no tree; `is_ours` = the parser is to blame, not the command."""

    def __init__(self, why: str, *, is_ours: bool) -> None:
        super().__init__(why)
        self.why = why
        self.is_ours = is_ours


def path() -> str:
    """Where shfmt lies: named by PLASTIC_SHFMT, else beside the interpreter, where pip puts it."""
    named = posix.environ.get(b"PLASTIC_SHFMT", b"").decode("utf-8", "surrogateescape").strip()
    return named or f"{sys.executable.rpartition('/')[0]}/shfmt"


class Run:
    """One shfmt at work on one text; `error` says why it could not be started."""

    __slots__ = ("_data", "_end", "_in", "_out", "_pid", "_size", "error")

    def __init__(self, text: str) -> None:
        self.error: Unparsed | None = None
        self._end = time.monotonic() + PATIENCE
        self._data = encoded(text)
        self._size = len(self._data)
        self._pid = 0
        try:
            self._start()
        except OSError as error:
            self.error = Unparsed(f"{path()}: {error.strerror}", is_ours=True)
        except ValueError as error:
            self.error = Unparsed(f"{path()}: {error}", is_ours=True)

    def _start(self) -> None:
        theirs_in, self._in = posix.pipe()
        self._out, theirs_out = posix.pipe()
        try:
            moves = [
                (posix.POSIX_SPAWN_DUP2, theirs_in, 0),
                (posix.POSIX_SPAWN_DUP2, theirs_out, 1),
                (posix.POSIX_SPAWN_OPEN, 2, "/dev/null", posix.O_WRONLY, 0),
            ]
            self._pid = posix.posix_spawn(
                path(), ["shfmt", "-ln=bash", "--to-json"], ENV, file_actions=moves
            )
        except BaseException:
            posix.close(self._in)
            posix.close(self._out)
            raise
        finally:
            posix.close(theirs_in)
            posix.close(theirs_out)
        posix.set_blocking(self._in, False)
        posix.set_blocking(self._out, False)
        self._feed()

    def _feed(self) -> None:
        """Write what the pipe takes; closing it is the end of the text."""
        try:
            while self._data:
                self._data = self._data[posix.write(self._in, self._data) :]
        except BlockingIOError:
            return
        except OSError:
            self._data = b""  # it does not listen any more
        posix.close(self._in)
        self._in = -1

    def tree(self) -> dict[str, Any]:
        """The syntax tree; Unparsed when there is none."""
        if self.error is not None:
            raise self.error
        try:
            out = self._read()
        finally:
            code = self._close()
        if code != 0:
            # 1 is "no valid shell"; everything else, signals too, is the parser's own trouble.
            raise Unparsed(
                "it is no valid shell text" if code == 1 else f"shfmt ended with {code}",
                is_ours=code != 1,
            )
        try:
            tree = loads(out)
        except RecursionError:
            raise Unparsed("it is nested too deeply", is_ours=False) from None
        except (ValueError, MemoryError) as error:
            deep = isinstance(error.__cause__, RecursionError)
            why = "it is nested too deeply" if deep else f"shfmt: {type(error).__name__}"
            raise Unparsed(why, is_ours=not deep) from None
        if not isinstance(tree, dict) or tree.get("Type") != "File":
            raise Unparsed("shfmt said no syntax tree", is_ours=True)
        return tree

    def _read(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            if self._in >= 0:
                self._feed()
            try:
                part = posix.read(self._out, PIECE)
            except BlockingIOError:
                if time.monotonic() > self._end:
                    why = f"shfmt did not answer in {PATIENCE:.0f} s"
                    raise Unparsed(why, is_ours=self._size <= SHORT) from None
                time.sleep(TICK)
                continue
            if not part:
                return b"".join(parts)
            parts.append(part)
            size += len(part)
            if size > MOST:
                raise Unparsed("shfmt says too much of it", is_ours=False)

    def _close(self) -> int:
        """End it, whatever it does, and give its exit code; no child is left behind."""
        for fd in (self._in, self._out):
            if fd >= 0:
                posix.close(fd)
        self._in = self._out = -1
        while True:
            pid, status = posix.waitpid(self._pid, posix.WNOHANG)
            if pid:
                return posix.waitstatus_to_exitcode(status)
            if time.monotonic() > self._end:
                posix.kill(self._pid, KILL)
                posix.waitpid(self._pid, 0)
                return -KILL
            time.sleep(TICK)


def encoded(text: str) -> bytes:
    """The text as a shell gets it; a lone surrogate arrives as U+FFFD, as harnesses write it."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        plain = ("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in text)
        return "".join(plain).encode()


def ahead(text: str) -> None:
    """Start on a text now; whoever asks for its tree later finds it half done."""
    if len(text) <= LONGEST and text not in _ahead:
        _ahead[text] = Run(text)


def start(text: str) -> Run:
    """shfmt at work on this text, the one that was started ahead if there is one."""
    return _ahead.pop(text, None) or Run(text)
