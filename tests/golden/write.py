"""Writes golden/claude/answers.json anew; the difference is for a person to read."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.gates.scene import Scene
from tests.test_golden import FOLDER, ME, NAMES, F, event, settled


def main() -> None:
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        made = scene.planned()
        scene.lock(made, ME, tree=True)
        tree = f"{scene.repo}/.claude/worktrees/{made.name}"
        for name in NAMES:
            said = settled(scene, scene.judge(event(name, F, tree)))
            if said:
                answers[name] = said
    (FOLDER / "answers.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
