// @module-tag long
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTerminal, type TestTerminal } from "../../hub/test/support/connect-terminal.ts";
import { callOperator } from "../support/call-operator.ts";
import { openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { type FakePrinter, startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";
import { readPaper } from "./read-paper.ts";

/** Tests the contract of paper and till from outside: real programs, bare sockets, a TCP printer. */
const settings = {
  HUB_STATIONS: JSON.stringify([
    { id: "cocina", name: "Cocina", categoryIds: [1, 2, 3, 5, 6] },
    { id: "bar", name: "Bar", categoryIds: [4] },
  ]),
  HUB_PRINTER_POLL_MS: "300",
  HUB_PRINT_UNSEEN_MS: "500",
  HUB_PRINT_FALLBACK_MS: "700",
  HUB_PRINT_EXPIRE_MS: "4000",
  HUB_RECEIPT_WAIT_MS: "600",
  HUB_FISCAL_POLL_MS: "300",
};

// oxlint-disable-next-line typescript/no-explicit-any -- what is answered is what is tested here
type Answered = any;

let restaurant: Restaurant;
const printers: FakePrinter[] = [];

beforeAll(async () => {
  restaurant = await openRestaurant(settings);
});
afterAll(async () => {
  await restaurant.close();
  await Promise.all(printers.map((printer) => printer.stop()));
});

/** Longer than any step takes here, even on a busy machine. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

async function operator(method: string, path: string, body?: object, login = "manager") {
  const { status, answer } = await callOperator(restaurant, method, path, { body, login });
  return { status, body: answer as Answered };
}

async function atTerminal(path: string, body: unknown, login = "cashier") {
  const answer = await fetch(new URL(`/terminal/v1/${path}`, restaurant.hubUrl), {
    method: "POST",
    headers: { authorization: `Bearer ${await restaurant.token(login)}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) satisfies Answered };
}

async function device(deviceId: string, login = "cashier", deviceKey?: string): Promise<TestTerminal> {
  const token = await restaurant.token(login);
  return connectTerminal(restaurant.hubSocketUrl, { type: "AUTH", token, deviceId, ...(deviceKey && { deviceKey }) });
}

type ReadPrinter = Awaited<ReturnType<typeof newPrinter>>;

/** Adds a printer to the restaurant; returns it with the documents printed since it was last cleared. */
async function newPrinter(fields: Record<string, unknown> = {}) {
  const printer = await startFakePrinter();
  let from = 0;
  const sheets = () =>
    printer
      .documents()
      .slice(from)
      .map(({ bytes }) => readPaper(bytes));
  printers.push(printer);
  const { status, body } = await operator("POST", "printers", {
    name: `P${printers.length}`,
    address: printer.address,
    width: 80,
    cutter: true,
    drawer: true,
    ...fields,
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return {
    id: String(body.id),
    address: printer.address,
    sheets,
    text: () =>
      sheets()
        .flatMap((sheet) => sheet.lines)
        .join("\n"),
    clear: () => void (from = printer.documents().length),
    close: printer.refuse,
    open: printer.listen,
  };
}

const lines = (...products: [id: string, productId: number, quantity: number, price: number][]) =>
  products.map(([id, productId, quantity, price]) => ({
    id,
    productId,
    name: `Plato ${productId}`,
    quantity,
    unitPrice: price,
    total: quantity * price,
  }));

async function sendTo(
  terminal: TestTerminal,
  posReference: string,
  tableId: number,
  dishes = lines(["a", 101, 2, 225]),
) {
  const total = dishes.reduce((sum, line) => sum + line.total, 0);
  const totals = { subtotal: total, tax: 0, total };
  const write = await terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion: 0,
    snapshot: { orderType: "dine_in", tableId, guestCount: 2, lines: dishes, totals },
  });
  const sent = await terminal.change({ type: "ORDER_SEND", posReference });
  return { version: write.version ?? 1, total, ticketIds: sent.kitchenTicketIds ?? [] };
}

const jobs = async (query: string) => (await operator("GET", `print-jobs?${query}`)).body.jobs as Answered[];

describe("printers and routes", () => {
  it("printers and routes are validated and managed by managers only, and a printer shows its state [PRINT-15] [PRINT-16]", async () => {
    const printer = await newPrinter({ name: "Cocina" });
    await eventually(async () => (await operator("GET", "printers")).body.printers).toMatchObject([
      {
        id: printer.id,
        name: "Cocina",
        address: printer.address,
        width: 80,
        cutter: true,
        drawer: true,
        state: "ready",
        waiting: 0,
      },
    ]);
    const bad = [
      { name: "x", address: "http://printer", width: 80, cutter: true, drawer: false },
      { name: "x", address: printer.address, width: 72, cutter: true, drawer: false },
      { name: "x", address: printer.address, width: 80, cutter: true, drawer: false, fallback: "nobody" },
      { name: "x", address: printer.address, width: 80, cutter: true, drawer: false, codePage: "utf8" },
    ];
    for (const body of bad) expect((await operator("POST", "printers", body)).status).toBe(400);
    expect((await operator("PATCH", `printers/${printer.id}`, { name: "Cocina caliente" })).status).toBe(200);
    expect((await operator("PATCH", "printers/nobody", { name: "x" })).status).toBe(404);
    for (const login of ["waiter", "cashier"]) {
      expect((await operator("GET", "printers", undefined, login)).status).toBe(403);
    }
    expect((await operator("PUT", "print-routes", { stations: { cocina: ["nobody"] } })).status).toBe(400);
    expect((await operator("DELETE", `printers/${printer.id}`)).status).toBeLessThan(300);
    expect((await operator("GET", "printers")).body.printers).toEqual([]);
  });

  it("a printer prints a test page, and the search on the local network answers [PRINT-17]", async () => {
    const printer = await newPrinter();
    expect((await operator("POST", `printers/${printer.id}/test`)).status).toBeLessThan(300);
    await eventually(printer.text).toMatch(/ñ/i);
    const { status, body } = await operator("POST", "printers/find");
    expect([status, body]).toEqual([200, expect.anything()]);
    await operator("DELETE", `printers/${printer.id}`);
  });
});

describe("an evening on paper", () => {
  let kitchen: ReadPrinter;
  let till: ReadPrinter;
  let cashier: TestTerminal;

  beforeAll(async () => {
    kitchen = await newPrinter({ name: "Cocina" });
    till = await newPrinter({ name: "Caja", width: 58 });
    cashier = await device("caja-1");
    const routes = {
      stations: { cocina: [kitchen.id] },
      terminals: { "caja-1": { printer: till.id, receipt: "always" } },
      receipts: till.id,
    };
    const put = await operator("PUT", "print-routes", routes);
    expect([put.status, put.body]).toEqual([200, expect.objectContaining({ receipts: till.id })]);
    expect((await operator("GET", "print-routes")).body).toMatchObject(routes);
  });

  it("a station printer prints slips for what is sent, added and voided [PRINT-110] [PRINT-111]", async () => {
    const { version, ticketIds } = await sendTo(cashier, "PAPER/1", 1);
    const code = ticketIds[0]?.slice(0, 6) ?? "?";
    await eventually(() => kitchen.text()).toContain(code);
    expect(kitchen.text()).toMatch(/2 +Plato 101/);
    expect(kitchen.sheets()[0]?.tall.some((line) => line.includes("Plato 101"))).toBe(true);
    const dishes = [...lines(["a", 101, 2, 225]), ...lines(["b", 102, 1, 195])];
    const totals = { subtotal: 645, tax: 0, total: 645 };
    const more = await cashier.change({
      type: "ORDER_UPSERT",
      posReference: "PAPER/1",
      baseVersion: version + 1,
      snapshot: { orderType: "dine_in", tableId: 1, guestCount: 2, lines: dishes, totals },
    });
    await cashier.change({ type: "ORDER_SEND", posReference: "PAPER/1" });
    await eventually(() => kitchen.text()).toMatch(/ADICIÓN/);
    expect(kitchen.text()).toMatch(/1 +Plato 102/);
    await cashier.change({
      type: "ORDER_UPSERT",
      posReference: "PAPER/1",
      baseVersion: (more.version ?? 0) + 1,
      snapshot: {
        orderType: "dine_in",
        tableId: 1,
        guestCount: 2,
        lines: [{ ...dishes[0], voidedQuantity: 1, total: 225 }, dishes[1]],
        totals: { subtotal: 420, tax: 0, total: 420 },
      },
    });
    await eventually(() => kitchen.text()).toMatch(/ANULADO/);
    const slips = async () => (await jobs("")).filter(({ document }) => document === "station");
    await eventually(async () => (await slips()).every(({ state, copy }) => state === "printed" && copy === 0)).toBe(
      true,
    );
  });

  it("the till prints a bill, then a receipt with its change, and the same receipt as a copy [PRINT-130] [PRINT-140] [PRINT-141]", async () => {
    const { total } = await sendTo(cashier, "PAPER/2", 2);
    const deviceKey = cashier.hello.deviceKey;
    const bill = await atTerminal("print", { deviceKey, document: "bill", posReference: "PAPER/2" });
    expect([bill.status, bill.body]).toEqual([202, { job: expect.objectContaining({ document: "bill" }) }]);
    await eventually(() => till.text().replaceAll(/\s+/g, " ")).toContain("PRE-CUENTA · no es comprobante fiscal");
    till.clear();
    const paid = await cashier.change({
      type: "ORDER_TENDER",
      posReference: "PAPER/2",
      tenderId: randomUUID(),
      methodId: 1,
      amount: total,
      tendered: 500,
      change: 500 - total,
    });
    expect(paid.status).toBe("paid");
    await eventually(() => till.text()).toMatch(/TOTAL/);
    expect(till.text()).toMatch(/Devuelta +50\.00/);
    expect(till.sheets().reduce((sum, { pulses }) => sum + pulses, 0)).toBe(1);
    till.clear();
    const again = await atTerminal("print", { deviceKey, document: "receipt", posReference: "PAPER/2" });
    expect(again.status).toBe(202);
    await eventually(() => till.text()).toMatch(/COPIA 1/);
    expect(till.sheets().every(({ pulses }) => pulses === 0)).toBe(true);
    expect(
      await atTerminal("print", { deviceKey, document: "receipt", posReference: "PAPER/2" }, "waiter"),
    ).toMatchObject({ status: 403 });
    expect(await atTerminal("print", { deviceKey, document: "receipt", posReference: "NONE" })).toMatchObject({
      status: 404,
    });
    expect(await atTerminal("print", { deviceKey: "x", document: "bill", posReference: "PAPER/2" })).toMatchObject({
      status: 401,
    });
  });

  it("dishes that no display has seen are printed on the receipt printer with their station [PRINT-114]", async () => {
    till.clear();
    await sendTo(cashier, "PAPER/3", 3, lines(["d", 125, 1, 90]));
    await eventually(() => till.text()).toMatch(/bar/i);
  });

  it("a print that fails is reported to its terminal, which alone may dismiss or repeat it [PRINT-6] [PRINT-19]", async () => {
    await kitchen.close();
    const { ticketIds } = await sendTo(cashier, "PAPER/4", 4);
    const jobsOf = (ids: string[]) => jobs(`cause=${encodeURIComponent(`ticket:${ids[0]}`)}`);
    const job = async () => (await jobsOf(ticketIds))[0];
    await eventually(async () => (await job())?.state).toBe("failed");
    const notices = cashier.received.filter((message) => (message.type as string) === "PRINT_CHANGED") as Answered[];
    expect(notices.at(-1)?.job).toMatchObject({ state: "failed", document: "station", posReference: "PAPER/4" });
    const { id } = await job();
    const again = await device("caja-1b");
    expect((again.sync as Answered).printJobs ?? []).toEqual([]);
    const deviceKey = cashier.hello.deviceKey;
    const foreign = await atTerminal(`print-jobs/${id}/dismiss`, { deviceKey: again.hello.deviceKey });
    expect(foreign.status).toBe(404);
    expect((await atTerminal(`print-jobs/${id}/dismiss`, { deviceKey })).status).toBeLessThan(300);
    expect(await job()).toMatchObject({ state: "dropped", copy: 0 });
    const detail = await operator("GET", `print-jobs/${id}`);
    expect(detail.body.blocks ?? detail.body.job?.blocks).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: "text" })]),
    );

    const repeated = await sendTo(cashier, "PAPER/5", 5);
    await eventually(async () => (await jobsOf(repeated.ticketIds))[0]?.state).toBe("failed");
    const { id: failedId } = (await jobsOf(repeated.ticketIds))[0];
    kitchen.clear();
    await kitchen.open();
    const foreignAgain = await atTerminal(`print-jobs/${failedId}/again`, { deviceKey: again.hello.deviceKey });
    expect(foreignAgain.status).toBe(404);
    const ownAgain = await atTerminal(`print-jobs/${failedId}/again`, { deviceKey });
    expect([ownAgain.status, ownAgain.body.job]).toEqual([200, expect.objectContaining({ copyOf: failedId })]);
    await eventually(() => kitchen.text()).toMatch(/2 +Plato 101/);
    // Nothing of it was printed before, so it is the original. The dismissed slip stays unprinted.
    expect(kitchen.text()).not.toMatch(/COPIA/);
    expect(kitchen.sheets()).toHaveLength(1);
    cashier.close();
    await cashier.closed;
    cashier = await device("caja-1", "cashier", deviceKey);
    expect((cashier.sync as Answered).printJobs ?? []).toEqual([]);
  });
});

