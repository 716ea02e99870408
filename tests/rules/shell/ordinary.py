"""Ordinary commands of development work, made from templates: what an agent runs all day."""

from __future__ import annotations

import random

FILES = ["src/app.py", "tests/test_app.py", "README.md", "lib/a b.ts", "package.json", "./x/y.go"]
FOLDERS = ["src", "tests/unit", ".", "./lib", "build", "docs/api"]
MESSAGES = [
    "fix: a -> b",
    "feat(x): support >= 3.11 && < 4",
    "docs: run `make > out` or tee /etc/passwd",
    "chore: rm -rf /store/12--login; done",
    "refactor: 'quoted' | piped > /repo/README.md",
    "test: $HOME/.plastic/store/9--x <=> {a,b} 2>&1",
]
PATTERNS = [
    "'>'",
    '"a > b"',
    "'cp .* /store'",
    "'^rm -rf /'",
    '"\\$(rm x)"',
    "'foo|bar>baz'",
    "-e '->' -e '=>'",
    '"it\'s"',
    "'tee /store/12--login/spec.md'",
]
NAMES = ["main", "feature/x", "HEAD~1", "v1.2.3", "origin/main"]
PACKAGES = ["requests", "react@18", "./pkg", "@types/node", "'a>=1,<2'"]
URLS = ["http://localhost:8000/health", "https://example.com/a?b=c&d=%3E", "https://h/x.tgz"]

