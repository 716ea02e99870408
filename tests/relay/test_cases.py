"""The cases of the relay as a user meets them: real programs, real signals, the printed status."""

from __future__ import annotations

import json

import pytest

from plastic.rules.relay.signals import render
from tests.relay.stage import Stage, Talker, say

HOP = "printf 'part {n}\\n\\303\\274' | signal hand-off --prompt-file -\n"
DONE = "signal done --summary all\n"


def test_three_sessions_and_the_prompt_byte_for_byte(stage: Stage) -> None:
    """Relay case 1, and the main job: each step a new session, the last one done."""
    stage.turns(HOP.format(n=2), HOP.format(n=3), DONE)
    done = stage.start("--max-steps", "3", prompt=" begin \n\twith care\n")
    assert done.rc == 0, done.err
    assert stage.got() == [" begin \n\twith care\n", "part 2\nü", "part 3\nü"]
    stage.is_at("stopped", "done", 3)
    assert len({stage.env(number)["RELAY_SESSION"] for number in (1, 2, 3)}) == 3
    assert len({stage.env(number)["RELAY_TOKEN"] for number in (1, 2, 3)}) == 3
    assert done.json["next"] == f"plastic relay log {stage.place.name}"
    assert "part 2" in stage.do("log").out


@pytest.mark.parametrize(
    "words",
    [
        ("--max-steps", "0"),
        ("--max-steps", "-1"),
        ("--max-cost", "0", "--allow-unknown-cost"),
        ("--max-cost", "-1", "--allow-unknown-cost"),
        ("--max-cost", "nan", "--allow-unknown-cost"),
        ("--max-cost", "inf", "--allow-unknown-cost"),
        ("--stall", "0"),
    ],
)
def test_limits_that_are_none(stage: Stage, words: tuple[str, ...]) -> None:
    """Relay case 2: nothing is left of it."""
    done = stage.start(*words)
    assert done.rc == 2
    assert json.loads(done.out)["error"]["run"] == "plastic relay start --help"
    assert not (stage.world.root / "home/relay").exists()


def test_a_new_relay_takes_the_place_of_one_that_waits(stage: Stage) -> None:
    """Relay cases 3 and 4: who waited is told of, and nothing of it is lost."""
    stage.turns("signal pause --question which\n", DONE)
    assert stage.start().rc == 1
    old = stage.place.name
    done = stage.start()
    assert done.rc == 0
    assert f"plastic relay resume {old}" in done.err
    states = {one["relay"]: one["state"] for one in stage.do("list", "--json").json["relays"]}
    assert states == {old: "stopped", done.json["relay"]: "stopped"}
    again = stage.do("resume", old, "--json")
    assert again.json["state"] == "unsignalled"  # the third run says nothing


def test_status_changes_nothing(stage: Stage) -> None:
    """Relay case 8, P11: byte for byte the same, and one command that works."""
    stage.turns("signal pause --question 'which one?'\n", DONE)
    stage.start()
    before = {one.name: one.read_bytes() for one in stage.place.iterdir() if one.is_file()}
    found = stage.status()
    assert found["question"] == "which one?"
    assert stage.do("status").rc == 0
    after = {one.name: one.read_bytes() for one in stage.place.iterdir() if one.is_file()}
    assert before == after
    words = found["next"].split()
    assert words[:3] == ["plastic", "relay", "reply"]
    assert stage.do("reply", "--relay", stage.place.name, "the first").rc == 0
    assert stage.got()[1] == "the first"


def test_off_while_it_runs(stage: Stage) -> None:
    """Relay case 9: the child is ended, what was said last is told, and it can go on."""
    stage.turns("plastic relay off > /dev/null; sleep 60\n", DONE)
    done = stage.start()
    assert done.rc == 1
    stage.is_at("stopped", "user_off", 1)
    assert done.err.count("it was switched off") == 1
    assert stage.do("resume").rc == 0
    stage.is_at("stopped", "done", 1)


def test_off_twice_forgets(stage: Stage) -> None:
    """P12: nothing is left on the disk."""
    stage.turns("signal stop --reason enough\n")
    stage.start()
    place = stage.place
    assert stage.do("off").rc == 0
    assert not place.exists()
    assert stage.do("status").rc == 6


def test_no_signal_is_no_failure_and_no_spending(stage: Stage) -> None:
    """Relay cases 12 and 14."""
    stage.turns("true\n", DONE)
    assert stage.start().rc == 1
    stage.is_at("unsignalled", None, 1)
    assert len(stage.got()) == 1
    assert stage.do("resume").rc == 0
    assert "without a relay signal" in stage.got()[1]


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("signal stop --reason 'no way on'\n", "stop"),
        ("echo broken >&2; exit 3\n", "error"),
        ("signal done --summary x\nexit 1\n", "error"),
        ("kill -9 $$\n", "error"),
    ],
)
def test_how_a_relay_stops(stage: Stage, turn: str, reason: str) -> None:
    """Relay cases 16 and 17."""
    stage.turns(turn, DONE)
    done = stage.start()
    assert done.rc == 1
    stage.is_at("stopped", reason, 1)
    if reason == "error":
        assert stage.status()["error"]
    assert stage.do("resume").rc == 0, "P7: every stop can be left"


def test_an_aborted_turn(stage: Stage) -> None:
    """Relay case 18."""
    stage.turns(say("delivered") + say("settled", text="aborted"))
    stage.talk()
    stage.is_at("stopped", "abort", 1)


