"""plastic's own commands in a shell text: they judge for themselves who may do what."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from plastic.rules.shell.run import Call, Run
    from plastic.rules.shell.state import State


def own(run: Run, call: Call, state: State) -> None:
    """`plastic show DIR` names an intent and harms nothing; what stands behind `--` is run."""
    if "--" in call.args:
        inner = call.args[call.args.index("--") + 1 :]
        if inner:
            run.call(run, call.inner(inner), state)
