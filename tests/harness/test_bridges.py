"""The plugin files of OpenCode and pi against a stand-in for each, and a stand-in for the gate."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plastic.harness import opencode, opencode_settings, pi, pi_settings

NODE = shutil.which("node")
ROOT = Path(__file__).parents[2]
PLAY = Path(__file__).with_name("play.mjs")
SETTINGS: dict[str, Any] = {"opencode": opencode_settings, "pi": pi_settings}
both = pytest.mark.parametrize("harness", SETTINGS)
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not there")
# Notes down what it is asked, and answers what lies beside it.
GATE = """\
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
event = json.loads(sys.stdin.read())
event["argv"] = sys.argv[1:]
event["strict"] = os.environ.get("PLASTIC_STRICT")
with open(here / "asked", "a") as asked:
    asked.write(json.dumps(event) + "\\n")
answers = json.loads((here / "answers").read_text())
sys.stdout.write(answers.get(event["hook_event_name"], ""))
sys.stderr.write(answers.get("stderr", ""))
sys.exit(answers.get("exit", 0))
"""


class Played:
    """One harness with our plugin file, whose gate answers by a table."""

    def __init__(self, folder: Path, harness: str, *, strict: bool = False) -> None:
        self.harness = harness
        self.hooks = folder / "it's here" / "hooks"
        shutil.copytree(ROOT / "hooks", self.hooks)
        self.gate = self.hooks / "gate"
        self.gate.write_text(f"#!{sys.executable}\n{GATE}")
        self.answer({})
        form = SETTINGS[harness]
        text = form.installed(None, form.command(sys.executable, str(self.gate)), strict=strict)
        self.file = folder / "plastic.mjs"
        self.file.write_text(text)

    def answer(self, answers: dict[str, Any]) -> None:
        texts = {
            name: json.dumps(one) if isinstance(one, dict) else one for name, one in answers.items()
        }
        (self.hooks / "answers").write_text(json.dumps(texts))

    def play(self, *calls: list[Any]) -> list[Any]:
        done = subprocess.run(
            [str(NODE), str(PLAY), str(self.file), self.harness],
            input=json.dumps(calls).encode(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        found: list[Any] = json.loads(done.stdout)
        return found

    def asked(self) -> list[dict[str, Any]]:
        path = self.hooks / "asked"
        return [json.loads(one) for one in path.read_text().splitlines()] if path.exists() else []


WRITE = {"path": "a.md", "content": "x"}
USE = {"toolName": "write", "input": WRITE, "toolCallId": "c1"}
BEFORE = {
    "pi": ["tool_call", USE],
    "opencode": [
        "tool.execute.before",
        {"tool": "write", "sessionID": "sub", "callID": "c1"},
        {"args": WRITE},
    ],
}
EVENT = {"pi": "tool_call", "opencode": "tool.execute.before"}


def refusal(harness: str, shown: Any) -> str | None:
    returned = shown.get("returned")
    said = returned["reason"] if returned and returned["block"] else shown.get("thrown")
    return None if said is None else str(said)


@both
def test_a_denial_stops_the_tool_with_the_exact_reason(tmp_path: Path, harness: str) -> None:
    played = Played(tmp_path, harness)
    reason = "held by ana since 20:17\nrun: plastic start 1 --wait"
    played.answer({EVENT[harness]: {"decision": "block", "reason": reason}})
    assert [refusal(harness, one) for one in played.play(BEFORE[harness])] == [reason]
    event = played.asked()[0]
    assert (event["harness"], event["argv"], event["strict"]) == (harness, [harness], None)
    assert (event["session_id"], event["tool_name"], event["tool_input"]) == (
        "root",
        "write",
        WRITE,
    )
    assert event["tool_use_id"] == "c1"
    assert event.get("agent_id") == ("sub" if harness == "opencode" else None)
    reader = {"opencode": opencode, "pi": pi}[harness]
    use = reader.read(event)
    assert (use.fits, use.event, use.session) == (True, "pre", "root")


@both
@pytest.mark.parametrize(
    ("answers", "strict_reason"),
    [
        ({"exit": 1, "stderr": "Traceback"}, "exit 1"),
        ({"EVENT": "garbage"}, "exit 0"),
    ],
)
def test_a_gate_that_breaks(
    tmp_path: Path, harness: str, answers: dict[str, Any], strict_reason: str
) -> None:
    answers = {EVENT[harness] if key == "EVENT" else key: one for key, one in answers.items()}
    played = Played(tmp_path / "a", harness)
    played.answer(answers)
    shown = played.play(BEFORE[harness])[0]
    assert refusal(harness, shown) is None
    assert "could not judge" in shown["notes"][0]
    strict = Played(tmp_path / "b", harness, strict=True)
    strict.answer(answers)
    said = refusal(harness, strict.play(BEFORE[harness])[0])
    assert said is not None
    assert strict_reason in said
    assert strict.asked()[0]["strict"] == "1"


@both
def test_exit_2_is_a_denial(tmp_path: Path, harness: str) -> None:
    played = Played(tmp_path, harness)
    played.answer({"exit": 2, "stderr": "no\n"})
    assert refusal(harness, played.play(BEFORE[harness])[0]) == "no"
    played.answer({"exit": 2, EVENT[harness]: {"reason": "why"}})
    assert refusal(harness, played.play(BEFORE[harness])[0]) == "why"


@both
@pytest.mark.parametrize("gone", ["gate", "hooks"])
def test_what_is_gone_lets_the_tool_run_in_silence_unless_strict(
    tmp_path: Path, harness: str, gone: str
) -> None:
    for strict in (False, True):
        played = Played(tmp_path / str(strict), harness, strict=strict)
        if gone == "gate":
            played.gate.unlink()
        else:
            shutil.rmtree(played.hooks)
        shown = played.play(BEFORE[harness])[0]
        said = refusal(harness, shown)
        assert ("missing" in (said or "")) == strict
        assert strict or shown["notes"] == []


def test_pi_hands_context_on(tmp_path: Path) -> None:
    played = Played(tmp_path, "pi")
    played.answer(
        {
            "session_start": {"additionalContext": "you hold 1"},
            "before_agent_start": {"systemMessage": "note"},
            "tool_call": {"additionalContext": "advice"},
            "tool_result": {"decision": "block", "reason": "taint"},
            "user_bash": {"decision": "block", "reason": "no"},
        }
    )
    content = [{"type": "text", "text": "ok"}]
    shown = played.play(
        ["session_start", {"reason": "startup"}],
        ["before_agent_start", {}],
        ["before_agent_start", {}],
        BEFORE["pi"],
        [
            "tool_result",
            {**USE, "content": content, "isError": True, "structuredContent": {"a": 1}},
        ],
        ["user_bash", {"command": "rm x"}],
        ["session_shutdown", {"reason": "quit"}],
    )
    message = shown[1]["returned"]["message"]
    assert (message["customType"], message["content"]) == ("plastic", "you hold 1")
    assert shown[1]["notes"] == ["note"]
    assert shown[2]["returned"] is None
    result = shown[4]["returned"]
    assert [one["text"] for one in result["content"]] == ["ok", "advice", "taint"]
    assert result["structuredContent"] == {"a": 1}
    assert shown[5]["returned"]["result"]["output"] == "no"
    asked = {one["hook_event_name"]: one for one in played.asked()}
    assert asked["tool_result"]["is_error"] is True
    assert "content" not in asked["tool_result"]
    assert asked["session_start"]["source"] == "startup"
    assert set(asked) - set(pi.EVENTS) == set()


def test_opencode_hands_context_on(tmp_path: Path) -> None:
    played = Played(tmp_path, "opencode")
    played.answer(
        {
            "session.created": {"additionalContext": "you hold 1"},
            "chat.message": {"systemMessage": "note"},
            "tool.execute.before": {"additionalContext": "advice"},
            "tool.execute.after": {"decision": "block", "reason": "taint"},
        }
    )
    created = {"info": {"id": "root"}, "sessionID": "root"}
    after = {"tool": "write", "sessionID": "sub", "callID": "c1", "args": WRITE}
    shown = played.play(
        ["event", {"event": {"type": "session.created", "properties": created}}],
        ["event", {"event": {"type": "message.part.updated", "properties": {}}}],
        ["chat.message", {"sessionID": "root"}, {}],
        ["experimental.chat.system.transform", {"sessionID": "root"}, {"system": ["s"]}],
        ["experimental.chat.system.transform", {"sessionID": "root"}, {"system": ["s"]}],
        ["experimental.chat.system.transform", {"sessionID": "sub"}, {"system": ["s"]}],
        BEFORE["opencode"],
        ["tool.execute.after", after, {"output": "ok"}],
        ["shell.env", {"sessionID": "sub"}, {"env": {}}],
        ["event", {"event": {"type": "session.idle", "properties": {"sessionID": "sub"}}}],
        ["dispose"],
    )
    assert shown[2]["notes"] == ["note"]
    systems = [one["output"]["system"] for one in shown[3:6]]
    assert systems == [["s", "you hold 1"], ["s", "you hold 1"], ["s"]]
    assert shown[7]["output"]["output"] == "ok\nadvice\ntaint"
    assert shown[8]["output"]["env"] == {"PLASTIC_SESSION": "root"}
    names = [one["hook_event_name"] for one in played.asked()]
    assert "message.part.updated" not in names, "floods are kept from starting processes"
    assert "session.idle" not in names
    assert set(names) - set(opencode.EVENTS) == set()


def test_a_folder_that_is_gone_is_no_missing_gate(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.write_text('#!/bin/sh\necho \'{"decision": "block", "reason": "no"}\'\n')
    gate.chmod(0o755)
    door = (ROOT / "hooks" / "door.mjs").as_uri()
    argv = [str(NODE), "--input-type=module", "-e", DOOR, door, str(gate), "", f"{tmp_path}/gone"]
    done = subprocess.run(argv, capture_output=True, check=True, timeout=50)
    assert json.loads(done.stdout)["deny"] == "no"


DOOR = """\
const {ask} = await import(process.argv[1]);
const where = {python: "p", gate: process.argv[2], strict: process.argv[3] === "strict"};
process.stdout.write(JSON.stringify(await ask(where, "pi", {cwd: process.argv[4]}, 2000)));
"""


def test_a_gate_that_is_late_is_left_and_killed(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.write_text("#!/bin/sh\nsleep 60 & sleep 60\n")
    gate.chmod(0o755)
    door = (ROOT / "hooks" / "door.mjs").as_uri()
    for strict in ("", "strict"):
        argv = [str(NODE), "--input-type=module", "-e", DOOR, door, str(gate), strict, "/"]
        done = subprocess.run(argv, capture_output=True, check=True, timeout=50)
        key = "deny" if strict else "note"
        assert "no answer in time" in json.loads(done.stdout)[key]
