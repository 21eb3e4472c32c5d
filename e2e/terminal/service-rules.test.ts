import { join } from "node:path";
import { addLine, type Terminal } from "@comanda/terminal";
import { openSqliteStorage } from "@comanda/terminal/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { startWire, type Wire } from "../support/wire.ts";

const CASH = 1;
const CARD = 2;

let restaurant: Restaurant;
const wires: Wire[] = [];
beforeAll(async () => {
  restaurant = await openRestaurant({ HUB_HEARTBEAT_MS: "1000", HUB_GRACE_MS: "500" });
});
afterEach(async () => {
  await Promise.all(wires.splice(0).map((wire) => wire.close()));
});
afterAll(() => restaurant?.close());

let names = 0;
const fresh = (prefix: string) => `${prefix}-${(names += 1)}`;

async function startTerminal(options: Parameters<Restaurant["terminal"]>[1] = {}) {
  const terminal = await restaurant.terminal(fresh("s"), options);
  await online(terminal);
  return terminal;
}

async function wireToHub(): Promise<Wire> {
  const wire = await startWire(restaurant.hubSocketUrl);
  wires.push(wire);
  return wire;
}

/** A terminal that is cut off from the hub until the answer is called. */
async function startOffline() {
  const wire = await wireToHub();
  const terminal = await startTerminal({ url: wire.url });
  const goAway = (): void => {
    wire.fromTerminal = () => "cut";
    wire.cut();
  };
  goAway();
  await eventually(() => terminal.connection().name).not.toBe("online");
  return {
    terminal,
    goAway,
    comeBack(): void {
      wire.fromTerminal = () => "pass";
    },
  };
}

interface KeptPayment {
  paymentId: string;
  posReference: string;
}

