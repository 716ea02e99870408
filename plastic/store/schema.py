"""The tables of the backlog as numbered steps: a database moves forward through them only."""

from __future__ import annotations

# What the partial index of the ready set holds; the same words stand in every query that uses it.
READY = (
    "kind = 'item' AND state = 'live' AND admission = 'admitted' AND members = 0 AND closers = 0 "
    "AND invalid = 0 AND stalled = 0 AND waiting = 0 AND cyclic = 0 AND own = 0 AND unjoined = 0 "
    "AND claimed = 0 AND attempts < most"
)
PENDING = "kind = 'item' AND state = 'live' AND members = 0 AND closers = 0"

_ITEMS = """
CREATE TABLE items (
  n INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  id TEXT NOT NULL,
  sort TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'item' CHECK (kind IN ('item', 'grouping')),
  subkind TEXT NOT NULL DEFAULT ''
    CHECK (subkind IN ('', 'integration', 'design-integration')),
  title TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL DEFAULT '',
  author TEXT NOT NULL DEFAULT '',
  provenance TEXT NOT NULL DEFAULT '',
  created REAL NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  priority TEXT CHECK (priority IN ('P0', 'P1', 'P2', 'P3')),
  phase TEXT CHECK (phase IN ('research', 'implementation', 'integration')),
  region TEXT,
  base TEXT,
  state TEXT NOT NULL CHECK (state IN ('live', 'complete', 'parked', 'invalid', 'missing')),
  admission TEXT NOT NULL DEFAULT 'admitted'
    CHECK (admission IN ('admitted', 'gated', 'unknown')),
  part_of INTEGER REFERENCES items (n),
  integrates INTEGER REFERENCES items (n),
  resources TEXT NOT NULL DEFAULT '[]',
  anchors TEXT NOT NULL DEFAULT '[]',
  route TEXT,
  threshold INTEGER,
  pull INTEGER,
  pull_state TEXT NOT NULL DEFAULT ''
    CHECK (pull_state IN ('', 'open', 'green', 'merged', 'closed')),
  direct INTEGER NOT NULL DEFAULT 0,
  reserved_by TEXT NOT NULL DEFAULT '',
  location TEXT NOT NULL DEFAULT '',
  note TEXT NOT NULL DEFAULT '',
  collided INTEGER NOT NULL DEFAULT 0,
  raw TEXT NOT NULL DEFAULT '[]',
  tags TEXT NOT NULL DEFAULT '[]',
  token INTEGER NOT NULL DEFAULT 0,
  released INTEGER NOT NULL DEFAULT 0 CHECK (released <= token),
  owner TEXT NOT NULL DEFAULT '',
  claim_region TEXT NOT NULL DEFAULT '',
  expires REAL NOT NULL DEFAULT 0,
  lease REAL NOT NULL DEFAULT 0,
  claim_kind TEXT NOT NULL DEFAULT '',
  secret TEXT NOT NULL DEFAULT '',
  pushed REAL,
  commented REAL,
  moved REAL,
  claimed INTEGER NOT NULL DEFAULT 0 CHECK (claimed = (token > released)),
  attempts INTEGER DEFAULT 0,
  most INTEGER NOT NULL DEFAULT 3,
  members INTEGER NOT NULL DEFAULT 0 CHECK (members >= 0),
  closers INTEGER NOT NULL DEFAULT 0 CHECK (closers >= 0),
  invalid INTEGER NOT NULL DEFAULT 0 CHECK (invalid >= 0),
  stalled INTEGER NOT NULL DEFAULT 0 CHECK (stalled >= 0),
  waiting INTEGER NOT NULL DEFAULT 0 CHECK (waiting >= 0),
  cyclic INTEGER NOT NULL DEFAULT 0,
  own INTEGER NOT NULL DEFAULT 0,
  unjoined INTEGER NOT NULL DEFAULT 0,
  reported INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project, id)
)"""

