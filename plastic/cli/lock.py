"""`plastic-lock` and `plastic lock`: who holds an intent, and every change of its lock."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from plastic.cli.door import caller, emit, home, say
from plastic.words import Usage

if TYPE_CHECKING:
    from plastic.disk.home import Home
    from plastic.disk.session import Caller
    from plastic.words import Intent

MODES = ("auto", "guided")
ABOUT = "Who holds an intent, and every change of its delivery lock."

Which = Annotated[
    str | None,
    typer.Argument(
        metavar="[INTENT]", help="Id, prefix, path or project:id; default: the one you hold."
    ),
]
Words = Annotated[list[str] | None, typer.Argument(metavar="[INTENT] [NAME]")]
Session = Annotated[
    str | None, typer.Option(metavar="SID", help="Session id; default: the harness's variable.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Harness = Annotated[str | None, typer.Option(help="Recorded: the agent program.")]
Agent = Annotated[str | None, typer.Option(help="Recorded: the agent's name.")]
Model = Annotated[str | None, typer.Option(help="Recorded: the model.")]
Thread = Annotated[str | None, typer.Option(help="Recorded: the thread.")]
Mode = Annotated[str | None, typer.Option(help="Recorded: auto or guided.")]


def register(whole: typer.Typer) -> None:
    """Add `plastic lock`."""
    whole.add_typer(app(), name="lock")


def app() -> typer.Typer:
    """The `plastic-lock` command."""
    lock = typer.Typer(
        name="plastic-lock",
        help=ABOUT,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for verb in (who, status, arm, fix, release, reclaim, transfer, delegate, claim, beat):
        lock.command(verb.__name__)(verb)
    lock.command("release-claim")(release_claim)
    passing = {"allow_extra_args": True, "ignore_unknown_options": True}
    lock.command("keep", context_settings=passing)(keep)
    return lock


def _place(which: str | None, session: str | None) -> tuple[Home, Caller, Intent]:
    """Home, caller and intent of a command line."""
    from plastic.work.intents import find

    where, me = home(), caller(session)
    return where, me, find(where, which, me)


def _named(where: Home, me: Caller, intent: Intent) -> Caller:
    """The caller with a session; a derived one is told to whoever reads along."""
    from plastic.work.lock import caller_for

    known = caller_for(where, intent, me)
    if known.is_derived:
        say(f"no session id: using the derived key {known.session}, which is not exclusive")
    return known


def _given(
    mode: str | None,
    harness: str | None,
    agent: str | None,
    model: str | None,
    thread: str | None,
) -> dict[str, str | None]:
    if mode is not None and mode.strip() and mode not in MODES:
        raise Usage(
            "mode", f"--mode is auto or guided, not {mode!r}", run="plastic-lock arm --help"
        )
    return {"mode": mode, "harness": harness, "agent": agent, "model": model, "thread": thread}


def _show(
    where: Home, intent: Intent, me: Caller, text: str, *, as_json: bool, **more: object
) -> None:
    """The result of a verb: its line for people, the whole status and what it did for programs."""
    if not as_json:
        emit({}, text, as_json=False)
        return
    from plastic.work.status import status as look

    emit({**look(where, intent, me), **more}, text, as_json=True)


def who(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Controller, heartbeat, claims and delegates, from the files alone; changes nothing."""
    from plastic.work.who import lines
    from plastic.work.who import who as look

    found = look(_place(which, session)[2])
    emit(found, lines(found), as_json=as_json)


