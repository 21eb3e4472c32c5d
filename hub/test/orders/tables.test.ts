import type { HubMessageOf, TableState } from "@comanda/protocol";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const atTable = (tableId: number, fields: Record<string, unknown> = {}) =>
  terminalSnapshot({ orderType: "dine_in", tableId, ...fields });

const open = (terminal: TestTerminal, posReference: string, tableId: number) =>
  terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion: 0,
    snapshot: atTable(tableId),
    additionalCheck: true,
  });

/** Returns the tables as a new terminal sees them. */
async function tablesOf(hub: TestHub): Promise<Record<number, Pick<TableState, "status" | "posReference">>> {
  const newcomer = await hub.terminal({ deviceId: "looks" });
  newcomer.close();
  return Object.fromEntries(
    newcomer.sync.tables.map(({ tableId, status, posReference }) => [tableId, { status, posReference }]),
  );
}

/** Records the SQL of every statement run by hubs started after this call. */
function recordStatements(): string[] {
  const ran: string[] = [];
  const db = new Database(":memory:");
  const statement = Object.getPrototypeOf(db.prepare("SELECT 1")) as Record<string, (...args: unknown[]) => unknown>;
  db.close();
  for (const name of ["run", "get", "all"]) {
    const real = statement[name];
    statement[name] = function (this: Database.Statement, ...args: unknown[]): unknown {
      ran.push(this.source);
      return real?.apply(this, args);
    };
    onTestFinished(() => void Object.assign(statement, { [name]: real }));
  }
  return ran;
}

describe("occupied tables", () => {
  it("a table is occupied until its last active order is paid or discarded [TABLE-1, TABLE-2, TABLE-4]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    await open(till, "A", 4);
    expect(await till.next("TABLE_CHANGED")).toMatchObject({
      table: { tableId: 4, status: "occupied", posReference: "A", lock: null },
    });
    await open(till, "B", 4);
    const numbers = till.received.flatMap((message) =>
      message.type === "ORDER_CHANGED" ? [message.order.snapshot.checkNumber] : [],
    );
    expect(numbers).toEqual([1, 2]);
    await till.change({
      type: "ORDER_PAY",
      posReference: "A",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    expect(await tablesOf(hub)).toMatchObject({ 4: { status: "occupied", posReference: "A" } });
    await till.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 1 });
    expect(await tablesOf(hub)).toMatchObject({ 4: { status: "available", posReference: "B" } });
  });

  it("a check keeps its number while it stays on its table [TABLE-2]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await open(till, "A", 4);
    await open(till, "B", 4);
    await till.change({ type: "ORDER_DISCARD", posReference: "A", baseVersion: 1 });
    await till.change({
      type: "ORDER_UPSERT",
      posReference: "B",
      baseVersion: 1,
      snapshot: atTable(4, { checkNumber: 7 }),
    });
    await open(till, "C", 4);
    const last = till.received.filter(
      (message): message is HubMessageOf<"ORDER_CHANGED"> => message.type === "ORDER_CHANGED",
    );
    expect(last.slice(-2).map((message) => message.order.snapshot.checkNumber)).toEqual([2, 3]);
  });

  it("moving an order changes both tables together [TABLE-3]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ caps: ["batch"] });
    await open(terminal, "A", 4);
    const before = terminal.received.length;
    await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 1, snapshot: atTable(6) });
    await terminal.next("TABLE_CHANGED", (message) => message.table.tableId === 6);
    const received = terminal.received
      .slice(before)
      .flatMap((message) => (message.type === "TABLE_CHANGED" ? [[message.table.tableId, message.table.status]] : []));
    expect(received).toEqual([
      [4, "available"],
      [6, "occupied"],
    ]);
    await terminal.change({
      type: "ORDER_UPSERT",
      posReference: "A",
      baseVersion: 2,
      snapshot: { ...atTable(6), tableId: null },
    });
    expect(await tablesOf(hub)).toMatchObject({ 4: { status: "available" }, 6: { status: "available" } });
  });

  it("two orders swap their tables in one batch [TABLE-3]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await open(terminal, "A", 4);
    await open(terminal, "B", 6);
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: 1, snapshot: atTable(6) },
        { posReference: "B", baseVersion: 1, snapshot: atTable(4) },
      ],
    });
    expect(await tablesOf(hub)).toMatchObject({
      4: { status: "occupied", posReference: "B" },
      6: { status: "occupied" },
    });
  });
});

