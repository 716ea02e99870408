"""Who is called when a relay is done or needs somebody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from plastic.work.relay.alert import desktop
from tests.relay.test_cases import DONE

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.relay.stage import Stage


def configured(stage: Stage, attention: str, done: str) -> None:
    lines = f"relay:\n  on_attention: ['{attention}']\n  on_done: ['{done}']\n"
    (stage.world.root / "home/config.yml").write_text(f"version: 1\n{lines}")


def test_each_is_called_with_the_status(stage: Stage) -> None:
    configured(stage, f"cat > {stage.dir}/attention", f"cat > {stage.dir}/done")
    stage.turns("signal pause --question why\n", DONE)
    stage.start()
    told = json.loads((stage.dir / "attention").read_text())
    assert (told["state"], told["question"]) == ("user_paused", "why")
    assert not (stage.dir / "done").exists()
    stage.do("reply", "because")
    assert json.loads((stage.dir / "done").read_text())["reason"] == "done"


def test_a_call_that_fails_is_said_and_stops_nothing(stage: Stage) -> None:
    configured(stage, "true", "echo nobody is here >&2; exit 7")
    stage.turns(DONE)
    done = stage.start()
    assert done.rc == 0
    assert "ended with 7: nobody is here" in done.err


def test_a_config_that_is_wrong_is_said_and_stops_nothing(stage: Stage) -> None:
    (stage.world.root / "home/config.yml").write_text("version: 1\nrelay: nonsense\n")
    stage.turns(DONE)
    done = stage.start()
    assert done.rc == 0
    assert "on_done was not run" in done.err


def test_the_desktop_is_asked_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "notify-send"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.platform", "linux")
    env = {"PATH": str(tmp_path)}
    assert desktop(env, "t", "-x") == []
    assert desktop({**env, "DISPLAY": ":0"}, "t", "-x")[-3:] == ["--", "t", "-x"]
    assert desktop({"PATH": "/nowhere", "DISPLAY": ":0"}, "t", "x") == []
