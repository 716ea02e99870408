"""Verbs for those who work under one lock: delegates, claims, heartbeats."""

from __future__ import annotations

from typing import Annotated

import typer

from plastic.cli.door import say
from plastic.cli.lock.options import (
    Agent,
    AsJson,
    Harness,
    Model,
    Session,
    Thread,
    Which,
    Words,
    given_by,
    place,
    show,
)
from plastic.words import Usage


def split(words: list[str] | None, flag: str | None, what: str) -> tuple[str | None, str]:
    """INTENT and NAME of `[INTENT] [NAME]`, where a flag may give the name."""
    found = list(words or [])
    if flag is None and found:
        flag = found.pop()
    if flag is None or len(found) > 1:
        raise Usage("usage", f"name {what}, and at most one intent", run="plastic-lock --help")
    return (found[0] if found else None), flag


def delegate(
    words: Words = None,
    delegate: Annotated[
        str | None, typer.Option("--delegate", metavar="SID", help="The session to register.")
    ] = None,
    status: Annotated[str | None, typer.Option(help="finished or failed.")] = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Let another session write under this lock, or mark it as finished or failed."""
    from plastic.work.lock.delegates import delegate as register_one

    which, child = split(words, delegate, "a delegate (--delegate SID)")
    where, me, intent = place(which, session)
    given = given_by(None, harness, agent, model, thread)
    view = register_one(where, intent, me, child, status, given)
    owner = view.lock.owner if view.lock is not None else ""
    text = (
        f"delegate {child} marked {status} under {owner}"
        if status
        else (f"delegated {child} under {owner}")
    )
    show(where, intent, me, text, as_json=as_json, result=status or "delegated", delegate=child)


def claim(
    words: Words = None,
    artifact: Annotated[
        str | None, typer.Option(help="spec.md, plan.md, checklist.md or the intent file.")
    ] = None,
    delegate: Annotated[
        str | None, typer.Option(help="Only this agent of the session: an agent id, or main.")
    ] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Become the one writer of a document."""
    from plastic.work.lock.claims import claim as take

    which, name = split(words, artifact, "a document (--artifact NAME)")
    where, me, intent = place(which, session)
    made = take(where, intent, me, name, delegate)
    text = f"claimed {name} under {made['delegate'] or made['owner_session']}"
    if made["was"] == "stale":
        text += f" (took over the stale claim of {made['from']})"
    if made["was"] == "corrupt":
        text += " (repaired corrupt claim)"
    show(where, intent, me, text, as_json=as_json, result="claimed", claim=made)


def release_claim(
    words: Words = None,
    artifact: Annotated[str | None, typer.Option(help="The claimed document.")] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Give a document free."""
    from plastic.work.lock.claims import release_claim as give_back

    which, name = split(words, artifact, "a document (--artifact NAME)")
    where, me, intent = place(which, session)
    result = give_back(where, intent, me, name)
    text = f"released-claim {name} ({result})"
    show(where, intent, me, text, as_json=as_json, result=result, artifact=name)


def beat(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Renew the lease once."""
    from plastic.work.lock.keep import renew

    where, me, intent = place(which, session)
    view = renew(where, intent, me)
    text = f"renewed {intent.name}, {view.state}"
    show(where, intent, me, text, as_json=as_json, result="renewed")


def keep(context: typer.Context, session: Session = None, as_json: AsJson = False) -> int:
    """Run a command (`keep [INTENT] -- CMD...`) and renew the lease while it runs."""
    return running(context, "plastic-lock keep", session, None, as_json=as_json)


def running(
    context: typer.Context, verb: str, session: str | None, token: int | None, *, as_json: bool
) -> int:
    """Run what stands behind `--` under the lock; its exit code."""
    from plastic.disk.command import after_dashes
    from plastic.work.lock.keep import keep as run

    argv = after_dashes()
    before = context.args[: len(context.args) - len(argv)]
    if not argv or len(before) > 1:
        raise Usage(
            "usage",
            f"{verb.rpartition(' ')[2]} [INTENT] -- CMD...: the command is missing",
            run=f"{verb} --help",
        )
    where, me, intent = place(before[0] if before else None, session)
    code = run(where, intent, me, argv, say, token)
    if as_json:
        show(where, intent, me, "", as_json=True, result="ran", rc=code)
    return code
