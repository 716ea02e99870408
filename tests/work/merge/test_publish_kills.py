"""kill -9 anywhere in a publication, also inside git's checkout: a second run makes it whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest

from plastic.disk import failpoints, indexlock
from plastic.words import Broken, Refused
from plastic.work.merge.publish import Moved
from tests.mould import pour, surroundings
from tests.work.mill import Mill, files_of
from tests.work.press import MAIN, Press
from tests.world import World

POINTS = [name for name in failpoints.NAMES if name.startswith("publish.")]
BEFORE = ("publish.locked", "publish.checked")
COUNT = 11  # files of each kind; git smudges two thirds of them
LONG = "".join(f"{number}\n" for number in range(400))


def smudge(root: Path) -> str:
    """A filter that kills its git and the parent of that git when it has run `kill-at` times."""
    script = root / "smudge"
    # Words of the shell alone: it runs for 33 files of each publication.
    script.write_text(
        "#!/bin/sh\n"
        f"echo x >> {root}/count\n"
        f"if [ -f {root}/kill-at ]; then\n"
        f"  read -r at < {root}/kill-at\n"
        f"  n=0; while read -r _; do n=$((n + 1)); done < {root}/count\n"
        '  if [ "$n" -ge "$at" ]; then\n'
        "    set -- $(cat /proc/$PPID/stat)\n"
        f"    kill -9 $(cat {root}/victim) -$5\n"
        "  fi\n"
        "fi\n"
        'while IFS= read -r line; do printf "smudged:%s\\n" "$line"; done\n'
    )
    script.chmod(0o755)
    clean = root / "clean"
    clean.write_text(
        "#!/bin/sh\n"
        'while IFS= read -r line; do printf "%s\\n" "${line#smudged:}"; done\n'
        '[ -z "$line" ] || printf "%s" "${line#smudged:}"\n'
    )
    clean.chmod(0o755)
    return str(script)


@pytest.fixture
def mill(world: World) -> Mill:
    """Changed, removed and added files, half of them through a filter, and edits of a person."""
    key = surroundings(os.environ)
    pour(world.root, ["shop"], key and ("kills", key), lambda: fill(world))
    smudge(world.root)
    return Mill(world, made=True)


def fill(world: World) -> None:
    mill = Mill(world)
    mill.git("config", "filter.slow.clean", str(world.root / "clean"))
    mill.git("config", "filter.slow.smudge", smudge(world.root))
    root: dict[str, str | bytes | None] = {".gitattributes": "*.slow filter=slow\n", "other": "1\n"}
    tip: dict[str, str | bytes | None] = {}
    for number in range(COUNT):
        name = f"d{number % 3}/f{number:02}"
        root[f"{name}.slow"] = f"smudged:{number}\n"
        tip[f"{name}.slow"] = f"smudged:{number} and more\n"
        root[f"{name}.plain"] = LONG
        tip[f"{name}.plain"] = LONG + f"{number}\n"
        root[f"{name}.gone"] = "x\n"
        tip[f"{name}.gone"] = None
        tip[f"{name}.new.slow"] = f"smudged:new {number}\n"
    mill.commit(root)
    mill.branch("tip", tip)
    mill.write({"other": "my edit\n", "mine": "untracked\n", ".env": "SECRET=1\n", "staged": "s\n"})
    mill.git("add", "staged")


def killed(press: Press, at: int | None = None, where: str | None = None) -> bool:
    """Publish in a forked child that dies at a failpoint, or at the n-th file that git smudges."""
    root = press.mill.world.root
    (root / "count").write_text("")
    if at is not None:
        (root / "kill-at").write_text(f"{at}\n")
    pid = os.fork()
    if pid == 0:
        try:
            (root / "victim").write_text(f"{os.getpid()}\n")
            if where is not None:
                failpoints._passed.clear()
                os.environ.update(PLASTIC_TEST="1", PLASTIC_FAILPOINT=where)
            press.go()
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    (root / "kill-at").unlink(missing_ok=True)
    return os.WIFSIGNALED(status)


def again(press: Press) -> None:
    """What a second End does: heal, then publish what is not published."""
    if press.heal() == "undone":
        press.go()


_fresh: dict[str, dict[str, object]] = {}


def wanted(mill: Mill) -> dict[str, object]:
    """The tip's files as a checkout writes them, and the person's own."""
    tip = mill.oid("tip^{tree}")
    if tip not in _fresh:
        place = mill.world.root / "fresh"
        mill.git("worktree", "add", "-q", "--detach", str(place), "tip")
        _fresh[tip] = files_of(place)
        mill.git("worktree", "remove", "--force", str(place))
    found = _fresh[tip]
    mine = {"other": "my edit\n", "mine": "untracked\n", ".env": "SECRET=1\n", "staged": "s\n"}
    return {**found, **{name: (False, text.encode()) for name, text in mine.items()}}


STATUS = "A  staged\n M other\n?? mine"


def status(mill: Mill) -> str:
    return mill.world.run("git", "status", "--porcelain", cwd=mill.repo).out.rstrip("\n")


def assert_whole(mill: Mill, press: Press) -> None:
    folder = mill.repo / ".git"
    assert mill.oid("main") == press.new
    assert sorted(status(mill).splitlines()) == sorted(STATUS.splitlines())
    assert files_of(mill.repo) == wanted(mill)
    assert not (folder / "index.lock").exists()
    assert not (folder / "plastic-index").exists()
    assert not (folder / "plastic-index.lock").exists()
    assert mill.git("fsck", "--no-progress", "--no-dangling") == ""


# -- failpoints ------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", POINTS)
def test_kill_9_at_each_point(mill: Mill, where: str) -> None:
    press = Press(mill, mill.repo)
    before = mill.everything()
    assert killed(press, where=where)
    if where in BEFORE:
        assert mill.everything()[:3] == before[:3]
        assert mill.everything()[4] == before[4]
    locked = where != "publish.unlocked"
    assert indexlock.is_held(f"{mill.common}") == locked
    if locked:
        assert indexlock.found(mill.common) == ("1", press.old, press.new)
        user = mill.world.run("git", "commit", "-qam", "meanwhile", cwd=mill.repo)
        assert user.rc != 0, "a half state must not be committed"
    assert press.heal() == ("undone" if where in BEFORE else "done")
    if where in BEFORE:
        assert mill.everything() == before
    again(press)
    assert_whole(mill, press)
    assert press.heal() == "done"
    assert_whole(mill, press)


@pytest.mark.parametrize("where", POINTS)
def test_another_intent_finds_the_leftover(mill: Mill, where: str) -> None:
    """Its own publication first brings the checkout to an end, then plans again if it must."""
    press = Press(mill, mill.repo)
    assert killed(press, where=where)
    if where in BEFORE:
        press.go()
    else:
        with pytest.raises(Moved) as caught:
            press.go()
        assert caught.value.code == "base-moved"
    assert_whole(mill, press)


def test_killed_again_while_healing(mill: Mill) -> None:
    press = Press(mill, mill.repo)
    assert killed(press, where="publish.moved")
    for at in (2, 5, 1, 9):
        assert killed(press, at=at)
    again(press)
    assert_whole(mill, press)


# -- inside git's checkout -------------------------------------------------------------------------


def copied(mill: Mill, number: int) -> Mill:
    """The same repository once more: git's filters are configured by absolute path."""
    other = Mill.__new__(Mill)
    other.world = mill.world
    other.repo = mill.world.root / f"copy{number}"
    other.common = os.path.realpath(other.repo / ".git")
    shutil.copytree(mill.repo, other.repo, symlinks=True)
    return other


