import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptChange } from "@comanda/protocol";
import { addLine, changeQuantity, checkToPay, createHubHttp, type Terminal } from "@comanda/terminal";
import { openSqliteStorage } from "@comanda/terminal/node";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { online } from "../support/restaurant.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const CASH = 1;
const CARD = 2;
/** The back-office may receive a paid check before a test looks. */
const PAID = /^(paid|closed)$/;

const { restaurant, fresh, startTerminal, wireToHub } = useRestaurant({
  HUB_HEARTBEAT_MS: "1000",
  HUB_GRACE_MS: "500",
});

/** Starts a terminal that is disconnected from the hub until `reconnect` is called. */
async function startOffline(options: Parameters<typeof startTerminal>[0] = {}) {
  const wire = await wireToHub();
  const terminal = await startTerminal({ url: wire.url, httpUrl: restaurant().hubUrl, ...options });
  const goAway = (): void => {
    wire.fromTerminal = () => "cut";
    wire.cut();
  };
  goAway();
  await eventually(() => terminal.connection().name).not.toBe("online");
  return {
    terminal,
    goAway,
    reconnect(): void {
      wire.fromTerminal = () => "pass";
    },
  };
}

interface KeptPayment {
  paymentId: string;
  posReference: string;
}

async function manager(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(new URL(`/operator/v1/${path}`, restaurant().hubUrl), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${await restaurant().token("manager")}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return answer.json();
}

/** Returns the payments of a check that the hub has kept for a manager. */
async function keptPayments(posReference: string): Promise<KeptPayment[]> {
  const { payments } = (await manager("payments")) as { payments: KeptPayment[] };
  return payments.filter((payment) => payment.posReference === posReference);
}

async function setPin(login: string, pin: string) {
  const http = createHubHttp({ url: restaurant().hubUrl });
  const { token, user } = await http.signIn({ login, password: login });
  await fetch(new URL("/terminal/v1/pin", restaurant().hubUrl), {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ pin }),
  });
  return user;
}

async function resetPin(userId: number | string): Promise<void> {
  await fetch(new URL(`/operator/v1/people/${userId}/pin`, restaurant().hubUrl), {
    method: "DELETE",
    headers: { authorization: `Bearer ${await restaurant().token("manager")}` },
  });
}

const statusOf = (terminal: Terminal, posReference: string) => terminal.order(posReference)?.snapshot.status;

