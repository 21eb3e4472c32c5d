import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addLine, LeaseDeniedError, memoryStorage, openWebSocket, realWorld, totalsOfLines } from "@comanda/terminal";
import { openSqliteStorage } from "@comanda/terminal/node";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { lineOf, newOrder } from "../support/orders.ts";
import { startBackOfficeInProcess } from "../support/back-office-in-process.ts";
import { online, openRestaurant } from "../support/restaurant.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { restaurant, fresh, startTerminal, wireToHub } = useRestaurant({
  HUB_HEARTBEAT_MS: "1000",
  HUB_GRACE_MS: "500",
});

/** Lets two terminals share an order of a soup; the first terminal is on a wire. */
async function shareOrder() {
  const wire = await wireToHub();
  const [one, other] = [await startTerminal({ url: wire.url }), await startTerminal()];
  const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
  one.openOrder(order);
  await one.idle();
  await eventually(() => other.order(order.posReference)?.version).toBe(1);
  return { wire, one, other, order };
}

describe("terminal on a hub", () => {
  it("two terminals show the same order, line by line [CLIENT-30]", async () => {
    const [one, other] = [await startTerminal(), await startTerminal()];
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
    one.openOrder(order);
    expect(one.order(order.posReference)?.snapshot.lines.length).toBe(1);
    await one.idle();
    await eventually(() => other.order(order.posReference)?.version).toBe(1);
    other.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await other.idle();
    await eventually(() => one.order(order.posReference)?.version).toBe(2);
    expect(one.order(order.posReference)?.snapshot).toEqual(other.order(order.posReference)?.snapshot);
    expect(one.order(order.posReference)?.snapshot.totals).toEqual({ subtotal: 550, tax: 0, total: 550 });
    await eventually(() => other.seq() - one.seq()).toBe(0);
  });

  it("a terminal shows a table as occupied before the hub answers, and as free after the payment [CLIENT-24]", async () => {
    const terminal = await startTerminal();
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)], 7);
    const statusOf = () => terminal.tables().find((table) => table.tableId === 7)?.status;
    terminal.openOrder(order);
    expect(statusOf()).toBe("occupied");
    await terminal.idle();
    expect(statusOf()).toBe("occupied");
    terminal.pay(order.posReference, { payments: [{ methodId: 1, amount: 350 }] });
    expect([statusOf(), terminal.order(order.posReference)?.snapshot.status]).toEqual(["available", "paid"]);
    await terminal.idle();
    expect(statusOf()).toBe("available");
  });

  it("additions of two terminals to one order are both kept [CLIENT-37]", async () => {
    const { wire, one, other, order } = await shareOrder();
    // The first terminal sends its change before it receives the other terminal's one.
    wire.fromHub = (message) => (message.type === "ORDER_CHANGED" ? "drop" : "pass");
    other.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await other.idle();
    one.editOrder(order.posReference, (content) => addLine(content, lineOf("wine", 400)));
    await eventually(() => wire.terminalMessages.filter(({ type }) => type === "ORDER_UPSERT").length).toBe(2);
    wire.fromHub = () => "pass";
    other.setPresence(null);
    other.editOrder(order.posReference, (content) => ({ ...content, notes: "window" }));
    await one.idle();
    await eventually(() => other.order(order.posReference)?.snapshot.lines.map((line) => line.id)).toEqual([
      "soup",
      "beer",
      "wine",
    ]);
    expect([one.conflicts(), other.conflicts()]).toEqual([[], []]);
  });

  it("two edits of one line are a conflict with both states until the application decides [CLIENT-40]", async () => {
    const { wire, one, other, order } = await shareOrder();
    wire.cut();
    wire.fromTerminal = () => "cut";
    one.editOrder(order.posReference, (content) => setNote(content, "no salt"));
    other.editOrder(order.posReference, (content) => setNote(content, "no pepper"));
    await other.idle();
    wire.fromTerminal = () => "pass";
    await eventually(() => one.conflicts().length).toBe(1);
    const [conflict] = one.conflicts();
    expect(conflict).toMatchObject({
      refusal: { errorCode: "CONFLICT", collisions: [{ kind: "line", lineId: "soup" }] },
      orders: [{ mine: { lines: [{ note: "no salt" }] }, hub: { snapshot: { lines: [{ note: "no pepper" }] } } }],
    });
    expect(one.order(order.posReference)?.snapshot.lines[0]?.note).toBe("no pepper");
    one.retry(conflict?.id ?? "");
    await one.idle();
    await eventually(() => other.order(order.posReference)?.snapshot.lines[0]?.note).toBe("no salt");
  });

  it("a change takes effect once when its answer is lost [CLIENT-32]", async () => {
    const wire = await wireToHub();
    const terminal = await startTerminal({ url: wire.url });
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
    let lost = 0;
    wire.fromHub = (message) => {
      if (message.type !== "ORDER_ACK" || lost > 0) return "pass";
      lost += 1;
      return "cut";
    };
    const mutation = terminal.openOrder(order);
    expect(await mutation.outcome).toMatchObject({ state: "acknowledged", answer: { duplicate: true, version: 1 } });
    const sent = wire.terminalMessages.filter((message) => message.type === "ORDER_UPSERT");
    expect(sent.length).toBe(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(terminal.order(order.posReference)?.version).toBe(1);
  });

  it("a terminal repairs a gap in seq with one resync [CLIENT-22]", async () => {
    const wire = await wireToHub();
    const [one, other] = [await startTerminal({ url: wire.url }), await startTerminal()];
    let dropped = 0;
    wire.fromHub = (message) => (message.type === "ORDER_CHANGED" && (dropped += 1) === 1 ? "drop" : "pass");
    const orders = ["A", "B", "C"].map((name) => newOrder(fresh(`POS/${name}`), [lineOf("soup", 350)]));
    for (const order of orders) other.openOrder(order);
    await other.idle();
    await eventually(() => orders.map(({ posReference }) => one.order(posReference)?.version)).toEqual([1, 1, 1]);
    expect(wire.terminalMessages.filter(({ type }) => type === "RESYNC").length).toBe(1);
    await eventually(() => one.seq() - other.seq()).toBe(0);
  });

  it("a terminal resyncs when the state after its own change does not arrive [CLIENT-25]", async () => {
    const { wire, one, other, order } = await shareOrder();
    wire.fromHub = (message) => (message.type === "ORDER_CHANGED" ? "drop" : "pass");
    other.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await other.idle();
    one.editOrder(order.posReference, (content) => addLine(content, lineOf("wine", 400)));
    await one.idle();
    expect(wire.terminalMessages.filter(({ type }) => type === "RESYNC").length).toBeGreaterThan(0);
    await eventually(() => other.order(order.posReference)?.snapshot.lines.length).toBe(3);
  });

  it("a reconnecting terminal says where it was and gets only the changes since [CLIENT-1]", async () => {
    const wire = await wireToHub();
    const [one, other] = [await startTerminal({ url: wire.url }), await startTerminal()];
    const seq = one.seq();
    const modes: string[] = [];
    wire.fromHub = (message) => {
      if (message.type === "SYNC") modes.push(message.mode);
      return "pass";
    };
    wire.cut();
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
    other.openOrder(order);
    await other.idle();
    await eventually(() => one.order(order.posReference)?.version).toBe(1);
    expect(modes).toEqual(["delta"]);
    expect(wire.terminalMessages.findLast(({ type }) => type === "AUTH")).toMatchObject({
      since: { seq },
      caps: ["batch", "offers", "proposals"],
    });
  });

  it("a terminal sends after its restart what was in its outbox [CLIENT-44]", async () => {
    const deviceId = fresh("t");
    const path = join(restaurant().folder, `${deviceId}.sqlite`);
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
    const before = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    await before.openOrder(order).stored;
    await before.pay(order.posReference, { payments: [{ methodId: 1, amount: 350 }] }).stored;
    await before.stop();
    const after = await restaurant().terminal(deviceId, { storage: openSqliteStorage(path) });
    expect(after.order(order.posReference)?.snapshot.status).toBe("paid");
    expect(after.outbox().pending).toBe(2);
    await online(after);
    await after.idle();
    expect(after.order(order.posReference)?.snapshot).toMatchObject({ payments: [{ methodId: 1, amount: 350 }] });
    expect(after.conflicts()).toEqual([]);
  });

  it("a terminal works with a clock that is eight days off [CLIENT-9]", async () => {
    const real = realWorld();
    const clock = { ...real.clock, now: () => Date.now() - 8 * 86_400_000 };
    const terminal = await startTerminal({ world: { ...real, clock } });
    const order = newOrder(fresh("POS/A"), [lineOf("soup", 350)]);
    terminal.openOrder(order);
    terminal.sendToKitchen(order.posReference);
    await terminal.idle();
    expect(terminal.conflicts()).toEqual([]);
    const { kitchenTicketId = "" } = terminal.order(order.posReference)?.snapshot.lines[0] ?? {};
    const ticket = terminal.ticket(kitchenTicketId);
    expect([ticket?.lines.length, ticket?.late]).toEqual([1, undefined]);
    expect(Math.abs(terminal.now() - Date.now())).toBeLessThan(60_000);
  });

  it.each([365, -365])(
    "a terminal whose clock is %i days off knows the hub's time after a restart without it [CLIENT-697]",
    async (days) => {
      const real = realWorld();
      let offMs = days * 86_400_000;
      const clock = { ...real.clock, now: () => Date.now() + offMs };
      const deviceId = fresh("t");
      const open = () => {
        const storage = openSqliteStorage(join(restaurant().folder, `${deviceId}.sqlite`));
        return restaurant().terminal(deviceId, { storage, world: { ...real, clock } });
      };
      const before = await open();
      await online(before);
      const until = new Date(Date.now() + 3_600_000).toISOString();
      await before.setItemState({ productId: "103", state: "out", until }).outcome;
      await before.stop();
      const after = await open();
      expect(Math.abs(after.now() - Date.now())).toBeLessThan(60_000);
      expect(after.itemStates()).toMatchObject([{ productId: "103", state: "out" }]);
      await after.stop();
      offMs = 0;
      const corrected = await open();
      expect(Math.abs(corrected.now() - Date.now())).toBeLessThan(60_000);
    },
  );

  it.each([8, -8])("a terminal whose clock is set by %i days loses no change [CLOCK-21]", async (days) => {
    const wire = await wireToHub();
    const real = realWorld();
    let offMs = -days * 86_400_000;
    const clock = { ...real.clock, now: () => Date.now() + offMs };
    const terminal = await startTerminal({ url: wire.url, world: { ...real, clock } });
    offMs = 0;
    const orders = ["A", "B", "C"].map((name) => newOrder(fresh(`POS/${name}`), [lineOf("soup", 350)]));
    const [online1, offline1, offline2] = orders;
    terminal.openOrder(online1!);
    await terminal.idle();
    offMs = -days * 86_400_000;
    terminal.openOrder(offline1!);
    await terminal.idle();
    wire.cut();
    terminal.openOrder(offline2!);
    offMs = 0;
    await terminal.idle();
    expect(terminal.conflicts()).toEqual([]);
    expect(orders.map(({ posReference }) => terminal.order(posReference)?.version)).toEqual([1, 1, 1]);
  });

  it("an order paid offline is not shown as unpaid because of a later edit on the hub [CLIENT-42]", async () => {
    const { wire, one, other, order } = await shareOrder();
    wire.cut();
    wire.fromTerminal = (message) => (message.type === "ORDER_PAY" ? "cut" : "pass");
    one.pay(order.posReference, { payments: [{ methodId: 1, amount: 350 }] });
    other.editOrder(order.posReference, (content) => addLine(content, lineOf("beer", 200)));
    await other.idle();
    await eventually(() => one.seq() - other.seq()).toBe(0);
    expect(one.order(order.posReference)).toMatchObject({
      version: 2,
      snapshot: { status: "paid", lines: [{ id: "soup" }] },
    });
    wire.fromTerminal = () => "pass";
    await eventually(() => one.conflicts().length).toBe(1);
    expect(one.order(order.posReference)).toMatchObject({ paymentRefused: true, snapshot: { status: "paid" } });
    await eventually(() => other.hubStatus()?.attention).toBe(1);
  });

  it("a terminal stays disconnected after another connection of its device replaced it [CLIENT-3]", async () => {
    const deviceId = fresh("t");
    const first = await restaurant().terminal(deviceId);
    await online(first);
    await online(await restaurant().terminal(deviceId));
    await eventually(() => first.connection()).toMatchObject({ name: "ended", reason: "replaced" });
  });

  it("a device keeps its name for the next user, and no other device can use it [CLIENT-92]", async () => {
    const deviceId = fresh("t");
    const path = join(restaurant().folder, `${deviceId}.sqlite`);
    const early = await restaurant().terminal(deviceId, { login: "cashier", storage: openSqliteStorage(path) });
    await online(early);
    const stranger = await restaurant().terminal(deviceId, { login: "waiter" });
    await expect(online(stranger)).rejects.toThrow(/^device taken: /);
    expect(early.connection().name).toBe("online");
    await early.stop();
    const late = await restaurant().terminal(deviceId, { login: "waiter", storage: openSqliteStorage(path) });
    await online(late);
    expect(late.signedIn()?.user.role).toBe("waiter");
  });

  it("a terminal sends the library's version unless the application has its own [CLIENT-95]", async () => {
    const wire = await wireToHub();
    await startTerminal({ url: wire.url });
    await startTerminal({ url: wire.url, clientVersion: "7.1.0" });
    const versions = wire.terminalMessages.flatMap((message) =>
      message.type === "AUTH" ? [message.clientVersion] : [],
    );
    expect(versions).toEqual([readFileSync(join(import.meta.dirname, "../../VERSION"), "utf8").trim(), "7.1.0"]);
  });

  it(
    "a terminal ends on a hub that requires a newer version, and names that version [CLIENT-94]",
    { tags: "long" },
    async () => {
      const strict = await openRestaurant({}, startBackOfficeInProcess);
      await strict.stub("/stub/v1/min-client-version", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ version: "99.0.0" }),
      });
      // The hub admits the terminal until it has learnt the minimum version.
      const attempt = async () => {
        const terminal = await strict.terminal("t", { login: "waiter" });
        await online(terminal).catch(() => {});
        return terminal.connection();
      };
      await expect
        .poll(attempt, { timeout: 15_000, interval: 100 })
        .toMatchObject({ name: "ended", reason: "client too old", minClientVersion: "99.0.0" });
      await strict.close();
    },
  );

  it("a terminal requests a new token when the hub refuses its own [CLIENT-4]", async () => {
    const refused: string[] = [];
    const terminal = await restaurant().terminal(fresh("t"), {
      token: "nobody",
      renewToken: async (token) => {
        refused.push(token);
        return restaurant().token("waiter");
      },
    });
    await online(terminal);
    expect(refused).toEqual(["nobody"]);
    expect(terminal.signedIn()?.user.role).toBe("waiter");
  });

  it("a terminal ends when it has no other token [CLIENT-4]", async () => {
    const terminal = await restaurant().terminal(fresh("t"), { token: "nobody" });
    await expect(online(terminal)).rejects.toThrow(/^unauthenticated: /);
  });

  it("a terminal gets a lease, is refused another's, and keeps its own over a reconnect [CLIENT-50]", async () => {
    const wire = await wireToHub();
    const [one, other] = [await startTerminal({ url: wire.url }), await startTerminal()];
    const posReference = fresh("POS/A");
    await one.acquireLease(posReference);
    await expect(other.acquireLease(posReference)).rejects.toThrow(LeaseDeniedError);
    expect(other.leaseHolder(posReference)?.terminalId).toBe(one.deviceId);
    wire.cut();
    await eventually(() => one.connection().name).toBe("waiting");
    await online(one);
    await eventually(() => one.leaseHolder(posReference)?.terminalId).toBe(one.deviceId);
    await one.releaseLease(posReference);
    await expect(other.acquireLease(posReference)).resolves.toMatchObject({ posReference });
  });

  it("a lease request times out without an answer, but not over a lost connection [CLIENT-50]", async () => {
    const wire = await wireToHub();
    const real = realWorld();
    const world = { ...real, timers: { after: (ms: number, work: () => void) => real.timers.after(ms / 20, work) } };
    const terminal = await startTerminal({ url: wire.url, world });
    let lost = 0;
    wire.fromHub = (message) => {
      if (message.type !== "LEASE_GRANTED" || lost > 0) return "pass";
      lost += 1;
      return "cut";
    };
    await expect(terminal.acquireLease(fresh("POS/A"))).resolves.toMatchObject({ role: "editor" });
    wire.fromHub = (message) => (message.type === "LEASE_GRANTED" ? "drop" : "pass");
    await expect(terminal.acquireLease(fresh("POS/A"))).rejects.toThrow("lease request timed out");
  });

  it("heartbeats keep a lease alive that is shorter than their interval [CLIENT-7] [CLIENT-55]", async () => {
    const short = await openRestaurant(
      { HUB_LEASE_TTL_MS: "600", HUB_HEARTBEAT_MS: "20000" },
      startBackOfficeInProcess,
    );
    const [one, other] = [await short.terminal("one"), await short.terminal("other")];
    await online(one);
    await online(other);
    const { expiresAt } = await one.acquireLease("POS/A");
    await eventually(() => other.now() > Date.parse(expiresAt) + 600).toBe(true);
    await expect(other.acquireLease("POS/A")).rejects.toThrow(LeaseDeniedError);
    expect(other.leaseHolder("POS/A")?.terminalId).toBe("one");
    expect(one.leaseHolder("POS/A")?.terminalId).toBe("one");
    await short.close();
  });

  it("a terminal is notified when a manager takes over its lease [CLIENT-51]", async () => {
    const [one, other] = [await startTerminal(), await startTerminal()];
    const posReference = fresh("POS/A");
    const lost: unknown[] = [];
    one.on("leaseLost", (event) => lost.push(event));
    await one.acquireLease(posReference);
    await other.acquireLease(posReference, { takeover: true });
    await eventually(() => lost).toMatchObject([{ posReference, by: { terminalId: other.deviceId } }]);
  });

  it("a terminal shows where another terminal's user is, also after a reconnect [CLIENT-52]", async () => {
    const wire = await wireToHub();
    const [one, other] = [await startTerminal({ url: wire.url }), await startTerminal()];
    const whereIsOne = () => other.presence().find(({ terminalId }) => terminalId === one.deviceId)?.tableId;
    one.setPresence({ tableId: 3 });
    await eventually(whereIsOne).toBe(3);
    wire.cut();
    await eventually(whereIsOne).toBeUndefined();
    await eventually(whereIsOne).toBe(3);
  });

  it("locked and reserved tables show on other terminals", async () => {
    const [one, other] = [await startTerminal(), await startTerminal()];
    const table = (tableId: number) => other.tables().find((each) => each.tableId === tableId);
    await one.lockTable(35);
    await eventually(() => table(35)?.lock?.terminalId).toBe(one.deviceId);
    await expect(other.lockTable(35)).rejects.toThrow(/locked by/);
    await one.unlockTable(35);
    await eventually(() => table(35)?.lock).toBeNull();
    await one.reserveTable(36);
    await eventually(() => table(36)?.status).toBe("reserved");
    await one.unreserveTable(36);
    await eventually(() => table(36)?.status).toBe("available");
  });

  it("a terminal works over the browser's WebSocket [CLIENT-23]", async () => {
    const terminal = await startTerminal({ openSocket: openWebSocket, storage: memoryStorage() });
    terminal.openOrder(newOrder(fresh("POS/A"), [lineOf("soup", 350)]));
    await terminal.idle();
    expect(terminal.conflicts()).toEqual([]);
  });

  it("the hub's normalized form of an order causes no conflict with a quick second change [CLIENT-38]", async () => {
    const terminal = await startTerminal();
    const posReference = fresh("POS/A");
    terminal.openOrder({ posReference, lines: [{ id: "soup", productId: 5, quantity: 1, unitPrice: 100 }] });
    terminal.editOrder(posReference, (content) => ({ ...content, guestCount: 3, staffName: "Ana" }));
    terminal.editOrder(posReference, (content) => {
      const lines = (content.lines ?? []).map((line) => ({ ...line, quantity: 2, total: 200 }));
      return { ...content, lines, totals: totalsOfLines(lines) };
    });
    await terminal.idle();
    expect(terminal.conflicts()).toEqual([]);
    expect(terminal.order(posReference)).toMatchObject({
      version: 3,
      snapshot: { guestCount: 3, staffName: "Ana", lines: [{ quantity: 2, total: 200 }], totals: { total: 200 } },
    });
  });
});

