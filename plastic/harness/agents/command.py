"""Any program as an agent: the prompt on its stdin, and `plastic relay signal` from inside it."""

from __future__ import annotations

from plastic.harness.agents.shape import Caps, Launch, Said

SHOWN = 400  # characters of a line of its output


class Command:
    """A program of the user's own, with no argument. Each turn is a run of it."""

    name = "command"
    caps = Caps(
        resumes=True,
        steers=False,
        cost="none",
        chooses_session=True,
        keeps_background=False,
        proof="stdin",
    )

    def __init__(self, program: str) -> None:
        self.program = program

    def first(self, session: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The program with the prompt on its stdin, byte for byte, and the end of file."""
        env: dict[str, str | None] = {"RELAY_SESSION": session, "RELAY_MODEL": model or None}
        return Launch((self.program,), env, prompt)

    def again(self, session: str, named: str, prompt: bytes, delivery: str, model: str) -> Launch:
        """The same: what it remembers of a session is its own affair."""
        return self.first(session, prompt, delivery, model)

    def read(self, line: bytes) -> list[Said]:
        """Its output is for people alone: a signal is a command that it runs."""
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        return [Said("line", text[:SHOWN])] if text.strip() else []

    def transcripts(self, named: str, home: str, cwd: str) -> tuple[str, ...]:
        """It keeps none that we know of."""
        return ()
