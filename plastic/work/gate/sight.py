"""What one event must know of the world, read once and only when a gate asks for it."""

from __future__ import annotations

import posix
import time

from plastic.disk.compiled import load
from plastic.disk.files import is_dir, names
from plastic.disk.gitdir import common_of, find, linked_branch, pen_root
from plastic.disk.held import places
from plastic.disk.lockfile import look
from plastic.disk.paths import is_below, real
from plastic.rules.intent.names import BRANCH_PREFIX, PEN, WORKTREES, split
from plastic.words import Intent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.disk.compiled import Config
    from plastic.disk.home import Home, Place
    from plastic.words import Change, Lock, LockView, ToolUse
    from plastic.work.gate.command import Shell


class Grip:
    """A held lock: its intent, one look at it, and whether it admits the session of the event.

    `tree` is the real path of the worktree that the lock names, provisioned or not; "" = none.
    """

    __slots__ = ("intent", "is_provisioned", "mine", "tree", "view")

    def __init__(self, intent: Intent, view: LockView, *, mine: bool) -> None:
        self.intent = intent
        self.view = view
        self.mine = mine
        self.tree = ""
        self.is_provisioned = False


class Written:
    """One path that the event writes, by what it IS.

    `intent` is the intent whose directory or worktree it lies in, `tree` that worktree, `rest`
    the path inside the intent's directory (None when it lies in none), `inside` the intents that
    a removal takes along.
    """

    __slots__ = ("change", "inside", "intent", "path", "place", "rest", "tree")

    def __init__(self, change: Change, path: str, place: Place | None) -> None:
        self.change = change
        self.path = path
        self.place = place
        self.intent: Intent | None = None
        self.rest: str | None = None
        self.tree = ""
        self.inside: list[Intent] = []

    @property
    def begins(self) -> bool:
        """Whether a document is written whose start the ledger keeps."""
        return self.rest in ("spec.md", "plan.md") and self.change.op == "write"

    @property
    def is_intent_file(self) -> bool:
        """Whether new content is given to `<id>--<slug>.md` of an intent."""
        if self.intent is None or self.change.op == "remove":
            return False
        return self.rest == f"{self.intent.name}.md"