describe("edits that keep the table", () => {
  it("an edit of a check that stays on its table does not announce the table [ORDER-66, TABLE-4]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ deviceId: "till" });
    for (const posReference of ["A", "B", "C"]) await open(till, posReference, 4);
    const before = till.received.length;
    for (const posReference of ["A", "B", "A"]) {
      const baseVersion = till.received.filter(
        (message) => message.type === "ORDER_CHANGED" && message.posReference === posReference,
      ).length;
      await till.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion,
        snapshot: atTable(4, { guestCount: 1 + baseVersion }),
      });
    }
    expect(till.received.slice(before).map((message) => message.type)).not.toContain("TABLE_CHANGED");
    expect(await tablesOf(hub)).toMatchObject({ 4: { status: "occupied", posReference: "C" } });
  });

  it("an edit of a check that stays on its table reads nothing of the table [ORDER-66]", async () => {
    const ran = recordStatements();
    const hub = await startTestHub();
    const till = await hub.terminal({ deviceId: "till" });
    for (const posReference of ["A", "B"]) await open(till, posReference, 4);
    expect(ran.filter(isAboutTables)).not.toEqual([]);
    ran.length = 0;
    await till.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 1, snapshot: atTable(4) });
    expect(ran.filter(isAboutTables)).toEqual([]);
  });
});

const isAboutTables = (sql: string): boolean => /\b(joined_)?tables\b|\btable_id = [?@]/.test(sql);

describe("reservations", () => {
  it("a terminal reserves an available table and cancels the reservation [TABLE-5]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    terminal.send({ type: "TABLE_RESERVE", tableId: 9, requestId: "r" });
    expect(await terminal.next("TABLE_ACK")).toEqual({
      type: "TABLE_ACK",
      requestId: "r",
      tableId: 9,
      status: "reserved",
    });
    expect(await terminal.next("TABLE_CHANGED")).toMatchObject({ table: { tableId: 9, status: "reserved" } });
    terminal.send({ type: "TABLE_UNRESERVE", tableId: 9 });
    expect(await terminal.next("TABLE_ACK")).toMatchObject({ status: "available" });
    terminal.send({ type: "TABLE_UNRESERVE", tableId: 9 });
    expect(await terminal.next("TABLE_ACK")).toMatchObject({ status: "available" });
    expect(terminal.received.filter((message) => message.type === "TABLE_CHANGED")).toHaveLength(2);
  });

  it("an order takes a reserved table, and an occupied table cannot be reserved [TABLE-6, TABLE-7]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    terminal.send({ type: "TABLE_RESERVE", tableId: 9 });
    await terminal.next("TABLE_ACK");
    await open(terminal, "A", 9);
    expect(await tablesOf(hub)).toMatchObject({ 9: { status: "occupied" } });
    for (const type of ["TABLE_RESERVE", "TABLE_UNRESERVE"]) {
      terminal.send({ type, tableId: 9, requestId: type });
      expect(await terminal.next("ERROR")).toMatchObject({ errorCode: "TABLE_OCCUPIED", requestId: type });
    }
  });
});

