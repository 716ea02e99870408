"""Paths: links are followed as the kernel follows them, components are compared whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plastic.disk import paths


def test_real_follows_links_as_the_kernel_does(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "a" / "b").mkdir(parents=True)
    (root / "link").symlink_to("a/b")
    (root / "loop").symlink_to("loop")
    (root / "absolute").symlink_to(root / "a")
    cases = {
        "a/b/new/file": "a/b/new/file",
        "link/x": "a/b/x",
        "link/../x": "a/x",
        "absolute/b/../../y": "y",
        "a//./b": "a/b",
        "gone/../a/z": "a/z",
        "gone/deep/../../link": "link",
        "loop/x": "loop/x",
    }
    for given_path, wanted in cases.items():
        assert paths.real(f"{root}/{given_path}") == f"{root}/{wanted}", given_path
    assert paths.real("/") == "/"
    assert paths.real("/..") == "/"


@given(st.lists(st.sampled_from(["a", "b", "..", ".", "", "link", "x"]), max_size=8))
def test_real_agrees_with_the_standard_library(parts: list[str]) -> None:
    # On this tree every existing name is a directory, so both must agree.
    path = "/proc/self/task/" + "/".join(parts)
    if "link" not in parts and not any(part in ("a", "b", "x") for part in parts):
        assert paths.real(path).split("/")[-1] == os.path.realpath(path).split("/")[-1]
    assert paths.real(path).startswith("/")


@pytest.mark.parametrize(
    ("path", "parent", "wanted"),
    [
        ("/a/b", "/a", True),
        ("/a", "/a", True),
        ("/ab", "/a", False),
        ("/a-other/x", "/a", False),
        ("/x", "/", True),
    ],
)
def test_is_below_compares_components(path: str, parent: str, wanted: bool) -> None:
    assert paths.is_below(path, parent) is wanted
