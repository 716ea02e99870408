"""The gates as a table, their doors, and the decisions of lock, claim and worktree."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Claim

# Events of a tool that has run.
AFTER = ("post", "failed")
# The first denial ends it.
ORDER = ("protected", "lock", "claim", "stage", "worktree", "pen", "links", "create", "shell")
# Gates with a switch under `gates:` in projects.yml; the others enforce in every mode.
SWITCHED = frozenset(("stage", "worktree", "links", "create", "shell"))
# What a harness can start -> the gates that it asks.
DOORS: dict[str, tuple[str, ...]] = {
    "gate": ("savepoint-pre", *ORDER, "gate-check"),
    "lock-gate": ("protected", "lock", "claim"),
    "code-gate": ("stage", "worktree", "pen"),
    "links-gate": ("links",),
    "create-gate": ("create",),
    "bash-gate": ("savepoint-pre", *ORDER),
    "savepoint-pre": ("savepoint-pre",),
    "gate-check": ("gate-check",),
}


def lock_refusal(state: str, *, active: bool | None, mine: bool) -> str | None:
    """The code of the lock gate's refusal, None when the session may write.

    `active` is None when INDEX cannot be read: then a lock file that is there is enforced.
    """
    if mine:
        return None
    if state in ("fresh", "future"):
        return "held"
    if state == "none":
        return "no-lock" if active else None
    if active is False:
        return None
    return "stale" if state == "stale" else "corrupt"


def claims_for_me(claim: Claim, session: str, agent: str) -> bool:
    """Whether this writer is the one that the claim selects.

    Without a delegate the whole session is; a delegate is one agent of the owner's session, or a
    session of its own.
    """
    if claim.owner == session:
        return claim.delegate in (None, agent, session)
    return claim.delegate is not None and claim.delegate == session


# Below the root of a checkout: what an agent keeps for itself there and git never carries.
PERSONAL = (".claude/settings.local.json", ".claude/agent-memory-local", "CLAUDE.local.md")


def is_code(path: str, root: str, shared: str) -> bool:
    """Whether a path in the checkout at `root` belongs to what the repository carries.

    The git directory `shared` is git's own, and so are the messages that are written there; its
    hooks are not: they run for everybody.
    """
    if shared and (path == shared or path.startswith(shared + "/")):
        return path.startswith(shared + "/hooks/")
    if "/node_modules/" in path[len(root) :]:
        return False
    rest = path[len(root) + 1 :]
    return not any(rest == one or rest.startswith(one + "/") for one in PERSONAL)


def right_path(path: str, root: str, tree: str) -> str:
    """The file in the worktree `tree` that stands for `path` in the checkout at `root`."""
    if path == root or path.startswith(root + "/.git/"):
        return tree
    return tree + path[len(root) :] if path.startswith(root + "/") else tree
