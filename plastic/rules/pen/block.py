"""The lock block of a pen file: found, judged as one thing, and changed value by value in place.

Hot: the gate reads it before every edit. What is no field (comments, keys that we do not know)
and how values are padded stays as it is.
"""

from __future__ import annotations

from plastic.rules.intent.names import PEN
from plastic.rules.pen.clock import seconds

TTL = 1800  # seconds of one window
SKEW = 60  # seconds by which the clock of another machine may be ahead
PAIR = ("claude", "codex")  # the roster of a block without `agents`
RESERVED = frozenset(("none", "system", "all", "any"))
LANGS = ("en", "fr", "es", "it", "de", "pt", "ja", "ru", "zh-cn")
NEEDED = ("holder", "state", "turn", "since", "expires")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_KEY = _LETTERS | {"_"}
_NAME = _LETTERS | frozenset("0123456789_-")
_MAX_NAME = 64
TYPE_CHECKING = False
if TYPE_CHECKING:
    # What is wrong: a code of FAULTS (texts.py), and what its words name.
    Fault = tuple[str, ...]


class Format:
    """What a pen file is called, and the word in front of its markers."""

    __slots__ = ("begin", "brand", "end", "name")

    def __init__(self, name: str = PEN, brand: str = "M8SHIFT") -> None:
        self.name = name
        self.brand = brand
        self.begin = f"<!-- {brand}:LOCK:BEGIN -->"
        self.end = f"<!-- {brand}:LOCK:END -->"

    def sibling(self, part: str, ending: str = "md") -> str:
        """The name of a file beside it: `M8SHIFT.archive.md`."""
        return f"{self.name.removesuffix('.md')}.{part}.{ending}"


FORMAT = Format()


class Pen:
    """A pen file in three parts; `rows` are the lines of the block, each (key or "", text)."""

    __slots__ = ("after", "before", "fields", "rows", "twice")

    def __init__(self, before: str, body: str, after: str) -> None:
        self.before = before  # up to and with the marker of the beginning
        self.after = after  # from the marker of the end on
        self.rows: list[tuple[str, str]] = []
        self.fields: dict[str, str] = {}
        self.twice: list[str] = []
        for line in body.split("\n"):
            key, value = _field(line)
            self.rows.append((key, line))
            if key in self.fields:
                self.twice.append(key)
            elif key:
                self.fields[key] = value

    def get(self, key: str) -> str:
        """A value, "" for none."""
        return self.fields.get(key, "")

    @property
    def agents(self) -> list[str]:
        """The roster, in its order."""
        return roster(self.fields.get("agents"))

    @property
    def kind(self) -> str:
        """IDLE, WORKING, AWAITING, PAUSED or DONE."""
        return self.get("state").split("_", 1)[0]

    def text(self) -> str:
        """The whole file."""
        return self.before + "\n".join(line for _, line in self.rows) + self.after

    def change(self, key: str, value: str | None) -> None:
        """Give a key another value, add it at the end, or (None) take its line out."""
        for number, (found, line) in enumerate(self.rows):
            if found == key:
                if value is None:
                    del self.rows[number]
                else:
                    self.rows[number] = (key, _with(line, value))
                break
        else:
            self._add(key, value)
        if value is None:
            self.fields.pop(key, None)
        else:
            self.fields[key] = value

    def _add(self, key: str, value: str | None) -> None:
        if value is not None:
            end = "\r" if any(line.endswith("\r") for _, line in self.rows) else ""
            last = self.rows[-1][1] if self.rows else ""
            at = len(self.rows) - (1 if not last.strip() else 0)
            self.rows.insert(at, (key, f"{self._label(key)}{value}{end}"))

    def _label(self, key: str) -> str:
        """The key up to its value, which begins where most values of the block begin."""
        starts = [len(line) - len(_rest(line)) for found, line in self.rows if found]
        usual = max(starts, key=starts.count, default=0)
        label = f"{key}:"
        is_padded = starts.count(usual) * 2 > len(starts) and len(label) < usual
        return label.ljust(usual) if is_padded else f"{label} "