async function manager(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(new URL(`/operator/v1/${path}`, restaurant.hubUrl), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${await restaurant.token("manager")}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return answer.json();
}

/** The payments that the hub has kept for a manager, of one check. */
async function kept(posReference: string): Promise<KeptPayment[]> {
  const { payments } = (await manager("payments")) as { payments: KeptPayment[] };
  return payments.filter((payment) => payment.posReference === posReference);
}

const statusOf = (terminal: Terminal, posReference: string) => terminal.order(posReference)?.snapshot.status;

describe("a payment whose check has changed", () => {
  /** Two terminals, a check of 850, and a refused payment of it: the check has changed to `total`. */
  async function payOutdated(total: number) {
    const { terminal: till, goAway, comeBack } = await startOffline();
    comeBack();
    const waiter = await startTerminal();
    await eventually(() => till.connection().name).toBe("online");
    const { posReference, ...content } = newOrder(fresh("POS/P"), [lineOf("dinner", 850)], 11);
    till.openOrder({ posReference, ...content, orderType: "takeout", tableId: null });
    await till.idle();
    await eventually(() => waiter.order(posReference)?.version).toBe(1);
    goAway();
    await eventually(() => till.connection().name).not.toBe("online");
    const payment = till.pay(posReference, {
      payments: [{ methodId: CASH, amount: 850, tendered: 1_000, change: 150 }],
    });
    waiter.editOrder(posReference, ({ lines: _, ...rest }) => addLine({ ...rest, lines: [] }, lineOf("dinner", total)));
    await waiter.idle();
    comeBack();
    const outcome = await payment.outcome;
    expect(outcome).toMatchObject({ state: "refused", conflict: { intent: { type: "ORDER_PAY" } } });
    expect(await kept(posReference)).toHaveLength(1);
    return { till, waiter, posReference, id: payment.id };
  }

  it("[CLIENT-130] is applied as a part in one step, which settles what the hub kept of it", async () => {
    const { till, waiter, posReference, id } = await payOutdated(900);
    const applied = till.applyAsPart(id);
    expect([applied.collect, applied.giveBack]).toEqual([50, 0]);
    await till.idle();
    expect([till.conflicts(), await kept(posReference)]).toEqual([[], []]);
    await eventually(() => waiter.order(posReference)?.snapshot.tenders).toMatchObject([{ amount: 850, change: 150 }]);
    till.tender(posReference, { methodId: CARD, amount: 50 });
    await till.idle();
    await eventually(() => statusOf(waiter, posReference)).toBe("paid");
  });

  it("[CLIENT-130] pays a check that has become cheaper, and says what to give back", async () => {
    const { till, waiter, posReference, id } = await payOutdated(800);
    const applied = till.applyAsPart(id);
    expect([applied.collect, applied.giveBack]).toEqual([0, 50]);
    await till.idle();
    await eventually(() => waiter.order(posReference)?.snapshot).toMatchObject({
      status: "paid",
      payments: [{ amount: 800, tendered: 1_000, change: 200 }],
    });
    expect(await kept(posReference)).toEqual([]);
  });

  it("[CLIENT-131] is given back in one step, which settles what the hub kept of it", async () => {
    const { till, posReference, id } = await payOutdated(900);
    till.giveBack(id, "the guests pay later");
    await till.idle();
    expect([till.conflicts(), await kept(posReference), statusOf(till, posReference)]).toEqual([[], [], "open"]);
  });
});

describe("a sale that was made and paid while away", () => {
  it("[CLIENT-114] [CLIENT-115] reaches the hub while the session is closed, and leaves the outbox when a manager applies it", async () => {
    const { terminal: till, goAway, comeBack } = await startOffline();
    const { posReference } = newOrder(fresh("POS/O"), []);
    till.openOrder({ posReference, orderType: "takeout", lines: [lineOf("dinner", 850)] });
    till.editOrder(posReference, (content) => addLine(content, lineOf("wine", 150)));
    till.pay(posReference, { payments: [{ methodId: CASH, amount: 1_000 }] });
    expect(till.outbox()).toMatchObject({ pending: 3, payments: 1, amount: 1_000 });
    await restaurant.stub("/stub/v1/session", setSession(false));
    comeBack();
    await eventually(() => till.session()?.active).toBe(false);
    await expect.poll(async () => (await kept(posReference)).length, { timeout: 15_000 }).toBe(1);
    expect(till.outbox()).toMatchObject({ pending: 3, payments: 0, amount: 0 });
    goAway();
    const [{ paymentId } = { paymentId: "" }] = await kept(posReference);
    await restaurant.stub("/stub/v1/session", setSession(true));
    const watcher = await startTerminal();
    await eventually(() => watcher.session()?.active).toBe(true);
    await manager(`payments/${paymentId}/apply`, {});
    await eventually(() => statusOf(watcher, posReference)).toMatch(/paid|closed/);
    comeBack();
    await eventually(() => till.outbox().pending).toBe(0);
    expect(till.conflicts()).toEqual([]);
    expect(watcher.order(posReference)?.snapshot.totals.total).toBe(1_000);
  });

  const setSession = (open: boolean) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ open }),
  });
});

