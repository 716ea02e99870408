"""Each refusal about a lock: what plastic-lock and plastic start print resolves it."""

from __future__ import annotations

import os
import pty
import select
import time
from pathlib import Path

import pytest

from tests.printed.street import A, B, Call, Case, Street, lock_of, play, types
from tests.printed.test_gates import wait_and_release


def _stale(street: Street) -> str:
    made = street.held(street.someone())
    street.lapse(made)
    return str(made["id"])


def _delegated(street: Street) -> str:
    """An intent of A with the delegate B."""
    made = street.held(A)
    assert street.lock("delegate", made["id"], "--delegate", B, session=A).rc == 0
    return str(made["id"])


def a_beat_without_a_lock(street: Street) -> Call:
    return types(A, "plastic-lock", "beat", street.intent()["id"])


def a_start_on_a_stale_lock(street: Street) -> Call:
    return types(B, "plastic", "start", _stale(street))


def a_start_with_a_named_session(street: Street) -> Call:
    return types("", "plastic", "start", _stale(street), "--session", "me")


def a_beat_on_a_young_corrupt_lock(street: Street) -> Call:
    made = street.held(A)
    lock_of(made).write_text("")
    street.age(lock_of(made), 3)
    return types(A, "plastic-lock", "beat", made["id"])


def a_lock_that_may_not_be_read(street: Street) -> Call:
    made = street.held(A)
    lock_of(made).chmod(0)
    return types(A, "plastic-lock", "beat", made["id"])


def a_reclaim_with_an_old_token(street: Street) -> Call:
    return types(B, "plastic-lock", "reclaim", _stale(street), "--token", "99")


def a_session_with_a_line_break(street: Street) -> Call:
    return types("", "plastic-lock", "arm", street.intent()["id"], "--session", "a\nb")


def a_new_owner_with_a_line_break(street: Street) -> Call:
    return types(A, "plastic-lock", "transfer", street.held(A)["id"], "--to", "a\nb")


def a_reclaim_of_nothing(street: Street) -> Call:
    return types(A, "plastic-lock", "reclaim", street.intent()["id"])


def a_reclaim_by_a_delegate(street: Street) -> Call:
    return types(B, "plastic-lock", "reclaim", _delegated(street))


def a_release_by_a_delegate(street: Street) -> Call:
    return types(B, "plastic-lock", "release", _delegated(street))


def a_transfer_by_a_delegate(street: Street) -> Call:
    return types(B, "plastic-lock", "transfer", _delegated(street), "--to", B)


def a_delegate_by_a_delegate(street: Street) -> Call:
    return types(B, "plastic-lock", "delegate", _delegated(street), "--delegate", "session-d")


def a_delegate_without_a_name(street: Street) -> Call:
    return types(A, "plastic-lock", "delegate", street.held(A)["id"], "--delegate", "a\nb")


def an_unknown_mark(street: Street) -> Call:
    words = ("--delegate", B, "--status", "gone")
    return types(A, "plastic-lock", "delegate", _delegated(street), *words)


def a_mark_of_nobody(street: Street) -> Call:
    words = ("--delegate", "session-d", "--status", "finished")
    return types(A, "plastic-lock", "delegate", street.held(A)["id"], *words)


def a_beat_of_a_finished_delegate(street: Street) -> Call:
    id = _delegated(street)
    words = ("--delegate", B, "--status", "finished")
    assert street.lock("delegate", id, *words, session=A).rc == 0
    return types(B, "plastic-lock", "beat", id)


def a_second_claim(street: Street) -> Call:
    made = street.held(A)
    assert street.lock("claim", made["id"], "spec.md", session=A).rc == 0
    return types(A, "plastic-lock", "claim", made["id"], "spec.md")


def a_claim_on_an_outcome(street: Street) -> Call:
    return types(A, "plastic-lock", "claim", street.held(A)["id"], "outcome.md")


def a_mode_that_there_is_not(street: Street) -> Call:
    return types(A, "plastic-lock", "arm", street.intent()["id"], "--mode", "fast")


def a_transfer_to_nobody(street: Street) -> Call:
    return types(A, "plastic-lock", "transfer", street.held(A)["id"])


def a_claim_of_nothing(street: Street) -> Call:
    return types(A, "plastic-lock", "claim")


def a_keep_without_a_command(street: Street) -> Call:
    return types(A, "plastic-lock", "keep", street.held(A)["id"])


def a_keep_of_no_program(street: Street) -> Call:
    return types(A, "plastic-lock", "keep", street.held(A)["id"], "--", "no-such-program-x")


def two_harnesses_at_once(street: Street) -> Call:
    env = {"GEMINI_SESSION_ID": "session-g"}
    return types(A, "plastic", "start", street.intent()["id"], env=env)


def an_arm_of_what_has_ended(street: Street) -> Call:
    made = street.intent()
    index = Path(street.home.index("shop"))
    text = index.read_text()
    (entry,) = [line for line in text.splitlines() if line.startswith(f"- [{made['id']} ")]
    text = text.replace(f"{entry}\n", "").replace("## Completed\n", f"## Completed\n\n{entry}\n")
    index.write_text(text)
    return types(A, "plastic-lock", "arm", made["id"])


