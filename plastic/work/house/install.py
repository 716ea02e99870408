"""`plastic install` and `uninstall`: our entries in a harness's settings, and its commands."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

from plastic.disk.command import again
from plastic.disk.files import exists, is_regular, lstat, make_dirs, read, reason, remove, replace
from plastic.disk.files import stat as stat_of
from plastic.disk.paths import parent_of, real
from plastic.disk.process import run
from plastic.disk.projects import edit_command
from plastic.disk.tree import remove_empty
from plastic.harness.entry import ABSENT, INSTALLED
from plastic.harness.jsontext import JsonError
from plastic.harness.pluginfile import NotOurs
from plastic.words import Broken, Refused
from plastic.work.house import share, skills
from plastic.work.house.cautions import cautions
from plastic.work.house.target import Target, target

if TYPE_CHECKING:
    from plastic.work.house.trust import Trust

__all__ = ("CANARY_SECONDS", "Target", "check", "install", "target", "uninstall")
CANARY_SECONDS = 30.0


def check(where: Target) -> dict[str, Any]:
    """What is there, without changing anything."""
    text = _text(where)
    form = where.form
    states = [
        _understood(where, lambda strict=strict: form.state(text, where.line, strict=strict))
        for strict in (where.strict, True)
    ]
    if INSTALLED in states:
        strict = where.strict or states[0] != INSTALLED
        where, states[0] = where._replace(strict=strict), INSTALLED
    return _report(where, states[0], skills.state(where), changed=False)


def install(where: Target) -> dict[str, Any]:
    """Write our entries and the commands; again changes nothing, a moved checkout is mended.

    The hook is tried first: an entry that cannot run would be an error at every tool use.
    """
    before = _text(where)
    form = where.form
    after = _understood(where, lambda: form.installed(before, where.line, strict=where.strict))
    _try_hook(where)
    if after != before:
        _write(where, before, after)
    skill = skills.install(where)
    return _report(where, INSTALLED, skill, changed=after != before)


def uninstall(where: Target) -> dict[str, Any]:
    """Take our entries out, and the commands unless somebody changed them; the rest stays."""
    before = _text(where)
    form = where.form
    after = None if before is None else _understood(where, lambda: form.removed(before))
    if before is not None and after != before:
        _write(where, before, after)
    skill = skills.uninstall(where)
    folders = [parent_of(where.settings), parent_of(where.commands)]
    for folder in [*folders, where.folder] if where.scope == "project" else folders:
        if folder != where.folder or where.scope == "project":
            remove_empty(folder)
    state = form.state(after, where.line, strict=False)
    return _report(where, state, skill, changed=after != before)


def _report(where: Target, state: str, skill: str, *, changed: bool) -> dict[str, Any]:
    commands = skills.skills(where)
    first = next(one.path for one in commands if one.name == skills.FIRST)
    found: dict[str, Any] = {
        "harness": where.harness,
        "scope": where.scope,
        "settings": where.settings,
        "state": state,
        "changed": changed,
        "strict": where.strict,
        "python": where.python,
        "gate": where.gate,
        "skill": first,
        "skill_state": skill,
        "skills": {one.name: skills.state_of(one) for one in commands},
        "typed": where.place.typed,
        "on_path": share.is_on_path(os.environ),
        "bin": share.bin_folder(),
    }
    trust = _trust(where) if state != ABSENT else None
    if trust is not None:
        found["trust"] = trust.state
    found["notes"] = cautions(where, state, trust)
    return found


def _trust(where: Target) -> Trust | None:
    if where.harness != "codex":
        return None
    from plastic.work.house.trust import look

    return look(where)


# -- settings --------------------------------------------------------------------------------------


def _text(where: Target) -> str | None:
    """The settings' text; a link (of a dotfile manager) is followed, else only a file is read."""
    path = real(where.settings)
    try:
        data = read(path)
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(path, 1, f"is not UTF-8 text ({error.reason})") from None
    except OSError as error:
        raise Broken("settings", reason(error), run=f"ls -ld {shlex.quote(path)}") from None


def _understood(where: Target, change: Any) -> Any:
    path = real(where.settings)
    try:
        return change()
    except NotOurs as error:
        aside = shlex.join(["mv", path, f"{path}.changed"])
        raise Refused(
            "changed", f"{path}: {error}; nothing was changed", run=f"{aside} && {again()}"
        ) from None
    except JsonError as error:
        raise _unreadable(path, error.line, str(error)) from None


def _unreadable(path: str, line: int, what: str) -> Refused:
    return Refused(
        "settings", f"{path}:{line}: {what}; nothing was changed", run=edit_command(path, line)
    )


def _write(where: Target, before: str | None, after: str | None) -> None:
    path = real(where.settings)
    seen = stat_of(path)
    if seen is not None and not seen.st_mode & 0o222:
        raise Refused(
            "read-only",
            f"{path} is read-only; nothing was changed",
            run=f"chmod u+w {shlex.quote(path)} && {again()}",
        )
    if _text(where) != before:
        raise Refused("settings-changed", f"{path} was changed meanwhile", run=again())
    if after is None:
        remove(path)
        return
    make_dirs(parent_of(path))
    replace(path, after.encode("utf-8"))


# -- the hook itself -------------------------------------------------------------------------------


def _try_hook(where: Target) -> None:
    """Run the entry once as the harness does; this also compiles the bytecode it starts from."""
    from plastic.disk.tree import compile_tree

    compile_tree(share.PACKAGE)
    seen = lstat(where.gate)
    if seen is None or not is_regular(seen) or not seen.st_mode & 0o111:
        raise Broken(
            "gate",
            f"{where.gate} is not executable",
            run=f"chmod +x {shlex.quote(where.gate)} && {again()}",
        )
    home = os.path.expanduser("~")
    cwd = home if exists(home) else "/"
    done = run(["/bin/sh", "-c", where.line], cwd, timeout=CANARY_SECONDS, stdin=b"{}")
    if done.rc != 0 or done.out.strip() or done.err.strip():
        raise Broken(
            "canary",
            f"the hook does not run (exit {done.rc}): {done.tail(1)}",
            run=f"echo '{{}}' | {where.line}",
        )
