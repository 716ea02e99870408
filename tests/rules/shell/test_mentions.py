"""What an opaque command could be about: its words, its input, its directory, what it is given."""

from __future__ import annotations

import pytest

from tests.rules.shell.judge import CWD, judge

T = "/store/12--login/spec.md"


@pytest.mark.parametrize(
    "text",
    [
        f"make {T}",
        f"make OUT={T}",
        f"make --out={T}",
        f"make -I{T}",
        f"OUT={T} make",
        f"export OUT={T}; make",
        f"make < {T}",
        f"cat {T} | make",
        f"make <<< 'write {T} please'",
        f"make <<E\n{T}\nE",
        f"cd {T} && make",
        f"env -C {T} make",
        f"make -C {T}",
        f"bash {T}",
        f". {T}",
        f"{T}",
        f"python3 -c 'import x; x.go(\"{T}\")'",
        f"echo {T} | python3 script.py",
        f"ls {T} | xargs ./do",
        f"find {T} -exec ./do {{}} \\;",
        f"for f in {T}; do ./do $f; done",
        "D=/store/12--login; ./do $D/spec.md",
        f"F=$(cat list); ls {T}; rm $F",
        f"rm $(grep -l x {T})",
        f"bash -c './do {T}'",
        f"printf '%s' {T} | xargs -0 sh -c './do $1' _",
        f"git -C {T} unknown",
        f"sudo ./do {T}",
        f"./do '{T}'",
        f'./do -v "{T}:/mnt"',
        f"docker run --rm -v {T}:/mnt alpine touch /mnt/a",
        f"podman run --mount type=bind,src={T},dst=/mnt alpine touch /mnt/a",
        f"uv run ./do {T}",
        f"npx tool {T}",
        f"just --justfile {T} all",
    ],
)
def test_what_it_could_write_is_mentioned(text: str) -> None:
    judged = judge(text)
    assert judged.opaque
    assert any(one == T or one.startswith(f"{T}/") for one in judged.mentions)


@pytest.mark.parametrize(
    "text",
    [
        f"cat {T}; make",
        f"grep x {T} && npm test",
        f"cd {T}; cd -; make",
        f"F={T}; cat $F; make",
        f"git commit -m 'see {T}' && make",
        f"diff {T} a | head; pytest",
        f"(cd {T}; ls); make",
    ],
)
def test_what_another_command_reads_is_not(text: str) -> None:
    judged = judge(text)
    assert judged.opaque
    assert [one for one in judged.mentions if one.startswith("/store")] == []
    assert CWD in judged.mentions


def test_a_part_that_is_not_known_is_a_star() -> None:
    judged = judge("echo x > $STORE/12--login/spec.md")
    assert judged.mentions == ["*/12--login/spec.md", CWD]


def test_a_variable_of_the_environment_is_followed() -> None:
    judged = judge("echo x > $STORE/12--login/spec.md", variables={"STORE": "/store"})
    assert (judged.paths, judged.opaque) == ([T], [])


def test_where_the_directory_is_unknown_the_first_one_counts() -> None:
    judged = judge('cd "$(git rev-parse --show-toplevel)" && make')
    assert judged.mentions == [CWD]


def test_a_text_without_a_directory() -> None:
    judged = judge("echo x > f; rm /a", cwd=None)
    assert judged.paths == ["-/a"]
    assert judged.opaque == ["where `f` lies is not known before it runs"]


def test_a_mention_is_told_once() -> None:
    judged = judge("make a/b; make a/b; cd x; make ../a/b")
    assert judged.mentions.count(f"{CWD}/a/b") == 1
