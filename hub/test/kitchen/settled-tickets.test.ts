import { copyFileSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { DAY_MS, type KitchenTicket } from "@comanda/protocol";
import type Database from "better-sqlite3";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { checkAll } from "../../db/integrity/check.ts";
import { DICTIONARY } from "../../db/rows/pack-dictionary.ts";
import { packBody, plainBody } from "../../db/rows/pack.ts";
import { registerSeal } from "../../db/rows/seal.ts";
import { learnJob } from "../../learned/learn-job.ts";
import { MAX_OVER } from "../../kitchen/ticket-lists.ts";
import { createTicketStore } from "../../kitchen/ticket-store.ts";
import { realWorld } from "../../platform/world.ts";
import { tidyOffline } from "../support/tidy-offline.ts";
import { openFile } from "../orders/aged-file.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal } from "../support/connect-terminal.ts";
import { tempFolder } from "../support/data/data-files.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const world = realWorld(pino({ level: "silent" }));

/** Runs the retention of a closed data file as if some days had passed. */
function tidyAfter(dbPath: string, days: number): void {
  const db = openFile(dbPath);
  const now = world.clock.now() + days * DAY_MS;
  tidyOffline(db, { ...world, clock: { ...world.clock, now: () => now } }, { historyDays: 60, retentionDays: 400 });
  db.close();
}

function inCopy<T>(dbPath: string, work: (db: Database.Database) => T): T {
  const copy = path.join(tempFolder(), "copy.sqlite");
  copyFileSync(dbPath, copy);
  const db = openFile(copy);
  registerSeal(db);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const rowsOf = (dbPath: string): string[] =>
  inCopy(dbPath, (db) =>
    db.prepare<[], string>("SELECT ticket_id FROM tickets WHERE ticket_id NOT LIKE 'later-%'").pluck().all(),
  );

const ticketsOf = (dbPath: string, posReference: string): KitchenTicket[] =>
  inCopy(dbPath, (db) =>
    createTicketStore(db)
      .listByOrder(posReference)
      .tickets.map(({ ticket }) => ticket),
  );

/** Adds as many later finished tickets as lists show, so earlier ones drop out. */
function addLater(dbPath: string): void {
  const db = openFile(dbPath);
  const body =
    db.prepare<[], string>("SELECT body FROM tickets WHERE is_over = 1 AND packed IS NULL LIMIT 1").pluck().get() ?? "";
  const insert = db.prepare(`
    INSERT INTO tickets (ticket_id, pos_reference, seq, is_over, sent_at, body) VALUES (@id, 'LATER', @seq, 1, @at, @body)`);
  const seq = Number(db.prepare("SELECT seq FROM hub_state").pluck().get());
  for (let n = 1; n <= MAX_OVER; n += 1) {
    const ticket = { ...(JSON.parse(body) as KitchenTicket), id: `later-${n}`, posReference: "LATER" };
    insert.run({ id: ticket.id, seq: seq + n, at: world.clock.now(), body: JSON.stringify(ticket) });
  }
  db.prepare("UPDATE hub_state SET seq = ?").run(seq + MAX_OVER);
  db.close();
}

/** Returns a stopped hub with a check that was sent twice, split, cooked, paid and forwarded. */
async function servedHub() {
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier" });
  const dish = (id: string, quantity: number) => ({
    id,
    productId: 101,
    quantity,
    unitPrice: 10,
    total: 10 * quantity,
  });
  const write = (posReference: string, baseVersion: number, lines: object[]) => ({
    posReference,
    baseVersion,
    snapshot: terminalSnapshot({ lines }),
  });
  const send = async (): Promise<string> =>
    String((await till.change({ type: "ORDER_SEND", posReference: "A" })).kitchenTicketId);
  const bump = (kitchenTicketId: string, lineId: string, preparedQuantity: number) =>
    till.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId, preparedQuantity });
  await till.change({ type: "ORDER_UPSERT", ...write("A", 0, [dish("soup", 4)]) });
  const first = await send();
  const { hubId, epoch, seq } = (await hub.terminal()).sync;
  const { version = 0 } = await bump(first, "soup", 4);
  await till.change({ type: "ORDER_UPSERT", ...write("A", version, [dish("soup", 4), dish("beer", 2)]) });
  const second = await send();
  const { version: bumpedVersion = 0 } = await bump(second, "beer", 2);
  await till.change({
    type: "ORDER_BATCH",
    orders: [write("A", bumpedVersion, [dish("soup", 3), dish("beer", 2)]), write("B", 0, [dish("soup", 1)])],
  });
  const pay = (posReference: string, baseVersion: number, amount: number) =>
    till.change({ type: "ORDER_PAY", posReference, baseVersion, payments: [{ methodId: 1, amount }] });
  await pay("A", bumpedVersion + 1, 50);
  await pay("B", 1, 10);
  const statusOf = async (ref: string) => (await hub.external().get(`/orders/${ref}`)).body.snapshot.status;
  await until("forwarding", async () => (await statusOf("A")) === "closed" && (await statusOf("B")) === "closed");
  till.close();
  const before = { A: await answers(hub, "A"), B: await answers(hub, "B") };
  await hub.hub.stop();
  addLater(hub.dbPath);
  return { hub, first, second, before, since: { hubId, epoch, seq } };
}