HELP = "Usage: plastic-lock"
REFUSE, LOCK, TRANSFER = "work/lock/refuse.py", "work/lock/verb.py", "work/lock/transfer.py"
CASES = [
    Case(REFUSE, "no-lock", a_beat_without_a_lock),
    Case(REFUSE, "stale", a_start_on_a_stale_lock),
    Case(REFUSE, "stale", a_start_with_a_named_session),
    Case(REFUSE, "corrupt", a_beat_on_a_young_corrupt_lock),
    Case(REFUSE, "lost", a_reclaim_with_an_old_token, "plastic-lock reclaim"),
    Case(LOCK, "session", a_session_with_a_line_break, "acquired"),
    Case(TRANSFER, "session", a_new_owner_with_a_line_break, HELP),
    Case("work/lock/takeover.py", "no-lock", a_reclaim_of_nothing),
    Case("work/lock/takeover.py", "not-owner", a_reclaim_by_a_delegate, f"{A} may"),
    Case(REFUSE, "not-owner", a_release_by_a_delegate, f"{A} may"),
    Case(REFUSE, "not-owner", a_transfer_by_a_delegate, f"{A} may"),
    Case(REFUSE, "not-owner", a_delegate_by_a_delegate, f"{A} may"),
    Case("work/lock/delegates.py", "delegate", a_delegate_without_a_name, HELP),
    Case("work/lock/delegates.py", "status", an_unknown_mark, HELP),
    Case("work/lock/delegates.py", "unknown-delegate", a_mark_of_nobody),
    Case("work/lock/keep.py", "no-heartbeat", a_beat_of_a_finished_delegate, f"{A} may"),
    Case("work/lock/claims.py", "claimed", a_second_claim, "plastic-lock release-claim"),
    Case("work/lock/claims.py", "artifact", a_claim_on_an_outcome, "spec.md, plan.md"),
    Case("cli/lock/options.py", "mode", a_mode_that_there_is_not, "auto or guided"),
    Case("cli/lock/verbs.py", "transfer", a_transfer_to_nobody, "--to"),
    Case("cli/lock/shares.py", "usage", a_claim_of_nothing, "claim"),
    Case("cli/lock/shares.py", "usage", a_keep_without_a_command, "-- CMD"),
    Case("disk/process.py", "process", a_keep_of_no_program, "/bin"),
    Case("disk/session.py", "two-sessions", two_harnesses_at_once, "owner"),
    Case("work/lock/acquire.py", "terminal", an_arm_of_what_has_ended, "Completed"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_printed_about_a_lock_resolves_it(shared: Street, case: Case) -> None:
    play(shared, case)


OWN = [Case(REFUSE, "lock-unreadable", a_lock_that_may_not_be_read)]


@pytest.mark.usefixtures("permissions")
@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_what_is_printed_about_rights_resolves_it(shared: Street, case: Case) -> None:
    play(shared, case)


def a_takeover_of_a_busy_worktree(street: Street) -> Call:
    """The owner is silent, but a file of the worktree changed after its last heartbeat."""
    Path(street.home.config_yml).write_text("version: 1\nquarantine: 3\n")
    made = street.held(A)
    street.lapse(made)
    Path(made["lock"]["worktree"]["path"], "app.py").write_text("TAX = 0.3\n")
    return types(B, "plastic-lock", "reclaim", made["id"])


QUARANTINE = [Case("work/lock/takeover.py", "quarantine", a_takeover_of_a_busy_worktree)]


@pytest.mark.parametrize("case", QUARANTINE, ids=lambda case: case.name)
def test_a_quarantine_is_slept_through(own: Street, case: Case) -> None:
    play(own, case)


# The codes whose printed command needs more than a shell; each has its own test below or above.
WAITING = [(REFUSE, "held"), ("disk/person.py", "person"), (TRANSFER, "heard")]


def test_a_start_waits_for_a_fresh_foreign_lock(shared: Street) -> None:
    made = shared.held(A)
    call = types(B, "plastic", "start", made["id"])
    said = shared.ask(call)
    assert said.code == "held"
    wait_and_release(shared, said.run, call, made)


def at_a_terminal(street: Street, line: str, answer: str) -> tuple[int, str]:
    """Run a line as a person does: on a terminal, without a harness, typing the answer."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(street.repo)
        os.execve("/bin/sh", ["sh", "-c", line], street.environment())
    shown, typed, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 1)
        try:
            part = os.read(terminal, 4096) if ready else None
        except OSError:
            break
        if part == b"":
            break
        shown += part or b""
        if b"type the id" in shown and not typed:
            os.write(terminal, f"{answer}\n".encode())
            typed = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def test_a_person_pastes_what_an_agent_may_not(shared: Street) -> None:
    made = shared.held(A)
    shared.age(lock_of(made), 58)
    words = ("--from", A, "--to", B, "--token", "1")
    said = shared.ask(types(B, "plastic-lock", "transfer", made["id"], *words))
    assert said.code == "person"
    rc, shown = at_a_terminal(shared, said.run.replace(" --json", ""), made["id"])
    if rc == 3:  # still within the minute of A's last sign of life
        (line,) = [one for one in shown.splitlines() if one.startswith("run: sleep ")]
        rc, shown = at_a_terminal(shared, line.removeprefix("run: "), made["id"])
    assert (rc, "transferred" in shown) == (0, True), shown


def test_a_person_waits_until_the_owner_is_surely_gone(shared: Street) -> None:
    made = shared.held(A)
    shared.age(lock_of(made), 56)
    line = f"plastic-lock transfer {made['id']} --from {A} --to {B} --token 1"
    rc, shown = at_a_terminal(shared, line, made["id"])
    assert rc == 3, shown
    (again,) = [one for one in shown.splitlines() if one.startswith("run: sleep ")]
    rc, shown = at_a_terminal(shared, again.removeprefix("run: "), made["id"])
    assert (rc, "transferred" in shown) == (0, True), shown
