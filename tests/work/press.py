"""Publishes merges in tests: here, in a process of its own that a failpoint kills, and by hand."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from plastic.work.merge import objects as merge
from plastic.work.merge import publish
from plastic.work.merge.objects import Merged, merge_tree

if TYPE_CHECKING:
    from pathlib import Path

    from tests.work.mill import Mill
    from tests.world import Done

WHEN = "@1700000000 +0000"
MAIN = "refs/heads/main"


class Press:
    """A merge of the branch `tip` into main, ready to be published."""

    def __init__(self, mill: Mill, checkout: Path | None, common: str | None = None) -> None:
        self.mill = mill
        self.common = common or mill.common
        self.checkout = None if checkout is None else str(checkout)
        self.old = mill.oid("main")
        self.tip = mill.oid("tip")
        found = merge_tree(self.common, self.old, self.tip)
        assert isinstance(found, Merged), found
        text = merge.message("merge", "1--x", "X", MAIN, self.tip)
        self.new = merge.commit(self.common, found.tree, [self.old, self.tip], text, WHEN)

    def go(self, fence: tuple[str, str] | None = None, said: list[str] | None = None) -> None:
        """Publish it in this process."""
        publish.publish(
            self.common,
            MAIN,
            self.old,
            self.new,
            self.tip,
            fence,
            self.checkout,
            "1",
            (said if said is not None else []).append,
        )

    def heal(self) -> str:
        """What a second End does first."""
        return publish.heal(self.common, MAIN, self.checkout, self.old, self.new)

    def argv(self) -> list[str]:
        """The same publication as a process."""
        code = (
            "import json, sys\n"
            "from plastic.disk.locks import repo_guard\n"
            "from plastic.words import Refusal\n"
            "from plastic.work.merge.publish import heal, publish\n"
            "common, base, old, new, tip, checkout = json.loads(sys.argv[1])\n"
            "try:\n"
            "    with repo_guard(common):\n"
            "        if heal(common, base, checkout, old, new) == 'undone':\n"
            "            publish(common, base, old, new, tip, None, checkout, '1')\n"
            "except Refusal as refusal:\n"
            "    sys.exit(f'{refusal.exit} {refusal.code} {refusal.reason}')\n"
        )
        words = [self.common, MAIN, self.old, self.new, self.tip, self.checkout]
        return [sys.executable, "-c", code, json.dumps(words)]

    def child(self, env: dict[str, str] | None = None) -> Done:
        """Heal and publish in a process of its own, under the repository's guard."""
        return self.mill.world.run(*self.argv(), env=env)
