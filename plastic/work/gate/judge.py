"""Judges one tool use: reads the world, asks the rules in their order, keeps the lease alive."""

from __future__ import annotations

from plastic.rules.gates.table import AFTER, ORDER, SWITCHED
from plastic.words import ALLOW, Change, Verdict
from plastic.work.gate.admit import claim, lock, protected
from plastic.work.gate.confine import stage, worktree
from plastic.work.gate.sight import Sight, Written
from plastic.work.lock.pulse import pulse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from plastic.disk.home import Home
    from plastic.words import ToolUse

    Gate = Callable[[Sight, Written], Verdict | None]


def _pen(sight: Sight, written: Written) -> Verdict | None:
    """Most trees have no pen: that must cost one look."""
    if written.place is not None or written.tree:
        return None
    found = sight.pen_root(written.path)
    if found is None:
        return None
    from plastic.work.gate.pen import pen

    return pen(sight, written, *found)


def _links(sight: Sight, written: Written) -> Verdict | None:
    if not written.is_intent_file:
        return None
    from plastic.work.gate.content import links

    return links(sight, written)


def _create(sight: Sight, written: Written) -> Verdict | None:
    if not written.is_intent_file:
        return None
    from plastic.work.gate.content import create

    return create(sight, written)


def _shell(sight: Sight, written: Written) -> Verdict | None:
    if sight.shell is None:
        return None
    from plastic.work.gate.opaque import opaque

    return opaque(sight, written)


GATES: dict[str, Gate] = {
    "protected": protected,
    "lock": lock,
    "claim": claim,
    "stage": stage,
    "worktree": worktree,
    "pen": _pen,
    "links": _links,
    "create": _create,
    "shell": _shell,
}
# What a session does beside using tools; only these load work/life/moments.py.
LIFE = frozenset(("start", "prompt", "stop", "end", "agent", "compact"))
# Harnesses to which nothing can be told before a tool: they hear it behind that tool.
LATE = frozenset(("gemini", "cursor"))
AGAIN = 10.0  # seconds in which the same input without a call id is the same call
# What the gate `shell` is asked about: the command as a whole.
WHOLE = Written(Change("/"), "/", None)


class Judge:
    """One decision in the making: what was advised and what of ours broke on the way."""

    __slots__ = ("advice", "broken", "context", "denial", "notes", "sight", "taints", "written")

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.written: list[Written] = []
        self.denial: Verdict | None = None
        self.advice: list[Verdict] = []
        self.broken: list[tuple[str, str]] = []
        self.notes: list[str] = []
        self.context = ""
        self.taints: list[Verdict] = []

    def ask(self, name: str, gate: Gate) -> bool:
        """Ask one gate about every path; True when none denies. Our own bug denies nothing."""
        for written in self.written if name != "shell" else [WHOLE]:
            try:
                verdict = gate(self.sight, written)
                if verdict is not None and self.sight.shell is not None and name in SWITCHED:
                    from plastic.work.gate.opaque import through_shell

                    verdict = through_shell(self.sight, written, verdict)
            except Exception as error:
                self.breaks(name, error)
                continue
            if verdict is None:
                continue
            if verdict.kind == "deny":
                self.denial = verdict
                return False
            self.advice.append(verdict)
        return True

    def breaks(self, name: str, error: Exception) -> None:
        """A part that broke is skipped alone, and is said where a person sees it."""
        what = f"{type(error).__name__}: {error}"
        self.broken.append((name, what))
        self.notes.append(f"plastic: {name} broke and was skipped ({what}); run: plastic log")

    def before(self, gates: tuple[str, ...]) -> None:
        """The gates of a call that is about to happen; the first denial ends it."""
        begun = [one for one in self.written if one.begins] if "savepoint-pre" in gates else []
        for name in ORDER:
            if name in gates and not self.ask(name, GATES[name]):
                return
        for written in begun:
            try:
                from plastic.work.gate.savepoints import begin

                # Through the door that asks for nothing else, the lock gate still has its say.
                verdict = None if "lock" in gates else lock(self.sight, written)
                if verdict is None or verdict.kind != "deny":
                    begin(written)
            except Exception as error:
                self.breaks("savepoint-pre", error)

    def after(self) -> None:
        """What gate-check does once the tool has run."""
        for written in self.written:
            if written.rest is None:
                continue
            try:
                from plastic.work.gate.after import check
                from plastic.work.gate.savepoints import land

                land(written)

                verdict = check(self.sight, written)
            except Exception as error:
                self.breaks("gate-check", error)
                continue
            if verdict is not None and verdict.kind == "deny":
                self.denial = self.denial or verdict
            elif verdict is not None:
                self.advice.append(verdict)

    def verdict(self) -> Verdict:
        """The one answer; what was advised already for this very call is not said again."""
        found = self.denial or (_joined("advise", self.advice) if self.advice else ALLOW)
        if self.taints and self.sight.use.event in AFTER:
            found = _joined("deny", [*self.taints, *([self.denial] if self.denial else [])])
        elif self.taints:
            self.notes += [one.text() for one in self.taints]
        if found is not ALLOW or self.broken:
            found = self._recorded(found)
        if self.sight.use.harness in LATE:
            from plastic.work.gate.late import later

            found = later(self.sight, found)
        if self.notes or self.context:
            found = found if found is not ALLOW else Verdict("allow")
            found.notes = tuple(dict.fromkeys(self.notes))
            found.context = self.context
        return found

    def _recorded(self, found: Verdict) -> Verdict:
        """Journal rows once for each call, however many hooks of ours see it, and advice once.

        The universal answer cannot carry advice, so there it takes nobody else's turn.
        """
        from plastic.disk.seen import first

        use, home, key = self.sight.use, self.sight.home, _key(self.sight)
        within = None if use.call else AGAIN
        if first(home, key, within):
            self._write_rows()
        if found.kind == "deny" or not use.fits:
            return found
        return found if first(home, f"advice\0{key}", within) else ALLOW

    def _write_rows(self) -> None:
        from plastic.disk.journal import note

        sight = self.sight
        use = sight.use
        own = {"hook": use.harness, "session": sight.session, "agent": use.agent, "tool": use.tool}
        for name, what in self.broken:
            note(sight.home, "broken", gate=name, error=what, **own)
        for one in [self.denial] if self.denial else self.advice:
            note(
                sight.home,
                "deny" if one.kind == "deny" else "would-deny",
                gate=one.gate,
                code=one.code,
                intent=one.intent,
                path=one.path,
                reason=one.reason,
                **own,
            )


