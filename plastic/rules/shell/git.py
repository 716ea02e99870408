"""git: its own options first, then the verb by its row."""

from __future__ import annotations

from plastic.rules.shell.gitmodes import GIT_MODES
from plastic.rules.shell.gitrefs import index
from plastic.rules.shell.marks import marked
from plastic.rules.shell.row import Reader, Row, Seen
from plastic.rules.shell.rows_git import LOOKS, RUNS, RUNS_BEHIND, VERBS
from plastic.rules.shell.table import moved, roles, seen_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State

_ROWS: dict[str, Row] = {}
_OWN = (
    "read @first -C=cd -c,--config-env=set --git-dir=git-dir --work-tree=work-tree --namespace= "
    "--exec-path? --super-prefix= --attr-source= --list-cmds="
)


def git(run: Run, call: Call, state: State) -> None:
    """Judge one call of git."""
    own = seen_by(_OWN, call)
    state = moved(own, state)
    aliases = {}
    for setting in own.of("set"):
        key, _, value = setting.partition("=")
        if key.lower().startswith("alias."):
            aliases[key[6:]] = value
        else:
            _setting(run, call, state, key.lower(), value)
    for name, role in (("GIT_DIR", "git-dir"), ("GIT_WORK_TREE", "work-tree")):
        value = call.sets.get(name) or (state.text(name) if name in state.exported else "")
        if value and not own.of(role):
            own.values.append((role, value))
    words = own.operands
    if words and words[0] in aliases:
        words = _alias(run, call, state, aliases[words[0]], words[1:])
    if words:
        _verb(run, call, state, own, words)


def _setting(run: Run, call: Call, state: State, key: str, value: str) -> None:
    """A setting that is given for this call: some of them are run."""
    runs = key in RUNS or key.endswith(RUNS_BEHIND) or key.startswith("pager.")
    if runs and value not in ("", "cat", "true", "false", "less"):
        run.text(value.removeprefix("!"), state, call)
    elif key in ("core.hookspath", "include.path") and value not in ("", "/dev/null"):
        run.opaque(f"`{key}` names code that git runs", call, state)


def _alias(run: Run, call: Call, state: State, text: str, rest: list[str]) -> list[str]:
    """The words of an alias that is a verb; one that is a text of shell is run."""
    if text[:1] == "!":
        run.text(" ".join([text[1:], *rest]), state, call)
        return []
    return [*text.split(), *rest]


def _verb(run: Run, call: Call, state: State, own: Seen, words: list[str]) -> None:
    verb = words[0]
    for word in words[1:]:
        if word.startswith("ext::"):  # a transport that is a command
            run.text(word[5:], state, call)
    if verb in LOOKS or "--help" in words[1:2] or words[1:] == ["-h"]:
        return
    row = _ROWS.get(verb)
    if row is None:
        text = VERBS.get(verb)
        if text is None or marked(verb):
            run.opaque(f"`git {verb}` is no verb of git: an alias or a program", call, state)
            return
        row = _ROWS[verb] = Row(text)
    seen = Reader(row, words[1:]).read()
    seen.values += [one for one in own.values if one[0] in ("git-dir", "work-tree")]
    roles(run, call, state, seen)
    # A diff that hands the files to a program refreshes the index when it has looked through them.
    shows = verb in ("diff", "difftool") and call.sets.get("GIT_EXTERNAL_DIFF")
    if seen.of("git") or shows:
        index(run, call, state, seen)
    GIT_MODES[seen.mode](run, call.inner(words), state, seen)
