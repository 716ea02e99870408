"""The numbered cases of the shell gate: what a foreign session may not do to a locked intent.

T is a path in intent 96, DIR its directory, STORE the store of it; here as texts, since the gate
itself is tested where the locks are.
"""

from __future__ import annotations

import pytest

from tests.rules.shell.judge import judge

STORE = "/home/me/.plastic/projects/shop/store"
DIR = f"{STORE}/96--demo"
T = f"{DIR}/spec.md"
ELSEWHERE = "/repo"

# Case -> texts that write T or below DIR (names in braces are filled in).
WRITES: dict[str, list[str]] = {
    "case 9.9/169": [
        "echo x > {T}",
        "echo x >> {T}",
        "ls 2> {T}",
        "ls &> {T}",
        "echo x >| {T}",
        'echo x > "{T}"',
        "echo x >{T}",
    ],
    "case 9.9/172": ["echo | tee {T}", "echo | tee -a {T} /tmp/u", "echo | tee -a /tmp/u {T}"],
    "case 9.9/173": [
        "sed -i s/a/b/ {T}",
        "sed -i.bak s/a/b/ {T}",
        "sed -i '' s/a/b/ {T}",
        "perl -pi -e s/a/b/ {T}",
        "sed -i s/a/b/ /tmp/u {T}",
        "sed -i s/a/b/ {T} /tmp/u",
        "perl -pi -e s/a/b/ {T} /tmp/u",
    ],
    "case 9.9/174": [
        "cp a {T}",
        'cp a "{T}"',
        "cp -t {DIR} a",
        "install a {T}",
        "ln -sf a {T}",
        "rsync a {T}",
        "dd if=/dev/zero of={T}",
    ],
    "case 9.9/176": ["touch {DIR}/delivery.lock", "cd {DIR} && touch delivery.lock"],
    "case 9.9/177": [
        "cd {DIR} && echo x > plan.md",
        "pushd {DIR}; echo x > plan.md",
        "(cd {DIR}; echo x > plan.md)",
        "cd {STORE}; cd 96--demo; echo x > plan.md",
    ],
    "case 9.9/178": [
        "D={DIR}; echo x > $D/plan.md",
        'D={DIR} && echo x > "${{D}}/plan.md"',
        "export D={DIR}; echo x > $D/plan.md",
    ],
    "case 9.9/179": [
        "bash -c 'echo x > {T}'",
        "sh -c 'rm {T}'",
        "eval 'rm {T}'",
        "env X=1 rm {T}",
        "sudo rm {T}",
        "nohup rm {T}",
        "time rm {T}",
        "echo {T} | xargs rm",
    ],
    "case 9.9/181": [
        "git -C {STORE} checkout -- 96--demo/spec.md",
        "git -C {STORE} restore 96--demo/spec.md",
        "git -C {STORE} mv 96--demo/spec.md x.md",
        "git -C {STORE} rm 96--demo/spec.md",
        "git -C {DIR} clean -fd .",
    ],
    "case 9.9/184": [
        "find {DIR} -delete",
        "find {DIR} -name '*.md' -exec rm {{}} +",
        "tar -xf a.tar -C {DIR}",
        "unzip a.zip -d {DIR}",
        "curl -o {T} http://h/f",
        "wget -O {T} http://h/f",
        "patch {T} < p",
        "ed {T} < script",
        "awk -i inplace 1 {T}",
    ],
    "case 9.9/191": [
        "echo | tee >(cat > {T})",
        "exec > {T}",
        "{{ echo a; echo b; }} > {T}",
        "while read -r x; do echo; done > {T}",
        "coproc cat > {T}",
    ],
}
# Verbs that touch whatever the checkout has changed: the checkout is answered.
CHECKOUTS = ["stash", "reset --hard", "clean -fd", "apply /tmp/p", "checkout main", "pull"]
# Case -> texts that write nothing there, although they name it.
READS: dict[str, list[str]] = {
    "case 9.9/171": [
        "git commit -m 'docs: a > {T}; tee {T}'",
        'git commit -m "see; tee {T} > x"',
        "echo 'see; tee {T}'",
        "git commit -F - <<'E'\nrm {T} > {T}\nE",
    ],
    "case 9.9/182": [
        "git -C {STORE} log",
        "git -C {STORE} diff -- 96--demo",
        "git -C {STORE} status",
        "git -C {STORE} add 96--demo/spec.md",
        "git -C {STORE} commit -m x -- 96--demo/spec.md",
    ],
    "case 9.9/183": [
        "grep x {T} > /dev/null",
        "grep x {T} 2>&1",
        "cat {T} | head",
        "wc -l < {T}",
    ],
}


def filled(text: str) -> str:
    return text.format(T=T, DIR=DIR, STORE=STORE)


@pytest.mark.parametrize(
    ("case", "text"), [(case, text) for case, texts in WRITES.items() for text in texts]
)
def test_a_write_is_seen(case: str, text: str) -> None:
    judged = judge(filled(text), ELSEWHERE)
    assert any(one.meets(DIR) for one in judged.writes), (case, judged.paths)


@pytest.mark.parametrize(
    ("case", "text"), [(case, text) for case, texts in READS.items() for text in texts]
)
def test_a_mention_is_no_write(case: str, text: str) -> None:
    judged = judge(filled(text), ELSEWHERE)
    assert [one for one in judged.writes if one.reach not in ("git", "shared")] == [], case
    assert judged.opaque == []


@pytest.mark.parametrize("verb", CHECKOUTS)
def test_a_verb_without_paths_touches_its_checkout(verb: str) -> None:
    """Case 9.9/181."""
    judged = judge(f"git -C {STORE} {verb}", ELSEWHERE)
    assert (STORE, "checkout") in [(one.path, one.reach) for one in judged.writes]


@pytest.mark.parametrize("text", [text for texts in WRITES.values() for text in texts])
def test_every_operand_of_a_line_is_seen_elsewhere_too(text: str) -> None:
    """The same lines on ground of one's own never touch the intent."""
    own = text.format(T="/tmp/t.md", DIR="/tmp/d", STORE="/tmp")
    judged = judge(own, ELSEWHERE)
    assert judged.writes
    assert not any(one.meets(DIR) for one in judged.writes)


def test_the_directory_of_the_call_counts() -> None:
    """Case 9.9/177: the directory that the harness says the command runs in."""
    (write,) = judge("echo x > plan.md", DIR).writes
    assert write.hits(f"{DIR}/plan.md")


def test_an_unknown_variable_is_opaque_and_names_what_the_text_names() -> None:
    """Case 9.9/178."""
    judged = judge("echo x > $D/plan.md", ELSEWHERE)
    assert judged.writes == []
    assert judged.opaque
    assert not any(DIR in one for one in judged.mentions)
    named = judge(f"D=$(dirname $X); ls {DIR}; echo x > $D/plan.md", ELSEWHERE)
    assert named.opaque
    assert DIR in named.mentions


def test_a_text_that_does_not_parse_is_never_a_read() -> None:
    """Case 9.9/187."""
    assert judge(f"echo 'x > {T}").kind == "opaque"


def test_a_tag_at_the_end_is_a_comment() -> None:
    """Case 9.9/186: there is no escape tag."""
    assert judge(f"rm {T} # plastic-ok").kind == "write"
