"""Finds whatever changes the file system in the text of a module: the one door, proven by AST."""

from __future__ import annotations

import ast
from typing import NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Modules whose functions of these names change names, files, rights or times.
SYSTEM = {"os", "posix", "nt", "shutil", "pathlib", "io", "codecs"}
WRITERS = _words(
    "rename renames replace unlink remove rmdir removedirs mkdir makedirs symlink link "
    "truncate ftruncate utime chmod fchmod lchmod chown fchown lchown chflags lchflags mkfifo "
    "mknod setxattr removexattr posix_fallocate write pwrite writev pwritev sendfile splice "
    "copy_file_range FileIO rmtree move copy copy2 copyfile copyfileobj copymode copystat "
    "copytree make_archive unpack_archive"
)
# Methods of paths that no text and no list has, on whatever they are called.
METHODS = _words(
    "write_text write_bytes touch unlink rmdir mkdir symlink_to hardlink_to rename chmod"
)
OPENERS = {"open", "fdopen"}
FLAGS = _words("O_WRONLY O_RDWR O_CREAT O_APPEND O_TRUNC O_EXCL O_TMPFILE")
# Modules that are there to write files, or that reach the system around the ones above.
WHOLE = _words(
    "pathlib tempfile shutil ctypes cffi mmap fileinput shelve dbm zipfile tarfile gzip bz2 "
    "lzma compileall py_compile logging distutils"
)
# What they have that only looks.
PURE = {"pathlib.PurePosixPath", "pathlib.PurePath", "shutil.which", "shutil.disk_usage"}


class Write(NamedTuple):
    """One place that changes something; `where` is the function around it."""

    line: int
    where: str
    what: str


def writes(tree: ast.Module) -> list[Write]:
    """Every place of a module that may change the file system, types aside."""
    return sorted(set(_Finder(tree).found))


class _Finder(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.found: list[Write] = []
        self.names: dict[str, str] = {}  # local name -> what it stands for
        self.where = ""
        self.quiet = 0  # inside of what opens the null device
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self.names[one.asname or one.name.split(".")[0]] = (
                        one.name if one.asname else one.name.split(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    self.names[one.asname or one.name] = f"{node.module}.{one.name}"
        self.visit(tree)

    def tell(self, node: ast.expr | ast.stmt, what: str) -> None:
        self.found.append(Write(node.lineno, self.where, what))

    def full(self, node: ast.expr) -> str:
        """The dotted name that an expression stands for; "" for anything but names."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.full(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.where = self.where, node.name
        self.generic_visit(node)
        self.where = before

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            if one.name.split(".")[0] in WHOLE:
                self.tell(node, f"import {one.name}")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = (node.module or "").split(".")[0]
        for one in node.names:
            name = f"{node.module}.{one.name}"
            if (module in WHOLE and name not in PURE) or self.is_writer(name):
                self.tell(node, f"import {name}")

    @staticmethod
    def is_writer(name: str) -> bool:
        owner, _, last = name.rpartition(".")
        return owner in SYSTEM and (last in WRITERS or last in FLAGS or last == "*")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """References too: a function that is handed on is called elsewhere."""
        name = self.full(node)
        if self.is_writer(name):
            if not (self.quiet and node.attr in FLAGS):
                self.tell(node, name)
        elif node.attr in METHODS and not name.startswith("plastic."):
            self.tell(node, f".{node.attr}")
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        """What a child gets opened: `(POSIX_SPAWN_OPEN, 2, "/dev/null", O_WRONLY, 0)`."""
        self.inside(node, node.elts)

    def visit_Call(self, node: ast.Call) -> None:
        name = self.full(node.func)
        owner, _, last = name.rpartition(".")
        if last in OPENERS and owner in ("", "builtins", *SYSTEM) and not self.is_null(node.args):
            if owner in ("os", "posix") and last == "open":
                self.flags(node)
            elif self.mode(node).strip("rbtU"):
                self.tell(node, name)
        elif name == "getattr" and node.args and self.full(node.args[0]) in SYSTEM:
            self.tell(node, f"getattr of {self.full(node.args[0])}")
        self.inside(node, node.args)

    def inside(self, node: ast.AST, values: list[ast.expr]) -> None:
        null = self.is_null(values)
        self.quiet += null
        self.generic_visit(node)
        self.quiet -= null

    def is_null(self, values: list[ast.expr]) -> bool:
        return any(
            self.full(one) in ("os.devnull", "posix.devnull")
            or (isinstance(one, ast.Constant) and one.value == "/dev/null")
            for one in values
        )

    def flags(self, node: ast.Call) -> None:
        """Numbers among the flags hide what they are; by name they are found as references."""
        for value in [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "flags")]:
            for one in ast.walk(value):
                if isinstance(one, ast.Constant) and one.value != 0:
                    self.tell(node, f"open with {one.value!r}")

    @staticmethod
    def mode(node: ast.Call) -> str:
        """The mode of an `open`; one that is not spelled out may be any."""
        given = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
        if not given:
            return "r"
        value = given[0]
        return (
            value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else "?"
        )
