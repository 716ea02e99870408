"""The real Claude Code and its shell: a redirect is an edit, and what no reader sees is told."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.harnesses.acts import OWNER, RIVAL, install
from tests.harnesses.claude import Claude
from tests.harnesses.scene import Ready

if TYPE_CHECKING:
    from tests.world import World

pytestmark = pytest.mark.harness


@pytest.fixture
def claude(shop: World) -> Claude:
    return Claude.of(shop)


def hidden(path: Path) -> str:
    """A command that writes a file which no word of it names."""
    name = base64.b64encode(str(path).encode()).decode()
    code = f"import base64; open(base64.b64decode('{name}'), 'a').write('planted')"
    return f'python3 -c "{code}"'


def test_a_shell_is_judged_by_what_it_writes_and_watched_for_what_it_hides(claude: Claude) -> None:
    install(claude)
    mine, other = Ready(claude.world, "Rename cart"), Ready(claude.world, "Sell tea")
    claude.world.start(mine.id, RIVAL)
    claude.world.start(other.id, OWNER)
    spec = other.dir / "spec.md"
    before = spec.read_text()
    commands = [
        f"echo x > '{spec}'",
        f"uv run sh -c 'tee -a {spec}' < /dev/null",
        f"echo 'BASKET = 1' > '{mine.code('cart.py')}'",
        hidden(spec),
        "true",
    ]
    turns = [[claude.shell(one)] for one in commands]
    run = claude.say(turns, cwd=mine.worktree, session=RIVAL)
    told = run.results()
    assert len(told) == len(commands), told
    for refused in told[:2]:
        assert refused.bad, told
        assert OWNER in refused.text, "the reason reaches the model"
        assert f"plastic start {other.id} --wait" in refused.text
    assert not told[2].bad, told
    assert mine.code("cart.py").read_text() == "BASKET = 1\n"
    assert spec.read_text() == f"{before}planted", "only the planted one has written there"
    assert "recorded as a taint" in run.sent(), told
    assert str(spec) in run.sent()
    rows = [json.loads(line) for line in Path(claude.world.home.log).read_text().splitlines()]
    (taint,) = [row for row in rows if row["event"] == "taint"]
    assert taint["session"] == RIVAL
    assert taint["path"] == str(spec)
