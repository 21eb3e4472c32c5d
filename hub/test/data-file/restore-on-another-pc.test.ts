import { describe, expect, it, onTestFinished } from "vitest";
import type { Feed, OperatorTicket, PrintJob, StoredOrder } from "@comanda/protocol";
import { startFakePrinter } from "../fake-printer/fake-printer.ts";
import { givePrinters, printJobs } from "../kitchen/printed.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { moveHub } from "./move-hub.ts";
import { operatorOf } from "../support/operator.ts";
import { backUp, lossesOf, takeOver } from "./restore-steps.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const at = (): string => new Date().toISOString();
const caps = ["offers", "proposals"];
const steaks = (quantity: number, overrides: object = {}) => {
  return { id: "a", productId: 101, quantity, unitPrice: 100, total: 100 * quantity, ...overrides };
};

/** Starts a hub with a terminal that writes checks under unique names. */
async function start(name: string, env: Record<string, string> = {}) {
  const hub = await startTestHub({ env });
  const till = await hub.terminal({ login: "cashier", deviceId: "till" });
  const run = `${name}-${process.hrtime.bigint()}`;
  const [a, b] = [`${run}-A`, `${run}-B`];
  const upsert = (posReference: string, lines: unknown[], baseVersion = 0) =>
    till.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot: terminalSnapshot({ lines }) });
  const { epoch, hubId } = till.hello;
  /** Reconnects a terminal and sends an ORDER_OFFER with the epoch that the first terminal got. */
  async function offer(deviceId: string, fields: { orders?: StoredOrder[]; removed?: object[] }, former = {}) {
    const back = await hub.terminal({ login: "waiter", deviceId, caps });
    return back.request({ type: "ORDER_OFFER", epoch, orders: [], ...former, ...fields });
  }
  const backup = async (): Promise<string> => (await operatorOf(hub)("makeBackup")).body.backup.name;
  return { hub, till, a, b, upsert, offer, backup, hubId };
}

async function orderOf(hub: TestHub, posReference: string): Promise<StoredOrder> {
  return (await operatorOf(hub)("order", { params: { posReference } })).body.order;
}

async function isRemoved(hub: TestHub, posReference: string): Promise<boolean> {
  return (await operatorOf(hub)("order", { params: { posReference } })).body.removed;
}

const payment = (posReference: string, baseVersion: number, amount: number) => {
  const payments = [{ methodId: 1, amount }];
  return { type: "ORDER_PAY", paymentId: crypto.randomUUID(), posReference, baseVersion, payments };
};

const ticketLines = async (hub: TestHub) =>
  ((await operatorOf(hub)("kitchen")).body.tickets as OperatorTicket[]).flatMap(({ lines }) => lines);

/** Returns the print entries of the screens' feed. */
async function printFeed(hub: TestHub) {
  const { entries } = (await operatorOf(hub)("feed")).body as Feed;
  return entries.filter(({ kind }) => kind.startsWith("print_")).map(({ kind, detail }) => ({ kind, detail }));
}

