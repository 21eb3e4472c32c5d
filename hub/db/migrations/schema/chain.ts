/** The headquarters of this hub, and the facts and proposals exchanged with them. */
export const chain = `
    -- Facts for headquarters that take no seq. body: JSON.
    CREATE TABLE chain_facts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      body TEXT NOT NULL,
      is_money INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;
    -- The headquarters of this hub, if any. enrolled: their answer, as JSON. seed: the encrypted seed of the hub's nkey.
    CREATE TABLE chain_link (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      address TEXT NOT NULL,
      enrolled TEXT NOT NULL,
      public_key TEXT NOT NULL,
      seed TEXT NOT NULL,
      at INTEGER NOT NULL,
      by_name TEXT NOT NULL,
      -- The revision of the newest document of proposals that was read.
      desired_rev INTEGER NOT NULL DEFAULT 0,
      seal INTEGER
    ) STRICT;
    -- Proposals of headquarters, in order of arrival. body: the proposal, and outcome: its result, both as JSON.
    -- decided_by: the person who accepted or declined it.
    CREATE TABLE chain_proposals (
      rank INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      version INTEGER NOT NULL,
      body TEXT NOT NULL,
      outcome TEXT NOT NULL,
      is_open INTEGER NOT NULL,
      -- Whether a manager has to decide.
      is_asked INTEGER NOT NULL,
      since INTEGER NOT NULL,
      decided_by TEXT,
      seal INTEGER,
      UNIQUE (id, version)
    ) STRICT;
    CREATE INDEX chain_proposal_open ON chain_proposals (rank) WHERE is_open = 1;
    CREATE INDEX chain_fact_without_money ON chain_facts (id) WHERE is_money = 0;
`;
