"""Acceptance cases 9.9 of shell commands, each through the real process of hooks/gate."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from plastic.rules.gates.table import DOORS
from tests.gates.scene import ROOT

if TYPE_CHECKING:
    from plastic.words import Intent
    from tests.gates.scene import Said, Scene

ME, F = "owner-1", "foreign-2"


class Stage:
    """96 is held by ME with a worktree; F delivers 97 beside it. `{T}` is a document of 96."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.made = scene.planned()
        scene.lock(self.made, ME, tree=True)
        self.other = scene.planned("97", "other")
        scene.lock(self.other, F, tree=True)
        home = Path(scene.home.root)
        scene.git("init", "-q", cwd=home)
        scene.git("add", "projects", cwd=home)
        self.names = {
            "T": f"{self.made.dir}/spec.md",
            "U": f"{self.made.dir}/plan.md",
            "DIR": self.made.dir,
            "STORE": scene.home.store("shop"),
            "LOCK": f"{self.made.dir}/delivery.lock",
            "WT": self.tree(self.made),
            "MINE": self.tree(self.other),
            "REPO": str(scene.repo),
            "X": str(scene.root / "x"),
        }

    def tree(self, intent: Intent) -> str:
        return f"{self.scene.repo}/.claude/worktrees/{intent.name}"

    def text(self, line: str) -> str:
        for name, value in self.names.items():
            line = line.replace("{" + name + "}", value)
        return line

    def runs(self, who: str, line: str, cwd: str = "", door: str = "gate", **more: str) -> Said:
        here = self.text(cwd) if cwd else self.tree(self.other if who == F else self.made)
        event = self.scene.event(who, "Bash", command=self.text(line), cwd=here)
        return self.scene.run(event, ROOT / "hooks" / door, **more)


@pytest.fixture
def stage(scene: Scene) -> Stage:
    return Stage(scene)


DENIED: dict[str, list[str]] = {
    "169": [
        "echo x > {T}",
        "echo x >> {T}",
        "ls /nope 2> {T}",
        "ls &> {T}",
        "echo x >| {T}",
        'echo x > "{T}"',
        "echo x >{T}",
        "echo x > '{T}'",
    ],
    "172": ["echo x | tee {T}", "echo x | tee -a {X} {T}", "tee -a {T} {U} < /dev/null"],
    "173": [
        "sed -i s/a/b/ {T}",
        "sed -i.bak s/a/b/ {T}",
        "sed -i '' s/a/b/ {T}",
        "sed -i s/a/b/ {X} {T} {X}",
        "perl -pi -e s/a/b/ {X} {T}",
    ],
    "174": [
        "cp {X} {T}",
        'cp {X} "{T}"',
        "cp -t {DIR} {X}",
        "install {X} {T}",
        "ln -sf {X} {T}",
        "rsync {X} {T}",
        "dd of={T} if={X}",
        "mv {T} {X}",
        "mv {X} {T}",
    ],
    "176": ["touch {LOCK}", "rm {LOCK}", "cp -p {X} {LOCK}"],
    "177": [
        "cd {DIR} && echo x > plan.md",
        "pushd {DIR} && echo x > plan.md",
        "(cd {DIR}; echo x > plan.md)",
        "cd {STORE}; cd 96--demo; touch a.md",
    ],
    "178": [
        "D={DIR}; echo x > $D/plan.md",
        "export D={DIR}\necho x > ${D}/plan.md",
        "echo x > $NOBODY/96--demo/plan.md",
    ],
    "179": [
        "bash -c 'echo x > {T}'",
        "sh -c 'rm {T}'",
        "eval 'echo x > {T}'",
        "env X=1 touch {T}",
        "sudo rm {T}",
        "nohup rm {T}",
        "time rm {T}",
        "echo {T} | xargs rm",
        "bash -c \"bash -c 'rm {T}'\"",
    ],
    "181": [
        "git -C {STORE} checkout -- 96--demo/spec.md",
        "git -C {STORE} restore 96--demo/spec.md",
        "git -C {STORE} stash",
        "git -C {STORE} clean -fd",
        "git -C {STORE} reset --hard",
        "git -C {STORE} mv 96--demo/spec.md 96--demo/s.md",
        "git -C {STORE} rm 96--demo/spec.md",
        "git -C {WT} stash",
        "git -C {WT} reset --hard",
        "cd {WT} && git checkout -- app.py",
    ],
    "184": [
        "find {DIR} -delete",
        "find {DIR} -name '*.md' -exec rm {} \\;",
        "tar -xf {X} -C {DIR}",
        "unzip {X} -d {DIR}",
        "curl -o {T} https://example.invalid",
        "wget -O {T} https://example.invalid",
        "patch {T} < {X}",
        "awk -i inplace '{print}' {T}",
        "rm -rf {DIR}",
        "rm -r {STORE}",
        "chmod -R a-w {DIR}",
    ],
    "187": ["echo 'x > {T}", "if true; then cat {T}", "echo $((1 > {T}"],
    "191": [
        "diff <(tee {T}) {X}",
        "exec > {T}",
        "{ echo x; } > {T}",
        "while true; do echo; done > {T}",
        "coproc cat > {T}",
        "f() { echo x; } > {T}; f",
        "echo {T,}; touch {DIR}/{a,b}.md",
        "touch {DIR}/s*.md",
    ],
}
ALLOWED: dict[str, list[str]] = {
    "171": [
        "git commit -qm 'echo x > {T}; tee {T}'",
        "echo 'see; tee {T}'",
        'git commit -qm "docs: a > b; rm {T}"',
        "git commit -qF - <<'E'\nrm -rf {DIR}\nE",
    ],
    "177": ["cd {DIR} && ls", "(cd {DIR}; cat spec.md) > out.txt"],
    "178": ["echo x > $NOBODY/plan.md", "D={X}; echo x > $D.md"],
    "182": [
        "git -C {STORE} add 96--demo/spec.md",
        "git -C {STORE} log --oneline",
        "git -C {STORE} diff 96--demo",
        "git -C {STORE} status",
        "git -C {STORE} commit -qm x -- 96--demo/spec.md",
    ],
    "183": [
        "grep x {T} > /dev/null",
        "grep x {T} 2>&1",
        "cat {T} | head",
        "wc -l < {T}",
        "diff {T} {U} | tee diff.txt",
        "sed -n 1,5p {T}",
        "find {DIR} -name '*.md'",
        "cp {T} copy.md",
    ],
    "187": ["echo 'x", "if true; then ls", "for"],
    "189": ["make all > log.txt", "git add -A && git commit -qm wip && git stash && git stash pop"],
}


