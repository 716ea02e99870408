"""Variables of the environment that other programs run, load or write to."""

from __future__ import annotations

from plastic.rules.shell.marks import ANY
from plastic.rules.shell.run import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Run
    from plastic.rules.shell.state import State

# Their value is a command: git and its friends hand it to a shell.
COMMANDS = frozenset(
    (
        "EDITOR",
        "GIT_ASKPASS",
        "GIT_EDITOR",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_PROXY_COMMAND",
        "GIT_SEQUENCE_EDITOR",
        "GIT_SSH_COMMAND",
        "LESSOPEN",
        "MANPAGER",
        "PAGER",
        "PROMPT_COMMAND",
        "SSH_ASKPASS",
        "VISUAL",
    )
)
# Their value is a program, or names one, that is loaded into the next one.
LOADED = frozenset(
    (
        "BASH_ENV",
        "ENV",
        "GIT_CONFIG_GLOBAL",
        "GIT_TEMPLATE_DIR",
        "LD_PRELOAD",
        "PERL5OPT",
        "PYTHONSTARTUP",
        "RUBYOPT",
    )
)
# Their value is a file that is written; numbers and yes/no mean the terminal.
FILES = "GIT_TRACE"


def environment(run: Run, name: str, value: str, state: State) -> None:
    """What it means that a program finds this variable set."""
    if not value:
        return
    if name in COMMANDS:
        if ANY not in value and value not in ("cat", "true", ":", "less", "more"):
            run.text(value, state)
    elif name in LOADED:
        if value != "/dev/null":
            run.opaque(f"{name} names code that is loaded", Call([name, value]), state)
    elif name.startswith(FILES) and value.startswith("/"):
        run.write(value, state)
