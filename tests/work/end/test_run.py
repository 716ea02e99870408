"""Cases 9.10: the End tail, from the outcome to the cleared lock."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from plastic.disk.home import Home
from plastic.disk.session import Caller
from plastic.rules.end.facts import DELIVERED, Flags
from plastic.words import Held
from plastic.work.end import apply as module
from plastic.work.end.run import Wish, end
from plastic.work.intent.intents import find
from tests.work.ends import A, B, Ready, everything, lock_of
from tests.world import World


def configure(world: World, text: str) -> None:
    """More lines for the project in projects.yml."""
    path = Path(world.home.projects_yml)
    found = path.read_text()
    path.write_text(
        found.rstrip("\n") + "\n" + "".join(f"    {line}\n" for line in text.split("\n"))
    )


@pytest.fixture
def one(shop: World) -> Ready:
    made = Ready(shop).documents()
    made.commit()
    return made


# -- the way through -------------------------------------------------------------------------------


def test_the_happy_path(one: Ready) -> None:
    """Cases 193, 214."""
    world = one.world
    tip = world.git("rev-parse", one.branch)
    before = one.main()
    commits = int(world.git("rev-list", "--count", "HEAD", cwd=world.home.root))
    done = one.end("--note", "with the new rate")
    assert done.rc == 0, done.err
    one.ended()
    found = done.json
    assert found["section"] == "Completed"
    assert found["lock"] is None
    assert world.git("rev-list", "--parents", "-1", "main").split()[1:] == [before, tip]
    assert found["merge_commit"] == one.main()
    assert (world.repo / "tax.py").read_text() == "TAX = 1\n"
    assert int(world.git("rev-list", "--count", "HEAD", cwd=world.home.root)) == commits + 1
    text = Path(world.home.index("shop")).read_text()
    assert "\u2014 with the new rate" in text.split("## Completed")[1]
    assert world.git("rev-parse", found["salvage"]) == tip
    assert "branch.plastic" not in world.git("config", "--list")


def test_running_it_again_is_quiet(one: Ready) -> None:
    """Case 217: what has ended is never moved again."""
    assert one.end().rc == 0
    home = Path(one.world.home.root)
    before = everything(home / "projects", one.world.repo)
    again = one.end("--note", "another")
    assert again.rc == 0
    assert again.json["finished"] is False
    assert one.end(session=B).rc == 0
    assert everything(home / "projects", one.world.repo) == before
    other = one.end("--abandoned")
    assert other.rc == 1
    assert other.json["error"]["code"] == "ended"


def test_abandoned(shop: World) -> None:
    """Cases 9.10/211 and 9.6/116."""
    one = Ready(shop).documents("abandoned", open_boxes=2)
    tip = one.commit()
    before = one.main()
    done = one.end("--abandoned", "--note", "Too dear.")
    assert done.rc == 0, done.err
    one.ended("abandoned")
    assert one.main() == before
    assert shop.git("rev-parse", one.branch) == tip
    assert done.json["branch"] == "kept"
    text = (one.dir / "outcome.md").read_text()
    assert "## Follow-ups\n\n- [ ] open 0\n- [ ] open 1\n" in text
    assert f"`{one.branch}` is kept" in one.stamps()[0]
    shown = shop.plastic("show", one.id)
    assert shown.rc == 0


def test_lock_only(world: World) -> None:
    """An intent without a repository ends without git."""
    world.make_repo()
    world.init()
    made = world.plastic("new", "Think about tax", "--global", "--json")
    assert made.rc == 0, made.err
    id = made.json["id"]
    found = world.start(id, A)
    place = Path(found["dir"])
    (place / "outcome.md").write_text("---\ndisposition: delivered\n---\n\nThought.\n")
    done = world.plastic("end", id, "--delivered", "--json", session=A)
    assert done.rc == 0, done.err
    assert done.json["section"] == "Completed"
    assert done.json["trash"] is None
    assert not (place / "delivery.lock").exists()
    assert "Done  delivered" in (place / "savepoint.md").read_text()


def test_nothing_to_merge(shop: World) -> None:
    """A branch without a commit of its own is in the base already."""
    one = Ready(shop).documents()
    before = one.main()
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert one.main() == before
    assert done.json["contained"] == "ancestor"


def test_merged_by_hand_before(one: Ready) -> None:
    one.world.git("merge", "-q", "--squash", one.branch)
    one.world.git("commit", "-q", "-m", "By hand")
    before = one.main()
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert one.main() == before
    assert done.json["contained"] == "content"
    assert one.world.git("show", f"{done.json['salvage']}:tax.py") == "TAX = 1"


def test_squash(shop: World) -> None:
    configure(shop, "merge: squash")
    one = Ready(shop).documents()
    one.commit()
    tip = one.commit("more.py", "MORE = 1\n")
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert len(shop.git("rev-list", "--parents", "-1", "main").split()) == 2
    assert f"Plastic-Tip: {tip}" in shop.git("log", "-1", "--format=%B", "main")
    assert shop.git("rev-list", done.json["salvage"]).split()[0] == tip


@pytest.mark.parametrize("where", ["other branch", "detached", "linked"])
def test_the_base_need_not_be_where_the_user_is(one: Ready, where: str) -> None:
    """Case 9.6/113: nothing is merged into what happens to be checked out."""
    world = one.world
    if where == "other branch":
        world.git("switch", "-q", "-c", "topic")
    else:
        world.git("switch", "-q", "--detach")
    if where == "linked":
        world.git("worktree", "add", "-q", str(world.root / "main-tree"), "main")
    (world.repo / "app.py").write_text("mine = 1\n")
    head = world.git("rev-parse", "HEAD")
    done = one.end()
    assert done.rc == 0, done.err
    assert one.section() == "Completed"
    assert world.git("rev-parse", "HEAD") == head
    assert world.git("status", "--porcelain") == "M app.py"
    assert world.git("show", "main:tax.py") == "TAX = 1"
    if where == "linked":
        assert (world.root / "main-tree/tax.py").exists()


# -- who may ---------------------------------------------------------------------------------------


def test_a_stranger_changes_nothing(one: Ready) -> None:
    """Case 194: every byte and every time."""
    home = Path(one.world.home.root)
    before = everything(home / "projects", home / "held", one.world.repo)
    done = one.end(session=B)
    assert done.rc == 3
    assert done.json["error"]["who"] == A
    assert done.json["error"]["run"] == f"plastic start {one.id} --wait"
    assert everything(home / "projects", home / "held", one.world.repo) == before


def test_end_takes_nothing_over(one: Ready) -> None:
    """Cases 194, 196: stale is for reclaim, corrupt for fix, a delegate asks its owner."""
    lock = one.dir / "delivery.lock"
    added = one.world.lock("delegate", one.id, "--delegate", "helper", session=A)
    assert added.rc == 0, added.err
    assert one.end(session="helper").rc == 1
    one.world.age(lock, 7200)
    stale = one.end(session=B)
    assert (stale.rc, stale.json["error"]["run"]) == (
        4,
        f"plastic-lock reclaim {one.id} --token {one.token}",
    )
    assert one.end(session="helper").rc == 4
    lock.write_text("{")
    assert one.end().rc == 4
    lock.unlink()
    free = one.end()
    assert (free.rc, free.json["error"]["code"]) == (1, "no-lock")


def test_the_owner_ends_its_own_lapsed_lease(one: Ready) -> None:
    one.world.age(one.dir / "delivery.lock", 7200)
    assert one.end().rc == 0
    one.ended()


def test_somebody_armed_between_plan_and_unlock(
    one: Ready, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 208: their lock survives byte for byte; exit 3."""
    lock = one.dir / "delivery.lock"
    theirs = json.dumps({**lock_of(one), "owner_session": B, "acq": "other", "token": 9}).encode()

    def meanwhile(*_: object) -> None:
        lock.write_bytes(theirs)

    monkeypatch.setattr(module, "leave_worktree", meanwhile)
    intent = find(Home(one.world.home.root), one.id)
    with pytest.raises(Held):
        end(one.world.home, intent, Caller(A, "flag"), Wish(Flags(DELIVERED)), print)
    assert lock.read_bytes() == theirs


