"""Does this session work alone? Only a proof counts: any doubt is a reason why not."""

from __future__ import annotations

from plastic.rules.lock.lease import TTL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import LockView

# Every reason why not, as people read it.
REASONS = {
    "no-session": "the session is unknown",
    "incomplete": "held/ has not been proven complete; `plastic-lock fix` scans",
    "corrupt-lock": "a lock that cannot be read may be somebody's",
    "future-lock": "a lock's heartbeat lies in the future",
    "no-lock": "this session holds no fresh lock",
    "several-locks": "more than one fresh lock is held",
    "foreign-lock": "another session holds the fresh lock",
    "delegates": "delegates were registered since the acquisition",
    "pen": "another agent holds the pen of this tree",
    "many-machines": "the backlog engine serves many machines",
}


def why_not(
    views: list[LockView],
    session: str,
    *,
    complete: bool,
    foreign_pen: bool = False,
    many_machines: bool = False,
) -> str | None:
    """The code of the first reason against solo, None when it is proven.

    `views` are the locks that held/ names, `complete` whether held/ names all.
    """
    if not session.strip():
        return "no-session"
    if not complete:
        return "incomplete"
    if many_machines:
        return "many-machines"
    fresh: dict[str, LockView] = {}
    for view in views:
        if view.state == "corrupt" and (view.age is None or view.age <= TTL):
            return "corrupt-lock"
        if view.state == "future":
            return "future-lock"
        if view.state == "fresh":
            fresh[view.path] = view
    if not fresh:
        return "no-lock"
    if len(fresh) > 1:
        return "several-locks"
    lock = next(iter(fresh.values())).lock
    if lock is None or lock.owner != session:
        return "foreign-lock"
    if lock.delegates or lock.raw.get("delegate_activity"):
        return "delegates"
    return "pen" if foreign_pen else None
