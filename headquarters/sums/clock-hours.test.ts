import { DAY_MS } from "@comanda/protocol";
import { ChainBatch } from "@comanda/protocol/chain.ts";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { readSums } from "../api/read-sales.ts";
import { openDatabase } from "../db/open.ts";
import { collectBatch, collectNothing } from "../ingest/collected.ts";
import { writeCollected } from "../ingest/write-collected.ts";
import { testFolder } from "../test/test-folder.ts";
import { createDaySums } from "./day-sums.ts";

const DAY = "2026-11-20";

/** Returns a batch of a restaurant with one check that was paid at `paidAt`. */
function batchOf(r: string, zone: string, paidAt: string): ChainBatch {
  const times = { createdAt: paidAt, updatedAt: paidAt };
  const snapshot = {
    ...times,
    posReference: "A/1",
    status: "paid",
    orderType: "takeout",
    tableId: null,
    guestCount: 1,
    paidAt,
    lines: [{ id: "1", productId: "7", quantity: 1, unitPrice: 100, total: 100 }],
    totals: { subtotal: 100, tax: 0, total: 100 },
    payments: [{ methodId: 1, amount: 100 }],
  };
  const order = { ...times, posReference: "A/1", version: 1, tableId: null, terminalId: "t1", snapshot };
  return ChainBatch.parse({
    v: 1,
    r,
    hubId: `hub-${r}`,
    generation: 0,
    epoch: "one",
    formerEpochs: [],
    from: 0,
    to: 1,
    at: paidAt,
    clock: { isTrusted: true, zone },
    hub: { version: "0.1.0" },
    orders: [{ seq: 1, order }],
    removed: [],
    tables: [],
    items: [],
    factsAfter: 0,
    facts: [],
  });
}

it("sales of the same clock hour are one sum across the restaurants' time zones [HQ-210]", async () => {
  const database = await openDatabase({ url: null, dataDir: await testFolder() });
  onTestFinished(() => database.close());
  const collected = collectNothing();
  const now = Date.parse("2026-11-21T03:00:00Z");
  for (const [id, zone, paidAt] of [
    ["naco", "America/Santo_Domingo", "2026-11-21T01:30:00Z"],
    ["miami", "America/New_York", "2026-11-21T02:30:00Z"],
    // After midnight, which belongs to the same business day.
    ["madrid", "Europe/Madrid", "2026-11-20T23:30:00Z"],
  ] as const) {
    await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ($1, $1, now())", [id]);
    collectBatch(collected, batchOf(id, zone, paidAt), { above: 0, factId: 0, fullId: 1, now });
  }
  await database.transaction((queries) => writeCollected(queries, collected, { now: new Date(now), checkDays: 400 }));
  const hours = async (days: { summed: string[]; fresh: string[] }) => {
    const sums = await readSums(database, { days, ids: null, group: "" });
    return sums.flatMap(({ hour, checks, paid }) => (hour === null ? [] : [{ hour, checks, paid }]));
  };
  const expected = expect.arrayContaining([
    { hour: 21, checks: 2, paid: 20_000 },
    { hour: 0, checks: 1, paid: 10_000 },
  ]);
  const fresh = await hours({ summed: [], fresh: [DAY] });
  expect(fresh).toEqual(expected);
  expect(fresh).toHaveLength(2);

  const world = { now: () => now + 4 * DAY_MS, log: pino({ level: "silent" }) };
  await createDaySums({ database }, world).sumDays();
  expect(await hours({ summed: [DAY], fresh: [] })).toEqual(expected);
});
