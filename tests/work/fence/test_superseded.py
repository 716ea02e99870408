"""What else a session does that was taken over: plastic's commands, its tools, git in a publish."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from plastic.disk.git import Git
from plastic.harness import claude
from plastic.rules.fence.hooks import JUDGED
from plastic.rules.gates.table import DOORS
from plastic.work.end import apply
from plastic.work.fence import ref as fence
from plastic.work.gate.judge import judge
from plastic.work.merge import reftransaction
from tests.work.fence.stage import A, B

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.work.fence.stage import Stage
    from tests.world import Done

COMMIT = ("commit", "-q", "--allow-empty", "-m", "x")


def state(stage: Stage) -> tuple[object, ...]:
    """Everything that is B's now."""
    documents = {path.name: path.read_bytes() for path in stage.dir.iterdir() if path.is_file()}
    documents.pop("delivery.write.lock", None)
    return stage.refs(), stage.files(), documents, stage.main()


COMMANDS: dict[str, Callable[[Stage], Done]] = {
    "end": lambda stage: stage.end("--delivered"),
    "claim": lambda stage: stage.world.lock("claim", stage.id, "spec.md", "--json", session=A),
    "delegate": lambda stage: stage.world.lock("delegate", stage.id, "helper", "--json", session=A),
    "sync": lambda stage: stage.world.plastic("sync", stage.id, "--json", session=A),
    "release": lambda stage: stage.world.lock("release", stage.id, "--json", session=A),
    "transfer": lambda stage: stage.world.lock(
        "transfer", stage.id, "--to", "x", "--json", session=A
    ),
}


def test_its_commands_are_refused_with_the_new_owner_s_name(stage: Stage) -> None:
    stage.git(A, *("commit", "-q", "-a", "-m", "all"))
    stage.documents()
    stage.takeover()
    before = state(stage)
    for name, command in COMMANDS.items():
        done = command(stage)
        assert done.rc == 3, name
        error = json.loads(done.out)["error"]
        assert error["who"] == B, name
        assert error["since"], name
        assert error["run"].startswith("plastic"), name
        assert state(stage) == before, name


def test_its_outcome_is_refused(stage: Stage) -> None:
    stage.takeover()
    payload = {
        "session_id": A,
        "transcript_path": "/home/ana/.claude/projects/shop/x.jsonl",
        "cwd": str(stage.tree),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_use_id": "toolu_1",
        "tool_input": {"file_path": f"{stage.dir}/outcome.md", "content": "# Outcome\n"},
    }
    verdict = judge(stage.world.home, claude.read(payload), DOORS["gate"])
    assert (verdict.kind, verdict.who) == ("deny", B)


def test_case_71_nobody_rewrites_what_an_earlier_holder_pushed(stage: Stage) -> None:
    """B builds on it, or pushes beside it; what is B's own, B may rewrite."""
    far = stage.world.root / "far.git"
    stage.world.git("init", "-q", "--bare", str(far))
    stage.world.git("remote", "add", "far", str(far))
    branch = f"refs/heads/{stage.branch}"
    push = ("push", "-q", "-f", "far", f"HEAD:{branch}")
    assert stage.git(A, *push).rc == 0
    theirs = stage.world.git("rev-parse", "HEAD", cwd=stage.tree)
    stage.takeover()
    stage.git(B, "stash", "-q")
    assert stage.git(B, "commit", "-q", "--amend", "-m", "mine").rc == 0
    done = stage.git(B, *push)
    assert done.rc != 0
    assert f"{theirs[:12]} of an earlier holder" in done.err
    assert stage.world.git("rev-parse", branch, cwd=far) == theirs
    run = next(line for line in done.err.splitlines() if line.startswith("run: "))
    assert stage.git(B, *run.split()[2:]).rc == 0, "beside it"
    stage.git(B, "reset", "-q", "--hard", theirs)
    for message in ("one", "another"):
        stage.git(B, "reset", "-q", "--soft", theirs)
        assert stage.git(B, "commit", "-q", "--allow-empty", "-m", message).rc == 0
        assert stage.git(B, *push).rc == 0, "built on it; B's own is rewritten"
    assert stage.git(B, "push", "-q", "far", "HEAD:refs/heads/new", f":{branch}").rc == 0


# -- the fence in git's own transaction -----------------------------------------------------------


