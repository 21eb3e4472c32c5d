/** Tables of checks and of their sums. */
export const salesSchema = `
  -- The newest state of each check of the days that are kept. body: null once its lines are all that is kept of it.
  CREATE TABLE checks (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    pos_reference TEXT NOT NULL,
    -- Which hub sent it last.
    hub_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    version INTEGER NOT NULL,
    full_id BIGINT NOT NULL DEFAULT 0,
    -- Discarded or merged into others.
    is_removed BOOLEAN NOT NULL DEFAULT FALSE,
    -- Of a history that the restaurant lost: out of every sum.
    is_gone BOOLEAN NOT NULL DEFAULT FALSE,
    staff_name TEXT,
    -- All guests of the party: each check of it names them.
    guests INTEGER NOT NULL DEFAULT 0,
    party TEXT NOT NULL DEFAULT '',
    opened_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    paid_at TIMESTAMPTZ,
    -- When it was paid or discarded; null before, and for what was merged. Without an hour it counts at another restaurant.
    day DATE,
    hour TIMESTAMPTZ,
    total_cents BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL DEFAULT 0,
    refunded_cents BIGINT NOT NULL DEFAULT 0,
    discount_cents BIGINT NOT NULL DEFAULT 0,
    void_cents BIGINT NOT NULL DEFAULT 0,
    removal JSONB,
    body JSONB,
    PRIMARY KEY (restaurant_id, pos_reference)
  );
  CREATE INDEX check_by_day ON checks (restaurant_id, day) WHERE day IS NOT NULL;
  CREATE INDEX check_by_hour ON checks (restaurant_id, hour) WHERE hour IS NOT NULL;
  CREATE INDEX check_by_party ON checks (restaurant_id, party) WHERE hour IS NOT NULL;
  CREATE INDEX check_by_change ON checks (restaurant_id, updated_at);

  -- What was here of a history that the restaurant lost, as it was last: its hub asks for it for a week.
  CREATE TABLE lost_checks (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    pos_reference TEXT NOT NULL,
    -- Whose history it was.
    hub_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    removal JSONB,
    body JSONB,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (restaurant_id, pos_reference)
  );

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

  -- What was given back of checks that are not gone, when the note was made.
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
    -- What the restaurant's clock read then: 0 to 23.
    clock_hour SMALLINT NOT NULL,
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
    clock_hour SMALLINT NOT NULL,
    checks BIGINT NOT NULL,
    guests BIGINT NOT NULL,
    paid_cents BIGINT NOT NULL,
    refunded_cents BIGINT NOT NULL,
    discount_cents BIGINT NOT NULL,
    void_cents BIGINT NOT NULL,
    PRIMARY KEY (group_name, day, clock_hour)
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
`;
