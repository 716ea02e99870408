"""The world of every test: its own home, HOME, git identity and no session of the machine's."""

from __future__ import annotations

import ctypes
import gc
import itertools
import os
import pwd
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.gates.scene import Scene
from tests.world import World

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

REAL_HOME = os.path.join(pwd.getpwuid(os.getuid()).pw_dir, ".plastic")
# What lets root ignore permissions: DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER.
_CAPABILITIES = (1, 2, 3)
_MACHINE = ("GIT_", "PLASTIC_", "CLAUDE", "CODEX", "GEMINI", "XDG_")
_PR_CAPBSET_DROP = 24
_CAP_VERSION_3 = 0x20080522


def _drop_root_rights() -> bool:
    """Make permission tests mean something as root; False when this root may not.

    Root loses the three capabilities that ignore permissions, here and in every child. A switch
    of the uid would do as well, but the interpreter often lies below /root, out of its reach.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in _CAPABILITIES:
        if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            return False
    header = (ctypes.c_uint32 * 2)(_CAP_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)()
    if libc.capget(header, data) != 0:
        return False
    for index in range(3):
        for capability in _CAPABILITIES:
            data[index] &= ~(1 << capability)
    return bool(libc.capset(header, data) == 0)


# A slow machine is no bug. CI repeats one set of examples; people and soak runs look for new ones.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure(config: pytest.Config) -> None:
    # Fixtures of a module run before those of a test: they must not find the real home either.
    away = tempfile.mkdtemp(prefix="plastic-tests-")
    config.add_cleanup(lambda: shutil.rmtree(away, ignore_errors=True))
    os.environ.update(HOME=away, PLASTIC_HOME=f"{away}/home", PLASTIC_TMP=f"{away}/bridges")
    for folder in ("user", "template/hooks", "template/info"):
        os.makedirs(f"{away}/{folder}")
    Path(away, "template/info/exclude").touch()
    config.stash[_AWAY] = Path(away)
    if os.geteuid() == 0 and not _drop_root_rights():
        config.stash[_ROOT] = True


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are made, and none is garbage before the end: nothing to look through."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Half as many again as there are processors: a test often waits, for a disk or for a lock."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return (os.cpu_count() or 2) * 3 // 2


_ROOT = pytest.StashKey[bool]()
_AWAY = pytest.StashKey[Path]()
_NUMBERS = itertools.count()
# What no test is about and every git pays for: sample hooks, the flush of each object to the disk,
# a second git that looks whether it is time to clean up.
_CONFIG = """\
[user]
	name = Test Person
	email = test@example.invalid
[init]
	defaultBranch = main
	templateDir = {template}
[core]
	fsync = none
[maintenance]
	auto = false
[protocol "file"]
	allow = always
"""


@pytest.fixture
def permissions(request: pytest.FixtureRequest) -> None:
    """For tests of missing rights: a root that cannot give up its own proves nothing."""
    if request.config.stash.get(_ROOT, False):
        pytest.skip("root that may not drop CAP_DAC_OVERRIDE: permissions do not bind it")


def _stamp(path: str) -> object:
    try:
        seen = os.stat(path)
    except OSError:
        return None
    return (seen.st_mtime_ns, seen.st_ino, sorted(os.listdir(path)))


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest makes it, but without its look through all the others for a free number."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    path = tmp_path_factory.getbasetemp() / f"{name}-{next(_NUMBERS)}"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture(autouse=True)
def _away_from_the_real_home(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Pin the environment, and fail any test that reaches the home of whoever runs it."""
    for name in list(os.environ):
        if name.startswith(
            ("GIT_", "PLASTIC_", "CLAUDE", "CODEX", "GEMINI", "XDG_")
        ) or name.endswith("_SESSION_ID"):
            monkeypatch.delenv(name)
    away = request.config.stash[_AWAY]
    base = away / f"machine-{next(_NUMBERS)}"
    (base / "user").mkdir(parents=True)
    config = base / "gitconfig"
    config.write_text(_CONFIG.format(template=away / "template"))
    monkeypatch.setenv("HOME", str(base / "user"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("PLASTIC_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PLASTIC_TMP", str(base / "bridges"))
    monkeypatch.setattr("plastic.disk.command._line", [])  # what another test has typed
    before = _stamp(REAL_HOME)
    yield
    assert _stamp(REAL_HOME) == before, "a test touched the real home"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty world: no home yet, no repository."""
    return World(tmp_path)


@pytest.fixture
def shop(world: World) -> World:
    """A home with the registered project `shop`, a real repository with one commit on main."""
    world.make_shop()
    return world


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A home and a repository made of files, for tests of gates."""
    return Scene(tmp_path)
