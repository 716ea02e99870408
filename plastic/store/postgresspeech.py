"""What a user is told when PostgreSQL does not do what was asked: one line, never a password."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from plastic.words import Broken

OLDEST = 130000  # PostgreSQL 13


class Address(NamedTuple):
    """Where a database is, as it may be printed."""

    shown: str
    secret: str

    def clean(self, text: object) -> str:
        """The first line of a message, without the password."""
        said = str(text).strip().partition("\n")[0]
        for secret in {self.secret, unquote(self.secret)} - {""}:
            said = said.replace(secret, "***")
        return said


def address(engine: str) -> Address:
    """The address of config.yml without its password and its options."""
    parts = urlsplit(engine)
    user, at, place = parts.netloc.rpartition("@")
    name, _, secret = user.partition(":")
    return Address(f"{parts.scheme}://{name}{at}{place}{parts.path}", secret)


def unreachable(where: Address, error: Exception) -> Broken:
    """Nobody answers, or the answer is no."""
    said = where.clean(error)
    if "authentication failed" in said or "no password supplied" in said:
        text = f"{where.shown} refuses the login: set PGPASSWORD, or the password in ~/.pgpass"
        return Broken("database-login", text, run="plastic doctor")
    text = f"{where.shown} cannot be reached: {said}; nothing was changed"
    return Broken("database-unreachable", text, run="plastic doctor")


def failed(
    where: Address, state: str | None, error: Exception, *, lost: bool, ending: bool
) -> Broken:
    """A statement failed; `lost`: with the connection; `ending`: it was the COMMIT."""
    said = where.clean(error)
    if ending and lost:
        return unconfirmed(where, "the connection broke before the answer came")
    if state in ("57014", "55P03"):
        text = f"{where.shown} has been in use by others for too long; nothing was changed"
        return Broken("database-busy", text, run="plastic backlog ready")
    if state == "25006":
        text = f"{where.shown} takes no writes: it is a standby, or set to read only"
        return Broken("database-read-only", text, run="plastic doctor")
    if lost:
        return unreachable(where, error)
    text = f"{where.shown}: {said}; nothing was changed"
    return Broken("database-broken", text, run="plastic doctor")


def unconfirmed(where: Address, why: str) -> Broken:
    """What was asked may have been done: nobody may act on it before he has looked."""
    text = f"{where.shown} has not confirmed: {why}; look before you go on"
    return Broken("not-confirmed", text, run="plastic backlog list")


def unfit(where: Address, version: int, encoding: str) -> Broken | None:
    """Why this server cannot keep a backlog."""
    if version < OLDEST:
        text = f"{where.shown} is PostgreSQL {version // 10000}: 13 or later is needed"
        return Broken("database-old", text, run="plastic doctor")
    if encoding != "UTF8":
        text = f"{where.shown} keeps text as {encoding}: create the database with ENCODING 'UTF8'"
        return Broken("database-encoding", text, run="plastic doctor")
    return None


def no_driver() -> Broken:
    """psycopg is an extra: who has SQLite needs none of it."""
    text = "the engine of config.yml is PostgreSQL, and its driver psycopg is not installed"
    return Broken("database-driver", text, run="pip install 'plastic-intents[postgres]'")
