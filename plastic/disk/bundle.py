"""Writes the hook's modules as one file of bytecode: their imports would cost half a Python."""

from __future__ import annotations

import posix
import sys

from plastic.disk.files import make_dirs, read, replace
from plastic.disk.paths import parent_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from types import CodeType


def write(path: str, root: str, groups: tuple[tuple[str, ...], ...], lists: str) -> bool:
    """Compile groups of modules below `root` into `path`; `lists` is the module that names them.

    False when the folder cannot be written or a source changes meanwhile: the hook then goes on
    with ordinary imports.
    """
    import marshal

    try:
        make_dirs(parent_of(path))
        if not posix.access(parent_of(path), posix.W_OK):
            return False
        head: list[tuple[list[tuple[str, int, int]], int]] = []
        parts: list[bytes] = []
        for names in ((lists,), *groups):
            found = [_compiled(name, root) for name in names]
            # Of the lists only the stamp is kept: other lists make another file.
            codes = [] if names == (lists,) else [(one[0], code) for one, code in found]
            parts.append(marshal.dumps(codes))
            head.append(([one for one, _ in found], len(parts[-1])))
        start = marshal.dumps((sys.version, head))
        replace(path, b"".join([len(start).to_bytes(4, "little"), start, *parts]))
    except (OSError, SyntaxError, ValueError):
        return False
    return True


def _compiled(name: str, root: str) -> tuple[tuple[str, int, int], CodeType]:
    """A module's stamp and code; ValueError when its source is gone or changes meanwhile."""
    source = f"{root}/{name.replace('.', '/')}.py"
    before = stamp(name, source)
    code = lean(read(source) or b"", source)
    if stamp(name, source) != before:
        raise ValueError(f"{source} is being changed")
    return before, code


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
