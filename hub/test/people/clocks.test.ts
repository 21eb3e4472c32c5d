// @module-tag long
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { keepSealed } from "../../db/integrity/sealed-tables.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { type ManualClock, manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startReceiver } from "../support/start-receiver.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { broadcastOrder } from "../support/broadcast-order.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEARS = 74 * 365 * DAY;

const iso = (ms: number): string => new Date(ms).toISOString();

/** Connects with a new token while the back-office is unreachable. Returns the hub's first answer. */
async function reconnect(hub: TestHub, deviceId: string) {
  const terminal = await openSocket(hub.url);
  terminal.send({ type: "AUTH", token: await hub.signIn("waiter"), deviceId });
  return until("an answer", () => terminal.received[0]);
}

describe("sales with a wrong clock", () => {
  /** Starts a hub that knows its POS session, with helpers to sell and to read what screens and terminals report. */
  async function startSelling() {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    await until("the session is known", async () => {
      clock.advance(500);
      return (await call("closing")).body.session !== null;
    });
    return {
      clock,
      hub,
      call,
      async sold() {
        const headers = { Authorization: `Bearer ${await hub.signIn("cashier")}` };
        const { orders } = (await hub.send("GET", "/terminal/v1/orders/recent", { headers })).body;
        return {
          closing: (await call("closing")).body.totals.paidAmount,
          sales: (await call("sales")).body.totals.paidAmount,
          unassigned: (await call("noShift")).body.byMethod.map(({ sales }: { sales: number }) => sales),
          refunded: (await call("closing")).body.totals.refunds?.amount ?? 0,
          numbers: orders
            .map((order: { snapshot: { ticketNumber: string } }) => order.snapshot.ticketNumber)
            .toSorted(),
        };
      },
      async sell(posReference: string, total: number) {
        const till = await hub.terminal({ login: "cashier", deviceId: "till" });
        const lines = [{ id: "a", productId: 101, quantity: 1, unitPrice: total, total }];
        const snapshot = terminalSnapshot({ orderType: "takeout", tableId: null, lines });
        await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
        const payments = [{ methodId: 1, amount: total }];
        await till.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments, fiscal: { type: "E32" } });
        till.close();
      },
      async refund(posReference: string, amount: number) {
        const body = { refundId: crypto.randomUUID(), reason: "frío", refund: [{ methodId: 1, amount }] };
        await until("the refund", async () => {
          clock.advance(500);
          return (await call("refund", { params: { posReference }, body })).status === 200;
        });
      },
    };
  }

  it.each(["1970-01-01T00:00:00Z", "2019-01-01T00:00:00Z"])(
    "sales and numbers continue while the clock shows %s, until it is right [CLOCK-134]",
    async (shown) => {
      const { clock, hub, call, sell, sold } = await startSelling();
      await sell("A", 100);
      await hub.backOffice.kill();
      const behind = clock.world.clock.now() - Date.parse(shown);
      await hub.restart(() => clock.reboot(-behind));
      await sell("B", 20);
      clock.jumpWall(behind + 60_000);
      await sell("C", 3);
      const evening = {
        closing: 123,
        sales: 123,
        unassigned: [123],
        refunded: 0,
        numbers: ["T-001", "T-002", "T-003"],
      };
      expect(await sold()).toEqual(evening);
      await hub.restart();
      expect(await sold()).toEqual(evening);
      const { order } = (await call("order", { params: { posReference: "B" } })).body;
      expect(order.snapshot.paidAt).toMatch(/^2026-11-20/);
    },
  );

  it.each([-DAY, DAY, -300 * DAY, 300 * DAY])(
    "a sale belongs to the session in which it was paid, though the clock was wrong by %i ms meanwhile [CLOCK-135]",
    async (byMs) => {
      const { clock, hub, call, sell, refund, sold } = await startSelling();
      const openNext = async () => {
        await hub.backOffice.control("POST", "/session", { open: false });
        await hub.backOffice.control("POST", "/session", { open: true });
        await until("the next session", async () => {
          clock.advance(1_000);
          return (await call("closing")).body.totals.paidAmount === 0;
        });
      };
      await sell("A", 100);
      clock.advance(HOUR);
      await openNext();
      await sell("B", 20);
      clock.jumpWall(byMs);
      await sell("C", 3);
      await refund("A", 100);
      clock.jumpWall(-byMs);
      await hub.restart();
      const { numbers, ...amounts } = await sold();
      expect({ ...amounts, checks: numbers.length }).toEqual({
        closing: 23,
        sales: 23,
        refunded: 100,
        unassigned: [23],
        checks: 2,
      });
      await openNext();
      await hub.restart();
      await sell("D", 7);
      expect(await sold()).toMatchObject({ closing: 7, sales: 7, refunded: 0, unassigned: [7] });
    },
  );

  it("a session began when it did after a PC that lost its clock overnight learns the time [CLOCK-135]", async () => {
    const { clock, hub, call } = await startSelling();
    const since = async () => (await call("closing")).body.session.since;
    const began = await since();
    await hub.restart(() => clock.reboot(14 * HOUR - YEARS));
    expect(await since()).toBe(began);
    clock.jumpWall(YEARS);
    clock.advance(60_000);
    await trust(hub, clock);
    expect(await since()).toBe(began);
  });

  it("sales belong to the session that began while the clock was ahead, after it is corrected [CLOCK-135]", async () => {
    const { clock, hub, call, sell, sold } = await startSelling();
    await sell("A", 100);
    clock.jumpWall(-6 * HOUR);
    await trust(hub, clock);
    await sell("B", 20);
    const evening = { closing: 120, sales: 120, unassigned: [120], refunded: 0, numbers: ["T-001", "T-002"] };
    expect(await sold()).toEqual(evening);
    await hub.restart();
    await sell("C", 3);
    expect(await sold()).toMatchObject({ closing: 123, sales: 123, numbers: ["T-001", "T-002", "T-003"] });
    const { since } = (await call("closing")).body.session;
    expect(clock.world.clock.now() - Date.parse(since)).toBeLessThan(HOUR);
  });
});

