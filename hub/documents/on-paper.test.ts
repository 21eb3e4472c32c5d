import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FakePrinter, startFakePrinter } from "../test/fake-printer/fake-printer.ts";
import { givePrinters, printJobs } from "../test/kitchen/printed.ts";
import { operatorOf } from "../test/support/operator.ts";
import { startTestHub, type TestHub } from "../test/support/start-test-hub.ts";
import type { TestTerminal } from "../test/support/connect-terminal.ts";
import { until } from "../test/support/until.ts";

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [101] },
  { id: "bar", name: "Barra", categoryIds: [], productIds: [102] },
];
const env = { HUB_STATIONS: JSON.stringify(stations), HUB_FISCAL_POLL_MS: "200" };

async function printer(): Promise<FakePrinter> {
  const fake = await startFakePrinter();
  onTestFinished(fake.stop);
  return fake;
}

const dish = (id: string, productId: number) => ({
  id,
  productId,
  name: id,
  quantity: 1,
  unitPrice: 100,
  total: 100,
});

const textsOn = (fake: FakePrinter): string[] =>
  fake.papers().map(({ lines }) =>
    lines
      .map(({ text }) => text)
      .join(" ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

async function send(terminal: TestTerminal, lines: object[], posReference: string = randomUUID()) {
  const snapshot = { orderType: "dine_in", tableId: 5, staffName: "Ana", guestCount: 2, lines };
  const { version } = await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
  const sent = await terminal.change({ type: "ORDER_SEND", posReference });
  return { posReference, version: sent.version ?? version ?? 0, ticketIds: sent.kitchenTicketIds ?? [] };
}

const ticketMessage = (terminal: TestTerminal, id: string | undefined) =>
  terminal.received.findLast((message) => message.type === "TICKET_CHANGED" && message.ticket.id === id);

describe("a restaurant without displays", () => {
  const paperOnly = ["hot", "bar"];
  const routes = { stations: { hot: ["cocina"], bar: ["barra"] }, paperOnly };

  async function startRestaurant() {
    const [cocina, barra] = [await printer(), await printer()];
    const hub = await startTestHub({ env });
    await givePrinters(hub, { cocina: cocina.address, barra: barra.address }, routes);
    return { hub, cocina, barra, terminal: await hub.terminal({ login: "cashier", deviceId: "tablet" }) };
  }

  it("a printed ticket is finished: on the check, in no list and in no SYNC [PRINT-122]", async () => {
    const { hub, cocina, barra, terminal } = await startRestaurant();
    const { posReference, ticketIds } = await send(terminal, [dish("Mofongo", 101), dish("Ron", 102)]);
    for (const id of ticketIds) {
      const message = await until("the ticket on paper", () => {
        const message = ticketMessage(terminal, id);
        return message?.type === "TICKET_CHANGED" && message.ticket.onPaper === true ? message : undefined;
      });
      expect(message.ticket).toMatchObject({ isOver: true, readyAt: null });
    }
    expect(textsOn(cocina)).toHaveLength(1);
    expect(textsOn(cocina)[0]).toMatch(/^CALIENTE .*1 Mofongo/);
    expect(textsOn(barra)[0]).toMatch(/^BARRA .*1 Ron/);
    const newcomer = await hub.terminal({ login: "waiter", deviceId: "other" });
    expect(newcomer.sync).toMatchObject({ tickets: [] });
    expect(newcomer.sync.recentTickets ?? []).toEqual([]);
    const order = newcomer.sync.orders.find((each) => each.posReference === posReference);
    expect(order?.snapshot.lines.map(({ kitchenItemStatus }) => kitchenItemStatus)).toEqual(["on_paper", "on_paper"]);
  });

  it("a ticket whose slip is not printed stays in its lists until someone settles it [PRINT-122]", async () => {
    const { hub, cocina, terminal } = await startRestaurant();
    cocina.faults.paper = "out";
    const { ticketIds } = await send(terminal, [dish("Mofongo", 101)]);
    await until("the printer without paper", () => cocina.connections() > 0 || undefined);
    const newcomer = await hub.terminal({ login: "waiter", deviceId: "other" });
    expect(newcomer.sync.tickets?.map(({ id }) => id)).toEqual(ticketIds);
    const [job] = printJobs(hub);
    expect(job?.state).toBe("waiting");
    const { deviceKey } = terminal.hello;
    const answer = await hub.send("POST", `/terminal/v1/print-jobs/${job?.id}/dismiss`, {
      headers: { Authorization: `Bearer ${await hub.signIn("cashier")}` },
      body: { deviceKey },
    });
    expect(answer.status).toBe(200);
    await until("its ticket", () => {
      const message = ticketMessage(terminal, ticketIds[0]);
      return (
        (message?.type === "TICKET_CHANGED" && message.ticket.onPaper === true && message.ticket.isOver) || undefined
      );
    });
  });

  it("a repeated slip is printed as a copy [PRINT-123]", async () => {
    const { hub, cocina, terminal } = await startRestaurant();
    const { posReference } = await send(terminal, [dish("Mofongo", 101)]);
    await until("the slip", () => printJobs(hub)[0]?.state === "printed" || undefined);
    const { deviceKey } = terminal.hello;
    const answer = await hub.send("POST", "/terminal/v1/print", {
      headers: { Authorization: `Bearer ${await hub.signIn("waiter")}` },
      body: { deviceKey, document: "station", posReference },
    });
    expect(answer.status).toBe(202);
    await until("the copy", () => textsOn(cocina).length === 2 || undefined);
    expect(textsOn(cocina)[1]).toMatch(/^COPIA 1 CALIENTE/);
  });

  it("slips are printed again with what became of their dishes, and the present note [PRINT-554]", async () => {
    const { hub, cocina, terminal } = await startRestaurant();
    const { posReference, version } = await send(terminal, [dish("Mofongo", 101), dish("Sancocho", 101)]);
    const lines = [dish("Mofongo", 101), { ...dish("Sancocho", 101), voided: true, voidReason: "frío", total: 0 }];
    const snapshot = { orderType: "dine_in", tableId: 5, staffName: "Ana", guestCount: 2, lines };
    await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot });
    for (const [index, notes] of ["Sin prisa", "Alergia al maní"].entries()) {
      const change = { type: "ORDER_UPSERT", posReference, baseVersion: version + 1 + index };
      await terminal.change({ ...change, snapshot: { ...snapshot, notes } });
    }
    const arePrinted = (count: number) => () =>
      (textsOn(cocina).length === count && printJobs(hub).every(({ state }) => state === "printed")) || undefined;
    await until("the slips", arePrinted(4));
    await hub.send("POST", "/terminal/v1/print", {
      headers: { Authorization: `Bearer ${await hub.signIn("waiter")}` },
      body: { deviceKey: terminal.hello.deviceKey, document: "station", posReference },
    });
    await until("the copies", arePrinted(7));
    expect(textsOn(cocina)[4]).toMatch(/^COPIA 1 CALIENTE .*1 Mofongo 1 Sancocho/);
    expect(textsOn(cocina)[5]).toMatch(/^COPIA 1 CALIENTE ANULADO .*ANULAR 1 Sancocho/);
    // The first slip has the note of its time.
    expect(textsOn(cocina)[6]).toMatch(/^COPIA 1 CALIENTE NOTA .*Alergia al maní/);
  });

  it("a slip is printed again on the printer that its station has now [PRINT-555]", async () => {
    const { hub, cocina, barra, terminal } = await startRestaurant();
    const { posReference } = await send(terminal, [dish("Mofongo", 101)]);
    await until("the slip", () => printJobs(hub)[0]?.state === "printed" || undefined);
    await operatorOf(hub)("setPrintRoutes", { body: { stations: { hot: ["barra"] }, terminals: {} } });
    await hub.send("POST", "/terminal/v1/print", {
      headers: { Authorization: `Bearer ${await hub.signIn("waiter")}` },
      body: { deviceKey: terminal.hello.deviceKey, document: "station", posReference },
    });
    await until("the copy", () => printJobs(hub)[1]?.state === "printed" || undefined);
    expect(textsOn(barra)[0]).toMatch(/^COPIA 1 CALIENTE .*1 Mofongo/);
    expect(textsOn(cocina)).toHaveLength(1);
  });

  it("a slip whose printer was replaced is printed as one copy [PRINT-123]", async () => {
    const { hub, cocina, barra, terminal } = await startRestaurant();
    const { posReference } = await send(terminal, [dish("Mofongo", 101)]);
    await until("the slip", () => printJobs(hub)[0]?.state === "printed" || undefined);
    const operator = operatorOf(hub);
    await operator("removePrinter", { params: { printerId: "cocina" } });
    await operator("setPrintRoutes", { body: { stations: { hot: ["barra"] }, terminals: {} } });
    const { deviceKey } = terminal.hello;
    for (const copies of [1, 2]) {
      await hub.send("POST", "/terminal/v1/print", {
        headers: { Authorization: `Bearer ${await hub.signIn("waiter")}` },
        body: { deviceKey, document: "station", posReference },
      });
      await until(
        "the copies",
        () =>
          printJobs(hub)
            .slice(1)
            .every(({ state }) => state === "printed") || undefined,
      );
      expect(textsOn(barra)).toHaveLength(copies);
    }
    expect(textsOn(barra)[1]).toMatch(/^COPIA 2 CALIENTE/);
    expect(textsOn(cocina)).toHaveLength(1);
  });
});