describe("a table that has a check already", () => {
  it("[CLIENT-116] [CLIENT-132] gets a second check from a terminal that was away, which is merged in one step or kept", async () => {
    for (const decision of ["merge", "keep"] as const) {
      const { terminal: mine, comeBack } = await startOffline();
      const other = await startTerminal();
      const tableId = decision === "merge" ? 21 : 22;
      const first = newOrder(fresh("POS/T"), [lineOf(fresh("soup"), 350)], tableId);
      other.openOrder(first);
      await other.idle();
      const second = newOrder(fresh("POS/T"), [lineOf(fresh("beer"), 200)], tableId);
      mine.openOrder(second);
      comeBack();
      await eventually(() => mine.conflicts().length).toBe(1);
      const [notice] = mine.conflicts();
      expect(notice).toMatchObject({
        isNotice: true,
        refusal: { errorCode: "TABLE_OCCUPIED", existing: { posReference: first.posReference } },
      });
      await eventually(() => other.order(second.posReference)?.version).toBe(1);
      if (decision === "merge") mine.mergeWithExisting(notice?.id ?? "");
      else expect(mine.keepBoth(notice?.id ?? "")).toBeNull();
      await mine.idle();
      await eventually(() => mine.conflicts()).toEqual([]);
      const total = decision === "merge" ? 550 : 350;
      await eventually(() => other.order(first.posReference)?.snapshot.totals.total).toBe(total);
      await eventually(() => other.order(second.posReference) === undefined).toBe(decision === "merge");
    }
  });

  it("[CLIENT-132] refuses a second check that was opened online, whose lines then go to the first in one step", async () => {
    const [mine, other] = [await startTerminal(), await startTerminal({ login: "cashier" })];
    const first = newOrder(fresh("POS/T"), [lineOf(fresh("soup"), 350)], 23);
    other.openOrder(first);
    await other.idle();
    await eventually(() => mine.order(first.posReference)?.version).toBe(1);
    const second = newOrder(fresh("POS/T"), [lineOf(fresh("beer"), 200)], 23);
    const opened = mine.openOrder(second);
    mine.editOrder(second.posReference, (content) => addLine(content, lineOf(fresh("wine"), 100)));
    mine.sendToKitchen(second.posReference);
    expect(await opened.outcome).toMatchObject({
      state: "refused",
      conflict: { refusal: { existing: { posReference: first.posReference } } },
    });
    mine.mergeWithExisting(opened.id);
    await mine.idle();
    expect([mine.conflicts(), mine.outbox().pending, mine.order(second.posReference)]).toEqual([[], 0, undefined]);
    await eventually(() => other.order(first.posReference)?.snapshot).toMatchObject({
      status: "sent",
      totals: { total: 650 },
    });

    const third = mine.openOrder({ ...second, posReference: fresh("POS/T") });
    await third.outcome;
    await mine.keepBoth(third.id)?.outcome;
    await mine.idle();
    expect(mine.conflicts()).toEqual([]);
  });

  it("[CLIENT-124] [CLIENT-125] splits, parts and merges checks so that the totals of all terminals add up", async () => {
    const [mine, other] = [await startTerminal(), await startTerminal()];
    const order = newOrder(fresh("POS/T"), [lineOf("wine", 100.05, { quantity: 3 }), lineOf("soup", 350)], 24);
    const second = fresh("POS/T");
    mine.openOrder(order);
    mine.sendToKitchen(order.posReference);
    mine.moveLines(order.posReference, second, [{ lineId: "wine", quantity: 1 }]);
    mine.splitLine(order.posReference, "wine", 1);
    await mine.idle();
    await eventually(() => other.order(second)?.snapshot).toMatchObject({ tableId: 24, totals: { total: 33.35 } });
    expect(other.order(order.posReference)?.snapshot.totals.total).toBe(416.7);
    mine.mergeOrders([second], order.posReference);
    mine.joinTables(order.posReference, [24, 25]);
    mine.handOver(order.posReference, "Luis");
    await mine.idle();
    expect(mine.conflicts()).toEqual([]);
    await eventually(() => other.order(second)).toBeUndefined();
    await eventually(() => other.order(order.posReference)?.snapshot).toMatchObject({
      staffName: "Luis",
      tableIds: [24, 25],
      totals: { total: 450.05 },
    });
    mine.moveToTable(order.posReference, 26);
    await mine.idle();
    await eventually(() => other.order(order.posReference)?.tableId).toBe(26);
  });
});

