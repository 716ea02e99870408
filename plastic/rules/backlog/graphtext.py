"""The dependency graph as the text of Mermaid and of Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plastic.rules.backlog.graph import COLOURS, home, label

if TYPE_CHECKING:
    from plastic.rules.backlog.graph import Graph, Node

FORMATS = ("mermaid", "dot")
WIDEST = 80  # characters in a box; Mermaid refuses a chart of more than 50,000


def mermaid(drawn: Graph) -> str:
    """A Mermaid flow chart."""
    key = _keys(drawn)
    lines = ["flowchart TD"]
    for id, title in (*drawn.groups, (None, "")):
        inside = [node for node in drawn.nodes if home(drawn, node) == id]
        if id is not None:
            lines.append(f'  subgraph {key[id]}["{_quoted(f"{id} {title}")}"]')
        lines += [
            f'{"    " if id else "  "}{key[node.id]}["{_quoted(label(node))}"]:::{node.mark}'
            for node in inside
        ]
        if id is not None:
            lines.append("  end")
    red = []
    for number, (source, target, ring) in enumerate(drawn.arrows):
        lines.append(f"  {key[source]} {'==>' if ring else '-->'} {key[target]}")
        if ring:
            red.append(str(number))
    used = {node.mark for node in drawn.nodes}
    lines += [
        f"  classDef {mark} fill:{fill},stroke:{line}"
        for mark, (fill, line) in COLOURS.items()
        if mark in used
    ]
    if red:
        lines.append(f"  linkStyle {','.join(red)} stroke:{COLOURS['cycle'][1]}")
    return "\n".join(lines)


def dot(drawn: Graph) -> str:
    """A graph for Graphviz."""
    lines = ["digraph backlog {", "  rankdir=TB;", '  node [shape=box, style="rounded,filled"];']
    for number, (id, title) in enumerate(drawn.groups):
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_dotted(f'{id} {title}', WIDEST)};")
        # An arrow from or to a grouping needs a box of its own to end at.
        lines.append(f"    {_dotted(id)} [shape=plaintext, style=solid, label={_dotted(id)}];")
        lines += [f"    {_box(node)}" for node in drawn.nodes if home(drawn, node) == id]
        lines.append("  }")
    lines += [f"  {_box(node)}" for node in drawn.nodes if home(drawn, node) is None]
    red = f' [color="{COLOURS["cycle"][1]}", penwidth=2]'
    lines += [
        f"  {_dotted(source)} -> {_dotted(target)}{red if ring else ''};"
        for source, target, ring in drawn.arrows
    ]
    return "\n".join([*lines, "}"])


def _keys(drawn: Graph) -> dict[str, str]:
    """Names that Mermaid takes for names: `end` and `-` are words of its own."""
    ids = [*(id for id, _ in drawn.groups), *(node.id for node in drawn.nodes)]
    return {id: f"n{number}" for number, id in enumerate(ids)}


def _quoted(text: str) -> str:
    plain = _plain(text, WIDEST).replace("#", "#35;").replace('"', "#quot;")
    return plain.replace("<", "#lt;").replace(">", "#gt;")


def _plain(text: str, most: int | None = None) -> str:
    """What can be printed, and not more than fits."""
    cut = text if most is None or len(text) <= most else f"{text[: most - 1]}\u2026"
    return "".join(letter if letter.isprintable() else " " for letter in cut)


def _dotted(text: str, most: int | None = None) -> str:
    plain = _plain(text, most)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _box(node: Node) -> str:
    fill, line = COLOURS[node.mark]
    text = _dotted(label(node), WIDEST)
    return f'{_dotted(node.id)} [label={text}, fillcolor="{fill}", color="{line}"];'