# -- the documents ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (None, "no-outcome"),
        ("<!-- plastic:placeholder -->\n", "no-outcome"),
        ("---\ndisposition: delivered|abandoned\n---\n\nx\n", "disposition"),
        ("---\ndisposition: done\n---\n\nx\n", "disposition"),
        ("---\ndisposition: abandoned\n---\n\nx\n", "disposition"),
        ("no front matter\n", "disposition"),
    ],
)
def test_the_outcome_says_how(one: Ready, outcome: str | None, code: str) -> None:
    """Case 197: nothing written."""
    if outcome is None:
        (one.dir / "outcome.md").unlink()
    else:
        (one.dir / "outcome.md").write_text(outcome)
    before = everything(one.dir, one.world.repo)
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["code"] == code
    assert everything(one.dir, one.world.repo) == before


def test_an_open_box_and_an_invalid_intent_file(one: Ready) -> None:
    """Case 198: named, nothing written."""
    (one.dir / "checklist.md").write_text("- [x] a\n- [ ] b\n")
    assert one.blocked() == ["boxes"]
    assert one.end().rc == 1
    own = one.dir / f"{one.name}.md"
    own.write_text(own.read_text().replace("## Intent", "## Wish"))
    assert one.blocked() == ["structure", "boxes"]


@pytest.mark.parametrize(
    "entry",
    [
        "- [{id} - Add tax]({path})",
        "-   [{id}  \u2014  Add tax]({path})",
        "* [{id} \u2014 Add tax]({path})",
        "- [[{path}|{id} \u2014 Add tax]]",
    ],
)
def test_odd_entries_move(one: Ready, entry: str) -> None:
    """Case 199."""
    path = Path(one.world.home.index("shop"))
    text = path.read_text()
    link = f"store/{one.name}/{one.name}.md"
    old = next(line for line in text.splitlines() if one.name in line)
    path.write_text(text.replace(old, entry.format(id=one.id, path=link)))
    assert one.end().rc == 0
    one.ended()


