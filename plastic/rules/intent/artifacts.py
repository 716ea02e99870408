"""What a lifecycle document says: whether it is real, and which boxes are open."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PLACEHOLDER = "<!-- plastic:placeholder -->"
HEAD = 4096  # characters that are looked at before a whole text is
_OPEN = "<!--"
_CLOSE = "-->"
_BLANK = " \t\u00a0\ufeff"
_RULES = frozenset("-=*_>|+ \t")  # a line of these alone decorates, it says nothing


def split_lines(text: str) -> list[str]:
    """The lines of a text without their ends; only CR and LF end a line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff").split("\n")


def fence_of(line: str) -> str:
    """The run of ``` or ~~~ that a line starts with, "" when it starts none."""
    text = line.lstrip(" \t")
    mark = text[:1]
    if mark not in ("`", "~") or not text.startswith(mark * 3):
        return ""
    run = mark * (len(text) - len(text.lstrip(mark)))
    # A backtick fence cannot carry a backtick behind its run: that is inline code.
    return "" if mark == "`" and "`" in text[len(run) :] else run


def _closes(line: str, run: str) -> bool:
    text = line.strip(" \t")
    return len(text) >= len(run) and not text.strip(run[0])


def _last_closers(lines: list[str]) -> tuple[dict[str, int], int]:
    """Where the last closing fence of each kind and length and the last comment end stand."""
    fences: dict[str, int] = {}
    comment = -1
    for number, line in enumerate(lines):
        if _CLOSE in line:
            comment = number
        run = fence_of(line)
        if run and _closes(line, run):
            for length in range(3, min(len(run), 64) + 1):
                fences[run[0] * length] = number
    return fences, comment


class Body:
    """The lines of a Markdown text, sorted into what a reader sees and what is hidden.

    `kinds[n]` is "text", "fence" (a marker), "code" (inside a fence) or "comment"; `lines[n]` is
    the line without its comments. A fence or comment that never ends hides nothing: one stray
    ``` in an INDEX must not make every intent below it look inactive.
    """

    __slots__ = ("kinds", "lines")

    def __init__(self, text: str) -> None:
        self.lines = split_lines(text)
        self.kinds = ["text"] * len(self.lines)
        if "```" in text or "~~~" in text or _OPEN in text:
            self._sort()

    def _sort(self) -> None:
        fences, last_comment = _last_closers(self.lines)
        fence = ""
        comment = False
        for number, line in enumerate(self.lines):
            if fence:
                closed = _closes(line, fence)
                self.kinds[number] = "fence" if closed else "code"
                fence = "" if closed else fence
                continue
            if not comment:
                run = fence_of(line)[:64]
                if run and fences.get(run, -1) > number:
                    self.kinds[number] = "fence"
                    fence = run
                    continue
            comment = self._uncomment(number, last_comment, inside=comment)

    def _uncomment(self, number: int, last_comment: int, *, inside: bool) -> bool:
        """Take the comments out of one line; True when one goes on in the next."""
        line = self.lines[number]
        rest = line
        found = inside
        while True:
            if inside:
                _, closed, rest = rest.partition(_CLOSE)
                if not closed:
                    rest = ""
                    break
                inside = False
            start = rest.lstrip(_BLANK)
            if not start.startswith(_OPEN):
                break
            if _CLOSE not in start[len(_OPEN) :] and last_comment <= number:
                break
            rest = start[len(_OPEN) :]
            inside = found = True
        if found:
            self.lines[number] = rest
            if not rest.strip(_BLANK):
                self.kinds[number] = "comment"
        return inside

    def visible(self) -> Iterator[tuple[int, str]]:
        """Number and text of each line outside of fences and comments."""
        for number, kind in enumerate(self.kinds):
            if kind == "text":
                yield number, self.lines[number]


def body_lines(text: str) -> Iterator[str]:
    """The lines outside of code fences and comments."""
    for _, line in Body(text).visible():
        yield line


