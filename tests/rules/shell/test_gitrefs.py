"""Which branches of intents a git command writes by their names, wherever it runs."""

from __future__ import annotations

import pytest

from plastic.rules.intent.names import BRANCH_PREFIX
from plastic.rules.shell.gitrefs import OURS
from tests.rules.shell.judge import judge

CASES = [
    ("git update-ref refs/heads/plastic/12--x abc", ["plastic/12--x"]),
    ("git update-ref -d refs/heads/plastic/12--x", ["plastic/12--x"]),
    ("git update-ref refs/heads/mine refs/heads/plastic/12--x", []),
    ("git branch -D plastic/12--x", ["plastic/12--x"]),
    ("git branch -f plastic/12--x main", ["plastic/12--x"]),
    ("git branch -f mine plastic/12--x", []),
    ("git branch mine plastic/12--x", []),
    ("git branch -m plastic/12--x other", ["plastic/12--x"]),
    ("git branch -C other plastic/12--x", ["plastic/12--x"]),
    ("git branch --contains plastic/12--x", []),
    ("git push origin plastic/12--x", ["plastic/12--x"]),
    ("git push origin +HEAD:refs/heads/plastic/12--x", ["plastic/12--x"]),
    ("git push --no-verify origin plastic/12--x:main", ["plastic/12--x"]),
    ("git push origin main", []),
    ("git fetch . main:plastic/12--x", ["plastic/12--x"]),
    ("git fetch origin plastic/12--x", []),
    ("git -C /repo -c core.hooksPath=/dev/null update-ref refs/heads/plastic/12--x a",
     ["plastic/12--x"]),
    ("GIT_CONFIG_COUNT=1 git branch -D plastic/12--x", ["plastic/12--x"]),
    ("git merge plastic/12--x", []),
    ("git log plastic/12--x", []),
    ("git diff main...plastic/12--x", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), CASES)
def test_branches(text: str, names: list[str]) -> None:
    found = {one.path for one in judge(text, "/repo").writes if one.reach == "branch"}
    assert found == {f"/repo/{name}" for name in names}


def test_the_prefix_is_that_of_our_branches() -> None:
    assert OURS == BRANCH_PREFIX
