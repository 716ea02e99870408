"""`plastic doctor`: a healthy house passes; each trouble is found, and healed if that is safe."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import held
from plastic.disk.journal import note
from plastic.disk.troubles import line_about
from plastic.rules.checks import CHECKS
from plastic.work.doctor import litter
from plastic.work.doctor.run import LOOKS
from plastic.work.intent.index import set_section
from plastic.work.intent.intents import find
from tests.work.yard import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.world import World


def doctor(shop: World, *words: str) -> dict[str, Any]:
    """The report, checks by their name."""
    done = shop.plastic("doctor", "--json", *words)
    assert done.rc in (0, 1), done.err
    assert done.json["healthy"] is (done.rc == 0)
    return {one["check"]: one for one in done.json["checks"]}


def troubles(shop: World, *words: str) -> dict[str, list[str]]:
    """What needs somebody, by check."""
    return {
        name: [one["what"] for one in check["findings"] if one["level"] == "trouble"]
        for name, check in doctor(shop, *words).items()
        if check["state"] == "trouble"
    }


def started(shop: World, title: str = "Add tax") -> dict[str, Any]:
    return shop.boarded(title, "O")


def test_a_fresh_house_is_healthy(shop: World) -> None:
    assert troubles(shop) == {}
    started(shop)
    assert troubles(shop) == {}
    assert "healthy" in shop.plastic("doctor", cwd=shop.repo).out


def test_every_check_is_made_and_says_what_it_looks_at(shop: World) -> None:
    report = doctor(shop)
    assert list(report) == list(CHECKS) == list(LOOKS)
    assert all(one["looks"] for one in report.values())


def test_it_changes_nothing_without_fix(shop: World) -> None:
    found = started(shop)
    shutil.rmtree(shop.home.held)
    before = shop.git("for-each-ref"), sorted(os.listdir(found["dir"]))
    doctor(shop)
    assert not os.path.exists(shop.home.held)
    assert before == (shop.git("for-each-ref"), sorted(os.listdir(found["dir"])))


def test_without_a_home(world: World) -> None:
    done = world.plastic("doctor", "--json")
    assert (done.rc, done.json["error"]["code"]) == (6, "no-home")


# -- each trouble: how it comes about, the check that names it, whether --fix heals it -----------


def _stale(shop: World) -> None:
    shop.age(f"{started(shop)['dir']}/delivery.lock", 4000)


def _corrupt(shop: World) -> None:
    path = f"{started(shop)['dir']}/delivery.lock"
    with open(path, "w") as file:
        file.write("{")
    shop.age(path, 60)


def _stalled(shop: World) -> None:
    found = started(shop)
    set_section(shop.home, find(shop.home, found["id"]), "Completed")
    shop.age(f"{found['dir']}/delivery.lock", 4000)


def _end_file(shop: World) -> None:
    found = started(shop)
    set_section(shop.home, find(shop.home, found["id"]), "Abandoned")
    shop.lock("release", found["id"], session="O")
    with open(f"{found['dir']}/.end.json", "w") as file:
        file.write("{}")


def _no_held(shop: World) -> None:
    started(shop)
    shutil.rmtree(shop.home.held)


def _dangling(shop: World) -> None:
    found = started(shop)
    held.add(shop.home, find(shop.home, found["id"]))
    os.remove(f"{found['dir']}/delivery.lock")


def _config(shop: World) -> None:
    with open(shop.home.config_yml, "a") as file:
        file.write("nonsense: 1\n")


def _unlisted(shop: World) -> None:
    shop.new("Add tax")
    path = shop.home.index("shop")
    with open(path, "w") as file:
        file.write("# Index\n\n## Active\n\n- [9 - Gone](store/9--gone/9--gone.md)\n")


def _worktree_done(shop: World) -> None:
    found = started(shop)
    shop.lock("release", found["id"], session="O")
    set_section(shop.home, find(shop.home, found["id"]), "Completed")


def _worktree_waiting(shop: World) -> None:
    _worktree_done(shop)
    with open(f"{shop.repo}/.claude/worktrees/1--add-tax/new.py", "w") as file:
        file.write("x")


def _ignore(shop: World) -> None:
    with open(f"{shop.home.root}/.gitignore", "w") as file:
        file.write("mine\n")


def _gone(shop: World) -> None:
    os.rename(shop.repo, shop.root / "elsewhere")
    shop.repo.mkdir()
    os.rmdir(shop.repo)


def _temp(shop: World) -> None:
    path = f"{shop.new('Add tax')['dir']}/.delivery.spec.md.1.2.3.tmp"
    with open(path, "w") as file:
        file.write("half")
    shop.age(path, 4000)


def _blank(shop: World) -> None:
    path = f"{shop.home.store('shop')}/7--reserved"
    os.makedirs(path)
    shop.age(path, 4000)


def _half_born(shop: World) -> None:
    path = f"{shop.home.store('shop')}/7--reserved"
    os.makedirs(path)
    with open(f"{path}/.delivery.birth", "w") as file:
        file.write('{"title": "Reserved"}')
    with open(f"{path}/7--reserved.md", "w") as file:
        file.write("x")
    shop.age(path, 4000)


def _bridge(shop: World) -> None:
    found = started(shop)
    shop.lock("release", found["id"], session="O")
    set_section(shop.home, find(shop.home, found["id"]), "Completed")
    shop.plastic("worktree", "prune")
    shop.plastic("worktree", "prune")
    folder = os.environ["PLASTIC_TMP"]
    os.makedirs(folder, mode=0o700, exist_ok=True)
    with open(f"{folder}/ssession--{found['id']}.json", "w") as file:
        intent = {"dir": found["dir"]}
        json.dump({"session": "gone", "home": shop.home.root, "intent": intent}, file)


def _maintenance(shop: World) -> None:
    found = shop.new("Add tax")
    with open(f"{found['dir']}/draft.txt", "w") as file:
        file.write("x")
    words = ("--move", "draft.txt", "--why", "w", "--rule", "stray-file")
    env = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": "maintain.written"}
    assert shop.plastic("maintain", found["id"], *words, env=env).rc == -9


TROUBLES: list[tuple[Callable[[World], None], str, str, bool]] = [
    (_stale, "locks", "last heard", False),
    (_corrupt, "locks", "held by unknown", False),
    (_stalled, "completions", "stalled completion", False),
    (_end_file, "completions", "End has not finished", False),
    (_no_held, "held", "1 locks are not linked", True),
    (_dangling, "held", "1 links lead to no lock", True),
    (_config, "config", "nonsense", False),
    (_unlisted, "index", "names 9, which is not there", False),
    (_unlisted, "index", "does not name 1--add-tax", False),
    (_worktree_done, "worktrees", "nothing in it is needed", True),
    (_worktree_waiting, "worktrees", "not tracked: new.py", False),
    (_ignore, "home", "delivery.lock", True),
    (_gone, "repositories", "was it moved?", False),
    (_temp, "leftovers", "killed write", True),
    (_blank, "births", "reserved and is empty", True),
    (_half_born, "births", "half born", False),
    (_bridge, "bridges", "1 bridges of intents that are over", True),
    (_maintenance, "maintenance", "cut short", True),
]


@pytest.mark.parametrize(
    ("make", "check", "says", "heals"), TROUBLES, ids=lambda one: getattr(one, "__name__", None)
)
def test_it_is_found_and_healed_only_when_that_is_safe(
    shop: World, make: Callable[[World], None], check: str, says: str, heals: bool
) -> None:
    make(shop)
    found = doctor(shop)[check]
    matching = [one for one in found["findings"] if says in one["what"]]
    assert matching, found
    assert matching[0]["run"]
    after = doctor(shop, "--fix")[check]
    left = [one for one in after["findings"] if says in one["what"]]
    assert (left == []) is heals
    assert bool(after["healed"]) is heals
    again = doctor(shop, "--fix")[check]
    assert again["healed"] == [] or check == "worktrees"


def test_a_stalled_completion_of_a_living_owner_is_a_note(shop: World) -> None:
    """case 9.10/216: an End at work looks the same"""
    found = started(shop)
    set_section(shop.home, find(shop.home, found["id"]), "Completed")
    report = doctor(shop)
    assert report["completions"]["state"] == "note"
    assert report["locks"]["state"] == "ok"


def test_the_finishing_command_of_a_stalled_completion(shop: World) -> None:
    """case 9.10/216"""
    _stalled(shop)
    (one,) = doctor(shop)["completions"]["findings"]
    assert one["run"] == "plastic-lock reclaim 1 --token 1 && plastic end 1 --delivered"


def test_a_moved_repository_is_repaired(shop: World) -> None:
    found = started(shop)
    new = shop.root / "moved"
    os.rename(shop.repo, new)
    yml = text(shop.home.projects_yml).replace(str(shop.repo), str(new))
    with open(shop.home.projects_yml, "w") as file:
        file.write(yml)
    tree = f"{new}/.claude/worktrees/{found['id']}--add-tax"
    assert shop.run("git", "status", cwd=tree).rc != 0
    done = shop.plastic("doctor", "--json", cwd=new)
    (trouble,) = [one for one in done.json["checks"] if one["check"] == "repositories"]
    assert "it was moved" in trouble["findings"][0]["what"]
    shop.plastic("doctor", "--fix", cwd=new)
    assert shop.git("status", "--porcelain", cwd=tree) == ""


def test_the_place_of_a_moved_repository_is_known_to_who_stands_in_it(
    shop: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere it is explained; there one command sets the path and repairs the worktrees."""
    away = shop.root / "away"
    shop.git("worktree", "add", "-q", "-b", "topic", str(away), "main")
    inside = started(shop)["worktree"]["path"]
    shop.start(shop.new("Fix bug")["id"], "O", "--adopt", str(away))
    new = shop.root / "moved it"
    os.rename(shop.repo, new)
    (found,) = doctor(shop)["repositories"]["findings"]
    assert "then `plastic doctor --fix` repairs its worktrees" in found["what"]
    assert found["run"].startswith("${EDITOR:-vi} +")
    done = shop.plastic("doctor", "--json", cwd=new)
    (report,) = [one for one in done.json["checks"] if one["check"] == "repositories"]
    (found,) = report["findings"]
    assert "git worktree repair" in found["what"]
    sed, _, again = found["run"].partition(" && ")
    assert again == "plastic doctor --fix"
    assert shop.run("/bin/sh", "-c", sed).rc == 0
    shop.plastic("doctor", "--fix", cwd=new)
    assert doctor(shop)["repositories"]["state"] == "ok"
    for path in (away, inside.replace(str(shop.repo), str(new))):
        assert shop.git("status", "--porcelain", cwd=path) == ""