# In templates ↵ is a new line.
# Templates that write nothing that a text could name, or only index and refs.
QUIET = r"""
git status
git status --porcelain=v2 -z | tr '\0' '\n'
git diff {name}...HEAD -- {file}
git diff --stat && git diff --cached
git log --oneline --graph -{n} {name} | cat
git log --format='%h -> %s <%an>' -{n}
git log -S{pattern} --oneline | head -{n}
git show {name}:{file} | sed -n '1,{n}p'
git show --stat {name}
git blame -L {n},+10 {file}
git grep -n {pattern} -- {folder}
git rev-parse --abbrev-ref HEAD
git branch -a | grep -v '\->'
git branch --show-current
git ls-files {folder} | wc -l
git for-each-ref --format='%(refname) > %(objectname)' refs/heads
git merge-base {name} HEAD
git stash list
git worktree list --porcelain
git remote -v
git config --get remote.origin.url
git add -A
git add {file} && git commit -m {message}
git commit -am {message}
git commit --amend --no-edit
git commit -q -m "$(cat <<'EOF'↵summary -> line > two↵↵rm -rf / && echo > /etc/x↵EOF↵)"
git commit -F - <<'EOF'↵subject↵↵cp a /store/12--login/b > c↵EOF
git push origin HEAD
git push -u origin {name} 2>&1 | tail -{n}
git fetch --all --prune
git tag -l 'v*' | sort -V | tail -{n}
git -c core.pager=cat diff
git --no-pager log -{n}
grep -rn {pattern} {folder}
grep -rn --include='*.py' {pattern} {folder} | head -{n}
grep -c {pattern} {file} || true
rg -n {pattern} {folder} -g '!*.lock' | head -{n}
rg --files | rg {pattern}
ls -la {folder} 2>/dev/null
ls {folder} | wc -l; pwd
cat {file} | head -{n}
sed -n '{n},+10p' {file}
sed 's/>/</g; s/a/b/' {file} | head
awk '{{ if ($1 >= {n}) print $1 " > " $2 }}' {file}
awk -F'>' 'NR > {n} {{ print $2 }}' {file}
head -n {n} {file}; tail -n {n} {file}
wc -l {file} {file}
diff -u {file} {file} | less
diff <(sort {file}) <(sort {file})
find {folder} -name '*.py' -not -path '*/node_modules/*' | head -{n}
find {folder} -type f -newer {file} -print0 | xargs -0 grep -l {pattern}
find {folder} -name '*.ts' -exec grep -Hn {pattern} {{}} +
tree -L 2 {folder}
du -sh {folder} | sort -h
jq '.scripts | to_entries[] | select(.value > {n})' package.json
jq -r '.a // "x > y"' {file}
curl -s {url} | jq .
curl -sS -o /dev/null -w '%{{http_code}}\n' {url}
ps aux | grep '[p]ython' | awk '{{print $2}}'
lsof -i :{n} || echo free
kill $(lsof -t -i:{n}) 2>/dev/null || true
echo "a > b" && echo 'x >> y' | cat
echo $((1 << {n})) $(( {n} > 3 ? 1 : 2 ))
[ {n} -gt 3 ] && echo bigger || echo smaller
[[ "$a" > "$b" ]] && echo after
test -f {file} && echo yes
if [ -d {folder} ]; then ls {folder}; else echo "no -> {folder}"; fi
for f in {file} {file}; do wc -l "$f"; done
while read -r line; do echo "> $line"; done < {file}
case "$1" in -*) echo option;; *) echo other;; esac
printf '%s > %s\n' a b
date +%s; uname -a; whoami
which python3 node go 2>/dev/null
env | grep -i path
export FOO=bar; echo "$FOO"
cd {folder} && ls -la && cd - >/dev/null
(cd {folder} && git log -1 --oneline)
sleep {n} & wait
timeout {n} cat {file}
time ls {folder}
type rm; command -v rg
history | tail -{n}
python3 -c "import sys; print(sys.version_info >= (3, {n}))"
python3 -c "import json; print(json.load(open('package.json'))['name'])"
python3 - <<'EOF'↵import re↵print(re.findall(r'a > b', open('README.md').read()))↵EOF
node -e "console.log([1,2].filter(x => x > {n}))"
node -p "require('./package.json').version" 2>&1 | cat
perl -ne 'print if $. > {n}' {file}
ruby -e 'puts [1,2].select {{ |x| x > {n} }}'
sort {file} | uniq -c | sort -rn | head -{n}
cut -d: -f1 {file} | tr a-z A-Z
xxd {file} | head -{n}
md5sum {file}
tar -tzf dist.tgz | head -{n}
unzip -l dist.zip
docker ps -a
kubectl get pods -n default | grep -v Running
make -n build
true # rm -rf /store/12--login > x
"""
# Templates whose programs run hidden code: opaque, and no text names what they write.
HIDDEN = r"""
pytest -q {file}
pytest -x -q -k {pattern} 2>&1 | tail -{n}
python -m pytest {folder} -n auto
.venv/bin/python -m pytest -q
source .venv/bin/activate && pytest {file}
npm test
npm run build 2>&1 | tail -{n}
npm install {package}
npx tsc --noEmit
npx eslint {folder} --ext .ts
yarn add {package}
pnpm -r build
cargo test --workspace -- --nocapture
cargo build --release
go test ./... -run {pattern}
go build ./...
make -j{n}
make test 2>&1 | grep -E {pattern}
pip install {package}
pip install -e '.[dev]'
uv run pytest -q
uv sync --all-extras
poetry install
mvn -q -DskipTests package
./gradlew build --info
docker build -t app:{n} .
docker compose up -d
docker run --rm -v "$PWD":/w -w /w node:20 npm ci
kubectl apply -f k8s/
terraform plan -out=plan.bin
mypy {folder}
pre-commit run --all-files
bash scripts/build.sh {n}
./scripts/run --flag > /dev/null 2>&1
python3 scripts/gen.py {file}
gh pr create --title {message} --body 'a > b'
gh run view {n} --log | grep {pattern}
cmake -S . -B build && cmake --build build
"""
# Templates that write below the directory of the call.
HERE = r"""
mkdir -p {folder}/new && touch {folder}/new/x
rm -rf build dist node_modules
rm -f {file}
cp {file} {file}.bak
mv {file} {folder}/
sed -i 's/a/b/g' {file}
sed -i.orig -e 's/>/</' {file} && rm -f x.orig
perl -pi -e 's/foo/bar/' {file}
cat > notes.md <<'EOF'↵# a > b↵rm -rf /store/12--login↵EOF
cat >> {folder}/log.txt <<EOF↵$(date) > {n}↵EOF
echo 'x > y' >> out.txt
echo done > {folder}/marker
printf 'a\n' | tee {folder}/a.txt {folder}/b.txt
grep -rl {pattern} {folder} > hits.txt
git show {name}:README.md > old.md
git checkout -- {file}
git restore {file}
git stash && git pull --rebase && git stash pop
git checkout -b feature/{n}
git merge --no-edit {name}
git rebase {name}
git reset --hard {name}
git clean -fd build
git mv {file} moved.md
git rm -q {file}
git diff > change.patch && git apply --check change.patch
jq '.version = "1.{n}"' package.json > tmp.json && mv tmp.json package.json
find . -name '*.pyc' -delete
find {folder} -name '*.orig' -exec rm {{}} +
find . -type d -name __pycache__ -prune -exec rm -rf {{}} +
for f in {file} {file}; do cp "$f" "$f.bak"; done
for i in 1 2 3; do echo $i > {folder}/f$i; done
tar -czf dist.tgz {folder}
tar -xzf dist.tgz -C {folder}
curl -fsSL -o {folder}/x.json {url}
curl -s {url} > page.html
wget -q -O page.html {url}
python3 -c "open('out.json','w').write('{{}}')"
python3 - <<'EOF'↵from pathlib import Path↵p = Path('src/app.py')↵p.write_text('a > b')↵EOF
node -e "require('fs').writeFileSync('out.json', JSON.stringify([1].map(x => x)))"
chmod +x {folder}/run.sh
ln -sf ../{file} {folder}/link
sort -u {file} -o {file}
black {folder}
ruff check --fix {folder}
gofmt -w {folder}
cd {folder} && echo x > here.txt
(cd {folder}; mkdir -p a/b; cp -r . ./copy)
D={folder}; mkdir -p "$D/z" && echo > "$D/z/f"
f() {{ mkdir -p "$1" && echo > "$1/x"; }}; f {folder}/made
npm run lint > lint.log 2>&1 || tail lint.log
[ -f .env ] || cp .env.example .env
if ! grep -q {pattern} .gitignore; then echo build/ >> .gitignore; fi
split -l {n} {file} part.
python3 -m venv .venv
git init sub && git -C sub add -A
git worktree add ./.worktrees/w{n} -b w{n}
sqlite3 app.db 'insert into t values (1)'
patch -p1 < change.patch
rsync -a {folder}/ copy/
touch {folder}/{{a,b}}.txt
exec 3> fd.log; echo hi >&3
"""
# Templates that write to the scratch folder or to the home of the user, and where.
ELSEWHERE = r"""
npm run build 2>&1 | tee /tmp/build.log | tail -{n} #/tmp
pytest -q > /tmp/out.txt 2>&1; tail -{n} /tmp/out.txt #/tmp
D=$(mktemp -d); cp {file} $D/x; rm -rf $D #/tmp
git diff > /tmp/change.patch #/tmp
curl -sSLo /tmp/x.tgz {url} && tar -xzf /tmp/x.tgz -C /tmp #/tmp
echo 'export A=1' >> ~/.bashrc #/root
mkdir -p ~/.cache/app && touch ~/.cache/app/{n} #/root
cat > /tmp/x.py <<'EOF'↵open('/store/12--login/spec.md', 'w')↵EOF #/tmp
"""