def status(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Everything about the lock, and what this session may do."""
    from plastic.work.status import status as look
    from plastic.work.status import text

    where, me, intent = _place(which, session)
    found = look(where, intent, me)
    emit(found, text(found), as_json=as_json)


def arm(
    which: Which = None,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Take the lock only, without a worktree; `plastic start` does both."""
    from plastic.work.acquire import arm as take

    where, me, intent = _place(which, session)
    me = _named(where, me, intent)
    armed = take(where, intent, me, _given(mode, harness, agent, model, thread))
    text = f"{armed.how} {intent.name}, token {armed.token}, owner {armed.lock.owner}"
    _show(where, intent, me, text, as_json=as_json, result=armed.how)


def fix(
    which: Which = None,
    observe: Annotated[
        bool, typer.Option(help="Watch a heartbeat that lies in the future for one ttl.")
    ] = False,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Repair lock, held/ and bridge; running it again changes nothing."""
    from plastic.work import repair

    where, me, intent = _place(which, session)
    me = _named(where, me, intent)
    if observe:
        result = repair.observe(where, intent, me, say)
        text = f"{intent.name}: {', '.join(result['actions'])}; the lock is {result['state']}"
        _show(where, intent, me, text, as_json=as_json, result="observed", **result)
        return
    report = repair.repair(where, intent, me, _given(mode, harness, agent, model, thread))
    text = f"repaired {intent.name}: {', '.join(report.actions)}"
    _show(where, intent, me, text, as_json=as_json, result="repaired", actions=report.actions)


def release(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Give the lock back; the worktree stays."""
    from plastic.work.release import release as give_back

    where, me, intent = _place(which, session)
    result = give_back(where, intent, me)
    _show(where, intent, me, f"released ({result})", as_json=as_json, result=result)


def reclaim(
    which: Which = None,
    token: Annotated[int | None, typer.Option(help="Only while the lock has this token.")] = None,
    despite_evidence: Annotated[
        bool, typer.Option("--despite-evidence", help="Do not wait for signs of work to age.")
    ] = False,
    mode: Mode = None,
    harness: Harness = None,
    agent: Agent = None,
    model: Model = None,
    thread: Thread = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Take over the lock of a session that is silent; its uncommitted work is kept."""
    from plastic.work.takeover import reclaim as take_over

    where, me, intent = _place(which, session)
    me = _named(where, me, intent)
    given = _given(mode, harness, agent, model, thread)
    taken = take_over(where, intent, me, given, expected=token, despite=despite_evidence)
    now = taken.view.lock.token if taken.view.lock is not None else 0
    text = f"{taken.how} of {intent.name} from {taken.previous}, token {now}"
    if taken.salvage:
        text += f"\nits work is kept at {taken.salvage}"
    more = {"result": taken.how, "previous": taken.previous, "salvage": taken.salvage}
    _show(where, intent, me, text, as_json=as_json, **more)


def transfer(
    which: Which = None,
    to: Annotated[str | None, typer.Option(metavar="SID", help="The new owner.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="SID", help="A person only: the gone owner.")
    ] = None,
    token: Annotated[int | None, typer.Option(help="With --from: the lock's token.")] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Give the lock to another session."""
    from plastic.work.transfer import transfer as give
    from plastic.work.transfer import transfer_from

    if to is None or (from_ is not None) != (token is not None):
        raise Usage(
            "transfer",
            "transfer needs --to, and --from only together with --token",
            run="plastic-lock transfer --help",
        )
    where, me, intent = _place(which, session)
    if from_ is not None and token is not None:
        from plastic.disk.person import require_person

        require_person(os.environ, intent.id, f"transfer of {intent.name} from {from_}")
        moved = transfer_from(where, intent, from_, to, token)
    else:
        moved = give(where, intent, me, to)
    result = "transferred" if moved.done else "kept"
    now = moved.view.lock.token if moved.view.lock is not None else 0
    text = f"{result} {intent.name} from {moved.previous} to {to}, token {now}"
    _show(where, intent, me, text, as_json=as_json, result=result, previous=moved.previous)


def _split(words: list[str] | None, flag: str | None, what: str) -> tuple[str | None, str]:
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
    from plastic.work.delegates import delegate as register_one

    which, child = _split(words, delegate, "a delegate (--delegate SID)")
    where, me, intent = _place(which, session)
    given = _given(None, harness, agent, model, thread)
    view = register_one(where, intent, me, child, status, given)
    owner = view.lock.owner if view.lock is not None else ""
    text = (
        f"delegate {child} marked {status} under {owner}"
        if status
        else (f"delegated {child} under {owner}")
    )
    _show(where, intent, me, text, as_json=as_json, result=status or "delegated", delegate=child)


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
    from plastic.work.claims import claim as take

    which, name = _split(words, artifact, "a document (--artifact NAME)")
    where, me, intent = _place(which, session)
    made = take(where, intent, me, name, delegate)
    text = f"claimed {name} under {made['delegate'] or made['owner_session']}"
    if made["was"] == "stale":
        text += f" (took over the stale claim of {made['from']})"
    if made["was"] == "corrupt":
        text += " (repaired corrupt claim)"
    _show(where, intent, me, text, as_json=as_json, result="claimed", claim=made)


def release_claim(
    words: Words = None,
    artifact: Annotated[str | None, typer.Option(help="The claimed document.")] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Give a document free."""
    from plastic.work.claims import release_claim as give_back

    which, name = _split(words, artifact, "a document (--artifact NAME)")
    where, me, intent = _place(which, session)
    result = give_back(where, intent, me, name)
    text = f"released-claim {name} ({result})"
    _show(where, intent, me, text, as_json=as_json, result=result, artifact=name)


def beat(which: Which = None, session: Session = None, as_json: AsJson = False) -> None:
    """Renew the lease once."""
    from plastic.work.keep import renew

    where, me, intent = _place(which, session)
    view = renew(where, intent, me)
    text = f"renewed {intent.name}, {view.state}"
    _show(where, intent, me, text, as_json=as_json, result="renewed")


def keep(context: typer.Context, session: Session = None, as_json: AsJson = False) -> int:
    """Run a command (`keep [INTENT] -- CMD...`) and renew the lease while it runs."""
    from plastic.disk.command import after_dashes
    from plastic.work.keep import keep as run

    argv = after_dashes()
    before = context.args[: len(context.args) - len(argv)]
    if not argv or len(before) > 1:
        raise Usage(
            "usage",
            "keep [INTENT] -- CMD...: the command is missing",
            run="plastic-lock keep --help",
        )
    where, me, intent = _place(before[0] if before else None, session)
    code = run(where, intent, me, argv, say)
    if as_json:
        _show(where, intent, me, "", as_json=True, result="ran", rc=code)
    return code
