"""Signs of work that keep a lapsed claim from being taken over: findings, and pushed commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.disk.git import Git

if TYPE_CHECKING:
    from plastic.work.backlog.place import Backlog


def found(backlog: Backlog, id: str, text: str) -> bool:
    """Keep a finding; of the holder it is a sign of life. True: somebody had taken over before."""
    item = backlog.need(id)
    backlog.store.write_note(item.id, text, backlog.actor)
    return backlog.store.evidence(item.id, "comment", by=backlog.name)


def look_at(backlog: Backlog, id: str, branch: str) -> None:
    """The newest commit of the former holder's branch, here and at the remote, is a sign."""
    item = backlog.need(id)
    git = Git(backlog.project.path)
    for name in {branch, item.location} - {""}:
        for ref in backlog.refs(name):
            seen = git.run("log", "-1", "--format=%ct", ref, "--", ok=None)
            if seen.rc == 0 and seen.out.strip().isdigit():
                backlog.store.evidence(item.id, "push", float(seen.out))
