"""Each refusal of `plastic end`: what is printed resolves it, or shows what is in the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.printed.street import A, B, Call, Case, Street, play, types

if TYPE_CHECKING:
    from collections.abc import Callable

OUTCOME = "---\ndisposition: delivered\n---\n\n# Outcome\n\nIt is there.\n"


def ready(street: Street) -> dict[str, Any]:
    """An intent of A that could end."""
    made = street.planned(A)
    Path(made["dir"], "checklist.md").write_text("- [x] the constant\n")
    Path(made["dir"], "outcome.md").write_text(OUTCOME)
    commit(street, made, f"part-{made['id']}.py")
    return made


def commit(street: Street, made: dict[str, Any], name: str) -> None:
    tree = made["worktree"]["path"]
    Path(tree, name).write_text("x = 1\n")
    street.git("add", name, cwd=tree)
    street.git("commit", "-q", "-m", "work", cwd=tree)


def ends(made: dict[str, Any], *flags: str, session: str = A, **more: Any) -> Call:
    words = flags or ("--delivered",)
    return types(session, "plastic", "end", made["id"], *words, "--json", **more)


def _config(street: Street, line: str) -> None:
    path = Path(street.home.projects_yml)
    path.write_text(f"{path.read_text().rstrip()}\n    {line}\n")


# -- the command ---------------------------------------------------------------------------------


def both_ways_at_once(street: Street) -> Call:
    return ends(ready(street), "--delivered", "--abandoned")


def what_has_ended_otherwise(street: Street) -> Call:
    made = ready(street)
    assert street.ask(ends(made)).code is None
    return ends(made, "--abandoned")


def a_base_that_never_rests(street: Street) -> Call:
    script = street.root / "restless.sh"
    script.write_text(f"cd {street.repo}; echo x >> x; git add x; git commit -q -m theirs\n")
    _config(street, f"verify: ['sh {script}']")
    return ends(ready(street))


def a_repository_that_was_moved(street: Street) -> Call:
    made = ready(street)
    street.repo.rename(street.root / "away")
    return ends(made, cwd=str(street.root))


# -- hooks and signatures --------------------------------------------------------------------------


def _hook(street: Street, name: str, text: str) -> None:
    path = street.repo / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def a_message_that_a_hook_refuses(street: Street) -> Call:
    made = ready(street)
    _hook(street, "commit-msg", "echo no ticket >&2; exit 1")
    return ends(made)


def a_branch_that_a_hook_protects(street: Street) -> Call:
    made = ready(street)
    _hook(street, "reference-transaction", "grep -q refs/heads/main && exit 1; exit 0")
    return ends(made)


def a_key_that_cannot_sign(street: Street) -> Call:
    made = ready(street)
    for key, value in (
        ("commit.gpgSign", "true"),
        ("gpg.format", "ssh"),
        ("user.signingKey", str(street.root / "no-such-key")),
    ):
        street.git("config", key, value)
    return ends(made)


# -- obstacles: the refusal lists them in a dry run ------------------------------------------------


def an_open_box(street: Street) -> Call:
    made = ready(street)
    Path(made["dir"], "checklist.md").write_text("- [ ] the constant\n")
    return ends(made)


def an_edit_that_is_not_committed(street: Street) -> Call:
    made = ready(street)
    Path(made["worktree"]["path"], "app.py").write_text("TAX = 9\n")
    return ends(made)


def a_file_in_the_way(street: Street) -> Call:
    made = ready(street)
    (street.repo / f"part-{made['id']}.py").write_text("mine\n")
    return ends(made)


def a_lock_of_nobody(street: Street) -> Call:
    made = ready(street)
    assert street.lock("release", made["id"], session=A).rc == 0
    return ends(made)


def a_lease_that_lapsed(street: Street) -> Call:
    made = ready(street)
    street.lapse(made)
    return ends(made, session=B)


def a_delegate(street: Street) -> Call:
    made = ready(street)
    assert street.lock("delegate", made["id"], "--delegate", B, session=A).rc == 0
    return ends(made, session=B)


END = [
    Case("cli/end.py", "disposition", both_ways_at_once, "Usage"),
    Case("work/end/refusal.py", "ended", what_has_ended_otherwise, "delivered"),
    Case("work/end/refusal.py", "base-moved", a_base_that_never_rests, "now contains"),
    Case("work/end/subject.py", "repository-missing", a_repository_that_was_moved, "drwx"),
    Case("work/merge/committing.py", "commit-msg", a_message_that_a_hook_refuses, "commit-msg"),
    Case("work/merge/committing.py", "signing", a_key_that_cannot_sign, "no-such-key"),
    Case(
        "work/merge/reftransaction.py",
        "ref-hook",
        a_branch_that_a_hook_protects,
        "reference-transaction",
    ),
]


@pytest.mark.parametrize("case", END, ids=lambda case: case.name)
def test_the_printed_command(own: Street, case: Case) -> None:
    play(own, case)


LISTED: list[tuple[str, Callable[[Street], Call], str]] = [
    ("boxes", an_open_box, "open box"),
    ("dirty", an_edit_that_is_not_committed, "commit -m"),
    ("base-in-the-way", a_file_in_the_way, ".aside"),
]


@pytest.mark.parametrize(("code", "build", "shows"), LISTED, ids=[row[0] for row in LISTED])
def test_an_obstacle_is_listed_with_its_own_command(
    own: Street, code: str, build: Callable[[Street], Call], shows: str
) -> None:
    call = build(own)
    said = own.ask(call)
    assert said.code == code
    done = own.paste(said.run, call)
    assert done.rc == 0
    assert shows in done.out


@pytest.mark.parametrize("build", [a_lock_of_nobody, a_lease_that_lapsed])
def test_a_lock_is_got_and_the_end_goes_through(
    own: Street, build: Callable[[Street], Call]
) -> None:
    call = build(own)
    said = own.ask(call)
    assert said.code in ("no-lock", "stale")
    done = own.paste(said.run, call)
    if "quarantine" in done.err or done.rc == 4:
        return  # the commit of a moment ago is evidence of work
    assert done.rc == 0, done.err
    assert own.ask(call).code is None


def test_a_delegate_sees_whose_it_is(own: Street) -> None:
    call = a_delegate(own)
    said = own.ask(call)
    assert said.code == "not-owner"
    done = own.paste(said.run, call)
    assert done.rc == 0
    assert A in done.out
