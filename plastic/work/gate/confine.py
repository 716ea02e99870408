"""The gates that decide when and where: stage and worktree."""

from __future__ import annotations

from plastic.disk.gitdir import common_of
from plastic.disk.paths import is_below
from plastic.rules.gates.table import is_code, right_path
from plastic.rules.intent.names import STAGED
from plastic.work.gate.admit import fields_of, holder, refuse, relaxed, soften

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.words import Intent, Verdict
    from plastic.work.gate.sight import Grip, Sight, Written


def stage(sight: Sight, written: Written) -> Verdict | None:
    """Documents in their order, code after the plan."""
    if written.place is None:
        # What git puts back was committed once: it is no new code.
        return None if written.change.op in ("checkout", "git") else _code(sight, written)
    intent, rest = written.intent, written.rest
    if intent is None or not rest or written.change.op != "write":
        return None
    if rest not in STAGED and not rest.startswith("actions/"):
        return None
    missing = _missing(intent, rest)
    if missing is None or (rest == "outcome.md" and _is_abandoned(written)):
        return None
    return _early(sight, written, intent, rest, missing)


def _early(
    sight: Sight, written: Written, intent: Intent, what: str, missing: str
) -> Verdict | None:
    fields = {**fields_of(intent, written.path), "what": what, "missing": missing}
    who, since = holder(sight.grip(intent).view)
    verdict = refuse("stage", "too-early", fields, who=who, since=since)
    return switched(sight, intent.project, verdict)


def switched(sight: Sight, project: str | None, verdict: Verdict) -> Verdict | None:
    """A refusal of a gate with a switch, as strict as the project wants it."""
    mode = sight.mode(project, verdict.gate)
    if mode == "off":
        return None
    return soften(verdict, "this gate advises") if mode == "advise" else verdict


def _missing(intent: Intent, what: str) -> str | None:
    """What has to stand in the documents before `what` may be written; only here they are read."""
    from plastic.rules.intent.stages import code_open, missing_for
    from plastic.work.gate.facts import facts_for

    found = facts_for(intent, what)
    return code_open(found) if what == "code" else missing_for(what, found)


def _is_abandoned(written: Written) -> bool:
    from plastic.rules.intent.intentfile import frontmatter
    from plastic.work.gate.result import result

    text = result(written)[1]
    front = frontmatter(text) if text else None
    return bool(front) and front is not None and front.get("disposition") == "abandoned"


def _code(sight: Sight, written: Written) -> Verdict | None:
    """Code waits for plan, checklist and a real action of the intent that it belongs to."""
    if written.intent is not None:
        if not is_code(written.path, written.tree, ""):
            return None
        missing = _missing(written.intent, "code")
        if missing is None:
            return None
        return _early(sight, written, written.intent, "code", missing)
    mine = [grip for grip in sight.mine() if grip.intent.project is not None]
    if not mine and not any(one.require_intent for one in sight.config().projects.values()):
        return None
    repo = sight.repo(written.path)
    if repo is None or not is_code(written.path, *repo):
        return None
    here = [grip for grip in mine if belongs(repo[1], common(sight, grip))]
    if not here:
        return _unarmed(sight, written, repo[1])
    lacking = ""
    for grip in here:
        missing = _missing(grip.intent, "code")
        if missing is None:
            return None
        lacking = lacking or missing
    return _early(sight, written, here[0].intent, "code", lacking)


def _unarmed(sight: Sight, written: Written, shared: str) -> Verdict | None:
    for project in sight.config().projects.values():
        if project.require_intent and belongs(shared, project.common):
            fields: dict[str, object] = {"path": written.path, "project": project.slug}
            return switched(sight, project.slug, refuse("stage", "no-intent", fields, who="none"))
    return None


def common(sight: Sight, grip: Grip) -> str:
    """The common directory of the repository that an intent's code lies in; "" without one."""
    project = sight.config().projects.get(grip.intent.project or "")
    if project is not None and project.common:
        return project.common
    return (common_of(grip.tree) or "") if grip.tree else ""


def belongs(shared: str, repository: str) -> bool:
    """Whether a common directory is the repository's own, or that of a submodule inside it."""
    return repository != "" and is_below(shared, repository)


def worktree(sight: Sight, written: Written) -> Verdict | None:
    """Who has worktrees in a repository writes in them and nowhere else in it."""
    if written.place is not None or written.change.op == "git":
        return None
    mine = [grip for grip in sight.mine() if grip.is_provisioned]
    if not mine or any(is_below(written.path, grip.tree) for grip in mine):
        return None
    if written.intent is not None and sight.grip(written.intent).mine:
        return None  # the worktree lies elsewhere by now
    repo = sight.repo(written.path)
    if repo is None or not is_code(written.path, *repo):
        return None
    for grip in mine:
        if belongs(repo[1], common(sight, grip)):
            fields = fields_of(grip.intent, written.path)
            fields["right"] = right_path(written.path, repo[0], grip.tree)
            who, since = holder(grip.view)
            verdict = refuse("worktree", "elsewhere", fields, who=who, since=since)
            kept = switched(sight, grip.intent.project, verdict)
            return kept if kept is None or kept.kind != "deny" else relaxed(sight, kept)
    return None
