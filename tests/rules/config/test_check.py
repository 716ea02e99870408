"""Every key of the two files: its default, what it takes, what it refuses and how that is said."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.rules.config.check import check, defaults
from plastic.rules.config.keys import GATES, KEYS, keys_of
from plastic.rules.config.values import Days, is_day

DAYS = Days("2026-11-30", "2026-12-14")


def projects(**own: Any) -> dict[str, Any]:
    return {"version": "1", "projects": {"shop": {"path": "/src/shop", **own}}}


def said(file: str, tree: Any) -> list[str]:
    return [f"{'.'.join(key)}: {what}" for key, what in check(file, tree, DAYS)[1]]


def test_the_defaults_are_those_of_the_law() -> None:
    assert defaults("") == {
        "version": 1,
        "ttl": 1800,
        "quarantine": 300,
        "lease": {"default": 1800, "ceiling": 7200},
        "engine": "sqlite",
        "durability": "full",
        "relay": {"on_attention": [], "on_done": []},
        "trash_days": 14,
        "observe_until": None,
    }
    project = defaults()
    assert project["gates"] == dict.fromkeys(GATES, "enforce")
    assert project["backlog"] == {
        "mirror": "files",
        "region": "local",
        "base_branch": None,
        "repo": None,
        "account": None,
    }
    assert (project["remote"], project["merge"], project["require_intent"]) == (
        "origin",
        "merge",
        False,
    )


def test_defaults_are_nobodys_to_change() -> None:
    defaults()["verify"].append("x")
    assert defaults()["verify"] == []


def test_lock_and_claim_have_no_switch() -> None:
    assert not {"lock", "claim", "protected"} & set(GATES)
    assert said("projects.yml", projects(gates={"lock": "off"})) == [
        "projects.shop.gates.lock: is no key of stage, worktree, links, create, shell"
    ]


def test_empty_files_are_all_defaults() -> None:
    assert check("config.yml", None, DAYS) == (defaults(""), [])
    assert check("projects.yml", {}, DAYS) == ({"version": 1, "projects": {}}, [])
    assert check("projects.yml", {"projects": None}, DAYS)[1] == []


def test_a_whole_project_is_read() -> None:
    tree = projects(
        base="main",
        remote="up",
        merge="squash",
        verify=["pytest -q"],
        setup=["uv sync"],
        copy=[".env", "conf/local.toml"],
        on_done=[],
        require_intent="true",
        gates={"shell": "off"},
        backlog={"mirror": "github", "repo": "ana/shop", "account": "bot", "base_branch": "main"},
    )
    values, problems = check("projects.yml", tree, DAYS)
    assert problems == []
    shop = values["projects"]["shop"]
    assert shop["require_intent"] is True
    assert shop["gates"] == {**dict.fromkeys(GATES, "enforce"), "shell": "off"}
    assert shop["backlog"]["region"] == "local"
    assert (shop["base"], shop["merge"], shop["copy"]) == (
        "main",
        "squash",
        [".env", "conf/local.toml"],
    )


# file, tree, the one problem that is reported
WRONG: list[tuple[str, Any, str]] = [
    ("config.yml", ["a"], ": must be a mapping, not a list"),
    ("config.yml", {"version": "2"}, "version: is 2; this plastic reads version 1"),
    ("config.yml", {"ttl": "59"}, "ttl: is 59; allowed are 60..86400 seconds"),
    ("config.yml", {"ttl": "86401"}, "ttl: is 86401; allowed are 60..86400 seconds"),
    ("config.yml", {"ttl": "30m"}, "ttl: must be a whole number, not 30m"),
    ("config.yml", {"ttl": "-5"}, "ttl: must be a whole number, not -5"),
    ("config.yml", {"ttl": "1e3"}, "ttl: must be a whole number, not 1e3"),
    ("config.yml", {"ttl": "١٨٠٠"}, "ttl: must be a whole number, not ١٨٠٠"),
    ("config.yml", {"ttl": None}, "ttl: has no value"),
    ("config.yml", {"ttl": ["1"]}, "ttl: must be one value, not a list"),
    ("config.yml", {"tll": "1800"}, "tll: is no key; did you mean `ttl`?"),
    ("config.yml", {"lease": {"ceil": "1"}}, "lease.ceil: is no key; did you mean `ceiling`?"),
    ("config.yml", {"lease": {"default": "7201"}}, "lease.default: is longer than `lease.ceiling`"),
    ("config.yml", {"lease": "1800"}, "lease: must be a mapping, not a value"),
    ("config.yml", {"engine": "mysql"}, "engine: must be sqlite or a postgresql:// address"),
    (
        "config.yml",
        {"observe_until": "2026-12-15"},
        "observe_until: is more than 14 days ahead; the last day allowed is 2026-12-14",
    ),
    (
        "config.yml",
        {"observe_until": "soon"},
        "observe_until: must be a date like 2026-11-30, not soon",
    ),
    ("projects.yml", {"projects": ["a"]}, "projects: must be a mapping, not a list"),
    (
        "projects.yml",
        {"projects": {"Shop": {"path": "/a"}}},
        "projects.Shop: is no slug: a-z, 0-9 and single hyphens, at most 60 characters",
    ),
    (
        "projects.yml",
        {"projects": {"shop": "/src"}},
        "projects.shop: must be a mapping with `path`, not a value",
    ),
    ("projects.yml", {"projects": {"shop": {}}}, "projects.shop: has no `path`"),
    (
        "projects.yml",
        projects(path="src/shop"),
        "projects.shop.path: must be an absolute path, or one that starts with ~/",
    ),
    (
        "projects.yml",
        projects(merge="rebase"),
        "projects.shop.merge: must be one of merge, squash, pr, not rebase",
    ),
    (
        "projects.yml",
        projects(gates={"stage": "false"}),
        "projects.shop.gates.stage: must be one of enforce, advise, off, not false",
    ),
    (
        "projects.yml",
        projects(gate={"stage": "off"}),
        "projects.shop.gate: is no key; did you mean `gates`?",
    ),
    ("projects.yml", projects(verify="pytest"), "projects.shop.verify: must be a list"),
    (
        "projects.yml",
        projects(setup=[["uv"]]),
        "projects.shop.setup: must be a list of command lines",
    ),
    (
        "projects.yml",
        projects(copy=["../secret"]),
        "projects.shop.copy: must name files inside the repository, not '../secret'",
    ),
    (
        "projects.yml",
        projects(copy=["/etc/passwd"]),
        "projects.shop.copy: must name files inside the repository, not '/etc/passwd'",
    ),
    (
        "projects.yml",
        projects(copy=[".git/config"]),
        "projects.shop.copy: must name files inside the repository, not '.git/config'",
    ),
    (
        "projects.yml",
        projects(base="-x"),
        "projects.shop.base: must be one word that does not start with a hyphen",
    ),
    (
        "projects.yml",
        projects(base="a..b"),
        "projects.shop.base: is no branch name that git takes: a..b",
    ),
    (
        "projects.yml",
        projects(require_intent="yes"),
        "projects.shop.require_intent: must be true or false, not yes",
    ),
    (
        "projects.yml",
        projects(backlog={"mirror": "github", "account": "bot"}),
        "projects.shop.backlog: `mirror: github` needs `repo`",
    ),
    (
        "projects.yml",
        projects(backlog={"repo": "shop"}),
        "projects.shop.backlog.repo: must be owner/name",
    ),
    (
        "projects.yml",
        projects(base="ma\x1bin"),
        "projects.shop.base: must be one line of printable text",
    ),
]


@pytest.mark.parametrize(("file", "tree", "problem"), WRONG, ids=[row[2][:50] for row in WRONG])
def test_what_is_refused_and_how(file: str, tree: Any, problem: str) -> None:
    assert said(file, tree) == [problem]


def test_every_problem_of_a_file_is_reported_at_once() -> None:
    assert len(said("config.yml", {"ttl": "1", "engine": "x", "trash_days": "a"})) == 3


def test_a_path_may_be_relative_to_the_persons_home() -> None:
    assert said("projects.yml", projects(path="~/src/my shop")) == []


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_every_key_says_what_it_means_in_one_line(key: Any) -> None:
    assert key.meaning
    assert "\n" not in key.meaning
    assert not key.meaning.endswith(".")
    assert key.path in keys_of(key.file)
    if key.kind in ("seconds", "days"):
        assert key.low <= key.default <= key.high


_leaf = st.none() | st.text(max_size=8) | st.sampled_from(["1", "true", "/a", "off", "2026-12-01"])
_names = st.sampled_from([part for key in KEYS for part in key.path.split(".")]) | st.text(
    max_size=5
)
_trees = st.recursive(
    _leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=4)
)


@given(st.sampled_from(["projects.yml", "config.yml"]), _trees)
def test_any_tree_gets_values_or_problems_never_a_crash(file: str, tree: Any) -> None:
    values, problems = check(file, tree, DAYS)
    assert isinstance(values, dict)
    assert all(what and isinstance(key, tuple) for key, what in problems)


@given(st.dates() | st.text(alphabet="0123456789-", min_size=8, max_size=11))
def test_days_are_those_of_the_calendar(value: datetime.date | str) -> None:
    text = value if isinstance(value, str) else value.isoformat()
    try:
        known = datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        known = False
    assert is_day(text) == known
