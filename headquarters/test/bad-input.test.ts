import { zstdCompressSync } from "node:zlib";
import { ChainCursor, chainHeaders } from "@comanda/protocol/chain.ts";
import { jetstream } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { EVENING } from "./evening.ts";
import { differences } from "./differences.ts";
import { missingNats } from "./nats-server.ts";
import { SimulatedHub } from "./simulated-hub.ts";
import { SimulatedRestaurant } from "./simulated-restaurant.ts";
import { startTestHeadquarters, type TestHeadquarters } from "./start-test-headquarters.ts";
import { emptyBatch } from "./empty-batch.ts";

const zone = "America/Santo_Domingo";

describe.skipIf(missingNats !== null)("unusable batches", () => {
  let headquarters: TestHeadquarters;
  beforeAll(async () => {
    headquarters = await startTestHeadquarters();
  });
  afterAll(async () => headquarters?.stop());

  interface Sender {
    id: string;
    connection: NatsConnection;
    simulated: SimulatedRestaurant;
    /** Sends a valid batch with these fields replaced, compressed with zstd unless given as bytes. */
    send(fields: object | Uint8Array | string, head?: { place?: string; version?: string }): Promise<void>;
    /** Cursors received from headquarters since the subscription. */
    received: { subject: string; cursor: ChainCursor }[];
    reasons(): Promise<string[]>;
    cursor(): Promise<ChainCursor>;
  }

  /** Creates a restaurant whose history headquarters have up to `seq` 3. */
  async function restaurant(): Promise<Sender> {
    const enrolled = await headquarters.addRestaurant();
    const { id } = enrolled;
    const connection = await enrolled.connect();
    onTestFinished(() => connection.close());
    const simulated = new SimulatedRestaurant(id, `hub-${id}`, 5, EVENING);
    const received: Sender["received"] = [];
    connection.subscribe(`dn.${id}.>`, {
      callback: (_, message) => {
        const cursor = ChainCursor.safeParse(message.json());
        if (cursor.success) received.push({ subject: message.subject.split(".")[2] ?? "", cursor: cursor.data });
      },
    });
    await connection.flush();
    const usual = {
      v: 1,
      r: id,
      hubId: `hub-${id}`,
      generation: 0,
      epoch: simulated.history.epoch,
      formerEpochs: [],
      from: 3,
      to: 4,
      at: "2026-11-20T22:00:00Z",
      clock: { isTrusted: true, zone },
      ...emptyBatch(),
    };
    const sender: Sender = {
      id,
      connection,
      simulated,
      received,
      async send(fields, { place = `${usual.epoch} 4 0`, version = "1" } = {}) {
        const head = headers();
        head.set(chainHeaders.place, place);
        head.set(chainHeaders.version, version);
        const data =
          fields instanceof Uint8Array
            ? fields
            : zstdCompressSync(typeof fields === "string" ? fields : JSON.stringify({ ...usual, ...fields }));
        const before = received.length;
        await jetstream(connection).publish(`up.${id}.sync`, data, { headers: head });
        await vi.waitUntil(() => received.length > before, { timeout: 10_000, interval: 5 });
      },
      async reasons() {
        const rows = await headquarters.database.query<{ reason: string }>(
          "SELECT reason FROM quarantine WHERE restaurant_id = $1 ORDER BY id",
          [id],
        );
        return rows.map(({ reason }) => reason);
      },
      async cursor() {
        return ChainCursor.parse(
          (
            await connection.request(
              `ask.${id}.cursor`,
              JSON.stringify({ hubId: `hub-${id}`, generation: 0, epoch: "" }),
            )
          ).json(),
        );
      },
    };
    await sender.send({ full: "end", from: 0, to: 3, cut: 3 }, { place: `${usual.epoch} 3 0` });
    return sender;
  }

  const check = (seq: number, total: number, line: object = {}) => ({
    seq,
    order: {
      posReference: "A/1",
      version: 1,
      tableId: null,
      terminalId: "t1",
      createdAt: "2026-11-20 21:00:00",
      updatedAt: "2026-11-20 21:00:00",
      snapshot: {
        posReference: "A/1",
        status: "paid",
        orderType: "takeout",
        tableId: null,
        guestCount: 1,
        createdAt: "2026-11-20T21:00:00Z",
        updatedAt: "2026-11-20T21:00:00Z",
        paidAt: "2026-11-20T21:30:00Z",
        lines: [{ id: "1", productId: "7", quantity: 1, unitPrice: total, total, ...line }],
        totals: { subtotal: total, tax: 0, total },
        payments: [{ methodId: 1, amount: total }],
      },
    },
  });

  it.each<[string, object | Uint8Array | string, string]>([
    ["not compressed", Buffer.from("{}"), "not compressed"],
    ["a bomb", zstdCompressSync(Buffer.alloc(50 * 1024 * 1024)), "bytes unpacked"],
    ["not JSON", "{,", "not JSON"],
    ["not UTF-8", zstdCompressSync(Buffer.from([0x22, 0xff, 0xfe, 0x22])), "not JSON"],
    ["no batch", "[]", "expected object"],
    ["null", "null", "expected object"],
    ["a missing field", { orders: undefined }, "orders"],
    ["another restaurant", { r: "somebody" }, "r: somebody"],
    ["from behind to", { from: 9, to: 4 }, "from"],
    ["falling seq", { to: 9, items: [item(6), item(5)] }, "seq 5"],
    ["seq outside of the batch", { items: [item(99)] }, "seq 99"],
    [
      "a million objects",
      { to: 2_000_000, items: Array.from({ length: 10_000 }, (_, n) => item(n + 4)) },
      "more objects",
    ],
    ["an endless number", JSON.stringify({ v: 1 }).replace("1", "1e300"), "2^53"],
    ["an amount that cannot be added up", { orders: [check(4, 9e14)] }, "amount is too large"],
    [
      "a control character",
      { orders: [{ ...check(4, 1), order: { ...check(4, 1).order, terminalId: "\u0000" } }] },
      "control",
    ],
    ["half of a surrogate pair", { orders: [check(4, 1, { name: "\ud83d" })] }, "control"],
    ["lines with the same id", { orders: [linesTwice()] }, "could not be written"],
    ["an unknown time zone", { clock: { isTrusted: true, zone: "Moon/Sea" } }, "zone"],
    ["another hub", { hubId: "stranger" }, "hubId"],
    ["facts out of order", { facts: [fact(2), fact(1)] }, "fact 1"],
    ["endless nesting", `${"[".repeat(50_000)}${"]".repeat(50_000)}`, "nested"],
    ["two histories of one generation", { epoch: "unknown", formerEpochs: [] }, "two histories"],
  ])("a bad batch is set aside, and the cursor stays: %s [HQ-34]", async (_, fields, reason) => {
    const sender = await restaurant();
    await sender.send(fields);
    expect(await sender.reasons()).toEqual([expect.stringContaining(reason)]);
    expect(await sender.cursor()).toMatchObject({ seq: 3, isFullDone: true });
    await sender.send({ orders: [check(4, 100)] });
    expect(await sender.cursor()).toMatchObject({ seq: 4 });
  });

  function item(seq: number) {
    return { seq, item: { productId: String(seq), state: "out", left: null, until: null, updatedAt: "2026-11-20" } };
  }

  function fact(id: number) {
    return { id, at: "2026-11-20T22:00:00Z", kind: "started", body: {} };
  }

  function linesTwice() {
    const entry = check(4, 100);
    entry.order.snapshot.lines.push({ ...entry.order.snapshot.lines[0]! });
    return entry;
  }

  it("an unreadable batch is set aside, even with a header that no database accepts [HQ-34, HQ-37]", async () => {
    const sender = await restaurant();
    for (const times of [1, 2, 3]) {
      await sender.send(Buffer.from("garbage"), { place: `\u0000${sender.simulated.history.epoch} 4 0` });
      expect(await sender.reasons()).toHaveLength(times);
    }
    await sender.send({ orders: [check(4, 100)] });
    expect(await sender.cursor()).toMatchObject({ seq: 4 });
  });

  it("the text of a check is shown literally, including HTML [HQ-34]", async () => {
    const sender = await restaurant();
    await sender.send({ orders: [check(4, 100, { name: "<script>alert(1)</script>" })] });
    const rows = await headquarters.database.query("SELECT name FROM check_lines WHERE restaurant_id = $1", [
      sender.id,
    ]);
    expect(rows).toEqual([{ name: "<script>alert(1)</script>" }]);
  });

  it("a bad batch is requested again, and skipped with a hole after three bad attempts [HQ-35]", async () => {
    const sender = await restaurant();
    for (const times of [1, 2]) {
      await sender.send(Buffer.from("garbage"));
      expect([times, sender.received.at(-1)]).toEqual([
        times,
        { subject: "resend", cursor: expect.objectContaining({ seq: 3 }) },
      ]);
    }
    await sender.send(Buffer.from("garbage"));
    expect(await sender.cursor()).toMatchObject({ seq: 4 });
    const holes = await headquarters.database.query(
      "SELECT from_seq AS from, to_seq AS to, cause FROM holes WHERE restaurant_id = $1",
      [sender.id],
    );
    expect(holes).toEqual([{ from: 3, to: 4, cause: { kind: "unreadable", error: "not compressed with zstd" } }]);
    await sender.send({ from: 4, to: 5, orders: [check(5, 100)] });
    expect(await sender.cursor()).toMatchObject({ seq: 5 });
  });

  it("after a skipped part of a full transfer nothing that may have been in it counts as gone [HQ-35]", async () => {
    const sender = await restaurant();
    await sender.send({ orders: [check(4, 100)] });
    const full = { cut: 90, generation: 1, epoch: "next" };
    await sender.send({ ...full, full: "part", from: 60, to: 90 }, { place: "full" });
    for (let n = 0; n < 3; n += 1) await sender.send(Buffer.from("garbage"), { place: "full" });
    await sender.send({ ...full, full: "end", from: 0, to: 30 }, { place: "next 90 0" });
    expect(await sender.cursor()).toMatchObject({ generation: 1, epoch: "next", seq: 90, isFullDone: true });
    const rows = await headquarters.database.query("SELECT is_gone FROM checks WHERE restaurant_id = $1", [sender.id]);
    expect(rows).toEqual([{ is_gone: false }]);
    const holes = await headquarters.database.query(
      "SELECT from_seq AS from, to_seq AS to FROM holes WHERE restaurant_id = $1",
      [sender.id],
    );
    expect(holes).toEqual([{ from: 30, to: 60 }]);
  });

  it("a hole ends with a complete full transfer that holds what it lacks, and not with another [HQ-194]", async () => {
    const sender = await restaurant();
    const holes = async () => {
      const rows = await headquarters.database.query<{ kind: string }>(
        "SELECT cause->>'kind' AS kind FROM holes WHERE restaurant_id = $1 ORDER BY id",
        [sender.id],
      );
      return rows.map(({ kind }) => kind);
    };
    const transfer = { full: "end", from: 0, to: 10, cut: 10 };
    for (let n = 0; n < 3; n += 1) await sender.send(Buffer.from("garbage"));
    expect(await holes()).toEqual(["unreadable"]);
    // Starts too late: changes between the copy before the hole and `since` are in no transfer.
    await sender.send({ ...transfer, since: "2026-11-20T23:00:00Z" });
    expect(await holes()).toEqual(["unreadable", "not_sent"]);
    // A transfer that lacks a part.
    await sender.send({ full: "part", from: 15, to: 20, cut: 20 }, { place: "full" });
    for (let n = 0; n < 3; n += 1) await sender.send(Buffer.from("garbage"), { place: "full" });
    await sender.send({ full: "end", from: 0, to: 10, cut: 20, since: "2026-10-06T00:00:00Z" });
    expect(await holes()).toEqual(["unreadable", "not_sent", "unreadable_transfer"]);
    await sender.send({ full: "end", from: 0, to: 30, cut: 30, since: "2026-10-06T00:00:00Z" });
    expect(await holes()).toEqual([]);
  });

  it("batches sent before a hub was cut are applied, even if the next hub is enrolled by then [HQ-209]", async () => {
    const sender = await restaurant();
    const enrol = (hubId: string | null) =>
      headquarters.database.query("UPDATE restaurants SET hub_id = $2 WHERE id = $1", [sender.id, hubId]);
    await enrol(null);
    await sender.send({ orders: [check(4, 100)] });
    expect(await sender.cursor()).toMatchObject({ seq: 4 });
    await enrol("the next one");
    await sender.send({ from: 4, to: 5, orders: [check(5, 200)] });
    expect(await sender.cursor()).toMatchObject({ seq: 5 });
    await sender.send({ from: 5, to: 6, hubId: "stranger" });
    expect(await sender.reasons()).toEqual([expect.stringContaining("stranger is not the hub")]);
    // Revoked before headquarters had received anything from it.
    await enrol(null);
    await headquarters.database.query("DELETE FROM cursors WHERE restaurant_id = $1", [sender.id]);
    await sender.send({ full: "end", from: 0, to: 7, cut: 7 });
    expect(await sender.cursor()).toMatchObject({ seq: 7, isFullDone: true });
  });

  it("a batch of a newer hub version waits for an update, however often it comes [HQ-36]", async () => {
    const sender = await restaurant();
    for (let n = 0; n < 4; n += 1) await sender.send({ v: 2 }, { version: "2" });
    await sender.send({ v: 2 });
    expect(await sender.reasons()).toEqual(["version 2", "version 2", "version 2", "version 2", "version 2"]);
    expect(await sender.cursor()).toMatchObject({ seq: 3 });
    await sender.send({ orders: [check(4, 100)], newer: { field: true } });
    expect(await sender.cursor()).toMatchObject({ seq: 4 });
  });

  it("batches of other restaurants are applied while one restaurant sends garbage [HQ-37]", async () => {
    const noisy = await restaurant();
    const enrolled = await headquarters.addRestaurant();
    const quiet = new SimulatedRestaurant(enrolled.id, `hub-${enrolled.id}`, 11, EVENING);
    const connection = await enrolled.connect();
    const hub = new SimulatedHub(quiet, connection).start();
    onTestFinished(async () => {
      await hub.stop();
      await connection.close();
    });
    let isOver = false;
    // 200 at a time fill a whole transaction. More would wait at NATS, and only show how fast this machine is.
    const flood = Promise.all(
      Array.from({ length: 200 }, async (_, first) => {
        for (let n = first; !isOver; n += 200) await noisy.send(Buffer.alloc(20_000, n), { place: `${n} 4 0` });
      }),
    );
    for (let n = 0; n < 10; n += 1) {
      quiet.steps(10);
      await vi.waitUntil(() => hub.isDone(), { timeout: 10_000, interval: 10 });
    }
    isOver = true;
    await flood;
    expect(await differences(headquarters.database, quiet)).toEqual([]);
    expect((await noisy.reasons()).length).toBeGreaterThan(0);
    expect((await noisy.reasons()).length).toBeLessThanOrEqual(220);
    expect(await noisy.cursor()).toMatchObject({ seq: 3 });
  });
});
