"""Our hook tables in Codex's config.toml, where a person keeps hooks there instead of hooks.json.

Codex warns at every start when a folder has both. Ours stand in one block at the end of the file,
between two comments: to take the block out is to have the bytes of before. Where a tool has laid
the file out anew, the tables are found by what they say.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from plastic.harness.codex_settings import EVENTS, FORM, STRICT, command
from plastic.harness.entry import ABSENT, INSTALLED, OTHER, is_ours
from plastic.harness.jsontext import JsonError

__all__ = ("STRICT", "command", "has_hooks", "has_ours", "installed", "removed", "state")
BEGIN = "# plastic: the hooks of `plastic install codex`"
END = "# plastic: end of its hooks"
_BLOCK = re.compile(rf"(\r?\n){re.escape(BEGIN)}\r?\n.*?{re.escape(END)}\r?\n", re.DOTALL)
_LINE = re.compile(r"at line (\d+)")


def has_hooks(text: str) -> bool:
    """Whether a config.toml holds hooks itself; what it trusts (`hooks.state`) is none."""
    hooks = _table(text).get("hooks")
    return isinstance(hooks, dict) and bool(set(hooks) - {"state"})


def has_ours(text: str) -> bool:
    """Whether ours are among them."""
    return bool(_ours(_table(text)))


def state(text: str | None, line: str, *, strict: bool) -> str:
    """What stands in the file: exactly our tables, others of ours, or none."""
    found = _ours(_table(text or ""))
    if not found:
        return ABSENT
    wanted = [(event, FORM.entry(event, line, strict=strict)) for event in EVENTS]
    return INSTALLED if sorted(found, key=str) == sorted(wanted, key=str) else OTHER


def installed(text: str | None, line: str, *, strict: bool) -> str:
    """The file with our tables in one block at its end."""
    text = text or ""
    if state(text, line, strict=strict) == INSTALLED:
        return text
    base = removed(text)
    new = base + _block(line, "\r\n" if "\r\n" in base else "\n", strict=strict)
    try:
        tomllib.loads(new)
    except tomllib.TOMLDecodeError:
        raise JsonError(base, 0, "its `hooks` can take no further tables") from None
    return new


def removed(text: str) -> str:
    """The file as it was without us."""
    _table(text)
    text = _BLOCK.sub(_between, text)
    return _picked(text) if has_ours(text) else text


def _between(block: re.Match[str]) -> str:
    """What stays in the place of the block: a line end, where lines would be joined else."""
    text, start = block.string, block.start()
    is_joint = block.end() < len(text) and start > 0 and text[start - 1] != "\n"
    return block[1] if is_joint else ""


def _block(line: str, newline: str, *, strict: bool) -> str:
    lines = ["", BEGIN]
    for event in EVENTS:
        (handler,) = FORM.entry(event, line, strict=strict)["hooks"]
        lines += [f"[[hooks.{event}]]", f"[[hooks.{event}.hooks]]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in handler.items()]
    return newline.join([*lines, END, ""])


def _table(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        number = _LINE.search(said)
        at = (
            len("".join(text.splitlines(keepends=True)[: int(number[1]) - 1]))
            if number
            else len(text)
        )
        raise JsonError(text, at, said.partition(" (at ")[0].lower()) from None


def _ours(table: dict[str, Any]) -> list[tuple[str, Any]]:
    """(event, group) of each hook of ours."""
    hooks = table.get("hooks")
    found: list[tuple[str, Any]] = []
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for handler in handlers if isinstance(handlers, list) else ():
                if isinstance(handler, dict) and is_ours(handler.get("command"), "codex"):
                    found.append((event, group))
    return found


def _picked(text: str) -> str:
    """Take ours out one by one, and what is empty then; every other table keeps its text."""
    import tomlkit

    wanted = _table(text)
    _take(wanted)
    new = _cut(text)
    if tomllib.loads(new) != wanted:
        document = tomlkit.parse(text)
        _take(document)
        new = tomlkit.dumps(document)
    if tomllib.loads(new) != wanted:
        at = text.find("hooks/gate' codex")
        raise JsonError(text, max(at, 0), "this hook of plastic has to be taken out by hand")
    return new


def _cut(text: str) -> str:
    """The text without the tables that are ours, where each has a header of its own."""
    chunks = re.split(r"(?m)^(?=[ \t]*\[)", text)
    kept: list[str] = []
    for number, chunk in enumerate(chunks):
        header = re.match(r"\[\[hooks\.(\w+)\.hooks\]\]", chunk)
        if header is None or "hooks/gate' codex" not in chunk:
            kept.append(chunk)
            continue
        group = f"[[hooks.{header[1]}]]"
        after = "".join(chunks[number + 1 : number + 2])
        if kept and kept[-1].strip() == group and not after.startswith(header[0]):
            kept.pop()
        # Comments at the end of a table belong to the next one.
        rest = re.search(r"(?:^[ \t]*(?:#.*)?\r?\n)*\Z", chunk, re.MULTILINE)
        kept.append(rest[0] if rest else "")
    return "".join(kept)


def _take(document: Any) -> None:
    """The same in a parsed file, whoever parsed it."""
    hooks = document["hooks"]
    for event in {event for event, _ in _ours(document)}:
        groups = hooks[event]
        for index in reversed(range(len(groups))):
            handlers = groups[index].get("hooks", [])
            mine = [n for n, one in enumerate(handlers) if is_ours(one.get("command"), "codex")]
            for number in reversed(mine):
                del handlers[number]
            if mine and not handlers:
                del groups[index]
        if not groups:
            del hooks[event]
    if not hooks:
        del document["hooks"]