describe("identities during an outage", () => {
  it.each([25 * HOUR, -25 * HOUR, YEARS])(
    "an identity stays valid during an outage when the clock moves by %i ms [CLOCK-12]",
    async (jump) => {
      const clock = manualClock();
      const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
      (await hub.terminal()).close();
      await hub.backOffice.kill();
      clock.jumpWall(jump);
      expect(await reconnect(hub, "one")).toMatchObject({ type: "AUTH_OK", offline: true });
      clock.advance(61_000);
      await hub.restart(() => clock.jumpWall(-jump / 2));
      expect(await reconnect(hub, "two")).toMatchObject({ type: "AUTH_OK", offline: true });
      clock.advance(DAY);
      expect(await reconnect(hub, "three")).toMatchObject({ type: "AUTH_FAILED", errorCode: "UPSTREAM_UNAVAILABLE" });
    },
  );

  it("an identity is forgotten when the machine was off for more than 24 h [CLOCK-12]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    (await hub.terminal()).close();
    await hub.backOffice.kill();
    await hub.restart(() => clock.reboot(23 * HOUR));
    expect(await reconnect(hub, "one")).toMatchObject({ type: "AUTH_OK", offline: true });
    await hub.restart(() => clock.reboot(2 * HOUR));
    expect(await reconnect(hub, "two")).toMatchObject({ type: "AUTH_FAILED" });
    await hub.restart(() => clock.reboot(30 * DAY));
    expect(await reconnect(hub, "three")).toMatchObject({ type: "AUTH_FAILED" });
  });

  it("an identity stays valid when the back-office's time has corrected the clock [CLOCK-13]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    (await hub.terminal()).close();
    clock.jumpWall(8 * DAY);
    await trust(hub, clock);
    await hub.backOffice.kill();
    expect(await reconnect(hub, "one")).toMatchObject({ type: "AUTH_OK", offline: true });
    await hub.restart();
    expect(await reconnect(hub, "two")).toMatchObject({ type: "AUTH_OK", offline: true });
  });
});

