"""Runs git: the only code that starts it. What git answers is judged by the caller, by the world.

GitPython does the running. It is imported on first use, because it costs more than most commands.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, cast

from plastic.disk.gitenv import dropped
from plastic.disk.process import Out, decoded, finish
from plastic.words import Broken

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from plastic.disk.process import Child

OLDEST = (2, 38)  # merge-tree --write-tree
ZERO = "0" * 40
TIMEOUT = 60.0
TIMED_OUT = 124
FIXED = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}
READING = {"GIT_OPTIONAL_LOCKS": "0"}
_PIPE = -1  # subprocess.PIPE, without importing what disk/process.py alone may import
_checked: set[str] = set()


class Git:
    """git in one directory."""

    __slots__ = ("cwd",)

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd

    def run(
        self,
        *args: str,
        ok: Collection[int] | None = (0,),
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
        timeout: float = TIMEOUT,
        quiet: bool = False,
        keep: tuple[int, ...] = (),
    ) -> Out:
        """Run one git command; Broken unless its exit code is in `ok` (None: any).

        `env` is added to the scrubbed environment; `quiet` = take no optional lock; `keep` are
        descriptors that git holds as long as it lives, also when we are killed before it ends.
        """
        extra = {**(READING if quiet else {}), **(env or {})}
        rc, out, err = self._run(args, extra, stdin, timeout, keep)
        return self._judged(args, Out(rc, decoded(out), decoded(err)), ok)

    def raw(
        self,
        *args: str,
        ok: Collection[int] | None = (0,),
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
        timeout: float = TIMEOUT,
    ) -> bytes:
        """stdout of a reading command byte for byte, for `-z` output and file contents."""
        rc, out, err = self._run(args, {**READING, **(env or {})}, stdin, timeout)
        self._judged(args, Out(rc, "", decoded(err)), ok)
        return out

    def paths(self, *args: str, timeout: float = TIMEOUT) -> list[str]:
        """The paths that a reading command lists with `-z`."""
        text = decoded(self.raw(*args, timeout=timeout))
        return [path for path in text.split("\0") if path]

    def read(self, *args: str, ok: Collection[int] | None = (0,), timeout: float = TIMEOUT) -> str:
        """stdout of a reading command, stripped; takes no optional lock."""
        return self.run(*args, ok=ok, timeout=timeout, quiet=True).out.strip()

    def says(self, *args: str) -> str | None:
        """`read`, but None when git answers with any other exit code than 0."""
        found = self.run(*args, ok=None, quiet=True)
        return found.out.strip() if found.rc == 0 else None

    def _run(
        self,
        args: tuple[str, ...],
        env: Mapping[str, str],
        stdin: str | bytes | None,
        timeout: float,
        keep: tuple[int, ...] = (),
    ) -> tuple[int, bytes, bytes]:
        require_git()
        data = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin
        return _start(("git", "-C", self.cwd, *args), {**FIXED, **env}, data, timeout, keep)

    def _judged(self, args: tuple[str, ...], out: Out, ok: Collection[int] | None) -> Out:
        if ok is None or out.rc in ok:
            return out
        raise failure(self.cwd, args, out)


def failure(cwd: str, args: tuple[str, ...], out: Out) -> Broken:
    """The error for a git command that did not do what it must."""
    import shlex

    from plastic.disk.command import again

    said = _first_line(out.err) or _first_line(out.out) or "no message"
    command = shlex.join(("git", "-C", cwd, *args))
    if not {"--stdin", "-"}.isdisjoint(args):  # pasted, it would wait for what we gave it
        command = again()
    if "dubious ownership" in out.err:
        return Broken(
            "git-ownership",
            f"git refuses {cwd}: it belongs to another user ({said}); "
            "only mark it safe if you trust whoever can write there",
            run=f"git config --global --add safe.directory {shlex.quote(cwd)}",
        )
    if out.rc == TIMED_OUT:
        return Broken("git-timeout", f"git {shlex.join(args)} did not finish in time", run=command)
    return Broken(
        "git", f"git {shlex.join(args)} in {cwd} failed (rc {out.rc}): {said}", run=command
    )


def _first_line(text: str) -> str:
    """The line that says most: git prints progress and hints around its `fatal:`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith("fatal:")]
    errors = [line for line in lines if line.startswith("error:")]
    return (fatal or errors or lines or [""])[0]


def _start(
    command: tuple[str, ...],
    extra: Mapping[str, str],
    stdin: bytes | None,
    timeout: float,
    keep: tuple[int, ...] = (),
) -> tuple[int, bytes, bytes]:
    runner = _runner()
    # The runner can add to the environment but not take away; `env` can.
    drop = [name for name in dropped(os.environ) if name not in extra]
    unset = [word for name in drop for word in ("-u", name)]
    argv = ["env", *unset, *command] if unset else list(command)
    from git.exc import GitCommandNotFound

    try:
        wrapped = runner.execute(
            argv,
            istream=cast("None", None if stdin is None else _PIPE),
            as_process=True,
            env=dict(extra),
            start_new_session=True,
            pass_fds=keep,
        )
    except GitCommandNotFound:
        raise _too_old("git is not on PATH") from None
    child = cast("Child", wrapped.proc)
    out, err, late = finish(child, stdin, timeout)
    rc = TIMED_OUT if late else child.returncode
    return (128 - rc if rc < 0 else rc), out, err


