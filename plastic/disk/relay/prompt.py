"""Reads a prompt from a file or from stdin: every byte of it, those that are no UTF-8 as well."""

from __future__ import annotations

import os
import sys

from plastic.disk.command import look_command
from plastic.words import Usage

MOST = 1 << 20  # bytes


def prompt_from(path: str) -> str:
    """The text; refused when it cannot be read or is too long. `-` is stdin."""
    if path == "-":
        data = sys.stdin.buffer.read(MOST + 1)
    else:
        try:
            with open(path, "rb") as file:  # a pipe of the shell (`<(...)`) is welcome
                data = file.read(MOST + 1)
        except OSError as error:
            why = f"{path} cannot be read: {error.strerror}"
            raise Usage("prompt", why, run=look_command(os.path.abspath(path))) from None
    if len(data) > MOST:
        raise Usage("prompt", f"{path} is longer than {MOST} bytes", run=f"wc -c {path}")
    return data.decode("utf-8", "surrogateescape")
