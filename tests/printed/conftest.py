"""The street that cases share, and one of its own for a case that breaks things."""

from __future__ import annotations

import pytest

from tests.printed.street import Street


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Street:
    """One home and one repository for every case that leaves both whole."""
    return Street(tmp_path_factory.mktemp("street")).open()


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Street:
    """A world for one case."""
    return Street(tmp_path_factory.mktemp("street")).open()
