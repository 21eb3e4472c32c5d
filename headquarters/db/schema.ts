/**
 * What headquarters keep. Money is whole cents, quantities whole ten-thousandths; `day` is the restaurant's business day,
 * `hour` the instant at which an hour of the restaurant's clock began.
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
    is_closed BOOLEAN NOT NULL DEFAULT FALSE
  );

  CREATE TABLE restaurant_groups (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    name TEXT NOT NULL,
    PRIMARY KEY (name, restaurant_id)
  );

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

  -- The newest state of each check of the days that are kept. body: null once its lines are all that is kept of it.
  CREATE TABLE checks (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    pos_reference TEXT NOT NULL,
    seq BIGINT NOT NULL,
    version INTEGER NOT NULL,
    full_id BIGINT NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    -- Discarded or merged into others.
    is_removed BOOLEAN NOT NULL DEFAULT FALSE,
    -- Of a history that the restaurant lost: out of every sum.
    is_gone BOOLEAN NOT NULL DEFAULT FALSE,
    table_id INTEGER,
    staff_name TEXT,
    guests INTEGER NOT NULL DEFAULT 0,
    opened_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    paid_at TIMESTAMPTZ,
    -- When it was paid or discarded; null before, and for what was merged.
    day DATE,
    hour TIMESTAMPTZ,
    total_cents BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL DEFAULT 0,
    refunded_cents BIGINT NOT NULL DEFAULT 0,
    discount_cents BIGINT NOT NULL DEFAULT 0,
    void_cents BIGINT NOT NULL DEFAULT 0,
    removed_at TIMESTAMPTZ,
    removal JSONB,
    body JSONB,
    PRIMARY KEY (restaurant_id, pos_reference)
  );
  CREATE INDEX check_by_day ON checks (restaurant_id, day) WHERE day IS NOT NULL;
  CREATE INDEX check_by_hour ON checks (restaurant_id, hour) WHERE hour IS NOT NULL;
  CREATE INDEX check_open ON checks (restaurant_id) WHERE paid_at IS NULL AND NOT is_removed AND NOT is_gone;
  CREATE INDEX check_by_change ON checks (restaurant_id, updated_at);

  -- Of paid checks that are not gone.
  CREATE TABLE check_lines (
    restaurant_id TEXT NOT NULL,
    pos_reference TEXT NOT NULL,
    line_id TEXT NOT NULL,
    day DATE NOT NULL,
    -- Empty for what belongs to no product.
    product_id TEXT NOT NULL,
    name TEXT,
    quantity_e4 BIGINT NOT NULL,
    -- Its part of what the guests paid. What belongs to no line is one more, without a product.
    amount_cents BIGINT NOT NULL,
    PRIMARY KEY (restaurant_id, day, pos_reference, line_id)
  );
  CREATE INDEX check_line_by_product ON check_lines (restaurant_id, day, product_id);

  -- What was given back of a check, when the note was made.
  CREATE TABLE refunds (
    restaurant_id TEXT NOT NULL,
    pos_reference TEXT NOT NULL,
    refund_id TEXT NOT NULL,
    day DATE NOT NULL,
    hour TIMESTAMPTZ NOT NULL,
    amount_cents BIGINT NOT NULL,
    PRIMARY KEY (restaurant_id, pos_reference, refund_id)
  );
  CREATE INDEX refund_by_hour ON refunds (restaurant_id, hour);

  -- Sums of checks, computed anew from the rows of their key in the transaction that touched it: never incremented.
  CREATE TABLE sales_hours (
    restaurant_id TEXT NOT NULL,
    hour TIMESTAMPTZ NOT NULL,
    day DATE NOT NULL,
    checks INTEGER NOT NULL,
    guests INTEGER NOT NULL,
    paid_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL,
    discount_cents BIGINT NOT NULL,
    void_cents BIGINT NOT NULL,
    PRIMARY KEY (restaurant_id, hour)
  );
  CREATE INDEX sales_hour_by_day ON sales_hours (day, restaurant_id);

  CREATE TABLE sales_products (
    restaurant_id TEXT NOT NULL,
    day DATE NOT NULL,
    product_id TEXT NOT NULL,
    name TEXT NOT NULL,
    quantity_e4 BIGINT NOT NULL,
    amount_cents BIGINT NOT NULL,
    PRIMARY KEY (day, restaurant_id, product_id)
  );

  -- Days that are over, added up for long ranges. The sums of a day are good while summed_days has it.
  CREATE TABLE summed_days (
    day DATE PRIMARY KEY
  );

  CREATE TABLE summed_restaurants (
    day DATE NOT NULL,
    restaurant_id TEXT NOT NULL,
    checks BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL,
    PRIMARY KEY (day, restaurant_id)
  );

  -- group_name: empty for all restaurants.
  CREATE TABLE summed_hours (
    day DATE NOT NULL,
    group_name TEXT NOT NULL,
    hour TIMESTAMPTZ NOT NULL,
    checks BIGINT NOT NULL,
    guests BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL,
    discount_cents BIGINT NOT NULL,
    void_cents BIGINT NOT NULL,
    PRIMARY KEY (group_name, day, hour)
  );

  CREATE TABLE summed_products (
    day DATE NOT NULL,
    group_name TEXT NOT NULL,
    product_id TEXT NOT NULL,
    name TEXT NOT NULL,
    quantity_e4 BIGINT NOT NULL,
    amount_cents BIGINT NOT NULL,
    PRIMARY KEY (group_name, day, product_id)
  );

  CREATE TABLE table_states (
    restaurant_id TEXT NOT NULL,
    table_id INTEGER NOT NULL,
    seq BIGINT NOT NULL,
    full_id BIGINT NOT NULL DEFAULT 0,
    body JSONB NOT NULL,
    PRIMARY KEY (restaurant_id, table_id)
  );

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
  CREATE INDEX fact_by_kind ON facts (restaurant_id, kind, at);

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

  -- What could not be read three times: the cursor has passed over it.
  CREATE TABLE holes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    restaurant_id TEXT NOT NULL,
    epoch TEXT NOT NULL,
    from_seq BIGINT NOT NULL,
    to_seq BIGINT NOT NULL,
    reason TEXT NOT NULL,
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
  CREATE INDEX alert_by_time ON alerts (since);
  CREATE INDEX alert_untold ON alerts (id) WHERE told IS DISTINCT FROM 'over';

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
  CREATE INDEX audit_by_restaurant ON audit (restaurant_id, id);
`;