describe("a check removed after the backup, on another PC ", () => {
  it("a check that a terminal reports as discarded is listed, and discarded when taken over [REST-120]", async () => {
    const { hub, a, upsert, till, offer, backup } = await start("REST-120");
    await upsert(a, [steaks(1)]);
    const backupName = await backup();
    await till.change({ type: "ORDER_DISCARD", posReference: a, baseVersion: 1 });
    await moveHub(hub, backupName);
    expect(await offer("tablet", { removed: [{ posReference: a, version: 2, at: at() }] })).toMatchObject({ taken: 1 });
    expect(await isRemoved(hub, a)).toBe(false);
    expect((await lossesOf(hub)).get(a)).toMatchObject({
      kind: "order_discarded",
      known: { version: 2 },
      sources: ["terminal:tablet"],
      canTakeOver: true,
    });
    expect((await takeOver(hub, a)).status).toBe(200);
    expect(await isRemoved(hub, a)).toBe(true);
    expect(await offer("tablet", { removed: [{ posReference: a, version: 2, at: at() }] })).toMatchObject({ taken: 0 });
  });

  it("a check merged after the backup is closed into its targets, which bill its lines once [REST-121]", async () => {
    const { hub, a, b, upsert, till, offer, backup } = await start("REST-121");
    await upsert(a, [steaks(2)]);
    await till.change({ type: "ORDER_SEND", posReference: a });
    await upsert(b, [steaks(1, { id: "b" })]);
    const backupName = await backup();
    const merged = terminalSnapshot({ lines: [steaks(1, { id: "b" }), steaks(2)] });
    const orders = [
      { posReference: a, baseVersion: 2, snapshot: terminalSnapshot({ lines: [] }) },
      { posReference: b, baseVersion: 1, snapshot: merged },
    ];
    await till.change({ type: "ORDER_BATCH", orders });
    const offered = await orderOf(hub, b);
    await moveHub(hub, backupName);
    await offer("tablet", { orders: [offered], removed: [{ posReference: a, version: 3, mergedInto: [b], at: at() }] });
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "order_merged", mergedInto: [b], canTakeOver: true });
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toEqual({ takenOver: 2, refused: [] });
    expect(await isRemoved(hub, a)).toBe(true);
    expect((await orderOf(hub, b)).snapshot).toMatchObject({
      totals: { total: 300 },
      lines: [{}, { sentQuantity: 2 }],
    });
    expect(await ticketLines(hub)).toMatchObject([{ quantity: 2, cancelledQuantity: 0 }]);
  });

  it("a check merged into checks that are themselves removed is closed [REST-121]", async () => {
    const { hub, a, b, upsert, offer, backup } = await start("REST-121");
    await upsert(a, [steaks(2)]);
    await moveHub(hub, await backup());
    const merged = { posReference: a, version: 2, mergedInto: [b], at: at() };
    await offer("tablet", { removed: [{ posReference: b, version: 3, at: at() }, merged] });
    expect((await takeOver(hub, a)).status).toBe(200);
    expect(await isRemoved(hub, a)).toBe(true);
  });

  it("a check merged into unknown checks stays open [REST-121]", async () => {
    const { hub, a, upsert, offer, backup } = await start("REST-121");
    await upsert(a, [steaks(2)]);
    await moveHub(hub, await backup());
    await offer("tablet", { removed: [{ posReference: a, version: 2, mergedInto: ["nobody knows"], at: at() }] });
    expect(await takeOver(hub, a)).toMatchObject({ status: 404, body: { reason: "merge_target_missing" } });
    expect((await orderOf(hub, a)).snapshot.status).toBe("open");
  });

  it("a check opened and discarded after the backup is listed only once a terminal offers its content [REST-122]", async () => {
    const { hub, a, upsert, offer, backup } = await start("REST-122");
    const backupName = await backup();
    await upsert(a, [steaks(1)]);
    const offered = await orderOf(hub, a);
    await moveHub(hub, backupName);
    expect(await offer("tablet", { removed: [{ posReference: a, version: 2, at: at() }] })).toMatchObject({ taken: 0 });
    expect((await operatorOf(hub)("losses")).body).toMatchObject({ open: 0, losses: [] });
    expect((await lossesOf(hub, "settled")).size).toBe(0);
    await hub.restart();
    expect(await offer("late", { orders: [offered] })).toMatchObject({ taken: 1 });
    expect((await lossesOf(hub)).get(a)).toMatchObject({
      kind: "order_discarded",
      known: { version: 2, total: 100 },
      present: null,
      sources: ["terminal:tablet", "terminal:late"],
      canTakeOver: true,
    });
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toEqual({ takenOver: 1, refused: [] });
    expect((await operatorOf(hub)("orders", { query: { status: "all", search: a } })).body.orders).toEqual([]);
  });

  it("a check opened and discarded after the backup is listed in either order of the two terminals [REST-122]", async () => {
    const { hub, a, upsert, offer, backup } = await start("REST-122");
    const backupName = await backup();
    await upsert(a, [steaks(1)]);
    const offered = await orderOf(hub, a);
    await moveHub(hub, backupName);
    await offer("late", { orders: [offered] });
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "order_missing" });
    await offer("tablet", { removed: [{ posReference: a, version: 2, at: at() }] });
    expect((await lossesOf(hub)).get(a)).toMatchObject({
      kind: "order_discarded",
      sources: ["terminal:late", "terminal:tablet"],
    });
    await offer("late", { orders: [offered] });
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "order_discarded" });
  });
});