/** Makes the back-office confirm the hub's clock. */
async function trust(hub: TestHub, clock: ReturnType<typeof manualClock>): Promise<void> {
  await hub.backOffice.control("POST", "/quirks", { date: iso(clock.world.clock.now()) });
  await operatorOf(hub)("tryBackOffice");
}

/** Waits for the daily backup, which follows soon after the start of maintenance. Stopping the hub waits for the rest. */
async function maintenance(hub: TestHub, clock: ReturnType<typeof manualClock>): Promise<void> {
  const backups = path.join(path.dirname(hub.dbPath), "backups");
  const day = iso(clock.world.clock.now()).slice(0, 10);
  await until("the maintenance", () => {
    clock.advance(100);
    return existsSync(backups) && readdirSync(backups).some((name) => name.includes(day) && name.endsWith(".sqlite"));
  });
}

/** Opens the data file of a stopped hub for `work`. */
function inFile(hub: TestHub, work: (db: Database.Database) => void): void {
  const db = new Database(hub.dbPath);
  keepSealed(db);
  work(db);
  db.close();
}

/** Makes one webhook delivery and returns a function that lists deliveries. */
async function deliverOne(hub: TestHub) {
  const call = operatorOf(hub);
  const receiver = await startReceiver();
  await call("createWebhook", { body: { url: receiver.url, events: ["order.created"] } });
  const terminal = await hub.terminal();
  await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
  const deliveries = async () => (await call("deliveries")).body.deliveries as { state: string; createdAt: string }[];
  await until("delivered", async () => (await deliveries())[0]?.state === "delivered");
  return deliveries;
}

