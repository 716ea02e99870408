"""What a worktree holds that would be lost with it: the obstacles of End, for any worktree."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from plastic.disk.files import exists, names, read
from plastic.disk.git import Git
from plastic.rules.end.facts import ABANDONED, Facts, Flags, Merge
from plastic.rules.end.proof import obstacles
from plastic.work.end.subject import Place
from plastic.work.end.treefacts import tree_facts
from plastic.work.merge.underway import UNDER_WAY
from plastic.work.tree.moved import moved_to
from plastic.work.tree.remains import remains

if TYPE_CHECKING:
    from plastic.words import Intent
    from plastic.work.tree.site import Site

# End minds another branch in the worktree and a lock that is not ours; commits are safe on any
# branch, and the trash reads the lock back and looks at its own folder itself.
NOT_ASKED = (
    "other-branch",
    "branch-left",
    "worktree-locked",
    "worktree-broken",
    "trash-unusable",
    "trash-closed",
)


class Hold(NamedTuple):
    """One reason to keep a worktree, and the command that resolves or shows it."""

    name: str
    reason: str
    run: str


def holds(site: Site, intent: Intent, path: str, branch: str, *, adopted: bool) -> list[Hold]:
    """Everything in a worktree that only it has, commits on a branch aside; reads only."""
    tree = tree_facts(intent, Place(site, path, branch, "", adopted))
    # As an End would see it whose lock and documents are in order and that merges nothing.
    merge = Merge(root=site.root, branch=branch, contained="nothing is merged here")
    facts = Facts(intent.id, intent.name, tree=tree, merge=merge)
    facts = facts._replace(papers=facts.papers._replace(said=ABANDONED))
    found = obstacles(facts, Flags(ABANDONED))
    return [Hold(one.name, one.reason, one.run) for one in found if one.name not in NOT_ASKED]


def missing_holds(site: Site, admin: str, path: str) -> list[Hold]:
    """The same for a worktree whose directory is gone: what git's directory for it still has."""
    common = site.common
    moved = moved_to(admin, path)
    if moved:
        run = f"git -C {shlex.quote(site.root)} worktree repair {shlex.quote(moved)}"
        return [Hold("moved", f"it was moved to {moved}", run)]
    look = f"ls {shlex.quote(admin)}"
    what = dict.fromkeys(UNDER_WAY[name] for name in UNDER_WAY if exists(f"{admin}/{name}"))
    found = [Hold("operation", f"{one} is under way", look) for one in what]
    staged = [one for one in remains(common, admin) if one.endswith("staged file(s)")]
    found += [Hold("staged", one, look) for one in staged]
    if names(f"{admin}/modules"):
        found.append(Hold("submodule", "repositories of submodules", look))
    head = (read(f"{admin}/HEAD") or b"").decode("utf-8", "replace").strip()
    if head and not head.startswith("ref:"):
        words = ("rev-list", "--count", head, "--not", "--branches", "--tags", "--remotes")
        count = Git(common).says(*words)
        if count != "0":
            run = f"git -C {shlex.quote(common)} branch found-{head[:12]} {head}"
            found.append(Hold("detached", f"{count or 'some'} commit(s) are on no branch", run))
    return found
