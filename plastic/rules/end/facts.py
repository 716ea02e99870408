"""What End knows of the world when it decides: gathered once, judged by rules/end/proof.py."""

from __future__ import annotations

from typing import NamedTuple

DELIVERED = "delivered"
ABANDONED = "abandoned"
SECTION_OF = {DELIVERED: "Completed", ABANDONED: "Abandoned"}


class Flags(NamedTuple):
    """What the caller asked for; each option lifts its own obstacle and no other."""

    disposition: str
    discard: bool = False  # --discard-worktree-changes
    proven_by: str = ""  # --proven-by, as typed
    accept_tainted: bool = False
    agent: str = ""  # under whose pen it is done, where that is not what the session is bound to

    @property
    def section(self) -> str:
        """The section of INDEX that this disposition leads to."""
        return SECTION_OF[self.disposition]


class Grip(NamedTuple):
    """The lock as End sees it: `relation` is owner, delegate, foreign, corrupt or none."""

    relation: str = "owner"
    state: str = "fresh"
    who: str = ""
    token: int = 0
    acq: str = ""
    overtaken: bool = False  # the fence says that another home raised past this lock


class Papers(NamedTuple):
    """What the documents say; `said` is the outcome's disposition, None where it has none."""

    outcome: bool = True
    said: str | None = DELIVERED
    open_boxes: int = 0
    wrong: tuple[str, ...] = ()  # what makes the intent file invalid
    section: str | None = "Active"
    tainted: tuple[str, ...] = ()  # what was written past a gate


class Tree(NamedTuple):
    """The worktree: `state` is none (lock only), missing, broken or there. Paths are relative."""

    state: str = "none"
    path: str = ""
    adopted: bool = False
    locked: str = ""  # the reason of somebody else's lock on it
    unreadable: str = ""
    operation: str = ""
    elsewhere: str = ""  # the branch that is checked out instead of the intent's
    detached: int = 0  # commits that only this detached HEAD holds
    dirty: tuple[str, ...] = ()
    unmerged: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()
    modules_dirty: tuple[str, ...] = ()
    modules_unpushed: tuple[str, ...] = ()
    stashes: tuple[str, ...] = ()  # `stash@{n}`
    lost: tuple[str, ...] = ()  # what git still has of a worktree that is missing
    moved: str = ""  # where a missing one lies since somebody moved it past git
    trash_taken: str = ""  # what stands where the trash belongs
    trash_closed: str = ""  # the folder that this user may not write, on the way into the trash


class Checkout(NamedTuple):
    """The checkout of the base, if it has one: paths of the merge that are not free there."""

    path: str = ""
    more: tuple[str, ...] = ()  # further checkouts of the same branch
    away: bool = False  # registered, and nothing is there
    operation: str = ""
    locked: str = ""  # the lock of its index, held by a git of somebody else
    dirty: tuple[str, ...] = ()
    unmerged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # `rm`, not committed
    intended: tuple[str, ...] = ()  # `add -N`
    hidden: tuple[str, ...] = ()  # assume-unchanged or skip-worktree, edited or not
    in_the_way: tuple[str, ...] = ()  # untracked or ignored, where the merge adds a file
    pen: str = ""


class Merge(NamedTuple):
    """Branch and base; `contained` says how the branch is in the base already ("" = it is not).

    `is_remote`: the base is a branch of the remote, so somebody else merges it there.
    """

    root: str = ""
    common: str = ""
    branch: str = ""  # full refs
    base: str = ""
    tip: str = ""
    base_tip: str = ""
    is_remote: bool = False
    contained: str = ""
    proof: str = ""  # the commit that contains it
    tree: str = ""  # of the merge
    changed: int = 0  # paths
    commits: int = 0
    conflicts: tuple[str, ...] = ()
    unrelated: bool = False
    shallow: bool = False
    unnamed: bool = False  # no identity to commit with
    salvage_taken: str = ""  # the commit of a ref that stands where the salvages lie
    read_only: str = ""  # the object store, when nothing can be written there
    not_in_base: bool = False  # --proven-by names no commit of the base
    failed: str = ""  # the line of `verify:` that failed
    said: str = ""  # what it printed last
    unmade: tuple[str, str] = ("", "")  # why there can be no merge commit: obstacle, reason
    checkout: Checkout = Checkout()


class Bound(NamedTuple):
    """The backlog item of the lock, and why it could not be completed ("" = it can)."""

    item: str = ""
    project: str = ""
    why: str = ""


class Facts(NamedTuple):
    """Everything that decides whether an intent can end."""

    id: str
    name: str
    grip: Grip = Grip()
    papers: Papers = Papers()
    tree: Tree = Tree()
    merge: Merge | None = None  # None: no repository
    terminal: bool = False  # INDEX says already what this End wants
    bound: Bound = Bound()
