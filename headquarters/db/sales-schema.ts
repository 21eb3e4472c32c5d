/** Tables of checks and of their sums. */
export const salesSchema = `
  -- The newest state of each check within the retention period. body: null once only its lines are kept.
  CREATE TABLE checks (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    pos_reference TEXT NOT NULL,
    -- The hub that sent it last.
    hub_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    version INTEGER NOT NULL,
    full_id BIGINT NOT NULL DEFAULT 0,
    -- Discarded or merged into others.
    is_removed BOOLEAN NOT NULL DEFAULT FALSE,
    -- Belongs to a history that the restaurant lost. Excluded from all sums.
    is_gone BOOLEAN NOT NULL DEFAULT FALSE,
    staff_name TEXT,
    -- The guests of the whole party; each of its checks has the same number.
    guests INTEGER NOT NULL DEFAULT 0,
    party TEXT NOT NULL DEFAULT '',
    opened_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    paid_at TIMESTAMPTZ,
    -- The day of payment or discard; null before, and for merged checks. Without an hour, the check counts at another restaurant.
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

  -- The last state of checks of a history that the restaurant lost. Its hub requests them for a week.
  CREATE TABLE lost_checks (
    restaurant_id TEXT NOT NULL REFERENCES restaurants (id),
    pos_reference TEXT NOT NULL,
    -- The hub whose history it was.
    hub_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    removal JSONB,
    body JSONB,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (restaurant_id, pos_reference)
  );

  -- The lines of paid checks that are not gone.
  CREATE TABLE check_lines (
    restaurant_id TEXT NOT NULL,
    pos_reference TEXT NOT NULL,
    line_id TEXT NOT NULL,
    day DATE NOT NULL,
    -- Empty for amounts without a product.
    product_id TEXT NOT NULL,
    name TEXT,
    quantity_e4 BIGINT NOT NULL,
    -- The line's share of the amount paid. Amounts of no line have a line of their own, without a product.
    amount_cents BIGINT NOT NULL,
    PRIMARY KEY (restaurant_id, day, pos_reference, line_id)
  );
  CREATE INDEX check_line_by_product ON check_lines (restaurant_id, day, product_id);

  -- Refunds of checks that are not gone, at the time of the credit note.
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

  -- Sums of checks. Recomputed from the rows of their key in each transaction that changes one of them, never incremented.
  CREATE TABLE sales_hours (
    restaurant_id TEXT NOT NULL,
    hour TIMESTAMPTZ NOT NULL,
    -- The hour on the restaurant's clock, 0 to 23.
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

  -- Past days, added up for long ranges. The sums of a day are valid while summed_days contains it.
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
