"""`plastic doctor`: what is not in order, with one command for each; `--fix` heals what is safe."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from plastic.cli.door import caller, emit, home

MARKS = {"ok": "ok", "healed": "healed", "note": "note", "trouble": "TROUBLE"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(doctor)


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Heal what is provably safe.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Examine home, locks, worktrees and hooks; exit 1 when something needs a person."""
    from plastic.work.doctor.found import Patient
    from plastic.work.doctor.run import examine

    patient = Patient(home(), os.environ, os.getcwd(), caller(None))
    found = examine(patient, fix=fix)
    emit(found, _text(found), as_json=as_json)
    if not found["healthy"]:
        raise typer.Exit(1)


def _text(found: dict[str, Any]) -> str:
    lines = []
    for check in found["checks"]:
        lines.append(f"{MARKS[check['state']]:<8} {check['check']:<13} {check['looks']}")
        lines += [f"{'':<8} healed: {one}" for one in check["healed"]]
        for one in check["findings"]:
            lines.append(f"{'':<8} {one['what']}")
            if one["run"]:
                lines.append(f"{'':<8} run: {one['run']}")
    lines.append("healthy" if found["healthy"] else "something needs you")
    return "\n".join(lines)