function setNote<T extends { lines?: { note?: string | null | undefined }[] | undefined }>(
  content: T,
  note: string,
): T {
  return { ...content, lines: content.lines?.map((line) => ({ ...line, note })) };
}

describe("limits of the hub", () => {
  it("a terminal leases an order before it creates it [CLIENT-98]", async () => {
    const [one, other] = [await startTerminal(), await startTerminal()];
    const posReference = fresh("POS/A");
    await one.acquireLease(posReference);
    await expect(other.acquireLease(posReference)).rejects.toThrow(LeaseDeniedError);
  });

  it("a terminal flushes an outbox of 1,000 changes without a refusal [CLIENT-99]", { tags: "long" }, async () => {
    const terminal = await startTerminal();
    const troubles: unknown[] = [];
    terminal.on("trouble", ({ error }) => troubles.push(error));
    for (let n = 0; n < 1_000; n += 1) {
      const order = newOrder(fresh("POS/F"), [lineOf("soup", 350)]);
      // Takeout, because no restaurant has so many tables.
      terminal.openOrder({ ...order, orderType: "takeout", tableId: null });
    }
    expect(terminal.outbox().pending).toBe(1_000);
    await terminal.idle();
    expect([terminal.outbox().pending, terminal.conflicts(), troubles]).toEqual([0, [], []]);
  });
});
