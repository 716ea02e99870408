"""Every worktree, branch of ours and leftover directory of a project, explained with its proof."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from plastic.disk.clock import now, seconds
from plastic.disk.files import exists, is_dir, names
from plastic.disk.git import Git, oid
from plastic.disk.gitdir import common_of
from plastic.disk.lockfile import look
from plastic.disk.paths import real
from plastic.disk.projects import projects, settings
from plastic.disk.token import counter
from plastic.disk.trash import entries
from plastic.disk.worktrees import Entry, Note, admin_dir, has_index, listed, owner_of, recall
from plastic.rules.intent.index import where
from plastic.rules.intent.names import BRANCH_PREFIX, WORKTREES, split
from plastic.rules.orphans import KINDS, OVER, Row, Seen, judge
from plastic.words import Broken, Refusal
from plastic.work.end.contained import Proven, proof
from plastic.work.fence import ref as fence
from plastic.work.intent.index import text_of
from plastic.work.intent.shelf import all_intents
from plastic.work.tree.base import HEADS, resolve
from plastic.work.tree.holds import Hold, holds, missing_holds
from plastic.work.tree.homes import home_of
from plastic.work.tree.site import Site, branch_of, site_of

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.projects import Project
    from plastic.words import Intent

DAY = 86400.0


class Found(NamedTuple):
    """One thing in a repository: what was seen, how it is judged, and by which proof."""

    site: Site
    project: Project
    seen: Seen
    row: Row
    intent: Intent | None
    proven: Proven | None = None
    tip: str | None = None
    holds: tuple[Hold, ...] = ()

    def shown(self) -> dict[str, Any]:
        """As `--json` prints it."""
        proven = self.proven
        return {
            "project": self.project.slug,
            "kind": self.row.kind,
            "path": self.seen.path,
            "branch": self.seen.branch,
            "intent": self.seen.intent,
            "section": self.seen.section or None,
            "lock_state": self.seen.lock,
            "adopted": self.seen.adopted,
            "why": self.row.why,
            "holds": [hold.reason for hold in self.holds],
            "proof": None if proven is None else {"how": proven.how, "commit": proven.commit},
            "safe": self.row.safe,
            "run": self.row.run,
        }


class Yard(NamedTuple):
    """One registered repository, and what this home knows of its intents."""

    site: Site
    project: Project
    git: Git
    intents: dict[str, Intent]  # by <id>--<slug>
    contents: str  # of INDEX.md


def yards(home: Home, only: str | None = None) -> list[Yard]:
    """The repositories of the registered projects, each once."""
    known = all_intents(home)
    found = []
    for slug, project in projects(home).items():
        if only is not None and slug != only:
            continue
        mine = {one.name: one for one in known if one.project == slug}
        site = _site(slug, project)
        if site is not None:
            found.append(Yard(site, project, Git(site.root), mine, _index(home, slug)))
    return found


def _site(slug: str, project: Project) -> Site | None:
    """The repository of a project; None where there is none to look at."""
    from plastic.words import Intent

    try:
        site = site_of(Intent("0", "x", "", slug), project)
    except Refusal:
        return None
    return None if isinstance(site, str) else site


def _index(home: Home, slug: str) -> str:
    try:
        return text_of(home, slug)
    except Broken:
        return ""


def found_in(yard: Yard, home: Home) -> list[Found]:
    """Everything that there is to say about the worktrees of one repository."""
    registered = listed(yard.git)[1:]
    out = [found for entry in registered if (found := _still_there(yard, entry)) is not None]
    taken = {entry.branch for entry in registered}
    out += _directories(yard, {real(entry.path) for entry in registered})
    text = yard.git.read("for-each-ref", "--format=%(refname)", f"{HEADS}{BRANCH_PREFIX}")
    out += [of_branch(yard, ref) for ref in text.splitlines() if ref not in taken]
    return out + _trash(yard, home)


def _still_there(yard: Yard, entry: Entry) -> Found | None:
    """One registered worktree; None when somebody else took it away during the look."""
    there = exists(real(entry.path))
    try:
        return of_entry(yard, entry)
    except Broken:
        if there and not exists(real(entry.path)):
            return None
        raise


def of_entry(yard: Yard, entry: Entry) -> Found:
    """One registered worktree, looked at afresh."""
    path = real(entry.path)
    admin = admin_dir(yard.site.common, path)
    note = recall(admin)
    name = _name(yard, entry, note)
    intent = yard.intents.get(name or "")
    known = owner_of(entry.locked) or (name or "").partition("--")[0] or None
    there = exists(path)
    indexed = admin is not None and has_index(admin)
    whole = there and indexed and common_of(path) == yard.site.common
    held: list[Hold] = []
    adopted = note is not None and note.adopted
    if whole and intent is not None:
        branch = entry.branch or branch_of(intent)
        held = holds(yard.site, intent, path, branch, adopted=adopted)
    elif not there and admin is not None:
        held = missing_holds(yard.site, admin, path)
    proven = _proven(yard, intent, note, entry.head) if intent is not None and entry.head else None
    seen = _seen(yard, intent)._replace(
        path=path,
        home=home_of(note, intent) if intent is not None else "",
        branch=_short(entry),
        intent=intent.id if intent is not None else known,
        registered=True,
        exists=there,
        ours=known is not None,
        adopted=adopted,
        indexed=indexed,
        whole=whole,
        usual=path == f"{yard.site.root}/{WORKTREES}/{name}",
        holds=tuple(hold.reason for hold in held),
        proof=proven.how if proven is not None else None,
        look=_look(yard, entry, path, held),
    )
    return Found(
        yard.site, yard.project, seen, judge(seen), intent, proven, entry.head, tuple(held)
    )


def _short(entry: Entry) -> str | None:
    return None if entry.branch is None else entry.branch.removeprefix(HEADS)


def _look(yard: Yard, entry: Entry, path: str, held: list[Hold]) -> str:
    """The one command about what keeps a worktree."""
    if held:
        return held[0].run
    name = shlex.quote(_short(entry) or entry.head or "HEAD")
    return f"git -C {shlex.quote(path if exists(path) else yard.site.root)} log {name} --"


def _name(yard: Yard, entry: Entry, note: Note | None) -> str | None:
    """The intent's name that a registration carries: our note, our branch, or our reason."""
    if note is not None:
        return note.intent
    short = (entry.branch or "").removeprefix(HEADS)
    if short.startswith(BRANCH_PREFIX) and split(short[len(BRANCH_PREFIX) :]):
        return short[len(BRANCH_PREFIX) :]
    id = owner_of(entry.locked)
    return next((name for name in yard.intents if name.partition("--")[0] == id), None)


