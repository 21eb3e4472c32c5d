/** The headquarters that this hub belongs to. */
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
      seal INTEGER
    ) STRICT;
    CREATE INDEX chain_fact_without_money ON chain_facts (id) WHERE is_money = 0;
`;
