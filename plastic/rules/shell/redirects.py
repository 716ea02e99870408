"""Redirections: which files they write, and what they feed to the command."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.quoting import escaped
from plastic.rules.shell.run import Feed
from plastic.rules.shell.words import Words, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Node, Run
    from plastic.rules.shell.state import State

_READS = ("<", "<&")
_DOCUMENTS = ("<<", "<<-")


def redirect(run: Run, nodes: list[Node], state: State) -> Feed | None:
    """Record what these redirections write; answers the input that they give."""
    feed = None
    words = Words(run, state)
    for node in nodes:
        op = node.get("Op")
        if not isinstance(op, str):
            run.unknown("this shfmt is too old: it numbers the operators", state)
        elif op in _DOCUMENTS:
            feed = document(words, node)
        elif op == "<<<":
            feed = Feed(words.text(node.get("Word")) + "\n")
        elif op in _READS:
            feed = Feed(None, words.fields(node["Word"]))
        else:
            _opens(run, words, op, node["Word"])
    return feed


def may_fail(node: Node) -> bool:
    """Whether there may be no file, or no folder for one: then the command does not run."""
    return node.get("Op") in _OPENS and literal(node.get("Word")) != "/dev/null"


_OPENS = (">", ">>", ">|", "&>", "&>>", "<", "<>")


def document(words: Words, node: Node) -> Feed:
    """The body of a here-document: expanded, unless a part of its delimiter is quoted."""
    delimiter = (node.get("Word") or {}).get("Parts") or ()
    plain = all(part["Type"] == "Lit" and "\\" not in part["Value"] for part in delimiter)
    text = words.document(node.get("Hdoc"), code=plain)
    if node.get("Op") == "<<-":
        text = "\n".join(line.lstrip("\t") for line in text.split("\n"))
    return Feed(text)


def _opens(run: Run, words: Words, op: str, word: Node) -> None:
    """An operator with `>`: `>&` with a number, `-` or something unknown only copies."""
    state = words.state
    for path in words.fields(word):
        bare = path.rstrip("-")
        if op == ">&" and (bare == "" or bare.isdigit() or bare[0] == ANY):
            continue
        run.write(escaped(path, ""), state)
