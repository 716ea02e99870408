"""The gate `protected`: what no tool may write, whoever asks, in every mode."""

from __future__ import annotations

from plastic.rules.intent.names import CLAIMS, PROTECTED

# Files of an intent directory -> the refusal that names their verb.
INTENT_FILES: dict[str, str] = {
    name: "ledger" if name in ("savepoint.md", ".end.json") else "lock-file" for name in PROTECTED
}
# In the root of the home: whole names, and the one prefix (a database and its companions).
HOME_FILES: dict[str, str] = {
    "projects.yml": "registry",
    "config.yml": "config",
    "held": "home-file",
    "log": "home-file",
}
HOME_PREFIX = "backlog.db"


def inside_intent(rest: str, op: str) -> str | None:
    """The refusal for the path `rest` in an intent directory ("" is the directory itself)."""
    if rest == "":
        return "intent-dir" if op == "remove" else None
    head = rest.partition("/")[0]
    if head == CLAIMS:
        return "claim-file"
    return INTENT_FILES.get(head)


def inside_home(kind: str, project: str | None, rest: str, op: str) -> str | None:
    """The refusal for a path of the home that lies in no intent directory.

    `kind` is home, store, entry or own (disk/home.py); removing a folder takes what is below.
    """
    if kind in ("store", "entry"):
        return "store"
    if kind == "home":
        return "home-file" if op == "remove" else None
    if project is not None:
        return None
    head = rest.partition("/")[0]
    if head.startswith(HOME_PREFIX):
        return "home-file"
    return HOME_FILES.get(head)
