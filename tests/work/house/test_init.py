"""`plastic init`: from every place, as often as one likes, killed anywhere, by many at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plastic.disk import held
from plastic.disk.commit import NEVER
from plastic.disk.projects import projects
from plastic.work.house.make_home import IGNORED, rescan

if TYPE_CHECKING:
    from tests.world import Done, World


def made(done: Done) -> dict[str, Any]:
    assert done.rc == 0, done.err
    found: dict[str, Any] = done.json
    return found


def error(done: Done) -> tuple[int, str]:
    return done.rc, done.json["error"]["code"]


def init(world: World, *argv: str, **options: Any) -> Done:
    return world.plastic("init", *argv, "--json", **options)


def text_of(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_a_home_has_everything_and_is_committed(world: World) -> None:
    world.make_repo()
    answer = made(init(world, str(world.repo)))
    assert answer == {
        "home": world.home.root,
        "home_created": True,
        "project": "shop",
        "path": str(world.repo),
        "registered": True,
        "base_branch": "main",
    }
    home = world.home
    assert text_of(f"{home.root}/.gitignore").split() == list(IGNORED)
    assert os.path.isdir(home.store(None))
    assert os.path.isdir(home.store("shop"))
    assert "## Active" in text_of(home.index("shop"))
    assert held.is_complete(home)
    assert world.git("status", "--porcelain", cwd=home.root) == ""
    assert world.git("log", "--format=%s", cwd=home.root) == "Register shop"
    tracked = world.git("ls-files", cwd=home.root).split()
    assert tracked == [
        ".gitignore",
        "INDEX.md",
        "config.yml",
        "projects.yml",
        "projects/shop/INDEX.md",
    ]
    shop = projects(home)["shop"]
    assert shop.backlog == {
        "mirror": "files",
        "region": "local",
        "base_branch": "main",
        "repo": None,
        "account": None,
    }
    assert os.path.exists(f"{home.run}/config.json"), "hooks need not compile"


def test_the_ignored_names_are_those_that_no_commit_carries() -> None:
    assert set(NEVER) <= set(IGNORED)


def test_again_changes_nothing(world: World) -> None:
    world.make_repo()
    init(world, str(world.repo))
    before = world.git("rev-parse", "HEAD", cwd=world.home.root)
    text = text_of(world.home.projects_yml)
    again = made(init(world, str(world.repo)))
    assert (again["registered"], again["home_created"], again["project"]) == (False, False, "shop")
    assert text_of(world.home.projects_yml) == text
    assert world.git("rev-parse", "HEAD", cwd=world.home.root) == before


@pytest.mark.parametrize(
    "where", ["repo", "folder", "file", "linked", "in linked", "git dir", "link"]
)
def test_every_place_of_a_repository_leads_to_its_main_checkout(world: World, where: str) -> None:
    repo = world.make_repo()
    (repo / "a" / "b").mkdir(parents=True)
    world.git("worktree", "add", "-q", str(world.root / "linked"))
    (world.root / "linked" / "c").mkdir()
    (world.root / "link").symlink_to(repo)
    path = {
        "repo": repo,
        "folder": repo / "a" / "b",
        "file": repo / "app.py",
        "linked": world.root / "linked",
        "in linked": world.root / "linked" / "c",
        "git dir": repo / ".git",
        "link": world.root / "link",
    }[where]
    assert made(init(world, str(path)))["path"] == str(repo)


def test_the_folder_one_stands_in_is_the_default(world: World) -> None:
    world.make_repo()
    assert made(init(world, cwd=world.repo))["path"] == str(world.repo)


def test_a_submodule_is_a_repository_of_its_own(world: World) -> None:
    repo = world.make_repo()
    other = world.make_repo(world.root / "other")
    world.git("submodule", "--quiet", "add", str(other), "sub")
    world.git("worktree", "add", "-q", str(world.root / "sub-linked"), cwd=repo / "sub")
    assert made(init(world, str(repo / "sub")))["path"] == f"{repo}/sub"
    assert made(init(world, str(world.root / "sub-linked")))["path"] == f"{repo}/sub"


def test_a_linked_worktree_of_a_registered_repository_is_the_same_project(world: World) -> None:
    world.make_repo()
    init(world, str(world.repo))
    world.git("worktree", "add", "-q", str(world.root / "linked"))
    again = made(init(world, str(world.root / "linked")))
    assert (again["project"], again["registered"]) == ("shop", False)


def test_names_that_are_taken_get_a_number(world: World) -> None:
    names = []
    for folder in ("one", "two", "three"):
        repo = world.make_repo(world.root / folder / "My Shop!")
        names.append(made(init(world, str(repo)))["project"])
    assert names == ["my-shop", "my-shop-2", "my-shop-3"]
    nameless = world.make_repo(world.root / "日本")
    assert made(init(world, str(nameless)))["project"] == "project"


def test_a_name_may_be_chosen(world: World) -> None:
    world.make_repo()
    assert made(init(world, str(world.repo), "--project", "kasse"))["project"] == "kasse"
    other = world.make_repo(world.root / "other")
    taken = init(world, str(other), "--project", "kasse")
    assert error(taken) == (1, "slug-taken")
    assert made(world.plastic(*taken.json["error"]["run"].split()[1:], "--json"))["project"] == (
        "other"
    )
    renamed = init(world, str(world.repo), "--project", "laden")
    assert error(renamed) == (1, "registered")
    bad = init(world, str(other), "--project", "Über Shop")
    assert error(bad) == (2, "slug")
    assert "--project uber-shop" in bad.json["error"]["run"]


def test_a_store_with_intents_of_another_repository_is_not_inherited(world: World) -> None:
    world.make_repo()
    init(world, str(world.repo))
    os.makedirs(f"{world.home.store('shop')}/7--old-work")
    with open(world.home.projects_yml, "w", encoding="utf-8") as file:
        file.write("version: 1\nprojects:\n")
    assert made(init(world, str(world.repo)))["project"] == "shop-2"
    other = world.make_repo(world.root / "other")
    assert made(init(world, str(other), "--project", "shop"))["project"] == "shop"


def test_a_repository_that_moved_is_not_registered_twice(world: World) -> None:
    world.make_repo()
    init(world, str(world.repo))
    (world.root / "new").mkdir()
    world.repo.rename(world.root / "new" / "shop")
    moved = init(world, str(world.root / "new" / "shop"))
    assert error(moved) == (1, "moved")
    assert "which is gone" in moved.json["error"]["reason"]
    assert f"+5 {world.home.projects_yml}" in moved.json["error"]["run"]
    assert made(init(world, str(world.root / "new" / "shop"), "--project", "b"))["project"] == "b"


def test_what_is_no_repository_is_refused_with_the_way_on(world: World) -> None:
    folder = world.root / "plain folder"
    folder.mkdir()
    done = init(world, str(folder))
    assert error(done) == (1, "no-repository")
    assert not os.path.exists(world.home.root), "a refusal leaves nothing behind"
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    wrapper = world.root / "bin" / "plastic"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n')
    wrapper.chmod(0o755)
    path = f"{wrapper.parent}:{os.environ['PATH']}"
    fixed = world.run("sh", "-c", done.json["error"]["run"], env={"PATH": path})
    assert fixed.rc == 0, fixed.err
    assert projects(world.home)["plain-folder"].path == str(folder)
    assert error(init(world, str(world.root / "gone"))) == (6, "no-path")


def test_a_bare_repository_is_refused(world: World) -> None:
    world.make_repo()
    world.git("clone", "-q", "--bare", str(world.repo), str(world.root / "b.git"))
    world.git("worktree", "add", "-q", str(world.root / "of-bare"), cwd=world.root / "b.git")
    for path in ("b.git", "of-bare"):
        done = init(world, str(world.root / path))
        assert error(done) == (1, "bare")
    assert done.json["error"]["run"].startswith(f"git clone {world.root}/b.git {world.root}/b &&")


def test_the_base_is_asked_for_or_the_remotes_or_the_checkouts(world: World) -> None:
    origin = world.make_repo(world.root / "origin")
    world.git("branch", "-m", "trunk", cwd=origin)
    world.git("branch", "stable", cwd=origin)
    world.git("clone", "-q", str(origin), str(world.repo), cwd=world.root)
    world.git("switch", "-q", "-c", "mine")
    assert made(init(world, str(world.repo)))["base_branch"] == "trunk"
    assert "base: " not in text_of(world.home.projects_yml)
    other = world.root / "other"
    world.git("clone", "-q", str(origin), str(other), cwd=world.root)
    assert made(init(world, str(other), "--base", "stable"))["base_branch"] == "stable"
    assert projects(world.home)["other"].base == "stable"
    wrong = init(world, str(other), "--base", "nope")
    assert error(wrong) == (1, "no-branch")
    assert world.run("sh", "-c", wrong.json["error"]["run"]).rc == 0


def test_a_detached_checkout_needs_a_base(world: World) -> None:
    world.make_repo()
    world.git("switch", "-q", "--detach")
    done = init(world, str(world.repo))
    assert error(done) == (1, "no-base")
    run = done.json["error"]["run"]
    assert run == f"plastic init {world.repo} --base main"
    assert made(world.plastic(*run.split()[1:], "--json"))["base_branch"] == "main"


def test_a_repository_without_a_commit_is_registered(world: World) -> None:
    world.repo.mkdir()
    world.git("init", "-q", "-b", "trunk")
    assert made(init(world, str(world.repo)))["base_branch"] == "trunk"


def test_neither_may_lie_in_the_other(world: World) -> None:
    world.make_repo()
    inside = {"PLASTIC_HOME": f"{world.repo}/.plastic"}
    done = init(world, str(world.repo), env=inside)
    assert error(done) == (1, "home-inside")
    assert done.json["error"]["run"].startswith(f"PLASTIC_HOME={os.environ['HOME']}/.plastic ")
    assert not (world.repo / ".plastic").exists()
    in_git = {"PLASTIC_HOME": f"{world.repo}/.git/plastic"}
    assert error(init(world, str(world.repo), env=in_git)) == (1, "home-inside")
    init(world, str(world.repo))
    assert error(init(world, world.home.root)) == (1, "inside-home")


@pytest.mark.parametrize("value", ["plastic", "./x", "../x"])
def test_a_relative_home_is_refused(world: World, value: str) -> None:
    world.make_repo()
    done = init(world, str(world.repo), env={"PLASTIC_HOME": value})
    assert error(done) == (2, "home")
    assert world.run("sh", "-c", done.json["error"]["run"]).rc == 0


def test_a_folder_full_of_other_things_is_no_home(world: World) -> None:
    world.make_repo()
    os.makedirs(world.home.root)
    with open(f"{world.home.root}/thesis.tex", "w", encoding="utf-8") as file:
        file.write("x")
    done = init(world, str(world.repo))
    assert error(done) == (1, "home-not-empty")
    assert "thesis.tex" in done.json["error"]["reason"]
    assert os.listdir(world.home.root) == ["thesis.tex"]
    at_a_file = init(world, str(world.repo), env={"PLASTIC_HOME": f"{world.home.root}/thesis.tex"})
    assert error(at_a_file) == (1, "home")


def test_an_empty_folder_and_a_link_are_homes(world: World) -> None:
    world.make_repo()
    (world.root / "elsewhere").mkdir()
    (world.root / "home").symlink_to("elsewhere")
    assert made(init(world, str(world.repo)))["home"] == str(world.root / "elsewhere")
    (world.root / "dangling").symlink_to("not-yet")
    answer = made(init(world, str(world.repo), env={"PLASTIC_HOME": str(world.root / "dangling")}))
    assert answer["home"] == str(world.root / "not-yet")


def test_a_read_only_place_is_said_and_nothing_is_half_made(
    world: World, permissions: None
) -> None:
    world.make_repo()
    (world.root / "ro").mkdir(mode=0o555)
    done = init(world, str(world.repo), env={"PLASTIC_HOME": str(world.root / "ro" / "home")})
    assert done.rc == 5
    assert "Permission denied" in done.json["error"]["reason"]
    assert os.listdir(world.root / "ro") == []


def test_a_person_without_an_identity_gets_a_home(world: World) -> None:
    world.make_repo()
    empty = world.root / "empty"
    empty.write_text("")
    env = {"GIT_CONFIG_GLOBAL": str(empty), "EMAIL": ""}
    made(init(world, str(world.repo), env=env))
    assert world.git("log", "--format=%s", cwd=world.home.root) == "Register shop"


def test_the_persons_hooks_and_keys_are_not_asked(world: World) -> None:
    world.make_repo()
    hooks = world.root / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    world.git("config", "--global", "core.hooksPath", str(hooks))
    world.git("config", "--global", "commit.gpgSign", "true")
    world.git("config", "--global", "user.signingKey", "nobody")
    made(init(world, str(world.repo)))
    assert world.git("status", "--porcelain", cwd=world.home.root) == ""


POINTS = ["init.repository", "init.home", "init.store", "init.registered", "init.committed"]


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("how", ["kill", "errno=ENOSPC"])
def test_killed_anywhere_it_is_finished_by_running_it_again(
    world: World, name: str, how: str
) -> None:
    world.make_repo()
    fault = {"PLASTIC_TEST": "1", "PLASTIC_FAILPOINT": f"{name}:{how}"}
    broken = init(world, str(world.repo), env=fault)
    assert broken.rc == (-9 if how == "kill" else 5)
    made(init(world, str(world.repo)))
    assert list(projects(world.home)) == ["shop"]
    assert held.is_complete(world.home)
    assert world.git("status", "--porcelain", cwd=world.home.root) == ""
    assert world.git("rev-list", "--count", "HEAD", cwd=world.home.root) == "1"
    left = [name for name in os.listdir(world.home.root) if name.startswith(".delivery.")]
    assert left == []


def test_many_at_once_register_each_repository_once(world: World) -> None:
    repos = [world.make_repo(world.root / f"r{n}" / "shop") for n in range(4)]
    code = "import sys; from plastic.cli.main import plastic; sys.exit(plastic())"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, "init", str(repo), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for repo in repos
        for _ in range(2)
    ]
    answers = [json.loads(child.communicate(timeout=120)[0]) for child in children]
    assert [child.returncode for child in children] == [0] * 8
    assert sum(answer["registered"] for answer in answers) == 4
    found = projects(world.home)
    assert sorted(found) == ["shop", "shop-2", "shop-3", "shop-4"]
    assert sorted(project.path for project in found.values()) == sorted(map(str, repos))
    assert world.git("status", "--porcelain", cwd=world.home.root) == ""


def test_what_people_wrote_into_projects_yml_and_gitignore_stays(world: World) -> None:
    world.make_repo()
    os.makedirs(world.home.root)
    theirs = "# ours\nversion: 1\nprojects:\n    docs:   {path: /srv/docs}   # by hand\n\n# end\n"
    with open(world.home.projects_yml, "w", encoding="utf-8") as file:
        file.write(theirs)
    with open(f"{world.home.root}/.gitignore", "w", encoding="utf-8") as file:
        file.write("*.swp\n/held/")
    made(init(world, str(world.repo)))
    text = text_of(world.home.projects_yml)
    assert text.startswith(theirs.partition("\n\n")[0])
    assert text.endswith("\n\n# end\n")
    ignore = text_of(f"{world.home.root}/.gitignore")
    assert ignore.startswith("*.swp\n/held/\n")
    assert ignore.count("/held/") == 1


def test_a_wrong_projects_yml_is_refused_and_left_alone(world: World) -> None:
    world.make_repo()
    os.makedirs(world.home.root)
    with open(world.home.projects_yml, "w", encoding="utf-8") as file:
        file.write("projects: {shop: [\n")
    done = init(world, str(world.repo))
    assert error(done) == (1, "config")
    assert f"{world.home.projects_yml}:2: is not YAML" in done.json["error"]["reason"]
    assert text_of(world.home.projects_yml) == "projects: {shop: [\n"


def test_paths_below_the_persons_folder_are_written_with_a_tilde(world: World) -> None:
    repo = world.make_repo(Path(os.environ["HOME"]) / "my src" / "shop")
    made(init(world, str(repo)))
    assert 'path: "~/my src/shop"' in text_of(world.home.projects_yml)
    assert projects(world.home)["shop"].path == str(repo)


def test_a_scan_links_every_lock_of_every_store(world: World) -> None:
    world.make_repo()
    init(world, str(world.repo))
    home = world.home
    for store in (home.store(None), home.store("shop")):
        for name in ("1--held", "2--free", "no-intent"):
            os.makedirs(f"{store}/{name}")
        with open(f"{store}/1--held/delivery.lock", "w", encoding="utf-8") as file:
            file.write("{}")
    os.rename(f"{home.store('shop')}/1--held", f"{home.store('shop')}/3--held")
    assert rescan(home) == 2
    assert sorted(os.listdir(home.held)) == [".complete", "1--held", "3--held"]
    assert len(held.lock_paths(home)) == 2


def test_people_read_what_was_done_and_what_is_next(world: World) -> None:
    world.make_repo()
    done = world.plastic("init", str(world.repo))
    assert done.out == (
        f"home     {world.home.root} (created)\n"
        f"project  shop: {world.repo} (registered), base main\n"
        'next     plastic new "TITLE" --project shop\n'
    )
    assert "(already registered)" in world.plastic("init", str(world.repo)).out


def test_a_hostile_path_is_registered_as_it_is(world: World, tmp_path: Path) -> None:
    repo = world.make_repo(tmp_path / "a '#: b\n$(touch x)")
    made(init(world, str(repo)))
    assert [project.path for project in projects(world.home).values()] == [str(repo)]
