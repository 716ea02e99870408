"""The recorded shell texts through the door: what they did decides what a session is told."""

from __future__ import annotations

import os
import posix
import re
from pathlib import Path

import pytest

from tests.gates.scene import Scene
from tests.rules.shell.test_cases import CASES

ME, F = "owner-1", "foreign-2"
TREE = "/repo/.claude/worktrees/12--login"
# Texts of which nothing shows where they write: they run, and the tripwire looks afterwards.
UNSEEN = {
    "interp-157",  # a program in base64
    "interp-169",
    "interp-170",  # a script
    "interp-172",
    "interp-173",  # make
    "interp-175",
    "interp-178",
    "outside-235",  # a path that git computes
    "outside-242",
}


class Recorded:
    """The world of the recorded texts: 12--login is another's, the worktree belongs to 7--own."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        scene.lock(scene.planned("12", "login"), F)
        scene.lock(scene.planned("7", "own"), ME, tree=True)
        scene.git("init", "-q", cwd=Path(scene.home.root))
        self.store = scene.home.store("shop")
        self.tree = f"{scene.repo}/.claude/worktrees/7--own"
        files = scene.root / "fx"
        files.mkdir()
        (files / "lnk").symlink_to(f"{self.store}/12--login")
        Path(self.tree, "README.md").write_text("hello\n")
        up = os.path.relpath(f"{self.store}/12--login", self.tree)
        self.names = [
            ("../../../../store/12--login", up),
            ("/proc/self/cwd/../../../../store/12--login", f"/proc/self/cwd/{up}"),
            ("/proc/self/root/store", f"/proc/self/root{self.store}"),
            ("/tmp/fx", str(files)),
        ]

    def text(self, text: str) -> str:
        """A text with the paths of this machine."""
        for name, value in self.names:
            text = text.replace(name, value)
        text = re.sub(re.escape(TREE) + r"(?![\w-])", self.tree, text)
        text = re.sub(r"(?<![\w.-])/repo(?![\w-])", str(self.scene.repo), text)
        return re.sub(r"(?<![\w.-])/store(?![\w-])", self.store, text)

    def says(self, session: str, text: str) -> str | None:
        event = self.scene.event(session, "Bash", command=self.text(text), cwd=self.tree)
        return self.scene.judge(event).denied


@pytest.fixture
def recorded(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    made = Recorded(scene)
    monkeypatch.setitem(posix.environ, b"STORE", made.store.encode())
    return made


def forbidden(path: str) -> bool:
    """Whether that session may not write there: another's intent, or the shared checkout."""
    if f"{path}/".startswith("/store/12--login/"):
        return True
    if path.startswith("/repo/.git/hooks/"):
        return True  # they run for everybody
    own = f"{path}/".startswith(f"{TREE}/") or path.startswith("/repo/.git")
    return path.startswith("/repo") and not own


@pytest.mark.parametrize(("name", "text", "kind", "paths"), CASES, ids=[one[0] for one in CASES])
def test_a_recorded_text(
    recorded: Recorded, name: str, text: str, kind: str, paths: list[str]
) -> None:
    denied = recorded.says(ME, text)
    if kind == "read" or name in UNSEEN:
        assert denied is None
    else:
        assert (denied is not None) is any(forbidden(path) for path in paths), denied


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 232


def test_the_owner_is_only_kept_from_locks_and_other_checkouts(recorded: Recorded) -> None:
    """The same texts by the session that holds 12--login."""
    for name, text, kind, paths in CASES:
        inside = [path for path in paths if f"{path}/".startswith("/store/12--login/")]
        if kind != "write" or not paths or len(inside) != len(paths):
            continue
        denied = recorded.says(F, text.replace(TREE, "/tmp"))
        if denied is not None:
            guarded = "delivery.lock" in text or paths == ["/store/12--login"]
            assert guarded or "7--own" in denied, (name, denied)
