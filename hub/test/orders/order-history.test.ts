import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const beer = { id: "beer", productId: 101, name: "Cerveza", quantity: 3, unitPrice: 10, total: 30 };
const mojito = { id: "mojito", productId: 102, name: "Mojito", quantity: 2, unitPrice: 20, total: 40 };

describe("order history", () => {
  it("an order's history has its first lines, a line's extras and origin, and what was voided [OP-160]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const write = (baseVersion: number, lines: unknown[]) =>
      till.change({
        type: "ORDER_UPSERT",
        posReference: "A",
        baseVersion,
        snapshot: { orderType: "takeout", lines },
      });
    await write(0, [beer]);
    const modifiers = [{ id: 7, name: "Sin azúcar", price: 0 }, "Con menta", { price: 5 }];
    const part = { ...beer, id: "part", quantity: 1, total: 10, splitOf: "beer" };
    await write(1, [{ ...beer, quantity: 2, total: 20 }, { ...mojito, modifiers }, part]);
    await write(2, [{ ...beer, quantity: 2, total: 20, voided: true, voidReason: "caliente" }, part]);
    const { versions } = (await call("orderVersions", { params: { posReference: "A" } })).body;
    const began = { items: { dishes: [{ productId: "101", name: "Cerveza", quantity: 3 }] } };
    expect(versions[0].facts).toContainEqual({ fact: "beganWith", values: began });
    const dish = { productId: "102", name: "Mojito", quantity: 2, modifiers: ["Sin azúcar", "Con menta"] };
    expect(versions[1].facts).toContainEqual({ fact: "lineAdded", values: { item: { dish } } });
    const split = { productId: "101", name: "Cerveza", quantity: 1 };
    expect(versions[1].facts).toContainEqual({ fact: "lineSplit", values: { item: { dish: split } } });
    const voided = { item: { dish: { ...split, quantity: 2 } }, reason: { text: "caliente" } };
    expect(versions[2].facts).toContainEqual({ fact: "voidedFor", values: voided });
    expect(versions[2].facts).toContainEqual({ fact: "lineRemoved", values: { item: { dish } } });
  });

  it("an order's history has each station's ticket and when it was ready, unless all was cancelled [OP-160]", async () => {
    const stations = [
      { id: "bar", name: "Bar", categoryIds: [], productIds: [102] },
      { id: "fridge", name: "Nevera", categoryIds: [], productIds: [101] },
    ];
    const hub = await startTestHub({ env: { HUB_STATIONS: JSON.stringify(stations) } });
    const call = operatorOf(hub);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const upsert = { type: "ORDER_UPSERT", posReference: "A" };
    await till.change({ ...upsert, baseVersion: 0, snapshot: terminalSnapshot({ lines: [beer, mojito] }) });
    await till.change({ type: "ORDER_SEND", posReference: "A" });
    await till.change({ type: "KITCHEN_BUMP", posReference: "A", lineId: "mojito", preparedQuantity: 2 });
    const voided = { ...beer, voided: true };
    await till.change({ ...upsert, baseVersion: 3, snapshot: terminalSnapshot({ lines: [voided, mojito] }) });
    const { entries } = (await call("orderTimeline", { params: { posReference: "A" } })).body;
    const of = (kind: string) => entries.filter((entry: { kind: string }) => entry.kind === kind);
    expect(of("ticket_sent")).toHaveLength(2);
    const { at } = of("ticket_sent")[0];
    const ticketSent = { kind: "ticket_sent", at, items: 1 };
    expect(entries).toContainEqual(expect.objectContaining({ ...ticketSent, stationName: "Bar", quantity: 2 }));
    expect(entries).toContainEqual(expect.objectContaining({ ...ticketSent, stationName: "Nevera", quantity: 3 }));
    expect(of("ticket_ready")).toMatchObject([{ stationName: "Bar", sentAt: at }]);
  });

  it("the order list marks a paid order whose fiscal number is missing [OP-161]", async () => {
    const hub = await startTestHub({ ownBackOffice: true, env: { HUB_STATE_POLL_MS: "200" } });
    const call = operatorOf(hub);
    await until("reachable", async () => (await call("backOffice")).body.state === "reachable");
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const sell = async (posReference: string, fiscal?: Record<string, string>) => {
      const snapshot = terminalSnapshot({ lines: [mojito] });
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      const payments = [{ methodId: 1, amount: 40 }];
      await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments, ...(fiscal && { fiscal }) });
    };
    const rows = async () =>
      new Map<string, string | undefined>(
        (await call("orders", { query: { status: "paid" } })).body.orders.map(
          (row: { posReference: string; missingNumber?: string }) => [row.posReference, row.missingNumber],
        ),
      );
    await sell("WITH", { type: "B02" });
    await sell("PLAIN");
    await sell("REFUSED", { type: "B01" });
    await until("refused", async () => (await rows()).get("REFUSED") === "failed");
    await hub.backOffice.kill();
    await sell("PENDING", { type: "B02" });
    expect(Object.fromEntries(await rows())).toEqual({
      WITH: undefined,
      PLAIN: undefined,
      REFUSED: "failed",
      PENDING: "pending",
    });
  });
});
