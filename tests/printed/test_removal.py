"""Each refusal of worktree, salvage, maintain and doctor: what is printed resolves it or shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.printed.street import A, Call, Case, Street, play, types

if TYPE_CHECKING:
    from collections.abc import Callable

WHY = ("--why", "It did not belong there", "--rule", "stray-file")


def _maintain(made: dict[str, Any], *words: str, session: str = A, **more: Any) -> Call:
    return types(session, "plastic", "maintain", made["id"], *words, *WHY, **more)


def _remove(what: str, session: str = A) -> Call:
    return types(session, "plastic", "worktree", "remove", what, "--json")


def _own(made: dict[str, Any]) -> Path:
    return Path(made["dir"], f"{made['id']}--{made['slug']}.md")


def _freed(street: Street, *argv: str) -> tuple[dict[str, Any], str]:
    """An intent that nobody holds, and its worktree."""
    made = street.held(A, *argv)
    assert street.lock("release", made["id"], session=A).rc == 0
    return made, str(made["worktree"]["path"])


# -- worktree --------------------------------------------------------------------------------------


def a_project_without_a_repository(_: Street) -> Call:
    return types(A, "plastic", "worktree", "list", "--project", "nowhere", "--json")


def a_worktree_of_a_global_intent(street: Street) -> Call:
    return _remove(street.intent("--global")["id"])


def a_worktree_that_was_never_made(street: Street) -> Call:
    return _remove(street.intent()["id"])


def a_worktree_in_use(street: Street) -> Call:
    return _remove(street.held(A)["id"])


def a_worktree_with_commits_of_its_own(street: Street) -> Call:
    _, tree = _freed(street)
    street.git("commit", "-q", "--allow-empty", "-m", "only here", cwd=tree)
    Path(tree, "only.py").write_text("x\n")
    street.git("add", "only.py", cwd=tree)
    street.git("commit", "-q", "-m", "only here", cwd=tree)
    return _remove(tree)


def a_worktree_in_the_middle_of_a_merge(street: Street) -> Call:
    _, tree = _freed(street)
    admin = street.git("rev-parse", "--absolute-git-dir", cwd=tree)
    Path(admin, "MERGE_HEAD").write_text(street.git("rev-parse", "HEAD") + "\n")
    return _remove(tree)


def a_worktree_that_lost_its_git_file(street: Street) -> Call:
    _, tree = _freed(street)
    os.remove(f"{tree}/.git")
    return _remove(tree)


def a_worktree_of_another_tool(street: Street) -> Call:
    street.calls += 1
    tree = str(street.root / f"mine-{street.calls}")
    street.git("worktree", "add", "-q", "-b", f"mine-{street.calls}", tree)
    return _remove(tree)


def a_worktree_that_somebody_relocked(street: Street) -> Call:
    _, tree = _freed(street)
    street.git("worktree", "unlock", tree)
    street.git("worktree", "lock", "--reason", "on a stick", tree)
    return _remove(tree)


WORKTREES = [
    Case("work/tree/worktrees.py", "no-project", a_project_without_a_repository, "ID"),
    Case("work/tree/worktrees.py", "no-worktree", a_worktree_of_a_global_intent, "ID"),
    Case("work/tree/worktrees.py", "no-worktree", a_worktree_that_was_never_made, "run:"),
    Case("work/tree/worktrees.py", "worktree-held", a_worktree_in_use, "token"),
    Case("work/tree/worktrees.py", "not-merged", a_worktree_with_commits_of_its_own, "only here"),
    Case(
        "work/tree/worktrees.py", "worktree-holds", a_worktree_in_the_middle_of_a_merge, "merging"
    ),
    Case("work/tree/worktrees.py", "worktree-broken", a_worktree_that_lost_its_git_file),
    Case("work/tree/worktrees.py", "worktree-foreign", a_worktree_of_another_tool, "mine-"),
    Case("work/tree/trash.py", "worktree-foreign", a_worktree_that_somebody_relocked, "locked"),
]


# -- salvage ---------------------------------------------------------------------------------------


def _salvage(street: Street, times: int = 1) -> dict[str, Any]:
    made = street.held(A)
    for number in range(times):
        Path(made["worktree"]["path"], "app.py").write_text(f"TAX = {number}\n")
        street.lapse(made)
        words = ("reclaim", made["id"], "--despite-evidence")
        assert street.lock(*words, session=street.someone()).rc == 0
    return made


def nothing_that_was_kept(street: Street) -> Call:
    return types(A, "plastic", "salvage", "show", f"{_salvage(street)['id']}/99", "--json")


def two_that_were_kept(street: Street) -> Call:
    return types(A, "plastic", "salvage", "restore", _salvage(street, 2)["id"], "--json")


def a_branch_that_is_called_salvage(street: Street) -> Call:
    made = _salvage(street)
    street.git("branch", "salvage")
    return types(A, "plastic", "salvage", "restore", made["id"], "--json")


SALVAGE = [
    Case("work/tree/salvages.py", "no-salvage", nothing_that_was_kept, "/1"),
    Case("work/tree/salvages.py", "ambiguous", two_that_were_kept, "/2"),
    Case("work/tree/salvages.py", "branch-conflict", a_branch_that_is_called_salvage),
]


# -- maintain --------------------------------------------------------------------------------------


def no_change_named(street: Street) -> Call:
    return _maintain(street.intent())


def a_text_of_no_line(street: Street) -> Call:
    return _maintain(street.intent(), "--replace", "", "x")


def a_file_that_would_not_be_valid(street: Street) -> Call:
    return _maintain(street.intent(), "--replace", "sources:", "source:")


def an_end_without_end(street: Street) -> Call:
    return _maintain(street.held(A), "--move", "Completed", session=_released(street))


def _released(street: Street) -> str:
    for name in os.listdir(street.home.held):
        if name[0] != ".":
            street.lock("release", name, session=A)
    return A


def links_that_cannot_be_made(street: Street) -> Call:
    made = street.intent()
    own = _own(made)
    own.write_text(own.read_text().replace("## Links", "## Other"))
    return _maintain(made, "--links")


def an_intent_that_index_does_not_name(street: Street) -> Call:
    made = street.intent()
    path = Path(street.home.index("shop"))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(one for one in lines if f"[{made['id']} " not in one))
    return _maintain(made, "--move", "Future")


def an_intent_without_its_file(street: Street) -> Call:
    made = street.intent()
    _own(made).unlink()
    return _maintain(made, "--links")


def a_document_that_is_not_there(street: Street) -> Call:
    return _maintain(street.intent(), "--replace", "a", "b", "--in", "none.md")


def a_text_that_is_not_there(street: Street) -> Call:
    return _maintain(street.intent(), "--replace", "no such text", "x")


def a_section_in_other_letters(street: Street) -> Call:
    made = street.intent()
    with _own(made).open("a") as file:
        file.write("\n## Notes\n\nx\n")
    return _maintain(made, "--move", "notes")


def a_document_of_the_intent(street: Street) -> Call:
    return _maintain(street.intent(), "--move", "spec.md")


def the_ledger(street: Street) -> Call:
    return _maintain(street.intent(), "--replace", "What", "Why", "--in", "savepoint.md")


def links_that_are_right(street: Street) -> Call:
    return _maintain(street.intent(), "--links")


def the_content_of_an_intent(street: Street) -> Call:
    return _maintain(street.intent(), "--move", "Context")


def a_deposit_that_exists(street: Street) -> Call:
    made = street.intent()
    for name in ("draft.txt", "resources/draft.txt"):
        Path(made["dir"], name).write_text("x\n")
    return _maintain(made, "--move", "draft.txt")


def an_intent_that_is_worked_on(street: Street) -> Call:
    made = street.held(A)
    Path(made["dir"], "draft.txt").write_text("x\n")
    return _maintain(made, "--move", "draft.txt")


def a_temporary_folder_that_is_none(street: Street) -> Call:
    made = street.intent()
    Path(made["dir"], "draft.txt").write_text("x\n")
    (street.root / "blocked").write_text("")
    return _maintain(made, "--move", "draft.txt", env={"PLASTIC_TMP": str(street.root / "blocked")})


def a_doctor_without_a_house(street: Street) -> Call:
    return types(A, "plastic", "doctor", env={"PLASTIC_HOME": str(street.root / "no-home")})


MAINTAIN = [
    Case("cli/maintain.py", "maintain", no_change_named, "Usage"),
    Case("work/intent/changes.py", "one-line", a_text_of_no_line, "Usage"),
    Case("work/intent/changes.py", "create", a_file_that_would_not_be_valid, "documents"),
    Case("work/intent/changes.py", "end-only", an_end_without_end, "would end"),
    Case("work/intent/changes.py", "links-unclear", links_that_cannot_be_made, "documents"),
    Case("work/intent/changes.py", "no-entry", an_intent_that_index_does_not_name, "ID"),
    Case("work/intent/changes.py", "no-intent-file", an_intent_without_its_file, "documents"),
    Case("work/intent/changes.py", "no-file", a_document_that_is_not_there, "spec.md"),
    Case("work/intent/changes.py", "no-match", a_text_that_is_not_there, "## Intent"),
    Case("work/intent/changes.py", "no-such-part", a_section_in_other_letters, '"v1"'),
    Case("work/intent/changes.py", "not-stray", a_document_of_the_intent, "documents"),
    Case("work/intent/changes.py", "not-yours", the_ledger, "documents"),
    Case("work/intent/changes.py", "nothing-to-do", links_that_are_right, "documents"),
    Case("work/intent/changes.py", "sanctioned", the_content_of_an_intent, "owner"),
    Case("work/intent/changes.py", "taken", a_deposit_that_exists, "draft.txt"),
    Case("work/intent/maintain.py", "maintain-held", an_intent_that_is_worked_on, '"v1"'),
    Case("disk/upkeep.py", "tmp-unusable", a_temporary_folder_that_is_none, "blocked"),
    Case("work/doctor/run.py", "no-home", a_doctor_without_a_house, "home"),
]


@pytest.mark.parametrize("case", [*WORKTREES, *SALVAGE, *MAINTAIN], ids=lambda case: case.name)
def test_the_printed_command(own: Street, case: Case) -> None:
    play(own, case)


# -- whose command resolves it, but the refused call has nothing left to do ------------------------

SPECIAL = [("work/tree/worktrees.py", "not-registered")]


def test_a_stray_directory_is_moved_aside(own: Street) -> None:
    stray = own.repo / ".claude" / "worktrees" / "99--stray"
    stray.mkdir(parents=True)
    (stray / "work.py").write_text("x\n")
    call = _remove(str(stray))
    said = own.ask(call)
    assert said.code == "not-registered"
    assert own.paste(said.run, call).rc == 0
    assert Path(f"{stray}.aside", "work.py").read_text() == "x\n"


def test_what_doctor_prints_works_when_it_is_pasted(own: Street) -> None:
    """Every finding of a house with many troubles; reclaim and editors belong to a person."""
    build: list[Callable[[Street], Call]] = [
        a_worktree_with_commits_of_its_own,
        a_worktree_that_lost_its_git_file,
        a_worktree_in_use,
        an_intent_that_index_does_not_name,
    ]
    call = [make(own) for make in build][-1]
    (own.repo / ".claude" / "worktrees" / "99--stray").mkdir()
    report = own.plastic("doctor", "--json", session=A).json
    lines = [one["run"] for check in report["checks"] for one in check["findings"] if one["run"]]
    assert len(lines) >= 3
    for line in lines:
        done = own.paste(line, call)
        assert done.rc == 0, f"{line}\n{done.out}{done.err}"