/** Reads everything the APIs show of a check. */
async function answers(hub: TestHub, posReference: string) {
  const call = operatorOf(hub);
  const params = { posReference };
  return {
    detail: (await call("order", { params })).body,
    versions: (await call("orderVersions", { params })).body,
    timeline: (await call("orderTimeline", { params })).body,
    external: (await hub.external().get(`/orders/${posReference}`)).body,
  };
}

describe("tickets of inactive checks ", () => {
  it("tickets move into the packs of their checks after a week, and no answer changes [KEEP-21]", async () => {
    const { hub, first, second, before } = await servedHub();
    const [a, b] = [ticketsOf(hub.dbPath, "A"), ticketsOf(hub.dbPath, "B")];
    expect([a.map(({ id }) => id), b.map(({ id }) => id)]).toEqual([[first, second], [first]]);
    tidyAfter(hub.dbPath, 6);
    expect(rowsOf(hub.dbPath).toSorted()).toEqual([first, second].toSorted());
    tidyAfter(hub.dbPath, 8);
    expect(rowsOf(hub.dbPath)).toEqual([]);
    inCopy(hub.dbPath, (db) => {
      expect(db.prepare("SELECT count(*) FROM ticket_orders").pluck().get()).toBe(0);
      expect(db.prepare("SELECT packing FROM orders").pluck().all()).toEqual([3, 3]);
      expect(checkAll(db)).toMatchObject({ ok: true });
      expect(createTicketStore(db).get(first)?.ticket).toEqual(a[0]);
      expect(createTicketStore(db).listAllHolders(first).toSorted()).toEqual(["A", "B"]);
      expect(createTicketStore(db).wasOver(second)).toBe(true);
      expect(createTicketStore(db).get("none")).toBe(null);
    });
    expect([ticketsOf(hub.dbPath, "A"), ticketsOf(hub.dbPath, "B")]).toEqual([a, b]);
    await hub.restart();
    expect({ A: await answers(hub, "A"), B: await answers(hub, "B") }).toEqual(before);
    await hub.hub.stop();
    // Thinning does not change tickets.
    tidyAfter(hub.dbPath, 70);
    expect([ticketsOf(hub.dbPath, "A"), ticketsOf(hub.dbPath, "B")]).toEqual([a, b]);
    inCopy(hub.dbPath, (db) => expect(db.prepare("SELECT packing FROM orders").pluck().all()).toEqual([4, 4]));
  });

  it("a bump takes a ticket out of its pack, and retention packs it again [KEEP-21]", async () => {
    const { hub, first, second } = await servedHub();
    tidyAfter(hub.dbPath, 8);
    await hub.restart();
    const cook = await hub.terminal({ login: "cashier" });
    expect(cook.sync.tickets).toEqual([]);
    await cook.change({ type: "KITCHEN_BUMP", kitchenTicketId: first, lineId: "soup", preparedQuantity: 3 });
    expect(await cook.next("TICKET_CHANGED")).toMatchObject({ ticket: { id: first, isOver: false } });
    const observer = await hub.terminal();
    expect(observer.sync.tickets).toMatchObject([{ id: first, lines: [{ preparedQuantity: 3 }] }]);
    for (const posReference of ["A", "B"]) {
      expect(await cook.change({ type: "ORDER_SEND", posReference })).not.toHaveProperty("kitchenTicketId");
    }
    await cook.change({ type: "KITCHEN_BUMP", kitchenTicketId: first, lineId: "soup", preparedQuantity: 4 });
    await hub.hub.stop();
    expect(rowsOf(hub.dbPath)).toContain(first);
    const a = ticketsOf(hub.dbPath, "A");
    expect(a.map(({ id }) => id)).toEqual([first, second]);
    const db = openFile(hub.dbPath);
    db.exec("UPDATE tickets SET ticket_id = 'more-' || ticket_id WHERE ticket_id LIKE 'later-%'");
    db.close();
    addLater(hub.dbPath);
    for (const days of [8, 9]) tidyAfter(hub.dbPath, days);
    expect(rowsOf(hub.dbPath)).not.toContain(first);
    expect(ticketsOf(hub.dbPath, "A")).toEqual(a);
    expect(ticketsOf(hub.dbPath, "B")).toEqual([a[0]]);
    inCopy(hub.dbPath, (file) => expect(checkAll(file)).toMatchObject({ ok: true }));
  });

  it("packed tickets teach the same dish times as before [KEEP-21]", async () => {
    const { hub } = await servedHub();
    const learned = async () => {
      const work = learnJob.work({ file: hub.dbPath, timeZone: "UTC", since: 0, now: world.clock.now() + 1 });
      for (;;) {
        const step = await work.next();
        if (step.done === true) return step.value.dishTimes;
      }
    };
    const db = openFile(hub.dbPath);
    db.exec("DELETE FROM tickets WHERE ticket_id LIKE 'later-%'");
    const before = await learned();
    db.close();
    addLater(hub.dbPath);
    tidyAfter(hub.dbPath, 8);
    const after = openFile(hub.dbPath);
    after.exec("DELETE FROM tickets WHERE ticket_id LIKE 'later-%'");
    after.close();
    expect(await learned()).toEqual(before);
  });

  it("a packed ticket is removed with the last check that held a share of it [KEEP-21]", async () => {
    const { hub, first } = await servedHub();
    tidyAfter(hub.dbPath, 8);
    const db = openFile(hub.dbPath);
    db.prepare("UPDATE orders SET updated_at = updated_at - ? WHERE pos_reference = 'A'").run(300 * DAY_MS);
    db.close();
    tidyAfter(hub.dbPath, 200);
    expect(ticketsOf(hub.dbPath, "A")).toEqual([]);
    expect(ticketsOf(hub.dbPath, "B")).toMatchObject([{ id: first }]);
    inCopy(hub.dbPath, (file) => expect(createTicketStore(file).listAllHolders(first)).toEqual(["B"]));
    tidyAfter(hub.dbPath, 500);
    inCopy(hub.dbPath, (file) => {
      expect(createTicketStore(file).get(first)).toBe(null);
      expect(file.prepare("SELECT count(*) FROM packed_tickets").pluck().get()).toBe(0);
    });
  });
});

