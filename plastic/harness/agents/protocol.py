"""What every agent of a relay is told beside its prompt: how its turn ends."""

from __future__ import annotations

PROTOCOL = """You work in a relay: when you end your turn, another session may go on with the work.
End every turn with exactly one of these commands, and nothing after it:
plastic relay signal hand-off --prompt-file FILE   the next session gets FILE, and nothing else: \
write into it what is decided, what is done, what is open, and the next step
plastic relay signal done --summary TEXT           all of the work is done
plastic relay signal pause --question TEXT         only a person can answer
plastic relay signal stop --reason TEXT            the work cannot go on
Where no command can be run, end your last message with one tag instead, the id from $RELAY_ID:
<relay kind="hand-off" id="ID">the text</relay>
Signal nothing while you only wait for background work: its result begins a turn of its own."""
