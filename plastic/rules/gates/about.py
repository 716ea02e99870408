"""What each gate denies, in words for people; printed into references/gates.md."""

from __future__ import annotations

# Gate -> (denies when, what a proven solo session gets instead).
ABOUT: dict[str, tuple[str, str]] = {
    "protected": (
        """a tool writes a file that only plastic's own verbs write: the lock, its counter, guard
        and claims, the ledger, the registry and config of the home, `held/`, the journal, or a
        direct entry of a store that is no intent directory""",
        "never relaxed",
    ),
    "lock": (
        """the path is, is inside, or (removal, rename) contains an intent's directory or worktree,
        and a fresh lock is another session's, or the intent is Active and has no lock, another's
        stale one, or one that cannot be read""",
        "advised, unless the target has any lock file that is not yours",
    ),
    "claim": ("a fresh claim on that document is another writer's", "never relaxed"),
    "stage": (
        """a document comes before what it needs; repository code comes before plan, checklist and
        a real action of its intent, in auto and in guided mode; with `require_intent`, code is
        edited by a session without an intent""",
        "never relaxed",
    ),
    "worktree": (
        """the session holds intents with worktrees in this repository, and the path is in none of
        them""",
        "advised",
    ),
    "pen": (
        """the tree has a pen (`plastic pen`), the session is bound to one of its agents, and that
        agent does not hold it; who is not bound is advised. An intent's worktree, like every
        linked one, is not under the pen""",
        "never relaxed",
    ),
    "links": (
        "the `## Links` section would differ from what the front matter says",
        "never relaxed",
    ),
    "create": ("the result of the write would be no valid intent file", "never relaxed"),
    "shell": (
        """what a shell command writes cannot be read from it, and its text, its directory or an
        expansion lies in an intent (directory or worktree) that another session freshly holds, is
        a store or the home with such an intent, or names a protected file""",
        "never relaxed",
    ),
}
