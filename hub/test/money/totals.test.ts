import type { Adjustment, Feed, Snapshot } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { broadcastOrder as received } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const dish = (id: string, total: number, overrides: Record<string, unknown> = {}) => ({
  id,
  productId: 101,
  quantity: 1,
  unitPrice: total,
  total,
  ...overrides,
});

const totals = (total: number) => ({ subtotal: total, tax: 0, total });

const write = (posReference: string, baseVersion: number, overrides: Record<string, unknown>) => ({
  type: "ORDER_UPSERT",
  posReference,
  baseVersion,
  snapshot: terminalSnapshot(overrides),
});

const discount = (amount: number, more: Partial<Adjustment> = {}) => ({ kind: "discount", amount, ...more });

/** Writes an order and returns it as stored. */
async function writeOrder(
  terminal: TestTerminal,
  posReference: string,
  baseVersion: number,
  overrides: Record<string, unknown>,
): Promise<Snapshot> {
  const { version } = await terminal.change(write(posReference, baseVersion, overrides));
  return (await received(terminal, posReference, version ?? 0)).snapshot;
}

describe("totals of a terminal's order ", () => {
  it("the total of an order must equal the sum of its lines [PRICE-20]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const lines = [dish("a", 1000), dish("b", 1000)];
    const answer = await refusal(till.change(write("A", 0, { lines, totals: totals(1) })));
    expect(answer).toMatchObject({ errorCode: "TOTALS_MISMATCH", posReference: "A", retryable: false });
    expect(answer.error).toMatch(/\b1\b.*\b2000\b/);
    expect((await hub.terminal({ deviceId: "looks" })).sync.orders).toEqual([]);
    await till.change(write("A", 0, { lines, totals: totals(2000) }));
    expect(await refusal(till.change(write("A", 1, { totals: totals(1), lines: undefined })))).toMatchObject({
      errorCode: "TOTALS_MISMATCH",
    });
    expect((await writeOrder(till, "A", 1, { lines: undefined, notes: "x" })).totals).toEqual(totals(2000));
  });

  it.each([
    [300.02, true],
    [299.98, true],
    [300.03, false],
    [299.97, false],
  ])(
    "a total may differ by two cents: %d for three times 100 is accepted: %s [PRICE-20]",
    async (total, isAccepted) => {
      const hub = await startTestHub();
      const till = await hub.terminal();
      const change = till.change(
        write("A", 0, { lines: ["a", "b", "c"].map((id) => dish(id, 100)), totals: totals(total) }),
      );
      if (isAccepted) expect(await change).toMatchObject({ version: 1 });
      else expect(await refusal(change)).toMatchObject({ errorCode: "TOTALS_MISMATCH" });
    },
  );

  it("a total leaves out voided lines and the voided part of a line [PRICE-21]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const lines = [
      dish("a", 100),
      dish("b", 50, { voided: true }),
      dish("c", 20, { quantity: 4, unitPrice: 10, voidedQuantity: 2 }),
    ];
    expect((await writeOrder(till, "A", 0, { lines, totals: totals(120) })).totals).toEqual(totals(120));
    expect(await refusal(till.change(write("A", 1, { lines, totals: totals(170) })))).toMatchObject({
      errorCode: "TOTALS_MISMATCH",
    });
    const unpriced = [{ id: "c", quantity: 4, unitPrice: 10, voidedQuantity: 3 }];
    expect(await writeOrder(till, "B", 0, { lines: unpriced })).toMatchObject({
      lines: [{ total: 10 }],
      totals: totals(10),
    });
  });

  it("a total includes named adjustments, which are stored as sent [PRICE-22]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const lines = [dish("a", 118, { taxAmount: 18 })];
    const adjustments = [
      discount(-18, { reason: "cortesía", by: "Rosa" }),
      { kind: "tip", amount: 10 },
      { kind: "service", amount: 5.5 },
      { kind: "rounding", amount: -0.5 },
    ];
    expect(await refusal(till.change(write("A", 0, { lines, adjustments, totals: totals(118) })))).toMatchObject({
      errorCode: "TOTALS_MISMATCH",
    });
    expect(await writeOrder(till, "A", 0, { lines, adjustments, totals: totals(115) })).toMatchObject({
      adjustments,
      totals: totals(115),
    });
    // The hub computes omitted totals. A write without lines and adjustments does not change them.
    const computed = { subtotal: 100, tax: 18, total: 115 };
    expect((await writeOrder(till, "A", 1, { lines, adjustments })).totals).toEqual(computed);
    expect(await writeOrder(till, "A", 2, { lines: undefined, notes: "x" })).toMatchObject({
      adjustments,
      totals: computed,
    });
    expect(await writeOrder(till, "A", 3, { lines })).not.toHaveProperty("adjustments");
  });

  it("an order keeps its adjustments when an integration changes the lines [EXT-90]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const adjustments = [discount(-20)];
    await till.change(write("A", 0, { lines: [dish("a", 100)], adjustments }));
    const lines = [{ id: "a", productId: "101", quantity: 2, unitPrice: 100, total: 200 }];
    expect((await hub.external().patch("/orders/A", { baseVersion: 1, lines })).body.snapshot).toMatchObject({
      adjustments,
      totals: { subtotal: 200, tax: 0, total: 180 },
    });
  });
});