describe("locks", () => {
  it("a table lock is one terminal's until it or a manager unlocks it [TABLE-8, TABLE-10]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    one.send({ type: "TABLE_LOCK", tableId: 3, requestId: "r" });
    const locked = await one.next("TABLE_LOCKED");
    expect(locked).toMatchObject({
      tableId: 3,
      requestId: "r",
      lock: { terminalId: "one", userName: one.hello.user.name },
    });
    two.send({ type: "TABLE_LOCK", tableId: 3 });
    expect(await two.next("TABLE_LOCK_DENIED")).toMatchObject({ tableId: 3, lock: locked.lock });
    two.send({ type: "TABLE_UNLOCK", tableId: 3 });
    expect(await two.next("ERROR")).toMatchObject({ errorCode: "FORBIDDEN" });
    const boss = await hub.terminal({ login: "manager", deviceId: "boss" });
    boss.send({ type: "TABLE_UNLOCK", tableId: 3 });
    expect(await boss.next("TABLE_UNLOCKED")).toMatchObject({ tableId: 3 });
    two.send({ type: "TABLE_LOCK", tableId: 3 });
    expect(await two.next("TABLE_LOCKED")).toMatchObject({ lock: { terminalId: "two" } });
    two.send({ type: "TABLE_UNLOCK", tableId: 3 });
    await two.next("TABLE_UNLOCKED");
  });

  it("a table lock expires by itself, and terminals are notified [TABLE-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    terminal.send({ type: "TABLE_LOCK", tableId: 3, ttlMs: 5_000 });
    await terminal.next("TABLE_CHANGED", (message) => message.table.lock !== null);
    clock.advance(5_050);
    expect(await terminal.next("TABLE_CHANGED")).toMatchObject({ table: { tableId: 3, lock: null } });
  });

  it("a table lock may be as short as a terminal requests [TABLE-9]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    terminal.send({ type: "TABLE_LOCK", tableId: 3, ttlMs: 200 });
    expect(await terminal.next("TABLE_LOCKED")).toMatchObject({ tableId: 3 });
    expect(await terminal.next("TABLE_CHANGED", (message) => message.table.lock === null)).toMatchObject({
      table: { tableId: 3, lock: null },
    });
  });

  it("a table lock expires on time when the clock is set back [TABLE-9]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const terminal = await hub.terminal();
    terminal.send({ type: "TABLE_LOCK", tableId: 3, ttlMs: 5_000 });
    await terminal.next("TABLE_CHANGED", (message) => message.table.lock !== null);
    clock.jumpWall(-5 * 3_600_000);
    clock.advance(60_000);
    const other = await hub.terminal({ login: "cashier", deviceId: "other" });
    await until("the lock to end", async () => {
      clock.advance(1_000);
      return (await other.request({ type: "TABLE_LOCK", tableId: 3 })).type === "TABLE_LOCKED";
    });
  });

  it("a table lock prevents no write [TABLE-11]", async () => {
    const hub = await startTestHub();
    const one = await hub.terminal({ deviceId: "one" });
    one.send({ type: "TABLE_LOCK", tableId: 3 });
    await one.next("TABLE_LOCKED");
    const two = await hub.terminal({ login: "cashier", deviceId: "two" });
    expect(await open(two, "A", 3)).toMatchObject({ version: 1 });
    expect((await hub.terminal({ deviceId: "three" })).sync.tables).toMatchObject([
      { tableId: 3, status: "occupied", lock: { terminalId: "one" } },
    ]);
  });
});

describe("limits of locks", () => {
  it("a terminal holds at most 50 table locks [LEASE-22]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "one" });
    const other = await hub.terminal({ deviceId: "two" });
    for (let tableId = 1; tableId <= 50; tableId += 1) {
      expect(await terminal.request({ type: "TABLE_LOCK", tableId })).toMatchObject({ type: "TABLE_LOCKED" });
    }
    expect(await terminal.request({ type: "TABLE_LOCK", tableId: 51 })).toMatchObject({ errorCode: "LIMIT_REACHED" });
    expect(await terminal.request({ type: "TABLE_LOCK", tableId: 7 })).toMatchObject({ type: "TABLE_LOCKED" });
    expect(await other.request({ type: "TABLE_LOCK", tableId: 51 })).toMatchObject({ type: "TABLE_LOCKED" });
    await terminal.request({ type: "TABLE_UNLOCK", tableId: 7 });
    expect(await terminal.request({ type: "TABLE_LOCK", tableId: 52 })).toMatchObject({ type: "TABLE_LOCKED" });
  });

  it("all terminals of a user hold at most 200 table locks together [LEASE-91]", async () => {
    // Without a floor plan from the back-office any table may be locked.
    const line = await startFaultyLine();
    line.faults(({ path }) => (path === "/pos-api/v1/bootstrap" ? { kind: "reset" } : null));
    const hub = await startTestHub({ line });
    for (let device = 0; device < 4; device += 1) {
      const terminal = await hub.terminal({ deviceId: `of-ana-${device}` });
      for (let n = 1; n <= 50; n += 1) await terminal.request({ type: "TABLE_LOCK", tableId: 50 * device + n });
    }
    const fifth = await hub.terminal({ deviceId: "of-ana-4" });
    expect(await fifth.request({ type: "TABLE_LOCK", tableId: 201 })).toMatchObject({ errorCode: "LIMIT_REACHED" });
    const cashier = await hub.terminal({ login: "cashier", deviceId: "till" });
    expect(await cashier.request({ type: "TABLE_LOCK", tableId: 201 })).toMatchObject({ type: "TABLE_LOCKED" });
  });
});
