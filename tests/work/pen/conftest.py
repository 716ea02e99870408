"""An intent that is ready to end, in a checkout with a pen for ana, bo and cy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.work.ends import A, Mould, Ready, one_ready

if TYPE_CHECKING:
    from tests.world import Done


@pytest.fixture(scope="module")
def mould(tmp_path_factory: pytest.TempPathFactory) -> Mould[Ready]:
    return Mould(tmp_path_factory.mktemp("mould"), one_ready)


@pytest.fixture
def one(mould: Mould[Ready]) -> Ready:
    made = mould.fresh()
    assert pen(made, "init", "--agents", "ana,bo,cy").rc == 0
    return made


def pen(one: Ready, *argv: str, session: str = A) -> Done:
    """A verb of the pen in the checkout of the intent's repository."""
    return one.world.plastic("pen", *argv, "--json", session=session, cwd=one.world.repo)
