"""What a valid intent file looks like: its front matter and its five sections."""

from __future__ import annotations

from plastic.quickjson import loads
from plastic.rules.intent.artifacts import Body, front_end, heading_of, split_lines
from plastic.rules.intent.names import split, valid_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEYS = ("id", "intent", "sources", "chain", "created", "author", "tags")
REFERENCES = ("sources", "chain")
SECTIONS = ("Intent", "Context", "Outcome", "Insights", "Links")
# Section -> the `###` headings that may stand in it.
INNER: dict[str, tuple[str, ...]] = {"Context": ("Decisions",)}


class Opaque:
    """A value that is there but needs a whole YAML reader: nobody is refused because of it."""

    __slots__ = ()


OPAQUE = Opaque()
_NULLS = ("", "~", "null", "Null", "NULL")
# What starts a value that our reader leaves to YAML: anchors, tags, block scalars, maps.
_HARD = "&*!|>%@`{"


def frontmatter(text: str) -> dict[str, Any] | None:
    """The front matter as strings, lists of strings, None or OPAQUE by key.

    {} = there is none; None = cannot judge (not the plain `key: value` form).
    """
    lines = split_lines(text)
    end = front_end(lines)
    if end == 0:
        return {}
    found: dict[str, Any] = {}
    key = ""
    value: list[str] = []
    for line in [*lines[1 : end - 1], "end:"]:
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if line[0] in " \t" or bare == "-" or bare.startswith("- "):
            if not key:
                return None
            value.append(bare)
            continue
        if key:
            found[key] = _value(value)
        name, colon, rest = bare.partition(":")
        if not colon or (rest and rest[0] not in " \t") or name[:1] in _HARD + "[?":
            return None
        key = name.strip().strip("'\"")
        value = [rest.strip()]
    return found


def _value(parts: list[str]) -> Any:
    """What the lines of one key say; `parts[0]` stood behind the colon."""
    first = _uncommented(parts[0])
    rest = [one for one in parts[1:] if not one.startswith("#")]
    if first.startswith("["):
        return _flow(" ".join([first, *map(_uncommented, rest)]))
    if first:
        return OPAQUE if rest else _scalar(first)
    if not rest:
        return None
    items = [_scalar(_uncommented(one[1:].strip())) for one in rest if one[:2] in ("-", "- ")]
    if len(items) != len(rest):
        return OPAQUE
    return _all_text(items)


def _uncommented(text: str) -> str:
    if text.startswith("#"):
        return ""
    if text[:1] in ('"', "'"):
        end = text.rfind(text[0])
        behind = text[end + 1 :].lstrip()
        return text[: end + 1] if end > 0 and behind.startswith("#") else text
    return text.partition(" #")[0].strip()


def _flow(text: str) -> Any:
    if not text.endswith("]") or "[" in text[1:] or "{" in text or "\\" in text:
        return OPAQUE
    inner = text[1:-1].strip()
    if not inner:
        return []
    return _all_text([_scalar(one.strip()) for one in inner.removesuffix(",").split(",")])


def _all_text(items: list[Any]) -> Any:
    return items if all(isinstance(one, str) for one in items) else OPAQUE


def _scalar(text: str) -> Any:
    """A plain or quoted scalar as text, None for null, OPAQUE for what we do not read."""
    if text in _NULLS:
        return None
    if text[0] == '"':
        try:
            value = loads(text)
        except ValueError:
            return OPAQUE
        return value if isinstance(value, str) else OPAQUE
    if text[0] == "'":
        inner = text[1:-1].replace("''", "")
        if len(text) < 2 or text[-1] != "'" or "'" in inner:
            return OPAQUE
        return text[1:-1].replace("''", "'")
    if text[0] in _HARD or ": " in text or text.endswith(":"):
        return OPAQUE
    return text


def valid_reference(text: str) -> bool:
    """Whether this names an intent as `sources` and `chain` do: an id, or `store:id`."""
    store, colon, id = text.rpartition(":")
    return valid_id(id) and (not colon or store.strip() != "")


def item_of(text: str) -> str | None:
    """The backlog item that this intent delivers; None when it names none."""
    found = (frontmatter(text) or {}).get("item")
    return found if isinstance(found, str) and found else None


def with_item(text: str, item: str) -> str:
    """The text with `item: ID` as the last line of its front matter, instead of another one."""
    lines = text.split("\n")
    end = front_end(lines)
    if end == 0:
        return text
    kept = [one for one in lines[: end - 1] if not one.startswith("item:")]
    return "\n".join([*kept, f'item: "{item}"', *lines[end - 1 :]])


def errors(text: str, name: str) -> list[str]:
    """Everything that makes this text no intent file of the intent called `name`."""
    return _front_errors(frontmatter(text), name) + _section_errors(text)


def _front_errors(front: dict[str, Any] | None, name: str) -> list[str]:
    if front is None:
        return []
    if not front:
        return ["no front matter between `---` lines"]
    found = [f"no `{key}` in the front matter" for key in KEYS if key not in front]
    for key in REFERENCES:
        value = front.get(key)
        if key not in front or value is OPAQUE:
            continue
        if not isinstance(value, list):
            found.append(f"`{key}` is no list")
            continue
        found.extend(
            f"`{key}` holds {one!r}, which is no id" for one in value if not valid_reference(one)
        )
    parts = split(name)
    id = front.get("id")
    if "id" in front and parts is not None and id is not OPAQUE and id != parts[0]:
        found.append(f"`id` is {id!r}, the directory says {parts[0]!r}")
    if "intent" in front and front["intent"] in (None, []):
        found.append("`intent` is empty")
    return found


def _section_errors(text: str) -> list[str]:
    found = []
    seen: list[str] = []
    inside = ""
    body = Body(text)
    start = front_end(body.lines)
    for number, line in body.visible():
        heading = heading_of(line) if number >= start else None
        if heading is None:
            continue
        level, title = heading
        if level == 2:
            inside = title
            if title not in SECTIONS:
                found.append(f"`## {title}` is no section of an intent file")
            elif title in seen:
                found.append(f"`## {title}` stands there twice")
            else:
                seen.append(title)
        elif level == 3 and title not in INNER.get(inside, ()):
            where = f"`## {inside}`" if inside else "the top"
            found.append(f"`### {title}` may not stand in {where}")
    found.extend(f"`## {one}` is missing" for one in SECTIONS if one not in seen)
    if seen != [one for one in SECTIONS if one in seen]:
        found.append("the sections are not in the order " + ", ".join(SECTIONS))
    return found