def _joined(kind: str, several: list[Verdict]) -> Verdict:
    first = several[0]
    if len(several) == 1:
        return first
    text = "\n".join(dict.fromkeys(one.text() for one in several))
    return Verdict(kind, first.gate, first.code, text, intent=first.intent, path=first.path)


def _key(sight: Sight) -> str:
    """What makes a call the same call, in whichever dialect and under whichever name it comes."""
    use = sight.use
    parts = [sight.session, use.call, use.event, use.command or ""]
    for one in use.changes:
        parts += [one.path, one.content or "", *(text for edit in one.edits for text in edit[:2])]
    return "\0".join(parts)


def judge(home: Home, use: ToolUse, gates: tuple[str, ...]) -> Verdict:
    """The verdict of `gates` about one event of a harness; it never raises."""
    sight = Sight(home, use)
    court = Judge(sight)
    is_shell = use.command is not None and "shell" in gates
    if is_shell:
        _read_shell(court)
    if use.changes and not use.reads:
        _place(court)
    if use.event == "pre" and (court.written or sight.shell is not None):
        court.before(gates)
    elif "gate-check" in gates and (use.event == "post" or (is_shell and use.event in AFTER)):
        court.after()  # an edit that failed wrote nothing; a command that failed may have
    try:
        if _leaves(court):
            from plastic.work.gate.traces import leave

            court.taints += leave(sight, court.written, court.denial)
        pulse(sight)
    except Exception as error:
        court.breaks("the heartbeat", error)
    if use.event in LIFE:
        _live(court)
    return court.verdict()


def _leaves(court: Judge) -> bool:
    """Whether this event may leave a trace: before a tool only an allowed document or a command."""
    if court.sight.use.event != "pre" or court.sight.shell is not None:
        return True
    return court.denial is None and any(one.rest is not None for one in court.written)


def _live(court: Judge) -> None:
    """What a session is told and what is kept of it, as the heartbeat has left the locks."""
    try:
        from plastic.work.life.moments import live

        court.context, said = live(court.sight)
        court.notes += [f"plastic: {one}" for one in said]
    except Exception as error:
        court.breaks("what a session is told", error)


def _is_harmless(command: str) -> bool:
    from plastic.rules.gates.harmless import harmless

    return harmless(command)


def _read_shell(court: Judge) -> None:
    """Before a command: what it writes. After it: what it was known to write, and the tripwire."""
    sight, use = court.sight, court.sight.use
    try:
        if use.event == "pre" and not _is_harmless(use.command or ""):
            from plastic.work.gate.shell import look

            sight.shell = look(sight)
            use.changes = sight.shell.changes
            court.notes += sight.shell.notes(sight.home, sight.session, use)
        elif use.event in AFTER:
            from plastic.work.gate.tripwire import spring

            documents, said = spring(sight)
            use.changes = [Change(path) for path in documents]
            court.taints += said
    except Exception as error:
        court.breaks("shell", error)


def _place(court: Judge) -> None:
    for change in court.sight.use.changes:
        if "\0" in change.path:
            continue  # no file can have this name: the tool fails by itself
        try:
            court.written += court.sight.place(change)
        except Exception as error:
            court.breaks("the reading of a path", error)
