import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { broadcastOrder as received } from "../support/broadcast-order.ts";
import { terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { openSocket } from "../support/open-socket.ts";
import { openStream, operatorOf } from "../support/operator.ts";
import { refusal } from "../support/refusal.ts";
import { startTestHub } from "../support/start-test-hub.ts";

const BEER = 101;
const SOUP = 102;

const set = (terminal: TestTerminal, productId: number | string, state: string, more: Record<string, unknown> = {}) =>
  terminal.request({ type: "ITEM_STATE_SET", mutationId: crypto.randomUUID(), productId, state, ...more });

const order = (
  terminal: TestTerminal,
  posReference: string,
  quantities: [productId: number | string, quantity: number][],
) =>
  terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion: 0,
    snapshot: terminalSnapshot({
      lines: quantities.map(([productId, quantity], index) => ({
        id: `l${index}`,
        productId,
        quantity,
        unitPrice: 10,
      })),
    }),
  });

const send = (terminal: TestTerminal, posReference: string, more: Record<string, unknown> = {}) =>
  terminal.change({ type: "ORDER_SEND", posReference, ...more });

/** Returns the states that a terminal received for a product, as `state left`. */
const receivedStates = (terminal: TestTerminal, productId: number | string): string[] =>
  terminal.received.flatMap((message) =>
    message.type === "ITEM_STATE_CHANGED" && message.itemState.productId === productId
      ? [`${message.itemState.state} ${message.itemState.left}`]
      : [],
  );