describe("till shift", () => {
  const shift = randomUUID();
  let cashier: TestTerminal;
  let approval: string | undefined;
  const ask = (message: Record<string, unknown>) =>
    cashier.request({ mutationId: randomUUID(), ...message }) as Promise<Answered>;

  beforeAll(async () => {
    const manager = await device("caja-9", "manager");
    approval = manager.hello.actorToken;
    manager.close();
    await manager.closed;
    cashier = await device("caja-9", "cashier", manager.hello.deviceKey);
    const made = await operator("POST", "tills", { id: "t9", name: "Caja 9", terminals: ["caja-9"] });
    expect([made.status, made.body]).toEqual([201, expect.anything()]);
  });

  it("a shift opens, moves cash, is counted blind and closes [TILL-2] [TILL-3] [TILL-20] [TILL-21]", async () => {
    const opened = await ask({ type: "TILL_OPEN", tillId: "t9", shiftId: shift, float: 2000 });
    expect(opened).toMatchObject({ type: "TILL_ACK", tillId: "t9", shiftId: shift, seq: expect.any(Number) });
    expect(await ask({ type: "TILL_OPEN", tillId: "t9", shiftId: randomUUID(), float: 0 })).toMatchObject({
      type: "TILL_REJECTED",
      errorCode: "SHIFT_OPEN",
    });
    expect(await ask({ type: "TILL_OPEN", tillId: "nobody", shiftId: randomUUID(), float: 0 })).toMatchObject({
      type: "TILL_REJECTED",
      errorCode: "NO_TILL",
    });
    for (const [kind, amount] of [
      ["in", 500],
      ["out", 200],
      ["drop", 1000],
    ] as const) {
      const moved = await ask({ type: "TILL_MOVE", shiftId: shift, kind, amount, reason: "Prueba" });
      expect(moved).toMatchObject({ type: "TILL_ACK" });
    }
    expect(await ask({ type: "TILL_MOVE", shiftId: shift, kind: "in", amount: 0, reason: "x" })).toMatchObject({
      type: "TILL_REJECTED",
      errorCode: "VALIDATION_ERROR",
    });
    const { total } = await sendTo(cashier, "TILL/1", 11);
    await cashier.change({
      type: "ORDER_TENDER",
      posReference: "TILL/1",
      tenderId: randomUUID(),
      methodId: 1,
      amount: total,
    });
    const drawer = await ask({ type: "TILL_DRAWER", tillId: "t9", reason: "Cambio" });
    expect(drawer).toMatchObject({ type: "TILL_ACK" });

    const expected = 2000 + 500 - 200 - 1000 + total;
    const count = (amount: number, more = {}) =>
      ask({ type: "TILL_COUNT", shiftId: shift, counted: [{ methodId: 1, amount }], ...more });
    const first = await count(expected - 300);
    expect(first).toMatchObject({ type: "TILL_REJECTED", errorCode: "APPROVAL_NEEDED" });
    expect(JSON.stringify(first)).not.toContain(String(expected));
    expect(await count(expected)).toMatchObject({ type: "TILL_REJECTED", errorCode: "APPROVAL_NEEDED" });
    const closed = await count(expected - 300, { approval });
    expect(closed, JSON.stringify(closed)).toMatchObject({ type: "TILL_ACK", shiftId: shift });
    const report = (await operator("GET", `shifts/${shift}`)).body;
    const cash = report.byMethod.find(({ methodId }: Answered) => String(methodId) === "1");
    expect(cash).toMatchObject({ sales: total, expected, counted: expected - 300, difference: -300 });
    expect(await ask({ type: "TILL_MOVE", shiftId: shift, kind: "in", amount: 10, reason: "x" })).toMatchObject({
      type: "TILL_REJECTED",
      errorCode: "SHIFT_CLOSED",
    });
  });

  it("money without a shift is assigned by a manager and does not change the closed shift's report [TILL-11] [TILL-12] [TILL-31]", async () => {
    const before = JSON.stringify((await operator("GET", `shifts/${shift}`)).body.byMethod);
    const { total } = await sendTo(cashier, "TILL/2", 12);
    await cashier.change({
      type: "ORDER_TENDER",
      posReference: "TILL/2",
      tenderId: randomUUID(),
      methodId: 1,
      amount: total,
    });
    const { body } = await operator("GET", "shifts/none");
    const payments = (body.payments ?? body) as Answered[];
    const own = payments.find(({ posReference }) => posReference === "TILL/2");
    expect(own).toMatchObject({ amount: total });
    const assigned = await operator("POST", `shifts/none/${own.paymentId ?? own.id}/assign`, { shiftId: shift });
    expect(assigned.status).toBeLessThan(300);
    const after = (await operator("GET", `shifts/${shift}`)).body;
    expect(JSON.stringify(after.byMethod)).toBe(before);
    expect(after.late).toEqual([expect.objectContaining({ amount: total })]);
  });

  it("the closing lists open shifts, waiting prints and pending fiscal answers [TILL-32]", async () => {
    const { body } = await operator("GET", "closing");
    expect(body).toMatchObject({
      openShifts: expect.anything(),
      waitingPrints: expect.anything(),
      pendingFiscal: expect.anything(),
    });
  });
});

