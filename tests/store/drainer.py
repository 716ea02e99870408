"""One process that drains a queue until it is empty; some die between a claim and its end.

`python -m tests.store.drainer DATABASE NAME SHARE_OF_DEATHS SEED`
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time

from plastic.rules.backlog.answers import Actor, Fence, Takeover
from plastic.rules.backlog.completion import Evidence
from plastic.rules.backlog.grants import Terms
from plastic.store.sqlite import SqliteStore

DONE = Evidence(commit="c0ffee", contained=True, checked=True)


def main(path: str, name: str, deaths: float, seed: int) -> None:
    """Claim and complete whatever is ready; take over what the dead left behind."""
    rolls = random.Random(seed)
    limits = Terms(7200, 7200)
    store = SqliteStore(path, "shop", durability="relaxed", clock=fast, terms=limits)
    while True:
        got = store.claim(None, name)
        if not got.granted:
            look = store.ready()
            if not look.pending:
                return
            for offer in look.items:
                if offer.how == "takeover":
                    status = store.status(offer.id)
                    follow = Takeover(status.owner or "", status.token or 0)
                    got = store.claim(offer.id, name, takeover=follow)
                    break
        if not got.granted or got.token is None:
            time.sleep(rolls.uniform(0, 0.002))
            continue
        if rolls.random() < deaths:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            store.complete(got.id, Fence(got.token), Actor(name), DONE)
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)


def fast() -> float:
    """One second of ours is twenty thousand of the database: a lease lapses in 0.4 s."""
    return time.time() * 20_000 - 3e13


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
