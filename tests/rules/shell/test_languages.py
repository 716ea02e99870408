"""One-line programs: which of their calls write, which are reads, and what they hide."""

from __future__ import annotations

import pytest

from plastic.rules.shell.awktext import Awk
from plastic.rules.shell.rows_calls import CALLS
from plastic.rules.shell.scan import Scanner, arguments, calls
from plastic.rules.shell.sedtext import Sed
from tests.rules.shell.judge import CWD, judge

# Program -> what is written; `?` = it is opaque.
PYTHON = [
    ("open('f','w')", "f"),
    ("open('f', mode='a')", "f"),
    ("open('f', 'r+')", "f"),
    ("open('f','rb'); open('g')", ""),
    ("open(f, 'w')", "?"),
    ("open(f)", ""),
    ("open('a' + x, 'w')", "a*"),
    ("open(f'a{x}', 'w')", "a*"),
    ("open(f'{x}/a', 'w')", "?"),
    ("open('f', m)", "f"),
    ("p = 'f'\nopen(p, 'w')", "f"),
    ("from pathlib import Path\nPath('f').write_text('x')", "f"),
    ("from pathlib import Path\np = Path('f')\np.write_text(p.read_text())", "f"),
    ("import pathlib\npathlib.Path('f').unlink()", "-f"),
    ("from pathlib import Path as P\nP('f').touch()", "f"),
    ("from pathlib import Path\nfor p in Path('.').glob('*'): p.write_text('x')", "?"),
    ("from os import (path,\n  remove)\nremove('f')", "-f"),
    ("import os\nos.rename('a','b'); os.makedirs('d/e')", "-a b d/e"),
    ("import os\nos.system('rm f')", "-f"),
    ("import os\nos.system(x)", "?"),
    ("import shutil as s\ns.rmtree('d'); s.copytree('a','b')", "-d b+below"),
    ("import subprocess\nsubprocess.run(['rm', '-f', 'x'], check=True)", "-x"),
    ("import subprocess\nsubprocess.run('rm x', shell=True)", "-x"),
    ("import subprocess\nsubprocess.run(['rm', x])", "?"),
    ("import subprocess\nsubprocess.run(cmd)", "?"),
    ("print('a'.replace('b','c')); {}.copy(); [1].remove(1)", ""),
    ("print(1 > 0, 'open(x, w)')", ""),
    ("# open('f','w')", ""),
    ("'''\nopen('f','w')\n'''", ""),
    ("import sys, json, re\nprint(json.load(sys.stdin))", ""),
    ("import mymodule", "?"),
    ("from . import x", "?"),
    ("exec(x)", "?"),
    ("__import__('os').remove('f')", "?"),
    ("import importlib\nimportlib.import_module('x')", "?"),
]
NODE = [
    ("fs.writeFileSync('f','x')", "f"),
    ("require('fs').appendFileSync('f','x')", "f"),
    ("const fs = require('node:fs'); fs.rmSync('f')", "-f"),
    ("fs.renameSync('a','b'); fs.copyFileSync('c','d')", "-a b d"),
    ("fs.writeFileSync(`a${x}`, '')", "a*"),
    ("fs.writeFileSync(p, '')", "?"),
    ("require('child_process').execSync('rm f')", "-f"),
    ("require('child_process').spawnSync('rm', ['f'])", "-f"),
    ("console.log([1].map(x => x > 1)) // fs.rmSync('f')", ""),
    ("console.log(require('./package.json').version)", ""),
    ("require('./build')", "?"),
    ("eval(x)", "?"),
]
PERL = [
    ('open(F, ">f")', "f"),
    ('open(my $f, ">>", "f")', "f"),
    ('open(F, "<f"); open(my $g, "<", "g")', ""),
    ('open(F, "| rm f")', "-f"),
    ("open(F, $x)", "?"),
    ('open(my $f, ">", $x)', "?"),
    ('unlink "f"; rename("a", "b")', "-f -a b"),
    ('system("rm f")', "-f"),
    ("`rm f`", "-f"),
    ('unlink "a$x"', "-a*"),
    ("print if /a/ && $x > 3", ""),
    ("eval $x", "?"),
]
RUBY = [
    ("File.write('f', '')", "f"),
    ("File.open('f', 'w') { |f| f.puts 1 }", "f"),
    ("File.open('f') { |f| f.read }", ""),
    ("FileUtils.rm_rf('d'); FileUtils.cp 'a', 'b'", "-d b"),
    ("system 'rm f'", "-f"),
    ("`rm f`", "-f"),
    ('File.write("a#{x}", "")', "a*"),
    ("puts [1].map { |x| x > 1 }", ""),
    ("load 'x'", "?"),
]
EVERY = [
    (language, program, wanted)
    for language, rows in (("python", PYTHON), ("node", NODE), ("perl", PERL), ("ruby", RUBY))
    for program, wanted in rows
]
STARTS = {"python": "python3 -", "node": "node -", "perl": "perl", "ruby": "ruby"}


