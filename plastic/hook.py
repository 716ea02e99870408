"""One event of a harness in, one answer out: what `hooks/gate` starts for every tool use.

Importing twenty small modules costs a third of the time that Python needs to start. So they are
kept as one file of bytecode, which is used only while it agrees with every source file.

This file is loaded before that one, so it has no `from __future__` import, which is a real one,
and it must load in any Python 3, to be able to say that this one is too old.
"""

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What it takes to start shfmt on a command: the parser works while the rest is put in place.
FIRST = ("plastic.quickjson", "plastic.rules.harmless", "plastic.disk.shfmt")
# The modules of an ordinary decision, each after those that it imports. A test compares the list
# with what an allow and a deny really load.
HOT = (
    *FIRST,
    "plastic.words",
    "plastic.rules.names",
    "plastic.rules.lease",
    "plastic.rules.gates",
    "plastic.rules.protected",
    "plastic.rules.refusals",
    "plastic.rules.artifacts",
    "plastic.rules.stages",
    "plastic.rules.savepoint",
    "plastic.harness.claude",
    "plastic.disk.paths",
    "plastic.disk.files",
    "plastic.disk.clock",
    "plastic.disk.home",
    "plastic.disk.gitdir",
    "plastic.disk.held",
    "plastic.disk.lockfile",
    "plastic.disk.journal",
    "plastic.disk.seen",
    "plastic.disk.presence",
    "plastic.disk.trail",
    "plastic.disk.compiled",
    "plastic.work.sight",
    "plastic.work.admit",
    "plastic.work.facts",
    "plastic.work.confine",
    "plastic.work.pulse",
    "plastic.work.ledger",
    "plastic.work.savepoints",
    "plastic.work.traces",
    "plastic.work.parts",
    "plastic.work.gate",
)
# Argument of the hook -> the module that knows the harness.
HARNESSES = {
    name: f"plastic.harness.{name}"
    for name in ("claude", "codex", "gemini", "cursor", "opencode", "pi", "copilot")
}
UNIVERSAL = "plastic.harness.universal"
LIMIT = 8 << 20  # bytes of stdin
BROKEN = (
    b'{"systemMessage": "plastic: the gates are broken and this call was not judged (%s); '
    b'run: plastic log"}\n'
)


def main(argv: "list[str]") -> int:
    """`HARNESS [DOOR]`: judge the event on stdin. Our own bug stops nothing but a strict tool."""
    try:
        out, err, code = _answer(argv)
    except BaseException as error:
        out, err, code = BROKEN % _plain(error), b"", 0
        if posix.environ.get(b"PLASTIC_STRICT"):  # who installed it rather stops
            out, err, code = b"", out, 2
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
    rest = _load("hot", HOT, len(FIRST))
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
        _guess(payload)
    _place(rest)
    from plastic.rules.gates import DOORS

    gates = DOORS.get(argv[1] if len(argv) > 1 else "gate")
    if not isinstance(payload, dict) or gates is None:
        return b"", b"", 0
    return _judged(argv[0] if argv else "claude", payload, gates)


def _judged(
    harness: str, payload: "dict[str, Any]", gates: "tuple[str, ...]"
) -> "tuple[bytes, bytes, int]":
    from plastic.disk.home import home_from
    from plastic.disk.presence import note_presence
    from plastic.work.gate import judge

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


def _guess(payload: "Any") -> None:
    """Let shfmt read what looks like a command while this process loads what judges it.

    A wrong guess costs a process that nobody listens to; what the event is, its harness says.
    """
    values = payload.get("tool_input") if isinstance(payload, dict) else None
    command = values.get("command") if isinstance(values, dict) else None
    if isinstance(command, str) and payload.get("hook_event_name") == "PreToolUse":
        _ahead(command)


def _ahead(command: str) -> bool:
    """Start shfmt on a command unless its words are enough."""
    from plastic.disk.shfmt import ahead
    from plastic.rules.harmless import harmless

    if harmless(command):
        return False
    ahead(command)
    return True


def _ready(command: str) -> None:
    """What understands the answer of shfmt."""
    if _ahead(command):
        from plastic.work.parts import SHELL

        _place(_load("shell", SHELL))


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


def _load(name: str, modules: "tuple[str, ...]", first: int = 0) -> "Any":
    """Put the first of these modules in place from their bundle; a list of the rest, not yet run.

    Without a bundle that is as good as its sources there is nothing: ordinary imports do it.
    """
    if modules[-1] in sys.modules:
        return []
    root = __file__.rpartition("/plastic/")[0]
    path = f"{root}/plastic/__pycache__/{name}.{sys.implementation.cache_tag}.bin"
    parts = None
    try:
        parts = _parts(path, root, modules)
    except Exception:
        pass  # any doubt: as if there were none
    if parts is None:
        from plastic.disk.bundle import write

        write(path, root, modules, first)
        return []
    _place(parts[:1])
    return parts[1:]


def _place(parts: "Any") -> None:
    """Run the modules of these parts of a bundle, each where an import would put it."""
    import marshal

    root = __file__.rpartition("/plastic/")[0]
    module = type(sys)
    for full, code in [one for part in parts for one in marshal.loads(part)]:  # noqa: S302
        made = module(full)
        parent, _, last = full.rpartition(".")
        if parent not in sys.modules:
            _package(parent, f"{root}/{parent.replace('.', '/')}")
        made.__package__ = parent
        made.__file__ = code.co_filename
        sys.modules[full] = made
        exec(code, made.__dict__)  # noqa: S102 # our own bytecode, compared with its sources
        setattr(sys.modules[parent], last, made)


def _package(name: str, path: str) -> None:
    made = type(sys)(name)
    made.__path__ = [path]
    made.__package__ = name
    sys.modules[name] = made
    parent, _, last = name.rpartition(".")
    setattr(sys.modules[parent], last, made)


def _parts(path: str, root: str, modules: "tuple[str, ...]") -> "Any":
    """The parts of a bundle, None when it does not agree with this Python or its sources."""
    import marshal

    fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        size = posix.fstat(fd).st_size
        data = posix.read(fd, size + 1)
    finally:
        posix.close(fd)
    start = 4 + int.from_bytes(data[:4], "little")
    version, stamps, lengths = marshal.loads(data[4:start])  # noqa: S302 # as trusted as a .pyc
    if version != sys.version or len(stamps) != len(modules) or len(data) != start + sum(lengths):
        return None
    for name, stamp in zip(modules, stamps, strict=True):
        seen = posix.stat(f"{root}/{name.replace('.', '/')}.py")
        if (name, seen.st_size, seen.st_mtime_ns) != stamp:
            return None
    parts = []
    for length in lengths:
        parts.append(data[start : start + length])
        start += length
    return parts
