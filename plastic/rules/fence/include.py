"""The two lines in `.git/config` that give one worktree its own hooks; all other bytes stay."""

from __future__ import annotations

CONFIG = "plastic.config"  # in git's directory of the worktree, beside the hooks that it names
HOOKS = "plastic-hooks"
_START = b'[includeIf "gitdir:./worktrees/'
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")


def block(name: str) -> bytes:
    """The section for the worktree that git keeps as `worktrees/<name>`, without a last newline.

    A slash behind the name would never match.
    """
    # A pattern of wildmatch, inside of a quoted word of git's configuration.
    pattern = "".join(f"\\{one}" if one in "*?[\\" else one for one in name)
    value = f"worktrees/{name}/{CONFIG}"
    if not _PLAIN.issuperset(value):
        value = f'"{_escaped(value)}"'
    text = f'[includeIf "gitdir:./worktrees/{_escaped(pattern)}"]\n\tpath = {value}'
    return text.encode("utf-8", "surrogateescape")


def hooks_config(folder: str) -> str:
    """The file that is included: where this worktree's hooks lie."""
    return f'[core]\n\thooksPath = "{_escaped(folder)}"\n'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def added(text: bytes, name: str) -> bytes:
    """The configuration with the section, at the end: there it wins over every other hooksPath.

    Without a last newline in the text there is none behind the section either, so that taking it
    away gives back the very same bytes.
    """
    if has(text, name):
        return text
    section = block(name)
    return text + section + b"\n" if not text or text.endswith(b"\n") else text + b"\n" + section


def dropped(text: bytes, name: str) -> bytes:
    """The configuration without the section."""
    at = _find(text, block(name))
    while at >= 0:
        end = at + len(block(name))
        # At the very end it is the newline before it that came with it.
        text = text[:at] + text[end + 1 :] if end < len(text) else text[: max(at - 1, 0)]
        at = _find(text, block(name))
    return text


def has(text: bytes, name: str) -> bool:
    """Whether the section is there, whole."""
    return _find(text, block(name)) >= 0


def _find(text: bytes, section: bytes) -> int:
    """Where the section stands as lines of its own; -1 = nowhere."""
    at = text.find(section)
    while at >= 0:
        end = at + len(section)
        starts = at == 0 or text[at - 1 : at] == b"\n"
        if starts and text[end : end + 1] in (b"", b"\n"):
            return at
        at = text.find(section, at + 1)
    return -1


def included(text: bytes) -> list[str]:
    """The worktrees, by git's name for them, that have a section of ours here."""
    found = []
    for line in text.split(b"\n"):
        if line.startswith(_START) and line.endswith(b'"]'):
            pattern = line[len(_START) : -2].decode("utf-8", "surrogateescape")
            name = _plain(_plain(pattern))
            if has(text, name):
                found.append(name)
    return list(dict.fromkeys(found))


def _plain(text: str) -> str:
    """A text without its backslashes that escape."""
    found, at = [], 0
    while at < len(text):
        at += text[at] == "\\" and at + 1 < len(text)
        found.append(text[at])
        at += 1
    return "".join(found)
