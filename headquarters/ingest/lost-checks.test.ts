import { createHash } from "node:crypto";
import type { StoredOrder } from "@comanda/protocol";
import { type ChainBatch, chainDigest, readSentPlace } from "@comanda/protocol/chain.ts";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../db/database.ts";
import { openDatabase } from "../db/open.ts";
import { testFolder } from "../test/test-folder.ts";
import { applyMessages, type Received } from "./apply-messages.ts";
import { readLost } from "./lost-checks.ts";
import { emptyBatch } from "../test/empty-batch.ts";

const NOW = Date.parse("2026-11-20T23:00:00Z");
const SINCE = "2026-10-06T00:00:00Z";

let database: Database;
beforeEach(async () => {
  database = await openDatabase({ url: null, dataDir: await testFolder() });
  onTestFinished(() => database.close());
  await database.query("INSERT INTO restaurants (id, name, created_at, hub_id) VALUES ('r1', 'Uno', now(), 'old')");
});

/** Returns a function that makes the batches of a hub's history. */
function historyOf(hubId: string, generation: number, epoch: string) {
  return (seq: number, fields: Partial<ChainBatch>): Received => {
    const batch: ChainBatch = {
      v: 1,
      r: "r1",
      hubId,
      generation,
      epoch,
      formerEpochs: [],
      from: 0,
      to: seq,
      at: "2026-11-20T23:00:00Z",
      clock: { isTrusted: true, zone: "America/Santo_Domingo" },
      ...emptyBatch(),
      ...(fields.full !== undefined && { cut: seq, since: SINCE }),
      ...fields,
    };
    const message = { subject: "up.r1.sync", seq: 1, data: new Uint8Array() };
    return { message, decoded: { kind: "batch", restaurant: batch.r, batch, range: `${epoch} ${seq}`, bytes: 1 } };
  };
}

function check(posReference: string, version: number, total: number, status: "sent" | "paid" = "sent"): StoredOrder {
  const at = "2026-11-20T22:00:00Z";
  const snapshot: StoredOrder["snapshot"] = {
    posReference,
    status,
    orderType: "dine_in",
    tableId: null,
    guestCount: 2,
    createdAt: at,
    updatedAt: at,
    lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }],
    totals: { subtotal: total, tax: 0, total },
  };
  return { posReference, version, tableId: null, terminalId: "t1", createdAt: at, updatedAt: at, snapshot };
}

const paid = (posReference: string, total: number) => check(posReference, 2, total, "paid");
const at = (...orders: StoredOrder[]) => ({ orders: orders.map((order, index) => ({ seq: index + 1, order })) });

/** Applies all batches in one transaction, as after headquarters were down. */
const apply = (...received: Received[]) =>
  database.transaction((queries) => applyMessages(queries, received, { now: NOW, checkDays: 400 }));

async function lost(): Promise<unknown[]> {
  const { checks } = await readLost(database, "r1", 0);
  return checks.map(({ hubId, check: order }) => {
    const { posReference, version, snapshot } = order as StoredOrder;
    return [hubId, posReference, version, snapshot.totals.total];
  });
}

const inSums = async (): Promise<unknown> =>
  (await database.query("SELECT coalesce(sum(paid_cents), 0)::int AS paid FROM sales_hours"))[0];

it("a lost check is kept when it arrives together with the transfer that lacks it [HQ-236]", async () => {
  const before = historyOf("old", 0, "e0");
  const after = historyOf("old", 1, "e1");
  await apply(before(1, { full: "end", ...at(check("a", 2, 200)) }));
  await apply(
    before(2, { from: 1, orders: [{ seq: 2, order: check("a", 3, 300) }] }),
    after(5, { full: "end", ...at(check("a", 2, 200)) }),
  );
  expect(await lost()).toEqual([["old", "a", 3, 300]]);
});

it("a lost check is kept when the restored history uses its version for something else [HQ-236]", async () => {
  await apply(historyOf("old", 0, "e0")(2, { full: "end", ...at(check("a", 3, 300)) }));
  await apply(historyOf("old", 1, "e1")(5, { full: "end", ...at(check("a", 3, 250)) }));
  expect(await lost()).toEqual([["old", "a", 3, 300]]);
});

