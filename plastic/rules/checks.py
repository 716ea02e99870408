"""What `plastic doctor` looks at, in its order, and what `--fix` may do about it."""

from __future__ import annotations

from typing import NamedTuple


class Check(NamedTuple):
    """One row of the page: `heals` is what `--fix` does by itself, "" when a person decides."""

    looks: str
    heals: str


# Harness -> its title; a test compares them with the harnesses that can be installed.
AGENTS: dict[str, str] = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "cursor": "Cursor",
    "opencode": "OpenCode",
    "pi": "pi",
    "copilot": "Copilot CLI",
}
CHECKS: dict[str, Check] = {
    "git": Check("git is there, works, and is 2.38 or newer", ""),
    "home": Check(
        "the home is a git repository of its own, with its files and its ignore rules",
        "completes it",
    ),
    "config": Check("projects.yml and config.yml parse and say nothing that is unknown", ""),
    "index": Check("every INDEX.md can be read, and names exactly the intents that are there", ""),
    "births": Check(
        "no intent is half born", "removes a reserved directory that holds nothing yet"
    ),
    "locks": Check("no lock is stale, unreadable or dated in the future", ""),
    "completions": Check("what INDEX says is over has no lock and no End under way", ""),
    "held": Check("held/ names exactly the locks that are there", "scans every store again"),
    "maintenance": Check("no maintenance was cut short", "finishes it, or throws it away"),
    "repositories": Check(
        "every registered repository is where projects.yml says, and its worktrees know it",
        "git worktree repair, where the repository was moved",
    ),
    "worktrees": Check(
        "no worktree, branch or directory is left over",
        "plastic worktree prune: only what is proven to be needed by nobody",
    ),
    "fences": Check(
        "every worktree of ours has its own hooks, git asks them, and none is named that is gone",
        "puts them up again, takes the lines out",
    ),
    "backlog": Check("the backlog's database is whole, can be written, and is of our schema", ""),
    "bridges": Check("no bridge of an intent that is over is left", "drops them"),
    "leftovers": Check(
        "no temporary file of a killed write is older than an hour",
        "removes those whose content is nobody's",
    ),
    "filesystems": Check(
        "locks, hard links and clocks work where plastic writes; network file systems are named",
        "",
    ),
    "commands": Check("agents find `plastic`, and the shell parser is there", ""),
    **{
        name: Check(
            f"where {title} is used, its hooks are installed, current, refuse a canary, and were "
            "called since it ran last",
            "",
        )
        for name, title in AGENTS.items()
    },
    "gates": Check("no gate broke since doctor passed the last time", ""),
}

ONE_SIDE = "locks may be seen by one side only"
# A file system type -> what it means for locks; what is not named here is local.
NETWORK = {
    "nfs": "NFS before 4 needs a lock daemon",
    "nfs4": "locks are the server's",
    "cifs": "locks are the server's",
    "smb3": "locks are the server's",
    "smbfs": "locks are the server's",
    "9p": ONE_SIDE,
    "virtiofs": ONE_SIDE,
    "drvfs": ONE_SIDE,
    "vboxsf": ONE_SIDE,
    "prl_fs": ONE_SIDE,
    "fuse.sshfs": "locks are not shared between machines",
    "fuse.rclone": "locks are not shared between machines",
    "fuse.gvfsd-fuse": "locks are not shared between machines",
    "afs": "locks are the server's",
    "ceph": "locks are the server's",
    "glusterfs": "locks are the server's",
    "lustre": "locks need the mount option flock",
    **dict.fromkeys(("gpfs", "smb", "smb2", "beegfs", "davfs"), "locks are the server's"),
    **dict.fromkeys(("ocfs2", "gfs2", "orangefs"), "locks are the cluster's"),
    **dict.fromkeys(("vmhgfs", "fuse.vmhgfs-fuse"), ONE_SIDE),
    **dict.fromkeys(("fuse.s3fs", "fuse.glusterfs"), "locks are not shared between machines"),
}


def network(kind: str) -> str | None:
    """What a file system type means for locks; None for a local one."""
    found = NETWORK.get(kind)
    if found is None and kind.startswith("fuse.") and kind not in ("fuse.fuse-overlayfs",):
        return "an unknown file system in user space"
    return found


def database(kind: str) -> str:
    """How a database may live there: `wal`, `journal` (no shared memory), or `refused`."""
    about = NETWORK.get(kind)
    return "wal" if about is None else "journal" if about == ONE_SIDE else "refused"