FIRST = (
    _ITEMS,
    f"CREATE INDEX items_ready ON items (project, region, priority, created, sort) WHERE {READY}",
    "CREATE INDEX items_claimed ON items (project) WHERE claimed = 1",
    "CREATE INDEX items_green ON items (project) WHERE pull_state = 'green' AND state = 'live'",
    "CREATE INDEX items_parts ON items (part_of) WHERE part_of IS NOT NULL",
    "CREATE INDEX items_joins ON items (integrates) WHERE integrates IS NOT NULL",
    "CREATE INDEX items_cyclic ON items (project) WHERE cyclic = 1",
    "CREATE INDEX items_poison ON items (project) WHERE state = 'live' AND attempts >= most",
    f"CREATE INDEX items_region ON items (project, region) WHERE {PENDING}",
    """
CREATE TABLE edges (
  source INTEGER NOT NULL REFERENCES items (n),
  relation TEXT NOT NULL CHECK (relation IN ('blockedBy', 'informs', 'related')),
  target INTEGER NOT NULL REFERENCES items (n),
  rank INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (source, relation, target)
) WITHOUT ROWID""",
    "CREATE INDEX edges_back ON edges (target, relation, rank, source)",
    """
CREATE TABLE grants (
  item INTEGER NOT NULL REFERENCES items (n),
  token INTEGER NOT NULL,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('work', 'takeover', 'reclaim', 'transfer', 'admin')),
  at REAL NOT NULL,
  ended_by TEXT NOT NULL DEFAULT '',
  ended_at REAL,
  PRIMARY KEY (item, token)
) WITHOUT ROWID""",
    """
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project TEXT NOT NULL,
  item TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  at REAL NOT NULL,
  sent REAL
)""",
    "CREATE INDEX outbox_waiting ON outbox (project, seq) WHERE sent IS NULL",
    """
CREATE TABLE trail (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  item INTEGER NOT NULL REFERENCES items (n),
  at REAL NOT NULL,
  actor TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL
)""",
    "CREATE INDEX trail_item ON trail (item, seq)",
    """
CREATE TABLE reports (
  project TEXT NOT NULL,
  code TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES items (n),
  place INTEGER NOT NULL,
  text TEXT NOT NULL,
  others TEXT NOT NULL,
  PRIMARY KEY (project, code, item, place)
) WITHOUT ROWID""",
    "CREATE INDEX reports_item ON reports (item)",
    """
CREATE TABLE tally (
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (project, name)
) WITHOUT ROWID""",
    """
CREATE TABLE aliases (
  project TEXT NOT NULL,
  name TEXT NOT NULL,
  item INTEGER NOT NULL REFERENCES items (n),
  PRIMARY KEY (project, name)
) WITHOUT ROWID""",
    """
CREATE TABLE sequences (
  project TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) WITHOUT ROWID""",
)

# Every page that a transaction touches is written to the log: fewer indexes are faster claims.
SECOND = (
    "DROP INDEX outbox_waiting",
    "ALTER TABLE outbox RENAME TO outbox_1",
    """
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  item TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  key TEXT NOT NULL,
  at REAL NOT NULL,
  sent REAL
)""",
    """
INSERT INTO outbox SELECT * FROM outbox_1
WHERE sent IS NULL OR seq = (SELECT max(seq) FROM outbox_1)""",
    "DROP TABLE outbox_1",
    "DROP INDEX trail_item",
    "ALTER TABLE trail RENAME TO trail_1",
    """
CREATE TABLE trail (
  item INTEGER NOT NULL REFERENCES items (n),
  seq INTEGER NOT NULL,
  at REAL NOT NULL,
  actor TEXT NOT NULL,
  what TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (item, seq)
) WITHOUT ROWID""",
    "INSERT INTO trail SELECT item, seq, at, actor, what, detail FROM trail_1",
    "DROP TABLE trail_1",
    "DROP INDEX edges_back",
    "CREATE INDEX edges_back ON edges (target, relation, source)",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (FIRST, SECOND)
VERSION = len(MIGRATIONS)
