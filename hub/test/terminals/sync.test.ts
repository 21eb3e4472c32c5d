import Database from "better-sqlite3";
import type { HubMessage, HubMessageOf } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

type Since = { hubId: string; epoch: string; seq: number };
type Sync = HubMessageOf<"SYNC">;

const write = (
  terminal: TestTerminal,
  posReference: string,
  baseVersion: number,
  overrides: Record<string, unknown> = {},
) =>
  terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion,
    snapshot: terminalSnapshot(overrides),
    additionalCheck: true,
  });

const positionOf = ({ hubId, epoch, seq }: Sync): Since => ({ hubId, epoch, seq });

async function reconnect(hub: TestHub, since: unknown, deviceId = "back") {
  const socket = await openSocket(hub.url);
  socket.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId, since });
  const sync = (await socket.first("SYNC")) as Sync;
  return { socket, sync };
}

const seqsOf = (messages: HubMessage[]): number[] =>
  messages.flatMap((message) =>
    "seq" in message && message.type !== "SYNC" && message.type !== "ORDER_ACK" ? [message.seq] : [],
  );

describe("SYNC", () => {
  it("a SYNC without since is full [TERM-40]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    await write(terminal, "A", 0, { orderType: "dine_in", tableId: 2 });
    const { sync } = await reconnect(hub, undefined);
    expect(sync).toMatchObject({
      mode: "full",
      seq: 2,
      hubId: terminal.hello.hubId,
      epoch: terminal.hello.epoch,
      orders: [{ posReference: "A", version: 1, forward: { state: "none" } }],
      removedOrders: [],
      tables: [{ tableId: 2, status: "occupied" }],
      leases: [],
      pluginRecords: [],
      removedPluginRecords: [],
      more: false,
    });
  });

  it("a delta has each record changed since once, in its newest state [TERM-41, REST-126, OP-540]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    await write(terminal, "OLD", 0);
    await write(terminal, "GONE", 0);
    const since = positionOf((await reconnect(hub, undefined)).sync);
    await write(terminal, "A", 0);
    await write(terminal, "A", 1, { guestCount: 5 });
    const origin = terminal.hello.terminalId;
    const reason = "merged into A, says the guest";
    await terminal.change({ type: "ORDER_DISCARD", posReference: "GONE", baseVersion: 1, reason });
    await write(terminal, "SHORT", 0);
    await terminal.change({ type: "ORDER_DISCARD", posReference: "SHORT", baseVersion: 1 });
    const { sync } = await reconnect(hub, since);
    expect(sync).toMatchObject({ mode: "delta", seq: since.seq + 5, removedOrders: ["GONE", "SHORT"] });
    expect(sync.removals).toEqual([
      { posReference: "GONE", version: 2, origin, at: expect.any(String) },
      { posReference: "SHORT", version: 2, origin, at: expect.any(String) },
    ]);
    expect(sync.orders).toMatchObject([{ posReference: "A", version: 2, snapshot: { guestCount: 5 } }]);
    const nothingNew = await reconnect(hub, positionOf(sync));
    expect(nothingNew.sync).toMatchObject({ mode: "delta", seq: sync.seq, orders: [], removedOrders: [], tables: [] });
  });

  it("a SYNC is full for a position that the hub does not know [TERM-42]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await write(terminal, "A", 0);
    const { hubId, epoch } = terminal.hello;
    for (const since of [
      { hubId: "other", epoch, seq: 0 },
      { hubId, epoch: "other", seq: 0 },
    ]) {
      const { sync } = await reconnect(hub, since);
      expect(sync).toMatchObject({ mode: "full", seq: 1, orders: [{ posReference: "A" }] });
    }
    expect((await reconnect(hub, { hubId, epoch, seq: 0 })).sync.mode).toBe("delta");
    const { sync } = await reconnect(hub, { hubId, epoch, seq: 99 });
    expect(sync).toMatchObject({ mode: "full", seq: 1, orders: [{ posReference: "A" }] });
  });

  it("a SYNC is a delta also after a restart of the hub [TERM-41]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await write(terminal, "A", 0);
    const since = positionOf((await reconnect(hub, undefined)).sync);
    await write(terminal, "B", 0);
    await hub.restart();
    expect((await reconnect(hub, since)).sync).toMatchObject({
      mode: "delta",
      seq: 2,
      orders: [{ posReference: "B" }],
    });
  });

  it("RESYNC is answered on the same connection [TERM-45]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await write(terminal, "A", 0);
    terminal.send({ type: "RESYNC", since: positionOf(terminal.sync), requestId: "r" });
    expect(await terminal.next("SYNC")).toMatchObject({
      requestId: "r",
      mode: "delta",
      seq: 1,
      orders: [{ posReference: "A" }],
    });
    terminal.send({ type: "RESYNC" });
    expect(await terminal.next("SYNC")).toMatchObject({ mode: "full", seq: 1 });
  });

  it("a large SYNC comes in pages of one state, and changes follow the last page [TERM-46]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const notes = "n".repeat(900);
    await Promise.all(Array.from({ length: 400 }, (_, i) => write(terminal, `P${i}`, 0, { notes })));
    const late = await openSocket(hub.url);
    late.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId: "late" });
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(terminal, `Q${i}`, 0)));
    await terminal.next("ORDER_CHANGED", (message) => message.posReference === "Q49");
    await late.first("SYNC");
    const last = await write(terminal, "LAST", 0);
    await late.first("ORDER_CHANGED");
    const messages = late.received.filter((message) => message.type === "SYNC" || message.type === "ORDER_CHANGED");
    const pages = messages.filter((message): message is Sync => message.type === "SYNC");
    expect(pages.length).toBeGreaterThan(2);
    expect(new Set(pages.map((page) => page.seq)).size).toBe(1);
    expect(pages.map((page) => page.more)).toEqual(pages.map((_, index) => index < pages.length - 1));
    expect(messages.slice(0, pages.length).every((message) => message.type === "SYNC")).toBe(true);
    const cut = pages[0]!.seq;
    expect(pages.flatMap((page) => page.orders)).toHaveLength(cut);
    expect(seqsOf(late.received)).toEqual(Array.from({ length: last.seq! - cut }, (_, i) => cut + 1 + i));
  });

  it("a full SYNC has active orders and those written within a day [TERM-47]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const till = await hub.terminal({ login: "cashier" });
    await write(till, "OPEN", 0);
    await write(till, "PAID", 0);
    await till.change({
      type: "ORDER_PAY",
      posReference: "PAID",
      baseVersion: 1,
      payments: [{ methodId: 1, amount: 100 }],
    });
    await until("the order to be closed", () => {
      clock.advance(200);
      return till.received.some(
        (message) => message.type === "ORDER_CHANGED" && message.order.snapshot.status === "closed",
      );
    });
    const references = async () =>
      (await reconnect(hub, undefined)).sync.orders.map((order) => order.posReference).sort();
    clock.jumpWall(23 * 3_600_000);
    expect(await references()).toEqual(["OPEN", "PAID"]);
    clock.jumpWall(2 * 3_600_000);
    await write(till, "NEW", 0);
    expect(await references()).toEqual(["NEW", "OPEN"]);
  });

  it("a SYNC lists the active leases [TERM-48]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ deviceId: "one" });
    terminal.send({ type: "LEASE_ACQUIRE", posReference: "A" });
    const { leaseId, expiresAt } = await terminal.next("LEASE_GRANTED");
    expect((await reconnect(hub, undefined)).sync.leases).toEqual([
      { posReference: "A", leaseId, expiresAt, terminalId: "one", userName: terminal.hello.user.name, role: "editor" },
    ]);
  });

  it("a SYNC leaves out a damaged order, and /health reports it [TERM-49]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    await write(terminal, "GOOD", 0);
    await write(terminal, "BAD", 0);
    await hub.hub.stop();
    const db = new Database(hub.dbPath);
    db.prepare("UPDATE order_versions SET body = replace(body, '100', '1\"0') WHERE pos_reference = 'BAD'").run();
    db.close();
    await hub.restart();
    const { sync } = await reconnect(hub, undefined);
    expect(sync.orders).toMatchObject([{ posReference: "GOOD" }]);
    expect((await hub.send("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["data_file"] });
  });
});