describe("deletion by age", () => {
  it("webhook deliveries are kept while the clock is wrong, and deleted when it is corrected [CLOCK-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    const deliveries = await deliverOne(hub);
    await hub.restart(() => {
      clock.jumpWall(30 * DAY);
      clock.advance(8 * DAY);
    });
    await until("a call", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    clock.advance(DAY);
    await call("tryBackOffice");
    expect(await deliveries()).toHaveLength(1);
    clock.jumpWall(-30 * DAY);
    await trust(hub, clock);
    await until("forgotten", async () => (await deliveries()).length === 0);
  });

  it("webhook deliveries do not age when the clock is corrected [CLOCK-13]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const deliveries = await deliverOne(hub);
    const at = clock.world.clock.now();
    clock.jumpWall(8 * DAY);
    await trust(hub, clock);
    // The start prunes deliveries that are too old.
    await hub.restart();
    await until("a call", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    expect(await deliveries()).toMatchObject([{ createdAt: iso(at + 8 * DAY) }]);
  });

  it("a webhook delivery of a clock that was behind for a moment is no older when that is right again [CLOCK-13]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const minute = async () => {
      clock.advance(60_000);
      await hub.send("GET", "/health");
    };
    clock.jumpWall(-8 * DAY);
    await minute();
    const deliveries = await deliverOne(hub);
    const at = clock.world.clock.now();
    clock.jumpWall(8 * DAY);
    await minute();
    await hub.restart();
    await until("a call", async () => (await hub.send("GET", "/health")).body.lastErpSync);
    expect(await deliveries()).toMatchObject([{ createdAt: iso(at + 8 * DAY) }]);
  });

  it("webhook deliveries of yesterday keep their time when a PC that lost its clock overnight learns it [CLOCK-13]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const deliveries = await deliverOne(hub);
    const [{ createdAt } = { createdAt: "" }] = await deliveries();
    await hub.restart(() => clock.reboot(14 * HOUR - YEARS));
    await hub.send("GET", "/health");
    clock.jumpWall(YEARS);
    clock.advance(60_000);
    await hub.send("GET", "/health");
    await trust(hub, clock);
    expect(await deliveries()).toMatchObject([{ createdAt }]);
  });

  it("identities and mutations are kept while the clock is wrong, and deleted when it is corrected [CLOCK-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    (await hub.terminal()).close();
    const counts: number[][] = [];
    const count = (db: Database.Database): void => {
      const of = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
      counts.push([of("identities"), of("mutations")]);
    };
    await hub.backOffice.kill();
    await hub.restart(() => {
      inFile(hub, (db) => {
        const add = db.prepare("INSERT INTO mutations (mutation_id, digest, answer, at) VALUES (?, '', '{}', ?)");
        const at = clock.world.clock.now();
        db.transaction(() => Array.from({ length: 10_100 }, (_, n) => add.run(`m${n}`, at)))();
      });
      clock.jumpWall(30 * DAY);
      clock.advance(9 * DAY);
    });
    await maintenance(hub, clock);
    await hub.restart(() => {
      inFile(hub, count);
      clock.jumpWall(-30 * DAY);
    });
    await maintenance(hub, clock);
    await hub.restart(() => inFile(hub, count));
    expect(counts).toEqual([
      [1, 10_100],
      [0, 10_000],
    ]);
  });

  it("an identity that the back-office confirmed stays valid after a day in 2100 [CLOCK-10]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    (await hub.terminal()).close();
    await hub.backOffice.kill();
    await hub.restart(() => clock.reboot(YEARS));
    await maintenance(hub, clock);
    await hub.restart(() => clock.reboot(HOUR - YEARS));
    expect(await reconnect(hub, "one")).toMatchObject({ type: "AUTH_OK", offline: true });
  });

  it.each([
    ["a restart of the hub", (clock: ReturnType<typeof manualClock>, ms: number) => clock.jumpWall(ms)],
    ["a reboot", (clock: ReturnType<typeof manualClock>, ms: number) => clock.reboot(ms)],
  ])("plugin records live for their whole time over %s in 2100 [CLOCK-11]", async (_, move) => {
    const clock = manualClock();
    const env = { HUB_ENABLED_PLUGINS: "reservations" };
    const hub = await startTestHub({ env, world: clock.world });
    const { external, keys } = await recordsOf(hub);
    await external.post(events, { key: "r", payload: {}, ttlSeconds: 10 * 3_600 });
    await hub.restart(() => move(clock, YEARS));
    clock.advance(11_000);
    expect(await keys()).toEqual(["r"]);
    const terminal = await hub.terminal();
    expect(terminal.sync.pluginRecords).toMatchObject([{ key: "r" }]);
    await hub.restart(() => move(clock, -YEARS));
    expect(await keys()).toEqual(["r"]);
    clock.jumpWall(20 * HOUR);
    expect(await keys()).toEqual(["r"]);
    clock.advance(10 * HOUR);
    await until("expired", async () => (await keys()).length === 0);
  });

  it.each([DAY, -DAY])(
    "kitchen tickets do not age when the clock is corrected by %i ms, over a restart too [CLOCK-13]",
    async (byMs) => {
      const clock = manualClock();
      const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
      const terminal = await hub.terminal();
      await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
      await terminal.change({ type: "ORDER_SEND", posReference: "A" });
      const { ticket } = await terminal.next("TICKET_CHANGED");
      clock.jumpWall(byMs);
      await trust(hub, clock);
      const sentAt = iso(Date.parse(ticket.sentAt) + byMs);
      expect((await terminal.next("TICKET_CHANGED")).ticket).toEqual({ ...ticket, sentAt });
      terminal.close();
      await hub.restart();
      for (let minutes = 0; minutes < 32; minutes += 1) {
        clock.advance(60_000);
        await hub.send("GET", "/health");
      }
      expect((await operatorOf(hub)("kitchen")).body.tickets).toMatchObject([{ sentAt }]);
    },
  );

  it.each([
    { how: "was set back for a moment", offMs: -DAY },
    { how: "was set ahead for a moment", offMs: DAY },
    { how: "is put right while the hub is off", offMs: -DAY, isOff: true },
    { how: "was behind after a night", stop: (clock: ManualClock) => clock.reboot(14 * HOUR), offMs: -2 * DAY },
    { how: "was lost in a long absence", stop: (clock: ManualClock) => clock.reboot(5 * DAY), offMs: -YEARS },
  ])("kitchen tickets do not age when the clock $how [CLOCK-13]", async ({ stop, offMs, isOff = false }) => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const tickets = async (): Promise<{ sentAt: string }[]> => (await operatorOf(hub)("kitchen")).body.tickets;
    const send = async (posReference: string) => {
      const terminal = await hub.terminal();
      await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot() });
      await terminal.change({ type: "ORDER_SEND", posReference });
      terminal.close();
    };
    const cook = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.advance(60_000);
        await hub.send("GET", "/health");
      }
    };
    await send("BEFORE");
    await cook(2);
    await hub.restart(() => stop?.(clock));
    const before = clock.world.clock.now();
    clock.jumpWall(offMs);
    await cook(2);
    await send("MEANWHILE");
    await cook(2);
    if (isOff) await hub.restart(() => clock.jumpWall(-offMs));
    else clock.jumpWall(-offMs);
    await cook(2);
    await send("AFTER");
    await trust(hub, clock);
    await cook(32);
    const sent = (await tickets()).map(({ sentAt }) => Math.round((Date.parse(sentAt) - before) / 60_000));
    expect(sent.slice(-2)).toEqual([2, 6]);
  });

  it("plugin records move when the hub's clock is corrected, and terminals are notified [CLOCK-13]", async () => {
    const clock = manualClock();
    const env = { HUB_ENABLED_PLUGINS: "reservations" };
    const hub = await startTestHub({ env, world: clock.world });
    const { external, keys } = await recordsOf(hub);
    const terminal = await hub.terminal();
    const { body } = await external.post(events, { key: "r", payload: { n: 1 }, ttlSeconds: 20 });
    await external.post(events, { key: "forever", payload: {} });
    clock.jumpWall(8 * DAY);
    await trust(hub, clock);
    const { record } = await terminal.next("PLUGIN_RECORD", ({ record: { version } }) => version === 2);
    expect(record).toEqual({
      ...body,
      version: 2,
      createdAt: iso(Date.parse(body.createdAt) + 8 * DAY),
      updatedAt: iso(Date.parse(body.updatedAt) + 8 * DAY),
      expiresAt: iso(Date.parse(body.expiresAt) + 8 * DAY),
    });
    expect(await keys()).toEqual(["forever", "r"]);
    clock.advance(19_000);
    expect(await keys()).toEqual(["forever", "r"]);
    await until("the removal", () => {
      clock.advance(1_000);
      return terminal.received.some((message) => message.type === "PLUGIN_REMOVED" && message.key === "r");
    });
    expect(await keys()).toEqual(["forever"]);
  });
});