def raise_fence(stage: Stage) -> None:
    """Another home boards the same intent: the ref moves, this home's lock does not know it."""
    value = json.dumps({"token": 99, "acq": "another"}).encode()
    done = stage.world.run("git", "hash-object", "-w", "--stdin", cwd=stage.world.repo, stdin=value)
    stage.world.git("update-ref", f"refs/plastic/fence/{stage.id}", done.out.strip())


@pytest.fixture
def ready(stage: Stage) -> Stage:
    stage.git(A, *("commit", "-q", "-a", "-m", "all"))
    stage.documents()
    return stage


@pytest.mark.parametrize("moment", ["before the publish is prepared", "inside of it"])
def test_end_publishes_nothing_past_a_raised_fence(
    ready: Stage, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """The plan saw no reason; somebody raises it between the plan and the transaction."""
    before = ready.main()
    if moment == "inside of it":
        real = reftransaction.move

        def late(git: Git, step: reftransaction.Step) -> None:
            raise_fence(ready)
            real(git, step)

        monkeypatch.setattr("plastic.work.merge.publish.move", late)
    else:
        salvaged = apply._keep

        def slow(*args: object) -> object:
            raise_fence(ready)
            return salvaged(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(apply, "_keep", slow)
    done = ready.end("--delivered")
    assert done.rc == 4
    assert ready.main() == before
    assert ready.has_branch()
    assert ready.tree.exists()
    assert (ready.dir / "delivery.lock").exists()


def test_end_deletes_no_branch_past_a_raised_fence(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fence.delete

    def late(git: Git, ref: str, old: str, barrier: tuple[str, str] | None) -> object:
        raise_fence(ready)
        return real(git, ref, old, barrier)

    monkeypatch.setattr("plastic.work.end.leave.delete", late)
    ready.end("--delivered")
    assert ready.has_branch()


# -- without it ------------------------------------------------------------------------------------

# What is taken out -> of the hooks' text, what stands there, and what is put in its place.
BROKEN = {
    "the owner": ('pf_is_me "${pf_line%\\",}" && pf_found=1', "pf_found=1"),
    "the token": ('"\\"token\\": $pf_token,"', '"$pf_line"'),
    "the token that is presented": ('"$pf_id":*) return 1', '"$pf_id":*)'),
    "the refusal": ("[ $? -ne 9 ]", "true"),
    "the lock": ('[ -n "$pf_passes" ] || ! pf_is_proven ||', "true &&"),
}


def holes(stage: Stage) -> list[str]:
    """What the hooks should refuse and let pass; a table of what they must tell apart."""
    found = []
    facts = stage.admin / "plastic.fence"
    known = facts.read_text()
    token = stage.token + 1
    facts.write_text(known.replace(f"pf_token='{token}'", "pf_token='1'"))
    if stage.git(B, *COMMIT).rc != 0 or facts.read_text() != known:
        found.append("a token that the hooks were not told of")
    facts.write_text(known)
    if stage.git(A, *COMMIT).rc == 0:
        found.append("superseded")
    if stage.git(A, "commit", "-q", "--no-verify", "--allow-empty", "-m", "x").rc == 0:
        found.append("superseded, --no-verify")
    if stage.git(B, *COMMIT, PLASTIC_TOKEN=f"{stage.id}:1").rc == 0:
        found.append("older token")
    return found


def test_the_suite_would_see_a_check_that_is_missing(stage: Stage) -> None:
    stage.takeover()
    assert holes(stage) == []
    whole = (stage.hooks / "pre-commit").read_text()
    for name, (there, instead) in BROKEN.items():
        assert there in whole, name
        for hook in JUDGED:
            (stage.hooks / hook).write_text(whole.replace(there, instead))
        assert holes(stage) != [], name


def test_it_would_see_a_publish_without_the_fence(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same moment as above, and nobody asks: the merge is published."""
    real = reftransaction.move

    def late(git: Git, step: reftransaction.Step) -> None:
        raise_fence(ready)
        real(git, step._replace(fence=None))

    monkeypatch.setattr("plastic.work.merge.publish.move", late)
    before = ready.main()
    ready.end("--delivered")
    assert ready.main() != before


def test_it_would_see_a_barrier_that_believes_any_fence(
    ready: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    salvaged = apply._keep

    def slow(*args: object) -> object:
        raise_fence(ready)
        return salvaged(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "_keep", slow)
    monkeypatch.setattr(fence, "is_overtaken", lambda *_: False)
    before = ready.main()
    ready.end("--delivered")
    assert ready.main() != before
