"""The bundle of bytecode: complete, stamped, and lean without losing meaning."""

from __future__ import annotations

import marshal
import os
import sys
from pathlib import Path

import pytest

from plastic.disk.bundle import lean, stamp, write

SOURCE = '''"""Doc."""
from __future__ import annotations
TYPE_CHECKING = False
if TYPE_CHECKING:
    import no_such_module
LIMIT: int = 3
later: str
class Thing:
    """Doc."""
    size: int = 4
    kind: str
    def grow(self, by: no_such_module.X = 2) -> "never":
        total: int = self.size + by
        if total > LIMIT:
            return total
        else:
            unused: int
def many(*names: str, **more: int) -> list[str]:
    """Doc."""
    def inner(x: Nothing) -> Nothing:
        """Doc."""
    inner(1)
    try:
        raise KeyError("x")
    except KeyError as error:
        return [str(error), *names, *more]
    finally:
        rest: int
'''


def test_lean_code_does_the_same() -> None:
    space: dict[str, object] = {}
    exec(lean(SOURCE.encode(), "x.py"), space)
    thing = space["Thing"]
    assert thing.size == 4  # type: ignore[attr-defined]
    assert thing().grow() == 6  # type: ignore[operator]
    assert space["many"]("a", b=1) == ["'x'", "a", "b"]  # type: ignore[operator]
    assert "annotations" not in space
    assert thing.__doc__ is None


def test_an_error_in_lean_code_is_still_told() -> None:
    space: dict[str, object] = {}
    exec(lean(b"def f():\n    return 1 / 0\n", "x.py"), space)
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        space["f"]()  # type: ignore[operator]


LISTS = "plastic.lists"


def package(root: Path) -> Path:
    (root / "plastic").mkdir()
    for name in ("a", "b", "c", "lists"):
        (root / "plastic" / f"{name}.py").write_text(f"NAME = {name!r}\n")
    return root / "plastic" / "__pycache__" / "hot.bin"


def test_what_is_in_it(tmp_path: Path) -> None:
    path = package(tmp_path)
    groups = (("plastic.a", "plastic.b"), ("plastic.c",))
    assert write(str(path), str(tmp_path), groups, LISTS)
    data = path.read_bytes()
    start = 4 + int.from_bytes(data[:4], "little")
    version, head = marshal.loads(data[4:start])
    assert version == sys.version
    assert start + sum(length for _, length in head) == len(data)
    known = []
    # The module that lists the groups is stamped, and has no code.
    for group, (stamps, length) in zip(((LISTS,), *groups), head, strict=True):
        places = [str(tmp_path / f"{name.replace('.', '/')}.py") for name in group]
        assert stamps == [stamp(*pair) for pair in zip(group, places, strict=True)]
        for name, code in marshal.loads(data[start : start + length]):
            space: dict[str, object] = {}
            exec(code, space)
            assert space["NAME"] == name[-1]
            known.append(name)
        start += length
    assert known == ["plastic.a", "plastic.b", "plastic.c"]


def test_nothing_is_written_when_something_is_wrong(tmp_path: Path, permissions: None) -> None:
    path = package(tmp_path)
    assert not write(str(path), str(tmp_path), (("plastic.a",), ("plastic.gone",)), LISTS)
    assert not write(str(path), str(tmp_path), (("plastic.a",),), "plastic.gone")
    (tmp_path / "plastic" / "b.py").write_text("def (")
    assert not write(str(path), str(tmp_path), (("plastic.a", "plastic.b"),), LISTS)
    path.parent.chmod(0o555)
    assert not write(str(path), str(tmp_path), (("plastic.a",),), LISTS)
    path.parent.chmod(0o755)
    assert os.listdir(path.parent) == []
