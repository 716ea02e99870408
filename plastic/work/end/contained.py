"""Proves that a branch's work is in the base; what is not proven is kept.

Ancestry, else: at some commit between the merge base and the base, merging the tip changes
nothing, with no attribute, driver or config that could hide a change. Equal patch ids are no
proof: they ignore white space and skip merges.
"""

from __future__ import annotations

from typing import NamedTuple

from plastic.disk.files import read_text
from plastic.disk.git import Git, oid
from plastic.work.merge.neutral import Place, no_attributes

MOST = 5000  # commits that are tried; about 0.3 ms each
STOPS = 20  # times that git may stop at a candidate
TIMEOUT = 120.0
# No guess and no setting may call a change contained that is not there byte for byte.
PLAIN = (
    "-c",
    "merge.directoryRenames=false",
    "-c",
    "merge.renormalize=false",
    "-c",
    "merge.default=text",
    "-c",
    "core.attributesFile=/dev/null",
)
REAL = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1"}


class Proven(NamedTuple):
    """How the work is in the base (ancestor, content or trailer), and at which commit."""

    how: str
    commit: str


def proof(common: str, base_oid: str, tip_oid: str, intent_name: str) -> Proven | None:
    """The proof that all of `tip` is in the history of `base`; None = not proven, never "not in".

    Whatever git cannot answer (missing objects, a cut history) proves nothing.
    """
    git = Git(common)
    base, tip = oid(git, base_oid), oid(git, tip_oid)
    if base is None or tip is None:
        return None
    if git.run("merge-base", "--is-ancestor", tip, base, ok=None, env=REAL).rc == 0:
        return Proven("ancestor", base)
    roots = git.run("merge-base", "--all", base, tip, ok=None, env=REAL).out.split()
    found = _by_trailer(git, base, tip, roots, intent_name)
    if found is not None:
        return Proven("trailer", found)
    if not roots or _is_cut(git, common, base, tip, roots):
        return None
    found = _by_content(common, _candidates(git, base, tip, roots), tip)
    return Proven("content", found) if found is not None else None


def _by_trailer(git: Git, base: str, tip: str, roots: list[str], name: str) -> str | None:
    """A squash of our own that names this very tip."""
    shown = (
        "%H%x00%(trailers:key=Plastic-Intent,valueonly,unfold)%x00"
        "%(trailers:key=Plastic-Tip,valueonly,unfold)%x01"
    )
    grep = ("--fixed-strings", f"--grep=Plastic-Tip: {tip}")
    words = ("rev-list", "--no-commit-header", f"--format={shown}", *grep, base, "--not", *roots)
    listed = git.run(*words, ok=None, env=REAL, timeout=TIMEOUT)
    for entry in listed.out.split("\x01") if listed.rc == 0 else ():
        commit, _, rest = entry.strip("\n").partition("\0")
        intents, _, tips = rest.partition("\0")
        if name in intents.splitlines() and tip in tips.splitlines():
            return commit
    return None


def _is_cut(git: Git, common: str, base: str, tip: str, roots: list[str]) -> bool:
    """Whether a shallow clone ends between the merge base and one of the two.

    Then a nearer merge base may be hidden behind the cut, and a merge from the wrong one may call
    a change contained that is not.
    """
    ends = set((read_text(f"{common}/shallow", 1 << 26) or "").split())
    if not ends:
        return False
    between = git.run("rev-list", base, tip, "--not", *roots, ok=None, env=REAL, timeout=TIMEOUT)
    return between.rc != 0 or not ends.isdisjoint(between.out.split())


def _candidates(git: Git, base: str, tip: str, roots: list[str]) -> list[str]:
    """The base, and every commit on the way to it that touched a path of the branch."""
    touched: set[str] = set()
    for root in roots:
        diff = ("diff-tree", "-r", "-z", "--no-renames", "--name-only", root, tip)
        text = git.raw(*diff, env=REAL, timeout=TIMEOUT).decode("utf-8", "surrogateescape")
        touched.update(path for path in text.split("\0") if path)
    if not touched:
        return [base]
    named = [] if any("\n" in path for path in touched) else ["--", *sorted(touched)]
    asked = "".join(f"{line}\n" for line in [base, *(f"^{root}" for root in roots), *named])
    words = ("rev-list", "--full-history", f"--max-count={MOST}", "--stdin")
    listed = git.run(*words, ok=None, env=REAL, stdin=asked, timeout=TIMEOUT)
    return list(dict.fromkeys([base, *(listed.out.split() if listed.rc == 0 else ())]))


def _by_content(common: str, candidates: list[str], tip: str) -> str | None:
    """The first candidate that a merge of the tip leaves exactly as it is."""
    words = ("merge-tree", "--write-tree", "-z", "--no-messages", "--stdin")
    with no_attributes(common) as place:
        trees = _trees(place, candidates)
        for _ in range(STOPS):
            asked = "".join(f"{commit} {tip}\n" for commit in candidates)
            done = place.git.run(
                *PLAIN, *words, ok=None, env=place.env, stdin=asked, timeout=TIMEOUT
            )
            results = _results(done.out)
            for commit, tree, result in zip(candidates, trees, results, strict=False):
                if result == tree:
                    return commit
            # git stops at a commit of another, unrelated history that the base has merged.
            candidates, trees = candidates[len(results) + 1 :], trees[len(results) + 1 :]
            if not candidates:
                return None
    return None


def _trees(place: Place, commits: list[str]) -> list[str]:
    asked = "".join(f"{commit}^{{tree}}\n" for commit in commits)
    words = ("cat-file", "--batch-check=%(objectname)")
    return place.git.run(*words, ok=None, env=place.env, stdin=asked).out.split("\n")[:-1]


def _results(out: str) -> list[str | None]:
    """One tree an answer, None for a conflict: `1`, tree, nothing, or `0`, tree, files, nothing."""
    found: list[str | None] = []
    words = iter(out.split("\0"))
    for state in words:
        if state not in ("0", "1"):
            break
        tree = next(words, None)
        found.append(tree if state == "1" else None)
        while next(words, ""):
            pass
    return found
