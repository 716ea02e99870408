"""What becomes of a tool when our hook cannot do its work: as installed, and with `--strict`."""

from __future__ import annotations

from typing import NamedTuple

JUDGED = "judged"  # it works all the same
RUNS = "runs"
REFUSED = "refused"


class Fault(NamedTuple):
    """One thing that can happen; `usually` and `others` are (as installed, with --strict)."""

    says: str
    usually: tuple[str, str]
    others: dict[str, tuple[str, str]]

    def outcome(self, harness: str) -> tuple[str, str]:
        """Of one harness."""
        return self.others.get(harness, self.usually)


_NOTHING: dict[str, tuple[str, str]] = {}
FAULTS: dict[str, Fault] = {
    "environment": Fault("an environment of garbage", (JUDGED, JUDGED), _NOTHING),
    "path": Fault("an empty `PATH`", (JUDGED, JUDGED), _NOTHING),
    "cwd": Fault("a working directory that is gone", (JUDGED, JUDGED), _NOTHING),
    "bug": Fault("plastic itself breaks", (RUNS, REFUSED), _NOTHING),
    "python": Fault("Python cannot be started", (RUNS, REFUSED), _NOTHING),
    "package": Fault("the package was removed", (RUNS, REFUSED), _NOTHING),
    "gate": Fault("`hooks/gate` is missing", (RUNS, REFUSED), _NOTHING),
    # Copilot CLI takes every failed hook for a refusal, and no late one; Codex and Gemini none: a
    # strict line of theirs refuses itself, as long as its shell is there.
    "killed": Fault(
        "the hook is killed",
        (RUNS, REFUSED),
        {"copilot": (REFUSED, REFUSED)},
    ),
    "late": Fault(
        "the hook is late",
        (RUNS, REFUSED),
        {"codex": (RUNS, RUNS), "gemini": (RUNS, RUNS), "copilot": (RUNS, RUNS)},
    ),
}
