"""One event of a harness in, one answer out: what `hooks/gate` starts for every tool use.

Importing dozens of small modules costs half the time that Python needs to start. So they are kept
as one file of bytecode, in groups (work/parts.py): most events need few of them. A group is used
only while it agrees with its source files.

This file is loaded before that one, so it has no `from __future__` import, which is a real one,
and it must load in any Python 3, to be able to say that this one is too old.
"""

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Argument of the hook -> the module that knows the harness.
HARNESSES = {
    name: f"plastic.harness.{name}"
    for name in ("claude", "codex", "gemini", "cursor", "opencode", "pi", "copilot")
}
UNIVERSAL = "plastic.harness.universal"
LIMIT = 8 << 20  # bytes of stdin
BROKEN = b"plastic: the gates are broken and this call was not judged (%s); run: plastic log"


def main(argv: "list[str]") -> int:
    """`HARNESS [DOOR]`: judge the event on stdin. Our own bug stops nothing but a strict tool."""
    try:
        out, err, code = _answer(argv)
    except BaseException as error:
        said = BROKEN % _plain(error)
        out, err, code = b'{"systemMessage": "%s"}\n' % said, b"", 0
        if posix.environ.get(b"PLASTIC_STRICT"):  # who installed it rather stops
            out, err, code = b"", said + b"\n", 2  # no JSON: Gemini would obey that, not the code
        _note(error)
    try:
        _write(1, out)
        _write(2, err)
    except OSError:
        pass  # nobody listens
    return code


def _answer(argv: "list[str]") -> "tuple[bytes, bytes, int]":
    if sys.version_info < (3, 11):  # noqa: UP036 # a plugin starts whatever python3 there is
        raise RuntimeError("Python 3.11 or newer is needed: PLASTIC_PYTHON names one")
    data = _stdin()
    if not data.strip():
        return b"", b"", 0
    hot = None
    if "plastic.work.gate.judge" not in sys.modules:
        hot = Bundle("hot")
        sys.meta_path.insert(0, hot)
        _scanner()
        hot.put("plastic.quickjson")
    from plastic.quickjson import loads

    try:
        payload = loads(data)
    except ValueError as error:
        if isinstance(error.__cause__, RecursionError):
            raise  # JSON for the harness, although it is none for us
        try:
            payload = loads(data.decode("utf-8", "surrogateescape").lstrip("\ufeff"))
        except ValueError:
            return b"", b"", 0
    if len(argv) < 2 or argv[1] == "gate":
        _guess(payload, hot)
    if hot is not None:
        hot.put("plastic.work.gate.judge")
    from plastic.rules.gates.table import DOORS

    gates = DOORS.get(argv[1] if len(argv) > 1 else "gate")
    if not isinstance(payload, dict) or gates is None:
        return b"", b"", 0
    return _judged(argv[0] if argv else "claude", payload, gates)


def _judged(
    harness: str, payload: "dict[str, Any]", gates: "tuple[str, ...]"
) -> "tuple[bytes, bytes, int]":
    from plastic.disk.home import home_from
    from plastic.disk.presence import note_presence
    from plastic.work.gate.judge import judge

    if not (_is_rooted(payload.get("cwd")) or _is_rooted(payload.get("directory"))):
        payload["cwd"] = _cwd()
    module = _module(HARNESSES.get(harness, UNIVERSAL))
    use = module.read(payload)
    if not use.fits and module.__name__ != UNIVERSAL:
        module = _module(UNIVERSAL)
        use = module.read(payload)
    try:
        home = home_from(_names())
    except ValueError:
        return b"", b"", 0  # no home is named, so nothing is registered
    note_presence(home, harness, use)
    if use.command is not None and use.event == "pre" and "shell" in gates:
        _ready(use.command)
    verdict = judge(home, use, gates)
    # A harness whose answer needs more than the verdict says so by a `reply`.
    reply = getattr(module, "reply", None)
    answered: tuple[bytes, bytes, int]
    answered = reply(verdict, use) if reply else module.answer(verdict, use.event)
    return answered


def _guess(payload: "Any", hot: "Bundle | None") -> None:
    """Let shfmt read what looks like a command while this process loads what judges it.

    A wrong guess costs a process that nobody listens to; what the event is, its harness says.
    """
    values = payload.get("tool_input") if isinstance(payload, dict) else None
    command = values.get("command") if isinstance(values, dict) else None
    if not isinstance(command, str) or payload.get("tool_name") == "apply_patch":
        return  # Codex sends the text of a patch under the same key
    if payload.get("hook_event_name") == "PreToolUse":
        if hot is not None:
            hot.put("plastic.disk.shfmt")
        _ahead(command)


def _ahead(command: str) -> bool:
    """Start shfmt on a command unless its words are enough, or it is too plain for a parser."""
    from plastic.disk.shfmt import ahead
    from plastic.rules.gates.harmless import harmless
    from plastic.rules.shell.flat import tree

    if harmless(command):
        return False
    if tree(command) is None:
        ahead(command)
    return True


def _ready(command: str) -> None:
    """What understands the answer of shfmt."""
    if _ahead(command) and "plastic.work.gate.shell" not in sys.modules:
        Bundle("shell").put("plastic.work.gate.shell")


def _is_rooted(folder: object) -> bool:
    return isinstance(folder, str) and folder.startswith("/")


def _cwd() -> str:
    """Where the harness started us: what a relative path means when the payload does not say it."""
    try:
        return posix.getcwd()
    except OSError:
        return ""


