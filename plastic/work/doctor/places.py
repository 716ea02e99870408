"""Checks of the machine: file systems, locks that work, clocks, commands that agents need."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from plastic.disk import bridges, shfmt
from plastic.disk.clock import iso
from plastic.disk.files import is_dir, reason
from plastic.disk.mounts import kind_of, trial
from plastic.rules.checks import database, network
from plastic.rules.lock.lease import FUTURE
from plastic.work.doctor.found import NOTE, Found
from plastic.work.house.share import bin_folder, is_on_path
from plastic.work.tree.orphans import yards

if TYPE_CHECKING:
    from plastic.work.doctor.found import Patient


DATABASE = {"wal": "as elsewhere", "journal": "without WAL", "refused": "not at all"}


def filesystems(patient: Patient) -> list[Found]:
    """Every directory in which a guard or a lock of ours lies."""
    found: list[Found] = []
    places = {"the home": patient.home.root}
    for yard in yards(patient.home):
        places[f"the repository of {yard.project.slug}"] = yard.site.common
    folder = bridges.directory(patient.env)
    if bridges.is_private(folder):
        places["the temporary directory"] = folder
    for what, path in places.items():
        found += _place(what, path)
    return found


def _place(what: str, path: str) -> list[Found]:
    look = f"df -T {shlex.quote(path)}"
    try:
        tried = trial(path)
    except OSError as error:
        return [Found(f"{what} ({path}) cannot be written: {reason(error)}", look)]
    found = []
    kind = kind_of(path)
    about = network(kind)
    if tried.locks:
        found.append(Found(f"{what} ({path}, {kind or 'unknown'}): {tried.locks}", look))
    elif about is not None:
        mode = f"guards were tried out and work; a database here: {DATABASE[database(kind)]}"
        what_kind = f"{what} ({path}) is on {kind}: {about}. {mode}"
        found.append(Found(what_kind, look, NOTE))
    if not tried.links:
        text = "no hard links: locks are published by rename under the guard"
        found.append(Found(f"{what} ({path}): {text}", look, NOTE))
    if abs(tried.skew) > FUTURE:
        text = f"its clock and ours differ by {tried.skew:.0f} s: {iso()} here"
        found.append(Found(f"{what} ({path}): {text}", "date -u"))
    return found


def commands(patient: Patient) -> list[Found]:
    """What refusals print must work when pasted; the shell gate needs its parser."""
    found = []
    if not is_on_path(patient.env):
        run = f"export PATH={shlex.quote(bin_folder())}:$PATH"
        found.append(Found("agents will not find `plastic`: it is not on PATH", run, NOTE))
    parser = shfmt.path()
    if not os.access(parser, os.X_OK) or is_dir(parser):
        what = f"shfmt is not at {parser}: shell commands are judged by their words alone"
        found.append(Found(what, "python3 -m pip install shfmt-py"))
    return found