def _field(line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    key = key.strip()
    return (key, value.strip()) if colon and key and set(key) <= _KEY else ("", "")


def _with(line: str, value: str) -> str:
    key, _, rest = line.partition(":")
    blanks = rest[: len(rest) - len(_rest(line))] or " "
    end = "\r" if line.endswith("\r") else ""
    return f"{key}:{blanks}{value}{end}"


def _rest(line: str) -> str:
    """A value with what follows it, without the blanks before it."""
    return line.partition(":")[2].lstrip(" \t")


def roster(text: str | None) -> list[str]:
    """The names of an `agents` value: lower case, each once, none where it is not given."""
    if text is None:
        return list(PAIR)
    names = [name.strip().lower() for name in text.split(",")]
    return list(dict.fromkeys(name for name in names if name))


def is_name(name: str) -> bool:
    """Whether an agent may be called so."""
    is_word = name[:1] in _LETTERS and set(name) <= _NAME and len(name) <= _MAX_NAME
    return bool(name) and is_word and name not in RESERVED


def split(text: str, form: Format = FORMAT) -> Pen | None:
    """The file in its three parts by the first pair of markers; None without one."""
    start = text.find(form.begin)
    if start < 0:
        return None
    start += len(form.begin)
    end = text.find(form.end, start)
    return Pen(text[:start], text[start:end], text[end:]) if end >= 0 else None


def faults(pen: Pen) -> list[Fault]:
    """All that is wrong with the block; empty when it holds."""
    found: list[Fault] = [("twice", key) for key in dict.fromkeys(pen.twice)]
    found += [("missing", key) for key in NEEDED if key not in pen.fields]
    agents = pen.agents
    if len(agents) < 2 or not all(is_name(name) for name in agents):
        found.append(_value(pen, "agents"))
    if "lang" in pen.fields and pen.get("lang").lower() not in LANGS:
        found.append(_value(pen, "lang"))
    turn = pen.get("turn")
    if "turn" in pen.fields and not (turn.isascii() and turn.isdigit() and len(turn) < 10):
        found.append(_value(pen, "turn"))
    if "since" in pen.fields and seconds(pen.get("since")) is None:
        found.append(_value(pen, "since"))
    return found + (_together(pen, agents) if "state" in pen.fields else [])


def _value(pen: Pen, key: str) -> Fault:
    return ("value", key, pen.get(key))


def _together(pen: Pen, agents: list[str]) -> list[Fault]:
    """state, holder and expires (and `integrating`) say one thing, or something is wrong."""
    kind, _, shown = pen.get("state").partition("_")
    owner = next((name for name in agents if name.upper() == shown), "")
    is_held = kind in ("WORKING", "AWAITING")
    if not (owner if is_held else kind in ("IDLE", "PAUSED", "DONE") and not shown):
        return [_value(pen, "state")]
    found: list[Fault] = []
    if "holder" in pen.fields and pen.get("holder").lower() != (owner or "none"):
        found.append(("unfit", "holder", pen.get("holder"), pen.get("state")))
    expires = pen.get("expires")
    is_dated = seconds(expires) is not None
    if "expires" in pen.fields and not (is_dated if kind == "WORKING" else expires == "-"):
        found.append(("unfit", "expires", expires, pen.get("state")))
    if "integrating" in pen.fields and not (
        kind == "WORKING" and _is_sentinel(pen.get("integrating"))
    ):
        found.append(_value(pen, "integrating"))
    return found


def _is_sentinel(text: str) -> bool:
    """`<id>@<7 to 64 hexadecimal digits>`."""
    name, _, commit = text.rpartition("@")
    is_hex = set(commit) <= frozenset("0123456789abcdef") and 7 <= len(commit) <= 64
    plain = name.replace("-", "").replace("_", "")
    return is_hex and plain.isascii() and plain.isalnum() and name[0] not in "-_"


def deadline(pen: Pen) -> int | None:
    """When the window ends by what is written; None outside WORKING."""
    return seconds(pen.get("expires")) if pen.kind == "WORKING" else None


def is_stale(pen: Pen, now: int) -> bool:
    """Whether the window has passed (equal has not). Nobody claims for longer than one TTL:

    an end further away comes of a wrong clock or an edit, and counts from the beginning instead.
    """
    end = deadline(pen)
    if end is None:
        return False
    if end > now + TTL + SKEW:
        since = seconds(pen.get("since")) or 0
        end = since + TTL if since <= now + TTL else 0
    return now > end


def holder(pen: Pen) -> str:
    """The agent that holds the pen or is awaited; "" for none."""
    name = pen.get("holder").lower()
    return "" if name == "none" else name


def instance(pen: Pen) -> str:
    """The token of the open window; "" when it was opened by a program that writes none.

    It begins with the moment of its window: another program leaves the line of an earlier one.
    """
    token = pen.get("pen_id")
    opened = pen.get("since").replace("-", "").replace(":", "")
    return token if pen.kind == "WORKING" and token.startswith(f"{opened}-") else ""


def epoch(pen: Pen) -> int:
    """How many windows were opened by programs that count them."""
    text = pen.get("epoch")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0
