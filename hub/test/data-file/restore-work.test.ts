import { describe, expect, it } from "vitest";
import type { OperatorTicket, StoredOrder } from "@comanda/protocol";
import { terminalSnapshot } from "../support/builders.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { printJobs } from "../kitchen/printed.ts";
import { backUp, lossesOf, takeOver } from "./restore-steps.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const env = { HUB_FORWARD_INTERVAL_MS: "600000" };
const steak = (quantity: number, overrides: Record<string, unknown> = {}) => ({
  id: "a",
  productId: 101,
  quantity,
  unitPrice: 100,
  total: 100 * quantity,
  ...overrides,
});

const orderOf = async (hub: TestHub, posReference: string): Promise<StoredOrder> =>
  (await operatorOf(hub)("order", { params: { posReference } })).body.order;

const ticketsOf = async (hub: TestHub): Promise<OperatorTicket[]> => (await operatorOf(hub)("kitchen")).body.tickets;

/** Starts a hub with a cashier and a check of `quantity` steaks. */
async function open(posReference: string, quantity: number) {
  const hub = await startTestHub({ env });
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const snapshot = terminalSnapshot({ lines: [steak(quantity)] });
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
  return { hub, till, again: () => hub.terminal({ login: "cashier", deviceId: "till" }) };
}

const pay = (posReference: string, baseVersion: number, amount: number) => ({
  type: "ORDER_PAY",
  paymentId: crypto.randomUUID(),
  posReference,
  baseVersion,
  payments: [{ methodId: 1, amount }],
});

describe("a payment after a restore", () => {
  it("a lost payment kept as unapplied is settled once its check is taken over, and recognized later [REST-110]", async () => {
    const { hub, till, again } = await open("A1", 1);
    const restore = await backUp(hub);
    const payment = pay("A1", 1, 100);
    await till.change(payment);
    await restore();
    const other = await hub.terminal({ login: "manager", deviceId: "other" });
    const lines = [steak(1), { ...steak(1), id: "b" }];
    const edit = { type: "ORDER_UPSERT", posReference: "A1", baseVersion: 1, snapshot: terminalSnapshot({ lines }) };
    await other.change(edit);
    const back = await again();
    await expect(back.change({ ...payment, mutationId: crypto.randomUUID() })).rejects.toThrow("CONFLICT");
    expect((await operatorOf(hub)("payments")).body.payments).toMatchObject([{ posReference: "A1", amount: 100 }]);
    expect((await takeOver(hub, "A1")).status).toBe(200);
    expect((await orderOf(hub, "A1")).snapshot).toMatchObject({ status: "paid", payments: [{ amount: 100 }] });
    expect((await operatorOf(hub)("payments")).body.payments).toEqual([]);
    expect(await back.change({ ...payment, mutationId: crypto.randomUUID() })).toMatchObject({ posReference: "A1" });
    expect((await operatorOf(hub)("payments")).body.payments).toEqual([]);
  });
});

/** Adds a printer with a drawer, and returns the checks for which the hub asked it to open the drawer. */
async function giveDrawer(hub: TestHub) {
  const call = operatorOf(hub);
  const printer = await call("addPrinter", { body: { name: "Caja", address: "tcp://127.0.0.1:1", drawer: true } });
  await call("setPrintRoutes", { body: { receipts: printer.body.id } });
  return () => printJobs(hub).flatMap(({ cause }) => /^pulse:([^:]+)/.exec(cause)?.[1] ?? []);
}

