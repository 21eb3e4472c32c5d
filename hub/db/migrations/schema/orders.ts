/** Orders with all their versions and mutations, and customers. */
export const orders = `
    -- A packed version has an empty body. packed: its body, compressed with zstd, preceded by the older versions, which no
    -- longer have rows of their own.
    -- write_seq: identifies the write that stored the version, and orders writes whatever their clocks showed.
    CREATE TABLE order_versions (
      id INTEGER PRIMARY KEY,
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      origin TEXT NOT NULL,
      user_name TEXT,
      kind TEXT NOT NULL,
      is_content INTEGER NOT NULL,
      at INTEGER NOT NULL,
      write_seq INTEGER NOT NULL,
      body TEXT NOT NULL,
      checksum INTEGER NOT NULL,
      previous_id INTEGER,
      packed BLOB,
      earlier BLOB,
      seal INTEGER
    ) STRICT;

    -- packing: the storage of its versions. 0: as written, 1: packed, 2: packed and thinned, 3 and 4: like 1 and 2, together
    -- with its kitchen tickets.
    CREATE TABLE orders (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      body_id INTEGER NOT NULL REFERENCES order_versions (id),
      seq INTEGER NOT NULL,
      status TEXT NOT NULL,
      is_active INTEGER NOT NULL,
      table_id INTEGER,
      check_number INTEGER,
      order_type TEXT NOT NULL,
      search_text TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      forward TEXT NOT NULL DEFAULT '{"state":"none"}',
      packing INTEGER NOT NULL DEFAULT 0,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX order_by_seq ON orders (seq);
    CREATE INDEX order_active ON orders (table_id) WHERE is_active = 1;
    CREATE INDEX order_resting ON orders (packing, updated_at) WHERE is_active = 0;
    -- Finds the orders whose forwarding waits for a person.
    CREATE INDEX order_attention ON orders (seq) WHERE substr(forward, 1, 20) = '{"state":"attention"';

    -- reason: as typed by a person. merged_into: a JSON list of the checks that received its lines, null for a discard.
    CREATE TABLE removed_orders (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      origin TEXT NOT NULL,
      reason TEXT,
      merged_into TEXT,
      removed_at INTEGER NOT NULL,
      packing INTEGER NOT NULL DEFAULT 0,
      search_text TEXT NOT NULL DEFAULT '',
      check_number INTEGER,
      table_id INTEGER,
      order_type TEXT NOT NULL DEFAULT '',
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX removed_order_by_seq ON removed_orders (seq);
    CREATE INDEX removed_order_resting ON removed_orders (packing, removed_at);

    CREATE TABLE mutations (
      id INTEGER PRIMARY KEY,
      mutation_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      answer TEXT NOT NULL,
      at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT;

    CREATE TABLE version_floors (
      pos_reference TEXT PRIMARY KEY,
      version INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE version_people (
      pos_reference TEXT NOT NULL,
      version INTEGER NOT NULL,
      user_name TEXT NOT NULL,
      approved_by TEXT,
      seal INTEGER,
      PRIMARY KEY (pos_reference, version)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE order_counts (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept INTEGER NOT NULL,
      removed INTEGER NOT NULL
    ) STRICT;
    INSERT INTO order_counts (id, kept, removed) VALUES (1, 0, 0);
    CREATE TRIGGER order_added AFTER INSERT ON orders BEGIN
      UPDATE order_counts SET kept = kept + 1;
    END;
    CREATE TRIGGER order_taken AFTER DELETE ON orders BEGIN
      UPDATE order_counts SET kept = kept - 1;
    END;
    CREATE TRIGGER removal_added AFTER INSERT ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed + 1;
    END;
    CREATE TRIGGER removal_taken AFTER DELETE ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed - 1;
    END;

    CREATE TABLE customers (
      customer_id TEXT PRIMARY KEY,
      content TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      seal INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX customer_by_use ON customers (used_at);
`;
