"""Links that a text makes, copies or moves: a write at their place is judged where it lands."""

from __future__ import annotations

import pytest

from plastic.rules.shell.analyse import analyse
from tests.rules.shell.judge import CWD, parse

# Links and directories that are there, below the directory of the call; /f is another's.
LINKS = {"l": "/f", "d/deep": "/f", "up": "../f", "way": "/f/actions", "k": "l"}
THERE = {"", "d", "e", "l", "k", "way", "d/deep"}
# text -> where it writes besides the places that are named in it
REACHED = [
    ("ln -s /f a; echo > a/x", ["/f/x"]),
    ("ln -sfn /f a && cd a && echo > x", ["/f/x"]),
    ("ln --symbolic /f/x a; echo > a", ["/f/x"]),
    ("ln -s /f/x; echo > x", ["/f/x"]),
    ("ln -s /f/x e; echo > e/x", ["/f/x"]),
    ("ln -st e /f/x; echo > e/x", ["/f/x"]),
    ("ln -s ../q a; echo > a", [f"{CWD.rpartition('/')[0]}/q"]),
    ("ln -sr ../q e/a; echo > e/a", [f"{CWD.rpartition('/')[0]}/q"]),
    ("ln -s /f a; ln -s a b; touch b/x", ["/f/x", "a/x"]),
    ("ln -s b a; ln -s a b; touch a", ["b"]),
    ("ln -s /f a; ln -f a a; touch a/x", ["/f", "/f/a", "/f/x"]),
    ("ln -s /f a; touch *", ["/f"]),
    ("ln -s /f a; touch */x", ["/f/x"]),
    ("ln -s /f a; rm -r a", []),
    ("ln -s /f a; rm -r a/x", ["/f/x"]),
    ("ln -s /f a; cp -r x a/", ["/f", "/f/x"]),
    ("ln /f/x a; echo > a", ["/f/x"]),
    ("link /f/x a; echo > a", ["/f/x"]),
    ("cp -l /f/x a; echo > a", ["/f/x"]),
    ("ln /f/x a; rm a", []),
    ("ln -f x e/b; ln -s /f/x e/b; touch e/b", ["/f/x"]),
    ("cp -r l a; cp x a", ["/f", "/f/x"]),
    ("cp -P l a; echo > a/x", ["/f/x"]),
    ("cp -d l e; echo > e/l/x", ["/f/x"]),
    ("cp -a d n; echo > n/deep/x", ["/f/x"]),
    ("cp -a d e; echo > e/d/deep/x", ["/f/x"]),
    ("cp -r d/. e; echo > e/deep/x", ["/f/x"]),
    ("cp -r l* e; echo > e/l/x", ["/f/x"]),
    ("cp -s /f/x a; echo > a", ["/f/x"]),
    ("cp -rs /f a; echo > a", ["/f"]),
    ("mv l a; echo > a/x", ["/f/x"]),
    ("mv up e; echo > e/up", ["f"]),
    ("mv d n; echo > n/deep/x", ["/f/x"]),
    ("mv k a; echo > a/x", ["l/x", "/f/x"]),
    ("rsync -a l e; echo > e/l/x", ["/f/x"]),
    ("rsync -a d/ e; echo > e/deep/x", ["/f/x"]),
    ("ln -s /f n; mv n a; echo > a/x", ["/f/x"]),
    ("ln -s /f n; cp -a n a; echo > a/x", ["/f/x"]),
    ("bash -c 'echo > x'", []),
    # what is copied is what they lead to, or no link at all
    ("cp l a; echo > a", []),
    ("cp -rL l a; echo > a/x", []),
    ("cp -r l/ a; echo > a/x", []),
    ("rsync -a l/ e; echo > e/x", []),
    ("rsync l e; echo > e/l", []),
    ("cp -r l e; echo > e/x", []),
    ("cp -r /f/actions a; echo > a/x", []),
    ("echo > a; ln -s /f a", []),
    ("mkdir n; ln -s /f n; echo > n/x", []),
    ("mkdir -p n/m; cp -r l n/m; echo > n/m/x", []),
    ("rm -rf e; ln -s /f e; echo > e/x", ["/f/x"]),
    ("mkdir n; rmdir n; mv l n; echo > n/x", ["/f/x"]),
    ("ln -s /f a; echo > b; echo > aa/x", []),
    # `..` leaves the place that a link leads to
    ("echo > way/../x", ["/f/x"]),
    ("cd way && echo > ../x", ["/f/x"]),
    ("cd way/.. && echo > y", []),
    ("cd way && cd .. && echo > y", ["y"]),
    ("cd -P way && cd .. && echo > y", ["/f/y"]),
    ("cd -P way/.. && echo > y", ["/f/y"]),
    ("set -P; cd k && echo > y", ["/f/y"]),
    ("set -o physical; cd way && cd .. && touch y", ["/f/y"]),
    ("pushd way; cd -P ..; touch y", ["/f/y"]),
    ("for i in 1 2; do touch a/x; ln -s /f a; done", ["/f", "/f/x", "/f/f"]),
    ("ln -s /f/g/h a; touch a/../x", ["/f/g/x"]),
    ("echo > d/../x", ["x"]),
    ("cp x ../x", [f"{CWD.rpartition('/')[0]}/x"]),
]


@pytest.mark.parametrize(("text", "paths"), REACHED, ids=[one[0] for one in REACHED])
def test_what_is_reached_through_a_link(text: str, paths: list[str]) -> None:
    found = {f"{CWD}/{name}": says for name, says in LINKS.items()}
    dirs = {f"{CWD}/{name}".rstrip("/") for name in THERE} | {"/"}
    tree = parse(text) or {}
    answer = analyse(
        tree, CWD, {}, is_dir=lambda one: one in dirs or None, link=lambda path: found.get(path, "")
    )
    reached = {one.path for one in answer.writes}
    expected = {path if path[0] == "/" else f"{CWD}/{path}" for path in paths}
    assert expected <= reached
    assert not [one for one in reached - expected if one.startswith("/f")]
    assert answer.opaque == []
