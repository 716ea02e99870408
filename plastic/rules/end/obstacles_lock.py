"""End's obstacles in the lock and in the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.end.facts import SECTION_OF
from plastic.rules.end.obstacle import TAINTED, Rule, either
from plastic.rules.intent.index import TERMINAL
from plastic.words import EXIT_HELD, EXIT_REFUSED, EXIT_STALE

if TYPE_CHECKING:
    from plastic.rules.end.facts import Facts, Flags
    from plastic.rules.end.obstacle import Find


def _grip(relation: str, state: str) -> Find:
    def find(facts: Facts, _: Flags) -> tuple[str, ...]:
        grip = facts.grip
        is_it = (grip.relation, grip.state) == (relation, state)
        return either(is_it and (grip.who or "somebody"))

    return find


def _lapsed(facts: Facts, _: Flags) -> tuple[str, ...]:
    grip = facts.grip
    is_it = grip.relation in ("foreign", "delegate") and grip.state == "stale"
    return either(is_it and (grip.who or "somebody"))


def _other_end(facts: Facts, flags: Flags) -> tuple[str, ...]:
    said = facts.papers.said
    is_it = facts.papers.outcome and said != flags.disposition
    return either(is_it and (f"`disposition: {said}`" if said else "no `disposition:`"))


def _ended(facts: Facts, flags: Flags) -> tuple[str, ...]:
    section = facts.papers.section
    return either(section in TERMINAL and section != SECTION_OF[flags.disposition] and section)


LOCK_RULES: tuple[Rule, ...] = (
    Rule(
        "held",
        EXIT_HELD,
        "",
        "always",
        _grip("foreign", "fresh"),
        "{name} is held by {who}",
        "plastic start {id} --wait",
    ),
    Rule(
        "stale",
        EXIT_STALE,
        "",
        "always",
        _lapsed,
        "the lease of {who} on {name} has lapsed: End takes nothing over by itself",
        "plastic-lock reclaim {id} --token {token}",
    ),
    Rule(
        "corrupt",
        EXIT_STALE,
        "",
        "always",
        lambda facts, _: either(facts.grip.relation == "corrupt"),
        "the lock of {name} cannot be read: held by unknown",
        "plastic-lock fix {id}",
    ),
    Rule(
        "future",
        EXIT_STALE,
        "",
        "always",
        lambda facts, _: either(facts.grip.relation != "owner" and facts.grip.state == "future"),
        "the heartbeat of {name} lies in the future: the clock was set back",
        "plastic-lock fix {id} --observe",
    ),
    Rule(
        "overtaken",
        EXIT_STALE,
        "",
        "always",
        lambda facts, _: either(facts.grip.relation == "owner" and facts.grip.overtaken),
        "another home has raised the token of {name} past {token} in this repository",
        "plastic-lock status {id}",
    ),
    Rule(
        "not-owner",
        EXIT_REFUSED,
        "",
        "always",
        _grip("delegate", "fresh"),
        "this session is a delegate of {who}: only the owner ends {name}",
        "plastic-lock status {id}",
    ),
    Rule(
        "no-lock",
        EXIT_REFUSED,
        "",
        "always",
        lambda facts, _: either(facts.grip.relation == "none"),
        "nobody holds {name}: only its owner ends it",
        "plastic start {id}",
    ),
    Rule(
        "ended",
        EXIT_REFUSED,
        "",
        "always",
        _ended,
        "{name} has ended already: INDEX says {first}",
        "plastic end {id} --{other} --dry-run",
    ),
    Rule(
        "item",
        EXIT_REFUSED,
        "",
        "delivered",
        lambda facts, _: either(facts.bound.why),
        "its item {item} cannot be completed: {first}",
        "plastic backlog show {item} --project {project}",
    ),
    Rule(
        "structure",
        EXIT_REFUSED,
        "",
        "always",
        lambda facts, _: facts.papers.wrong,
        "the intent file is not valid: {what}",
        "plastic show {id}",
    ),
    Rule(
        "no-outcome",
        EXIT_REFUSED,
        "",
        "always",
        lambda facts, _: either(not facts.papers.outcome),
        "outcome.md is not written yet",
        "plastic show {id}",
    ),
    Rule(
        "disposition",
        EXIT_REFUSED,
        "",
        "always",
        _other_end,
        "the front matter of outcome.md has {first}: "
        "this End asks for `disposition: {disposition}` there",
        "plastic show {id}",
    ),
    Rule(
        "boxes",
        EXIT_REFUSED,
        "",
        "delivered",
        lambda facts, _: either(facts.papers.open_boxes),
        "checklist.md has {first} open box(es)",
        "plastic show {id}",
    ),
    Rule(
        "tainted",
        EXIT_REFUSED,
        TAINTED,
        "delivered",
        lambda facts, _: facts.papers.tainted,
        "something was written past a gate: {what}",
        "plastic log",
    ),
)
