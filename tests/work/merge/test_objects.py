"""Merges as objects: conflicts by path, neutral attributes, a commit as a person makes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import pytest

from plastic.words import Broken, Refused
from plastic.work.merge import objects as merge
from plastic.work.merge.objects import Conflict, Merged, merge_tree
from tests.work.mill import Mill, hook

if TYPE_CHECKING:
    from tests.world import World

WHEN = "@1700000000 +0000"


@pytest.fixture
def mill(world: World) -> Mill:
    return Mill(world)


class Case(NamedTuple):
    """Files of the root commit, of one side and of the other; what git makes of it."""

    root: dict[str, str | None]
    base: dict[str, str | None]
    tip: dict[str, str | None]
    result: dict[str, str] | list[str]


LINES = "".join(f"line {number}\n" for number in range(20))
CASES = {
    "clean": Case({"a": "1\n"}, {"b": "2\n"}, {"c": "3\n"}, {"a": "1\n", "b": "2\n", "c": "3\n"}),
    "same line": Case({"a": "1\n"}, {"a": "2\n"}, {"a": "3\n"}, ["a"]),
    "edit and delete": Case({"a": LINES}, {"a": None}, {"a": LINES + "x\n"}, ["a"]),
    "rename and edit": Case(
        {"a": LINES}, {"a": None, "b": LINES}, {"a": LINES + "x\n"}, {"b": LINES + "x\n"}
    ),
    "both add": Case({"a": "1\n"}, {"n": "1\n"}, {"n": "2\n"}, ["n"]),
    "union attribute of the base": Case(
        {"log": "0\n", ".gitattributes": "log merge=union\n"},
        {"log": "0\n1\n"},
        {"log": "0\n2\n"},
        {"log": "0\n1\n2\n", ".gitattributes": "log merge=union\n"},
    ),
    "attribute of the tip alone": Case(
        {"log": "0\n"},
        {"log": "0\n1\n"},
        {"log": "0\n2\n", ".gitattributes": "log merge=union\n"},
        ["log"],
    ),
    "attribute in a folder": Case(
        {"d/log": "0\n", "d/.gitattributes": "log merge=union\n"},
        {"d/log": "0\n1\n"},
        {"d/log": "0\n2\n"},
        {"d/log": "0\n1\n2\n", "d/.gitattributes": "log merge=union\n"},
    ),
    "binary": Case({"a": "\0x"}, {"a": "\0y"}, {"a": "\0z"}, ["a"]),
    "file and folder": Case({"r": "\n"}, {"d": "file\n"}, {"d/x": "in a folder\n"}, ["d"]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_merge_comes_to(mill: Mill, name: str) -> None:
    case = CASES[name]
    mill.commit(case.root)
    mill.branch("tip", case.tip)
    mill.commit(case.base)
    before = mill.everything()
    found = merge_tree(mill.common, mill.oid("main"), mill.oid("tip"))
    assert mill.everything() == before, "a merge touches nothing"
    if isinstance(case.result, list):
        assert isinstance(found, Conflict)
        assert [path.partition("~")[0] for path in found.paths] == case.result
    else:
        assert isinstance(found, Merged)
        wanted = {**case.result, "app.py": "TAX = 0.2\n", ".gitignore": ".env\n"}
        assert mill.tree(found.tree) == wanted


def test_a_dirty_attribute_of_a_person_decides_nothing(mill: Mill) -> None:
    mill.commit({"log": "0\n"})
    mill.branch("tip", {"log": "0\n2\n"})
    mill.commit({"log": "0\n1\n"})
    (mill.repo / ".gitattributes").write_text("log merge=union\n")
    # Non-vacuity: git itself, run in that checkout, calls the same merge clean.
    mill.git("merge-tree", "--write-tree", "main", "tip")
    assert merge_tree(mill.common, "main", "tip") == Conflict(["log"])


def test_a_driver_of_the_user_runs(mill: Mill) -> None:
    mill.commit({"log": "0\n", ".gitattributes": "log merge=mine\n"})
    mill.branch("tip", {"log": "2\n"})
    mill.commit({"log": "1\n"})
    mill.git("config", "merge.mine.driver", "cat %A %B > %P.new; cat %P.new > %A")
    found = merge_tree(mill.common, "main", "tip")
    assert isinstance(found, Merged)
    assert mill.tree(found.tree)["log"] == "1\n2\n"
    assert mill.git("status", "--porcelain") == ""


def test_modes_links_and_submodule_pointers(mill: Mill) -> None:
    one, two = "1" * 40, "2" * 40
    mill.git("update-index", "--add", "--cacheinfo", f"160000,{one},sub")
    os.symlink("app.py", mill.repo / "link")
    mill.git("add", "link")
    mill.git("commit", "-q", "-m", "more kinds")
    mill.git("switch", "-q", "-c", "tip")
    (mill.repo / "app.py").chmod(0o755)
    (mill.repo / "link").unlink()
    os.symlink("elsewhere", mill.repo / "link")
    mill.git("add", "app.py", "link")
    mill.git("update-index", "--cacheinfo", f"160000,{two},sub")
    mill.git("commit", "-q", "-m", "change each")
    mill.git("switch", "-q", "main")
    mill.commit({"b": "2\n"})
    found = merge_tree(mill.common, "main", "tip")
    assert isinstance(found, Merged)
    modes = {
        line.partition("\t")[2]: line.split(" ")[0]
        for line in mill.git("ls-tree", found.tree).splitlines()
    }
    assert modes["app.py"] == "100755"
    assert modes["link"] == "120000"
    assert mill.git("rev-parse", f"{found.tree}:sub") == two
    # Both moved: no checkout says which one is newer, so somebody has to.
    mill.git("update-index", "--cacheinfo", f"160000,{'3' * 40},sub")
    mill.git("commit", "-q", "-m", "moved here too")
    assert merge_tree(mill.common, "main", "tip") == Conflict(["sub"])


def test_a_name_that_is_no_commit_is_no_conflict(mill: Mill) -> None:
    for base, tip in (("main", "0" * 39 + "1"), ("nowhere", "main")):
        with pytest.raises(Broken) as caught:
            merge_tree(mill.common, base, tip)
        assert caught.value.code == "no-commit"


def test_unrelated_histories(mill: Mill) -> None:
    mill.git("switch", "-q", "--orphan", "other")
    mill.git("commit", "-q", "--allow-empty", "-m", "another root")
    with pytest.raises(Refused) as caught:
        merge_tree(mill.common, "main", "other")
    assert caught.value.code == "unrelated"


# -- the commit ----------------------------------------------------------------------------------


def made(mill: Mill, text: str = "Merge it\n", **more: bool) -> str:
    return merge.commit(
        mill.common, mill.oid("main^{tree}"), [mill.oid("main")], text, WHEN, **more
    )


def test_equal_arguments_make_an_equal_commit(mill: Mill) -> None:
    first = made(mill)
    assert made(mill) == first
    shown = mill.git("show", "-s", "--format=%an %at %cn %ct %B", first)
    assert shown == "Test Person 1700000000 Test Person 1700000000 Merge it"


def test_two_parents_and_one(mill: Mill) -> None:
    mill.branch("tip", {"b": "2\n"})
    base, tip = mill.oid("main"), mill.oid("tip")
    tree = mill.oid("tip^{tree}")
    text = merge.message("merge", "7--add-tax", "Add tax", "refs/heads/main", tip)
    both = merge.commit(mill.common, tree, [base, tip], text, WHEN)
    assert mill.git("show", "-s", "--format=%P", both) == f"{base} {tip}"
    subject = "Merge plastic/7--add-tax into main: Add tax"
    assert mill.git("show", "-s", "--format=%s", both) == subject
    text = merge.message("squash", "7--add-tax", "Add tax", "refs/heads/main", tip)
    one = merge.commit(mill.common, tree, [base], text, WHEN)
    assert mill.git("show", "-s", "--format=%P", one) == base
    trailers = mill.git("show", "-s", "--format=%(trailers)", one)
    assert trailers == f"Plastic-Intent: 7--add-tax\nPlastic-Tip: {tip}"


def test_commit_msg_may_edit(mill: Mill) -> None:
    hook(mill.repo, "commit-msg", 'printf "\\nChange-Id: I1\\n\\n\\n" >> "$1"')
    assert mill.git("show", "-s", "--format=%B", made(mill)) == "Merge it\n\nChange-Id: I1"


def test_commit_msg_may_refuse(mill: Mill) -> None:
    hook(mill.repo, "commit-msg", "echo no ticket number >&2; exit 3")
    with pytest.raises(Refused) as caught:
        made(mill)
    assert caught.value.code == "commit-msg"
    assert "no ticket number" in caught.value.reason


def test_a_relative_hooks_path_counts_from_the_checkout(mill: Mill) -> None:
    mill.git("config", "core.hooksPath", ".husky")
    (mill.repo / ".husky").mkdir()
    hook(mill.repo, "commit-msg", 'echo "from husky" > "$1"', folder=mill.repo / ".husky")
    assert mill.git("show", "-s", "--format=%B", made(mill)) == "from husky"


def test_no_identity_is_made_up(mill: Mill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    mill.git("config", "user.useConfigOnly", "true")
    with pytest.raises(Refused) as caught:
        made(mill)
    assert caught.value.code == "no-identity"
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0


def test_signed_when_the_repository_signs(mill: Mill) -> None:
    key = mill.world.root / "key"
    mill.world.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key))
    if not key.exists():
        pytest.skip("no ssh-keygen here")
    for name, value in (("gpg.format", "ssh"), ("user.signingKey", f"{key}.pub")):
        mill.git("config", name, value)
    assert "gpgsig" not in mill.git("cat-file", "commit", made(mill))
    mill.git("config", "commit.gpgSign", "true")
    assert "gpgsig" in mill.git("cat-file", "commit", made(mill))
    assert "gpgsig" not in mill.git("cat-file", "commit", made(mill, sign=False))
    key.unlink()
    with pytest.raises(Broken) as caught:
        made(mill)
    assert caught.value.code == "signing"
    assert mill.world.run("sh", "-c", caught.value.run).rc == 0


def test_in_a_bare_repository(mill: Mill) -> None:
    bare = mill.world.root / "bare.git"
    mill.git("clone", "-q", "--bare", str(mill.repo), str(bare))
    hook(bare, "commit-msg", 'echo "in the bare one" > "$1"', folder=bare / "hooks")
    tree = mill.oid("main^{tree}")
    found = merge.commit(str(bare), tree, [mill.oid("main")], "x\n", WHEN)
    assert mill.git("show", "-s", "--format=%B", found, cwd=bare) == "in the bare one"