class TestSwap:
    def swap(self, shop: World, content: str, monkeypatch: pytest.MonkeyPatch) -> str:
        monkeypatch.setattr(litter, "LITTER_AGE", -1)
        shop.new("Add tax")
        path = f"{shop.home.base('shop')}/.delivery.INDEX.md.1.2.swap"
        with open(path, "w") as file:
            file.write(content or text(shop.home.index("shop")))
        return path

    def test_a_copy_of_the_file_goes(self, shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
        path = self.swap(shop, "", monkeypatch)
        doctor(shop, "--fix")
        assert not os.path.exists(path)

    def test_the_only_copy_of_a_save_stays(
        self, shop: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = self.swap(shop, "# somebody's save\n", monkeypatch)
        (one,) = doctor(shop, "--fix")["leftovers"]["findings"]
        assert "nowhere else" in one["what"]
        assert one["run"] == f"diff {path} {shop.home.index('shop')}"
        assert text(path) == "# somebody's save\n"


def test_names_of_an_older_plastic_are_swept(shop: World) -> None:
    for name in ("seen", "seen.old"):
        with open(f"{shop.home.run}/{name}", "w") as file:
            file.write("digest 1 2\n")
    assert len(troubles(shop)["leftovers"]) == 2
    assert len(doctor(shop, "--fix")["leftovers"]["healed"]) == 2
    assert troubles(shop) == {}
    os.makedirs(f"{shop.home.run}/seen")
    assert troubles(shop) == {}


class TestGates:
    """Design 1, law 3: seen at SessionStart and in status until doctor has passed."""

    def session_start(self, shop: World) -> str:
        payload = {
            "session_id": "s",
            "cwd": str(shop.repo),
            "hook_event_name": "SessionStart",
            "source": "startup",
        }
        code = "import sys; from plastic.hook import main; sys.exit(main(['claude']))"
        stdin = json.dumps(payload).encode()
        env = {"PLASTIC_HOME": shop.home.root}
        return shop.run(sys.executable, "-c", code, env=env, stdin=stdin).out

    def test_until_it_has_passed(self, shop: World) -> None:
        found = started(shop)
        assert "gates broke" not in self.session_start(shop)
        for _ in range(2):
            note(shop.home, "broken", gate="stage", error="KeyError: 'x'")
        assert "gates broke 2 times" in self.session_start(shop)
        status = shop.lock("status", found["id"], "--json").json
        assert any("run: plastic doctor" in one for one in status["warnings"])
        report = doctor(shop)
        assert report["gates"]["state"] == "note"
        assert line_about(shop.home) is None
        assert "gates broke" not in self.session_start(shop)

    def test_a_visit_that_finds_trouble_is_no_pass(self, shop: World) -> None:
        note(shop.home, "broken", gate="stage", error="x")
        _stale(shop)
        doctor(shop)
        assert line_about(shop.home) is not None


def test_a_check_that_breaks_is_a_finding(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_: object) -> list[Any]:
        raise KeyError("x")

    monkeypatch.setitem(LOOKS, "births", breaks)
    assert "a bug of ours" in troubles(shop)["births"][0]