def test_kill_9_at_each_file_that_git_writes(mill: Mill) -> None:
    planned = Press(mill, mill.repo)
    for at in range(1, 2 * COUNT + 1):
        one = copied(mill, at)
        press = copy(planned)
        press.mill, press.common, press.checkout = one, one.common, str(one.repo)
        assert killed(press, at=at), f"moment {at} was not reached"
        assert one.oid("main") == press.new
        user = one.world.run("git", "commit", "-qam", "meanwhile", cwd=one.repo)
        assert user.rc != 0, "a half state must not be committed"
        again(press)
        assert_whole(one, press)
        shutil.rmtree(one.repo)
    assert 2 * COUNT >= 20


def test_plain_merge_killed_there_does_not_converge(mill: Mill) -> None:
    """The broken variant: git alone leaves a lock without a name, and running it again refuses."""
    press = Press(mill, mill.repo)
    root = mill.world.root
    (root / "count").write_text("")
    (root / "kill-at").write_text("5\n")
    child = subprocess.Popen(
        ["sh", "-c", f"echo $$ > {root}/victim; exec git merge -q --ff-only {press.new}"],
        cwd=mill.repo,
        start_new_session=True,
    )
    child.wait()
    (root / "kill-at").unlink()
    assert (mill.repo / ".git/index.lock").exists()
    assert indexlock.found(mill.common) is None
    assert mill.world.run("git", "merge", "--ff-only", press.new, cwd=mill.repo).rc != 0
    (mill.repo / ".git/index.lock").unlink()
    assert mill.world.run("git", "merge", "--ff-only", press.new, cwd=mill.repo).rc != 0