def test_malformed_once_twice_and_after_a_reply(stage: Stage) -> None:
    """Relay cases 21, 22 and 24: one correction, then Attention, then one more for a person."""
    two = '<relay kind="done" id="x">\n</relay>\n<relay kind="done" id="x">\n</relay>'
    wrong = say("delivered") + say("final", text=two)
    stage.turns(wrong, wrong, wrong, wrong)
    assert stage.talk().rc == 1
    stage.is_at("attention", "malformed", 1)
    assert len(stage.got()) == 2
    assert "not understood: more than one" in stage.got()[1]
    stage.do("reply", "one tag only")
    stage.is_at("attention", "malformed", 1)
    assert len(stage.got()) == 4


def test_a_tag_in_the_final_message(stage: Stage) -> None:
    """Relay cases 19 and 28: only the right id, and only outside of a fence."""
    fenced = "```\n" + render("done", "RELAY", "x") + "\n```"
    stage.turns(say("delivered") + say("final", text=fenced))
    stage.talk()
    stage.is_at("unsignalled", None, 1)
    right = render("done", stage.place.name, "x")
    stage.turns("", say("delivered") + say("final", text=f"All is well.\n{right}"))
    assert stage.do("resume").rc == 0


def test_a_pause_is_for_people_only(stage: Stage) -> None:
    """Relay cases 31 to 33."""
    stage.turns("signal pause --question why\n", "signal pause --question how\n", DONE)
    stage.start()
    stage.is_at("user_paused", None, 1)
    assert stage.do("reply", "because").rc == 1
    assert stage.status()["question"] == "how"
    assert stage.do("resume").rc == 0
    assert "Go on" in stage.got()[2]


def test_what_runs_on_holds_the_relay(stage: Stage) -> None:
    """Relay case 34, and 43a: done is not done while processes of the step run."""
    stage.turns("sleep 3 &\nsignal done --summary x\n", DONE)
    assert stage.start().rc == 1
    stage.is_at("unsignalled", None, 1)
    assert stage.status()["suppressed"] == "done"
    assert stage.do("resume").rc == 0


def test_limit_of_steps(stage: Stage) -> None:
    """The hand-off is kept, and the printed command gets it delivered."""
    stage.turns(HOP.format(n=2), DONE)
    assert stage.start("--max-steps", "1").rc == 1
    stage.is_at("stopped", "limit_steps", 1)
    found = stage.status()
    assert found["pending"]["bytes"] == len("part 2\nü".encode())
    assert stage.do("resume").rc == 1, "without a higher limit"
    assert stage.do(*found["next"].split()[2:]).rc == 0
    assert stage.got()[1] == "part 2\nü"


@pytest.mark.parametrize(("usd", "reason", "step"), [(9.49, "done", 2), (9.5, "limit_guard", 1)])
def test_limit_of_cost(stage: Stage, usd: float, reason: str, step: int) -> None:
    """Relay case 67."""
    hop = say("delivered") + say("cost", usd=usd) + HOP.format(n=2)
    stage.turns(hop, say("delivered") + DONE)
    stage.talk("--max-cost", "10")
    stage.is_at("stopped", reason, step)


def test_the_cap_in_the_middle_of_a_turn(stage: Stage) -> None:
    """Relay cases 68 and 69."""
    stage.turns(say("delivered") + say("cost", usd=10) + "sleep 60\n", say("delivered") + DONE)
    assert stage.talk("--max-cost", "10").rc == 1
    stage.is_at("stopped", "limit_cost", 1)
    refused = stage.do("resume", "--max-cost", "10.5", "--json")
    assert refused.rc == 1
    assert refused.json["error"]["run"].endswith("--max-cost 10.53")
    assert stage.do("resume", "--max-cost", "11").rc == 0


def test_a_price_that_nobody_knows(stage: Stage) -> None:
    """Relay case 72."""
    stage.turns(DONE)
    refused = stage.start("--max-cost", "5")
    assert refused.rc == 1
    assert refused.json["error"]["code"] == "unpriced"
    assert stage.start("--max-cost", "5", "--allow-unknown-cost").rc == 0
    assert stage.status()["cost"]["known"] is False


def test_a_staged_model(stage: Stage) -> None:
    """Relay case 64."""
    stage.turns("plastic relay stage-model big > /dev/null\n" + HOP.format(n=2), DONE)
    stage.start("--model", "small")
    assert stage.env(1)["RELAY_MODEL"] == "small"
    assert stage.env(2)["RELAY_MODEL"] == "big"


def test_more_words_for_the_agent(stage: Stage) -> None:
    stage.turns(f'printf "%s\\n" "$@" > "{stage.dir}/words"\n' + DONE)
    stage.start("--arg=--fast", "--arg", "two words")
    assert (stage.dir / "words").read_text() == "--fast\ntwo words\n"


def test_two_relays_in_one_repository(stage: Stage) -> None:
    """Relay case 6: the one that runs is in the way, with its name."""
    inner = f"plastic relay start --command {stage.program} other --json > {stage.dir}/other\n"
    stage.turns(inner + DONE)
    assert stage.start().rc == 0
    refused = json.loads((stage.dir / "other").read_text())["error"]
    assert refused["code"] == "relay-live"
    assert refused["run"] == f"plastic relay off {stage.place.name}"


@pytest.mark.parametrize("model", ["gpt-5", "", "nobody-knows"])
def test_tokens_are_priced_where_the_model_is_known(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """Fail closed: without a price a limit of cost is refused, with one it holds."""
    caps = Talker.caps._replace(cost="tokens")
    monkeypatch.setattr(Talker, "caps", caps)
    spent = say("cost", pricing="tokens", tokens=(0, 0, 1_000_000))
    stage.turns(say("delivered") + spent + HOP.format(n=2))
    done = stage.talk("--model", model, "--max-cost", "10.5")
    assert done.rc == 1
    if model == "gpt-5":
        stage.is_at("stopped", "limit_guard", 1)
        assert stage.status()["cost"]["pricing"] == "estimated"
    else:
        assert done.json["error"]["code"] == "unpriced"
