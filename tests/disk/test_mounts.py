"""The mount table is read as the kernel writes it; locks and links are tried out for real."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from plastic.disk import mounts
from plastic.disk.mounts import kind_in, kind_of, trial
from plastic.rules.checks import network

if TYPE_CHECKING:
    from pathlib import Path

TABLE = (
    "1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "2 1 0:2 / /home rw - nfs4 server:/home rw\n"
    "3 2 0:3 / /home/me/local\\040disk rw - xfs /dev/sdb rw\n"
    "4 1 0:4 / /mnt rw - ext4 /dev/sdc rw\n"
    "5 1 0:5 / /mnt rw - fuse.sshfs host: rw\n"
    "nonsense\n"
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "ext4"),
        ("/homes", "ext4"),
        ("/home", "nfs4"),
        ("/home/me/x", "nfs4"),
        ("/home/me/local disk/x", "xfs"),
        ("/mnt/x", "fuse.sshfs"),
    ],
)
def test_the_deepest_and_newest_mount_counts(path: str, kind: str) -> None:
    assert kind_in(TABLE, path) == kind


@pytest.mark.parametrize(
    ("kind", "is_network"),
    [
        ("ext4", False),
        ("overlay", False),
        ("tmpfs", False),
        ("", False),
        ("fuse.fuse-overlayfs", False),
        ("nfs4", True),
        ("9p", True),
        ("fuse.sshfs", True),
        ("fuse.something", True),
    ],
)
def test_network_file_systems(kind: str, is_network: bool) -> None:
    assert (network(kind) is not None) is is_network


def test_a_real_directory(tmp_path: Path) -> None:
    tried = trial(str(tmp_path))
    assert (tried.locks, tried.links) == ("", True)
    assert abs(tried.skew) < 30
    assert os.listdir(tmp_path) == []
    assert kind_of(str(tmp_path)) or not os.path.exists("/proc/self/mountinfo")


@pytest.mark.parametrize(
    ("rival", "says"),
    [
        ("import sys; sys.exit(0)", "got the lock"),
        ("import sys; sys.exit(3)", "stays locked"),
        ("import sys; sys.exit('odd')", "could not ask"),
    ],
)
def test_locks_that_do_not_work_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rival: str, says: str
) -> None:
    """Non-vacuity: each of the ways in which a file system can lie."""
    monkeypatch.setattr(mounts, "_RIVAL", rival)
    assert says in trial(str(tmp_path)).locks
