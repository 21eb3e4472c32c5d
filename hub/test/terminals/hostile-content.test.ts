import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { line, takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import { openSocket } from "../support/open-socket.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";

/** Hub shared by tests that leave no state behind. */
let shared: TestHub;
beforeAll(async () => {
  shared = await startTestHub();
});

const lineOf = (overrides: Record<string, unknown>) => ({
  id: "a",
  productId: 101,
  quantity: 1,
  total: 1,
  ...overrides,
});

/** Refused snapshots: description, field named by the refusal, content. */
const outOfBounds: [string, string, Record<string, unknown>][] = [
  ["quantity 1e300", "snapshot.lines.0.quantity", { lines: [lineOf({ quantity: 1e300 })] }],
  ["quantity above 100,000", "snapshot.lines.0.quantity", { lines: [lineOf({ quantity: 100_001 })] }],
  ["quantity below 0", "snapshot.lines.0.quantity", { lines: [lineOf({ quantity: -1 })] }],
  ["unitPrice above 1e9", "snapshot.lines.0.unitPrice", { lines: [lineOf({ unitPrice: 1_000_000_001 })] }],
  ["total below -1e9", "snapshot.lines.0.total", { lines: [lineOf({ total: -1_000_000_001 })] }],
  ["taxAmount 1e12", "snapshot.lines.0.taxAmount", { lines: [lineOf({ taxAmount: 1e12 })] }],
  ["totals above 1e9", "snapshot.totals.total", { totals: { subtotal: 0, tax: 0, total: 1e10 } }],
  ["voidedQuantity above quantity", "snapshot.lines.0.voidedQuantity", { lines: [lineOf({ voidedQuantity: 2 })] }],
  ["a negative voidedQuantity", "snapshot.lines.0.voidedQuantity", { lines: [lineOf({ voidedQuantity: -1 })] }],
  ["a line's discount", "snapshot.lines.0.discount", { lines: [lineOf({ discount: 1e12 })] }],
  [
    "a modifier's price",
    "snapshot.lines.0.modifiers.1.priceExtra.price",
    { lines: [lineOf({ modifiers: [{ price: 5 }, { priceExtra: { price: 2e9 } }] })] },
  ],
  [
    "a modifier's quantity",
    "snapshot.lines.0.modifiers.0.quantity",
    { lines: [lineOf({ modifiers: [{ quantity: -3 }] })] },
  ],
  ["an adjustment", "snapshot.adjustments.0.amount", { adjustments: [{ kind: "discount", amount: -1e10 }] }],
  ["an adjustment of no kind", "snapshot.adjustments.0.kind", { adjustments: [{ kind: "gift", amount: -1 }] }],
  ["guestCount above 100,000", "snapshot.guestCount", { guestCount: 100_001 }],
  ["guestCount beyond 2^53", "snapshot.guestCount", { guestCount: 2 ** 60 }],
  ["a table beyond 2^53", "snapshot.tableId", { tableId: 2 ** 60 }],
  ["an unknown number beyond 2^53", "snapshot.loyalty.points", { loyalty: { points: 1e300 } }],
];

const controlled: [string, string, Record<string, unknown>][] = [
  ["staffName", "snapshot.staffName", { staffName: "Ana\u001b[2J" }],
  ["a line break in a name", "snapshot.customerName", { customerName: "Ana\nLuis" }],
  ["notes", "snapshot.notes", { notes: "bell\u0007" }],
  ["a line break in a line's name", "snapshot.lines.0.name", { lines: [lineOf({ name: "Agua\n999 Ron" })] }],
  [
    "a turned direction",
    "snapshot.lines.0.modifiers.0.name",
    { lines: [lineOf({ modifiers: [{ name: "\u202e05" }] })] },
  ],
  ["a mark of direction in a line's name", "snapshot.lines.0.name", { lines: [lineOf({ name: "Agua \u200f5" })] }],
  ["another one in a field of a line", "snapshot.lines.0.seatName", { lines: [lineOf({ seatName: "\u061cA" })] }],
  ["a carriage return in notes", "snapshot.notes", { notes: "one\rtwo" }],
  ["a line's note", "snapshot.lines.0.note", { lines: [lineOf({ note: "\u0000" })] }],
  ["a modifier", "snapshot.lines.0.modifiers.1.name", { lines: [lineOf({ modifiers: [{}, { name: "\u001d!" }] })] }],
  ["U+007F", "snapshot.lines.0.name", { lines: [lineOf({ name: "x\u007f" })] }],
  ["U+009B, which opens a sequence", "snapshot.lines.0.name", { lines: [lineOf({ name: "\u009b2J" })] }],
  ["half a surrogate pair", "snapshot.lines.0.name", { lines: [lineOf({ name: "\ud83d" })] }],
  ["another direction in a guest's name", "snapshot.customerName", { customerName: "Ana \u202e001 latoT" }],
  ["a line separator in a guest's name", "snapshot.customerName", { customerName: "Ana\u2028Total 1" }],
  ["a line break in a guest's name", "snapshot.customerName", { customerName: "Ana\r\nTotal 1" }],
  ["another direction in a waiter's name", "snapshot.staffName", { staffName: "\u2067Ana" }],
  ["a field's name", "snapshot.lines.0", { lines: [lineOf({ "x\u0001": 1 })] }],
];

describe("terminals' messages", () => {
  it.each(outOfBounds)(
    "a change with %s is refused, and nothing is stored [ORDER-60, TERM-85]",
    async (_, field, overrides) => {
      await expectRefused(field, overrides);
    },
  );

  it("a number in a change that is not finite is refused, and nothing is stored [ORDER-60]", async () => {
    const terminal = await shared.terminal({ login: "cashier" });
    const snapshot = terminalSnapshot({ lines: [lineOf({ unitPrice: 4321, modifiers: [{ extra: 5432 }] })] });
    const text = JSON.stringify({
      type: "ORDER_UPSERT",
      mutationId: crypto.randomUUID(),
      posReference: "BAD",
      baseVersion: 0,
      snapshot,
    });
    for (const [number, field] of [
      ["4321", "unitPrice"],
      ["5432", "modifiers.0.extra"],
    ] as const) {
      // Includes the colon, because a random id may contain the digits.
      terminal.socket.send(text.replace(`:${number}`, ":1e999"));
      expect(await terminal.next("ORDER_REJECTED")).toMatchObject({
        errorCode: "VALIDATION_ERROR",
        error: expect.stringContaining(`snapshot.lines.0.${field}`),
      });
    }
    expect((await shared.external().get("/orders")).body).toEqual({ orders: [] });
    terminal.close();
  });

  it.each(controlled)(
    "text with a control character is refused: %s [TERM-84, TERM-140, TERM-173]",
    async (_, field, overrides) => {
      await expectRefused(field, overrides);
    },
  );

  it("a user's odd name from the back-office is cleaned, and accepted in the user's changes [TERM-173]", async () => {
    const name = `Ana\u202e\n\ud800 ${"Pérez ".repeat(40)}`;
    const session = { uid: 3, name, username: "cashier", pos: { role: "cashier", permissions: [] } };
    const body = { jsonrpc: "2.0", result: session };
    const fault = { path: "/web/session/get_session_info", action: "status", status: 200, body };
    await shared.backOffice.control("POST", "/faults", { faults: [fault] });
    const terminal = await shared.terminal({ login: "cashier", deviceId: "odd-name" });
    await shared.backOffice.control("DELETE", "/faults");
    const staffName = terminal.hello.user.name;
    expect(staffName).toMatch(/^Ana {4}Pérez Pérez/);
    const snapshot = terminalSnapshot({ staffName });
    const upsert = { type: "ORDER_UPSERT", posReference: "NAMED", baseVersion: 0, snapshot };
    expect(await terminal.change(upsert)).toMatchObject({ version: 1 });
    await terminal.change({ type: "ORDER_DISCARD", posReference: "NAMED", baseVersion: 1 });
    terminal.close();
  });

  async function expectRefused(field: string, overrides: Record<string, unknown>): Promise<void> {
    const hub = shared;
    const terminal = await hub.terminal({ login: "cashier" });
    const upsert = { type: "ORDER_UPSERT", posReference: "BAD", baseVersion: 0, snapshot: terminalSnapshot(overrides) };
    const received = await terminal.change(upsert).catch((error: unknown) => error);
    expect(received).toMatchObject({ type: "ORDER_REJECTED", errorCode: "VALIDATION_ERROR", retryable: false });
    expect((received as { error: string }).error).toMatch(new RegExp(`^${field}: `));
    expect((await hub.external().get("/orders")).body).toEqual({ orders: [] });
    terminal.close();
  }

  it("a number in a message that becomes infinite is refused [TERM-85]", async () => {
    const hub = shared;
    const terminal = await hub.terminal({ login: "cashier" });
    const bump = { type: "KITCHEN_BUMP", mutationId: crypto.randomUUID(), posReference: "A", lineId: "a" };
    terminal.socket.send(JSON.stringify({ ...bump, preparedQuantity: 1 }).replace(":1}", ":1e999}"));
    expect(await terminal.next("ORDER_REJECTED")).toMatchObject({
      error: expect.stringMatching(/^preparedQuantity: /),
    });
    terminal.socket.send('{"type":"HEARTBEAT","requestId":"r","what":[1,-1e999]}');
    expect(await terminal.next("ERROR")).toMatchObject({ requestId: "r", error: expect.stringMatching(/^what\.1: /) });
  });

  it("content up to the bounds is accepted [ORDER-60]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal({ login: "cashier" });
    const lines = [
      lineOf({ quantity: 100_000, unitPrice: 10_000, total: 1_000_000_000, note: "sin sal\nsin ajo" }),
      lineOf({ id: "b", total: -5 }),
    ];
    const snapshot = terminalSnapshot({ lines, notes: "one\n\ttwo", staffName: "Ñandú 🍽", custom: { text: "a\nb" } });
    await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot });
    expect((await hub.external().get("/orders/A")).body.snapshot).toMatchObject({ notes: "one\n\ttwo" });
    const payments = [{ methodId: 1, amount: 1_000_000_001 }];
    const pay = { type: "ORDER_PAY", posReference: "A", baseVersion: 1, payments };
    await expect(terminal.change(pay)).rejects.toThrow("payments.0.amount");
    const bump = { type: "KITCHEN_BUMP", posReference: "A", lineId: "a", preparedQuantity: 100_001 };
    await expect(terminal.change(bump)).rejects.toThrow("preparedQuantity");
  });

  it("a total that the hub would compute beyond the bounds is refused [ORDER-61]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const upsert = (lines: unknown[]) =>
      terminal.change({
        type: "ORDER_UPSERT",
        posReference: "A",
        baseVersion: 0,
        snapshot: { orderType: "takeout", lines },
      });
    const { total: _, ...unpriced } = lineOf({ quantity: 100_000, unitPrice: 1_000_000_000 });
    await expect(upsert([unpriced])).rejects.toThrow("snapshot.lines.0.total");
    const many = ["a", "b"].map((id) => lineOf({ id, total: 1_000_000_000 }));
    await expect(upsert(many)).rejects.toThrow("snapshot.totals.total");
    expect((await hub.external().get("/orders")).body).toEqual({ orders: [] });
  });

  it("an offered order out of bounds is refused, and line ends in its texts are cleaned [ORDER-62]", async () => {
    const hub = await startTestHub();
    const { epoch } = (await hub.terminal({ login: "manager" })).hello;
    const call = operatorOf(hub);
    const { name } = (await call("makeBackup")).body.backup;
    await call("restoreBackup", { params: { name }, body: { confirm: name } });
    await hub.restart();
    const manager = await hub.terminal({ login: "manager" });
    await manager.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    const { order } = await manager.next("ORDER_CHANGED");
    const offer = (overrides: Record<string, unknown>) =>
      manager.request({
        type: "ORDER_OFFER",
        epoch,
        orders: [
          { ...order, posReference: "LOST", snapshot: { ...order.snapshot, posReference: "LOST", ...overrides } },
        ],
      });
    const tooMuch = { totals: { subtotal: 0, tax: 0, total: 1e10 } };
    expect(await offer(tooMuch)).toMatchObject({
      error: expect.stringMatching(/^orders\.0\.snapshot\.totals\.total: /),
    });
    expect(await offer({ notes: "one\r\ntwo" })).toMatchObject({ type: "ORDER_OFFER_ACK", taken: 1 });
    await hub.hub.stop();
    const db = new Database(hub.dbPath, { readonly: true });
    const { body } = db.prepare<[], { body: string }>("SELECT body FROM losses").get() ?? { body: "{}" };
    db.close();
    await hub.restart();
    expect((JSON.parse(body) as typeof order).snapshot.notes).toBe("one\ntwo");
  });

  it("a ticket can be marked as seen by 50 stations, and no more [ORDER-63]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot: terminalSnapshot() });
    const { kitchenTicketId } = await terminal.change({ type: "ORDER_SEND", posReference: "A" });
    const seenBy = (n: number) => terminal.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: `s${n}` });
    for (let n = 0; n < 50; n += 1) await seenBy(n);
    await expect(seenBy(50)).rejects.toThrow("LIMIT_REACHED");
    await seenBy(7);
  });

  it("a control character is refused before AUTH too [TERM-84]", async () => {
    const hub = shared;
    const socket = await openSocket(hub.url);
    socket.send({ type: "AUTH", token: await hub.signIn("cashier"), deviceId: "d", clientVersion: "1\n2" });
    expect(await socket.first("AUTH_FAILED")).toMatchObject({ error: expect.stringMatching(/^clientVersion: /) });
  });
});