def test_entries_that_stand_twice_all_move(one: Ready) -> None:
    """Case 201."""
    path = Path(one.world.home.index("shop"))
    text = path.read_text()
    line = next(line for line in text.splitlines() if one.name in line)
    path.write_text(text.replace(line, f"{line}\n{line}"))
    assert one.end().rc == 0
    one.ended()
    active = path.read_text().split("## Active")[1].split("##")[0]
    assert active.strip() == "_(none)_"


def test_newest_first(shop: World) -> None:
    """Case 202."""
    both = [Ready(shop, title).documents() for title in ("First one", "Second one")]
    for one in both:
        one.commit(f"{one.id}.py")
        assert one.end("--note", f"note {one.id}").rc == 0
    text = Path(shop.home.index("shop")).read_text().split("## Completed")[1]
    assert text.index("note 2") < text.index("note 1")


def test_other_peoples_work_in_home_and_repository_stays(one: Ready) -> None:
    """Case 203: staged and dirty files of others are neither committed nor unstaged."""
    home = one.world.home.root
    other = one.world.new("Somebody else's")
    mine = Path(other["dir"]) / "spec.md"
    mine.write_text("half a thought\n")
    staged = Path(home) / "staged.txt"
    staged.write_text("staged\n")
    one.world.git("add", "staged.txt", cwd=home)
    (one.world.repo / "notes.txt").write_text("mine\n")
    (one.world.repo / "app.py").write_text("TAX = 0.3\n")
    one.world.git("add", "app.py")
    assert one.end().rc == 0
    assert one.section() == "Completed"
    left = one.world.git("status", "--porcelain", cwd=home).splitlines()
    assert "A  staged.txt" in left
    assert any(line.endswith("spec.md") for line in left)
    assert one.world.git("status", "--porcelain").splitlines() == ["M  app.py", "?? notes.txt"]
    assert one.world.git("show", "main:app.py") == "TAX = 0.2"


