"""The process that a harness starts: stdin of every kind, doors, the stub, and the bundle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plastic import hook
from plastic.disk import bundle
from plastic.work.parts import BUNDLES
from tests.gates.scene import GATE, ROOT, Said

if TYPE_CHECKING:
    from tests.gates.scene import Scene

ME, F = "owner-1", "foreign-2"


def denied_event(scene: Scene) -> Any:
    made = scene.planned()
    scene.lock(made, ME)
    return scene.event(F, "Write", file_path=f"{made.dir}/notes.md", content="x")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"not json",
        b"{",
        b"[]",
        b'[{"tool_name": "Write"}]',
        b"null",
        b"3",
        b'"text"',
        b"{}",
        b"\xff\xfe\x00",
        b'{"tool_name": null, "tool_input": null}',
        b'{"tool_name": 5, "tool_input": [], "session_id": {}, "cwd": 1, "hook_event_name": []}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":null}}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":7}}',
        b'{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"\\u0000"}}',
        b'{"hook_event_name":"NoSuchEvent","tool_name":"Write"}',
        b"[" * 100_000,
    ],
    ids=range(18),
)
def test_whatever_comes_in_the_tool_runs(scene: Scene, data: bytes) -> None:
    """case 9.7/136"""
    scene.lock(scene.planned(), ME)
    said = scene.run(data)
    assert (said.rc, said.err) == (0, b"")
    assert said.denied is None


def test_closed_stdin(scene: Scene) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec '{GATE}' claude <&-"],
        env={**os.environ, "PLASTIC_HOME": scene.home.root, "PLASTIC_PYTHON": sys.executable},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_slow_and_huge_stdin_is_read_to_its_end(scene: Scene) -> None:
    event = denied_event(scene)
    event["tool_input"]["content"] = "x" * 5_000_000
    assert scene.run(event).denied
    data = json.dumps(denied_twice(scene)).encode()
    child = subprocess.Popen(
        [str(GATE), "claude"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PLASTIC_HOME": scene.home.root, "PLASTIC_PYTHON": sys.executable},
    )
    assert child.stdin is not None
    for start in range(0, len(data), 200):
        child.stdin.write(data[start : start + 200])
        child.stdin.flush()
        time.sleep(0.001)
    out, _ = child.communicate(timeout=60)
    assert Said(out, b"", child.returncode).denied


def denied_twice(scene: Scene) -> Any:
    made = scene.planned("97", "again")
    scene.lock(made, ME)
    return scene.event(F, "Write", file_path=f"{made.dir}/notes.md", content="x" * 2000)


def test_more_than_the_limit_runs_and_is_said(scene: Scene) -> None:
    event = denied_event(scene)
    event["tool_input"]["content"] = "x" * 9_000_000
    said = scene.run(event)
    assert (said.rc, said.denied) == (0, None)
    assert "larger than 8 MB" in said.message


def test_bom_and_odd_bytes_are_read(scene: Scene) -> None:
    data = json.dumps(denied_event(scene)).encode()
    assert scene.run(b"\xef\xbb\xbf" + data).denied
    assert scene.run(data.replace(b'"content": "x"', b'"content": "\xff"')).denied


@pytest.mark.parametrize("cwd", ["", ".", "sub", None, 5, ["/w"], ...])
@pytest.mark.parametrize("harness", ["claude", "other"])
def test_without_a_usable_cwd_a_path_is_relative_to_where_the_hook_runs(
    scene: Scene, cwd: object, harness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = denied_event(scene)
    path = event["tool_input"]["file_path"]
    event["tool_input"]["file_path"] = os.path.basename(path)
    event["cwd"] = cwd
    if cwd is ...:
        del event["cwd"]
    monkeypatch.chdir(os.path.dirname(path))
    assert scene.run(event, GATE, harness).denied


def test_json_that_only_the_harness_can_read_runs_and_is_said(scene: Scene) -> None:
    text = json.dumps(denied_event(scene))
    said = scene.run(f'{text[:-1]}, "deep": {"[" * 50_000}{"]" * 50_000}}}'.encode())
    assert (said.rc, said.denied) == (0, None)
    assert "nested too deeply" in said.message


def test_lone_surrogates_in_a_path(scene: Scene) -> None:
    event = denied_event(scene)
    event["tool_input"]["file_path"] += "\ud800"
    assert scene.run(event).denied


def test_a_reader_that_went_away(scene: Scene) -> None:
    data = json.dumps(denied_event(scene)).encode()
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{GATE}' claude | true"],
        input=data,
        env={**os.environ, "PLASTIC_HOME": scene.home.root, "PLASTIC_PYTHON": sys.executable},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("door", "file", "denied"),
    [
        ("gate", "notes.md", True),
        ("lock-gate", "notes.md", True),
        ("lock-gate", "savepoint.md", True),
        ("code-gate", "notes.md", False),
        ("links-gate", "notes.md", False),
        ("create-gate", "96--demo.md", True),
        ("savepoint-pre", "notes.md", False),
        ("gate-check", "notes.md", False),
    ],
)
def test_every_door_is_a_program(scene: Scene, door: str, file: str, denied: bool) -> None:
    event = denied_event(scene)
    event["tool_input"]["file_path"] = f"{scene.home.store('shop')}/96--demo/{file}"
    said = scene.run(event, ROOT / "hooks" / door)
    assert (said.denied is not None) is denied
    assert (said.rc, said.err) == (0, b"")
    assert os.access(ROOT / "hooks" / door, os.X_OK)


def test_the_command_is_the_same_door(scene: Scene) -> None:
    event = denied_event(scene)
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    said = scene.run(event, sys.executable, "-c", code, "hook", "claude")
    assert said == scene.run(event)
    assert said.denied


def test_an_unknown_door_or_harness(scene: Scene) -> None:
    event = denied_event(scene)
    assert scene.run(event, GATE, "claude", "no-such-door") == Said(b"", b"", 0)
    said = scene.run(event, GATE, "who-knows")
    assert said.rc == 2
    assert said.denied
    assert b"held by: owner-1" in said.err


def test_a_payload_of_another_harness_is_answered_in_every_dialect(scene: Scene) -> None:
    made = scene.planned()
    scene.lock(made, ME)
    copilot = {
        "sessionId": F,
        "timestamp": 1796056583367,
        "cwd": str(scene.repo),
        "toolName": "edit",
        "toolArgs": json.dumps({"path": f"{made.dir}/notes.md", "old_str": "a", "new_str": "b"}),
    }
    said = scene.run(copilot)
    assert said.rc == 2
    answer = said.json
    assert answer["decision"] == "block"
    assert answer["permission"] == answer["permissionDecision"] == "deny"
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert said.err.decode().strip() == answer["reason"] == answer["user_message"]
    assert scene.run({**copilot, "sessionId": ME}) == Said(b"", b"", 0)


# -- the stub ----------------------------------------------------------------------------------


def copy_of(root: Path) -> Path:
    """The package and its hooks somewhere else."""
    shutil.copytree(ROOT / "plastic", root / "plastic", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copytree(ROOT / "hooks", root / "hooks")
    for path in (root / "plastic").rglob("hot.*"):
        path.unlink()
    return root


def test_a_package_that_is_gone_denies_nothing(scene: Scene, tmp_path: Path) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "with space's")
    assert scene.run(event, here / "hooks" / "gate").denied
    assert scene.run(event, here / "hooks" / "lock-gate").denied
    shutil.rmtree(here / "plastic")
    assert scene.run(event, here / "hooks" / "gate") == Said(b"", b"", 0)


@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
def test_a_python_that_cannot_start_lets_the_tool_run_and_says_so(
    scene: Scene, tmp_path: Path, shell: str
) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    (tmp_path / "text").write_text("no program")
    event = denied_event(scene)
    for python in (f"{tmp_path}/none", str(tmp_path), f"{tmp_path}/text"):
        said = scene.run(event, program, str(GATE), PLASTIC_PYTHON=python)
        assert (said.rc, said.denied) == (0, None)
        assert "the gates are off" in said.message


@pytest.mark.parametrize("broken", [b"def (", b"raise ValueError(3)", b"\0", None])
def test_a_hook_that_cannot_be_imported_lets_the_tool_run_and_says_so(
    scene: Scene, tmp_path: Path, broken: bytes | None
) -> None:
    here = copy_of(tmp_path / "broken")
    module = here / "plastic" / "hook.py"
    module.write_bytes(broken or b"")
    if broken is None:
        module.chmod(0)
    said = scene.run(denied_event(scene), here / "hooks" / "gate")
    assert (said.rc, said.denied, said.err) == (0, None, b"")
    assert "the gates are off" in said.message


def test_the_stub_of_a_wheel(scene: Scene, tmp_path: Path) -> None:
    here = copy_of(tmp_path / "site")
    shutil.move(here / "hooks", here / "plastic" / "_share" / "hooks")
    assert scene.run(denied_event(scene), here / "plastic" / "_share" / "hooks" / "gate").denied


def test_the_stub_needs_no_folder_in_its_name(scene: Scene) -> None:
    data = json.dumps(denied_event(scene)).encode()
    done = subprocess.run(
        ["/bin/sh", "gate", "claude"],
        cwd=ROOT / "hooks",
        input=data,
        env={**os.environ, "PLASTIC_HOME": scene.home.root, "PLASTIC_PYTHON": sys.executable},
        capture_output=True,
        check=True,
    )
    assert Said(done.stdout, b"", 0).denied


def test_nothing_of_the_working_directory_is_loaded(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "posix.py").write_text("raise SystemExit(2)")
    (tmp_path / "plastic").mkdir()
    (tmp_path / "plastic" / "__init__.py").write_text("raise SystemExit(2)")
    event = denied_event(scene)
    done = subprocess.run(
        [str(GATE)],
        cwd=tmp_path,
        input=json.dumps(event).encode(),
        env={
            **os.environ,
            "PLASTIC_HOME": scene.home.root,
            "PLASTIC_PYTHON": sys.executable,
            "PYTHONPATH": str(tmp_path),
        },
        capture_output=True,
        check=False,
    )
    assert Said(done.stdout, done.stderr, done.returncode).denied


@pytest.mark.parametrize(
    "broken",
    [
        "work/gate/judge.py",
        "words.py",
        "harness/claude.py",
        "rules/gates/table.py",
        "disk/files.py",
    ],
)
@pytest.mark.parametrize("how", ["syntax", "missing", "raises"])
def test_our_own_bug_lets_the_tool_run_and_says_so(
    scene: Scene, tmp_path: Path, broken: str, how: str
) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "copy")
    path = here / "plastic" / broken
    if how == "missing":
        path.unlink()
    else:
        path.write_text("def (\n" if how == "syntax" else "raise KeyError('\"odd\\\\')\n")
    said = scene.run(event, here / "hooks" / "gate")
    assert (said.rc, said.err, said.denied) == (0, b"", None)
    assert "not judged" in said.message


@pytest.mark.parametrize("how", ["missing", "syntax"])
def test_the_journal_tells_of_a_total_failure(scene: Scene, tmp_path: Path, how: str) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "copy")
    path = here / "plastic" / "work" / "gate" / "judge.py"
    path.unlink() if how == "missing" else path.write_text("def (")
    scene.run(event, here / "hooks" / "gate")
    (row,) = scene.journal("broken")
    assert row["gate"] == "all"
    assert ("ModuleNotFoundError" if how == "missing" else "SyntaxError") in row["error"]


def test_an_old_python_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plastic.hook.sys.version_info", (3, 8, 18))
    with pytest.raises(RuntimeError, match=r"Python 3\.11 or newer"):
        hook._answer(["claude"])


# -- the bundle --------------------------------------------------------------------------------


def bundle_of(root: Path) -> Path:
    return root / "plastic" / "__pycache__" / f"hot.{sys.implementation.cache_tag}.bin"


def test_the_first_call_writes_the_bundle_and_the_second_uses_it(
    scene: Scene, tmp_path: Path
) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "copy")
    first = scene.run(event, here / "hooks" / "gate")
    data = bundle_of(here).read_bytes()
    again = scene.run(event, here / "hooks" / "gate")
    assert first == again
    assert again.denied
    assert bundle_of(here).read_bytes() == data
    # Proof that the second call runs the bundle: what it says is in there, and only in there.
    words = b"is being delivered by another session"
    assert words in data
    changed = data.replace(words, words.replace(b"another", b"_nother"))
    bundle_of(here).write_bytes(changed)
    assert "_nother session" in str(scene.run(event, here / "hooks" / "gate").denied)


DOUBTS = ["source", "time", "cut", "zeros", "empty", "junk", "fifo", "version", "gone"]


@pytest.mark.parametrize("doubt", DOUBTS)
def test_a_bundle_in_doubt_is_not_used(scene: Scene, tmp_path: Path, doubt: str) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "copy")
    scene.run(event, here / "hooks" / "gate")
    path, source = bundle_of(here), here / "plastic" / "rules" / "gates" / "refusals.py"
    data = path.read_bytes()
    if doubt in ("source", "time"):
        text = source.read_text()
        source.write_text(text.replace("another session", "somebody else") + "# more\n")
        if doubt == "time":
            source.write_text(text.replace("another session", "ANOTHER session"))
    elif doubt == "version":
        path.write_bytes(data.replace(sys.version.encode(), sys.version[::-1].encode()))
    elif doubt in ("gone", "fifo"):
        path.unlink()
        if doubt == "fifo":
            os.mkfifo(path)
    else:
        zeros = data[: len(data) // 2].ljust(len(data), b"\0")
        path.write_bytes({"cut": data[:-9], "zeros": zeros, "empty": b"", "junk": b"x" * 99}[doubt])
    said = scene.run(event, here / "hooks" / "gate")
    assert said.denied
    assert said.err == b""
    if doubt == "zeros":
        assert path.read_bytes() == data
    if doubt in ("source", "time"):
        assert ("somebody else" if doubt == "source" else "ANOTHER session") in said.denied


def test_without_a_writable_folder_ordinary_imports_do(
    scene: Scene, tmp_path: Path, permissions: None
) -> None:
    event = denied_event(scene)
    here = copy_of(tmp_path / "copy")
    shutil.rmtree(here / "plastic" / "__pycache__", ignore_errors=True)
    for folder in [here / "plastic", *(here / "plastic").iterdir()]:
        if folder.is_dir():
            folder.chmod(0o555)
    try:
        assert scene.run(event, here / "hooks" / "gate").denied
        assert not bundle_of(here).exists()
    finally:
        for folder in (here / "plastic").iterdir():
            folder.chmod(0o755)
        (here / "plastic").chmod(0o755)


def test_lean_code_says_the_same_as_its_source() -> None:
    """Every hot module keeps each function, class and constant."""
    for name in (one for groups in BUNDLES.values() for group in groups for one in group):
        source = ROOT / f"{name.replace('.', '/')}.py"
        module = sys.modules.get(name) or __import__(name, fromlist=["x"])
        space: dict[str, Any] = {"__name__": name}
        exec(bundle.lean(source.read_bytes(), str(source)), space)
        kept = set(vars(module)) - {"annotations", "TYPE_CHECKING"}
        lost = {one for one in kept - set(space) if not one.startswith("__")}
        assert lost == set(), name


# -- fuzz --------------------------------------------------------------------------------------

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(st.characters(codec=None), max_size=20),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)
PATHS = st.lists(
    st.sampled_from(["/", "..", ".", "~", "store", "96--demo", "a", "\ud800", "\0", "x\ny", ""]),
    max_size=8,
).map("/".join)
KEYS = ["session_id", "cwd", "hook_event_name", "tool_name", "tool_input", "tool_use_id"]
TOOLS = [
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Bash",
    "Read",
    "mcp__fs__move_file",
    "",
    "X",
]
INPUTS = st.dictionaries(
    st.sampled_from(["file_path", "notebook_path", "path", "paths", "source", "destination"])
    | st.sampled_from(
        ["content", "edits", "old_string", "new_string", "command", "timeout", "uri"]
    ),
    ODD | PATHS | st.lists(PATHS | ODD, max_size=3),
    max_size=5,
)
PAYLOADS = st.fixed_dictionaries(
    {"hook_event_name": st.sampled_from(["PreToolUse", "PostToolUse", "Stop", "x"]) | ODD},
    optional={
        "tool_name": st.sampled_from(TOOLS) | ODD,
        "tool_input": INPUTS | ODD,
        "session_id": st.sampled_from([ME, F, " "]) | ODD,
        "cwd": PATHS | ODD,
        "agent_id": ODD,
        "tool_use_id": ODD,
        "timestamp": ODD,
        "sessionId": ODD,
    },
)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    from tests.gates.scene import Scene

    made = Scene(tmp_path_factory.mktemp("fuzz"))
    made.lock(made.planned(), ME, tree=True)
    return made


@given(PAYLOADS)
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_payload_breaks_the_judge(fuzzed: Scene, payload: dict[str, Any]) -> None:
    before = len(fuzzed.journal("broken"))
    out, err, code = in_process(fuzzed, payload)
    assert code in (0, 2)
    assert b"Traceback" not in out + err
    assert (code == 2) <= (out != b"")
    assert len(fuzzed.journal("broken")) == before


def in_process(scene: Scene, payload: dict[str, Any]) -> tuple[bytes, bytes, int]:
    """What hook.main does with a payload, without its stdin."""
    from plastic.disk.home import Home
    from plastic.harness import claude, universal
    from plastic.rules.gates.table import DOORS
    from plastic.work.gate.judge import judge

    module: Any = claude
    use = claude.read(payload)
    if not use.fits:
        module = universal
        use = universal.read(payload)
    verdict = judge(Home(scene.home.root), use, DOORS["gate"])
    answer: tuple[bytes, bytes, int] = module.answer(verdict, use.event)
    return answer


@given(PAYLOADS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_payload_breaks_the_process(fuzzed: Scene, payload: dict[str, Any]) -> None:
    said = fuzzed.run(payload)
    assert said.rc in (0, 2)
    assert said.err == b"" or said.rc == 2
    assert said.message == ""
