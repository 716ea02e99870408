"""A poured world is the world that the commands make: git and plastic see no difference."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tests import mould
from tests.work.ends import Ready
from tests.world import World

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def files_of(world: World) -> dict[str, bytes]:
    """Every file but the objects and logs of git; the path of the world is `@`, times are gone."""
    found = {}
    for folder, _, names in os.walk(world.root):
        for name in names:
            path = os.path.join(folder, name)
            short = os.path.relpath(path, world.root)
            if "/objects/" not in short and "/logs/" not in short and name != "index":
                with open(path, "rb") as file:
                    found[short] = file.read().replace(os.fsencode(world.root), b"@")
    return found


def test_a_poured_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mould, "_moulds", {})
    made, poured = World(tmp_path / "one"), World(tmp_path / "two")
    for world in (made, poured):
        world.root.mkdir()
        world.make_shop()
    assert len(mould._moulds) == 2  # the shop, and the repository in it
    varying = {"home/log/events.jsonl", "home/.git/refs/heads/main"}
    varying |= {"home/run/config.json", "home/run/values.json"}  # how their sources looked
    before, after = files_of(made), files_of(poured)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} <= varying
    assert before["home/log/events.jsonl"] == after["home/log/events.jsonl"]
    for place in ("shop", "home"):
        cwd, model = poured.root / place, made.root / place
        # Not `status`, which would bring an index up to date.
        assert poured.git("diff-files", cwd=cwd) == ""
        assert poured.git("diff-index", "HEAD", cwd=cwd) == ""
        assert poured.git("fsck", "--strict", "--no-dangling", cwd=cwd) == ""
        assert poured.git("fsck", "--unreachable", cwd=cwd) == ""
        for words in (["log", "--format=%an %ae %ad %s", "--stat"], ["reflog", "--format=%gs"]):
            assert poured.git(*words, cwd=cwd) == made.git(*words, cwd=model)
    text = poured.git("show", "HEAD:projects.yml", cwd=poured.root / "home")
    assert f"path: {poured.repo}" in text
    again = poured.plastic("init", str(poured.repo), "--json").json
    assert (again["registered"], again["home_created"]) == (False, False)
    assert again["path"] == str(poured.repo)


def test_what_is_unusual_is_made(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert mould.surroundings(os.environ) is not None
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z")
    assert mould.surroundings(os.environ) is None
    world.make_repo()
    assert world.git("log", "-1", "--format=%as") == "2020-01-01"


def test_what_stands_there_stays(world: World) -> None:
    world.repo.mkdir()
    (world.repo / "mine").write_text("x")
    world.make_repo()
    assert world.git("ls-files").split() == [".gitignore", "app.py", "mine"]


def test_a_poured_boarding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An intent that is boarded, has a commit and documents: git and plastic go on with it."""
    monkeypatch.setattr(mould, "_moulds", {})
    worlds, ready = [], []
    for name in ("one", "two"):
        monkeypatch.setenv("PLASTIC_TMP", str(tmp_path / name / "bridges"))
        worlds.append(World(tmp_path / name))
        worlds[-1].root.mkdir()
        worlds[-1].make_shop()
        ready.append(Ready(worlds[-1]))
        assert worlds[-1].poured is not None
        assert len(worlds[-1].poured[0]) == 1
    made, poured = worlds
    assert len(mould._moulds) == 3
    varying = {
        "home/run/config.json",
        "home/.git/refs/heads/main",
        "shop/.git/refs/plastic/fence/1",
    }
    before, after = files_of(made), files_of(poured)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} <= varying
    link, target = f"held/{ready[1].name}", f"{ready[1].dir}/delivery.lock"
    assert os.readlink(f"{poured.home.root}/{link}") == target
    for cwd, model in (
        (poured.root / "shop", made.root / "shop"),
        (poured.root / "home", made.root / "home"),
        (ready[1].tree, ready[0].tree),
    ):
        for words in (
            ["diff-files"],
            ["diff-index", "HEAD"],
            ["fsck", "--strict", "--unreachable"],
        ):
            assert poured.git(*words, cwd=cwd) == made.git(*words, cwd=model) == ""
        for words in (["log", "--format=%an %ae %ad %s", "--stat"], ["reflog", "--format=%gs"]):
            assert poured.git(*words, cwd=cwd) == made.git(*words, cwd=model)
    fence = "refs/plastic/fence/1"
    assert json.loads(poured.git("cat-file", "blob", fence))["dir"] == str(ready[1].dir)
    for one in ready:
        monkeypatch.setenv("PLASTIC_TMP", str(one.world.root / "bridges"))
        one.documents().commit()
        done = one.end()
        assert done.rc == 0, done.err + done.out
        one.ended()


def test_a_world_that_somebody_touched_is_not_poured(shop: World) -> None:
    (shop.repo / "app.py").write_text("TAX = 2\n")
    assert shop.usual("x", lambda: 7) == 7
    assert shop.poured is None