def heading_of(line: str) -> tuple[int, str] | None:
    """Level and title of a `#` heading; None for any other line."""
    text = line.lstrip("\ufeff")
    if not text.lstrip(" ").startswith("#") or len(text) - len(text.lstrip(" ")) > 3:
        return None
    text = text.strip(_BLANK)
    level = len(text) - len(text.lstrip("#"))
    title = text[level:]
    if level > 6 or (title and title[0] not in _BLANK):
        return None
    title = title.strip(_BLANK)
    bare = title.rstrip("#")
    if not bare or bare[-1] in _BLANK:  # `## Title ##`: the closing run is no title
        title = bare.strip(_BLANK)
    return level, title


def has_heading(text: str, heading: str) -> bool:
    """Whether this heading (`## Intent`) stands in the text, outside of fences and comments."""
    wanted = heading_of(heading)
    return any(heading_of(line) == wanted for line in body_lines(text))


def front_end(lines: list[str]) -> int:
    """The number of the first line behind the front matter; 0 when there is none."""
    if lines[0].rstrip(_BLANK) != "---":
        return 0
    for number in range(1, len(lines)):
        if lines[number].rstrip(_BLANK) in ("---", "..."):
            return number + 1
    return 0


def _plain_head(text: str) -> list[str]:
    """Whole lines at the top that are visible beyond doubt: no fence or comment before them.

    Gates ask about documents for every edit of code, and the first lines usually answer.
    """
    head = text[:HEAD]
    lines = head.split("\n")
    if "\r" in head or head.startswith(("\ufeff", "---")):
        return []
    if len(head) == HEAD:
        lines.pop()
    for number, line in enumerate(lines):
        if _OPEN in line or "```" in line or "~~~" in line:
            return lines[:number]
    return lines


def real(text: str) -> bool:
    """Whether a document says anything: front matter, headings, comments and rules do not.

    Unlike elsewhere a comment that never ends hides the rest: what nobody sees is not written.
    """
    lines = _plain_head(text)
    for number in range(len(lines) - 1):  # what stands below decides, so the last one waits
        line = lines[number].strip(_BLANK)
        below = lines[number + 1].strip(_BLANK)
        underlined = below != "" and not below.strip("=")
        if line and line[0] != "#" and not underlined and not _RULES.issuperset(line):
            return True
    return _real(text)


def _real(text: str) -> bool:
    body = Body(text)
    for number in range(front_end(body.lines), len(body.lines)):
        line = body.lines[number].strip(_BLANK)
        kind = body.kinds[number]
        if not line or line == PLACEHOLDER or kind in ("fence", "comment"):
            continue
        if kind == "code":
            return True
        if line.startswith(_OPEN):
            return False
        if not (heading_of(line) or _RULES.issuperset(line) or _underlined(body, number)):
            return True
    return False


def _underlined(body: Body, number: int) -> bool:
    """Whether the next line is the `===` that makes this one a heading."""
    below = body.lines[number + 1].strip(_BLANK) if number + 1 < len(body.lines) else ""
    return below != "" and not below.strip("=")


def box_of(line: str) -> str:
    """The mark of a list item's box: "x" or " "; "" when the line has none."""
    text = line.lstrip(_BLANK + ">")
    while text[:1] in ("-", "*", "+") or text[:1].isdecimal():
        rest = text[1:] if not text[0].isdecimal() else text.lstrip("0123456789")
        if text[0].isdecimal():
            if rest[:1] not in (".", ")") or not text[0].isascii():
                return ""
            rest = rest[1:]
        if rest[:1] not in (" ", "\t", "\u00a0"):
            return ""
        text = rest.lstrip(_BLANK)
        if text[:1] == "[" and text[2:3] == "]" and text[3:4] != "(":
            mark = text[1]
            return " " if mark in _BLANK else "x" if mark in "xX" else ""
    return ""


def open_boxes(text: str) -> int:
    """How many boxes are not ticked, at any indentation, outside of fences and comments."""
    return sum(1 for line in body_lines(text) if "[" in line and box_of(line) == " ")


def has_box(text: str) -> bool:
    """Whether there is any box, ticked or not."""
    for line in _plain_head(text):
        if "[" in line and box_of(line) != "":
            return True
    return any("[" in line and box_of(line) != "" for line in body_lines(text))
