"""JSON for the hook: the C scanner that `json` itself uses, without the 8 ms that `json` costs.

`_json.make_scanner` is private. Everything it does not accept at once is given to `json`, which
decides; so the answer is always that of `json.loads`.
"""

from __future__ import annotations

import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t\n\r"
# No JSON, but what `json` writes and reads: a file with one must stay readable when rewritten.
_FLOATS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


class _Context:
    """What the scanner asks its caller for."""

    __slots__ = ("memo",)
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = None

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}


_scan: Any = _json.make_scanner(_Context())  # type: ignore[arg-type] # typeshed names itself


def loads(data: bytes | str) -> Any:
    """The value of a JSON text; ValueError when it is none."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        start = len(text) - len(text.lstrip(_SPACE))
        value, end = _scan(text, start)
        if not text[end:].strip(_SPACE):
            return value
    except Exception:
        pass
    return _slow(data)


def _slow(data: bytes | str) -> Any:
    import json

    try:
        return json.loads(data)
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error


def dumps(value: Any) -> str:
    """JSON text of strings, numbers, booleans, None, lists and dicts with string keys."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _json.encode_basestring_ascii(value)
    if isinstance(value, float):
        return _FLOATS.get(str(value)) or repr(value)
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([dumps(one) for one in value]) + "]"
    pairs = [f"{dumps(str(key))}: {dumps(one)}" for key, one in value.items()]
    return "{" + ", ".join(pairs) + "}"