def test_a_home_that_is_reached_by_a_link(one: Ready, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case 204."""
    link = one.world.root / "by-link"
    link.symlink_to(one.world.home.root)
    env = {"PLASTIC_HOME": f"{link}/"}
    done = one.world.plastic("end", one.id, "--delivered", session=A, env=env)
    assert done.rc == 0, done.err
    one.ended()


def test_a_lost_bridge_changes_nothing(one: Ready) -> None:
    """Case 207: the lock file is what is cleared; the worktree is found without the bridge."""
    folder = Path(os.environ["PLASTIC_TMP"])
    for path in folder.iterdir():
        path.unlink()
    assert one.end().rc == 0
    one.ended()


def test_the_bridge_goes_with_the_lock(one: Ready) -> None:
    """Case 212: until then the owner may write, and nobody purges it."""
    folder = Path(os.environ["PLASTIC_TMP"])
    assert list(folder.iterdir())
    assert one.end().rc == 0
    assert not list(folder.iterdir())


# -- verify, on_done -------------------------------------------------------------------------------


def test_verify_sees_the_merged_tree(shop: World) -> None:
    configure(shop, "verify: ['test -f tax.py && test -f theirs.py && pwd > ../seen-by-verify']")
    one = Ready(shop).documents()
    one.commit()
    one.commit("theirs.py", "theirs\n", where=shop.repo)
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()


def test_verify_that_fails_ends_nothing(shop: World) -> None:
    configure(shop, "verify: ['echo 3 failed in test_tax && exit 3']")
    one = Ready(shop).documents()
    one.commit()
    before = everything(one.dir, shop.repo, without=("worktrees",))
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["code"] == "verify"
    assert "3 failed in test_tax" in done.json["error"]["reason"]
    assert everything(one.dir, shop.repo, without=("worktrees",)) == before
    assert one.blocked() == ["verify"]
    one.clean()


def test_verify_inherits_nothing_of_git(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """reliability 3 #15: an End that a hook started must not run tests in the hook's repository."""
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    configure(shop, "verify: ['git status --porcelain && test -z \"$GIT_DIR\"']")
    one = Ready(shop).documents()
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_INDEX_FILE")
    one.commit()
    env = {"GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index"}
    done = one.end(env=env)
    assert done.rc == 0, done.err


def test_the_hook_before_merges_looks_at_the_merge(one: Ready) -> None:
    """prototypes 2.4: what is staged against HEAD is the merge, as the hook expects."""
    hook = one.world.repo / ".git/hooks/pre-merge-commit"
    hook.write_text("#!/bin/sh\ngit diff --cached --name-only | grep -q tax.py && exit 4\n")
    hook.chmod(0o755)
    done = one.end()
    assert done.rc == 1
    assert "pre-merge-commit" in done.json["error"]["reason"]
    hook.write_text("#!/bin/sh\nexit 0\n")
    assert one.end().rc == 0
    one.ended()


def test_the_base_that_moves_while_it_is_verified(shop: World) -> None:
    """Planned again with the new base: what was verified is what is merged."""
    script = shop.root / "verify.sh"
    flag = shop.root / "moved"
    script.write_text(
        f"test -e {flag} || {{ touch {flag}; cd {shop.repo}; echo x > x.py; git add x.py; "
        "git commit -q -m theirs; }\n"
    )
    configure(shop, f"verify: ['sh {script}']")
    one = Ready(shop).documents()
    one.commit()
    done = one.end()
    assert done.rc == 0, done.err
    one.ended()
    assert shop.git("show", "main:x.py") == "x"
    assert len(one.merges()) == 1


def test_a_base_that_never_rests_is_left_alone(shop: World) -> None:
    script = shop.root / "verify.sh"
    script.write_text(f"cd {shop.repo}; echo x >> x.py; git add x.py; git commit -q -m theirs\n")
    configure(shop, f"verify: ['sh {script}']")
    one = Ready(shop).documents()
    one.commit()
    done = one.end()
    assert done.rc == 1
    assert done.json["error"]["code"] == "base-moved"
    assert done.json["error"]["run"] == f"plastic sync {one.id}"
    assert one.section() == "Active"
    assert one.merges() == []


def test_on_done_comes_last_and_cannot_undo(shop: World) -> None:
    """Case 213."""
    look = "test ! -e projects/shop/store/1--add-tax/delivery.lock"
    configure(shop, f"on_done: ['cd {shop.home.root} && {look}', 'exit 7', 'pwd > on-done.txt']")
    one = Ready(shop).documents()
    one.commit()
    done = one.end()
    assert done.rc == 0, done.err
    assert [row["exit"] for row in done.json["on_done"]] == [0, 7, 0]
    assert (shop.repo / "on-done.txt").read_text().strip() == os.path.realpath(shop.repo)
    assert '"on-done"' in Path(shop.home.log).read_text()
    assert not (one.dir / ".end.json").exists()


@pytest.mark.parametrize("how", ["moved away", "taken out of projects.yml"])
def test_a_repository_that_cannot_be_found(one: Ready, how: str) -> None:
    """Nothing is recorded as delivered that was never merged; a start does not forget it either."""
    away = one.world.root / "away"
    config = Path(one.world.home.projects_yml)
    known = config.read_text()
    if how == "moved away":
        one.world.repo.rename(away)
    else:
        config.write_text("version: 1\nprojects: {}\n")
    before = everything(one.dir.parent.parent)
    for done in (one.end(), one.world.plastic("start", one.id, "--json", session=A)):
        assert done.rc == 5
        assert done.json["error"]["code"] == "repository-missing"
        assert str(one.tree) in done.json["error"]["reason"]
        assert one.world.run("sh", "-c", done.json["error"]["run"]).rc == 0
    after = everything(one.dir.parent.parent)
    assert {path for path in before if before[path][2] != after[path][2]} == set()
    if how == "moved away":
        away.rename(one.world.repo)
    config.write_text(known)
    assert one.end().rc == 0
    one.ended()


def test_verify_that_breaks_its_own_worktree(shop: World) -> None:
    configure(shop, "verify: ['rm -rf ./* .git']")
    one = Ready(shop).documents()
    one.commit()
    assert one.end().rc == 0
    one.ended()
