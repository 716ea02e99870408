"""`plastic install` and `uninstall`: our entries in a harness's settings, and the bare skills."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.command import again
from plastic.disk.files import (
    exists,
    is_regular,
    lstat,
    make_dirs,
    read,
    reason,
    remove,
    replace,
    stat,
)
from plastic.disk.git import toplevel
from plastic.disk.paths import parent_of, real
from plastic.disk.process import run
from plastic.disk.projects import edit_command
from plastic.harness import claude_settings as settings
from plastic.harness.jsontext import JsonError
from plastic.words import Broken, Refused, Usage
from plastic.work import share, skills

if TYPE_CHECKING:
    from collections.abc import Mapping

HARNESSES = ("claude",)
CANARY_SECONDS = 30.0


class Target(NamedTuple):
    """One installation: the harness's folder of the scope, and the entries that belong there."""

    scope: str
    folder: str
    line: str
    gate: str
    python: str
    strict: bool

    @property
    def settings(self) -> str:
        return f"{self.folder}/settings.json"

    @property
    def skill(self) -> str:
        return f"{self.folder}/skills/{skills.FIRST}/SKILL.md"


def target(
    harness: str, scope: str, env: Mapping[str, str], cwd: str, *, strict: bool = False
) -> Target:
    """What to install and where; Usage for a harness or scope that there is not."""
    if harness not in HARNESSES:
        known = ", ".join(HARNESSES)
        raise Usage(
            "harness", f"`{harness}` is not known; there is {known}", run="plastic install claude"
        )
    if scope not in ("user", "project"):
        raise Usage(
            "scope", f"--scope is user or project, not `{scope}`", run=f"plastic install {harness}"
        )
    python, gate = share.interpreter(), f"{share.folder()}/hooks/gate"
    line = settings.command(python, gate)
    return Target(scope, _folder(scope, env, cwd), line, gate, python, strict)


def _folder(scope: str, env: Mapping[str, str], cwd: str) -> str:
    if scope == "project":
        top = toplevel(cwd)
        if top is None:
            raise Refused(
                "no-repository",
                f"{cwd} is not in a git repository: --scope project writes into one",
                run="plastic install claude --scope user",
            )
        return f"{top}/.claude"
    named = env.get("CLAUDE_CONFIG_DIR", "").strip()
    return os.path.abspath(named) if named else os.path.expanduser("~/.claude")


def check(where: Target) -> dict[str, Any]:
    """What is there, without changing anything."""
    text = _text(where)
    states = [
        _understood(where, lambda strict=strict: settings.state(text, where.line, strict=strict))
        for strict in (where.strict, True)
    ]
    if settings.INSTALLED in states:
        strict = where.strict or states[0] != settings.INSTALLED
        where, states[0] = where._replace(strict=strict), settings.INSTALLED
    return _report(where, states[0], skills.state(where.folder), changed=False)


def install(where: Target) -> dict[str, Any]:
    """Write our entries and the skills; again changes nothing, a moved checkout is mended.

    The hook is tried first: an entry that cannot run would be an error at every tool use.
    """
    before = _text(where)
    after = _understood(where, lambda: settings.installed(before, where.line, strict=where.strict))
    _try_hook(where)
    if after != before:
        _write(where, before, after)
    skill = skills.install(where.folder)
    return _report(where, settings.INSTALLED, skill, changed=after != before)


def uninstall(where: Target) -> dict[str, Any]:
    """Take our entries out, and the skills unless somebody changed them; everybody else's stays."""
    before = _text(where)
    after = None if before is None else _understood(where, lambda: settings.removed(before))
    if before is not None and after != before:
        _write(where, before, after)
    skill = skills.uninstall(where.folder)
    return _report(where, settings.ABSENT, skill, changed=after != before)


def _report(where: Target, state: str, skill: str, *, changed: bool) -> dict[str, Any]:
    return {
        "harness": "claude",
        "scope": where.scope,
        "settings": where.settings,
        "state": state,
        "changed": changed,
        "strict": where.strict,
        "python": where.python,
        "gate": where.gate,
        "skill": where.skill,
        "skill_state": skill,
        "skills": {one.name: skills.state_of(one) for one in skills.skills(where.folder)},
        "on_path": share.is_on_path(os.environ),
        "bin": share.bin_folder(),
    }


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
    try:
        return change()
    except JsonError as error:
        raise _unreadable(real(where.settings), error.line, str(error)) from None


def _unreadable(path: str, line: int, what: str) -> Refused:
    return Refused(
        "settings", f"{path}:{line}: {what}; nothing was changed", run=edit_command(path, line)
    )


def _write(where: Target, before: str | None, after: str | None) -> None:
    path = real(where.settings)
    seen = stat(path)
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
