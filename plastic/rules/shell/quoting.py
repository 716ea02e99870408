"""Quotes, escapes and braces of a shell text, and quoting a word again."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY, CLOSE, COMMA, ONE, OPEN, STAR

# A text of only these stands for itself, unquoted as well.
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+="
_MARKS = {"*": STAR, "?": ONE, "{": OPEN, ",": COMMA, "}": CLOSE}
_ANSI = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_HEX = "0123456789abcdefABCDEF"
_OCTAL = "01234567"
# How many words one brace expansion may make before it is a pattern.
_MOST_WORDS = 64


def unquoted(text: str) -> str:
    """A bare part of a word: escapes removed, globs and braces marked."""
    if not text.strip(PLAIN) and "," not in text:
        return text
    kept = []
    at = 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter == "\\":
            kept.append(text[at : at + 1])
            at += 1
        elif letter == "[" and (end := _bracket(text, at)) > 0:
            kept.append(ONE)
            at = end
        else:
            kept.append(_MARKS.get(letter, letter))
    return "".join(kept)


def _bracket(text: str, at: int) -> int:
    """Where the text goes on behind a bracket that opened before `at`; 0 = it is no bracket."""
    end = text.find("]", at + (2 if text[at : at + 1] in ("!", "^") else 1))
    return end + 1 if end > at and "/" not in text[at:end] else 0


def escaped(text: str, before: str) -> str:
    """The text without the backslashes that stand before one of these characters."""
    if "\\" not in text:
        return text
    kept = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] and text[at + 1] in before:
            at += 1
            if text[at] == "\n":
                at += 1
                continue
        kept.append(text[at])
        at += 1
    return "".join(kept)


def ansi(text: str) -> str:
    r"""The text of `$'...'`."""
    kept = []
    at = 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter != "\\" or at >= len(text):
            kept.append(letter)
            continue
        letter = text[at]
        at += 1
        if letter in _ANSI:
            kept.append(_ANSI[letter])
        elif letter in "xuU":
            digits = _digits(text, at, {"x": 2, "u": 4, "U": 8}[letter], _HEX)
            at += len(digits)
            code = int(digits, 16) if digits else 0
            kept.append(chr(code) if 0 < code < 0x110000 else ANY)
        elif letter in _OCTAL:
            digits = _digits(text, at - 1, 3, _OCTAL)
            at += len(digits) - 1
            kept.append(chr(int(digits, 8) & 0xFF))
        elif letter == "c":
            kept.append(chr(ord(text[at : at + 1] or "@") & 0x1F))
            at += 1
        else:
            kept.append(letter if letter in "\\'\"?" else "\\" + letter)
    return "".join(kept)


def _digits(text: str, at: int, most: int, of: str) -> str:
    end = at
    while end < len(text) and end - at < most and text[end] in of:
        end += 1
    return text[at:end]


def plain_braces(text: str) -> str:
    """Braces that expand nothing stand for themselves."""
    if text.isascii():
        return text
    return text.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}")


def braces(text: str) -> list[str]:
    """The words of a brace expansion; what would be too many is one pattern."""
    if OPEN not in text:
        return [plain_braces(text)]
    made = [text]
    for _ in range(_MOST_WORDS):
        at, parts, end = _first(made)
        if at < 0:
            return [plain_braces(word) for word in made]
        word = made[at]
        start = word.rindex(OPEN, 0, end)
        made[at : at + 1] = [word[:start] + part + word[end + 1 :] for part in parts]
        if len(made) > _MOST_WORDS:
            break
    return [text[: text.index(OPEN)] + ANY]


def _first(words: list[str]) -> tuple[int, list[str], int]:
    """The innermost braces that expand: which word, into what, and where they end."""
    for at in range(len(words)):
        word = words[at]
        end = word.find(CLOSE)
        while end >= 0:
            start = word.rfind(OPEN, 0, end)
            if start >= 0 and (parts := _parts(word[start + 1 : end])):
                return at, parts, end
            # Braces around one word are characters: they stop being looked at.
            words[at] = word = _without(word, start, end)
            end = word.find(CLOSE)
    return -1, [], 0


def _without(word: str, start: int, end: int) -> str:
    if start < 0:
        return word[:end] + "}" + word[end + 1 :]
    return f"{word[:start]}{{{word[start + 1 : end]}}}{word[end + 1 :]}"


def _parts(inner: str) -> list[str]:
    """What stands between the braces, taken apart; [] when they expand nothing."""
    if COMMA in inner:
        return inner.split(COMMA)
    ends = inner.split("..")
    if len(ends) not in (2, 3) or not all(ends):
        return []
    try:
        first, last = int(ends[0]), int(ends[1])
        step = abs(int(ends[2])) if len(ends) == 3 else 1
    except ValueError:
        return [STAR] if len(ends[0]) == len(ends[1]) == 1 else []
    if abs(last - first) // (step or 1) >= _MOST_WORDS:
        return [STAR]
    width = max(len(end) for end in ends[:2]) if "0" in (ends[0][:1], ends[1][:1]) else 0
    way = (step or 1) if last >= first else -(step or 1)
    return [str(one).zfill(width) for one in range(first, last + (1 if way > 0 else -1), way)]


def quoted(word: str) -> str:
    """The word so that a shell reads it as one."""
    if word and not word.strip(PLAIN):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
