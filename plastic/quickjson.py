"""JSON for the hook: the C code that `json` itself uses, without the 8 ms that `json` costs.

`_json` is private. Everything that it does not do at once is given to `json`, which decides; so the
answer is always that of `json.loads` and `json.dumps`.
"""

from __future__ import annotations

import _json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SPACE = " \t\n\r"


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
_escaped = _json.encode_basestring_ascii
# As `json.JSONEncoder` has it: no search for cycles, no default, no indent, no sorting, no skipped
# keys, but NaN: a file with one must stay readable when rewritten.
_make: Any = _json.make_encoder
_encode: Any = _make(None, None, _escaped, None, ": ", ", ", *(False, False, True))


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
    try:
        return "".join(_encode(value, 0))
    except Exception:
        import json

        return json.dumps(value)
