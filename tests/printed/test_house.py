"""Each refusal of init, install, new and the views: what is printed resolves it or shows how."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plastic.disk import locks
from tests.printed.street import ROOT, A, Call, Case, Street, play, types


def _init(path: Path | str, *words: str, **more: str) -> Call:
    return types(A, "plastic", "init", str(path), *words, **more)


def _repo(street: Street) -> Path:
    street.calls += 1
    return street.make_repo(street.root / f"repo-{street.calls}")


def _mender(street: Street, line: str) -> None:
    """An editor that runs this line on the file it is given."""
    mend = street.root / "mend"
    mend.write_text(f"#!/bin/sh\n{line}\n")
    mend.chmod(0o755)
    street.own["EDITOR"] = str(mend)


# -- naming ----------------------------------------------------------------------------------------


def no_such_intent(street: Street) -> Call:
    return types(A, "plastic", "show", "999")


def a_path_in_no_intent(street: Street) -> Call:
    return types(A, "plastic", "show", str(street.root))


def two_intents_of_one_prefix(street: Street) -> Call:
    first = street.intent("--id", "700a", "--slug", "same")
    street.intent("--id", "700b", "--slug", "same")
    assert first["id"] == "700a"
    return types(A, "plastic", "show", "700")


def nothing_named_and_nothing_held(street: Street) -> Call:
    return types("session-e", "plastic-lock", "beat")


def a_section_that_there_is_not(street: Street) -> Call:
    return types(A, "plastic", "list", "--section", "Never")


def a_project_that_there_is_not(street: Street) -> Call:
    return types(A, "plastic", "list", "--project", "nowhere")


def a_verb_that_there_is_not(street: Street) -> Call:
    return types(A, "plastic", "board")


# -- new -------------------------------------------------------------------------------------------


def an_empty_title(street: Street) -> Call:
    return types(A, "plastic", "new", "", "--global")


def a_title_with_a_bell(street: Street) -> Call:
    return types(A, "plastic", "new", "a\x07b")


def a_title_without_end(street: Street) -> Call:
    return types(A, "plastic", "new", "word " * 60)


def a_slug_that_is_none(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", "--slug", "A B", "--project", "shop")


def a_title_of_signs(street: Street) -> Call:
    return types(A, "plastic", "new", "!!!", "--future")


def an_id_that_is_none(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", "--id", "x1")


def an_id_that_is_taken(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", "--id", street.intent()["id"])


def both_a_project_and_none(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", "--project", "shop", "--global")


def a_new_one_outside_of_any_repository(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", cwd=str(street.root))


def an_unknown_project_in_a_new_repository(street: Street) -> Call:
    street.calls += 1
    words = ("new", "Tax", "--project", f"fresh-{street.calls}")
    return types(A, "plastic", *words, cwd=str(_repo(street)))


def an_unknown_project_in_a_known_repository(street: Street) -> Call:
    return types(A, "plastic", "new", "Tax", "--project", "nowhere")


# -- init ------------------------------------------------------------------------------------------


def a_slug_of_a_project_that_is_none(street: Street) -> Call:
    return _init(_repo(street), "--project", "A B")


def a_path_that_there_is_not(street: Street) -> Call:
    return _init(street.root / "nowhere")


def a_folder_without_a_repository(street: Street) -> Call:
    (street.root / "plain").mkdir()
    return _init(street.root / "plain")


def a_bare_repository(street: Street) -> Call:
    street.git("clone", "-q", "--bare", str(street.repo), str(street.root / "bare.git"))
    return _init(street.root / "bare.git")


def a_worktree_whose_main_checkout_hides(street: Street) -> Call:
    far = street.root / "far"
    street.git("init", "-q", f"--separate-git-dir={far}.git", str(far), cwd=street.root)
    street.git("commit", "-q", "--allow-empty", "-m", "first", cwd=far)
    street.git("worktree", "add", "-q", str(street.root / "near"), cwd=far)
    return _init(street.root / "near")


def a_detached_repository(street: Street) -> Call:
    repo = _repo(street)
    street.git("checkout", "-q", "--detach", cwd=repo)
    return _init(repo)


def a_base_of_init_that_there_is_not(street: Street) -> Call:
    return _init(_repo(street), "--base", "nowhere")


def another_slug_than_before(street: Street) -> Call:
    return _init(street.repo, "--project", "market")


def a_slug_of_another_repository(street: Street) -> Call:
    return _init(_repo(street), "--project", "shop")


def a_repository_in_the_home(street: Street) -> Call:
    return _init(street.make_repo(Path(street.home.root, "projects", "inner")))


HELP = "Usage: plastic"
INTENTS, TITLES, PROJECT = (
    "work/intent/intents.py",
    "rules/intent/titles.py",
    "work/house/project.py",
)
CHECKOUT, INIT, INSTALL = "work/tree/checkout.py", "work/house/init.py", "work/house/install.py"
TARGET = "work/house/target.py"
DONE = "next: plastic start"
CASES = [
    Case(INTENTS, "no-intent", no_such_intent, "TITLE"),
    Case(INTENTS, "no-intent", a_path_in_no_intent, "TITLE"),
    Case(INTENTS, "ambiguous", two_intents_of_one_prefix, "700a"),
    Case(INTENTS, "no-intent-given", nothing_named_and_nothing_held, "HELD BY"),
    Case("work/intent/listing.py", "section", a_section_that_there_is_not, "SECTION"),
    Case("work/intent/listing.py", "no-project", a_project_that_there_is_not, "PROJECT"),
    Case("cli/door.py", "usage", a_verb_that_there_is_not, HELP),
    Case(TITLES, "title", an_empty_title, "a few words"),
    Case(TITLES, "title", a_title_with_a_bell, "ab"),
    Case(TITLES, "title", a_title_without_end, "word word"),
    Case(TITLES, "slug", a_slug_that_is_none, '"slug": "a-b"'),
    Case(TITLES, "slug", a_title_of_signs, '"section": "Future"'),
    Case(INTENTS, "id", an_id_that_is_none, "--id"),
    Case("work/intent/births.py", "id-taken", an_id_that_is_taken, "title"),
    Case(PROJECT, "project", both_a_project_and_none, '"project": "shop"'),
    Case(PROJECT, "project", a_new_one_outside_of_any_repository, '"project": null'),
    Case(PROJECT, "no-project", an_unknown_project_in_a_new_repository),
    Case(PROJECT, "no-project", an_unknown_project_in_a_known_repository, "--project"),
    Case(INIT, "slug", a_slug_of_a_project_that_is_none, "project  a-b"),
    Case(CHECKOUT, "no-path", a_path_that_there_is_not, "street"),
    Case(CHECKOUT, "no-repository", a_folder_without_a_repository),
    Case(CHECKOUT, "bare", a_bare_repository, "project  bare"),
    Case(CHECKOUT, "no-main-checkout", a_worktree_whose_main_checkout_hides, "near"),
    Case(CHECKOUT, "no-base", a_detached_repository, "base main"),
    Case(CHECKOUT, "no-branch", a_base_of_init_that_there_is_not, "main"),
    Case(INIT, "registered", another_slug_than_before, "project  shop"),
    Case(INIT, "slug-taken", a_slug_of_another_repository, "project  repo-"),
    Case(INIT, "inside-home", a_repository_in_the_home, HELP),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_printed_about_a_name_resolves_it(shared: Street, case: Case) -> None:
    play(shared, case)


# -- a home of one's own ---------------------------------------------------------------------------


def no_home_in_a_repository(street: Street) -> Call:
    street.own["PLASTIC_HOME"] = str(street.root / "other-home")
    return types(A, "plastic", "list")


def no_home_outside_of_any(street: Street) -> Call:
    street.own["PLASTIC_HOME"] = str(street.root / "other-home")
    return types(A, "plastic", "list", cwd=str(street.root))


def a_home_that_is_a_file(street: Street) -> Call:
    Path(street.root, "file").touch()
    street.own["PLASTIC_HOME"] = str(street.root / "file")
    return _init(street.repo)


def a_home_full_of_other_things(street: Street) -> Call:
    (street.root / "desk").mkdir()
    (street.root / "desk" / "letter.txt").touch()
    street.own["PLASTIC_HOME"] = str(street.root / "desk")
    return _init(street.repo)


def a_home_in_the_repository(street: Street) -> Call:
    street.own["PLASTIC_HOME"] = str(street.repo / "home")
    return _init(street.repo)


def a_home_without_its_repository(street: Street) -> Call:
    Path(street.home.root, ".git").rename(street.root / "git-of-the-home")
    return types(A, "plastic", "new", "Tax")


def a_registry_with_an_error(street: Street) -> Call:
    registry = Path(street.home.projects_yml)
    registry.write_text(registry.read_text().rstrip() + "\n    colour: red\n")
    _mender(street, 'sed "${1#+}d" "$2" > "$2.new" && mv "$2.new" "$2"')
    return types(A, "plastic", "new", "Tax")


def a_registry_that_cannot_be_added_to(street: Street) -> Call:
    """Nothing may follow the mark that ends a YAML document; a person takes it out."""
    Path(street.home.projects_yml).write_text("version: 1\n...\n")
    _mender(street, "echo 'version: 1' > \"$2\"")
    return _init(street.repo)


def a_repository_that_moved(street: Street) -> Call:
    moved = street.root / "elsewhere" / "shop"
    moved.parent.mkdir()
    street.repo.rename(moved)
    _mender(street, f'sed "s|{street.repo}|{moved}|" "$2" > "$2.new" && mv "$2.new" "$2"')
    return _init(moved, cwd=str(moved))


def one_repository_under_two_names(street: Street) -> Call:
    registry = Path(street.home.projects_yml)
    text = registry.read_text().rstrip()
    block = text[text.index("  shop:") :].replace("  shop:", "  market:", 1)
    registry.write_text(f"{text}\n{block}\n")
    return types(A, "plastic", "new", "Tax")


def an_index_that_is_a_folder(street: Street) -> Call:
    index = Path(street.home.index("shop"))
    index.rename(f"{index}.aside")
    index.mkdir()
    return types(A, "plastic", "new", "Tax")


def an_old_git(street: Street) -> Call:
    tools = street.root / "tools"
    tools.mkdir()
    (tools / "git").write_text("#!/bin/sh\necho git version 2.30.1\n")
    (tools / "git").chmod(0o755)
    street.own["PATH"] = f"{tools}{os.pathsep}{street.own['PATH']}"
    return types(A, "plastic", "new", "Tax")


# -- install ---------------------------------------------------------------------------------------


def _settings(street: Street, text: str) -> Path:
    path = street.root / "user" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    return path


def an_unknown_harness(street: Street) -> Call:
    return types(A, "plastic", "install", "vim")


def an_unknown_scope(street: Street) -> Call:
    return types(A, "plastic", "install", "claude", "--scope", "world")


def a_project_scope_outside_of_any(street: Street) -> Call:
    return types(A, "plastic", "install", "claude", "--scope", "project", cwd=str(street.root))


def a_plugin_that_somebody_changed(street: Street) -> Call:
    path = street.root / "user" / ".pi" / "agent" / "extensions" / "plastic.ts"
    path.parent.mkdir(parents=True)
    path.write_text("// mine\n")
    return types(A, "plastic", "install", "pi")


def settings_that_are_no_json(street: Street) -> Call:
    _settings(street, "{\n")
    _mender(street, "echo '{}' > \"$2\"")
    return types(A, "plastic", "install", "claude")


def settings_that_are_a_folder(street: Street) -> Call:
    path = _settings(street, "")
    path.unlink()
    path.mkdir()
    return types(A, "plastic", "install", "claude")


def settings_that_are_read_only(street: Street) -> Call:
    _settings(street, "{}\n").chmod(0o444)
    return types(A, "plastic", "install", "claude")


OWN = [
    Case("work/intent/shelf.py", "no-home", no_home_in_a_repository),
    Case("work/intent/shelf.py", "no-home", no_home_outside_of_any, "A path in the repository"),
    Case("work/house/make_home.py", "home", a_home_that_is_a_file, "file"),
    Case("work/house/make_home.py", "home-not-empty", a_home_full_of_other_things, "(created)"),
    Case(INIT, "home-inside", a_home_in_the_repository, "(created)"),
    Case("disk/commit.py", "home-git", a_home_without_its_repository),
    Case("disk/projects.py", "config", a_registry_with_an_error),
    Case(INIT, "config", a_registry_that_cannot_be_added_to),
    Case(INIT, "moved", a_repository_that_moved),
    Case(PROJECT, "project", one_repository_under_two_names, '"project": "shop"'),
    Case("work/intent/index.py", "index", an_index_that_is_a_folder, "INDEX.md"),
    Case("disk/git.py", "git-version", an_old_git, "2.30.1"),
    Case(TARGET, "harness", an_unknown_harness, "settings.json"),
    Case(TARGET, "scope", an_unknown_scope, "settings.json"),
    Case(TARGET, "no-repository", a_project_scope_outside_of_any, "settings.json"),
    Case(INSTALL, "changed", a_plugin_that_somebody_changed, "installed"),
    Case(INSTALL, "settings", settings_that_are_no_json),
    Case(INSTALL, "settings", settings_that_are_a_folder, "drwx"),
    Case(INSTALL, "read-only", settings_that_are_read_only),
]


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_what_is_printed_about_a_house_resolves_it(own: Street, case: Case) -> None:
    play(own, case)


def a_home_that_may_not_be_written(street: Street) -> Call:
    Path(street.home.store("shop")).chmod(0o555)
    return types(A, "plastic", "new", "Tax")


RIGHTS = [Case("cli/door.py", "environment", a_home_that_may_not_be_written, "dr-xr-xr-x")]


@pytest.mark.usefixtures("permissions")
@pytest.mark.parametrize("case", RIGHTS, ids=lambda case: case.name)
def test_what_is_printed_about_rights_shows_them(own: Street, case: Case) -> None:
    try:
        play(own, case)
    finally:
        Path(own.home.store("shop")).chmod(0o755)


# What is printed has to be pasted in another way than `play` does; each has its own test.
SPECIAL = [
    ("cli/door.py", "home"),
    ("cli/door.py", "no-cwd"),
    ("disk/locks.py", "guard-busy"),
    ("disk/locks.py", "guard-unusable"),
    (INSTALL, "gate"),
    (INSTALL, "canary"),
    ("work/house/share.py", "no-hooks"),
]


def test_a_home_is_exported_in_the_shell_that_asked(own: Street) -> None:
    call = types(A, "plastic", "list", env={"PLASTIC_HOME": "not/absolute"})
    said = own.ask(call)
    assert said.code == "home"
    done = own.paste(f"{said.run} && plastic init && plastic list", call)
    assert done.rc == 0, done.err


def test_a_shell_whose_folder_is_gone_is_led_out(own: Street) -> None:
    call = types(A, "plastic", "list")
    gone = "mkdir gone && cd gone && rmdir ../gone"
    said = own.paste(f"{gone} && plastic new Tax", call)
    assert (said.rc, said.err.splitlines()[-1]) == (5, "run: cd"), said.err
    done = own.paste(f"{gone} && cd && plastic new Tax --global", call)
    assert done.rc == 0, done.err


def test_a_busy_guard_is_asked_again(own: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "INTENT_WAIT", 1.0)
    made = own.held(A)
    guard = Path(made["dir"], "delivery.write.lock")
    code = (
        "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.flock(f, fcntl.LOCK_EX); "
        "print('held', flush=True); sys.stdin.read()"
    )
    call = types(A, "plastic-lock", "beat", made["id"])
    with subprocess.Popen(
        [sys.executable, "-c", code, str(guard)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        said = own.ask(call)
        holder.communicate()
    assert said.code == "guard-busy"
    assert own.paste(said.run, call).rc == 0


def test_a_guard_that_is_a_folder_is_shown(own: Street) -> None:
    made = own.intent()
    guard = Path(made["dir"], "delivery.write.lock")
    guard.unlink(missing_ok=True)
    guard.mkdir()
    call = types(A, "plastic", "start", made["id"])
    said = own.ask(call)
    assert said.code == "guard-unusable"
    done = own.paste(said.run, call)
    assert (done.rc, str(guard) in done.out) == (0, True), done.err


def _checkout(street: Street) -> Path:
    """A copy of the product, which every command of the street now runs from."""
    copy = street.root / "checkout"
    for name in ("plastic", "hooks", "skills"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    street.own["PYTHONPATH"] = str(copy)
    return copy


def test_a_hook_that_may_not_run_is_allowed_to(own: Street) -> None:
    gate = _checkout(own) / "hooks" / "gate"
    gate.chmod(0o644)
    call = types(A, "plastic", "install", "claude")
    said = own.ask(call)
    assert (said.code, str(gate) in said.run) == ("gate", True), said
    done = own.paste(said.run, call)
    assert done.rc == 0, done.err


def test_a_hook_that_breaks_is_run_in_the_open(own: Street) -> None:
    gate = _checkout(own) / "hooks" / "gate"
    gate.write_text("#!/bin/sh\necho broken here\n")
    call = types(A, "plastic", "install", "claude")
    said = own.ask(call)
    assert said.code == "canary"
    done = own.paste(said.run, call)
    assert (done.rc, "broken here" in done.out) == (0, True)


def test_hooks_that_are_missing_are_installed_again(own: Street) -> None:
    """Only the command is looked at: a test does not install anything."""
    shutil.rmtree(_checkout(own) / "hooks")
    said = own.ask(types(A, "plastic", "install", "claude"))
    assert said.code == "no-hooks"
    assert said.run.startswith(sys.executable)


def test_the_text_and_the_object_print_the_same_command(shared: Street) -> None:
    call = types("session-e", "plastic", "show", "999")
    done = shared.paste("plastic show 999", call)
    as_json = shared.paste("plastic show 999 --json", call)
    run = json.loads(as_json.out)["error"]["run"]
    assert done.err.splitlines()[-1] == f"run: {run}"