def _seen(yard: Yard, intent: Intent | None) -> Seen:
    """What INDEX and lock say of the intent."""
    seen = Seen(yard.site.root, None, None, None)
    if intent is None:
        return seen
    view = look(f"{intent.dir}/delivery.lock")
    section = where(yard.contents, intent.id) or "no section"
    if section in OVER and _is_raised_elsewhere(yard, intent):
        section = ""
    return seen._replace(intent=intent.id, section=section, lock=view.state)


def _is_raised_elsewhere(yard: Yard, intent: Intent) -> bool:
    """Whether a second home works in this repository under the same name: its token is newer."""
    there, here = fence.read(yard.site.root, intent), counter(intent.dir)
    if there is None or here is None or there.foreign:
        return False
    return there.token > here


def _proven(yard: Yard, intent: Intent, note: Note | None, tip: str) -> Proven | None:
    """How these commits are known to be in the base that they were started from."""
    base = oid(yard.git, note.base) if note is not None else None
    if base is None:
        try:
            base = resolve(yard.site.root, intent, yard.project, None).commit
        except Refusal:
            return None
    return proof(yard.site.common, base, tip, intent.name)


def of_branch(yard: Yard, ref: str) -> Found:
    """One branch of ours without a worktree."""
    short = ref.removeprefix(HEADS)
    name = short.removeprefix(BRANCH_PREFIX)
    intent = yard.intents.get(name)
    tip = oid(yard.git, ref)
    proven = _proven(yard, intent, None, tip) if intent is not None and tip is not None else None
    seen = _seen(yard, intent)._replace(
        branch=short,
        intent=intent.id if intent is not None else (split(name) or (None,))[0],
        proof=proven.how if proven is not None else None,
    )
    return Found(yard.site, yard.project, seen, judge(seen), intent, proven, tip)


def _directories(yard: Yard, registered: set[str]) -> list[Found]:
    """What lies where worktrees belong and is registered nowhere."""
    found = []
    folder = f"{yard.site.root}/{WORKTREES}"
    for name in names(folder):
        path = f"{folder}/{name}"
        if real(path) in registered or not is_dir(path):
            continue
        intent = yard.intents.get(name)
        seen = _seen(yard, intent)._replace(
            path=path, exists=True, linked=_registered_for(yard, path)
        )
        found.append(Found(yard.site, yard.project, seen, judge(seen), intent))
    return found


def _registered_for(yard: Yard, path: str) -> str | None:
    """Where git lists the worktree that a moved directory still belongs to."""
    from plastic.disk.files import read_text
    from plastic.disk.paths import parent_of

    if common_of(path) != yard.site.common:
        return None
    admin = (read_text(f"{path}/.git") or "").partition("gitdir:")[2].strip()
    listed_at = read_text(f"{admin}/gitdir") if admin else None
    return None if listed_at is None else parent_of(listed_at.strip())


def _trash(yard: Yard, home: Home) -> list[Found]:
    days = float(settings(home)["trash_days"])
    found = []
    for entry in entries(yard.site.common):
        since = seconds(entry.buried_at)
        age = (now() - since) / DAY if since is not None else 0.0
        old = since is not None and age > days
        short = None if entry.branch is None else entry.branch.removeprefix(HEADS)
        seen = Seen(yard.site.root, entry.place, short, entry.intent, exists=True)
        why = f"{KINDS['trash']}; buried {entry.buried_at or 'at an unknown time'}"
        run = "plastic worktree prune" if old else f"ls -la {shlex.quote(entry.place)}"
        row = Row("trash", f"{why}, from {entry.path or 'an unknown place'}", run, old)
        found.append(Found(yard.site, yard.project, seen, row, None))
    return found


def is_over(seen: Seen) -> bool:
    """Whether the intent has ended."""
    return seen.section in OVER
