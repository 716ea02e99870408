"""Texts that an attacker has tried: each is run, and what it does to somebody else was refused."""

from __future__ import annotations

import pytest

from tests.gates.test_shell_oracle import Trial, compare, harmless_to_others, trial

__all__ = ["trial"]
# `lnk` leads to the intent of somebody else, `act` to its actions.
TRIED = [
    "sh -c 'ln -s {D} a'; echo x > a/new.md",
    "bash -c \"sh -c 'cp -r lnk b'\"; touch b/n",
    "cd -P act; cd ..; echo x > new.md",
    "cd -P act/..; touch new.md",
    "set -eo physical; cd act; cd ..; touch new.md",
    "pushd act > /dev/null; cd -P ..; touch new.md",
    "find -L . -name spec.md -delete",
    "find . -follow -name spec.md -exec rm {} +",
    "git init -q; git --git-dir=lnk/g init -q",
    "git init -q; git config core.worktree $W/lnk; git checkout -- a.txt",
    "TMPDIR=lnk mktemp",
    "export TMPDIR=lnk; mktemp -t x.XXX",
    "ex -sc 'w! lnk/x' -cq a.txt",
    "awk -f <(echo 'BEGIN { system(\"touch lnk/n\") }')",
    "bash <(echo touch lnk/n)",
    'perl -e \'exec "touch", "lnk/n"\'',
    'perl -e \'chdir "lnk"; open F, ">n"\'',
    "python3 -c \"import os; os.chdir('lnk'); open('x', 'w')\"",
    "while read l; do touch q/n; ln -sfn {D} q; done < <(printf '1\\n2\\n')",
    "rm -rf */*",
    "touch l*/n-$RANDOM.md",
    ": lnk/n.md; touch $_",
    "declare -n r=X; X=lnk; touch $r/n",
    "X='$(touch lnk/n)'; echo ${X@P}",
    "zip -qm x.zip lnk/spec.md",
    "tar --checkpoint=1 --checkpoint-action=exec='touch lnk/n' -cf /dev/null a.txt",
    "tar -cf x.tar a.txt; tar -xf x.tar --one-top-level=lnk/q",
    "tar -cf x.tar a.txt; tar -xf x.tar --transform='s,^,lnk/,'",
    "tar -P -cf x.tar {D}/spec.md; tar -P -xf x.tar",
    "ssh -o ProxyCommand='touch lnk/n' x",
    "ssh -oProxyCommand='touch lnk/n' x",
    "git init -q; git -c protocol.ext.allow=always fetch 'ext::touch lnk/n'",
]


@pytest.mark.parametrize("text", TRIED)
def test_an_attack(trial: Trial, text: str) -> None:
    compare(trial, text)


HONEST = ["find -L sub -name '*.txt' -exec grep -l a {} +", "find -L sub -name '*.pyc' -delete"]


@pytest.mark.parametrize("text", HONEST)
def test_what_looks_alike(trial: Trial, text: str) -> None:
    harmless_to_others(trial, text)