TORN: dict[str, tuple[str, Callable[[bytes], bytes | None]]] = {
    "cut": ("d0/f00.plain", lambda data: data[: len(data) // 2]),
    "empty": ("d0/f00.plain", lambda data: b""),
    "one byte short": ("d1/f01.plain", lambda data: data[:-1]),
    "smudged and cut": ("d0/f00.slow", lambda data: data[:9]),
    "added and cut": ("d0/f00.new.slow", lambda data: data[:3]),
    "missing": ("d0/f00.plain", lambda data: None),
}


@pytest.mark.parametrize("name", TORN)
def test_a_torn_file_is_written_anew(mill: Mill, name: str) -> None:
    """A kill in the middle of one write: the file is the beginning of what it was to become."""
    path, cut = TORN[name]
    press = Press(mill, mill.repo)
    assert killed(press, where="publish.moved")
    whole = wanted(mill)[path]
    assert isinstance(whole, tuple)
    left = cut(whole[1])
    (mill.repo / path).unlink(missing_ok=True)
    if left is not None:
        (mill.repo / path).write_bytes(left)
    again(press)
    assert_whole(mill, press)


@pytest.mark.parametrize("path", ["d0/f00.plain", "d0/f00.slow", "d0/f00.new.slow", "d0/f00.gone"])
def test_an_edit_meanwhile_is_nobody_elses(mill: Mill, path: str) -> None:
    """Neither old nor new nor torn: refused, the bytes as they are, and the lock stays."""
    press = Press(mill, mill.repo)
    assert killed(press, where="publish.moved")
    (mill.repo / path).write_text("my own words\n")
    for _ in range(2):
        with pytest.raises(Refused) as caught:
            press.heal()
        assert caught.value.code == "edited-meanwhile"
        assert caught.value.facts["paths"] == [path]
        assert (mill.repo / path).read_text() == "my own words\n"
        assert indexlock.is_held(mill.common)
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0
    again(press)
    aside = mill.repo / f"{path}.aside"
    assert aside.read_text() == "my own words\n"
    aside.unlink()
    assert_whole(mill, press)


def test_an_edit_under_another_name_is_never_looked_at(mill: Mill) -> None:
    press = Press(mill, mill.repo)
    assert killed(press, at=7)
    mill.write({"d0/notes": "mine\n", "other": "edited again\n"})
    again(press)
    assert (mill.repo / "d0/notes").read_text() == "mine\n"
    assert (mill.repo / "other").read_text() == "edited again\n"


@pytest.mark.parametrize("at", [1, 7, 20])
def test_somebody_removed_the_lock_as_git_advises(mill: Mill, at: int) -> None:
    press = Press(mill, mill.repo)
    assert killed(press, at=at)
    (mill.repo / ".git/index.lock").unlink()
    # Non-vacuity: the next commit would take the merge back.
    assert "D  d0/f00.new.slow" in status(mill) or "AD" in status(mill)
    assert press.heal() == "done"
    assert_whole(mill, press)


def test_attributes_that_the_merge_itself_brings(world: World) -> None:
    """Killed before or after `.gitattributes`, the other files are compared by the new ones."""
    mill = Mill(world)
    mill.git("config", "filter.slow.clean", str(world.root / "clean"))
    mill.git("config", "filter.slow.smudge", smudge(world.root))
    names = [f"f{number}.slow" for number in range(6)]
    mill.commit(dict.fromkeys(names, "raw\n"))
    mill.branch("tip", {".gitattributes": "*.slow filter=slow\n", **dict.fromkeys(names, "more\n")})
    mill.write({"mine": "untracked\n"})
    for at in range(1, 7):
        one = copied(mill, at)
        press = Press(one, one.repo)
        assert killed(press, at=at)
        if at % 2:
            (one.repo / ".gitattributes").unlink(missing_ok=True)
        again(press)
        assert status(one) == "?? mine"
        assert (one.repo / "f3.slow").read_text() == "smudged:more\n"


def test_a_git_that_outlived_its_end_is_waited_for(mill: Mill) -> None:
    """kill -9 of plastic alone: its git goes on writing, and nobody mends under its hands."""
    root = mill.world.root
    hold = root / "hold"
    os.mkfifo(hold)
    once = f"[ -f {root}/started ] || cat {hold}; touch {root}/started"
    (root / "smudge").write_text(f"#!/bin/sh\n{once}\nsed s/^/smudged:/\n")
    press = Press(mill, mill.repo)
    child = subprocess.Popen(press.argv(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 30
    while mill.oid("main") != press.new:
        assert time.monotonic() < until
        time.sleep(0.01)
    child.kill()
    child.wait()
    second = subprocess.Popen(press.argv(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(0.5)
    hold.write_text("")
    _, err = second.communicate(timeout=60)
    assert second.returncode == 0, err
    assert_whole(mill, press)


def test_a_way_on_that_is_blocked_for_good_leads_back(mill: Mill) -> None:
    """Killed, and now the filter is gone: everything is as before, and the lock is free."""
    press = Press(mill, mill.repo)
    before = files_of(mill.repo)
    assert killed(press, at=4)
    mill.git("config", "filter.slow.required", "true")
    mill.git("config", "filter.slow.smudge", "exit 1")
    with pytest.raises(Broken):
        press.heal()
    mill.git("config", "filter.slow.smudge", str(mill.world.root / "smudge"))
    again(press)
    assert_whole(mill, press)
    assert set(before) - set(files_of(mill.repo)) == {name for name in before if ".gone" in name}


KINDS: dict[str, str | bytes | None] = {
    "text.crlf": "a\nb\nc\nd\n",
    "caf\udce9": "a name that is no UTF-8\n",
    'quo"ted\nname': "odd\n",
    '"begins': "odd\n",
    "folder/inner": "was a file\n",
    "flat": "was a folder\n",
    "sub/.gitattributes": "*.crlf text eol=lf\n",
    "sub/text.crlf": "a\nb\nc\n",
}


@pytest.fixture
def kinds(world: World) -> Mill:
    """Every kind of change: modes, links, line ends, names, files that become folders and back."""
    mill = Mill(world)
    mill.git("config", "core.quotePath", "true")
    mill.commit({".gitattributes": "*.crlf text eol=crlf\n"})
    mill.commit(dict.fromkeys(("text.crlf", "run", "plain", "link", "sub/text.crlf"), "old\n"))
    mill.commit({"folder": "a file\n", "flat/inner": "in a folder\n", "caf\udce9": "old\n"})
    mill.git("switch", "-q", "-c", "tip")
    mill.commit({"folder": None, "flat/inner": None}, "room")
    mill.commit(KINDS)
    (mill.repo / "run").chmod(0o755)
    for name, text in (("link", "plain"), ("added", "nowhere")):
        (mill.repo / name).unlink(missing_ok=True)
        os.symlink(text, mill.repo / name)
    mill.git("add", "-A")
    mill.git("commit", "-q", "-m", "kinds")
    mill.git("switch", "-q", "main")
    mill.write({"mine": "untracked\n"})
    return mill


@pytest.mark.parametrize("name", sorted({*KINDS, "run", "link", "added"}))
def test_each_kind_of_change_half_done(kinds: Mill, name: str) -> None:
    """Everything old but this one path, which is new already; or the other way round."""
    fresh = kinds.world.root / "fresh"
    kinds.git("worktree", "add", "-q", "--detach", str(fresh), "tip")
    for turn in (1, 2):
        one = copied(kinds, turn)
        press = Press(one, one.repo)
        assert killed(press, where="publish.moved" if turn == 1 else "publish.written")
        target = one.repo / name
        if turn == 1:
            replace_by(target, fresh / name)
        elif target.is_symlink() or name in ("run",):
            target.unlink()
        else:
            target.write_bytes(target.read_bytes()[:-1])
        again(press)
        found = files_of(one.repo)
        assert found.pop("mine") == (False, b"untracked\n")
        assert found == files_of(fresh)
        assert status(one) == "?? mine"


def replace_by(target: Path, source: Path) -> None:
    """Give a name the content, kind and mode of another, whatever stood there."""
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    if target.parent.is_file():
        target.parent.unlink()
    target.parent.mkdir(exist_ok=True)
    target.unlink(missing_ok=True)
    shutil.copy(source, target, follow_symlinks=False)


@pytest.mark.parametrize("where", ["publish.checked", "publish.moved", "publish.indexed", None])
def test_killed_in_a_linked_checkout(mill: Mill, where: str | None) -> None:
    mill.git("stash", "-q", "-u")
    mill.git("switch", "-q", "-c", "feature")
    linked = mill.world.root / "linked"
    mill.git("worktree", "add", "-q", str(linked), "main")
    mill.write({"other": "my edit\n"}, linked)
    press = Press(mill, linked)
    assert killed(press, where=where) if where else killed(press, at=6)
    again(press)
    assert mill.oid("main") == press.new
    assert mill.git("status", "--porcelain", cwd=linked) == "M other"
    assert mill.git("status", "--porcelain") == ""
    assert not indexlock.is_held(f"{mill.common}/worktrees/linked")


@pytest.mark.parametrize("where", ["publish.moved"])
def test_killed_where_the_base_is_checked_out_nowhere(mill: Mill, where: str) -> None:
    mill.git("stash", "-q", "-u")
    mill.git("switch", "-q", "-c", "feature")
    press = Press(mill, None)
    assert killed(press, where=where)
    assert press.heal() == "done"
    assert mill.git("rev-parse", MAIN) == press.new
    assert status(mill) == ""
