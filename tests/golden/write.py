"""Writes the recorded answers anew; the difference is for a person to read."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.gates.scene import Scene
from tests.harness.played import GOLDEN, answered, event, events, read, shown
from tests.test_golden import FOLDER, NAMES, F, settled
from tests.test_golden import event as claude_event
from tests.test_golden_harnesses import OTHERS, place
from tests.test_golden_harnesses import settled as settled_hook


def write(path: Path, values: dict[str, Any]) -> None:
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def claude() -> None:
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        tree = place(scene)
        for name in NAMES:
            said = settled(scene, scene.judge(claude_event(name, F, tree)))
            if said:
                answers[name] = said
    (FOLDER / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")


def other(harness: str) -> None:
    uses, answers = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        tree = place(scene)
        for name in events(harness):
            uses[name] = shown(read(harness, event(harness, name, "{{SESSION}}", "/w")))
            hook = answered(scene.home, harness, event(harness, name, F, tree))
            if hook.out:
                answers[name] = settled_hook(scene, hook)
    write(GOLDEN / harness / "read.json", uses)
    write(GOLDEN / harness / "answers.json", answers)


def main() -> None:
    claude()
    for harness in OTHERS:
        other(harness)


if __name__ == "__main__":
    main()
