import type { Database } from "better-sqlite3";

/** Creates the tables. Money is in cents, times in ms since 1970, JSON as text. */
export function init(db: Database): void {
  for (const part of [restaurant, sessions, floorPlan, menu, customers, orders, fiscal, audit, updates]) db.exec(part);
}

/** The restaurant: its settings and POS sessions. */
const restaurant = `
    CREATE TABLE setting (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT;

    CREATE TABLE pos_session (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      opened_at INTEGER NOT NULL,
      closed_at INTEGER
    ) STRICT;`;

const sessions = `
    -- The session id itself is not kept, only its SHA-256.
    CREATE TABLE user_session (
      digest TEXT PRIMARY KEY,
      user_id INTEGER NOT NULL,
      last_seen_at INTEGER NOT NULL
    ) STRICT;`;

const floorPlan = `
    CREATE TABLE floor (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      layout_mode TEXT NOT NULL CHECK (layout_mode IN ('free', 'grid', 'perimeter_center'))
    ) STRICT;

    -- A deleted table stays as inactive: old orders still name it and its id is never given again.
    CREATE TABLE restaurant_table (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      floor_id INTEGER NOT NULL REFERENCES floor (id),
      name TEXT NOT NULL,
      seats INTEGER NOT NULL,
      x REAL NOT NULL,
      y REAL NOT NULL,
      width REAL NOT NULL,
      height REAL NOT NULL,
      shape TEXT NOT NULL,
      active INTEGER NOT NULL DEFAULT 1
    ) STRICT;`;

const menu = `
    CREATE TABLE category (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL
    ) STRICT;

    CREATE TABLE product (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      price_cents INTEGER NOT NULL,
      category_id INTEGER NOT NULL REFERENCES category (id),
      tax_ids TEXT NOT NULL,
      modifiers TEXT NOT NULL DEFAULT '[]'
    ) STRICT;`;

/** Customers with credit. */
const customers = `
    CREATE TABLE customer (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      rnc TEXT,
      credit_limit_cents INTEGER NOT NULL,
      credit_used_cents INTEGER NOT NULL DEFAULT 0,
      phone TEXT
    ) STRICT;`;

const orders = `
    -- No foreign key on table_id: the hub may forward an order of a table that the plan no longer has.
    CREATE TABLE pos_order (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      pos_reference TEXT NOT NULL UNIQUE,
      status TEXT NOT NULL CHECK (status IN ('draft', 'paid')),
      source TEXT NOT NULL CHECK (source IN ('ui', 'hub')),
      session_id INTEGER NOT NULL REFERENCES pos_session (id),
      table_id INTEGER,
      received TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX open_order_by_table ON pos_order (table_id) WHERE status = 'draft';`;

/** Fiscal numbers and credit notes. */
const fiscal = `
    CREATE TABLE ncf_sequence (
      type TEXT PRIMARY KEY,
      next_number INTEGER NOT NULL,
      last_number INTEGER NOT NULL,
      expires_on TEXT NOT NULL
    ) STRICT;

    -- Every number ever given, to a reference, whose order may come later; it can be annulled.
    CREATE TABLE ncf_number (
      ncf TEXT PRIMARY KEY,
      type TEXT NOT NULL,
      holder TEXT NOT NULL CHECK (holder IN ('order', 'credit_note')),
      pos_reference TEXT NOT NULL,
      rnc TEXT,
      expires_on TEXT,
      given_at INTEGER NOT NULL,
      annulled_reason TEXT
    ) STRICT;
    CREATE INDEX number_by_type ON ncf_number (type, ncf);

    -- An order holds one number, each of its credit notes another; annulled ones hold no longer.
    CREATE UNIQUE INDEX held_number_by_reference ON ncf_number (pos_reference)
      WHERE annulled_reason IS NULL AND holder = 'order';

    -- An order may have several, each for some of its lines; asked are these (JSON), null for a whole note.
    CREATE TABLE credit_note (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      order_id INTEGER NOT NULL REFERENCES pos_order (id),
      ncf TEXT NOT NULL REFERENCES ncf_number (ncf),
      modifies TEXT NOT NULL,
      lines TEXT NOT NULL,
      total_cents INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      refund_id TEXT UNIQUE,
      asked TEXT
    ) STRICT;
    CREATE INDEX credit_note_by_order ON credit_note (order_id);

    -- The electronic receipt of an order is signed once.
    CREATE TABLE signature (
      pos_reference TEXT PRIMARY KEY,
      security_code TEXT NOT NULL,
      signed_at INTEGER NOT NULL
    ) STRICT;`;

const audit = `
    CREATE TABLE audit_event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      pos_reference TEXT NOT NULL,
      event_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;`;

const updates = `
    CREATE TABLE client_release (
      target TEXT PRIMARY KEY,
      release TEXT NOT NULL
    ) STRICT;`;
