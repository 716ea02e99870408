"""Each refusal of the gates: the real process denies, its printed command resolves it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.printed.street import BIN, A, B, Call, Case, Street, lock_of, play, writes

SECTION = "## Links"


def a_lock_by_hand(street: Street) -> Call:
    return writes(A, lock_of(street.held(A)))


def a_claim_by_hand(street: Street) -> Call:
    return writes(A, f"{street.held(A)['dir']}/.claims/spec.md.claim")


def a_ledger_by_hand(street: Street) -> Call:
    return writes(A, f"{street.held(A)['dir']}/savepoint.md")


def an_intent_moved_away(street: Street) -> Call:
    made = street.held(A)
    move = {"source": made["dir"], "destination": f"{made['dir']}-old"}
    return Call(A, tool="mcp__filesystem__move_file", values=move)


def the_registry(street: Street) -> Call:
    return writes(A, street.home.projects_yml)


def the_settings(street: Street) -> Call:
    return writes(A, street.home.config_yml)


def a_file_of_the_home(street: Street) -> Call:
    return writes(A, street.home.log)


def a_file_in_a_store(street: Street) -> Call:
    return writes(A, f"{street.home.store('shop')}/notes.md")


def nobody_boarded(street: Street) -> Call:
    return writes(A, f"{street.intent()['dir']}/spec.md")


def the_owner_is_silent(street: Street) -> Call:
    made = street.held(street.someone())
    street.lapse(made)
    return writes(B, f"{made['dir']}/spec.md")


def a_settled_corrupt_lock(street: Street) -> Call:
    made = street.held(A)
    lock_of(made).write_text("{")
    street.age(lock_of(made), 60)
    return writes(B, f"{made['dir']}/spec.md")


def a_young_corrupt_lock(street: Street) -> Call:
    made = street.held(A)
    lock_of(made).write_text("{")
    street.age(lock_of(made), 3)
    return writes(B, f"{made['dir']}/spec.md")


def a_claimed_document(street: Street) -> Call:
    made = street.held(A)
    assert street.lock("claim", made["id"], "spec.md", "--delegate", "w-1", session=A).rc == 0
    return writes(A, f"{made['dir']}/spec.md")


def a_plan_before_a_spec(street: Street) -> Call:
    return writes(A, f"{street.held(A)['dir']}/plan.md")


def code_before_a_plan(street: Street) -> Call:
    return writes(A, f"{street.held(A)['lock']['worktree']['path']}/app.py")


def code_in_the_main_checkout(street: Street) -> Call:
    street.planned(B)
    return writes(B, street.repo / "app.py")


def links_typed_by_hand(street: Street) -> Call:
    made = street.held(A)
    path = Path(made["dir"], f"{made['id']}--{made['slug']}.md")
    text = re.sub(rf"(?s){SECTION}\n.*", f"{SECTION}\n\n- Sources: [[77]]\n", path.read_text())
    return writes(A, path, text)


def an_intent_file_without_front_matter(street: Street) -> Call:
    made = street.held(A)
    return writes(A, f"{made['dir']}/{made['id']}--{made['slug']}.md", "# Work\n")


def an_intent_made_by_hand(street: Street) -> Call:
    name = "900--tax"
    return writes("session-d", f"{street.home.store('shop')}/{name}/{name}.md", "# Tax\n")


def runs(session: str, command: str) -> Call:
    """An agent's shell command, from a place that is nobody's."""
    return Call(session, tool="Bash", values={"command": command}, cwd="/")


def a_script_about_the_registry(street: Street) -> Call:
    return runs(A, f"python3 tool.py {street.home.projects_yml}")


WHERE = "rules/gates/refusals.py"
CASES = [
    Case(WHERE, "lock-file", a_lock_by_hand, "repaired"),
    Case(WHERE, "claim-file", a_claim_by_hand, "plastic-lock claim"),
    Case(WHERE, "ledger", a_ledger_by_hand, "write a real spec.md"),
    Case(WHERE, "intent-dir", an_intent_moved_away, "write a real spec.md"),
    Case(WHERE, "registry", the_registry, "A person edits"),
    Case(WHERE, "config", the_settings, "A person edits"),
    Case(WHERE, "home-file", a_file_of_the_home, "Show the journal"),
    Case(WHERE, "store", a_file_in_a_store, "Make an intent"),
    Case(WHERE, "no-lock", nobody_boarded),
    Case(WHERE, "stale", the_owner_is_silent),
    Case(WHERE, "corrupt", a_settled_corrupt_lock),
    Case(WHERE, "corrupt", a_young_corrupt_lock),
    Case(WHERE, "claimed", a_claimed_document, "plastic-lock release-claim"),
    Case(WHERE, "too-early", a_plan_before_a_spec, "write a real spec.md"),
    Case(WHERE, "too-early", code_before_a_plan, "write a real spec.md"),
    Case(WHERE, "elsewhere", code_in_the_main_checkout, ".claude/worktrees/"),
    Case(WHERE, "links", links_typed_by_hand, "documents"),
    Case(WHERE, "invalid", an_intent_file_without_front_matter, "write a real spec.md"),
    Case(WHERE, "invalid-new", an_intent_made_by_hand, "900--tax.md"),
    Case(WHERE, "shell-file", a_script_about_the_registry, "Show the journal"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_gate_prints_resolves_its_refusal(shared: Street, case: Case) -> None:
    play(shared, case)


def code_without_an_intent(street: Street) -> Call:
    registry = Path(street.home.projects_yml)
    registry.write_text(registry.read_text().rstrip() + "\n    require_intent: true\n")
    return writes("session-d", street.repo / "app.py")


OWN = [Case(WHERE, "no-intent", code_without_an_intent, "write a real spec.md")]


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_what_a_gate_prints_resolves_its_refusal_in_a_strict_project(
    own: Street, case: Case
) -> None:
    play(own, case)


def pen(street: Street, *argv: str, session: str = B) -> None:
    done = street.plastic("pen", *argv, session=session, cwd=street.repo)
    assert done.rc == 0, done.out + done.err


def at_the_pen(street: Street) -> Call:
    """The shop has a pen, and B is bo of it."""
    pen(street, "init", "--agents", "ana,bo", session=A)
    pen(street, "bind", "bo")
    return writes(B, street.repo / "app.py")


def anothers_pen(street: Street) -> Call:
    call = at_the_pen(street)
    pen(street, "claim", "ana", session=A)
    return call


def a_window_of_ones_namesake(street: Street) -> Call:
    call = at_the_pen(street)
    pen(street, "bind", "bo", session=A)
    pen(street, "claim", session=A)
    return call


def a_session_that_is_done(street: Street) -> Call:
    call = at_the_pen(street)
    pen(street, "done", "bo")
    return call


def a_block_that_is_gone(street: Street) -> Call:
    call = anothers_pen(street)
    path = street.repo / "M8SHIFT.md"
    path.write_text(path.read_text().replace("holder:", "older:"))
    return call


PEN = [
    Case(WHERE, "pen-held", anothers_pen, "ana"),
    Case(WHERE, "pen-instance", a_window_of_ones_namesake, "bo"),
    Case(WHERE, "pen-free", at_the_pen),
    Case(WHERE, "pen-closed", a_session_that_is_done, "DONE"),
    Case(WHERE, "pen-corrupt", a_block_that_is_gone, "repaired"),
]
# Advice only: there is nothing to resolve.
ADVICE = ("pen-file",)


@pytest.mark.parametrize("case", PEN, ids=lambda case: case.name)
def test_what_the_gate_of_the_pen_prints_resolves_its_refusal(own: Street, case: Case) -> None:
    play(own, case)


def wait_and_release(street: Street, line: str, call: Call, made: dict[str, str]) -> None:
    """Paste a line that waits; the owner releases; the line ends and the call goes through."""
    child = subprocess.Popen(
        ["sh", "-c", line],
        cwd=street.repo,
        env=street.environment({"CLAUDE_CODE_SESSION_ID": call.session}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stderr is not None
    assert "waiting for" in child.stderr.readline()
    assert child.poll() is None
    assert street.lock("release", made["id"], session=A).rc == 0
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, out + err
    after = street.ask(call)
    assert (after.code, after.rc) == (None, 0), after


WAITING = ("held", "shell-opaque")


@pytest.mark.parametrize("code", WAITING)
def test_the_command_against_a_fresh_foreign_lock_waits_for_its_owner(
    shared: Street, code: str
) -> None:
    made = shared.held(A)
    path = f"{made['dir']}/spec.md"
    call = writes(B, path) if code == "held" else runs(B, f"python3 tool.py {path}")
    said = shared.ask(call)
    assert (said.code, said.run) == (code, f"plastic start {made['id']} --wait")
    wait_and_release(shared, said.run, call, made)


# What is said after a command -> the command, and what the pasted line then shows.
AFTER = {
    "taint": ("python3 tool.py", "spec.md changed at"),
    "taint-home": ("make", "taint "),
    "bypassed": ("echo x > {}", "gate bypassed"),
}


@pytest.mark.parametrize("code", AFTER)
def test_what_is_said_after_a_command_leads_to_what_happened(shared: Street, code: str) -> None:
    command, shown = AFTER[code]
    made = shared.held(A)
    home = code == "taint-home"
    path = Path(shared.home.config_yml) if home else Path(made["dir"], "spec.md")
    call = runs(B, command.format(path))
    ask = shared.event(call, "PreToolUse")
    assert ("deny" in shared.hear(ask)) is (code == "bypassed")
    path.write_text(f"# {code}\n")
    said = json.loads(shared.hear({**ask, "hook_event_name": "PostToolUse"}))["reason"]
    path.unlink()
    done = shared.paste(said.partition("\nrun: ")[2].partition("\n")[0], call)
    assert done.rc == 0
    assert shown in done.out


def test_the_commands_are_found_beside_the_interpreter() -> None:
    assert Path(BIN, "plastic").exists()
    assert Path(BIN, "plastic-lock").exists()
