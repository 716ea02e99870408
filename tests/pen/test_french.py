"""`lang: fr` reaches every output: what reads the same in both languages is notation."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.pen import other, test_printed
from tests.pen.conftest import Tree
from tests.pen.test_door import LINES

# Keys of the block and of a turn, numbers, names, commands, moments.
NOTATION = re.compile(
    r"(holder|state|agents|turn|since|expires|note) .*|[a-z_]+=.*|#.*|ana|bo|cy"
    r"|(run|since|who): .*|"
)
MORE = {
    "claim --force --refresh": ["claim", "ana", "--force", "--refresh"],
    "claim --files": ["claim", "ana", "--files", "x"],
    "roster grow": ["roster", "grow"],
    "task what": ["task", "what"],
    "remember three": ["remember", "a", "b", "c"],
}


def said(tree: Tree, lang: str, line: list[str]) -> list[str]:
    other.put(tree.file, lang=lang)
    before = tree.files()
    done = tree.do(*line)
    for path in set(tree.files()) - set(before):
        tree.world.run("rm", path)
    for path, data in before.items():
        with open(path, "wb") as file:
            file.write(data)
    return (done.out + done.err).splitlines()


@pytest.fixture
def busy(tree: Tree) -> Tree:
    """A pen with turns, a request, a task, and somebody at work."""
    tree.relay("ana", "bo", "ana")
    tree.ok("task", "add", "bo", "x")
    tree.ok("request", "cy", "--to", "ana", "--reason", "x")
    return tree


@pytest.mark.parametrize("state", ["AWAITING_ANA", "PAUSED"])
def test_every_verb(busy: Tree, state: str) -> None:
    other.put(busy.file, state=state, holder="ana" if "ANA" in state else "none")
    lines = {verb: [verb, *words] for verb, words in LINES.items()}
    for name, line in {**lines, **MORE}.items():
        english, french = (said(busy, lang, line) for lang in ("en", "fr"))
        assert len(english) == len(french), name
        for one in set(english) & set(french):
            assert NOTATION.fullmatch(one), (name, one)


@pytest.mark.parametrize("code", ["corrupt", "not-utf8", "who", "bad-name", "two-pens"])
def test_what_is_refused_before_the_block_is_judged(
    tree: Tree, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrange: Callable[[Tree], None]
    arrange, line, _ = test_printed.CASES[code]
    other.put(tree.file, lang="fr")
    arrange(tree)
    if code == "two-pens":
        monkeypatch.setenv(test_printed.RIVAL, str(tree.folder.parent / "rival"))
    error = tree.no(*line.split())
    assert error["code"] == code
    assert re.search(r"corrompu|pas dit|ne peut|désigne", error["reason"])


def test_what_is_made_in_french(bare: Tree) -> None:
    bare.ok("init", "--agents", "ana,bo", "--lang", "fr")
    assert "Un seul agent" in bare.file.read_text()
    assert "le relais commence" in bare.file.read_text()
    bare.file.write_text(bare.file.read_text().replace("expires:  -", "expires:  x"))
    assert bare.ok("repair")["repaired"] == ["expires=-"]