def rows(cases: dict[str, list[str]]) -> list[object]:
    return [
        pytest.param(line, id=f"case 9.9/{number}: {line[:40]}")
        for number, lines in cases.items()
        for line in lines
    ]


@pytest.mark.parametrize("line", rows(DENIED))
def test_a_foreign_session_is_refused(stage: Stage, line: str) -> None:
    said = stage.runs(F, line)
    assert said.denied is not None
    assert "run: plastic" in said.denied
    assert (said.rc, said.err) == (0, b"")


@pytest.mark.parametrize("line", rows(ALLOWED))
def test_what_writes_nothing_of_others_runs(stage: Stage, line: str) -> None:
    said = stage.runs(F, line)
    assert (said.rc, said.out, said.err) == (0, b"", b"")


@pytest.mark.parametrize("line", ["echo x > plan.md", "rm spec.md", "mkdir y", "make"])
def test_a_directory_of_another_delivery(stage: Stage, line: str) -> None:
    """case 9.9/177: the payload's cwd lies inside; what nobody can read is refused there too."""
    assert stage.runs(F, line, cwd="{DIR}").denied
    assert stage.runs(F, line, cwd="{WT}").denied
    assert stage.runs(F, "ls && cat spec.md > /dev/null", cwd="{DIR}").out == b""


OWN = [line for number in ("169", "172", "173", "177", "178", "179") for line in DENIED[number]]
# Of these the fourth names a directory that is nobody's; tests of it stand above.
OWN = [line for line in OWN if "$NOBODY" not in line]


@pytest.mark.parametrize("line", OWN)
def test_the_owner_writes_in_its_own_intent(stage: Stage, line: str) -> None:
    """case 9.9/189: allowed, and the lease is refreshed."""
    lock = stage.text("{LOCK}")
    stage.scene.age(lock, 600)
    assert stage.runs(ME, line).denied is None
    assert time.time() - Path(lock).stat().st_mtime < 300


@pytest.mark.parametrize("line", DENIED["176"])
def test_nobody_forges_a_heartbeat(stage: Stage, line: str) -> None:
    """case 9.9/176: by the owner denied too; hooks do it."""
    denied = stage.runs(ME, line).denied
    assert denied is not None
    assert "plastic-lock fix 96" in denied


def test_there_is_no_escape_tag(stage: Stage) -> None:
    """case 9.9/186: a comment changes nothing."""
    assert stage.runs(F, "echo x > {T} # plastic-ok").denied


def test_code_waits_for_the_plan(scene: Scene) -> None:
    """case 9.9/188: stage and worktree rule hold for shell writes."""
    early = scene.intent("98", "early")
    scene.lock(early, ME, tree=True)
    stage = Stage(scene)
    tree = f"{scene.repo}/.claude/worktrees/98--early"
    denied = stage.runs(ME, f"echo x > {tree}/app.py").denied
    assert denied is not None
    assert "comes after" in denied
    assert "run: plastic show 98" in denied


def test_the_shared_checkout_is_no_place_to_work(stage: Stage) -> None:
    """case 9.9/188"""
    for line in ("echo x > {REPO}/app.py", "cd {REPO} && rm app.py", "git -C {REPO} reset --hard"):
        denied = stage.runs(ME, line).denied
        assert denied is not None, line
        assert "in its own worktree" in denied


def test_a_long_command(stage: Stage) -> None:
    """case 9.9/192: the answer comes in time, and is the careful one only where it matters."""
    long = "true " + "x" * 200_000
    assert stage.runs(F, long).out == b""
    assert stage.runs(F, f"python3 - <<'E'\n{'a = 1 > 0;' * 20_000}\nE").out == b""
    assert stage.runs(F, f"python3 - <<'E'\n{'a = 1;' * 30_000}\nopen('{{T}}', 'w')\nE").denied
    assert stage.runs(F, f"open('{{T}}', 'w'); {'a = 1;' * 30_000}").denied


@pytest.mark.parametrize("line", ["plastic show {DIR}", "plastic-lock who {DIR}", "plastic list"])
def test_plastic_itself_is_never_refused(stage: Stage, line: str) -> None:
    for text in (line, f"PLASTIC_HOME=/x {line}", f"/opt/venv/bin/{line} --json | cat"):
        assert stage.runs(F, text).out == b"", text
    assert stage.runs(F, "plastic-lock keep -- rm {T}").denied
    assert stage.runs(F, line + " > {T}").denied


@pytest.mark.parametrize("door", DOORS)
def test_only_two_doors_read_shell(stage: Stage, door: str) -> None:
    said = stage.runs(F, "echo x > {T}", door=door)
    assert (said.denied is not None) is (door in ("gate", "bash-gate"))
