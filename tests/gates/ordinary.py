"""Commands as agents type them on an ordinary day: looks, builds, commits, edits, small scripts."""

from __future__ import annotations

import random

FILES = ["app.py", "src/cart.py", "tests/test_cart.py", "docs/a b.md", "README.md", "Makefile"]
WORDS = ["TAX", "def total", "TODO", "import os", "class Cart"]
MESSAGES = [
    "Round the tax",
    "fix: a > b, not a >= b",
    "Say what `total` does; it's new",
    "docs: rm -rf of the cache | tee log",
]
# `{f}` a file, `{w}` words, `{m}` a message, `{n}` a number, `{d}` the intent's directory, `{t}`
# the session's tree, `{r}` the repository, `{o}` the documents of somebody else.
LOOKS = [
    "ls -la {f}",
    "cat '{f}' | head -{n}",
    "sed -n {n},200p '{f}'",
    "rg -n '{w}' src | sort | uniq -c | sort -rn | head",
    "grep -rn \"{w}\" . --include='*.py' > /dev/null && echo found",
    "git status --short && git diff --stat",
    "git log --oneline -{n} -- '{f}'",
    "git show HEAD~1 --stat 2>/dev/null || true",
    "git -C {r} log -1 --format='%h -> %s'",
    "git -C {r} branch --list | cat",
    "find . -name '*.py' -newer '{f}' -print0 | xargs -0 wc -l",
    "find . -type f -exec grep -l '{w}' {{}} +",
    "awk -F: '{{ if ($2 > {n}) print $1 }}' '{f}'",
    "jq '.scripts | keys' package.json",
    'for f in *.py; do echo "$f: $(wc -l < "$f")"; done',
    "if [ -f '{f}' ]; then echo yes; else echo no; fi",
    'python3 -c "print({n} > 3)"',
    "python3 -c 'import json,sys; print(json.load(sys.stdin))' < package.json",
    "echo $(( {n} >> 1 ))",
    "cat <<'EOF'\nrm -rf /\n> {f}\nEOF",
    "cat {d}/spec.md {d}/plan.md",
    "cat {o}/spec.md | head -{n}",
    "diff {o}/plan.md {d}/plan.md || true",
    "ls {o} {o}/actions 2>&1 | tail -5",
    "plastic show {o}",
    "plastic-lock status 96 --json | jq .lock_state",
    "plastic list && plastic log -n {n}",
    "du -sh {r} | cut -f1",
    "test -w '{f}' && stat -c %s '{f}'",
    "which python3 node; python3 --version; node --version",
    "ps aux | grep -v grep | grep pytest",
    "curl -s https://example.invalid/api | jq .",
    "env | sort | head",
    "date +%s; uname -a; whoami",
    "time (ls -R > /dev/null)",
]
WORK = [
    "pytest -q 2>&1 | tail -{n}",
    "python3 -m pytest tests -k '{w}' -x",
    "make all > build.log 2>&1; tail -{n} build.log",
    "npm test -- --watch=false && npm run build",
    "cargo build --release 2>&1 | grep -E '^(warning|error)'",
    "go test ./... | tee test.log",
    "ruff check --fix . && ruff format .",
    "uv run pytest -q",
    "git add -A && git commit -qm '{n} files'",
    'git commit -q -m "{m}"',
    "git commit -qF - <<'EOF'\n{m}\n\nwrites > {f}\nEOF",
    "git stash && git stash pop",
    "git checkout -- '{f}'",
    "git restore --staged '{f}'",
    "git fetch -q origin && git rev-parse origin/main",
    "git rebase -q main || git rebase --abort",
    "git apply < fix.patch",
    "sed -i 's/{w}/x/' '{f}'",
    "perl -pi -e 's/a/b/' '{f}'",
    "mkdir -p build/{n} && cp '{f}' build/{n}/ && rm -rf build/{n}",
    "mv '{f}' '{f}.bak' && mv '{f}.bak' '{f}'",
    "cat > '{f}' <<'EOF'\nx = 1 > 0\nEOF",
    "printf 'a\\nb\\n' >> notes.txt",
    'echo "$(date): {n}" >> log.txt',
    "python3 - <<'EOF'\nopen('out.txt', 'w').write('x')\nEOF",
    "python3 -c \"from pathlib import Path; Path('y.txt').write_text('{n}')\"",
    "node -e \"require('fs').writeFileSync('z.json', '{{}}')\"",
    "tar -czf /tmp/x-{n}.tgz src && tar -tzf /tmp/x-{n}.tgz",
    "touch a{n}.txt && chmod +x a{n}.txt && rm a{n}.txt",
    "find . -name '*.pyc' -delete",
    "ls *.tmp | xargs rm -f",
    "(cd src && touch new{n}.py)",
    "cd src; echo x > y.py; cd ..",
    "cd {t} && bash -c 'echo {n} > n.txt'",
    "timeout 60 bash -c 'while ! test -f x; do sleep 1; done'",
    "nohup python3 -m http.server 80{n} > /tmp/server.log 2>&1 &",
    "curl -sSL https://example.invalid/x -o /tmp/x-{n}",
    "ln -sf src/cart.py cart-link.py",
    "patch -p1 < /tmp/x.patch",
    'T=$(mktemp -d); cp \'{f}\' "$T/"; ls "$T"',
    "export CI=1 && make lint",
    'docker run --rm -v "$PWD:/w" image make',
    "sort -o words.txt words.txt",
    "x=5; (( x >>= 1 )); echo $x > x.txt",
    "pip install -e . -q && pip freeze > requirements.txt",
    "./scripts/release.sh --dry-run",
    "git worktree list; git tag --list",
    "for i in 1 2 3; do echo $i > f$i.txt; done",
    "case $n in 1) echo a > a.txt;; *) echo b > b.txt;; esac",
    "trap 'rm -f lock.tmp' EXIT; touch lock.tmp",
    "while read -r l; do echo \"$l\"; done < '{f}' > copy.txt",
]
# Of a session that holds an intent: its documents.
DOCUMENTS = [
    "cat > {d}/notes.md <<'EOF'\nA note > here.\nEOF",
    "sed -i 's/- \\[ \\]/- [x]/' {d}/checklist.md",
    "echo '- [ ] more' >> {d}/checklist.md",
    "mkdir -p {d}/resources && cp README.md {d}/resources/readme.md",
    "cd {d} && ls && cat checklist.md",
    "plastic-lock keep -- make all",
]


def commands(
    seed: int, number: int, names: dict[str, str], *, owner: bool
) -> list[tuple[str, bool]]:
    """Commands with `number` variations, and whether each only looks."""
    chance = random.Random(seed)
    kinds = [*((one, True) for one in LOOKS), *((one, False) for one in WORK)]
    kinds += [(one, False) for one in DOCUMENTS] if owner else []
    found = []
    for _ in range(number):
        line, looks = chance.choice(kinds)
        values = {
            "f": chance.choice(FILES),
            "w": chance.choice(WORDS),
            "m": chance.choice(MESSAGES).replace('"', "").replace("`", "\\`"),
            "n": str(chance.randint(2, 40)),
        }
        found.append((line.format(**values, **names), looks))
        if chance.random() < 0.2:
            other, more = chance.choice(kinds)
            joined = f"{found[-1][0]}\n{other.format(**values, **names)}"
            found[-1] = (joined, looks and more)
    return found