it("changes of an interrupted transfer do not replace what was lost [HQ-236]", async () => {
  const after = historyOf("old", 1, "e1");
  await apply(historyOf("old", 0, "e0")(2, { full: "end", ...at(check("a", 3, 300), check("b", 1, 100)) }));
  await apply(after(5, { full: "part", from: 1, orders: [{ seq: 3, order: check("a", 4, 250) }] }));
  await apply(after(6, { full: "end", orders: [{ seq: 6, order: check("a", 5, 260) }] }));
  expect(await lost()).toEqual([
    ["old", "a", 3, 300],
    ["old", "b", 1, 100],
  ]);
});

it("batches of a replaced hub are refused from the first part of the transfer that replaces it [HQ-38]", async () => {
  const replaced = historyOf("old", 0, "e0");
  const restored = historyOf("old", 1, "e1");
  await apply(replaced(2, { full: "end", ...at(check("a", 2, 200), check("b", 1, 100)) }));
  await apply(restored(5, { full: "part", from: 2, orders: [{ seq: 3, order: check("a", 2, 200) }] }));
  const { superseded } = await apply(replaced(3, { from: 2, orders: [{ seq: 3, order: check("a", 3, 300) }] }));
  expect(superseded).toEqual(new Map([["r1", 1]]));
  // The superseded hub does not begin its own transfer either.
  await apply(replaced(3, { full: "end", ...at(check("b", 1, 100), check("a", 3, 300)) }));
  await apply(restored(5, { full: "end", to: 2, cut: 5, ...at(check("b", 1, 100)) }));
  const rows = await database.query(
    `SELECT pos_reference AS "posReference", version, is_gone AS "isGone" FROM checks ORDER BY 1`,
  );
  expect(rows).toEqual([
    { posReference: "a", version: 2, isGone: false },
    { posReference: "b", version: 1, isGone: false },
  ]);
});

it("a hub's next batches are applied after the unreadable end of its transfer was skipped [HQ-35]", async () => {
  await apply(historyOf("old", 0, "e0")(2, { full: "end", ...at(check("a", 1, 100)) }));
  await database.query("UPDATE restaurants SET hub_id = 'new'");
  const hub = historyOf("new", 1, "e1");
  await apply(hub(5, { full: "part", from: 2, orders: [{ seq: 3, order: check("b", 1, 100) }] }));
  const bad = hub(5, {}).message;
  const range = "e1 5 0";
  const place = readSentPlace(range);
  const reason = "not JSON in UTF-8";
  for (let times = 0; times < 3; times += 1) {
    await apply({ message: bad, decoded: { kind: "bad", restaurant: "r1", reason, place, range, isTooNew: false } });
  }
  const { counts, resend } = await apply(hub(6, { from: 5, orders: [{ seq: 6, order: check("b", 2, 200) }] }));
  expect([counts.applied, resend]).toEqual([1, new Set()]);
});

it("checks that a hub was sending again are kept as lost when another transfer replaces its own [HQ-236]", async () => {
  const replaced = historyOf("old", 0, "e0");
  await apply(replaced(2, { full: "end", ...at(check("a", 3, 300), check("b", 1, 100)) }));
  await database.query("UPDATE cursors SET is_full_wanted = TRUE");
  await apply(replaced(3, { full: "part", from: 1, orders: [{ seq: 3, order: check("a", 4, 400) }] }));
  await apply(historyOf("old", 1, "e1")(5, { full: "end", ...at(check("a", 2, 200), check("b", 1, 100)) }));
  expect(await lost()).toEqual([["old", "a", 4, 400]]);
});

it("closed checks of a former hub stay in the sums, and the new hub is sent what was lost [HQ-237]", async () => {
  await apply(historyOf("old", 0, "e0")(2, { full: "end", ...at(paid("a", 300), check("b", 1, 100)) }));
  await database.query("UPDATE restaurants SET hub_id = 'new'");
  await apply(historyOf("new", 0, "e1")(1, { full: "end", ...at(check("c", 1, 50)) }));
  expect(await inSums()).toEqual({ paid: 30_000 });
  expect(await lost()).toEqual([
    ["old", "b", 1, 100],
    ["old", "a", 2, 300],
  ]);
});

