"""Puts hooks/ and skills/ into a wheel as plastic/_share/, where `plastic install` finds them."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHARED = ("hooks", "skills")


class BuildWithShared(build_py):
    """The ordinary build; an editable one needs no copy, it has the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for folder in SHARED:
            self.copy_tree(folder, str(Path(self.build_lib) / "plastic" / "_share" / folder))


setup(cmdclass={"build_py": BuildWithShared})