describe("electronic receipt", () => {
  let cashier: TestTerminal;
  let printer: ReadPrinter;
  let table = 21;

  beforeAll(async () => {
    printer = await newPrinter({ name: "Caja e-CF" });
    cashier = await device("caja-ecf");
    await operator("PUT", "print-routes", { receipts: printer.id });
  });

  const quirk = (fields: object) =>
    restaurant.stub("/stub/v1/quirks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });

  async function pay(posReference: string): Promise<void> {
    const { total } = await sendTo(cashier, posReference, (table += 1));
    printer.clear();
    const tender = { posReference, tenderId: randomUUID(), methodId: 2, amount: total, fiscal: { type: "E32" } };
    await cashier.change({ type: "ORDER_TENDER", ...tender });
  }
  const orderOf = async (posReference: string) =>
    (await operator("GET", `orders/${encodeURIComponent(posReference)}`)).body.order.snapshot;

  it("a receipt that is signed at once is printed with code, QR and type [PRINT-133]", async () => {
    await quirk({ fiscal: "signed" });
    await pay("ECF/1");
    await eventually(() => printer.text()).toMatch(/Código de Seguridad/i);
    expect(printer.text()).toMatch(/Factura de Consumo Electrónica/);
    expect(printer.text()).toMatch(/e-NCF: E32\d{10}/);
    const { fiscal, ncf } = await orderOf("ECF/1");
    expect(fiscal.ecf).toMatchObject({ ncf, securityCode: expect.any(String), qrUrl: expect.stringContaining("dgii") });
    expect(printer.sheets().flatMap(({ qrs }) => qrs)).toEqual([fiscal.ecf.qrUrl]);
  });

  it("a receipt is printed as pending until it is signed, and in full on request afterwards [PRINT-132]", async () => {
    await quirk({ fiscal: "later", fiscalAfterMs: 2_500 });
    await pay("ECF/2");
    await eventually(() => printer.text().replaceAll(/\s+/g, " ")).toContain(
      "Comprobante pendiente: su validez podrá consultarse con el código",
    );
    const { lookup } = (await orderOf("ECF/2")).fiscal;
    expect(lookup).toMatch(/^[^AEIOU]{8}$/i);
    expect(printer.text()).toContain(lookup);
    await eventually(async () => (await orderOf("ECF/2")).fiscal.ecf?.securityCode).toBeDefined();
    printer.clear();
    const full = await atTerminal("print", {
      deviceKey: cashier.hello.deviceKey,
      document: "receipt",
      posReference: "ECF/2",
    });
    expect(full.status).toBe(202);
    await eventually(() => printer.text()).toMatch(/Código de Seguridad/i);
    expect(printer.text()).not.toMatch(/COPIA/);
  });

  it("an order whose receipt is rejected stays paid and closed, with the tax office's words as attention [ECF-6]", async () => {
    await quirk({ fiscal: "rejected" });
    await pay("ECF/3");
    await eventually(async () => (await orderOf("ECF/3")).fiscal.ecf?.status).toBe("rejected");
    await eventually(async () => (await orderOf("ECF/3")).status).toBe("closed");
    const rejection = "El RNC del comprador no existe en la DGII.";
    expect((await operator("GET", "fiscal")).body.receipts).toMatchObject([
      { posReference: "ECF/3", state: "rejected", error: { words: rejection } },
    ]);
    expect((await operator("GET", "overview")).body).toMatchObject({ status: "degraded", fiscal: { receipts: 1 } });
  });

  it("a receipt keeps its first number when the back-office has another [ECF-5]", async () => {
    await quirk({ fiscal: "other" });
    await pay("ECF/4");
    await eventually(async () => JSON.stringify((await operator("GET", "fiscal")).body)).toContain("NCF_CONFLICT");
    const { ncf } = await orderOf("ECF/4");
    await eventually(() => printer.text()).toContain(ncf);
  });
});
