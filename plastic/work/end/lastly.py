"""What follows the unlock of an End: the bridge, then `on_done`; anybody may finish it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from plastic.disk import endfile
from plastic.disk.failpoints import point
from plastic.disk.files import is_dir
from plastic.disk.gitenv import clean_environment
from plastic.disk.journal import note
from plastic.disk.process import shell
from plastic.words import Refusal
from plastic.work.lock.bridge import forget, purge

if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.endfile import Ending
    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.words import Intent

ON_DONE_TIMEOUT = 1800.0  # seconds for one command


def finish(
    home: Home,
    intent: Intent,
    project: Project | None,
    ending: Ending,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    """Drop the bridge, run `on_done` in the project, forget the End; how each command went.

    The End is done before its first command: one that fails is reported and undoes nothing. Killed
    in the middle, all of them are run again. Nothing is done while another process is at it.
    """
    with endfile.finishing(intent.dir) as is_ours:
        return _finish(home, intent, project, ending, say) if is_ours else []


def _finish(
    home: Home,
    intent: Intent,
    project: Project | None,
    ending: Ending,
    say: Callable[[str], None],
) -> list[dict[str, Any]]:
    if ending.session:
        forget(intent, ending.session)
        purge(home, ending.session)
    point("end.bridged")
    ran = []
    for line in project.on_done if project is not None else []:
        place = project.path if project is not None and is_dir(project.path) else home.root
        rc, said = _run(line, place)
        ran.append({"run": line, "exit": rc})
        if rc != 0:
            say(f"on_done: {line} ended with {rc}: {said or 'it said nothing'}")
            note(home, "on-done", intent=intent.id, run=line, exit=rc)
    point("end.told")
    endfile.drop(intent.dir)
    point("end.forgotten")
    return ran


def _run(line: str, place: str) -> tuple[int, str]:
    try:
        done = shell(line, place, clean_environment(os.environ), ON_DONE_TIMEOUT)
    except Refusal as refusal:
        return refusal.exit, refusal.reason
    return done.rc, done.tail(1)