class Sight:
    """The home and the event; everything else is looked up on demand and kept."""

    __slots__ = (
        "_config",
        "_grips",
        "_reals",
        "_repos",
        "_views",
        "claims",
        "home",
        "now",
        "session",
        "shell",
        "use",
    )

    def __init__(self, home: Home, use: ToolUse) -> None:
        self.home = home
        self.use = use
        self.now = time.time()
        self.session = use.session or _variable(b"CLAUDE_CODE_SESSION_ID")
        self.shell: Shell | None = None  # what a shell command does, once it was read
        self._config: Config | None = None
        self._grips: list[Grip] | None = None
        self._views: dict[str, Grip] = {}
        self._reals: dict[str, str] = {}
        self._repos: dict[str, tuple[str, str] | None] = {}
        self.claims: list[str] = []  # claim files that this event's writer holds

    @property
    def call(self) -> str:
        """What makes the end of a call the end of this one."""
        use = self.use
        return use.call or f"{use.tool} {use.command or [one.path for one in use.changes]}"

    def config(self) -> Config:
        if self._config is None:
            self._config = load(self.home)
        return self._config

    def variable(self, name: str) -> str:
        """A variable of the environment, "" when it is not set."""
        return _variable(name.encode())

    def mode(self, project: str | None, gate: str) -> str:
        """How strict a gate with a switch is for a project: enforce, advise or off."""
        return self.config().mode(project, gate, self.now)

    def grips(self) -> list[Grip]:
        """Every held lock of the home; the links in held/ name them, the lock files decide."""
        if self._grips is None:
            found = [self.grip(intent_of(place)) for place in places(self.home)]
            self._grips = [grip for grip in found if grip.view.state != "none"]
        return self._grips

    def grip(self, intent: Intent) -> Grip:
        """One look at the lock of an intent, held or not."""
        kept = self._views.get(intent.dir)
        if kept is None:
            view = look(f"{intent.dir}/delivery.lock", self.now)
            mine = view.lock is not None and self.admits(view.lock, intent)
            kept = self._views[intent.dir] = Grip(intent, view, mine=mine)
            if view.lock is not None:
                self._find_tree(kept, view.lock)
        return kept

    def _find_tree(self, grip: Grip, lock: Lock) -> None:
        """The lock's worktree as it is: a repository may be registered by a path with a link."""
        tree = lock.raw.get("worktree")
        path = tree.get("path") if isinstance(tree, dict) else None
        if not isinstance(path, str) or not path.startswith("/") or "\0" in path:
            return
        parent, _, name = path.rstrip("/").rpartition("/")
        if name in ("", ".", "..") or is_below(grip.intent.dir, path):
            return  # "/" would make every file of the machine somebody's worktree
        if parent not in self._reals:
            self._reals[parent] = real(parent)
        grip.tree = f"{self._reals[parent].rstrip('/')}/{name}"
        grip.is_provisioned = isinstance(tree, dict) and tree.get("provisioned") is True

    def known(self) -> list[Grip]:
        """The held locks, and those met at a target although no link names them."""
        self.grips()
        return list(self._views.values())

    def admits(self, lock: Lock, intent: Intent) -> bool:
        """Whether the event's session is the owner or a delegate."""
        if self.session:
            return lock.authorizes(self.session)
        return self.key(lock, intent) == lock.owner

    def key(self, lock: Lock, intent: Intent) -> str:
        """The session of this event for this lock: without any, the key derived from the intent."""
        if self.session or not lock.owner.startswith("auto-"):
            return self.session
        from plastic.disk.session import derived

        return derived(self.home.root, intent.id).session

    def mine(self) -> list[Grip]:
        """The held locks that admit this session, fresh or not."""
        return [grip for grip in self.grips() if grip.mine]

    def repo(self, path: str) -> tuple[str, str] | None:
        """Root and common directory of the repository of a path that need not exist yet."""
        if path not in self._repos:
            self._repos[path] = find(path)
        return self._repos[path]

    def pen_root(self, path: str) -> tuple[str, str] | None:
        """The tree with a pen that a path lies in, and its common directory ("" outside of git)."""
        name = _variable(b"PLASTIC_PEN").replace("/", "_") or PEN
        return pen_root(path, self.repo(path), name)

    def is_active(self, intent: Intent) -> bool | None:
        from plastic.disk.active import is_active

        return is_active(self.home, intent.project, intent.id)

    def place(self, change: Change) -> list[Written]:
        """What a change writes. A link counts as itself and as what it leads to."""
        path = change.path
        if path.startswith("~/"):
            path = _variable(b"HOME").rstrip("/") + path[1:]
        found: list[Written] = []
        for one in spellings(storable(path)):
            written = Written(change, one, self.home.locate(one))
            self._find_intent(written)
            if change.op == "remove":
                self._find_inside(written)
            elif change.op not in ("write", "git"):
                self._find_near(written)
            found.append(written)
        return found

    def _find_intent(self, written: Written) -> None:
        place = written.place
        if place is not None:
            if place.kind == "intent":
                written.intent = intent_of(place)
                written.rest = place.rest
            return
        path = written.path
        try:
            grips = self.grips()
        except OSError:
            grips = []  # without held/ the usual places are still known; the gates say what broke
        for grip in grips:
            if grip.tree and is_below(path, grip.tree):
                written.intent, written.tree = grip.intent, grip.tree
                return
        self._find_registered(written)

    def _find_registered(self, written: Written) -> None:
        """The worktree of an intent that nobody holds, or that lies elsewhere than its lock says.

        It is known by its usual place in a registered repository, there or not, else by the branch
        that is checked out in it.
        """
        mark = f"/{WORKTREES}/"
        path = written.path
        for project in self.config().projects.values():
            if project.common and path.startswith(f"{project.common}/"):
                from plastic.work.gate.gitplace import owner_of

                trees = {grip.tree: grip.intent.name for grip in self._views.values()}
                name, tree = owner_of(path[len(project.common) + 1 :], project.common, trees)
                if split(name) is not None:
                    self._find_named(written, name, tree, "", project.common)
                return
        start = path.find(mark)
        while start >= 0 and written.intent is None:
            root = path[:start]
            name = path[start + len(mark) :].partition("/")[0]
            if split(name) is not None:
                self._find_named(written, name, root + mark + name, root, common_of(root))
            start = path.find(mark, start + 1)
        repo = self.repo(path) if written.intent is None and self.config().projects else None
        if repo is not None:
            name = linked_branch(repo[0]).removeprefix(f"refs/heads/{BRANCH_PREFIX}")
            if split(name) is not None:
                self._find_named(written, name, repo[0], "", repo[1])

    def _find_named(
        self, written: Written, name: str, tree: str, root: str, shared: str | None
    ) -> None:
        """Take `tree` for the worktree of `name` when a project with it has this repository."""
        for project in self.config().projects.values():
            if root == real(project.path) or (shared and shared == project.common):
                intent = self._intent(project.slug, name)
                if intent is not None:
                    written.intent, written.tree = intent, tree
                    return

    def _intent(self, project: str | None, name: str) -> Intent | None:
        """The intent of this name when its directory is there."""
        parts = split(name)
        directory = f"{self.home.store(project)}/{name}"
        if parts is None or not is_dir(directory):
            return None
        return Intent(parts[0], parts[1], directory, project)

    def _find_inside(self, written: Written) -> None:
        """The intents whose directory or worktree a removal of this path would take along."""
        path = written.path
        for grip in self.grips():
            trees = [grip.intent.dir, grip.tree] if grip.tree else [grip.intent.dir]
            if any(one != path and is_below(one, path) for one in trees):
                written.inside.append(grip.intent)
        for project in self.config().projects.values():
            trees_dir = f"{real(project.path)}/{WORKTREES}"
            if is_below(trees_dir, path):
                for name in names(trees_dir):
                    intent = self._intent(project.slug, name)
                    if intent is not None:
                        written.inside.append(intent)

    def _find_near(self, written: Written) -> None:
        """The intents that a write of unknown names below this path is likely to reach.

        In the home that is all below; of a repository it is not the worktrees that lie deep in it,
        or nobody could unpack an archive or stash beside them.
        """
        path = written.path
        for grip in self.grips():
            own = is_below(path, self.home.root) and is_below(grip.intent.dir, path)
            beside = grip.tree.rpartition("/")[0] == path and written.change.op == "below"
            if written.intent is None and (own or beside):
                written.inside.append(grip.intent)


def intent_of(place: Place) -> Intent:
    """The intent behind a place inside its directory."""
    id, _, slug = place.name.partition("--")
    return Intent(id, slug, place.intent, place.project)


def spellings(path: str) -> list[str]:
    """Every place that this spelling may mean, real paths without repetition.

    What it leads to; the place of a last name that is a link; and with `..` in it the place that
    a runtime reaches that takes `..` out of the text before it asks the kernel.
    """
    found = [real(path)]
    texts = [path]
    if "/.." in path:
        texts.append(_lexical(path))
        found.append(real(texts[1]))
    for text in texts:
        parent, _, name = text.rstrip("/").rpartition("/")
        if name not in ("", ".", ".."):
            found.append(f"{real(parent or '/').rstrip('/')}/{name}")
    return list(dict.fromkeys(found))


def _lexical(path: str) -> str:
    done: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del done[-1:]
        elif part not in ("", "."):
            done.append(part)
    return "/" + "/".join(done)


def storable(path: str) -> str:
    """Lone surrogates as the runtime of a harness writes them: U+FFFD."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in path)
    return path


def _variable(name: bytes) -> str:
    return posix.environ.get(name, b"").decode("utf-8", "surrogateescape").strip()
