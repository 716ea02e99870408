"""Which test makes which attack, and which sees a safeguard missing; printed with the figures."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """One kind of attack: the tests, and the rows of the page that they write when they are big."""

    id: str
    what: str
    tests: tuple[str, ...]
    rows: str = ""  # what their rows begin with; "" = every run of the suite does it in full


class Mutant(NamedTuple):
    """A safeguard that is taken out, and the tests that show what is lost then."""

    without: str
    tests: tuple[str, ...]


RACES, EFFECTS = "races/test_races.py", "faults/test_effects.py::test_every_effect"
MUTANT, POWER = "faults/test_mutants.py", "faults/test_power.py"
PLAN: tuple[Case, ...] = (
    Case(
        "C1",
        "many acquire one free lock",
        (f"{RACES}::test_a_free_lock_has_one_winner",),
        "acquire a free lock",
    ),
    Case(
        "C2",
        "many take over one stale lock",
        (f"{RACES}::test_a_stale_lock_has_one_taker_and_one_line",),
        "take over a stale lock",
    ),
    Case(
        "C3",
        "every schedule of our steps, with a crash at each",
        ("model/test_model.py::test_no_schedule_breaks_a_promise",),
    ),
    Case(
        "C4",
        "superseded between the look and the act",
        (
            "faults/test_token.py::test_it_is_refused_with_the_new_owner_s_name",
            "work/fence/test_superseded.py::test_end_publishes_nothing_past_a_raised_fence",
        ),
    ),
    Case(
        "C5",
        "takers beside an owner who beats",
        (f"{RACES}::test_a_beating_owner_is_never_taken_over",),
        "take over from an owner who beats",
    ),
    Case(
        "C6", "many claim one artifact", (f"{RACES}::test_one_claim_of_many",), "claim one artifact"
    ),
    Case(
        "C7",
        "workers of the backlog, some killed",
        ("store/test_drain.py::test_the_same_with_thousands",),
        "backlog: 8 processes",
    ),
    Case(
        "C8",
        "the same on PostgreSQL, the server killed among them",
        (
            "store/test_postgres_races.py::test_sixteen_processes_drain_a_queue",
            "store/test_postgres_races.py::test_a_server_killed_among_workers",
        ),
    ),
    Case(
        "C9",
        "parallel starts in one repository",
        ("work/test_start_races.py::test_sixty_starts_of_sixty_intents",),
        "parallel starts of intents",
    ),
    Case(
        "C10",
        "Ends at once in one repository",
        ("races/test_ends.py::test_all_of_them_end",),
        "Ends at once",
    ),
    Case(
        "C11",
        "writers of INDEX.md beside a person",
        ("work/intent/test_index.py::test_32_writers_and_an_editor_lose_nothing",),
        "C11:",
    ),
    Case(
        "K1",
        "kill -9 before every effect of every command",
        (EFFECTS, "races/test_kills.py::test_takeover"),
        "kill -9 before every effect",
    ),
    Case(
        "K2",
        "kill -9 at every system call of the lock commands",
        ("faults/test_syscalls.py::test_every_call",),
        "K2:",
    ),
    Case(
        "K3",
        "git killed in the checkout of an End",
        ("work/merge/test_publish_strace.py::test_every_call",),
        "git killed at a system call",
    ),
    Case(
        "K4",
        "a power loss: names and bytes that no fsync reached",
        (f"{POWER}::test_every_power_loss",),
        "K4:",
    ),
    Case("E1", "an error of the system at every effect", (EFFECTS,), "an error of the system"),
    Case("E2", "a disk that is nearly full", ("faults/test_full_disk.py::test_every_size",), "E2:"),
    Case(
        "T1",
        "clocks that step, a future heartbeat, a laptop that slept",
        (
            "faults/test_clocks.py::test_a_taker_with_another_clock",
            "faults/test_clocks.py::test_an_owner_with_another_clock",
            "faults/test_clocks.py::test_a_session_that_slept",
            "work/lock/test_repair.py::test_observed_for_one_ttl_it_may_be_taken",
        ),
    ),
    Case(
        "T2",
        "times in whole seconds, inodes that come again, links that lie",
        (
            "faults/test_clocks.py::test_whole_seconds",
            "faults/test_clocks.py::test_the_same_second_is_no_identity",
            "faults/test_clocks.py::test_a_file_system_with_odd_links",
            "disk/test_locks.py::test_without_flock_nothing_is_done",
        ),
    ),
    Case(
        "F1",
        "spoilt files of ours",
        (
            "faults/test_damage.py::test_ten_thousand_files",
            "disk/test_lockfile.py::test_mutations_of_a_lock",
        ),
        "spoilt files",
    ),
    Case(
        "F2",
        "payloads of a hook, in process",
        (
            "test_hook.py::test_no_payload_breaks_the_judge",
            "gates/test_shell_door.py::test_soak_of_fuzzed_commands",
        ),
        "fuzzed shell payloads",
    ),
    Case(
        "F3",
        "payloads of a hook, as a process; odd pipes",
        ("test_hook.py::test_no_payload_breaks_the_process", "test_hook.py::test_closed_stdin"),
    ),
    Case("S1", "sessions at work", ("faults/test_town.py::test_half_an_hour",), "S1:"),
    Case(
        "model",
        "random histories of six sessions against a model that knows each byte",
        ("model/test_histories.py::test_nothing_is_lost_in_many",),
        "Every byte is found again",
    ),
)
MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "the guard",
        (
            f"{MUTANT}::test_the_guard",
            "model/test_model.py::test_an_acquire_without_the_guard_is_caught",
            "model/test_model.py::test_a_release_without_the_guard_is_caught",
            "model/test_model.py::test_a_beat_without_the_guard_is_caught",
            "work/tree/test_provision_crash.py::test_plain_parallel_adds_lose_some",
        ),
    ),
    Mutant(
        "the compare of what was seen, before the swap",
        (
            f"{MUTANT}::test_the_token_that_a_taker_saw",
            f"{MUTANT}::test_the_compare_of_the_base",
            "work/intent/test_index.py::test_an_editor_that_saves_in_the_very_moment",
        ),
    ),
    Mutant(
        "the fence",
        (
            "work/fence/test_superseded.py::test_the_suite_would_see_a_check_that_is_missing",
            "work/fence/test_superseded.py::test_it_would_see_a_publish_without_the_fence",
            "work/fence/test_superseded.py::test_it_would_see_a_barrier_that_believes_any_fence",
            "work/tree/test_worktrees.py::test_a_branch_whose_fence_is_raised_meanwhile_stays",
        ),
    ),
    Mutant(
        "the proof, or its tie to one tip",
        (
            f"{MUTANT}::test_the_proof",
            f"{MUTANT}::test_the_tip_that_was_proven",
            "work/end/test_contained.py::test_git_cherry_would_lie",
            "work/end/test_contained.py::test_with_attributes_the_proof_would_lie",
        ),
    ),
    Mutant(
        "the check of the token under the guard",
        (
            "faults/test_token.py::test_a_check_that_is_missing_is_caught",
            "store/test_claims.py::test_a_release_that_ignores_the_token_is_caught",
            "backlog/test_delivery.py::test_a_token_that_nobody_checks_is_caught",
        ),
    ),
    Mutant(
        "the order of counter and lock",
        ("model/test_model.py::test_a_counter_that_is_written_after_the_lock_is_caught",),
    ),
    Mutant(
        "an fsync",
        (
            f"{POWER}::test_a_link_that_no_fsync_reached_is_caught",
            f"{POWER}::test_bytes_that_no_fsync_reached_are_caught",
        ),
    ),
    Mutant(
        "the look at ignored files before a merge",
        ("work/merge/test_publish.py::test_without_the_look_the_ignored_file_would_be_lost",),
    ),
    Mutant(
        "the way back after a kill in a checkout",
        ("work/merge/test_publish_kills.py::test_plain_merge_killed_there_does_not_converge",),
    ),
    Mutant(
        "the care for commits that only a reflog has",
        ("model/test_histories.py::test_what_only_a_reflog_has",),
    ),
)


def _linked(tests: tuple[str, ...]) -> str:
    return "<br>".join(f"`{one}`" for one in tests)


def _figure(case: Case, rows: dict[str, str]) -> str:
    """How often it was done the last time, from the rows of the page."""
    if not case.rows:
        return "whole in every run"
    found = [line.split(" | ")[1] for name, line in rows.items() if name.startswith(case.rows)]
    return found[0] if len(found) == 1 else f"{len(found) or 'no'} rows below"


def tables(rows: dict[str, str]) -> str:
    """Both tables, as Markdown."""
    plan = "".join(
        f"| {one.id} | {one.what} | {_linked(one.tests)} | {_figure(one, rows)} |\n" for one in PLAN
    )
    mutants = "".join(f"| {one.without} | {_linked(one.tests)} |\n" for one in MUTANTS)
    return (
        "## The plan\n\n| id | what | tests | the last big run |\n| --- | --- | --- | --- |\n"
        f"{plan}\n## Without it\n\nEach safeguard taken out, and the tests that then see a loss; "
        "they are part of every run.\n\n| without | tests |\n| --- | --- |\n"
        f"{mutants}\n"
    )
