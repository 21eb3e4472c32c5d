/** The headquarters of this hub, and the facts and proposals exchanged with them. */
export const chain = `
    -- What headquarters are to know and takes no seq. body: as JSON.
    CREATE TABLE chain_facts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      is_money INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    -- The headquarters that this hub belongs to, if any. enrolled: what they said, as JSON; seed: of the hub's nkey, encrypted.
    CREATE TABLE chain_link (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      address TEXT NOT NULL,
      enrolled TEXT NOT NULL,
      public_key TEXT NOT NULL,
      seed TEXT NOT NULL,
      at INTEGER NOT NULL,
      by_name TEXT NOT NULL,
      -- Of the newest document of proposals that was read.
      desired_rev INTEGER NOT NULL DEFAULT 0,
      seal INTEGER
    ) STRICT;
    -- What headquarters proposed, in the order in which it came. body: the proposal; outcome: what became of it; both as JSON.
    -- decided_by: who has accepted or declined it.
    CREATE TABLE chain_proposals (
      rank INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      body TEXT NOT NULL,
      outcome TEXT NOT NULL,
      is_open INTEGER NOT NULL,
      -- A manager is to decide.
      is_asked INTEGER NOT NULL,
      since INTEGER NOT NULL,
      decided_by TEXT,
      seal INTEGER,
      UNIQUE (id, version)
    ) STRICT;
    CREATE INDEX chain_proposal_open ON chain_proposals (rank) WHERE is_open = 1;
    CREATE INDEX chain_fact_without_money ON chain_facts (id) WHERE is_money = 0;
`;