it("a replacement hub that has sold something itself removes no sale of the former one [HQ-237]", async () => {
  await apply(historyOf("old", 0, "e0")(1, { full: "end", ...at(paid("a", 300)) }));
  await database.query("UPDATE restaurants SET hub_id = 'new'");
  const tried = { ...paid("c", 50), updatedAt: "2026-11-20T21:00:00Z" };
  const hub = historyOf("new", 0, "e1");
  await apply(hub(1, { full: "end", ...at(tried) }));
  expect(await inSums()).toEqual({ paid: 35_000 });
  await database.query("UPDATE cursors SET is_full_wanted = TRUE");
  await apply(hub(2, { full: "end", ...at(tried) }));
  expect(await inSums()).toEqual({ paid: 35_000 });
});

it("a day is compared without what a former hub sold on it [HQ-40]", async () => {
  await apply(historyOf("old", 0, "e0")(1, { full: "end", ...at(paid("a", 300)) }));
  await database.query("UPDATE restaurants SET hub_id = 'new'");
  const hub = historyOf("new", 0, "e1");
  const later = { ...paid("b", 100), updatedAt: "2026-11-20T22:30:00Z" };
  await apply(hub(1, { full: "end", ...at(later) }));
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const sold = [{ posReference: "b", version: 2, totalCents: 10_000 }];
  const reportDay = (removed: number) =>
    apply(hub(1, { from: 1, digest: chainDigest("2026-11-20", { paid: sold, removed }, sha256) }));
  expect((await reportDay(0)).resend).toEqual(new Set());
  expect(await inSums()).toEqual({ paid: 40_000 });
  expect((await reportDay(1)).resend).toEqual(new Set(["r1"]));
});

it("a day is compared with the data of that point of the stream, even if more arrives in the transaction [HQ-40]", async () => {
  const hub = historyOf("old", 0, "e0");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const sold = [{ posReference: "a", version: 2, totalCents: 30_000 }];
  const digest = chainDigest("2026-11-20", { paid: sold, removed: 0 }, sha256);
  await apply(
    hub(1, { full: "end", ...at(paid("a", 300)) }),
    hub(1, { from: 1, digest }),
    hub(2, { from: 1, orders: [{ seq: 2, order: paid("b", 100) }] }),
  );
  const digests = await database.query(`SELECT is_equal AS "isEqual", paid_here AS paid FROM digests`);
  expect(digests).toEqual([{ isEqual: true, paid: 1 }]);
});