describe("item states ", () => {
  it("an item state set by any terminal is applied once, sent to all, and part of SYNC [KIT-60, KIT-61]", async () => {
    const hub = await startTestHub();
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const till = await hub.terminal({ login: "cashier", deviceId: "till" });
    const mutation = {
      type: "ITEM_STATE_SET",
      mutationId: crypto.randomUUID(),
      productId: BEER,
      state: "limited",
      left: 3,
      until: "2099-01-01T00:00:00.000Z",
    };
    const ack = await waiter.request({ ...mutation, requestId: "r" });
    const { mutationId } = mutation;
    expect(ack).toEqual({
      type: "ITEM_STATE_ACK",
      requestId: "r",
      mutationId,
      productId: BEER,
      state: "limited",
      seq: 1,
    });
    const itemState = {
      productId: BEER,
      state: "limited",
      left: 3,
      until: mutation.until,
      updatedAt: expect.any(String),
      saidAt: expect.any(String),
    };
    for (const terminal of [waiter, till]) {
      const flat = { productId: BEER, state: "limited", left: 3, until: "2099-01-01T00:00:00.000Z" };
      expect(await terminal.next("ITEM_STATE_CHANGED")).toEqual({
        type: "ITEM_STATE_CHANGED",
        seq: 1,
        ...flat,
        itemState,
        signature: expect.any(String),
      });
    }
    await set(till, SOUP, "out");
    await set(till, "104", "out");
    await set(till, 104, "available");
    await hub.restart();
    const newcomer = await hub.terminal({ deviceId: "new" });
    expect(newcomer.sync.itemStates).toMatchObject([
      itemState,
      { productId: SOUP, state: "out", left: 0, until: null },
    ]);
    expect(await newcomer.request({ ...mutation, requestId: "r" })).toEqual({ ...ack, duplicate: true });

    const back = await openSocket(hub.url);
    const { hubId, epoch } = newcomer.sync;
    back.send({ type: "AUTH", token: await hub.signIn("manager"), deviceId: "back", since: { hubId, epoch, seq: 2 } });
    expect(await back.first("SYNC")).toMatchObject({
      mode: "delta",
      itemStates: [{ productId: 104, state: "available" }],
    });
  });

  it("a line of a product that is out is not sent, and the refusal names it [KIT-62]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await order(till, "A", [
      [SOUP, 1],
      ["101", 2],
    ]);
    await set(till, BEER, "out");
    const answer = await refusal(send(till, "A"));
    expect(answer).toMatchObject({ errorCode: "ITEM_OUT", posReference: "A", lineId: "l1", retryable: false });
    expect(answer.error).toContain("l1");
    expect(await send(till, "A", { lineIds: ["l0"] })).toMatchObject({ version: 2 });
    expect(await refusal(send(till, "A"))).toMatchObject({ errorCode: "ITEM_OUT" });
    await set(till, BEER, "available");
    expect(await send(till, "A")).toMatchObject({ version: 3 });
    // Nothing new is sent to the kitchen, so ITEM_OUT does not apply.
    await set(till, BEER, "out");
    expect(await send(till, "A")).toMatchObject({ version: 3 });
  });

  it("a limited product counts down with each send and is out after the last one [KIT-63]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal({ login: "cashier" });
    await set(till, BEER, "limited", { left: 5 });
    await order(till, "A", [
      [BEER, 1.5],
      [SOUP, 9],
      [BEER, 1],
    ]);
    await send(till, "A");
    await order(till, "B", [
      [BEER, 2],
      [BEER, 1],
    ]);
    expect(await refusal(send(till, "B"))).toMatchObject({ errorCode: "ITEM_OUT", lineId: "l1" });
    await send(till, "B", { lineIds: ["l0"] });
    await set(till, BEER, "limited", { left: 1 });
    await send(till, "B");
    await order(till, "C", [[BEER, 1]]);
    expect(await refusal(send(till, "C"))).toMatchObject({ errorCode: "ITEM_OUT", lineId: "l0" });
    expect(receivedStates(till, BEER)).toEqual(["limited 5", "limited 2.5", "limited 0.5", "limited 1", "out 0"]);
    expect((await hub.terminal({ deviceId: "new" })).sync.itemStates).toMatchObject([{ state: "out", left: 0 }]);
  });

  it("the last pieces of a product are not sold twice by terminals that send at once [KIT-63]", async () => {
    const hub = await startTestHub();
    const terminals = await Promise.all(["a", "b", "c", "d"].map((deviceId) => hub.terminal({ deviceId })));
    await set(terminals[0]!, BEER, "limited", { left: 2 });
    for (const [index, terminal] of terminals.entries()) await order(terminal, `O${index}`, [[BEER, 1]]);
    const sends = await Promise.allSettled(terminals.map((terminal, index) => send(terminal, `O${index}`)));
    expect(sends.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  it("a send queued before a product ran out is accepted and marked as sold out [KIT-64]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const till = await hub.terminal({ login: "cashier" });
    const now = () => new Date(clock.world.clock.now()).toISOString();
    await order(till, "A", [
      [SOUP, 1],
      [BEER, 2],
    ]);
    await order(till, "B", [[BEER, 2]]);
    await order(till, "C", [[BEER, 3]]);
    const before = now();
    clock.advance(1_000);
    await set(till, BEER, "limited", { left: 1 });
    clock.advance(1_000);
    const between = now();
    expect(await refusal(send(till, "C", { queuedAt: between }))).toMatchObject({ errorCode: "ITEM_OUT" });
    clock.advance(1_000);
    await send(till, "C", { queuedAt: before });
    clock.advance(1_000);
    expect(receivedStates(till, BEER)).toEqual(["limited 1", "out 0"]);
    // Setting `out` again does not change the time at which the product ran out.
    await set(till, BEER, "out");
    expect(await refusal(send(till, "A", { queuedAt: now() }))).toMatchObject({ errorCode: "ITEM_OUT", lineId: "l1" });
    await send(till, "A", { queuedAt: before });
    await send(till, "B", { queuedAt: between });
    expect((await received(till, "C", 2)).snapshot.lines).toMatchObject([{ sentQuantity: 3, soldOut: true }]);
    const [soup, beer] = (await received(till, "A", 2)).snapshot.lines;
    expect(beer).toMatchObject({ sentQuantity: 2, soldOut: true });
    expect(soup).not.toHaveProperty("soldOut");
    const { ticket } = await till.next("TICKET_CHANGED", (message) => message.ticket.posReference === "A");
    expect(ticket.lines.map(({ lineId, soldOut }) => [lineId, soldOut])).toEqual([
      ["l0", undefined],
      ["l1", true],
    ]);
  });

  it("lines taken back restore the count of a product unless its state was set since [KIT-474]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const till = await hub.terminal({ login: "cashier" });
    const waiter = await hub.terminal({ deviceId: "waiter" });
    const takeBack = (posReference: string, version: number) =>
      till.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion: version,
        snapshot: terminalSnapshot({ lines: [{ id: "l1", productId: SOUP, quantity: 1, unitPrice: 10 }] }),
      });
    await set(till, BEER, "limited", { left: 2 });
    await order(till, "A", [[BEER, 1]]);
    await order(waiter, "B", [[BEER, 1]]);
    await send(till, "A");
    await send(waiter, "B");
    await takeBack("A", 2);
    expect(receivedStates(till, BEER)).toEqual(["limited 2", "limited 1", "out 0", "limited 1"]);
    await order(till, "C", [[BEER, 1]]);
    await send(till, "C");
    clock.advance(1);
    await set(waiter, BEER, "out");
    await takeBack("C", 2);
    expect(receivedStates(till, BEER).slice(4)).toEqual(["out 0", "out 0"]);
    expect((await hub.terminal({ deviceId: "new" })).sync.itemStates).toMatchObject([{ state: "out", left: 0 }]);
  });

  it("a product is available again at its time, and every terminal is notified [KIT-65]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const till = await hub.terminal({ login: "cashier" });
    const at = (ms: number) => new Date(clock.world.clock.now() + ms).toISOString();
    await order(till, "A", [
      [BEER, 1],
      [SOUP, 1],
    ]);
    await set(till, BEER, "out", { until: at(5_000) });
    await set(till, SOUP, "limited", { left: 1, until: at(30 * 60_000) });
    expect(await refusal(send(till, "A"))).toMatchObject({ errorCode: "ITEM_OUT" });
    clock.advance(5_050);
    expect(await till.next("ITEM_STATE_CHANGED", ({ itemState }) => itemState.state === "available")).toMatchObject({
      itemState: { productId: BEER, left: null, until: null },
    });
    await send(till, "A");
    expect(receivedStates(till, SOUP)).toEqual(["limited 1", "out 0"]);
    await hub.restart(() => clock.jumpWall(30 * 60_000));
    const again = await hub.terminal({ login: "cashier" });
    await order(again, "B", [[SOUP, 1]]);
    await send(again, "B");
    expect(await set(again, BEER, "out", { until: at(-1) })).toMatchObject({ state: "available" });
  });

  it("an item state without a valid number, or beyond 10,000 products, is refused [KIT-66]", async () => {
    const hub = await startTestHub();
    const till = await hub.terminal();
    for (const [field, content] of [
      ["left", { state: "limited" }],
      ["left", { state: "limited", left: null }],
      ["left", { state: "limited", left: -1 }],
      ["left", { state: "limited", left: 100_001 }],
      ["state", { state: "gone" }],
      ["until", { state: "out", until: "soon" }],
      ["productId", { state: "out", productId: "" }],
    ] as const) {
      const answer = await till.request({
        type: "ITEM_STATE_SET",
        mutationId: crypto.randomUUID(),
        productId: BEER,
        ...content,
      });
      expect(answer).toMatchObject({ type: "ORDER_REJECTED", errorCode: "VALIDATION_ERROR" });
      expect(answer).toMatchObject({ error: expect.stringContaining(field) });
    }
    expect(await set(till, BEER, "limited", { left: 0 })).toMatchObject({ state: "out" });
    expect((await hub.terminal({ deviceId: "new" })).sync.itemStates).toHaveLength(1);
    await hub.restart(() => {
      const db = new Database(hub.dbPath);
      db.exec(`
        WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 9999)
        INSERT INTO item_states (product_id, seq, since, until, is_available, body)
        SELECT 'made up ' || id, 1, 0, NULL, 1, '{}' FROM ids`);
      db.close();
    });
    const again = await hub.terminal();
    expect(await set(again, SOUP, "out")).toMatchObject({ type: "ORDER_REJECTED", errorCode: "LIMIT_REACHED" });
    expect(await set(again, BEER, "available")).toMatchObject({ type: "ITEM_STATE_ACK" });
  });
});