describe("the kitchen", () => {
  it("[CLIENT-118] [CLIENT-119] follows a ticket from the send to the pass, after the check was paid", async () => {
    const [till, kitchen] = [await startTerminal({ login: "cashier" }), await startTerminal()];
    const order = newOrder(fresh("POS/K"), [lineOf("soup", 350, { quantity: 2 })], 13);
    till.openOrder(order);
    till.pay(order.posReference, { payments: [{ methodId: CASH, amount: 350 }] });
    till.sendToKitchen(order.posReference);
    await till.idle();
    const ofOrder = () => kitchen.tickets().filter(({ posReference }) => posReference === order.posReference);
    await eventually(() => ofOrder().length).toBe(1);
    const [{ id = "" } = {}] = ofOrder();
    const changed: string[] = [];
    kitchen.on("tickets", (ids) => changed.push(...ids));
    kitchen.kitchenSeen(id, "grill");
    expect([kitchen.ticket(id)?.lines[0]?.state, changed]).toEqual(["seen", [id]]);
    kitchen.bump({ kitchenTicketId: id }, "soup", 1);
    expect(kitchen.ticket(id)?.lines[0]?.state).toBe("started");
    kitchen.bump({ kitchenTicketId: id }, "soup", 2);
    expect([ofOrder(), kitchen.recentTickets()[0]?.id]).toEqual([[], id]);
    await kitchen.idle();
    expect([kitchen.conflicts(), ofOrder(), kitchen.ticket(id)?.isOver]).toEqual([[], [], true]);
    kitchen.bump({ kitchenTicketId: id }, "soup", 1);
    await kitchen.idle();
    await eventually(() => till.ticket(id)).toMatchObject({ isOver: false, lines: [{ state: "started" }] });
    kitchen.bump({ kitchenTicketId: id }, "soup", 2);
    kitchen.served(id);
    await kitchen.idle();
    await eventually(() => till.ticket(id)).toMatchObject({ isOver: true, lines: [{ state: "served" }] });
    const late = await startTerminal();
    expect([late.tickets().some((ticket) => ticket.id === id), statusOf(late, order.posReference)]).toEqual([
      false,
      expect.stringMatching(/paid|closed/),
    ]);
  });

  it("[CLIENT-133] takes lines back while nobody has seen them, and voids them afterwards", async () => {
    const waiter = await startTerminal({ login: "waiter" });
    const order = newOrder(fresh("POS/K"), [lineOf("soup", 350), lineOf("beer", 600, { quantity: 3 })], 14);
    waiter.openOrder(order);
    waiter.sendToKitchen(order.posReference);
    await waiter.idle();
    await eventually(() => waiter.takeBackLeftMs(order.posReference, "soup")).toBeGreaterThan(0);
    waiter.takeBack(order.posReference, [{ lineId: "soup" }, { lineId: "beer", quantity: 1 }]);
    await waiter.idle();
    expect(waiter.conflicts()).toEqual([]);
    expect(waiter.order(order.posReference)?.snapshot.totals.total).toBe(200);
    expect(waiter.takeBackLeftMs(order.posReference, "soup")).toBe(0);
    const cashier = await startTerminal({ login: "cashier" });
    cashier.voidLine(order.posReference, "beer", { reason: "spilled" });
    await cashier.idle();
    await eventually(() => waiter.order(order.posReference)?.snapshot).toMatchObject({
      lines: [{ id: "beer", voided: true, voidReason: "spilled" }],
      totals: { total: 0 },
    });
  });
});

describe("a terminal that starts while the hub is away", () => {
  it("[CLIENT-121] shows what it knew, as of a time, and then gets what has changed since", async () => {
    const path = join(restaurant.folder, "cached.sqlite");
    const deviceId = fresh("s");
    const before = await restaurant.terminal(deviceId, { storage: openSqliteStorage(path) });
    await online(before);
    const order = newOrder(fresh("POS/R"), [lineOf("soup", 350)], 12);
    before.openOrder(order);
    await before.idle();
    const shown = before.order(order.posReference);
    await before.stop();

    const wire = await wireToHub();
    wire.fromTerminal = () => "cut";
    const after = await restaurant.terminal(deviceId, { storage: openSqliteStorage(path), url: wire.url });
    expect(after.connection().name).toBe("stopped");
    expect(after.order(order.posReference)).toEqual(shown);
    expect(after.tables().find(({ tableId }) => tableId === 12)?.status).toBe("occupied");
    expect([after.asOf(), after.session()?.active]).toEqual([expect.stringMatching(/^20.*Z$/), true]);
    const asOf = after.asOf() ?? "";

    const other = await startTerminal();
    other.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await other.idle();
    wire.fromTerminal = () => "pass";
    const modes: string[] = [];
    wire.fromHub = (message) => {
      if (message.type === "SYNC") modes.push(message.mode);
      return "pass";
    };
    await online(after);
    expect(after.order(order.posReference)?.snapshot.totals.total).toBe(550);
    expect(modes).toEqual(["delta"]);
    expect((after.asOf() ?? "") > asOf).toBe(true);
    await after.stop();
  });
});
