"""What the relay says: to agents as prompts, to people as one line with the next useful action."""

from __future__ import annotations

GRAMMAR = (
    "End this turn with one signal: run `plastic relay signal hand-off --prompt-file FILE`, "
    "`plastic relay signal done --summary TEXT`, `plastic relay signal pause --question TEXT` or "
    "`plastic relay signal stop --reason TEXT`."
)
# What is sent to the agent in a session that goes on; `{}` is what the event says.
PROMPTS: dict[str, str] = {
    "correction": f"Your relay signal was not understood: {{}}. {GRAMMAR}",
    "signal_now": f"Your last turn ended without a relay signal. {GRAMMAR}",
    "continue": f"Go on with the work. {GRAMMAR}",
    "guidance": f"Your relay signals were not understood, and nothing was handed over. {GRAMMAR}",
    "reconsider": (
        "The relay had been stopped and is on again; what was said about its end no longer holds. "
        f"Look at what is left to do. {GRAMMAR}"
    ),
    "inspect": (
        "The process that ran this relay was lost. Look at what was under way, background work "
        f"included, and take no result of it for granted. {GRAMMAR}"
    ),
}
# State or reason -> what it means. The next action comes with it.
STANDS: dict[str, tuple[str, str]] = {
    "off": ("no relay", "plastic relay start PROMPT"),
    "running": ("the agent is at work", "plastic relay status"),
    "background": ("background work has not reached the agent", "plastic relay resume"),
    "unsignalled": ("the agent ended its turn without a signal", "plastic relay resume"),
    "user_paused": ("the agent asks", "plastic relay reply TEXT"),
    "advancing": ("the work is being handed over", "plastic relay status"),
    "interrupted": ("the process that ran the relay is gone", "plastic relay resume"),
    "malformed": ("two signals in a row were not understood", "plastic relay reply TEXT"),
    "replace_failed": ("the next session could not be started", "plastic relay resume"),
    "replace_cancelled": ("the next session was forbidden", "plastic relay resume"),
    "dispatch_timeout": ("the next session did not come up in time", "plastic relay resume"),
    "delivery_timeout": (
        "the prompt was sent and has not been seen to begin",
        "plastic relay status",
    ),
    "delivery_unknown": (
        "the prompt was sent, and nobody can tell whether it began: resuming may send it twice",
        "plastic relay resume",
    ),
    "done": ("the work is done", "plastic relay log"),
    "stop": ("the agent stopped the work", "plastic relay resume"),
    "abort": ("the turn was aborted", "plastic relay resume"),
    "error": ("the agent failed", "plastic relay resume"),
    "limit_steps": ("the limit of steps is reached", "plastic relay resume --max-steps N"),
    "limit_cost": ("the limit of cost is reached", "plastic relay resume --max-cost USD"),
    "limit_guard": (
        "95 % of the limit of cost are spent: no session is begun",
        "plastic relay resume --max-cost USD",
    ),
    "user_off": ("it was switched off", "plastic relay resume"),
}
# Code -> why a person's command was refused.
REFUSED: dict[str, str] = {
    "limits": "limits are positive: at least one step, more than 0 USD",
    "unpriced": "what this agent costs cannot be known, so a limit of cost cannot hold",
    "owned": "a living process runs this relay",
    "live": "this relay is live",
    "nothing": "there is no relay",
    "session": "another session has this relay",
    "claim": "the prompt may still be under way in the process that runs the relay",
    "advancing": "the work is just being handed over",
    "stopped": "the relay is not live",
    "steps": "the limit of steps would stop it at once",
    "cost": "the limit of cost would stop it at once",
    "busy": "the agent is at work and asks nothing",
    "resume": "a hand-off is waiting: a reply cannot advance it",
}
# What people are told besides the states.
TOLD: dict[str, str] = {
    "replaced": "a relay that waited on another session was replaced",
    "forgotten": "the relay is forgotten",
    "orphan": "a session came up too late and got no prompt",
    "busy": "the agent is at work; nothing to resume",
}


def prompt(code: str, fact: str) -> str:
    """The text of a prompt of the relay's own."""
    text = PROMPTS[code]
    return text.format(fact) if "{}" in text else text


def needed(cost: float) -> float:
    """The least limit of cost that lets a session begin, in whole cents."""
    from math import floor

    from plastic.rules.relay.state import GUARD

    return (floor(cost / GUARD * 100) + 1) / 100