describe("a check paid in the back-office, on another PC ", () => {
  it("a check closed by the back-office gets payments and lines from a terminal, and is booked once [REST-123]", async () => {
    const { hub, a, upsert, till, offer, backup } = await start("REST-123");
    await upsert(a, [steaks(1)]);
    const backupName = await backup();
    await upsert(a, [steaks(1), steaks(2, { id: "b" })], 1);
    await till.change(payment(a, 2, 300));
    const offered = await until("closed", async () => {
      const order = await orderOf(hub, a);
      return order.snapshot.status === "closed" && order;
    });
    await moveHub(hub, backupName);
    await until("the back-office's word", async () => (await operatorOf(hub)("losses")).body.unasked === 0);
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "closed_by_back_office", backOffice: { total: 300 } });
    expect((await orderOf(hub, a)).snapshot).toMatchObject({ status: "closed", totals: { total: 100 } });
    expect(await offer("tablet", { orders: [offered] })).toMatchObject({ taken: 1 });
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "order_paid", canTakeOver: true });
    expect((await takeOver(hub, a)).status).toBe(200);
    await until("closed again", async () => (await orderOf(hub, a)).snapshot.status === "closed");
    const { lines, payments, totals } = (await orderOf(hub, a)).snapshot;
    expect([lines.length, payments, totals.total]).toMatchObject([2, [{ methodId: 1, amount: 300 }], 300]);
    const { orders } = (await hub.backOffice.control("GET", "/orders")) as { orders: { posReference: string }[] };
    expect(orders.filter(({ posReference }) => posReference === a)).toHaveLength(1);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ pendingForward: 0, reasons: [] });
    expect((await operatorOf(hub)("closing")).body.totals).toMatchObject({ paidOrders: 1, paidAmount: 300 });
  });

  it("a check paid in another way after the restore is listed as a payment that cannot be taken over [REST-124]", async () => {
    const { hub, a, upsert, till, offer, backup } = await start("REST-124");
    await hub.backOffice.control("POST", "/faults", {
      faults: ["*/hub/batch-sync", "*/hub/finalize", "*/hub/lookup"].map((path) => {
        return { path, action: "status", status: 503, body: {} };
      }),
    });
    await upsert(a, [steaks(1)]);
    const backupName = await backup();
    await till.change(payment(a, 1, 100));
    const offered = await orderOf(hub, a);
    await moveHub(hub, backupName);
    const other = await hub.terminal({ login: "cashier", deviceId: "till" });
    await other.change({ ...payment(a, 1, 100), payments: [{ methodId: 2, amount: 100 }] });
    expect(await offer("tablet", { orders: [offered] })).toMatchObject({ taken: 1 });
    expect((await lossesOf(hub)).get(a)).toMatchObject({ kind: "order_paid", canTakeOver: false });
  });
});

describe("closed checks of another hub ", () => {
  it("a closed check of another hub is listed while the kitchen has work or another terminal has it open [REST-125]", async () => {
    const { hub, a, b, upsert, till, offer, hubId } = await start("REST-125");
    for (const posReference of [a, b]) await upsert(posReference, [steaks(2)]);
    const open = await orderOf(hub, b);
    await till.change({ type: "ORDER_SEND", posReference: a });
    await till.change(payment(a, 2, 200));
    await till.change(payment(b, 1, 200));
    const closed = await until("both are closed", async () => {
      const orders = [await orderOf(hub, a), await orderOf(hub, b)];
      return orders.every(({ snapshot }) => snapshot.status === "closed") && orders;
    });
    await moveHub(hub, null);
    expect(await offer("tablet", { orders: closed }, { hubId })).toMatchObject({ taken: 1 });
    expect([...(await lossesOf(hub)).values()]).toMatchObject([{ kind: "order_paid", posReference: a }]);
    expect(await offer("late", { orders: [open] }, { hubId })).toMatchObject({ taken: 1 });
    expect((await lossesOf(hub)).get(b)).toMatchObject({ kind: "order_paid", known: { status: "closed" } });
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body).toEqual({ takenOver: 2, refused: [] });
    expect(await ticketLines(hub)).toMatchObject([{ quantity: 2, preparedQuantity: 0 }]);
    await until("known to the back-office", async () => (await orderOf(hub, b)).snapshot.status === "closed");
  });
});

describe("a part split off and discarded after the backup ", () => {
  it("a part split off and discarded after the backup is not counted as sent on its old check [REST-127]", async () => {
    const { hub, a, b, upsert, till } = await start("REST-127");
    await upsert(a, [steaks(3)]);
    await till.change({ type: "ORDER_SEND", posReference: a });
    const restore = await backUp(hub);
    const part = terminalSnapshot({ lines: [steaks(1, { id: "b", splitOf: "a" })] });
    const orders = [
      { posReference: a, baseVersion: 2, snapshot: terminalSnapshot({ lines: [steaks(2)] }) },
      { posReference: b, baseVersion: 0, snapshot: part },
    ];
    await till.change({ type: "ORDER_BATCH", orders });
    await till.change({ type: "ORDER_DISCARD", posReference: b, baseVersion: 1 });
    await restore();
    expect((await operatorOf(hub)("takeOverLosses", { body: {} })).body.refused).toEqual([]);
    expect((await orderOf(hub, a)).snapshot.lines).toMatchObject([{ quantity: 2, sentQuantity: 2 }]);
    expect(await ticketLines(hub)).toMatchObject([{ quantity: 3, cancelledQuantity: 1 }]);
  });
});

