import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { DAY_MS, type StoredOrder } from "@comanda/protocol";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { lossesOf } from "../data-file/restore-steps.ts";
import { moveHub } from "../data-file/move-hub.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";
import { startChainHeadquarters } from "./chain-headquarters.ts";
import { callChain, current, enrolAt, type RealHeadquarters, startRealHeadquarters } from "./real-headquarters.ts";

interface CheckRow {
  ref: string;
  status: string;
  total: number;
}

/** Returns the checks that headquarters count, by reference. Paid and closed checks both count as `paid`. */
async function checksAt({ database }: RealHeadquarters): Promise<CheckRow[]> {
  return database.query<CheckRow>(
    `SELECT pos_reference AS ref, CASE WHEN is_removed THEN 'discarded'
       ELSE replace(body->'snapshot'->>'status', 'closed', 'paid') END AS status,
       (total_cents / 100)::int AS total
     FROM checks WHERE NOT is_gone ORDER BY pos_reference`,
  );
}

it(
  "a replacement PC lists the evening's checks from headquarters, and has them once taken over [CHAIN-45]",
  { timeout: 120_000 },
  async () => {
    const headquarters = await startRealHeadquarters();
    onTestFinished(headquarters.stop);
    const hub = await startTestHub({ ownBackOffice: true });
    await enrolAt(headquarters, hub, "santiago");
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const steaks = (quantity: number) => [{ id: "a", productId: 101, quantity, unitPrice: 100, total: 100 * quantity }];
    const write = (posReference: string, quantity: number, baseVersion = 0, overrides: object = {}) =>
      till.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion,
        snapshot: terminalSnapshot({ lines: steaks(quantity), ...overrides }),
      });

    await write("same", 1);
    await write("older", 1);
    await write("discarded", 1);
    const { backup } = (await operatorOf(hub)("makeBackup")).body;
    await write("older", 3, 1);
    await write("missing", 2, 0, { customerName: "Juana" });
    await write("paid", 4);
    const payments = [{ methodId: 1, amount: 400 }];
    await till.change({
      type: "ORDER_PAY",
      paymentId: crypto.randomUUID(),
      posReference: "paid",
      baseVersion: 1,
      payments,
    });
    await till.change({ type: "ORDER_DISCARD", posReference: "discarded", baseVersion: 1 });
    await current(hub);
    const missing = (await operatorOf(hub)("order", { params: { posReference: "missing" } })).body.order as StoredOrder;
    const before = await checksAt(headquarters);
    expect(before).toHaveLength(5);

    await moveHub(hub, backup.name);
    await enrolAt(headquarters, hub, "santiago");
    await until("it lists what is missing", async () => (await lossesOf(hub)).size === 4, 60_000);
    const listed = [...(await lossesOf(hub)).values()].map(({ posReference, kind, sources }) => [
      posReference,
      { kind, sources },
    ]);
    const sources = ["headquarters"];
    expect(Object.fromEntries(listed)).toEqual({
      discarded: { kind: "order_discarded", sources },
      missing: { kind: "order_missing", sources },
      older: { kind: "order_older", sources },
      paid: { kind: "order_paid", sources },
    });
    // The returning terminal knows the customer's name.
    const back = await hub.terminal({ login: "waiter", deviceId: "tablet", caps: ["offers"] });
    expect(await back.request({ type: "ORDER_OFFER", epoch: till.hello.epoch, orders: [missing] })).toMatchObject({
      taken: 1,
    });
    expect((await lossesOf(hub)).get("missing")).toMatchObject({ known: { customerName: "Juana" } });

    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toEqual({ takenOver: 4, refused: [] });
    await current(hub);
    expect(await checksAt(headquarters)).toEqual(before);
  },
);

it(
  "lost checks arrive over a slow line, and a full transfer spans the retention period [CHAIN-46, CHAIN-47]",
  { timeout: 120_000, tags: "long" },
  async () => {
    const headquarters = await startChainHeadquarters();
    const at = new Date().toISOString();
    const order: StoredOrder = {
      posReference: "missing",
      version: 2,
      tableId: null,
      terminalId: "t1",
      createdAt: at,
      updatedAt: at,
      snapshot: {
        posReference: "missing",
        status: "sent",
        orderType: "takeout",
        tableId: null,
        guestCount: 1,
        createdAt: at,
        updatedAt: at,
        lines: [{ id: "a", productId: 101, quantity: 1, unitPrice: 100, total: 100 }],
        totals: { subtotal: 100, tax: 0, total: 100 },
      },
    };
    headquarters.admin().subscribe(chainSubjects.allLostQuestions, {
      callback(_, message) {
        // A page of 256 KiB would take 16 s at 128 kbit/s.
        void pause(7_000).then(() =>
          message.respond(JSON.stringify({ checks: [{ hubId: "former", check: order }], next: null })),
        );
      },
    });
    const hub = await startTestHub({ env: { HUB_HISTORY_DAYS: "10", HUB_RETENTION_DAYS: "40" } });
    const { address, showCode } = headquarters.enrolling;
    await callChain(hub, "POST", { address, code: showCode() });
    await until("it lists what is missing", async () => (await lossesOf(hub)).has("missing"), 60_000);
    const transfer = headquarters.received.batches.find(({ full }) => full === "end");
    const days = (Date.now() - Date.parse(transfer?.since ?? "")) / DAY_MS;
    expect(Math.round(days)).toBe(40);
  },
);