const events = "/plugins/reservations/events";

async function recordsOf(hub: TestHub) {
  const external = hub.external();
  const keys = async (): Promise<string[]> =>
    (await external.get(events)).body.events.map((record: { key: string }) => record.key);
  return { external, keys };
}

describe("contradictions of the back-office", () => {
  it("a clock that the back-office contradicts is reported on the screens, once [CLOCK-3]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ ownBackOffice: true, world: clock.world });
    const call = operatorOf(hub);
    await hub.backOffice.control("POST", "/quirks", { date: iso(clock.world.clock.now() - HOUR) });
    await call("tryBackOffice");
    await call("tryBackOffice");
    const received = (await call("feed")).body.entries.filter(
      (entry: { kind: string }) => entry.kind === "clock_differs",
    );
    expect(received).toMatchObject([{ level: "warn" }]);
  });
});

describe("leases", () => {
  it.each([
    [0, HOUR],
    [0, -HOUR],
    [HOUR, 0],
    [-HOUR, 0],
  ])(
    "leases live on when the clock moves by %i ms before and %i ms during a restart [CLOCK-18]",
    async (before, during) => {
      const clock = manualClock();
      const hub = await startTestHub({ world: clock.world });
      clock.jumpWall(before);
      const terminal = await hub.terminal();
      await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
      terminal.send({ type: "LEASE_ACQUIRE", posReference: "A" });
      await terminal.next("LEASE_GRANTED");
      clock.advance(20_000);
      await hub.restart(() => clock.jumpWall(during));
      const leases = async () => (await hub.send("GET", "/health")).body.activeLeases;
      clock.advance(39_000);
      expect(await leases()).toBe(1);
      clock.advance(1_000);
      await until("ended", async () => (await leases()) === 0);
    },
  );
});