describe("seq", () => {
  it("seq has no gaps for any terminal, the writer included [TERM-43]", async () => {
    const hub = await startTestHub();
    const terminals = await Promise.all(
      ["a", "b", "c"].map((deviceId) =>
        hub.terminal({ login: "cashier", deviceId, caps: deviceId === "b" ? ["batch"] : [] }),
      ),
    );
    await Promise.all(
      terminals.map(async (terminal, which) => {
        for (let i = 0; i < 20; i += 1) {
          await write(terminal, `${which}-${i}`, 0, { orderType: "dine_in", tableId: 1 + ((which + i) % 5) });
          if (i % 3 === 0)
            await terminal.change({ type: "ORDER_DISCARD", posReference: `${which}-${i}`, baseVersion: 1 });
        }
      }),
    );
    const last = await write(terminals[0]!, "LAST", 0);
    for (const terminal of terminals) {
      await terminal.next("ORDER_CHANGED", (message) => message.posReference === "LAST");
      expect(seqsOf(terminal.received)).toEqual(Array.from({ length: last.seq! }, (_, i) => i + 1));
    }
  });

  it("no change is missed or repeated around sign-in and RESYNC while others write [TERM-44]", async () => {
    const hub = await startTestHub();
    const writers = await Promise.all(["w1", "w2"].map((deviceId) => hub.terminal({ login: "cashier", deviceId })));
    const token = await hub.signIn("manager");
    let isWriting = true;
    const writing = writers.map(async (writer, which) => {
      for (let i = 0; isWriting; i += 1) await write(writer, `W${which}-${i % 30}`, Math.floor(i / 30));
    });
    const readers = [];
    for (let i = 0; i < 25; i += 1) {
      const reader = await openSocket(hub.url);
      reader.send({ type: "AUTH", token, deviceId: `r${i}` });
      await reader.first("SYNC");
      readers.push(reader);
      reader.send({
        type: "RESYNC",
        since: positionOf(reader.received.find((message): message is Sync => message.type === "SYNC")!),
      });
    }
    isWriting = false;
    await Promise.all(writing);
    const final = await write(writers[0]!, "FINAL", 0);
    for (const reader of readers) {
      let at = -1;
      const versions = new Map<string, number>();
      const take = (orders: { posReference: string; version: number }[]): void => {
        for (const { posReference, version } of orders) {
          expect(version).toBeGreaterThanOrEqual(versions.get(posReference) ?? 0);
          versions.set(posReference, version);
        }
      };
      while (!reader.received.some((message) => message.type === "ORDER_CHANGED" && message.posReference === "FINAL")) {
        await new Promise((resolve) => reader.socket.once("message", resolve));
      }
      for (const message of reader.received) {
        if (message.type === "SYNC") {
          expect(message.seq).toBeGreaterThanOrEqual(at);
          at = message.seq;
          take(message.orders);
        } else if (message.type === "ORDER_CHANGED") {
          expect(message.seq).toBe(at + 1);
          at = message.seq;
          take([message]);
        }
      }
      expect(at).toBe(final.seq);
    }
    const current = (await reconnect(hub, undefined, "truth")).sync.orders;
    expect(current).toHaveLength(new Set(current.map((order) => order.posReference)).size);
  });
});