describe("discounts ", () => {
  it("only a cashier or manager gives a discount, and a waiter's edit may keep it [PRICE-23]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const lines = [dish("a", 1000)];
    for (const adjustments of [
      [discount(-100)],
      [{ kind: "service", amount: -100 }],
      [{ kind: "rounding", amount: -5.01 }],
      [{ kind: "tip", amount: 100 }, discount(-100)],
    ]) {
      expect(await refusal(waiter.change(write("A", 0, { lines, adjustments })))).toMatchObject({
        errorCode: "FORBIDDEN",
        posReference: "A",
      });
    }
    await waiter.change(
      write("A", 0, {
        lines,
        adjustments: [
          { kind: "rounding", amount: -0.4 },
          { kind: "tip", amount: 100 },
        ],
      }),
    );
    await till.change(write("A", 1, { lines, adjustments: [discount(-100)] }));
    await waiter.change(
      write("A", 2, { lines: [...lines, dish("b", 50)], adjustments: [discount(-100)], totals: totals(950) }),
    );
    expect(await refusal(waiter.change(write("A", 3, { lines, adjustments: [discount(-100.01)] })))).toMatchObject({
      errorCode: "FORBIDDEN",
    });
    await waiter.change(write("A", 3, { lines, adjustments: [discount(-40)] }));
    await waiter.change(write("A", 4, { lines }));
    expect(await refusal(waiter.change(write("A", 5, { lines, adjustments: [discount(-40)] })))).toMatchObject({
      errorCode: "FORBIDDEN",
    });
  });

  it("only a cashier or manager gives a discount on a line, and a waiter's edit may keep it [PRICE-23]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const off = (percent: number) => dish("a", 1000 - 10 * percent, { unitPrice: 1000, discount: { percent } });
    expect(await refusal(waiter.change(write("A", 0, { lines: [off(10)] })))).toMatchObject({ errorCode: "FORBIDDEN" });
    await waiter.change(write("A", 0, { lines: [dish("a", 1000)] }));
    await till.change(write("A", 1, { lines: [off(10)] }));
    await waiter.change(write("A", 2, { lines: [off(10), dish("b", 50, { discount: { percent: 0 } })] }));
    const halves = [450, 450].map((total, n) =>
      dish(n === 0 ? "a" : "a2", total, { quantity: 0.5, discount: { percent: 10 }, ...(n === 1 && { splitOf: "a" }) }),
    );
    await waiter.change(write("A", 3, { lines: halves }));
    for (const line of [
      dish("a", 400, { discount: { percent: 20 } }),
      dish("a", 400, { discount: { amount: 100 } }),
      dish("c", 45, { discount: { percent: 10 } }),
    ]) {
      expect(await refusal(waiter.change(write("A", 4, { lines: [line] })))).toMatchObject({ errorCode: "FORBIDDEN" });
    }
    await waiter.change(write("A", 4, { lines: [off(5)] }));
  });

  it("a waiter's split and merge keep the sum of a discount [PRICE-23]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const [a, b] = [dish("a", 500), dish("b", 500)];
    await till.change(write("A", 0, { lines: [a, b], adjustments: [discount(-100)] }));
    const halves = (first: number, second: number) => ({
      type: "ORDER_BATCH",
      orders: [
        { ...write("A", 1, { lines: [a], adjustments: [discount(first)] }) },
        { ...write("B", 0, { lines: [b], adjustments: [discount(second)] }) },
      ],
    });
    expect(await refusal(waiter.change(halves(-50, -50.01)))).toMatchObject({
      errorCode: "FORBIDDEN",
      posReference: "A",
    });
    await waiter.change(halves(-50, -50));
    await waiter.change({
      type: "ORDER_BATCH",
      orders: [write("A", 2, { lines: [] }), write("B", 1, { lines: [a, b], adjustments: [discount(-100)] })],
    });
    await till.change(write("B", 2, { lines: [a, b] }));
    const stale = write("B", 2, { lines: [a, b, dish("c", 5)], adjustments: [discount(-100)] });
    expect(await refusal(waiter.change(stale))).toMatchObject({ errorCode: "CONFLICT" });
  });
});

