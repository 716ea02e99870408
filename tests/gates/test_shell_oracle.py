"""The oracle: texts from a grammar are run, and what changed is compared with what was foretold."""

from __future__ import annotations

import os
import posix
import shutil
import subprocess
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plastic.disk.paths import is_below
from plastic.harness import claude
from plastic.work.gate import shell as shellgate
from plastic.work.gate.sight import Sight
from tests.gates.lines import lines
from tests.soak import record

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
SMALL = settings(max_examples=150, deadline=None, suppress_health_check=QUIET)
MANY = 5000
LARGE = settings(max_examples=MANY, deadline=None, suppress_health_check=QUIET)


class Trial:
    """A tree that is built anew for each text: F works in `play`, 96 belongs to ME."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.made = scene.planned()
        scene.lock(self.made, ME)
        self.play = scene.root / "play" / "here"
        self.user = scene.root / "user"
        self.kept = scene.root / "kept"
        shutil.copytree(self.made.dir, self.kept)
        self.runs = 0

    def reset(self) -> None:
        for folder in (self.play, self.user, Path(self.made.dir)):
            subprocess.run(["rm", "-rf", str(folder)], check=True)
        shutil.copytree(self.kept, self.made.dir)
        (self.play / "sub").mkdir(parents=True)
        self.user.mkdir()
        for name in ("a.txt", "sub/b.txt", "a-b.txt"):
            (self.play / name).write_text("a\n")
        (self.user / "h.txt").write_text("a\n")
        (self.play / "lnk").symlink_to(self.made.dir)
        (self.play / "act").symlink_to(f"{self.made.dir}/actions")
        os.utime(f"{self.made.dir}/delivery.lock")

    def stamps(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for root in (self.play.parent, self.user, Path(self.made.dir)):
            for folder, folders, names in os.walk(root):
                for name in (*folders, *names):
                    path = f"{folder}/{name}"
                    seen = os.lstat(path)
                    plain = not os.path.isdir(path) or os.path.islink(path)
                    found[path] = (seen.st_mode, (seen.st_ino, seen.st_mtime_ns) if plain else 0)
        if os.path.isdir(self.made.dir):
            found[self.made.dir] = 0
        return found

    def event(self, text: str) -> Any:
        return self.scene.event(F, "Bash", command=text, cwd=str(self.play))

    def foretold(self, text: str) -> tuple[list[tuple[str, str]], list[str]]:
        """The places that the gates are asked about, and why there may be more."""
        use = claude.read(self.event(text))
        sight = Sight(self.scene.home, use)
        shell = shellgate.look(sight)
        placed = [one for change in shell.changes for one in sight.place(change)]
        return [(one.path, one.change.op) for one in placed], shell.opaque

    def run(self, text: str) -> tuple[list[str], dict[str, Any]]:
        """What a run of the text really changes, and what was there before."""
        self.runs += 1
        before = self.stamps()
        env = {"PATH": os.environ["PATH"], "HOME": str(self.user), "W": str(self.play)}
        env["D"] = self.made.dir
        subprocess.run(
            ["bash", "--norc", "-c", text],
            cwd=self.play,
            env=env,
            input=b"",
            capture_output=True,
            check=False,
            timeout=20,
        )
        after = self.stamps()
        changed = sorted(one for one in {*before, *after} if before.get(one) != after.get(one))
        return changed, before


@pytest.fixture
def trial(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Trial:
    made = Trial(scene)
    monkeypatch.setitem(posix.environ, b"HOME", os.fsencode(made.user))
    monkeypatch.setitem(posix.environ, b"W", os.fsencode(made.play))
    monkeypatch.setitem(posix.environ, b"D", os.fsencode(made.made.dir))
    return made


def covers(op: str, path: str, changed: str, *, is_new: bool) -> bool:
    """Whether an answer stands for a change.

    A directory appears with what is written in it, and what is moved brings along what it holds.
    """
    if (op != "write" or is_new) and is_below(changed, path):
        return True
    return fnmatch(changed, path) or is_below(path, changed)


def compare(trial: Trial, text: str) -> None:
    """Run a text: nothing changes unforetold, and nothing of somebody else changes unrefused."""
    trial.reset()
    text = text.replace("{D}", trial.made.dir)
    places, opaque = trial.foretold(text)
    denied = trial.scene.judge(trial.event(text)).denied
    changed, before = trial.run(text)
    unseen = [
        one
        for one in changed
        if not any(covers(op, path, one, is_new=path not in before) for path, op in places)
    ]
    assert not unseen or opaque, f"{text!r} changed {unseen}, foretold {places}"
    foreign = [one for one in changed if is_below(one, trial.made.dir)]
    assert not foreign or denied, f"{text!r} changed {foreign} and was let through"


def harmless_to_others(trial: Trial, text: str) -> None:
    """A text that names nothing of somebody else is never refused."""
    trial.reset()
    assert trial.scene.judge(trial.event(text)).out == b"", text


@given(data=st.data())
@SMALL
def test_what_changes_was_foretold(trial: Trial, data: st.DataObject) -> None:
    compare(trial, data.draw(lines(foreign=True)))


@given(data=st.data())
@SMALL
def test_who_names_nothing_of_others_is_never_refused(trial: Trial, data: st.DataObject) -> None:
    harmless_to_others(trial, data.draw(lines(foreign=False)))


# What soak runs have found.
FOUND = [
    "X=a.txt; mkdir -p {D}/*.md && X=sub/b.txt; touch $X",
    "env X=1 sh -c 'echo x > {x,y}.txt'",
    "[[ -f nowhere/c.txt ]] && cd $W/sub; touch a.txt sub/new.txt",
    "dd if=~/h.txt of=~/new.txt status=none",
    "cd nowhere; touch new.md",
    "pushd $W/sub > /dev/null && { trap 'echo x > sub/b.txt' EXIT; popd > /dev/null; }",
    "(trap 'echo x > b.txt' EXIT; cd sub; echo x > a.txt)",
    "F=a.txt; trap 'echo x > $F' EXIT; F=new.md",
    "cp -r lnk a.txt; cp -r lnk a.txt",
    "cp -r lnk a.txt; cp ~/h.txt a.txt",
    "ln -s {D}/actions act; echo x > act/../spec.md",
    "cd lnk && cd actions && echo x > ../spec.md; cd ..; touch a.md",
    "mv lnk away; bash -c 'touch away/new.md'",
    "ln -sf {D}/actions sub/l; touch sub/l/../plan.md",
    "X=a.txt; false && X=b; echo x > $X; X={D}; true || X=sub; touch $X/new.md",
    "for f in 1 2; do touch sub/b.txt; ln -f a.txt sub/b.txt; ln -sf a-b.txt sub/b.txt; done",
    "cd {D}; mkdir -p s*/b.txt",
    "X=lnk/spec.md; echo x >> nowhere/c.txt && X=sub/b.txt; touch $X",
    "ln -sf a.txt {D}/s?ec.md; echo x > lnk/spec.md",
    "ln {D}/spec.md a.txt; ln -f {D}/spec.md a.txt; echo x > a.txt",
    "bash -c 'ln -f lnk a.txt'; bash -c 'ln -f a.txt a.txt'",
    "X=a.txt; mkdir -p sub/b.txt && X=sub/b.txt; touch $X",
    "diff <(cp -a a.txt {D}/spec.md) <(ln -f lnk {D}/s?ec.md)",
    "cd $W/sub && mkdir -p act/../spec.md",
    "mkdir -p nowhere/../../new/../{x,y}.txt",
]


# What soak runs have found refused for nothing.
FREE = ["gzip -f a.txt", "cp -a a.txt 'a.txt'"]


@pytest.mark.parametrize("text", FREE)
def test_what_was_refused_once(trial: Trial, text: str) -> None:
    harmless_to_others(trial, text)


@pytest.mark.parametrize("text", FOUND)
def test_what_was_missed_once(trial: Trial, text: str) -> None:
    compare(trial, text)


def test_a_reader_that_misses_a_command_is_caught(trial: Trial, monkeypatch: Any) -> None:
    """Non-vacuity: with `tee` taken for a reader the comparison fails."""
    from plastic.rules.shell import rows_files, table

    compare(trial, "echo x | tee {D}/spec.md")
    monkeypatch.setattr(table, "_PARSED", {})
    monkeypatch.setitem(rows_files.FILES, "tee", "read")
    with pytest.raises(AssertionError, match="tee"):
        compare(trial, "echo x | tee {D}/spec.md")


@pytest.mark.soak
def test_soak(trial: Trial) -> None:
    start = time.monotonic()

    @given(text=lines(foreign=True))
    @LARGE
    def foretold(text: str) -> None:
        compare(trial, text)

    @given(text=lines(foreign=False))
    @LARGE
    def let_through(text: str) -> None:
        harmless_to_others(trial, text)

    foretold()
    let_through()
    took = time.monotonic() - start
    how_often = f"{trial.runs} run and compared, {MANY} more judged"
    record("shell texts from a grammar", how_often, "0 unforetold, 0 false refusals", took)