def lines(block: str) -> list[str]:
    return [line.replace("↵", "\n") for line in block.strip().split("\n")]


def made(count: int) -> list[tuple[str, str, str]]:
    """`count` commands as (text, kind, where it may write besides the directory of the call)."""
    dice = random.Random(12)
    groups = [("quiet", QUIET), ("hidden", HIDDEN), ("here", HERE), ("elsewhere", ELSEWHERE)]
    templates = [(kind, line) for kind, block in groups for line in lines(block)]
    found = []
    for number in range(count):
        kind, line = templates[number % len(templates)]
        where = ""
        if kind == "elsewhere":
            line, _, where = line.rpartition(" #")
        quote = "'" if "'" not in (message := dice.choice(MESSAGES)) else '"'
        escape = message.replace("$", "\\$").replace("`", "\\`") if quote == '"' else message
        text = line.format(
            file=shell_word(dice.choice(FILES)),
            folder=dice.choice(FOLDERS),
            message=f"{quote}{escape}{quote}",
            pattern=dice.choice(PATTERNS),
            name=dice.choice(NAMES),
            package=dice.choice(PACKAGES),
            url=f"'{dice.choice(URLS)}'",
            n=dice.randint(1, 99),
        )
        found.append((text, kind, where))
    return found


def shell_word(path: str) -> str:
    return path.replace(" ", "\\ ")