describe("prices lowered by a waiter ", () => {
  const beer = (overrides: Record<string, unknown> = {}) => dish("a", 100, overrides);
  const lower = { unitPrice: 1, total: 1 };

  it("a lower price or a negative line is a discount, which a waiter may not give [PRICE-70]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await waiter.change(write("A", 0, { lines: [beer()] }));
    await waiter.change({ type: "ORDER_SEND", posReference: "A" });
    for (const lines of [
      [beer(lower)],
      [beer({ total: 1 })],
      [beer(), dish("b", -60)],
      [beer({ quantity: 0.5, total: 50 }), dish("b", 0.5, { quantity: 0.5, unitPrice: 1, splitOf: "a" })],
    ]) {
      const answer = await refusal(waiter.change(write("A", 2, { lines })));
      expect(answer).toMatchObject({ errorCode: "FORBIDDEN", posReference: "A", retryable: false });
      expect(answer.error).toMatch(/^line [ab]: only a cashier or manager may give a discount/);
    }
    const moved = {
      type: "ORDER_BATCH",
      orders: [write("A", 2, { lines: [] }), write("B", 0, { lines: [beer(lower)] })],
    };
    expect(await refusal(waiter.change(moved))).toMatchObject({ errorCode: "FORBIDDEN", posReference: "B" });
    expect((await received(waiter, "A", 2)).snapshot.totals.total).toBe(100);

    await till.change(write("A", 2, { lines: [beer(lower)] }));
    expect((await received(waiter, "A", 3)).snapshot.totals.total).toBe(1);
  });

  it("a price below the menu is marked on the check and shown in the feed once [PRICE-71]", async () => {
    const hub = await startTestHub();
    await until("the menu is read", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const before = [
      beer({ menuCheck: "unknown" }),
      dish("c", 225, { total: 288 }),
      dish("d", 5, { productId: "off-menu" }),
    ];
    const { lines } = await writeOrder(waiter, "A", 0, { orderType: "dine_in", lines: before });
    expect(lines.map(({ menuCheck }) => menuCheck)).toEqual(["below", undefined, "unknown"]);
    const warnings = async () => {
      const { entries } = (await operatorOf(hub)("feed")).body as Feed;
      return entries.filter(({ kind }) => kind === "price_below_menu");
    };
    expect(await warnings()).toMatchObject([
      { level: "warn", detail: { posReference: "A", terminalId: "waiter", text: "101" } },
    ]);
    const edited = before.map((line) => ({ ...line, note: "x" }));
    expect((await writeOrder(waiter, "A", 1, { lines: edited })).lines.map(({ menuCheck }) => menuCheck)).toEqual([
      "below",
      undefined,
      "unknown",
    ]);
    expect(await warnings()).toHaveLength(1);
  });

  it("an integration may lower a price [PRICE-72]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    await waiter.change(write("A", 0, { lines: [beer()] }));
    const lines = [{ id: "a", productId: "101", quantity: 1, unitPrice: 1, total: 1 }];
    expect((await hub.external().patch("/orders/A", { baseVersion: 1, lines })).status).toBe(200);
  });
});

describe("the price of a line ", () => {
  it("a line keeps its price whatever the menu says [PRICE-24]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    const line = dish("a", 12.34);
    await till.change(write("A", 0, { lines: [line] }));
    await till.change({ type: "ORDER_SEND", posReference: "A" });
    await till.change(write("A", 2, { lines: [line, dish("b", 1)] }));
    await till.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: 3 });
    expect((await received(till, "A", 4)).snapshot).toMatchObject({
      lines: [{ unitPrice: 12.34, total: 12.34 }, { total: 1 }],
      totals: { total: 13.34 },
    });
  });
});