describe("damage ", () => {
  const changeByte = (blob: Buffer): Buffer => {
    const changed = Buffer.from(blob);
    const middle = Math.floor(changed.length / 2);
    changed.writeUInt8(changed.readUInt8(middle) ^ 4, middle);
    return changed;
  };

  it("a damaged ticket stays unpacked and is reported [KEEP-22]", async () => {
    const { hub, first, second } = await servedHub();
    tidyAfter(hub.dbPath, 2);
    const db = openFile(hub.dbPath);
    const packed = db.prepare<[string], Buffer>("SELECT packed FROM tickets WHERE ticket_id = ?").pluck().get(second);
    // Changes the row without updating its seal, as disk damage would.
    db.exec("DROP TRIGGER temp.resealed_tickets");
    db.prepare("UPDATE tickets SET packed = ? WHERE ticket_id = ?").run(changeByte(packed ?? Buffer.from("")), second);
    db.close();
    for (const days of [8, 70]) {
      tidyAfter(hub.dbPath, days);
      expect(rowsOf(hub.dbPath)).toEqual([second]);
      inCopy(hub.dbPath, (file) => {
        expect(checkAll(file)).toMatchObject({ detail: "1 stored records are damaged: 1 of tickets" });
        const { tickets, unreadable } = createTicketStore(file).listByOrder("A");
        expect([tickets.map(({ ticket }) => ticket.id), unreadable]).toEqual([[first], [second]]);
      });
    }
  });

  it("a damaged pack is reported, its tickets are rebuilt, and nothing is sent twice [KEEP-22]", async () => {
    const { hub, first, second } = await servedHub();
    tidyAfter(hub.dbPath, 8);
    const db = openFile(hub.dbPath);
    const whereClause = "WHERE pos_reference = 'A' AND earlier IS NOT NULL";
    const pack = db.prepare<[], Buffer>(`SELECT earlier FROM order_versions ${whereClause}`).pluck().get();
    db.prepare(`UPDATE order_versions SET earlier = ? ${whereClause}`).run(changeByte(pack ?? Buffer.from("")));
    expect(checkAll(db)).toMatchObject({ detail: "1 stored records are damaged: 1 of order_versions" });
    db.close();
    await hub.restart();
    const cook = await hub.terminal({ login: "cashier" });
    expect(await cook.change({ type: "ORDER_SEND", posReference: "A" })).not.toHaveProperty("kitchenTicketId");
    const observer = await hub.terminal();
    expect(observer.sync.tickets).toEqual([]);
    await hub.hub.stop();
    const rebuilt = ticketsOf(hub.dbPath, "A");
    expect(rebuilt.map(({ id }) => id).toSorted()).toEqual([first, second].toSorted());
    expect(rebuilt.find(({ id }) => id === first)?.lines).toMatchObject([{ preparedQuantity: 4 }]);
    expect((await healthAfterRestart(hub)).reasons).toContain("data_file");
  });

  async function healthAfterRestart(hub: TestHub) {
    await hub.restart();
    await hub.external().get("/orders/A");
    await operatorOf(hub)("orderTimeline", { params: { posReference: "A" } });
    return (await hub.send("GET", "/health")).body as { reasons: string[] };
  }
});

it("a terminal behind a packed ticket gets a full SYNC [KEEP-23]", async () => {
  const { hub, since } = await servedHub();
  const syncOf = async () => {
    const auth = { type: "AUTH", token: await hub.signIn("cashier"), deviceId: crypto.randomUUID(), since };
    const terminal = await connectTerminal(hub.url.replace("http", "ws"), auth);
    terminal.close();
    return terminal.sync.mode;
  };
  await hub.restart(() => tidyAfter(hub.dbPath, 6));
  expect(await syncOf()).toBe("delta");
  await hub.restart(() => tidyAfter(hub.dbPath, 8));
  expect(await syncOf()).toBe("full");
});

describe("packs ", () => {
  it("a pack is read with the dictionary with which it was made [KEEP-21]", () => {
    // Changing the dictionary makes existing packs unreadable. Add a second dictionary instead.
    expect(crc32(DICTIONARY)).toBe(3636873773);
    const body = '{"posReference":"Orden 1","snapshot":{"lines":[]}}';
    expect(plainBody("", packBody(body))).toBe(body);
  });
});