describe("a hub that was another restaurant's [HQ-360]", () => {
  async function move(enrolledAt: string): Promise<void> {
    await database.query("INSERT INTO restaurants (id, name, created_at, hub_id) VALUES ('r2', 'Dos', now(), 'old')");
    await database.query("UPDATE restaurants SET hub_id = NULL WHERE id = 'r1'");
    await database.query("INSERT INTO restaurant_hubs VALUES ('r1', 'old', $1), ('r2', 'old', $2)", [
      enrolledAt,
      new Date(NOW),
    ]);
    const hub = historyOf("old", 0, "e0");
    await apply(
      hub(1, { full: "end", ...at(paid("a", 300)) }),
      hub(2, { r: "r2", full: "end", ...at(paid("a", 300), paid("b", 100)) }),
    );
  }
  const paidAt = async () => {
    const rows = await database.query<{ id: string; paid: number; lines: number }>(
      `SELECT restaurant_id AS id, sum(paid_cents)::int AS paid, (SELECT sum(amount_cents)::int FROM sales_products p
         WHERE p.restaurant_id = h.restaurant_id) AS lines FROM sales_hours h GROUP BY restaurant_id ORDER BY 1`,
    );
    return rows.map(({ id, paid: sum, lines }) => [id, sum, lines]);
  };

  it("sales made at the former restaurant stay there when all batches are in one transaction", async () => {
    await move("2026-11-20T21:00:00Z");
    expect(await paidAt()).toEqual([
      ["r1", 30_000, 30_000],
      ["r2", 10_000, 10_000],
    ]);
  });

  it("sales made before a mistaken enrolment at the former restaurant move along with the hub", async () => {
    await move("2026-11-20T22:30:00Z");
    expect(await paidAt()).toEqual([["r2", 40_000, 40_000]]);
  });

  describe("after an exchange of hubs", () => {
    const [one, two] = [historyOf("old", 0, "e0"), historyOf("two", 0, "e2")];
    const soldTwo = { ...paid("b", 100), updatedAt: "2026-11-20T22:10:00Z" };

    beforeEach(async () => {
      await database.query("INSERT INTO restaurants (id, name, created_at, hub_id) VALUES ('r2', 'Dos', now(), 'two')");
      await database.query(`INSERT INTO restaurant_hubs VALUES ('r1', 'old', '2026-11-20T21:00:00Z'),
        ('r2', 'two', '2026-11-20T21:00:00Z'), ('r1', 'two', '2026-11-20T23:00:00Z'), ('r2', 'old', '2026-11-20T23:00:00Z')`);
      await apply(one(1, { full: "end", ...at(paid("a", 300)) }), two(1, { r: "r2", full: "end", ...at(soldTwo) }));
      await database.query("UPDATE restaurants SET hub_id = CASE id WHEN 'r1' THEN 'two' ELSE 'old' END");
    });

    it.each([
      [
        "first",
        () => [two(2, { full: "end", ...at(soldTwo) }), one(2, { r: "r2", full: "end", ...at(paid("a", 300)) })],
      ],
      [
        "last",
        () => [one(2, { r: "r2", full: "end", ...at(paid("a", 300)) }), two(2, { full: "end", ...at(soldTwo) })],
      ],
    ] as const)(
      "sales stay at the restaurant where each hub made them when the former restaurant comes %s",
      async (_, transfers) => {
        for (const transfer of transfers()) await apply(transfer);
        expect(await paidAt()).toEqual([
          ["r1", 30_000, 30_000],
          ["r2", 10_000, 10_000],
        ]);
      },
    );
  });
});

it("a differing day stays on the list until a new digest of it is equal [HQ-361]", async () => {
  const hub = historyOf("old", 0, "e0");
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const reportDay = (day: string, ...paidThen: { posReference: string; version: number; totalCents: number }[]) =>
    hub(3, { from: 3, digest: chainDigest(day, { paid: paidThen, removed: 0 }, sha256) });
  const [a, b] = [
    { posReference: "a", version: 2, totalCents: 30_000 },
    { posReference: "b", version: 3, totalCents: 10_000 },
  ] as const;
  const differingAfter = async (...received: Received[]) => (await apply(...received)).standings.get("r1")?.differing;
  await apply(hub(3, { full: "end", ...at(paid("a", 300)) }));
  await apply(reportDay("2026-11-20", a, { ...b, version: 2 }));
  // Part of a check was refunded after its hub had sent the day's digest.
  const refunded = { ...paid("b", 100), version: 3 };
  expect(await differingAfter(hub(3, { full: "end", ...at(paid("a", 300), refunded) }))).toEqual(["2026-11-20"]);
  expect(await differingAfter(reportDay("2026-11-21"))).toEqual(["2026-11-20"]);
  await apply(reportDay("2026-11-20", a, b));
  expect(await differingAfter(reportDay("2026-11-22"))).toEqual([]);
  // A day that is too long ago for an alert is not listed either.
  await apply(reportDay("2026-10-07", a), reportDay("2026-10-06", a));
  expect(await differingAfter(reportDay("2026-11-22"))).toEqual(["2026-10-07"]);
});

it("checks that the hub itself removed as too old stay in the sums [HQ-237]", async () => {
  const hub = historyOf("old", 0, "e0");
  const recent = { ...paid("b", 100), updatedAt: "2026-11-20T22:30:00Z" };
  await apply(hub(2, { full: "end", ...at(paid("a", 300), recent) }));
  await database.query("UPDATE cursors SET is_full_wanted = TRUE");
  await apply(hub(3, { full: "end", ...at(recent) }));
  expect(await inSums()).toEqual({ paid: 40_000 });
});