describe("electronic receipts", () => {
  async function pay(hub: TestHub, fiscal: string, request: { type?: string } = { type: "E32" }) {
    await hub.backOffice.control("POST", "/quirks", { fiscal, fiscalAfterMs: 1200 });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "caja" });
    const { posReference, version } = await send(terminal, [dish("Ron", 102)]);
    const payments = [{ methodId: 1, amount: 100, tendered: 200, change: 100 }];
    await terminal.change({
      type: "ORDER_PAY",
      posReference,
      baseVersion: version,
      payments,
      fiscal: request,
    });
    const print = async () =>
      hub.send("POST", "/terminal/v1/print", {
        headers: { Authorization: `Bearer ${await hub.signIn("cashier")}` },
        body: { deviceKey: terminal.hello.deviceKey, document: "receipt", posReference },
      });
    return { posReference, print };
  }

  async function startRestaurant(waitMs: number) {
    const caja = await printer();
    const hub = await startTestHub({ env: { ...env, HUB_RECEIPT_WAIT_MS: String(waitMs) } });
    await givePrinters(hub, { caja: caja.address }, { receipts: "caja" });
    return { hub, caja };
  }

  it("an electronic receipt whose code comes in time is printed with it, and again as a copy [PRINT-133]", async () => {
    const { hub, caja } = await startRestaurant(20_000);
    const { print } = await pay(hub, "signed");
    const [paper] = await until("the receipt", () => (caja.papers().length > 0 && textsOn(caja)) || undefined);
    expect(paper).toMatch(/Factura de Consumo Electrónica e-NCF: E32\d{10} .*Recibido 200\.00 Devuelta 100\.00/);
    expect(paper).toMatch(/Código de Seguridad: \w{6} Fecha de Firma Digital: \d\d-\d\d-\d{4} \d\d:\d\d:\d\d/);
    expect(caja.papers()[0]?.qrCodes[0]).toContain("ConsultaTimbre");
    await until("the job", () => printJobs(hub)[0]?.state === "printed" || undefined);
    expect(await print()).toMatchObject({ status: 202 });
    await until("the copy", () => textsOn(caja).length === 2 || undefined);
    expect(textsOn(caja)[1]).toMatch(/^COPIA 1 /);
  });

  it("an electronic receipt printed as pending is printed in full once on request [PRINT-133]", async () => {
    const { hub, caja } = await startRestaurant(500);
    const { posReference, print } = await pay(hub, "later");
    const [pending] = await until("the receipt", () => (caja.papers().length > 0 && textsOn(caja)) || undefined);
    expect(pending).toMatch(
      /Comprobante pendiente: su validez podrá consultarse con el código [B-DF-HJ-NP-TV-Z2-9]{8}/,
    );
    await until("the code", async () => {
      const terminal = await hub.terminal({ login: "waiter", deviceId: randomUUID() });
      const order = terminal.sync.orders.find((each) => each.posReference === posReference);
      return order?.snapshot.fiscal?.ecf?.securityCode;
    });
    expect(textsOn(caja)).toHaveLength(1);
    await print();
    await until("the full receipt", () => textsOn(caja).length === 2 || undefined);
    expect(textsOn(caja)[1]).toMatch(/Código de Seguridad/);
    expect(textsOn(caja)[1]).not.toContain("COPIA");
    await until("the job", () => printJobs(hub)[1]?.state === "printed" || undefined);
    await print();
    await until("the copy", () => textsOn(caja).length === 3 || undefined);
    expect(textsOn(caja)[2]).toMatch(/^COPIA 1 .*Código de Seguridad/);
  });

  it("a receipt printed without a number is printed in full once the back-office gives one [PRINT-141]", async () => {
    const { hub, caja } = await startRestaurant(500);
    const { posReference, print } = await pay(hub, "other", {});
    const [plain] = await until("the receipt", () => (caja.papers().length > 0 && textsOn(caja)) || undefined);
    expect(plain).toContain("Este recibo no es un comprobante fiscal");
    await until("the number", async () => {
      const terminal = await hub.terminal({ login: "waiter", deviceId: randomUUID() });
      const order = terminal.sync.orders.find((each) => each.posReference === posReference);
      return order?.snapshot.fiscal?.ecf?.securityCode;
    });
    await print();
    await until("the full receipt", () => textsOn(caja).length === 2 || undefined);
    expect(textsOn(caja)[1]).toMatch(/e-NCF: E32\d{10} .*Código de Seguridad/);
    expect(textsOn(caja)[1]).not.toContain("COPIA");
    await until("the job", () => printJobs(hub)[1]?.state === "printed" || undefined);
    await print();
    await until("the copy", () => textsOn(caja).length === 3 || undefined);
    expect(textsOn(caja)[2]).toMatch(/^COPIA 1 .*e-NCF: E32/);
  });

  it("a receipt is printed again with each replacement number, and without one if it keeps none [PRINT-141]", async () => {
    const caja = await printer();
    const hub = await startTestHub({ env: { ...env, HUB_FORWARD_INTERVAL_MS: "200" }, ownBackOffice: true });
    await givePrinters(hub, { caja: caja.address }, { receipts: "caja" });
    const refused = { error: "taken", errorCode: "NCF_CONFLICT" };
    const fault = { path: "/pos-api/v1/hub/*", action: "status", status: 409, body: refused };
    await hub.backOffice.control("POST", "/faults", { faults: [fault] });
    const operator = operatorOf(hub);
    const { posReference, print } = await pay(hub, "other", { type: "B02" });
    const params = { posReference };
    const isPrinted = (count: number) => () =>
      (textsOn(caja).length === count && printJobs(hub).every(({ state }) => state === "printed")) || undefined;
    const decide = async (action: "replace" | "skip") => {
      await until("the refusal", async () => (await operator("fiscal")).body.failed.length > 0 || undefined);
      const { body } = await operator("decideNumber", { params, body: { action } });
      return body.ncf;
    };
    await until("the receipt", isPrinted(1));
    for (const [count, action] of [
      [2, "replace"],
      [3, "replace"],
      [4, "skip"],
    ] as const) {
      const ncf = await decide(action);
      await print();
      await until("another receipt", isPrinted(count));
      const text = textsOn(caja)[count - 1];
      expect(text).toContain(ncf === undefined ? "Este recibo no es un comprobante fiscal" : `NCF: ${ncf}`);
      expect(text).not.toContain("COPIA");
    }
    await print();
    await until("the copy", isPrinted(5));
    expect(textsOn(caja)[4]).toMatch(/^COPIA 1 .*Este recibo no es un comprobante fiscal/);
  });

  it("a receipt is printed again as pending until its replacement number arrives [PRINT-141]", async () => {
    const caja = await printer();
    const hub = await startTestHub({ env: { ...env, HUB_FORWARD_INTERVAL_MS: "200" }, ownBackOffice: true });
    await givePrinters(hub, { caja: caja.address }, { receipts: "caja" });
    const body = { error: "taken", errorCode: "NCF_CONFLICT" };
    const conflict = { path: "/pos-api/v1/hub/*", action: "status", status: 409, body };
    await hub.backOffice.control("POST", "/faults", { faults: [conflict] });
    const operator = operatorOf(hub);
    const { posReference, print } = await pay(hub, "other", { type: "B02" });
    await until("the refusal", async () => (await operator("fiscal")).body.failed.length > 0 || undefined);
    const isPrinted = (count: number) => () =>
      (textsOn(caja).length === count && printJobs(hub).every(({ state }) => state === "printed")) || undefined;
    await until("the receipt", isPrinted(1));
    const timeout = { path: "/pos-api/v1/orders/reserve-ncf", action: "drop-before" };
    await hub.backOffice.control("POST", "/faults", { faults: [conflict, timeout] });
    const decided = await operator("decideNumber", { params: { posReference }, body: { action: "replace" } });
    expect(decided.body).toMatchObject({ fiscal: { status: "pending" } });
    for (const [count, begins] of [
      [2, /^(?!COPIA)/],
      [3, /^COPIA 1 /],
    ] as const) {
      await print();
      await until("another paper", isPrinted(count));
      expect(textsOn(caja)[count - 1]).toMatch(begins);
      expect(textsOn(caja)[count - 1]).toContain("Comprobante pendiente");
      expect(textsOn(caja)[count - 1]).not.toContain("NCF: B02");
    }
  });
});
