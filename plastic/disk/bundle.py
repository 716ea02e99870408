"""Writes the hook's modules as one file of bytecode: twenty imports would cost half a Python."""

from __future__ import annotations

import posix
import sys

from plastic.disk.files import make_dirs, read, replace
from plastic.disk.paths import parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import CodeType


def write(path: str, root: str, modules: tuple[str, ...], first: int = 0) -> bool:
    """Compile `modules` (in the order of their imports) below `root` into `path`.

    The `first` of them are a part of their own, which can run before the rest is looked at.
    False when the folder cannot be written or a source changes meanwhile: the hook then goes on
    with ordinary imports.
    """
    import marshal

    try:
        make_dirs(parent_of(path))
        if not posix.access(parent_of(path), posix.W_OK):
            return False
        stamps: list[tuple[str, int, int]] = []
        codes: list[tuple[str, CodeType]] = []
        for name in modules:
            source = f"{root}/{name.replace('.', '/')}.py"
            before = stamp(name, source)
            data = read(source)
            if data is None:
                return False
            codes.append((name, lean(data, source)))
            if stamp(name, source) != before:
                return False
            stamps.append(before)
        parts = [marshal.dumps(part) for part in (codes[:first], codes[first:]) if part]
        head = marshal.dumps((sys.version, stamps, tuple(map(len, parts))))
        replace(path, b"".join([len(head).to_bytes(4, "little"), head, *parts]))
    except (OSError, SyntaxError, ValueError):
        return False
    return True


def stamp(name: str, source: str) -> tuple[str, int, int]:
    """What must still be true of a source file for its bytecode to stand for it."""
    seen = posix.stat(source)
    return name, seen.st_size, seen.st_mtime_ns


def lean(data: bytes, source: str) -> CodeType:
    """The code of a module without what no decision needs: it loads in half the time.

    That is annotations, docstrings, imports for types, and the tables of line numbers.
    """
    import ast

    tree = ast.parse(data, source)
    _strip(tree)
    code = compile(tree, source, "exec", dont_inherit=True, optimize=2)
    return _lineless(code)


def _strip(tree: ast.Module) -> None:
    import ast

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                kept = [one for one in map(_kept, block) if one is not None]
                setattr(node, field, kept or [ast.copy_location(ast.Pass(), block[0])])


def _kept(node: ast.stmt) -> ast.stmt | None:
    """A statement as it stays; None for what only type checkers read."""
    import ast

    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return None
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name):
        return None if node.test.id == "TYPE_CHECKING" else node
    if isinstance(node, ast.AnnAssign):
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)
    return node


def _lineless(code: CodeType) -> CodeType:
    consts = tuple(_lineless(one) if hasattr(one, "co_code") else one for one in code.co_consts)
    return code.replace(co_consts=consts, co_linetable=b"", co_filename="plastic")