describe("a payment that a restore has lost", () => {
  it("a lost payment opens the drawer when it is paid again, not when a manager takes it over [TILL-35]", async () => {
    const { hub, till, again } = await open("D1", 1);
    const snapshot = terminalSnapshot({ lines: [steak(1)] });
    await till.change({ type: "ORDER_UPSERT", posReference: "D2", baseVersion: 0, snapshot });
    const opened = await giveDrawer(hub);
    const restore = await backUp(hub);
    await till.change(pay("D1", 1, 100));
    await till.change(pay("D2", 1, 100));
    expect(opened()).toEqual(["D1", "D2"]);
    await restore();
    await (await again()).change(pay("D1", 1, 100));
    expect(opened()).toEqual(["D1", "D2", "D1"]);
    expect((await takeOver(hub, "D2")).status).toBe(200);
    expect((await orderOf(hub, "D2")).snapshot).toMatchObject({ status: "paid" });
    expect(opened()).toEqual(["D1", "D2", "D1"]);
  });

  it("a lost payment is settled once its terminal sends it again, but not by another payment [REST-129]", async () => {
    const { hub, till, again } = await open("B1", 1);
    await till.change({
      type: "ORDER_UPSERT",
      posReference: "B2",
      baseVersion: 0,
      snapshot: terminalSnapshot({ lines: [steak(1)] }),
    });
    const restore = await backUp(hub);
    const payment = pay("B1", 1, 100);
    const tender = {
      type: "ORDER_TENDER",
      tenderId: crypto.randomUUID(),
      posReference: "B2",
      methodId: 1,
      amount: 100,
    };
    await till.change(payment);
    await till.change(tender);
    await restore();
    expect([...(await lossesOf(hub)).keys()].toSorted()).toEqual(["B1", "B2"]);
    const back = await again();
    await back.change(payment);
    // The guest of the other check pays again.
    await back.change({ ...tender, tenderId: crypto.randomUUID() });
    expect([...(await lossesOf(hub)).keys()]).toEqual(["B2"]);
    expect((await operatorOf(hub)("losses", { query: { state: "settled" } })).body.losses).toMatchObject([
      { posReference: "B1", state: "taken_over", settled: { by: "hub" } },
    ]);
  });
});

describe("two restores in a row", () => {
  it("two restores in a row list the losses of each, and the payment among them is taken over [REST-138]", async () => {
    const { hub, till, again } = await open("A17", 1);
    const first = await backUp(hub);
    await till.change(pay("A17", 1, 100));
    await first();
    const second = await backUp(hub);
    const lines = [steak(1), steak(1, { id: "b" })];
    const edit = { type: "ORDER_UPSERT", posReference: "A17", baseVersion: 1, snapshot: terminalSnapshot({ lines }) };
    await (await again()).change(edit);
    await second();
    const { losses } = (await operatorOf(hub)("losses", { query: { state: "open", limit: 200 } })).body;
    expect(losses).toMatchObject([{ kind: "order_older" }, { kind: "order_paid" }]);
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({ takenOver: 2, refused: [] });
    expect((await orderOf(hub, "A17")).snapshot).toMatchObject({ status: "paid", payments: [{ amount: 100 }] });
  });

  it("two restores to ever older backups bill once what both histories had in common [REST-138]", async () => {
    const { hub, till, again } = await open("A19", 1);
    const older = await backUp(hub);
    const edit = (baseVersion: number, more: unknown[]) => {
      const snapshot = terminalSnapshot({ lines: [steak(2), ...more] });
      return { type: "ORDER_UPSERT", posReference: "A19", baseVersion, snapshot };
    };
    await till.change(edit(1, []));
    await till.change({ type: "ORDER_SEND", posReference: "A19" });
    const newer = await backUp(hub);
    await till.change(edit(3, [steak(1, { id: "b" })]));
    await newer();
    await (await again()).change(edit(3, [steak(1, { id: "c" })]));
    await older();
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({ takenOver: 2, refused: [] });
    const { lines, totals } = (await orderOf(hub, "A19")).snapshot;
    expect(Object.fromEntries(lines.map(({ id, quantity }) => [id, quantity]))).toEqual({ a: 2, b: 1, c: 1 });
    expect(totals.total).toBe(400);
  });

  it("a loss taken over between two restores is listed once and not billed twice [REST-138]", async () => {
    const { hub, till } = await open("A18", 1);
    const first = await backUp(hub);
    const lines = [steak(2), steak(1, { id: "b" })];
    const edit = { type: "ORDER_UPSERT", posReference: "A18", baseVersion: 1, snapshot: terminalSnapshot({ lines }) };
    await till.change(edit);
    await till.change({ type: "ORDER_SEND", posReference: "A18" });
    await first();
    const second = await backUp(hub);
    expect((await takeOver(hub, "A18")).status).toBe(200);
    const snapshotTakenOver = (await orderOf(hub, "A18")).snapshot;
    await second();
    const { losses } = (await operatorOf(hub)("losses", { query: { state: "open", limit: 200 } })).body;
    expect(losses).toMatchObject([{ posReference: "A18", kind: "order_older" }]);
    expect((await takeOver(hub, "A18")).status).toBe(200);
    expect((await orderOf(hub, "A18")).snapshot).toMatchObject({
      lines: snapshotTakenOver.lines,
      totals: snapshotTakenOver.totals,
    });
  });
});