describe("GET and POST /operator/v1/item-states ", () => {
  it("a manager lists and sets item states, which is audited [OP-105]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const stream = await openStream(hub);
    const till = await hub.terminal();
    await set(till, BEER, "out");
    expect((await call("itemStates")).body.itemStates).toMatchObject([{ productId: BEER, state: "out" }]);
    const reset = await call("setItemState", { body: { productId: BEER, state: "available" } });
    expect(reset).toMatchObject({
      status: 200,
      body: { itemState: { productId: BEER, state: "available", left: null } },
    });
    expect(await till.next("ITEM_STATE_CHANGED", ({ itemState }) => itemState.state === "available")).toBeDefined();
    await stream.changed("item_states");
    expect((await call("itemStates")).body).toEqual({ itemStates: [] });
    await call("setItemState", { body: { productId: "wine", state: "limited", left: 4 } });
    expect(await call("setItemState", { body: { productId: "wine", state: "limited" } })).toMatchObject({
      status: 400,
    });
    expect((await call("audit")).body.entries).toMatchObject([
      { action: "item.state", target: "wine", note: { reason: "note_item_limited", values: { left: "4" } } },
      { action: "item.state", target: String(BEER), note: { reason: "note_item_available" } },
    ]);
    expect(await call("itemStates", { token: await hub.signIn("waiter") })).toMatchObject({ status: 403 });
  });
});