describe("integrations' requests", () => {
  it("a control character from an integration is refused with the name of the field [EXT-74]", async () => {
    const hub = await startTestHub();
    const external = hub.external();
    const bad: [string, Record<string, unknown>][] = [
      ["customerName", { customerName: "\u001b" }],
      ["staffName", { staffName: "a\tb" }],
      ["customerName", { customerName: "a\r\nb" }],
      ["notes", { notes: "a\rb" }],
      ["lines.0.note", { lines: [line({ note: "\u0000" })] }],
      ["lines.0.productId", { lines: [line({ productId: "1\n" })] }],
      ["pluginData.loyalty.text", { pluginData: { loyalty: { text: "\u0007" } } }],
    ];
    for (const [field, overrides] of bad) {
      const { status, body } = await external.post("/orders", takeoutOrder(overrides));
      expect([status, body.errorCode], field).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.error).toMatch(new RegExp(`^${field}: `));
    }
    const notes = "one\n\ttwo";
    expect((await external.post("/orders", takeoutOrder({ notes, lines: [line({ note: notes })] }))).status).toBe(201);
    // Line ends as HTML forms send them.
    const typed = "one\r\n\ttwo";
    const lines = [line({ note: typed, specialRequest: typed })];
    const { status, body } = await external.post("/orders", takeoutOrder({ notes: typed, lines }));
    expect([status, body.snapshot.notes]).toEqual([201, "one\n\ttwo"]);
    expect(body.snapshot.lines).toMatchObject([{ note: "one\n\ttwo", specialRequest: "one\n\ttwo" }]);
    const atBound = takeoutOrder({ notes: "\r\n".repeat(1000) });
    expect((await external.post("/orders", atBound)).body.snapshot.notes).toBe("\n".repeat(1000));
    expect((await hub.admin().post("", { label: "a\u001bb", scopes: ["read"] })).body.error).toMatch(/^label: /);
  });
});
