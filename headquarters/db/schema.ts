import { salesSchema } from "./sales-schema.ts";

/**
 * All tables of headquarters. Money is in whole cents, quantities in whole ten-thousandths. `day` is the restaurant's business
 * day, `hour` the instant at which an hour of the restaurant's clock began.
 */
export const schema = `
  CREATE TABLE restaurants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    -- The hub that was enrolled for it last; null before the first, and after its key was revoked.
    hub_id TEXT,
    public_key TEXT UNIQUE,
    enrolled_at TIMESTAMPTZ,
    time_zone TEXT,
    -- Whom to call there, in headquarters' own words.
    contact TEXT NOT NULL DEFAULT '',
    is_closed BOOLEAN NOT NULL DEFAULT FALSE
  );

  CREATE TABLE restaurant_groups (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    name TEXT NOT NULL,
    PRIMARY KEY (name, restaurant_id)
  );

  -- Of which restaurants a hub is, or was until it was cut there, since when: it brings along what it sold.
  CREATE TABLE restaurant_hubs (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    hub_id TEXT NOT NULL,
    enrolled_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (restaurant_id, hub_id)
  );
  CREATE INDEX restaurant_by_hub ON restaurant_hubs (hub_id);

  -- A code is stored as its SHA-256; tries counts the wrong ones that were tried while it was open. used_key: of the hub that
  -- used it, which may ask again whether it was let in.
  CREATE TABLE enrolment_codes (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    digest TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    made_by TEXT NOT NULL,
    used_key TEXT
  );

  -- How far each restaurant is here. Written in the transaction that wrote what it counts.
  CREATE TABLE cursors (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    hub_id TEXT NOT NULL,
    generation BIGINT NOT NULL,
    epoch TEXT NOT NULL,
    seq BIGINT NOT NULL,
    fact_id BIGINT NOT NULL DEFAULT 0,
    is_full_done BOOLEAN NOT NULL DEFAULT FALSE,
    -- Counts full transfers: rows that bear an older one are gone when the next has ended.
    full_id BIGINT NOT NULL DEFAULT 0,
    -- The one that is under way.
    transfer JSONB,
    -- Another one is wanted, and has not begun.
    is_full_wanted BOOLEAN NOT NULL DEFAULT FALSE,
    -- When a batch of another hub was refused last that claims to be the same.
    rival_at TIMESTAMPTZ,
    -- As of when the restaurant's checks are here, by its own clock, and when that arrived.
    copy_of TIMESTAMPTZ,
    updated_at TIMESTAMPTZ NOT NULL
  );

  -- Where the ingester stands in the stream. A stream that was made anew has another created stamp.
  CREATE TABLE stream_position (
    partition INTEGER PRIMARY KEY,
    stream_created TEXT NOT NULL,
    seq BIGINT NOT NULL
  );

${salesSchema}

  CREATE TABLE item_states (
    restaurant_id TEXT NOT NULL,
    product_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    full_id BIGINT NOT NULL DEFAULT 0,
    body JSONB NOT NULL,
    PRIMARY KEY (restaurant_id, product_id)
  );

  CREATE TABLE facts (
    restaurant_id TEXT NOT NULL,
    epoch TEXT NOT NULL,
    id BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    kind TEXT NOT NULL,
    body JSONB NOT NULL,
    PRIMARY KEY (restaurant_id, epoch, id)
  );

  -- The last word of each restaurant.
  CREATE TABLE beats (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    heard_at TIMESTAMPTZ NOT NULL,
    body JSONB NOT NULL
  );

  CREATE TABLE outages (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    began_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ
  );
  CREATE UNIQUE INDEX outage_open ON outages (restaurant_id) WHERE ended_at IS NULL;
  CREATE INDEX outage_by_restaurant ON outages (restaurant_id, began_at);

  -- What a day was by the hub, and whether it is the same here.
  CREATE TABLE digests (
    restaurant_id TEXT NOT NULL,
    day DATE NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    body JSONB NOT NULL,
    is_equal BOOLEAN NOT NULL,
    paid_here INTEGER NOT NULL,
    PRIMARY KEY (restaurant_id, day)
  );
  CREATE INDEX digest_differing ON digests (day) WHERE NOT is_equal;

  -- What is missing: it could not be read three times, so that the cursor has passed over it, or was never sent. copy_of: as of
  -- when the restaurant's checks were here before it; null where none were.
  CREATE TABLE holes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id TEXT NOT NULL,
    epoch TEXT NOT NULL,
    from_seq BIGINT NOT NULL,
    to_seq BIGINT NOT NULL,
    cause JSONB NOT NULL,
    copy_of TIMESTAMPTZ,
    at TIMESTAMPTZ NOT NULL
  );

  -- Batches that were not applied: the first 64 KiB of each, and why.
  CREATE TABLE quarantine (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id TEXT,
    subject TEXT NOT NULL,
    stream_seq BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    reason TEXT NOT NULL,
    range TEXT,
    raw BYTEA NOT NULL
  );
  CREATE INDEX quarantine_by_range ON quarantine (restaurant_id, range);

  CREATE TABLE alerts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- One open alert per cause.
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    restaurant_id TEXT REFERENCES restaurants (id),
    group_name TEXT,
    since TIMESTAMPTZ NOT NULL,
    cleared_at TIMESTAMPTZ,
    taken_by TEXT,
    facts JSONB NOT NULL DEFAULT '{}',
    -- What HQ_ALERT_URL has heard of it: 'open' or 'over'.
    told TEXT
  );
  CREATE UNIQUE INDEX alert_open ON alerts (key) WHERE cleared_at IS NULL;
  CREATE INDEX alert_cleared ON alerts (cleared_at) WHERE cleared_at IS NOT NULL;
  CREATE INDEX alert_told ON alerts (id) WHERE told = 'open';

  -- body: its terms. Written once; what changes is whether it was withdrawn.
  CREATE TABLE proposals (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body JSONB NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    made_by TEXT NOT NULL,
    until_at TIMESTAMPTZ NOT NULL,
    withdrawn_at TIMESTAMPTZ,
    undoes TEXT REFERENCES proposals (id) ON DELETE SET NULL
  );
  CREATE UNIQUE INDEX proposal_undone_once ON proposals (undoes);
  CREATE INDEX proposal_by_time ON proposals (made_at);

  -- The restaurants that a proposal was made to. items: its own ones, where they differ from those of the others.
  CREATE TABLE proposal_states (
    proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    items JSONB,
    -- The last that the restaurant said of it, when by its own clock, and when that was written here.
    outcome JSONB,
    at TIMESTAMPTZ,
    written_at TIMESTAMPTZ,
    PRIMARY KEY (proposal_id, restaurant_id)
  );
  CREATE INDEX proposal_state_by_restaurant ON proposal_states (restaurant_id);
  CREATE INDEX proposal_state_by_writing ON proposal_states (written_at);

  -- rev: of the document of each restaurant; it never falls, whatever backup is brought back here. confirmed_rev: the one that
  -- NATS has acknowledged.
  CREATE TABLE desired_states (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    rev BIGINT NOT NULL,
    confirmed_rev BIGINT NOT NULL DEFAULT 0
  );

  CREATE TABLE people (
    id TEXT PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- scrypt: salt and key; null for those who sign in elsewhere.
    password TEXT,
    -- Of somebody who only supports for a time.
    expires_at TIMESTAMPTZ,
    is_active BOOLEAN NOT NULL DEFAULT TRUE,
    -- By which an account of the identity provider is found that signs in for the first time; from then on by the provider's
    -- own name of it.
    email TEXT UNIQUE,
    oidc_issuer TEXT,
    oidc_subject TEXT,
    UNIQUE (oidc_issuer, oidc_subject)
  );

  CREATE TABLE people_groups (
    person_id TEXT NOT NULL REFERENCES people (id),
    group_name TEXT NOT NULL,
    PRIMARY KEY (person_id, group_name)
  );

  -- A session is stored as the SHA-256 of its token.
  CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    expires_at TIMESTAMPTZ NOT NULL,
    -- By use; one of the identity provider's is not.
    is_renewed BOOLEAN NOT NULL
  );

  CREATE TABLE audit (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    person TEXT NOT NULL,
    action TEXT NOT NULL,
    restaurant_id TEXT,
    detail JSONB NOT NULL DEFAULT '{}'
  );
`;