@pytest.mark.parametrize(("language", "program", "wanted"), EVERY)
def test_a_program_from_the_input(language: str, program: str, wanted: str) -> None:
    judged = judge(f"{STARTS[language]} <<'END'\n{program}\nEND")
    said = [one.replace(f"{CWD}/", "") for one in judged.paths] + ["?"] * bool(judged.opaque)
    assert " ".join(said) == wanted


@pytest.mark.parametrize("language", CALLS)
def test_every_call_of_the_table_is_read(language: str) -> None:
    for name, row in CALLS[language].items():
        words = row.split()
        given = ["'w'" if word == "m" else f"'file{at}'" for at, word in enumerate(words)]
        call = f"{name}({', '.join(given)})"
        if name.startswith("."):
            call = f"pathlib.Path('file0'){name}({', '.join(given[1:])})"
        needed = (
            "import os, io, codecs, shutil, subprocess, pathlib\n" if language == "python" else ""
        )
        judged = judge(f"{STARTS[language]} <<'END'\n{needed}{call}\nEND")
        written = [at for at, word in enumerate(words) if word in ("w", "b", "r")]
        written += [at - 1 for at, word in enumerate(words) if word == "m"]
        for at in written:
            assert any(one.endswith(f"/file{at}") for one in map(plain, judged.paths)), call
        if not written:
            assert judged.opaque, call


def plain(path: str) -> str:
    return path.removesuffix("+below")


@pytest.mark.parametrize(
    ("program", "parts"),
    [
        ("s/a/b/w f", [("w", "f")]),
        ("s/a/b/gw f\np", [("w", "f")]),
        ("/x/w f", [("w", "f")]),
        ("\\,x,w f", [("w", "f")]),
        ("1,3{s/a/b/;w f\n}", [("w", "f")]),
        ("s/[/w]/b/", []),
        ("s/a\\/w f/b/", []),
        ("y/w/e/", []),
        ("a\\\nw f\\\ne x\nw g", [("w", "g")]),
        ("r f\nw g", [("w", "g")]),
        ("b end; w f\n:end", [("w", "f")]),
        ("s/a/b/e", [("e", "")]),
        ("1e date", [("e", "")]),
        ("", []),
        ("s", []),
        ("s/a", []),
    ],
)
def test_sed_programs(program: str, parts: list[tuple[str, str]]) -> None:
    assert Sed(program).parts() == parts


@pytest.mark.parametrize(
    ("program", "parts"),
    [
        ('{print > "f"}', [("w", "f")]),
        ('{print $1, $2 >> "f"}', [("w", "f")]),
        ('{printf("%s", $1) > "f"}', [("w", "f")]),
        ("{print ($1 > 2)}", []),
        ("$1 > 2", []),
        ("$1 > 2 {print}", []),
        ('{print > "f" $1}', [("w", "f\ue000")]),
        ("{print > f}", [("w", "\ue000")]),
        ('{print | "cat"}', [("x", "cat")]),
        ('{system("a b")}', [("x", "a b")]),
        ('{"date" | getline d}', [("x", "date")]),
        ('/"/ {print > "f"}', [("w", "f")]),
        ('{x = a / b; y = c / d; print > "f"}', [("w", "f")]),
        ('{print "a > b"} # print > "f"', []),
        ('{print "a\\"" > "f"}', [("w", "f")]),
        ('$1 || $2 {print > "f"}', [("w", "f")]),
        ('"', []),
        ("/", []),
    ],
)
def test_awk_programs(program: str, parts: list[tuple[str, str]]) -> None:
    assert Awk(program).parts() == parts


def test_the_scanner_keeps_texts_apart() -> None:
    tokens = Scanner("a.b(r'x\\y', \"q\") # z('w')", "python").scan()
    assert [(one.kind, one.value) for one in tokens] == [
        ("name", "a.b"),
        ("mark", "("),
        ("text", "x\\y"),
        ("mark", ","),
        ("text", "q"),
        ("mark", ")"),
    ]
    (call,) = calls(tokens)
    assert call[1] == "a.b"
    assert [[one.value for one in given] for given in call[2]] == [["x\\y"], ["q"]]
    assert arguments(tokens, 5) == []


def test_a_long_program_is_opaque() -> None:
    tree_text = "python3 -c '" + "x = 1; " * 12000 + "'"
    assert judge(tree_text).kind == "opaque"