describe("terminals' clocks", () => {
  const upsert = (posReference: string, queuedAt: string) => ({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion: 0,
    snapshot: terminalSnapshot(),
    queuedAt,
  });
  const pay = (posReference: string, queuedAt: string) => ({
    type: "ORDER_PAY",
    posReference,
    baseVersion: 1,
    payments: [{ methodId: 1, amount: 100 }],
    queuedAt,
  });

  /** Starts a new hub with a terminal whose clock is `ahead` ms ahead of the hub's. */
  async function setUp({ ahead = 0, sendsTime = true } = {}) {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "till" });
    let offsetMs = clock.world.clock.now() + ahead - clock.world.clock.monotonic();
    const now = (): number => clock.world.clock.monotonic() + offsetMs;
    const heartbeat = async (): Promise<void> => {
      terminal.send({ type: "HEARTBEAT", ...(sendsTime && { clientTime: iso(now()) }) });
      await terminal.next("HEARTBEAT_ACK");
    };
    await heartbeat();
    return {
      clock,
      hub,
      terminal,
      now,
      heartbeat,
      /** Moves the terminal's clock by `byMs`. */
      set: (byMs: number): void => void (offsetMs += byMs),
      offset: async (): Promise<number> => (await operatorOf(hub)("terminals")).body.terminals[0].clockOffsetMs,
    };
  }

  it.each([
    [8 * DAY, true],
    [8 * DAY, false],
    [-8 * DAY, true],
    [-8 * DAY, false],
  ])(
    "queued changes are accepted when the hub's clock moves by %i ms (terminal sends its time: %s) [CLOCK-14]",
    async (jump, sendsTime) => {
      const { clock, terminal, now } = await setUp({ sendsTime });
      const before = iso(now());
      clock.jumpWall(jump);
      expect(await terminal.change(upsert("A", before))).toMatchObject({ version: 1 });
      expect(await terminal.change(upsert("B", iso(now())))).toMatchObject({ version: 1 });
      expect(await terminal.change(pay("A", before))).toMatchObject({ version: 2 });
      expect(await terminal.change(pay("B", iso(now())))).toMatchObject({ version: 2 });
    },
  );

  it("a change is accepted while the hub's clock jumps by forty years [CLOCK-14]", async () => {
    const { clock, terminal, now } = await setUp();
    const { clock: time } = clock.world;
    const read = time.now;
    for (let jumpsAt = 1; jumpsAt <= 12; jumpsAt += 1) {
      let reads = 0;
      time.now = () => {
        if ((reads += 1) === jumpsAt) clock.jumpWall(14_600 * DAY);
        return read();
      };
      const answer = await terminal.change(upsert(`A${jumpsAt}`, iso(now())));
      expect(answer, `a jump at the read ${jumpsAt}`).toMatchObject({ version: 1 });
      clock.jumpWall(reads >= jumpsAt ? -14_600 * DAY : 0);
    }
  });

  it("kitchens and managers see when a change was queued, by the hub's corrected clock [CLOCK-14]", async () => {
    const { clock, hub, terminal, now, heartbeat } = await setUp({ ahead: -3 * HOUR });
    await terminal.change(upsert("A", iso(now())));
    await terminal.change(upsert("B", iso(now())));
    const queuedAt = iso(now());
    for (let i = 0; i < 12; i += 1) {
      clock.advance(30_000);
      await heartbeat();
    }
    clock.jumpWall(8 * DAY);
    const right = iso(clock.world.clock.now() - 360_000);
    await terminal.change({ type: "ORDER_SEND", posReference: "A", queuedAt });
    const sent = await broadcastOrder(terminal, "A", 2);
    expect((await terminal.next("TICKET_CHANGED")).ticket).toMatchObject({ late: true, queuedAt: right });
    expect(sent.snapshot.lines).toMatchObject([{ queuedAt: right }]);
    await terminal.change({ type: "ORDER_SEND", posReference: "B", queuedAt: iso(now() - 60_000) });
    expect((await terminal.next("TICKET_CHANGED")).ticket).not.toHaveProperty("late");
    await terminal.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 2 });
    expect(await refusal(terminal.change(pay("B", queuedAt)))).toMatchObject({ errorCode: "NOT_FOUND" });
    const { payments } = (await operatorOf(hub)("payments")).body;
    expect(payments).toMatchObject([{ posReference: "B", takenAt: right }]);
  });

  it("managers see a terminal's clock offset from the hub's corrected clock [CLOCK-15]", async () => {
    const { clock, terminal, hub, offset } = await setUp({ ahead: -3 * HOUR });
    expect(await offset()).toBe(-3 * HOUR);
    clock.jumpWall(-3 * HOUR);
    expect(await offset()).toBe(0);
    terminal.close();
    await until("away", async () => (await operatorOf(hub)("terminals")).body.terminals[0].state !== "connected");
    expect(await offset()).toBe(0);
  });

  it.each([8 * DAY, -8 * DAY])(
    "changes queued before and after the terminal's own clock was set by %i ms are accepted [CLOCK-16]",
    async (byMs) => {
      const { clock, terminal, now, heartbeat, set } = await setUp({ ahead: -byMs });
      clock.advance(30_000);
      await heartbeat();
      const before = iso(now() - 20_000);
      set(byMs);
      await heartbeat();
      clock.advance(5_000);
      expect(await terminal.change(upsert("A", before))).toMatchObject({ version: 1 });
      expect(await terminal.change(upsert("B", iso(now())))).toMatchObject({ version: 1 });
    },
  );

  it("changes queued by a wrong clock are accepted when it is right at the reconnect [CLOCK-16]", async () => {
    const { clock, hub, terminal, now, set } = await setUp({ ahead: -8 * DAY });
    const queuedAt = iso(now());
    terminal.close();
    await until("away", async () => (await operatorOf(hub)("terminals")).body.terminals[0].state !== "connected");
    clock.advance(HOUR);
    set(8 * DAY);
    const again = await openSocket(hub.url);
    const token = await hub.signIn("cashier");
    again.send({ type: "AUTH", token, deviceId: "till", clientTime: iso(now()) });
    again.send({ ...upsert("A", queuedAt), mutationId: crypto.randomUUID() });
    expect(await again.first("ORDER_ACK")).toMatchObject({ version: 1 });
  });

  it("changes older than 7 days are accepted as long as the hub remembers everything since [CLOCK-17]", async () => {
    const { clock, hub, terminal, now } = await setUp();
    await terminal.change(upsert("FIRST", iso(now())));
    terminal.close();
    clock.advance(9 * DAY);
    const later = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(await later.change(upsert("A", iso(now() - 8 * DAY)))).toMatchObject({ version: 1 });
    expect(await refusal(later.change(upsert("B", iso(now() - 10 * DAY))))).toMatchObject({
      errorCode: "MUTATION_TOO_OLD",
    });
  });
});