if TYPE_CHECKING:
    from git.cmd import Git as Runner


def _runner() -> Runner:
    """GitPython's runner. It always starts in `/`: it would expand `$` and `~` in a path."""
    before = os.environ.get("GIT_PYTHON_REFRESH")
    os.environ["GIT_PYTHON_REFRESH"] = "quiet"  # a missing git is ours to explain
    try:
        from git.cmd import Git as Runner
    except ImportError as error:  # its import asks git for the version
        if "Failed to initialize" not in str(error):
            raise
        raise _too_old("git is there and does not work") from None
    finally:
        if before is None:
            del os.environ["GIT_PYTHON_REFRESH"]
        else:
            os.environ["GIT_PYTHON_REFRESH"] = before
    return Runner("/")


def require_git() -> None:
    """Refuse to go on without git, or with one that lacks what End needs; looked up once."""
    import re

    path = os.environ.get("PATH", "")
    if path in _checked:
        return
    rc, out, err = _start(("git", "version"), FIXED, None, TIMEOUT)
    found = re.search(r"(\d+)\.(\d+)", decoded(out))
    if rc != 0 or found is None:
        raise _too_old(f"`git version` failed: {_first_line(decoded(err or out))}")
    if (int(found[1]), int(found[2])) < OLDEST:
        raise _too_old(f"git {found[0]} is too old")
    _checked.add(path)


def _too_old(what: str) -> Broken:
    return Broken("git-version", f"{what}; plastic needs git 2.38 or newer", run="git version")


# -- what a repository is ------------------------------------------------------------------------


def common_dir(path: str) -> str | None:
    """The real common directory of the repository that `path` lies in; None outside of any.

    Anything else that git has to say (ownership, a broken repository) is an error, not an answer.
    """
    seen = Git(path).run(
        "rev-parse", "--path-format=absolute", "--git-common-dir", ok=None, quiet=True
    )
    if seen.rc == 0:
        return os.path.realpath(seen.out.rstrip("\n"))
    if "not a git repository" in seen.err and "dubious ownership" not in seen.err:
        return None
    raise failure(path, ("rev-parse", "--git-common-dir"), seen)


def toplevel(path: str) -> str | None:
    """The real root of the work tree that `path` lies in; None in a bare repository or outside.

    A directory that lost its `.git` file answers with the repository AROUND it: whoever asks
    about a worktree compares the answer with the path.
    """
    seen = Git(path).says("rev-parse", "--path-format=absolute", "--show-toplevel")
    return os.path.realpath(seen) if seen else None


class Whereabouts(NamedTuple):
    """What git says of a path in one answer; `head` is the full ref or None when detached."""

    top: str
    common: str
    head: str | None


def whereabouts(path: str) -> Whereabouts | None:
    """Work tree, repository and branch of a path; None where git sees none."""
    words = ("--show-toplevel", "--git-common-dir", "--symbolic-full-name", "HEAD")
    seen = Git(path).says("rev-parse", "--path-format=absolute", *words)
    lines = seen.split("\n") if seen else []
    if len(lines) != 3:  # no commit yet, or a line break in a path
        top, common = toplevel(path), common_dir(path)
        return Whereabouts(top, common, current_branch(Git(path))) if top and common else None
    branch = None if lines[2] == "HEAD" else lines[2]
    return Whereabouts(os.path.realpath(lines[0]), os.path.realpath(lines[1]), branch)


def is_root(path: str) -> bool:
    """Whether `path` itself is the root of a work tree."""
    return os.path.isdir(path) and toplevel(path) == os.path.realpath(path)


def oid(git: Git, ref: str) -> str | None:
    """The commit that a full ref (or an object name) leads to; None when there is none."""
    return git.says("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")


def current_branch(git: Git) -> str | None:
    """The full ref that HEAD names, born or not; None when HEAD is detached."""
    return git.says("symbolic-ref", "--quiet", "HEAD")


def default_branch(git: Git, remote: str) -> str | None:
    """The full ref of a remote's default branch as the last clone or fetch recorded it."""
    plain = remote.isascii() and remote.isalnum()  # most are; git is asked about the others
    if not plain and not valid_ref(git, f"refs/remotes/{remote}/HEAD"):
        return None
    found = git.says("symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
    return found if found and oid(git, found) else None


def valid_ref(git: Git, ref: str) -> bool:
    """Whether git accepts this full ref name."""
    return git.run("check-ref-format", ref, ok=None, quiet=True).rc == 0


def identity(git: Git) -> tuple[str, ...]:
    """Arguments that give a commit in the home (or a salvage) an author where the user has none."""
    known = git.run("var", "GIT_COMMITTER_IDENT", ok=None, quiet=True).rc == 0
    known = known and git.run("var", "GIT_AUTHOR_IDENT", ok=None, quiet=True).rc == 0
    return () if known else ("-c", "user.name=plastic", "-c", "user.email=plastic@localhost")
