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
    -- The hub enrolled last; null before the first enrolment and after its key was revoked.
    hub_id TEXT,
    public_key TEXT UNIQUE,
    enrolled_at TIMESTAMPTZ,
    time_zone TEXT,
    -- Whom to call there, as typed at headquarters.
    contact TEXT NOT NULL DEFAULT '',
    is_closed BOOLEAN NOT NULL DEFAULT FALSE,
    groups TEXT[] NOT NULL DEFAULT '{}'
  );

  -- The present and former restaurants of each hub. A hub that moves brings its sales along.
  CREATE TABLE restaurant_hubs (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    hub_id TEXT NOT NULL,
    enrolled_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (restaurant_id, hub_id)
  );
  CREATE INDEX restaurant_by_hub ON restaurant_hubs (hub_id);

  -- digest: SHA-256 of the code. used_key: the key of the hub that used the code and may repeat its request.
  CREATE TABLE enrolment_codes (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    digest TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    made_by TEXT NOT NULL,
    used_key TEXT
  );

  -- The progress of each restaurant's data, written in the same transaction as the data.
  CREATE TABLE cursors (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    hub_id TEXT NOT NULL,
    generation BIGINT NOT NULL,
    epoch TEXT NOT NULL,
    seq BIGINT NOT NULL,
    fact_id BIGINT NOT NULL DEFAULT 0,
    is_full_done BOOLEAN NOT NULL DEFAULT FALSE,
    -- Counts full transfers. Rows with an older number are removed when a transfer has ended.
    full_id BIGINT NOT NULL DEFAULT 0,
    -- The full transfer in progress.
    transfer JSONB,
    -- Another full transfer is needed and has not begun.
    is_full_wanted BOOLEAN NOT NULL DEFAULT FALSE,
    -- When a batch of another hub with the same identity was last rejected.
    rival_at TIMESTAMPTZ,
    -- The time up to which the restaurant's checks are complete, by its own clock, and when that arrived.
    copy_of TIMESTAMPTZ,
    updated_at TIMESTAMPTZ NOT NULL
  );

  -- The ingester's position in the stream. A recreated stream has another stream_created.
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

  -- The latest beat of each restaurant.
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

  -- The digest of each day from the hub, and whether it matches headquarters' own.
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

  -- Missing data: batches that could not be read three times and were skipped, or that were never sent. copy_of: the time up
  -- to which the restaurant's checks were complete before the hole; null if none were.
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

  -- Rejected batches: the first 64 KiB of each, and the reason.
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
    -- The cause; it has one open alert at most.
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    restaurant_id TEXT REFERENCES restaurants (id),
    group_name TEXT,
    since TIMESTAMPTZ NOT NULL,
    cleared_at TIMESTAMPTZ,
    taken_by TEXT,
    facts JSONB NOT NULL DEFAULT '{}',
    -- The state last posted to HQ_ALERT_URL: 'open' or 'over'.
    told TEXT
  );
  CREATE UNIQUE INDEX alert_open ON alerts (key) WHERE cleared_at IS NULL;
  CREATE INDEX alert_cleared ON alerts (cleared_at) WHERE cleared_at IS NOT NULL;
  CREATE INDEX alert_told ON alerts (id) WHERE told = 'open';

  -- body: the terms, written once. Only the withdrawal changes later.
  CREATE TABLE proposals (
    id TEXT PRIMARY KEY,
    -- The order in which proposals were made. Their times do not show it: clocks are set back, and processes differ.
    place BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY,
    version INTEGER NOT NULL,
    body JSONB NOT NULL,
    made_at TIMESTAMPTZ NOT NULL,
    made_by TEXT NOT NULL,
    until_at TIMESTAMPTZ NOT NULL,
    withdrawn_at TIMESTAMPTZ,
    undoes TEXT REFERENCES proposals (id) ON DELETE SET NULL
  );
  CREATE UNIQUE INDEX proposal_undone_once ON proposals (undoes);
  CREATE INDEX proposal_by_place ON proposals (place);

  -- The restaurants of a proposal. items: the restaurant's own items, if they differ from the proposal's.
  CREATE TABLE proposal_states (
    proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    items JSONB,
    -- The restaurant's latest answer, its time by the restaurant's clock, and when it was stored here.
    outcome JSONB,
    at TIMESTAMPTZ,
    written_at TIMESTAMPTZ,
    PRIMARY KEY (proposal_id, restaurant_id)
  );
  CREATE INDEX proposal_state_by_restaurant ON proposal_states (restaurant_id);
  CREATE INDEX proposal_state_by_writing ON proposal_states (written_at);

  -- rev: the revision of each restaurant's document, which never decreases, not even after a restore of this database.
  CREATE TABLE desired_states (
    restaurant_id TEXT PRIMARY KEY REFERENCES restaurants (id),
    rev BIGINT NOT NULL
  );

  CREATE TABLE people (
    id TEXT PRIMARY KEY,
    login TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    -- scrypt: salt and key; null for people who sign in at the identity provider.
    password TEXT,
    -- The end of temporary access for support.
    expires_at TIMESTAMPTZ,
    is_active BOOLEAN NOT NULL DEFAULT TRUE,
    -- The groups whose restaurants a region sees; empty for other roles.
    groups TEXT[] NOT NULL DEFAULT '{}',
    -- Finds the person when an account of the identity provider signs in for the first time. Later sign-ins use the
    -- provider's own id.
    email TEXT UNIQUE,
    oidc_issuer TEXT,
    oidc_subject TEXT,
    UNIQUE (oidc_issuer, oidc_subject)
  );

  -- digest: SHA-256 of the session's token.
  CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    expires_at TIMESTAMPTZ NOT NULL,
    -- Whether use extends the session. False for sessions of the identity provider.
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
  CREATE INDEX audit_sign_in ON audit (person, (detail->>'network')) WHERE action = 'session.begun';
`;