def _names() -> "dict[str, str]":
    """The two variables that say where the home is."""
    found = {}
    for name in ("PLASTIC_HOME", "HOME"):
        value = posix.environ.get(name.encode())
        if value is not None:
            found[name] = value.decode("utf-8", "surrogateescape")
    return found


def _module(name: str) -> "Any":
    __import__(name)
    return sys.modules[name]


def _stdin() -> bytes:
    """Everything on stdin; nothing when it is closed or a terminal. ValueError when too much."""
    data = b""
    try:
        if posix.isatty(0):
            return b""
        parts = []
        size = 0
        while True:
            part = posix.read(0, 1 << 20)
            if not part:
                break
            parts.append(part)
            size += len(part)
            if size > LIMIT:
                raise ValueError("the payload is larger than 8 MB")
        data = b"".join(parts)
    except OSError:
        pass
    return data


def _write(fd: int, data: bytes) -> None:
    while data:
        data = data[posix.write(fd, data) :]


def _note(error: BaseException) -> None:
    """The journal tells of it too, if that much of us still works."""
    try:
        from plastic.disk.home import home_from
        from plastic.disk.journal import note

        note(home_from(_names()), "broken", gate="all", error=_plain(error).decode())
    except BaseException:
        pass


def _plain(error: BaseException) -> bytes:
    """An error as text that can stand inside JSON as it is."""
    text = f"{type(error).__name__}: {error}"[:300]
    return "".join(one if " " <= one <= "~" and one not in '"\\' else " " for one in text).encode()


def _scanner() -> None:
    """`import _json`, without the search of three folders that comes before it."""
    if "_json" in sys.modules or "_json" in sys.builtin_module_names:
        return
    try:
        import _frozen_importlib
        import _frozen_importlib_external as external

        path = f"{sys.path[-1]}/_json{external.EXTENSION_SUFFIXES[0]}"
        loader = external.ExtensionFileLoader("_json", path)
        made = _frozen_importlib.module_from_spec(type(sys.__spec__)("_json", loader, origin=path))
        loader.exec_module(made)
        sys.modules["_json"] = made
    except Exception:
        pass  # the search finds it wherever it is


class Bundle:
    """Modules as bytecode, in groups: who imports one gets its group, if that is still true."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.root = __file__.rpartition("/plastic/")[0]
        self.path = f"{self.root}/plastic/__pycache__/{name}.{sys.implementation.cache_tag}.bin"
        self.groups: dict[str, tuple[Any, Any]] = {}
        try:
            self.groups = self.read()
            self.put("plastic.work.parts")
        except Exception:
            self.renew()  # any doubt: as if there were none

    def read(self) -> "dict[str, tuple[Any, Any]]":
        """Module -> stamps and code of its group; ValueError for the file of another Python."""
        import marshal

        fd = posix.open(self.path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
        try:
            data = memoryview(posix.read(fd, posix.fstat(fd).st_size + 1))
        finally:
            posix.close(fd)
        start = 4 + int.from_bytes(data[:4], "little")
        version, groups = marshal.loads(data[4:start])  # noqa: S302 # as trusted as a .pyc
        found = {}
        for stamps, length in groups:
            group = stamps, data[start : start + length]
            start += length
            for one in stamps:
                found[one[0]] = group
        if version != sys.version or start != len(data):
            raise ValueError("another Python's, or half a file")
        return found

    def put(self, name: str) -> bool:
        """Put a module's group in place; False = it is not here, or not true any more."""
        import marshal

        if name not in self.groups:
            return False
        stamps, data = self.groups[name]
        for full, size, time in stamps:
            del self.groups[full]
            try:
                seen = posix.stat(f"{self.root}/{full.replace('.', '/')}.py")
            except OSError:
                seen = None
            if seen is None or (seen.st_size, seen.st_mtime_ns) != (size, time):
                self.renew()
                return False
        try:
            codes = marshal.loads(data)  # noqa: S302
        except Exception:  # a damaged disk, in the middle of a file of the right length
            self.renew()
            return False
        for full, code in codes:
            if full not in sys.modules:
                _place(full, code, self.root)
        return True

    def renew(self) -> None:
        """Write the file anew; this process goes on with ordinary imports."""
        self.groups = {}
        from plastic.disk.bundle import write
        from plastic.work.parts import BUNDLES

        write(self.path, self.root, BUNDLES[self.name], "plastic.work.parts")

    def find_spec(self, name: str, _path: "Any" = None, _target: "Any" = None) -> "Any":
        """What `import` asks: a spec for what is here, when it is in place already."""
        loader: Any = self
        return type(sys.__spec__)(name, loader) if self.put(name) else None

    def create_module(self, spec: "Any") -> "Any":
        """The module, which has run."""
        return sys.modules[spec.name]

    def exec_module(self, module: "Any") -> None:
        """Nothing is left to do."""


def _place(full: str, code: "Any", root: str) -> None:
    """Run one module where an import would put it."""
    parent, _, last = full.rpartition(".")
    if parent not in sys.modules:
        _package(parent, f"{root}/{parent.replace('.', '/')}")
    made = type(sys)(full)
    made.__package__ = parent
    made.__file__ = code.co_filename
    sys.modules[full] = made
    exec(code, made.__dict__)  # noqa: S102 # our own bytecode, compared with its sources
    setattr(sys.modules[parent], last, made)


def _package(name: str, path: str) -> None:
    parent, _, last = name.rpartition(".")
    if parent and parent not in sys.modules:
        _package(parent, path.rpartition("/")[0])
    made = type(sys)(name)
    made.__path__ = [path]
    made.__package__ = name
    sys.modules[name] = made
    if parent:
        setattr(sys.modules[parent], last, made)