describe("the kitchen's work after a restore", () => {
  it("a ticket sent after the backup of a paid check is listed as lost and taken over with its progress [REST-111]", async () => {
    const { hub, till } = await open("A2", 2);
    await till.change(pay("A2", 1, 200));
    const restore = await backUp(hub);
    await till.change({ type: "ORDER_SEND", posReference: "A2" });
    await till.change({ type: "KITCHEN_BUMP", posReference: "A2", lineId: "a", preparedQuantity: 1 });
    await restore();
    expect(await ticketsOf(hub)).toEqual([]);
    expect((await lossesOf(hub)).get("A2")).toMatchObject({ kind: "kitchen_work", canTakeOver: true });
    expect((await takeOver(hub, "A2")).status).toBe(200);
    expect(await ticketsOf(hub)).toMatchObject([{ posReference: "A2", lines: [{ quantity: 2, preparedQuantity: 1 }] }]);
    const { snapshot, forward } = await until("the booking of A2", async () => {
      const order = await orderOf(hub, "A2");
      return order.snapshot.status === "paid" ? null : order;
    });
    expect(snapshot).toMatchObject({ status: "closed", lines: [{ sentQuantity: 2, preparedQuantity: 1 }] });
    expect(forward).toMatchObject({ state: "done" });
  });

  it("lost kitchen work is listed from a terminal's offer after it was dismissed [REST-111]", async () => {
    const { hub, till } = await open("A3", 2);
    await till.change(pay("A3", 1, 200));
    const restore = await backUp(hub);
    await till.change({ type: "ORDER_SEND", posReference: "A3" });
    const order = await orderOf(hub, "A3");
    const { epoch } = till.hello;
    await restore();
    const dismissed = (await lossesOf(hub)).get("A3")?.lossId ?? "";
    await operatorOf(hub)("dismissLoss", { params: { lossId: dismissed }, body: {} });
    const back = await hub.terminal({ login: "cashier", deviceId: "till", caps: ["offers"] });
    const more = { ...order, version: order.version + 1 };
    const answer = await back.request({ type: "ORDER_OFFER", epoch, orders: [more] });
    expect(answer).toMatchObject({ type: "ORDER_OFFER_ACK", taken: 1 });
    expect((await lossesOf(hub)).get("A3")).toMatchObject({ kind: "kitchen_work" });
  });

  it("a lost serving mark of a dish is listed and taken over [REST-128]", async () => {
    const { hub, till } = await open("A8", 1);
    await till.change({ type: "ORDER_SEND", posReference: "A8" });
    await till.change(pay("A8", 2, 100));
    await till.change({ type: "KITCHEN_BUMP", posReference: "A8", lineId: "a", preparedQuantity: 1 });
    const kitchenTicketId = (await orderOf(hub, "A8")).snapshot.lines[0]?.kitchenTicketId;
    const restore = await backUp(hub);
    await till.change({ type: "KITCHEN_SERVED", kitchenTicketId });
    expect((await orderOf(hub, "A8")).snapshot.lines).toMatchObject([{ kitchenItemStatus: "served" }]);
    await restore();
    expect((await lossesOf(hub)).get("A8")).toMatchObject({ kind: "kitchen_work" });
    expect((await takeOver(hub, "A8")).status).toBe(200);
    expect((await orderOf(hub, "A8")).snapshot.lines).toMatchObject([{ kitchenItemStatus: "served" }]);
  });

  it("lost kitchen progress is taken over on the existing ticket [REST-112]", async () => {
    const { hub, till } = await open("A4", 4);
    await till.change({ type: "ORDER_SEND", posReference: "A4" });
    const restore = await backUp(hub);
    await till.change({ type: "KITCHEN_BUMP", posReference: "A4", lineId: "a", preparedQuantity: 4 });
    await restore();
    expect((await takeOver(hub, "A4")).status).toBe(200);
    expect((await orderOf(hub, "A4")).snapshot.lines).toMatchObject([{ sentQuantity: 4, preparedQuantity: 4 }]);
    const call = operatorOf(hub);
    expect((await call("kitchen")).body.tickets.flatMap((ticket: OperatorTicket) => ticket.lines)).not.toContainEqual(
      expect.objectContaining({ state: "unseen" }),
    );
  });
});

