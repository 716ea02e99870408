"""`plastic maintain`: change structure and metadata of an intent that nobody works on."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from plastic.cli.door import caller, emit, home
from plastic.words import Usage


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(maintain)


def maintain(
    intent: Annotated[str, typer.Argument(help="Id, prefix, path or project:id.")],
    move: Annotated[
        str,
        typer.Option(
            metavar="SECTION|FILE",
            help="Section of INDEX; or a section that is not allowed, or a stray file.",
        ),
    ] = "",
    replace: Annotated[
        tuple[str, str] | None, typer.Option(metavar="OLD NEW", help="Exchange a text of one line.")
    ] = None,
    file: Annotated[
        str, typer.Option("--in", help="With --replace: this document; default: the intent file.")
    ] = "",
    links: Annotated[
        bool, typer.Option("--links", help="Make ## Links from the front matter.")
    ] = False,
    why: Annotated[str, typer.Option(help="One sentence; it stands in revisions.md.")] = "",
    rule: Annotated[str, typer.Option(help="A tag: stray-file, dangling-ref, …")] = "",
    session: Annotated[str, typer.Option(help="Session id; default: the harness's variable.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Change structure or metadata, on record in revisions.md; waits while the lock is fresh."""
    from plastic.work.intent.changes import Wish
    from plastic.work.intent.intents import find
    from plastic.work.intent.maintain import maintain as change

    kinds = [bool(move), replace is not None, links]
    if sum(kinds) != 1 or (file and replace is None):
        raise _usage("say one of --move, --replace (with --in, if need be) and --links")
    if not why.strip() or not _is_tag(rule):
        raise _usage("every change needs --why, one sentence, and --rule, a tag of one word")
    old, new = replace or ("", "")
    kind = "move" if move else "links" if links else "replace"
    wish = Wish(kind, why.strip(), rule, move or old, new, file)
    who, where = caller(session or None), home()
    found = change(where, find(where, intent, who), who, wish)
    emit(found, _text(found), as_json=as_json)


def _usage(what: str) -> Usage:
    return Usage("maintain", what, run="plastic maintain --help")


def _is_tag(rule: str) -> bool:
    return bool(rule) and rule.isprintable() and not any(one in rule for one in " []`\t")


def _text(found: dict[str, Any]) -> str:
    lines = [f"revision {found['revision']} of {found['name']}, commit {found['commit'][:12]}"]
    return "\n".join([*lines, *(f"  {one}" for one in found["files"])])
