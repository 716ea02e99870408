"""Where the pen of a working tree lies: one for each main checkout, or the nearest one upwards.

Hot: the gate asks for it before every edit.
"""

from __future__ import annotations

from plastic.disk.files import is_dir, is_regular, lstat, stat
from plastic.disk.gitdir import common_of, find
from plastic.disk.paths import parent_of, real
from plastic.rules.pen.block import FORMAT, Format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "PLASTIC_PEN"  # another name for the file
BRAND = "PLASTIC_PEN_MARK"  # another word in front of its markers
ROOT = "M8SHIFT_ROOT"  # where another program would look


class Place:
    """One pen: `path` as it is reached, `file` what that is; `common` is "" outside of git."""

    __slots__ = ("common", "file", "folder", "form", "path")

    def __init__(self, folder: str, common: str, form: Format) -> None:
        self.folder = folder
        self.common = common
        self.form = form
        self.path = f"{folder.rstrip('/')}/{form.name}"
        self.file = real(self.path)

    @property
    def is_link(self) -> bool:
        """Whether the file is reached through a link."""
        return self.file != f"{real(self.folder).rstrip('/')}/{self.form.name}"

    def beside(self, name: str) -> str:
        """A file that belongs to the pen: it lies with the file, not with a link to it."""
        return f"{parent_of(self.file).rstrip('/')}/{name}"

    def sibling(self, part: str, ending: str = "md") -> str:
        """`M8SHIFT.archive.md` and the like, absolute."""
        return self.beside(self.form.sibling(part, ending))

    @property
    def hidden(self) -> str:
        """The folder of what is no text for people, `.m8shift`."""
        return self.beside(f".{self.form.name.removesuffix('.md').lower()}")


def form_of(env: Mapping[str, str]) -> Format:
    """Name and markers: the usual ones, or what the environment says."""
    name, brand = env.get(NAME, "").strip(), env.get(BRAND, "").strip()
    if not name and not brand:
        return FORMAT
    return Format(name.replace("/", "_") or FORMAT.name, brand or FORMAT.brand)


def place_of(directory: str, env: Mapping[str, str]) -> Place:
    """The pen that rules a directory, whether its file is there or not."""
    form = form_of(env)
    here = real(directory)
    found = find(here)
    if found is not None:
        return Place(_main(*found), found[1], form)
    folder = here
    while stat(f"{folder.rstrip('/')}/{form.name}") is None and folder != "/":
        folder = parent_of(folder)
    is_there = stat(f"{folder.rstrip('/')}/{form.name}") is not None
    return Place(folder if is_there else here, "", form)


def _main(root: str, common: str) -> str:
    """The main checkout of a repository: the one whose `.git` is the directory itself."""
    dot = lstat(f"{root.rstrip('/')}/.git")
    if dot is None or not is_regular(dot):
        return root
    main = parent_of(common)
    is_main = is_dir(f"{main}/.git") and common_of(main) == common
    return main if is_main else root


def other_root(place: Place, env: Mapping[str, str]) -> str:
    """A second pen that the environment names to another program; "" for none."""
    named = env.get(ROOT, "").strip()
    if not named.startswith("/"):
        return ""
    other = real(f"{named.rstrip('/')}/{place.form.name}")
    return real(named) if other != place.file and stat(other) is not None else ""


def bound_file(place: Place, session: str) -> str:
    """Where it is noted which agent a session is: one small file, so that the gate reads one."""
    name = "".join(
        one if one.isascii() and (one.isalnum() or one in "-_.") else f"%{ord(one):x}"
        for one in session
    )
    return f"{place.hidden}/sessions/s-{name[-200:]}"
