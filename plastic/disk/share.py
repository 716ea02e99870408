"""Where `hooks/` and `skills/` lie: in a wheel below the package, in a checkout beside it."""

from __future__ import annotations

import os

from plastic.disk.files import is_dir, parent_of, real
from plastic.words import Broken


def folder(kind: str) -> str:
    """The absolute directory `hooks` or `skills`; Broken when the installation lacks it."""
    package = parent_of(parent_of(real(os.path.abspath(__file__))))
    for place in (f"{package}/_share/{kind}", f"{parent_of(package)}/{kind}"):
        if is_dir(place):
            return place
    raise Broken(
        "share",
        f"{kind}/ is missing beside {package}: the installation is incomplete",
        run="python3 -m pip install --force-reinstall plastic-intents",
    )
