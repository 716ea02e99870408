"""What no tool may write."""

from __future__ import annotations

import pytest

from plastic.rules.gates.protected import INTENT_FILES, inside_home, inside_intent
from plastic.rules.gates.refusals import REFUSALS
from plastic.rules.intent.names import PROTECTED


@pytest.mark.parametrize(
    ("rest", "op", "code"),
    [
        ("delivery.lock", "write", "lock-file"),
        ("delivery.token", "write", "lock-file"),
        ("delivery.write.lock", "remove", "lock-file"),
        ("delivery.lock/x", "write", "lock-file"),
        ("savepoint.md", "write", "ledger"),
        (".end.json", "write", "ledger"),
        (".claims", "remove", "claim-file"),
        (".claims/spec.md.claim", "write", "claim-file"),
        ("", "remove", "intent-dir"),
        ("", "write", None),
        ("spec.md", "write", None),
        ("spec.md", "remove", None),
        ("resources/delivery.lock", "write", None),
        ("delivery.locks", "write", None),
        (".claims.md", "write", None),
    ],
)
def test_in_an_intent(rest: str, op: str, code: str | None) -> None:
    assert inside_intent(rest, op) == code


@pytest.mark.parametrize(
    ("kind", "project", "rest", "op", "code"),
    [
        ("own", None, "projects.yml", "write", "registry"),
        ("own", None, "config.yml", "write", "config"),
        ("own", None, "held", "write", "home-file"),
        ("own", None, "held/1--a", "remove", "home-file"),
        ("own", None, "log/events.jsonl", "write", "home-file"),
        ("own", None, "backlog.db", "write", "home-file"),
        ("own", None, "backlog.db-shm", "write", "home-file"),
        ("own", None, "INDEX.md", "write", None),
        ("own", None, "run/x", "remove", None),
        ("own", None, "held.md", "write", None),
        ("own", "shop", "config.yml", "write", None),
        ("own", "shop", "backlog/1.md", "write", None),
        ("store", None, "", "write", "store"),
        ("entry", "shop", "", "write", "store"),
        ("home", None, "", "remove", "home-file"),
        ("home", None, "", "write", None),
    ],
)
def test_in_the_home(kind: str, project: str | None, rest: str, op: str, code: str | None) -> None:
    assert inside_home(kind, project, rest, op) == code


def test_the_tables_agree() -> None:
    assert set(INTENT_FILES) == set(PROTECTED)
    assert set(INTENT_FILES.values()) <= set(REFUSALS)