describe("slips of a paper-only kitchen, on another PC ", () => {
  it("slips already printed stay on paper after a move, and unprinted ones wait for a decision [PRINT-488]", async () => {
    const printer = await startFakePrinter();
    onTestFinished(printer.stop);
    const { hub, a, b, offer, backup } = await start("PRINT-488");
    const routes = { stations: { kitchen: ["cocina"] }, paperOnly: ["kitchen"] };
    await givePrinters(hub, { cocina: printer.address }, routes);
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const { epoch } = till.hello;
    const send = async (posReference: string) => {
      const snapshot = terminalSnapshot({ lines: [steaks(1)] });
      await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
      await till.change({ type: "ORDER_SEND", posReference });
    };
    const kitchenStatusOf = async (posReference: string) =>
      (await orderOf(hub, posReference)).snapshot.lines[0]?.kitchenItemStatus;
    const backupName = await backup();
    await send(a);
    await until("it is on paper", async () => (await kitchenStatusOf(a)) === "on_paper");
    printer.faults.paper = "out";
    await send(b);
    const orders = [await orderOf(hub, a), await orderOf(hub, b)];
    await moveHub(hub, backupName);
    printer.mend();
    expect(await offer("tablet", { orders }, { epoch })).toMatchObject({ taken: 2 });
    for (const posReference of [a, b]) expect((await takeOver(hub, posReference)).status).toBe(200);
    expect([await kitchenStatusOf(a), await kitchenStatusOf(b)]).toEqual(["on_paper", "pending"]);
    const call = operatorOf(hub);
    const listed = async (query: Record<string, string>) =>
      (await call("printJobs", { query })).body.jobs as PrintJob[];
    const unresolved = await listed({ open: "true" });
    expect(unresolved).toMatchObject([{ posReference: b, state: "unknown", error: "restored" }]);
    for (const { id } of await listed({})) await call("printAgain", { params: { jobId: id } });
    await until("the copies", () => printer.papers().length === 3);
    const copies = printer.papers().map(({ lines }) => lines.some(({ text }) => text.includes("COPIA 1")));
    expect(copies).toEqual([false, true, true]);
    await until("the other is on paper", async () => (await kitchenStatusOf(b)) === "on_paper");
    expect(await listed({ open: "true" })).toEqual([]);
    expect(await printFeed(hub)).toEqual([{ kind: "print_unknown", detail: { text: "cocina", posReference: b } }]);
  });
});

it("slips that a former hub sent to the kitchen are not printed again [PRINT-488]", async () => {
  const stations = [
    { id: "hot", name: "Caliente", categoryIds: [], productIds: [101] },
    { id: "bar", name: "Barra", categoryIds: [], productIds: [102] },
  ];
  const env = { HUB_STATIONS: JSON.stringify(stations), HUB_PRINT_UNSEEN_MS: "200" };
  const { hub, a, b, till, upsert, offer, hubId } = await start("PRINT-488", env);
  await upsert(a, [steaks(1)]);
  await till.change({ type: "ORDER_SEND", posReference: a });
  const sent = await orderOf(hub, a);
  await moveHub(hub, null);
  await givePrinters(hub, ["cocina", "caja"], { stations: { hot: ["cocina"] }, fallback: "caja" });
  expect(await offer("tablet", { orders: [sent] }, { hubId })).toMatchObject({ taken: 1 });
  expect((await takeOver(hub, a)).status).toBe(200);
  const waiter = await hub.terminal({ login: "cashier", deviceId: "other" });
  const snapshot = terminalSnapshot({ lines: [steaks(1, { productId: 102 })] });
  await waiter.change({ type: "ORDER_UPSERT", posReference: b, baseVersion: 0, snapshot });
  await waiter.change({ type: "ORDER_SEND", posReference: b });
  await until("what nobody has seen comes out", () => printJobs(hub).some(({ printerId }) => printerId === "caja"));
  expect(printJobs(hub)).toMatchObject([
    { printerId: "cocina", state: "unknown" },
    { printerId: "caja", state: "waiting" },
  ]);
  expect((await operatorOf(hub)("printJobs", { query: { open: "true" } })).body.jobs).toEqual([]);
  expect(await printFeed(hub)).toEqual([]);
});