describe("paid check", () => {
  it("a paid check is neither edited, checked out, discarded nor paid again, with or without the hub [CLIENT-48]", async () => {
    const { terminal, reconnect } = await startOffline();
    const order = newOrder(fresh("POS/O"), [lineOf("dinner", 850)]);
    const { posReference } = order;
    const payments = [{ methodId: CASH, amount: 850 }];
    const edit = () => terminal.editOrder(posReference, (content) => addLine(content, lineOf("coffee")));
    const refusalOf = (ask: () => unknown) => {
      try {
        ask();
        return "taken";
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    const refusals = () =>
      [
        edit,
        () => terminal.checkOut(posReference),
        () => terminal.discardOrder(posReference),
        () => terminal.pay(posReference, { payments }),
      ].map(refusalOf);
    terminal.openOrder(order);
    terminal.checkOut(posReference);
    expect(refusalOf(edit)).toBe("ORDER_LOCKED");
    terminal.pay(posReference, { payments });
    expect(refusals()).toEqual(Array(4).fill("ORDER_LOCKED"));
    reconnect();
    await terminal.idle();
    await eventually(() => statusOf(terminal, posReference)).toMatch(PAID);
    expect(refusals()).toEqual(Array(4).fill("ORDER_LOCKED"));
    expect(terminal.conflicts()).toEqual([]);
  });
});

describe("payment of a changed check", () => {
  /** Lets a payment of a check of 850 be refused, because another terminal has changed the total to `total`. */
  async function payOutdated(total: number) {
    const { terminal: till, goAway, reconnect } = await startOffline();
    reconnect();
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
    waiter.editOrder(posReference, (content) => addLine({ ...content, lines: [] }, lineOf("dinner", total)));
    await waiter.idle();
    reconnect();
    const outcome = await payment.outcome;
    expect(outcome).toMatchObject({ state: "refused", conflict: { intent: { type: "ORDER_PAY" } } });
    expect(await keptPayments(posReference)).toHaveLength(1);
    return { till, waiter, posReference, id: payment.id };
  }

  it("a payment of a changed check is applied as a part in one step, and the hub no longer keeps it [CLIENT-130]", async () => {
    const { till, waiter, posReference, id } = await payOutdated(900);
    const applied = till.applyAsPart(id);
    expect([applied.collect, applied.giveBack]).toEqual([50, 0]);
    await till.idle();
    expect([till.conflicts(), await keptPayments(posReference)]).toEqual([[], []]);
    await eventually(() => waiter.order(posReference)?.snapshot.tenders).toMatchObject([{ amount: 850, change: 150 }]);
    till.tender(posReference, { methodId: CARD, amount: 50 });
    await till.idle();
    await eventually(() => statusOf(waiter, posReference)).toMatch(PAID);
  });

  it("an applied payment of a check that became cheaper pays it and reports what to give back [CLIENT-130]", async () => {
    const { till, waiter, posReference, id } = await payOutdated(800);
    const applied = till.applyAsPart(id);
    expect([applied.collect, applied.giveBack]).toEqual([0, 50]);
    await till.idle();
    await eventually(() => waiter.order(posReference)?.snapshot).toMatchObject({
      status: expect.stringMatching(PAID),
      payments: [{ amount: 800, tendered: 1_000, change: 200 }],
    });
    expect(await keptPayments(posReference)).toEqual([]);
  });

  it("a payment of a changed check is given back in one step, and the hub no longer keeps it [CLIENT-131]", async () => {
    const { till, posReference, id } = await payOutdated(900);
    till.giveBack(id, "the guests pay later");
    await till.idle();
    expect([till.conflicts(), await keptPayments(posReference), statusOf(till, posReference)]).toEqual([
      [],
      [],
      "open",
    ]);
  });
});

describe("offline tender of a check that became cheaper", () => {
  /** Lets a till pay a check of 250 while another terminal moves a dish of 200 to another check. */
  async function takeTooMuch(methodId: number) {
    const { terminal: till, goAway, reconnect } = await startOffline();
    reconnect();
    const waiter = await startTerminal();
    await eventually(() => till.connection().name).toBe("online");
    const order = newOrder(fresh("POS/C"), [lineOf("steak", 200), lineOf("soup", 50)]);
    const { posReference } = order;
    till.openOrder(order);
    await till.idle();
    await eventually(() => waiter.order(posReference)?.version).toBe(1);
    goAway();
    await eventually(() => till.connection().name).not.toBe("online");
    const cash = methodId === CASH ? { tendered: 300, change: 50 } : {};
    const { id, outcome } = till.tender(posReference, { methodId, amount: 250, ...cash });
    expect(statusOf(till, posReference)).toBe("paid");
    waiter.moveLines(posReference, fresh("POS/C"), [{ lineId: "steak" }]);
    await waiter.idle();
    reconnect();
    expect(await outcome).toMatchObject({ state: "refused", conflict: { refusal: { isMoneyKept: true } } });
    expect([statusOf(waiter, posReference), (await keptPayments(posReference)).length]).toEqual(["open", 1]);
    return { till, waiter, posReference, id };
  }

  it.each([CASH, CARD])(
    "an offline tender by method %i is applied to a check that became cheaper, and the excess is reported [CLIENT-322]",
    async (methodId) => {
      const { till, waiter, posReference, id } = await takeTooMuch(methodId);
      const applied = till.applyAsPart(id);
      expect([applied.collect, applied.giveBack]).toEqual([0, 200]);
      await till.idle();
      await eventually(() => statusOf(waiter, posReference)).toMatch(PAID);
      const change = methodId === CASH ? { tendered: 300, change: 250 } : {};
      expect(waiter.order(posReference)?.snapshot.payments).toMatchObject([{ amount: 50, ...change }]);
      expect([till.conflicts(), await keptPayments(posReference)]).toEqual([[], []]);
    },
  );

  it("an offline tender is applied after dishes added since, and pays them too [CLIENT-342]", async () => {
    const { till, waiter, posReference, id } = await takeTooMuch(CARD);
    till.editOrder(posReference, (content) => addLine(content, lineOf("tea", 100)));
    const applied = till.applyAsPart(id);
    expect([applied.collect, applied.giveBack]).toEqual([0, 100]);
    await till.idle();
    await eventually(() => statusOf(waiter, posReference)).toMatch(PAID);
    expect(waiter.order(posReference)?.snapshot).toMatchObject({ totals: { total: 150 }, payments: [{ amount: 150 }] });
    expect([till.conflicts(), await keptPayments(posReference)]).toEqual([[], []]);
  });
});

describe("payment of a merged check", () => {
  const fiscal = { type: "E32" };

  it("a payment of a merged check is applied once where its dishes are, even if the terminal is killed [CLIENT-335]", async () => {
    const path = join(restaurant().folder, "moved.sqlite");
    const deviceId = fresh("s");
    const wire = await wireToHub();
    const open = (file: string) => restaurant().terminal(deviceId, { url: wire.url, storage: openSqliteStorage(file) });
    const till = await open(path);
    await online(till);
    const waiter = await startTerminal();
    const [own, other, third] = [[lineOf(fresh("steak"), 200)], [lineOf(fresh("soup"), 50)], []].map((lines) =>
      newOrder(fresh("POS/M"), lines),
    );
    for (const order of [own, other]) waiter.openOrder(order!);
    await waiter.idle();
    await eventually(() => waiter.seq() - till.seq()).toBe(0);
    wire.fromTerminal = () => "cut";
    wire.cut();
    await eventually(() => till.connection().name).not.toBe("online");
    const { outcome } = till.tender(own!.posReference, {
      methodId: CASH,
      amount: 200,
      tendered: 500,
      change: 300,
      fiscal,
    });
    // After the merge the dish moves on to a third check, to which more is added.
    waiter.mergeOrders([own!.posReference], other!.posReference);
    await waiter.idle();
    waiter.moveLines(other!.posReference, third!.posReference, [{ lineId: own!.lines![0]!.id }]);
    waiter.editOrder(third!.posReference, (content) => addLine(content, lineOf(fresh("tea"), 100)));
    await waiter.idle();
    wire.fromTerminal = () => "pass";
    expect(await outcome).toMatchObject({ state: "refused", conflict: { refusal: { isMoneyKept: true } } });
    await eventually(() => waiter.seq() - till.seq()).toBe(0);
    await till.stop();

    const again = await open(path);
    await online(again);
    const conflict = again.conflicts()[0]!;
    const { posReference } = checkToPay(conflict, again.orders())!;
    expect(posReference).toBe(third!.posReference);
    wire.fromHub = ({ type }) => (type === "ORDER_ACK" ? "cut" : "pass");
    const applied = again.applyAsPart(conflict.id, posReference);
    expect([applied.collect, applied.giveBack]).toEqual([100, 0]);
    await Promise.all(applied.mutations.map(({ stored }) => stored));
    const copiedPath = join(restaurant().folder, "moved-left.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copiedPath + suffix);
    await eventually(() => waiter.order(posReference)?.snapshot.tenders).toMatchObject([
      { amount: 200, change: 300, fiscal },
    ]);
    await again.stop();
    wire.fromHub = () => "pass";

    const last = await open(copiedPath);
    await online(last);
    await last.idle();
    expect([last.conflicts(), last.outbox().pending, await keptPayments(own!.posReference)]).toEqual([[], 0, []]);
    expect(last.order(own!.posReference)).toBeUndefined();
    last.tender(posReference, { methodId: CARD, amount: 100, fiscal });
    await last.idle();
    await eventually(() => statusOf(waiter, posReference)).toMatch(PAID);
    expect(waiter.order(posReference)?.snapshot.tenders?.map(({ amount }) => amount)).toEqual([200, 100]);
    await expect.poll(async () => numbersOf(own!.posReference, posReference)).toMatchObject([{ posReference }]);
    await last.stop();
  });

  /** Starts a till that has checks with these dishes and is then disconnected, and a connected waiter. */
  async function startWith(checks: Parameters<typeof newOrder>[1][], options: Parameters<typeof startOffline>[0] = {}) {
    const { terminal: till, goAway, reconnect } = await startOffline(options);
    reconnect();
    const waiter = await startTerminal();
    const orders = checks.map((lines) => newOrder(fresh("POS/M"), lines));
    for (const order of orders) waiter.openOrder(order);
    await waiter.idle();
    await eventually(() => orders.every(({ posReference }) => till.order(posReference) !== undefined)).toBe(true);
    goAway();
    await eventually(() => till.connection().name).not.toBe("online");
    return { till, waiter, reconnect, goAway, references: orders.map(({ posReference }) => posReference) };
  }

  it("each of several payments of a merged check is applied once by one tap [CLIENT-335]", async () => {
    const { till, waiter, reconnect, references } = await startWith([
      [lineOf(fresh("steak"), 200)],
      [lineOf("soup", 50)],
    ]);
    const [own = "", other = ""] = references;
    const parts = [till.tender(own, { methodId: CARD, amount: 50 }), till.tender(own, { methodId: CARD, amount: 60 })];
    waiter.mergeOrders([own], other);
    await waiter.idle();
    reconnect();
    for (const [index, { outcome }] of parts.entries()) {
      expect(await outcome).toMatchObject({ state: "refused", conflict: { refusal: { isMoneyKept: true } } });
      await eventually(() => waiter.seq() - till.seq()).toBe(0);
      const [conflict] = till.conflicts();
      const place = checkToPay(conflict!, till.orders());
      expect(place?.posReference).toBe(other);
      expect(till.applyAsPart(conflict!.id, other).collect).toBe([200, 140][index]);
      // A second tap must do nothing.
      expect(() => till.applyAsPart(conflict!.id, other)).toThrow("no conflict");
      await eventually(() => waiter.order(other)?.snapshot.tenders?.length).toBe(index + 1);
    }
    await till.idle();
    expect([till.conflicts(), await keptPayments(own), await keptPayments(other)]).toEqual([[], [], []]);
  });

  it("a payment of a merged check is applied after waiting changes of that check, over a restart too [CLIENT-342]", async () => {
    const deviceId = fresh("s");
    const path = join(restaurant().folder, "behind.sqlite");
    const { till, waiter, reconnect, goAway, references } = await startWith([[lineOf(fresh("steak"), 200)], []], {
      deviceId,
      storage: openSqliteStorage(path),
    });
    const [own = "", other = ""] = references;
    const { outcome } = till.tender(own, { methodId: CARD, amount: 200 });
    waiter.mergeOrders([own], other);
    await waiter.idle();
    reconnect();
    expect(await outcome).toMatchObject({ state: "refused", conflict: { refusal: { isMoneyKept: true } } });
    await eventually(() => waiter.seq() - till.seq()).toBe(0);
    goAway();
    await eventually(() => till.connection().name).not.toBe("online");
    const edit = till.editOrder(other, (content) => addLine(content, lineOf(fresh("tea"), 100)));
    const { mutations, collect } = till.applyAsPart(till.conflicts()[0]!.id, other);
    expect(collect).toBe(100);
    await Promise.all([edit, ...mutations].map(({ stored }) => stored));
    await till.stop();

    const again = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    await online(again);
    await again.idle();
    expect([again.conflicts(), await keptPayments(own)]).toEqual([[], []]);
    expect(again.order(other)?.snapshot).toMatchObject({ totals: { total: 300 }, tenders: [{ amount: 200 }] });
    await again.stop();
  });

  it("a payment of two kinds is completed with one fiscal number after the terminal was killed between them [CLIENT-341]", async () => {
    const deviceId = fresh("s");
    const [path, copiedPath] = ["kinds", "kinds-left"].map((name) => join(restaurant().folder, `${name}.sqlite`)) as [
      string,
      string,
    ];
    const sqlite = openSqliteStorage(path);
    let unstored = "";
    const dying = new AbortController();
    const storage: typeof sqlite = {
      ...sqlite,
      put: async (entry) => {
        if (entry.id === unstored) await new Promise((_, reject) => (dying.signal.onabort = reject));
        await sqlite.put(entry);
      },
    };
    const { till, waiter, reconnect, goAway, references } = await startWith([[lineOf(fresh("steak"), 200)], []], {
      deviceId,
      storage,
    });
    const [own = "", other = ""] = references;
    const payments = [
      { methodId: CARD, amount: 120 },
      { methodId: CASH, amount: 80, tendered: 100, change: 20 },
    ];
    const { outcome } = till.pay(own, { payments, fiscal });
    waiter.mergeOrders([own], other);
    await waiter.idle();
    reconnect();
    expect(await outcome).toMatchObject({ state: "refused", conflict: { refusal: { isMoneyKept: true } } });
    await eventually(() => waiter.seq() - till.seq()).toBe(0);
    unstored = till.conflicts()[0]!.id;
    await till.applyAsPart(unstored, other).mutations[1]!.stored;
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copiedPath + suffix);
    goAway();
    await eventually(() => till.connection().name).not.toBe("online");
    dying.abort();
    await till.stop();

    const last = await restaurant().terminal(deviceId, { storage: openSqliteStorage(copiedPath) });
    await online(last);
    await eventually(() => last.order(other)?.snapshot.tenders).toMatchObject([{ amount: 80, change: 20 }]);
    await last.idle();
    const [conflict] = last.conflicts();
    const again = last.applyAsPart(conflict!.id, checkToPay(conflict!, last.orders())!.posReference);
    expect([again.collect, again.giveBack]).toEqual([0, 0]);
    await last.idle();
    await eventually(() => statusOf(waiter, other)).toMatch(PAID);
    expect(waiter.order(other)?.snapshot.tenders?.map(({ amount }) => amount)).toEqual([80, 120]);
    expect([last.conflicts(), await keptPayments(own), await keptPayments(other)]).toEqual([[], [], []]);
    await expect.poll(async () => numbersOf(own, other)).toMatchObject([{ posReference: other }]);
    await last.stop();
  });

  async function numbersOf(...references: string[]) {
    const { numbers } = await restaurant().stub<{ numbers: { posReference: string }[] }>("/stub/v1/ncf");
    return numbers.filter((number) => references.includes(number.posReference));
  }
});

describe("offline sale", () => {
  it("an offline sale is kept while the session is closed, and leaves the outbox when a manager applies it [CLIENT-114] [CLIENT-115]", async () => {
    const { terminal: till, goAway, reconnect } = await startOffline();
    const { posReference } = newOrder(fresh("POS/O"), []);
    till.openOrder({ posReference, orderType: "takeout", lines: [lineOf("dinner", 850)] });
    till.editOrder(posReference, (content) => addLine(content, lineOf("wine", 150)));
    till.pay(posReference, { payments: [{ methodId: CASH, amount: 1_000 }] });
    expect(till.outbox()).toMatchObject({ pending: 3, payments: 1, amount: 1_000 });
    await restaurant().stub("/stub/v1/session", setSession(false));
    reconnect();
    await eventually(() => till.session()?.active).toBe(false);
    await expect.poll(async () => (await keptPayments(posReference)).length, { timeout: 15_000 }).toBe(1);
    await eventually(() => till.outbox()).toMatchObject({ pending: 3, payments: 0, amount: 0 });
    goAway();
    const [{ paymentId } = { paymentId: "" }] = await keptPayments(posReference);
    await restaurant().stub("/stub/v1/session", setSession(true));
    const watcher = await startTerminal();
    await eventually(() => watcher.session()?.active).toBe(true);
    await manager(`payments/${paymentId}/apply`, {});
    await eventually(() => statusOf(watcher, posReference)).toMatch(PAID);
    reconnect();
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

describe("occupied table", () => {
  it("a check opened offline at an occupied table is merged in one step or kept [CLIENT-116] [CLIENT-132]", async () => {
    for (const decision of ["merge", "keep"] as const) {
      const { terminal: mine, reconnect } = await startOffline();
      const other = await startTerminal();
      const tableId = decision === "merge" ? 21 : 22;
      const first = newOrder(fresh("POS/T"), [lineOf(fresh("soup"), 350)], tableId);
      other.openOrder(first);
      await other.idle();
      const second = newOrder(fresh("POS/T"), [lineOf(fresh("beer"), 200)], tableId);
      mine.openOrder(second);
      reconnect();
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

  it("additions to a check that was paid meanwhile go on a separate check [CLIENT-310]", async () => {
    const { terminal: mine, goAway, reconnect } = await startOffline();
    reconnect();
    const till = await startTerminal({ login: "cashier" });
    await eventually(() => mine.connection().name).toBe("online");
    const order = newOrder(fresh("POS/V"), [lineOf("dinner", 850, { quantity: 1 })]);
    const { posReference } = order;
    till.openOrder(order);
    await till.idle();
    await eventually(() => mine.order(posReference)?.version).toBe(1);
    goAway();
    await eventually(() => mine.connection().name).not.toBe("online");
    const edit = mine.editOrder(posReference, (content) => addLine(content, lineOf("coffee", 90)));
    mine.editOrder(posReference, (content) => changeQuantity(content, "dinner", 3));
    mine.sendToKitchen(posReference);
    till.pay(posReference, { payments: [{ methodId: CASH, amount: 850 }] });
    await till.idle();
    reconnect();
    expect(await edit.outcome).toMatchObject({
      state: "refused",
      conflict: { refusal: { errorCode: "ORDER_LOCKED" } },
    });

    const own = fresh("POS/V");
    mine.onOwnCheck(edit.id, own);
    await mine.idle();
    expect([mine.conflicts(), mine.outbox().pending]).toEqual([[], 0]);
    await eventually(() => till.order(own)?.snapshot).toMatchObject({
      status: "sent",
      tableId: order.tableId,
      lines: [
        { quantity: 2, total: 1_700 },
        { quantity: 1, total: 90 },
      ],
    });
    await eventually(() => statusOf(mine, posReference)).toMatch(PAID);
    expect(mine.order(posReference)?.snapshot.totals.total).toBe(850);
  });

  it("a check opened online at an occupied table is refused, and its lines go to the first check in one step [CLIENT-132]", async () => {
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

  it("split, move and merge keep the totals of all terminals in agreement [CLIENT-124] [CLIENT-125]", async () => {
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
    mine.handOver([order.posReference], "Luis");
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

describe("merge with the check of the table", () => {
  it("a merge with the table's check sends only what was already sent, and no course held back [CLIENT-146]", async () => {
    const [mine, other] = [await startTerminal(), await startTerminal({ login: "cashier" })];
    const first = newOrder(fresh("POS/T"), [lineOf("starter"), lineOf("main", 300)], 27);
    other.openOrder(first);
    other.sendToKitchen(first.posReference, ["starter"]);
    await other.idle();
    await eventually(() => mine.order(first.posReference)?.snapshot.status).toBe("sent");
    const second = newOrder(fresh("POS/T"), [lineOf("beer", 200), lineOf("fish", 500)], 27);
    const opened = mine.openOrder(second);
    mine.sendToKitchen(second.posReference, ["beer"]);
    mine.editOrder(second.posReference, (content) => addLine(content, lineOf("rum", 150)));
    mine.editOrder(second.posReference, (content) => addLine(content, lineOf("flan", 90)));
    await opened.outcome;
    mine.mergeWithExisting(opened.id);
    await mine.idle();
    const sent = () =>
      other.order(first.posReference)?.snapshot.lines.map(({ total, sentQuantity = 0 }) => [total, sentQuantity]);
    await eventually(sent).toEqual([
      [100, 1],
      [300, 0],
      [200, 1],
      [500, 0],
      [150, 0],
      [90, 0],
    ]);
  });

  it("a merge of a fully sent check does not send what was added since [CLIENT-146]", async () => {
    const [mine, other] = [await startTerminal(), await startTerminal({ login: "cashier" })];
    const first = newOrder(fresh("POS/T"), [lineOf("main", 300)], 28);
    other.openOrder(first);
    await other.idle();
    await eventually(() => mine.order(first.posReference)?.version).toBe(1);
    const second = newOrder(fresh("POS/T"), [lineOf("beer", 200)], 28);
    const opened = mine.openOrder(second);
    mine.sendToKitchen(second.posReference);
    mine.editOrder(second.posReference, (content) => addLine(content, lineOf("rum", 150)));
    await opened.outcome;
    mine.mergeWithExisting(opened.id);
    await mine.idle();
    await eventually(() =>
      other.order(first.posReference)?.snapshot.lines.map((line) => line.sentQuantity ?? 0),
    ).toEqual([0, 1, 0]);
  });
});

describe("kitchen", () => {
  it("a ticket of a paid check is followed from the send until it is served [CLIENT-118] [CLIENT-119]", async () => {
    const [till, kitchen] = [await startTerminal({ login: "cashier" }), await startTerminal()];
    const order = newOrder(fresh("POS/K"), [lineOf("soup", 350, { quantity: 2 })], 13);
    till.openOrder(order);
    till.pay(order.posReference, { payments: [{ methodId: CASH, amount: 350 }] });
    till.sendToKitchen(order.posReference);
    await till.idle();
    const ticketsOfOrder = () => kitchen.tickets().filter(({ posReference }) => posReference === order.posReference);
    await eventually(() => ticketsOfOrder().length).toBe(1);
    const id = ticketsOfOrder()[0]?.id ?? "";
    const changed: string[] = [];
    kitchen.on("tickets", (ids) => changed.push(...ids));
    kitchen.kitchenSeen(id, "grill");
    expect([kitchen.ticket(id)?.lines[0]?.state, changed]).toEqual(["seen", [id]]);
    kitchen.bump({ kitchenTicketId: id }, "soup", 1);
    expect(kitchen.ticket(id)?.lines[0]?.state).toBe("started");
    kitchen.bump({ kitchenTicketId: id }, "soup", 2);
    expect([ticketsOfOrder(), kitchen.recentTickets()[0]?.id]).toEqual([[], id]);
    await kitchen.idle();
    expect([kitchen.conflicts(), ticketsOfOrder(), kitchen.ticket(id)?.isOver]).toEqual([[], [], true]);
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

  it("lines are taken back while no station has seen them, and voided afterwards [CLIENT-133]", async () => {
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

describe("items out of stock", () => {
  it("an item state is shown at once where it is set, and on every terminal [CLIENT-118] [CLIENT-120]", async () => {
    const [kitchen, waiter] = [await startTerminal(), await startTerminal({ login: "waiter" })];
    const shown: number[] = [];
    waiter.on("itemStates", (states) => shown.push(states.length));
    const marked = kitchen.setItemState({ productId: 101, state: "limited", left: 3 });
    expect(kitchen.itemStates()).toMatchObject([{ productId: 101, state: "limited", left: 3 }]);
    expect(await marked.outcome).toMatchObject({ answer: { type: "ITEM_STATE_ACK", state: "limited" } });
    await eventually(() => waiter.itemStates()).toMatchObject([{ state: "limited", left: 3 }]);
    const late = await startTerminal();
    expect(late.itemStates()).toHaveLength(1);
    kitchen.setItemState({ productId: 101, state: "available" });
    await kitchen.idle();
    await eventually(() => [waiter.itemStates(), shown.at(-1)]).toEqual([[], 0]);
    expect(kitchen.conflicts()).toEqual([]);
  });
});

describe("start without the hub", () => {
  it("a terminal that starts without the hub shows its stored state with its time, then gets the changes [CLIENT-121]", async () => {
    const path = join(restaurant().folder, "cached.sqlite");
    const deviceId = fresh("s");
    const before = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    await online(before);
    const order = newOrder(fresh("POS/R"), [lineOf("soup", 350)], 12);
    before.openOrder(order);
    await before.idle();
    const shown = before.order(order.posReference);
    await before.stop();

    const wire = await wireToHub();
    wire.fromTerminal = () => "cut";
    const after = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path), url: wire.url });
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

describe("killed terminal", () => {
  it("a killed terminal shows acknowledged changes as sent, and the hub applies them once [CLIENT-147] [CLIENT-151]", async () => {
    const path = join(restaurant().folder, "killed.sqlite");
    const deviceId = fresh("s");
    const first = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    await online(first);
    const order = newOrder(fresh("POS/Z"), [lineOf("soup", 350)]);
    expect((await first.openOrder(order).outcome).state).toBe("acknowledged");
    first.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await first.idle();
    // Copies the files as a kill at this moment would leave them.
    const copiedPath = join(restaurant().folder, "left.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copiedPath + suffix);

    const offline = await restaurant().terminal(deviceId, {
      url: "ws://127.0.0.1:1",
      storage: openSqliteStorage(copiedPath),
    });
    expect(offline.order(order.posReference)).toMatchObject({ pending: 0, snapshot: { lines: [{}, {}] } });
    expect(offline.outbox()).toMatchObject({ pending: 0, oldestAt: null });
    await offline.stop();
    await first.stop();
    const again = await restaurant().terminal(deviceId, { storage: openSqliteStorage(copiedPath) });
    await online(again);
    await again.idle();
    expect([again.outbox().pending, again.conflicts()]).toEqual([0, []]);
    expect(again.order(order.posReference)).toMatchObject({ version: 2, snapshot: { totals: { total: 550 } } });
    await again.stop();
    // Nothing is left that would be sent a third time.
    const storage = openSqliteStorage(copiedPath);
    expect(await storage.load()).toEqual([]);
    await storage.close();
  });
});

describe("actor of a change", () => {
  it("a queued change keeps its actor, whoever signs in before it is sent [CLIENT-111] [CLIENT-135] [CLIENT-309]", async () => {
    const { terminal, goAway, reconnect } = await startOffline();
    reconnect();
    await eventually(() => terminal.connection().name).toBe("online");
    expect(terminal.actor()?.user.name).toBe(terminal.signedIn()?.user.name);
    expect(terminal.signedIn()?.user.permissions).toEqual(expect.any(Array));
    const boss = terminal.signedIn()?.user;
    await terminal.http.setPin("471147");
    goAway();
    const order = newOrder(fresh("POS/W"), [lineOf("soup", 350)]);
    terminal.openOrder({ ...order, orderType: "takeout", tableId: null });
    terminal.switchUser(await restaurant().token("waiter"));
    terminal.pay(order.posReference, { payments: [{ methodId: CASH, amount: 350 }] });
    reconnect();
    await eventually(() => terminal.signedIn()?.user.role).toBe("waiter");
    await eventually(() => terminal.conflicts()).toMatchObject([{ refusal: { errorCode: "FORBIDDEN" } }]);

    expect(await terminal.loadPeople()).toContainEqual(expect.objectContaining({ id: boss?.id, name: boss?.name }));
    await expect(terminal.signInWithPin(boss?.id ?? 0, "0000")).rejects.toMatchObject({ name: "TerminalRefusal" });
    const { actorToken } = await terminal.enterPin(boss?.id ?? 0, "471147");
    const [refused] = terminal.conflicts();
    terminal.approvedBy(actorToken).retry(refused?.id ?? "");
    await terminal.idle();
    expect([terminal.conflicts(), statusOf(terminal, order.posReference)]).toEqual([
      [],
      expect.stringMatching(/paid|closed/),
    ]);
    expect(terminal.order(order.posReference)?.snapshot.staffName).toBe(boss?.name);
    expect(terminal.actor()?.user.name).toBe(terminal.signedIn()?.user.name);
    const other = await startTerminal();
    const presentUser = () => other.presence().find(({ terminalId }) => terminalId === terminal.deviceId)?.userName;
    terminal.setPresence({ tableId: 3 });
    await eventually(presentUser).toBe(terminal.signedIn()?.user.name);
    await terminal.signInWithPin(boss?.id ?? 0, "471147");
    expect(terminal.actor()?.user.name).toBe(boss?.name);
    await eventually(presentUser).toBe(boss?.name);
    const second = newOrder(fresh("POS/W"), [lineOf("soup", 350)]);
    terminal.openOrder({ ...second, orderType: "takeout", tableId: null });
    await terminal.idle();
    expect(terminal.order(second.posReference)?.snapshot.staffName).toBe(boss?.name);
  });
});

describe("PIN no longer valid", () => {
  it("changes under an invalid PIN wait until it is entered again or a manager decides [CLIENT-144] [CLIENT-145] [CLIENT-200]", async () => {
    const terminal = await startTerminal({ login: "manager", httpUrl: restaurant().hubUrl });
    terminal.switchUser(await restaurant().token("waiter"));
    await eventually(() => terminal.signedIn()?.user.role).toBe("waiter");
    const cashier = await setPin("cashier", "2222");
    const boss = await setPin("manager", "111111");
    await terminal.signInWithPin(cashier.id, "2222");
    const names: string[] = [];
    terminal.on("pendingPins", (pins) => names.push(...pins.map(({ user }) => user.name)));

    await resetPin(cashier.id);
    const order = newOrder(fresh("POS/P"), [lineOf("soup", 350)]);
    const opened = terminal.openOrder(order);
    terminal.pay(order.posReference, { payments: [{ methodId: CASH, amount: 350 }] });
    await eventually(() => terminal.pendingPins().length).toBe(1);
    expect([names[0], terminal.conflicts()]).toEqual([cashier.name, []]);
    expect(statusOf(terminal, order.posReference)).toBe("paid");
    await setPin("cashier", "3333");
    const { actorToken } = await terminal.enterPin(cashier.id, "3333");
    terminal.renewActor({ token: actorToken, user: cashier });
    expect((await opened.outcome).state).toBe("acknowledged");
    await terminal.idle();
    expect([terminal.pendingPins(), terminal.conflicts(), terminal.outbox().pending]).toEqual([[], [], 0]);
    expect(await keptPayments(order.posReference)).toEqual([]);
    const writer = await restaurant().terminal(fresh("observer"));
    await online(writer);
    expect(writer.order(order.posReference)?.snapshot).toMatchObject({
      status: expect.stringMatching(/^(paid|closed)$/) as string,
      staffName: cashier.name,
    });

    await resetPin(cashier.id);
    const second = newOrder(fresh("POS/P"), [lineOf("soup", 350)]);
    terminal.openOrder(second);
    await eventually(() => terminal.pendingPins().length).toBe(1);
    const answer = await terminal.enterPin(boss.id, "111111");
    terminal.answerFor(cashier.id, { token: answer.actorToken, user: boss });
    await terminal.idle();
    await eventually(() => writer.order(second.posReference)?.snapshot.staffName).toBe(boss.name);

    const third = newOrder(fresh("POS/P"), [lineOf("soup", 350)]);
    const applied = terminal.openOrder(third);
    await eventually(() => terminal.pendingPins()[0]?.kept).toBe(1);
    const { changes } = (await manager("kept-changes")) as { changes: { changeId: string }[] };
    expect(changes.length).toBe(1);
    await manager(`kept-changes/${changes[0]?.changeId}/apply`, {});
    expect((await applied.outcome).state).toBe("acknowledged");
    await terminal.idle();
    expect([terminal.pendingPins(), terminal.conflicts(), terminal.outbox().pending]).toEqual([[], [], 0]);
    await eventually(() => statusOf(writer, third.posReference)).toBe("open");
  });
});

describe("changes under a reset PIN", () => {
  it("changes of one check under a reset PIN reach the manager one by one, with the number behind [CLIENT-202] [OP-413]", async () => {
    const { terminal, goAway, reconnect } = await startOffline({ login: "manager" });
    reconnect();
    const cashier = await setPin("cashier", "4444");
    await online(terminal);
    await terminal.signInWithPin(cashier.id, "4444");
    goAway();
    const { posReference } = newOrder(fresh("POS/R"), []);
    terminal.openOrder({ posReference, orderType: "takeout", lines: [lineOf("soup", 350)] });
    for (const dish of ["wine", "bread"])
      terminal.editOrder(posReference, (content) => addLine(content, lineOf(dish, 150)));
    await resetPin(cashier.id);
    reconnect();
    const keptChanges = async () => {
      const { changes } = (await manager("kept-changes")) as { changes: KeptChange[] };
      return changes.filter(({ orders }) => orders[0]?.posReference === posReference);
    };
    const decide = async (decision: "apply" | "dismiss", body: object) =>
      manager(`kept-changes/${(await keptChanges())[0]?.changeId}/${decision}`, body);
    const shown = async () =>
      (await keptChanges()).map(({ orders, unsentBehind }) => [orders[0]?.change?.kind, unsentBehind]);
    await expect.poll(shown, { timeout: 15_000 }).toEqual([["created", 2]]);
    await decide("apply", {});
    await expect.poll(shown, { timeout: 15_000 }).toEqual([["edited", 1]]);
    await decide("dismiss", { note: "not ordered" });
    await eventually(() => terminal.conflicts()).toMatchObject([
      { refusal: { errorCode: "DISMISSED" }, behind: [{ type: "ORDER_UPSERT" }] },
    ]);
    expect(await keptChanges()).toEqual([]);
    await terminal.discard(terminal.conflicts()[0]?.id ?? "");
    await expect.poll(shown, { timeout: 15_000 }).toEqual([["edited", 0]]);
    await decide("apply", {});
    await eventually(() => terminal.outbox().pending).toBe(0);
    const lines = terminal.order(posReference)?.snapshot.lines ?? [];
    expect(lines.map(({ id }) => id)).toEqual(["soup", "bread"]);
  });
});

describe("menu", () => {
  it("a terminal loads the menu through the hub once and has it after a start without the hub [CLIENT-136]", async () => {
    const path = join(restaurant().folder, "menu.sqlite");
    const deviceId = fresh("s");
    const first = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    await expect(first.loadMenu().then(({ products }) => products.length)).resolves.toBeGreaterThan(0);
    const versions: (string | null)[] = [];
    first.on("menuVersion", (version) => versions.push(version));
    await online(first);
    const menu = await first.loadMenu();
    expect([versions, menu.asOf]).toEqual([[menu.menuVersion], expect.stringMatching(/^20.*Z$/)]);
    expect((await first.loadFloors()).floors.length).toBeGreaterThan(0);
    const { customers } = await first.http.customers({ q: "" });
    expect(customers.length).toBeGreaterThan(0);
    expect(await first.loadMenu()).toBe(menu);
    const learned = await first.loadLearned();
    expect(await first.loadLearned()).toBe(learned);
    await first.stop();

    const nowhere = { url: "ws://127.0.0.1:1", storage: openSqliteStorage(path) };
    const second = await restaurant().terminal(deviceId, nowhere);
    expect(second.menu()).toEqual(menu);
    expect(await second.loadMenu()).toEqual(menu);
    expect(await second.loadLearned()).toEqual(learned);
    expect((await second.loadFloors()).floors.length).toBeGreaterThan(0);
    const third = await restaurant().terminal(fresh("s"), { url: "ws://127.0.0.1:1" });
    await expect(third.loadMenu()).rejects.toMatchObject({ name: "HubUnreachableError" });
    const http = createHubHttp({ url: restaurant().hubUrl });
    const { token, user } = await http.signIn({ login: "cashier", password: "cashier" });
    expect([token.length > 0, user.role]).toEqual([true, "cashier"]);
    await expect(http.signIn({ login: "cashier", password: "wrong" })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
  });
});