describe("a dish that was split or merged after the backup", () => {
  it("a dish split after the backup is billed and cooked once when all losses are taken over [REST-113]", async () => {
    const { hub, till } = await open("A5", 3);
    await till.change({ type: "ORDER_SEND", posReference: "A5" });
    const restore = await backUp(hub);
    const part = (lines: unknown[]) => terminalSnapshot({ lines });
    await till.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A5", baseVersion: 2, snapshot: part([steak(2)]) },
        { posReference: "B5", baseVersion: 0, snapshot: part([steak(1, { id: "b", splitOf: "a" })]) },
      ],
    });
    await restore();
    const { body } = await operatorOf(hub)("takeOverLosses", { body: {} });
    expect(body).toMatchObject({ takenOver: 2, refused: [] });
    const [a, b] = [await orderOf(hub, "A5"), await orderOf(hub, "B5")];
    expect([a, b].map(({ snapshot }) => snapshot.totals.total)).toEqual([200, 100]);
    expect([a, b].map(({ snapshot }) => snapshot.lines.map((line) => line.sentQuantity))).toEqual([[2], [1]]);
    const lines = (await ticketsOf(hub)).flatMap((ticket) => ticket.lines);
    expect(lines.map(({ quantity, cancelledQuantity }) => [quantity, cancelledQuantity])).toEqual([[3, 0]]);
  });

  it("a ready dish split off and discarded after the backup is no longer on its check [REST-113]", async () => {
    const { hub, till } = await open("A14", 2);
    await till.change({ type: "ORDER_SEND", posReference: "A14" });
    await till.change({ type: "KITCHEN_BUMP", posReference: "A14", lineId: "a", preparedQuantity: 2 });
    const restore = await backUp(hub);
    const { version } = await orderOf(hub, "A14");
    const part = (lines: unknown[]) => terminalSnapshot({ lines });
    await till.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A14", baseVersion: version, snapshot: part([steak(1)]) },
        { posReference: "B14", baseVersion: 0, snapshot: part([steak(1, { id: "b", splitOf: "a" })]) },
      ],
    });
    await till.change({ type: "ORDER_DISCARD", posReference: "B14", baseVersion: 1 });
    const before = (await orderOf(hub, "A14")).snapshot.lines;
    expect(before).toMatchObject([{ quantity: 1, sentQuantity: 1, preparedQuantity: 1 }]);
    await restore();
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({ refused: [] });
    expect((await orderOf(hub, "A14")).snapshot.lines).toMatchObject([
      { quantity: 1, sentQuantity: 1, preparedQuantity: 1 },
    ]);
  });

  it("a dish keeps its ticket when its check was merged after the backup [REST-113]", async () => {
    const { hub, till } = await open("A6", 2);
    await till.change({ type: "ORDER_SEND", posReference: "A6" });
    const other = terminalSnapshot({ lines: [steak(1, { id: "b" })] });
    await till.change({ type: "ORDER_UPSERT", posReference: "B6", baseVersion: 0, snapshot: other });
    const restore = await backUp(hub);
    const merged = terminalSnapshot({ lines: [steak(1, { id: "b" }), steak(2, { splitOf: undefined })] });
    await till.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A6", baseVersion: 2, snapshot: terminalSnapshot({ lines: [] }) },
        { posReference: "B6", baseVersion: 1, snapshot: merged },
      ],
    });
    await restore();
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toMatchObject({
      takenOver: 2,
      refused: [],
    });
    const lines = (await ticketsOf(hub)).flatMap((ticket) => ticket.lines);
    expect(lines.map(({ quantity, cancelledQuantity }) => [quantity, cancelledQuantity])).toEqual([[2, 0]]);
    expect((await orderOf(hub, "B6")).snapshot).toMatchObject({
      totals: { total: 300 },
      lines: [{ id: "b" }, { id: "a", sentQuantity: 2 }],
    });
  });

  it("a dish added before and after the restore is neither lost nor billed twice [REST-113]", async () => {
    const { hub, till, again } = await open("A7", 2);
    await till.change({ type: "ORDER_SEND", posReference: "A7" });
    const restore = await backUp(hub);
    const upsert = { type: "ORDER_UPSERT", posReference: "A7" };
    await till.change({ ...upsert, baseVersion: 2, snapshot: terminalSnapshot({ lines: [steak(3)] }) });
    await till.change({ type: "ORDER_SEND", posReference: "A7" });
    await restore();
    const back = await again();
    await back.change({ ...upsert, baseVersion: 2, snapshot: terminalSnapshot({ lines: [steak(4)] }) });
    await back.change({ type: "ORDER_SEND", posReference: "A7" });
    expect((await takeOver(hub, "A7")).status).toBe(200);
    const { snapshot } = await orderOf(hub, "A7");
    expect(snapshot).toMatchObject({ totals: { total: 500 }, lines: [{ quantity: 5, sentQuantity: 5 }] });
    const lines = (await ticketsOf(hub)).flatMap((ticket) => ticket.lines);
    expect(lines.reduce((sum, line) => sum + line.quantity - line.cancelledQuantity, 0)).toBe(5);
  });

  it("a dish voided in part after the restore is charged only for what is left [REST-113]", async () => {
    const { hub, till, again } = await open("A13", 2);
    await till.change({ type: "ORDER_SEND", posReference: "A13" });
    const restore = await backUp(hub);
    const upsert = { type: "ORDER_UPSERT", posReference: "A13" };
    await till.change({ ...upsert, baseVersion: 2, snapshot: terminalSnapshot({ lines: [steak(3)] }) });
    await till.change({ type: "ORDER_SEND", posReference: "A13" });
    await restore();
    const back = await again();
    await back.change({ ...upsert, baseVersion: 2, snapshot: terminalSnapshot({ lines: [steak(4)] }) });
    await back.change({ type: "ORDER_SEND", posReference: "A13" });
    const remaining = steak(4, { voidedQuantity: 1, total: 300 });
    const { version } = await orderOf(hub, "A13");
    await back.change({ ...upsert, baseVersion: version, snapshot: terminalSnapshot({ lines: [remaining] }) });
    expect((await takeOver(hub, "A13")).status).toBe(200);
    expect((await orderOf(hub, "A13")).snapshot).toMatchObject({ totals: { total: 400 }, lines: [{ quantity: 4 }] });
  });

  it("a void printed before the restore is not printed again when the check is taken over [PRINT-113]", async () => {
    const { hub, till, again } = await open("A7", 2);
    const call = operatorOf(hub);
    const printer = await call("addPrinter", { body: { name: "Cocina", address: "tcp://127.0.0.1:1" } });
    await call("setPrintRoutes", { body: { stations: { kitchen: [printer.body.id] } } });
    await till.change({ type: "ORDER_SEND", posReference: "A7" });
    const restore = await backUp(hub);
    const lines = [steak(2, { voidedQuantity: 1, voidReason: "cold", total: 100 })];
    const snapshot = terminalSnapshot({ lines });
    await till.change({ type: "ORDER_UPSERT", posReference: "A7", baseVersion: 2, snapshot });
    const voids = () => printJobs(hub).filter(({ text }) => text.includes("ANULADO")).length;
    expect(voids()).toBe(1);
    await restore();
    const before = voids();
    await (await again()).change({ type: "ORDER_UPSERT", posReference: "A8", baseVersion: 0, snapshot });
    expect((await takeOver(hub, "A7")).status).toBe(200);
    expect(await ticketsOf(hub)).toMatchObject([{ lines: [{ quantity: 2, cancelledQuantity: 1 }] }]);
    expect(voids()).toBe(before);
  });

  it.each([
    ["discarded", { type: "ORDER_DISCARD", posReference: "A18", baseVersion: 2, reason: "se fueron" }, ["ANULAR 2"]],
    ["paid", pay("A18", 2, 200), []],
  ])(
    "a dish void once its check is %s again is printed as cancelled at its station [PRINT-113]",
    async (_, ending, expected) => {
      const { hub, till, again } = await open("A18", 2);
      const call = operatorOf(hub);
      const printer = await call("addPrinter", { body: { name: "Cocina", address: "tcp://127.0.0.1:1" } });
      await call("setPrintRoutes", { body: { stations: { kitchen: [printer.body.id] } } });
      await till.change({ type: "ORDER_SEND", posReference: "A18" });
      const restore = await backUp(hub);
      await till.change(ending);
      const voids = () => printJobs(hub).flatMap(({ text }) => /ANULAR \d/.exec(text)?.[0] ?? []);
      expect(voids()).toEqual(expected);
      await restore();
      const back = await again();
      const snapshot = terminalSnapshot({ lines: [steak(2), { ...steak(1), id: "b" }] });
      await back.change({ type: "ORDER_UPSERT", posReference: "A18", baseVersion: 2, snapshot });
      await back.change({ type: "ORDER_SEND", posReference: "A18" });
      expect((await takeOver(hub, "A18")).status).toBe(200);
      expect(voids()).toEqual([...expected, "ANULAR 1"]);
    },
  );

  it("a void of another quantity under the same version is printed at its station [PRINT-113]", async () => {
    const { hub, till, again } = await open("A9", 2);
    const call = operatorOf(hub);
    const printer = await call("addPrinter", { body: { name: "Cocina", address: "tcp://127.0.0.1:1" } });
    await call("setPrintRoutes", { body: { stations: { kitchen: [printer.body.id] } } });
    await till.change({ type: "ORDER_SEND", posReference: "A9" });
    const restore = await backUp(hub);
    const voidOf = (voidedQuantity: number) => ({
      type: "ORDER_UPSERT",
      posReference: "A9",
      baseVersion: 2,
      snapshot: terminalSnapshot({ lines: [steak(2, { voidedQuantity, total: 200 - 100 * voidedQuantity })] }),
    });
    const voids = () => printJobs(hub).flatMap(({ text }) => /ANULAR \d/.exec(text)?.[0] ?? []);
    await till.change(voidOf(1));
    await restore();
    await (await again()).change(voidOf(2));
    expect(voids()).toEqual(["ANULAR 1", "ANULAR 2"]);
  });

  it("a dish whose terminal repeats its unanswered mutations is billed and cooked once [REST-136]", async () => {
    const { hub, till, again } = await open("A15", 2);
    const restore = await backUp(hub);
    const upsert = { type: "ORDER_UPSERT", posReference: "A15", baseVersion: 1 };
    const lines = [steak(2), steak(1, { id: "b" })];
    const sent = [
      { ...upsert, snapshot: terminalSnapshot({ lines }), mutationId: crypto.randomUUID() },
      { type: "ORDER_SEND", posReference: "A15", mutationId: crypto.randomUUID() },
    ];
    for (const mutation of sent) await till.change(mutation);
    await restore();
    const back = await again();
    for (const mutation of sent) await back.change(mutation);
    expect((await takeOver(hub, "A15")).status).toBe(200);
    expect((await orderOf(hub, "A15")).snapshot).toMatchObject({
      status: "sent",
      totals: { total: 300 },
      lines: [
        { id: "a", quantity: 2, sentQuantity: 2 },
        { id: "b", quantity: 1, sentQuantity: 1 },
      ],
    });
    const dishes = (await ticketsOf(hub)).flatMap((ticket) => ticket.lines);
    expect(dishes.map(({ lineId, quantity, cancelledQuantity }) => [lineId, quantity, cancelledQuantity])).toEqual([
      ["a", 2, 0],
      ["b", 1, 0],
    ]);
  });

  it("a line added after the restore is kept when the clock was put back [REST-137]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ env, world: clock.world });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const upsert = { type: "ORDER_UPSERT", posReference: "A16" };
    await till.change({ ...upsert, baseVersion: 0, snapshot: terminalSnapshot({ lines: [steak(1)] }) });
    const restore = await backUp(hub);
    await till.change({ ...upsert, baseVersion: 1, snapshot: terminalSnapshot({ lines: [steak(2)] }) });
    await restore();
    clock.jumpWall(-6 * 3_600_000);
    const back = await hub.terminal({ login: "cashier", deviceId: "till" });
    const lines = [steak(1), steak(1, { id: "b" })];
    await back.change({ ...upsert, baseVersion: 1, snapshot: terminalSnapshot({ lines }) });
    expect((await takeOver(hub, "A16")).status).toBe(200);
    expect((await orderOf(hub, "A16")).snapshot).toMatchObject({
      totals: { total: 300 },
      lines: [{ id: "a", quantity: 2 }, { id: "b" }],
    });
  });
});
