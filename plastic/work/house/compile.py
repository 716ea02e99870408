"""Compiles projects.yml and config.yml into the one file that hooks read."""

from __future__ import annotations

import time
from datetime import date, timedelta
from typing import Any

from plastic.disk import configvalues
from plastic.disk.compiled import FORMAT, cached, path_of, stamps
from plastic.disk.files import make_dirs, replace
from plastic.disk.gitdir import find
from plastic.disk.home import Home
from plastic.disk.paths import real
from plastic.disk.projects import Fault, Loaded, projects_in
from plastic.disk.projects import load as read_file
from plastic.quickjson import dumps


def compile_config(home: Home) -> list[Fault]:
    """Write the compiled configuration; the faults of the two files.

    A file with a fault keeps the values that were last good, each file for itself. The stamps are
    those from before the reading: a change meanwhile makes the next reader compile again.
    """
    seen = stamps(home)
    before = cached(home) or {}
    registry = read_file(home.projects_yml)
    config = read_file(home.config_yml)
    _refuse_twins(registry, home.projects_yml)
    faults = [*registry.faults, *config.faults]
    out: dict[str, Any] = {"format": FORMAT, "stamps": seen}
    out["projects"] = before.get("projects", {}) if registry.faults else _projects(registry)
    for key, value in _settings(config, before).items():
        out[key] = value
    out["errors"] = [str(fault) for fault in faults]
    out["stale"] = bool(faults)
    make_dirs(home.run)
    replace(path_of(home), dumps(out).encode())
    if not faults:
        configvalues.keep(home, seen, registry.values, config.values)
    return faults


def _projects(registry: Loaded) -> dict[str, Any]:
    return {
        slug: {
            "path": project.path,
            # A package of a larger repository is a project too.
            "common": (find(real(project.path)) or ("", ""))[1],
            "gates": project.gates,
            "require_intent": project.require_intent,
        }
        for slug, project in projects_in(registry.values).items()
    }


def _settings(config: Loaded, before: dict[str, Any]) -> dict[str, Any]:
    if config.faults:
        return {key: before[key] for key in ("ttl", "quarantine", "observe") if key in before}
    values = config.values
    return {
        "ttl": values["ttl"],
        "quarantine": values["quarantine"],
        "observe": end_of_day(values["observe_until"]),
    }


def end_of_day(day: str | None) -> int:
    """The first second after a local day, in seconds since the epoch; 0 without a day."""
    if day is None:
        return 0
    after = date.fromisoformat(day) + timedelta(days=1)
    return int(time.mktime(after.timetuple()))


def _refuse_twins(registry: Loaded, path: str) -> None:
    """Two slugs with one checkout would leave open whose intents its worktrees belong to."""
    if registry.faults:
        return
    first: dict[str, str] = {}
    for slug, project in projects_in(registry.values).items():
        twin = first.setdefault(project.path, slug)
        if twin != slug:
            line = registry.lines[("projects", slug, "path")]
            what = f"`projects.{slug}.path` is the repository of `projects.{twin}`"
            registry.faults.append(Fault(path, line, what))


def main(root: str) -> int:
    """The child process of a hook."""
    compile_config(Home(root))
    return 0
