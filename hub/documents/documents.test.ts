import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { World } from "../platform/world.ts";
import type { TestTerminal } from "../test/support/connect-terminal.ts";
import { quietWorld } from "../test/kitchen/open-spool.ts";
import { givePrinters, printJobs } from "../test/kitchen/printed.ts";
import { operatorOf } from "../test/support/operator.ts";
import { refusal } from "../test/support/refusal.ts";
import { startTestHub, type TestHub } from "../test/support/start-test-hub.ts";
import { startWithPins } from "../test/support/start-with-pins.ts";
import { until } from "../test/support/until.ts";

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [101] },
  { id: "bar", name: "Barra", categoryIds: [], productIds: [102] },
];
const env = { HUB_STATIONS: JSON.stringify(stations), HUB_RECEIPT_WAIT_MS: "400", HUB_PRINT_UNSEEN_MS: "200" };

const dish = (id: string, productId: number, quantity = 1, more: Record<string, unknown> = {}) => ({
  id,
  productId,
  name: id,
  quantity,
  unitPrice: 100,
  total: 100 * quantity,
  ...more,
});

const check = (lines: Record<string, unknown>[], tableId = 5, more: Record<string, unknown> = {}) => ({
  orderType: "dine_in",
  tableId,
  staffName: "Ana",
  guestCount: 2,
  lines,
  ...more,
});

/** Changes a check as a terminal does, always at its newest version. */
function checkA(terminal: TestTerminal, posReference = "A") {
  let version = 0;
  const change = async (message: { type: string } & Record<string, unknown>) => {
    const answer = await terminal.change({ posReference, baseVersion: version, ...message });
    version = answer.version ?? version;
    return answer;
  };
  return {
    change,
    write: (lines: Record<string, unknown>[], tableId?: number) =>
      change({ type: "ORDER_UPSERT", snapshot: check(lines, tableId) }),
    send: () => change({ type: "ORDER_SEND" }),
    pay: (amount: number, more: Record<string, unknown> = {}) =>
      change({ type: "ORDER_PAY", payments: [{ methodId: 1, amount, tendered: amount, change: 0 }], ...more }),
  };
}

async function startRestaurant(
  routes: Parameters<typeof givePrinters>[2],
  more: Record<string, string> = {},
  world: Partial<World> = {},
) {
  const hub = await startTestHub({ env: { ...env, ...more }, world });
  await givePrinters(hub, ["cocina", "cocina 2", "barra", "caja"], routes);
  return hub;
}

/** Creates a world whose clock a test can also move forward. */
function passingWorld() {
  const { clock } = quietWorld();
  let passedMs = 0;
  const moved = { now: () => clock.now() + passedMs, monotonic: () => clock.monotonic() + passedMs };
  return { world: { clock: { ...clock, ...moved } }, pass: (ms: number) => void (passedMs += ms) };
}

const slipsOf = (hub: TestHub) => printJobs(hub).filter(({ cause }) => cause.startsWith("ticket:"));

describe("station slips", () => {
  it("the slip of a discarded check names its waiter and number of guests [PRINT-111]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"], bar: [] } });
    const a = checkA(await hub.terminal({ login: "cashier" }));
    await a.write([dish("Mofongo", 101, 2)]);
    await a.send();
    expect(await a.change({ type: "ORDER_DISCARD", reason: "se fueron" })).toMatchObject({ type: "ORDER_ACK" });
    const text = slipsOf(hub).at(-1)?.text;
    expect(text).toContain("ANULAR 2 Mofongo");
    expect(text).toMatch(/Mesero: Ana +2 personas/);
  });

  it("the slip of a moved dish names the new check's table, waiter and number of guests [PRINT-111]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"], bar: [] } });
    const terminal = await hub.terminal({ login: "cashier" });
    const a = checkA(terminal);
    await a.write([dish("Mofongo", 101, 2)]);
    const { version } = await a.send();
    const moved = [dish("Plato", 101, 1, { splitOf: "Mofongo", name: "Mofongo" })];
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: version, snapshot: check([dish("Mofongo", 101)]) },
        { posReference: "B", baseVersion: 0, snapshot: check(moved, 8, { staffName: "Luis", guestCount: 5 }) },
      ],
    });
    await terminal.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 1, reason: "se fueron" });
    const [, to, voided] = slipsOf(hub).map(({ text }) => text);
    expect(to).toMatch(/CAMBIO DE MESA .*5 > .*8 .*Mesero: Luis +5 personas/);
    expect(voided).toMatch(/ANULADO \S+ 8 .*Mesero: Luis +5 personas/);
    expect(voided).toContain("ANULAR 1 Mofongo");
  });

  it("the slip of a ticket moved as a whole names the new check's table, waiter and guests [PRINT-111]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"], bar: [] } });
    const terminal = await hub.terminal({ login: "cashier" });
    const a = checkA(terminal);
    await a.write([dish("Mofongo", 101), dish("Ron", 102)]);
    const { version } = await a.send();
    const to = check([dish("Mofongo", 101)], 8, { staffName: "Luis", guestCount: 5 });
    await terminal.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: version, snapshot: check([dish("Ron", 102)]) },
        { posReference: "B", baseVersion: 0, snapshot: to },
      ],
    });
    await terminal.change({ type: "ORDER_DISCARD", posReference: "B", baseVersion: 1, reason: "se fueron" });
    expect(slipsOf(hub).at(-1)?.text).toMatch(/ANULADO \S+ 8 .*Mesero: Luis +5 personas/);
  });

  it("each printer of a station gets its slip, whatever else waits there [PRINT-113]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina", "cocina 2"], bar: ["barra"] } });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Mofongo", 101, 2), dish("Ron", 102)]);
    const { kitchenTicketIds = [] } = await a.send();
    expect(slipsOf(hub).map(({ cause, printerId, terminalId }) => [cause, printerId, terminalId])).toEqual([
      [`ticket:${kitchenTicketIds[0]}`, "cocina", "tablet"],
      [`ticket:${kitchenTicketIds[0]}`, "cocina 2", "tablet"],
      [`ticket:${kitchenTicketIds[1]}`, "barra", "tablet"],
    ]);
    const [slip] = slipsOf(hub);
    expect(slip?.text).toMatch(/^ *CALIENTE Patio 5|^ *CALIENTE Mesa 5/);
    expect(slip?.text).toContain("2 Mofongo");
    expect(slip?.text).not.toContain("ADICIÓN");
    expect(slip?.text).not.toContain("Ron");
  });

  it("slips for additions and cancellations are printed in the order of the changes [PRINT-113]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"] } });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Mofongo", 101, 2)]);
    await a.send();
    await a.write([dish("Mofongo", 101, 2), dish("Sancocho", 101)]);
    await a.send();
    await a.write([
      dish("Mofongo", 101, 2, { voidedQuantity: 1, voidReason: "frío", total: 100 }),
      dish("Sancocho", 101),
    ]);
    await a.write([dish("Mofongo", 101, 2, { voidedQuantity: 1, total: 100 }), dish("Sancocho", 101)], 8);
    await a.change({ type: "ORDER_DISCARD" });
    const texts = slipsOf(hub).map(({ text }) => text);
    expect(texts.map((each) => /ADICIÓN|ANULADO|CAMBIO DE MESA/.exec(each)?.[0] ?? "new")).toEqual([
      "new",
      "ADICIÓN",
      "ANULADO",
      "CAMBIO DE MESA",
      "CAMBIO DE MESA",
      "ANULADO",
      "ANULADO",
    ]);
    expect(texts[1]).toContain("1 Sancocho");
    expect(texts[2]).toContain("ANULAR 1 Mofongo");
    expect(texts[3]).toMatch(/5 > .*8/);
  });

  it("slips are also printed for what a manager applies and reverts [PRINT-113]", async () => {
    const { hub, terminal, actor, ids } = await startWithPins({ cashier: "4711" }, { env });
    const call = operatorOf(hub);
    const printer = await call("addPrinter", { body: { name: "Cocina", address: "tcp://127.0.0.1:1" } });
    await call("setPrintRoutes", { body: { stations: { hot: [printer.body.id] } } });
    const token = await actor("cashier");
    await call("resetPin", { params: { userId: ids["cashier"] ?? 0 } });
    const a = checkA(terminal);
    await a.write([dish("Mofongo", 101, 2)], 5);
    const send = { type: "ORDER_SEND", posReference: "A", actor: token };
    expect(await refusal(terminal.change(send))).toMatchObject({ kept: true });
    expect(slipsOf(hub)).toEqual([]);
    const [change] = (await call("keptChanges")).body.changes;
    expect((await call("applyKeptChange", { params: { changeId: change.changeId } })).status).toBe(200);
    const { version: baseVersion } = await a.write([dish("Mofongo", 101, 2)], 8);
    const revert = { params: { posReference: "A" }, body: { version: 1, baseVersion } };
    expect((await call("revertOrder", revert)).status).toBe(200);
    const [sent, moved, back] = slipsOf(hub).map(({ text }) => text);
    expect(sent).toContain("2 Mofongo");
    expect(moved).toMatch(/CAMBIO DE MESA .*5 > .*8/);
    expect(back).toMatch(/CAMBIO DE MESA .*8 > .*5/);
  });

  it("unseen tickets without a printer are printed on the fallback, with their station's name [PRINT-114]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"] }, fallback: "caja", receipts: "barra" });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102, 3)]);
    await a.send();
    expect(slipsOf(hub)).toEqual([]);
    const [slip] = await until("the slip", () => (slipsOf(hub).length > 0 ? slipsOf(hub) : undefined));
    expect(slip).toMatchObject({ printerId: "caja", terminalId: "tablet" });
    expect(slip?.text).toMatch(/^ PARA BARRA .*3 Ron/);
    // Later changes of the ticket are also printed there.
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
    expect(slipsOf(hub).at(-1)).toMatchObject({ printerId: "caja" });
    expect(slipsOf(hub).at(-1)?.text).toContain("ANULAR 1 Ron");
  });

  it("changes are printed on the fallback when all printers of the ticket were removed [PRINT-336]", async () => {
    const hub = await startRestaurant({ stations: { bar: ["barra"] }, fallback: "caja" });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102, 3)]);
    await a.send();
    expect(await operatorOf(hub)("removePrinter", { params: { printerId: "barra" } })).toMatchObject({ status: 200 });
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
    expect(slipsOf(hub).map(({ printerId }) => printerId)).toEqual(["barra", "caja"]);
    expect(slipsOf(hub).at(-1)?.text).toMatch(/BARRA .*ANULAR 1 Ron/);
  });

  it("changes are printed on the fallback that has the ticket when its own printer was removed [PRINT-336]", async () => {
    const hub = await startRestaurant(
      { stations: { bar: ["barra"] }, receipts: "caja" },
      { HUB_PRINT_FALLBACK_MS: "200" },
    );
    const operator = operatorOf(hub);
    const barra = { params: { printerId: "barra" } };
    expect(await operator("changePrinter", { ...barra, body: { fallback: "cocina" } })).toMatchObject({ status: 200 });
    const a = checkA(await hub.terminal({ login: "cashier", deviceId: "tablet" }));
    await a.write([dish("Ron", 102, 3)]);
    await a.send();
    await until("the fallback", async () => {
      const { body } = await operator("printJobs", { query: { printer: "cocina" } });
      return (body as { jobs: unknown[] }).jobs.length > 0;
    });
    expect(await operator("removePrinter", barra)).toMatchObject({ status: 200 });
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
    expect(slipsOf(hub).map(({ printerId }) => printerId)).toEqual(["barra", "cocina"]);
  });

  it("changes of a ticket that was never printed are shown as not printed, like the ticket [PRINT-551]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"] } });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102, 3)]);
    await a.send();
    const failed = await until("it is not printed", () => slipsOf(hub).find(({ state }) => state === "failed"));
    const routes = { stations: { hot: ["cocina"] }, terminals: {}, receipts: "caja" };
    const operator = operatorOf(hub);
    expect(await operator("setPrintRoutes", { body: routes })).toMatchObject({ status: 200 });
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
    expect(slipsOf(hub).map(({ printerId, state }) => [printerId, state])).toEqual([
      ["", "failed"],
      ["", "failed"],
    ]);
    expect(slipsOf(hub)[1]?.text).toContain("ANULAR 1 Ron");
    // Once the ticket is printed, its changes are, too.
    expect(await operator("printAgain", { params: { jobId: failed.id } })).toMatchObject({ status: 200 });
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 2, voidReason: "x", total: 100 })]);
    expect(slipsOf(hub).map(({ printerId }) => printerId)).toEqual(["", "", "caja", "caja"]);
  });

  it("a change of a printed ticket is shown as not printed when no printer is left for it [PRINT-551]", async () => {
    const hub = await startRestaurant({ stations: { bar: ["barra"] } });
    const a = checkA(await hub.terminal({ login: "cashier", deviceId: "tablet" }));
    await a.write([dish("Ron", 102, 3)]);
    await a.send();
    const operator = operatorOf(hub);
    for (const printerId of ["barra", "cocina", "cocina 2", "caja"]) {
      expect(await operator("removePrinter", { params: { printerId } })).toMatchObject({ status: 200 });
    }
    await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
    const voided = slipsOf(hub).at(-1);
    expect(voided).toMatchObject({ printerId: "", state: "failed", terminalId: "tablet" });
    const body = { id: "nueva", name: "Nueva", address: "tcp://127.0.0.1:1", width: 80, cutter: true, drawer: false };
    expect(await operator("addPrinter", { body })).toMatchObject({ status: 201 });
    await operator("setPrintRoutes", { body: { stations: { bar: ["nueva"] }, terminals: {} } });
    await operator("printAgain", { params: { jobId: voided?.id ?? "" } });
    expect(slipsOf(hub).at(-1)).toMatchObject({ printerId: "nueva", state: "waiting" });
    expect(slipsOf(hub).at(-1)?.text).toContain("ANULAR 1 Ron");
  });

  it(
    "a ticket that waits for a printer is printed as it is then, without its earlier changes [PRINT-552]",
    { tags: "long" },
    async () => {
      const { world, pass } = passingWorld();
      const hub = await startRestaurant({ stations: { hot: ["cocina"] } }, { HUB_PRINT_UNSEEN_MS: "60000" }, world);
      const a = checkA(await hub.terminal({ login: "cashier", deviceId: "tablet" }));
      await a.write([dish("Ron", 102, 3)]);
      await a.send();
      const routes = { stations: { hot: ["cocina"], bar: ["barra"] }, terminals: {} };
      expect(await operatorOf(hub)("setPrintRoutes", { body: routes })).toMatchObject({ status: 200 });
      await a.write([dish("Ron", 102, 3, { voidedQuantity: 1, voidReason: "x", total: 200 })]);
      expect(slipsOf(hub)).toEqual([]);
      pass(90_000);
      const slip = await until("the slip", () => slipsOf(hub)[0], 15_000);
      expect(slip.text).toMatch(/BARRA .*2 Ron/);
      expect(slipsOf(hub)).toHaveLength(1);
    },
  );

  it("a ticket that a display has shown is not printed [PRINT-114]", async () => {
    const hub = await startRestaurant({ fallback: "caja" }, { HUB_PRINT_UNSEEN_MS: "600" });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102)]);
    const { kitchenTicketId } = await a.send();
    await a.change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "bar" });
    await a.write([dish("Ron", 102), dish("Mofongo", 101)]);
    const { kitchenTicketId: second } = await a.send();
    await until(
      "the slip of the other",
      () => slipsOf(hub).some(({ cause }) => cause === `ticket:${second}`) || undefined,
    );
    expect(slipsOf(hub).map(({ cause }) => cause)).toEqual([`ticket:${second}`]);
  });

  it(
    "a station that gets a printer before its ticket is due prints the ticket [PRINT-334]",
    { tags: "long" },
    async () => {
      const { world, pass } = passingWorld();
      const hub = await startRestaurant({ stations: { hot: ["cocina"] } }, { HUB_PRINT_UNSEEN_MS: "40000" }, world);
      const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
      const sendRum = async (posReference: string, tableId: number) => {
        const a = checkA(terminal, posReference);
        await a.write([dish("Ron", 102)], tableId);
        return `ticket:${(await a.send()).kitchenTicketId}`;
      };
      const first = await sendRum("A", 5);
      pass(30_000);
      const second = await sendRum("B", 6);
      pass(20_000);
      // Both tickets are checked together, so the second has been checked as well.
      await until("the first is not printed", () => slipsOf(hub).some(({ cause }) => cause === first) || undefined);
      const routes = { stations: { hot: ["cocina"], bar: ["barra"] }, terminals: {} };
      expect(await operatorOf(hub)("setPrintRoutes", { body: routes })).toMatchObject({ status: 200 });
      pass(30_000);
      const slip = await until("the second", () => slipsOf(hub).find(({ cause }) => cause === second));
      expect(slip).toMatchObject({ printerId: "barra", terminalId: "tablet" });
      expect(slipsOf(hub).map(({ cause }) => cause)).toEqual([first, second]);
    },
  );

  it.each(["a hub that goes on", "a hub that is started again"])(
    "%s prints at a station that got the restaurant's first printer right after the send [PRINT-334]",
    { tags: "long" },
    async (variant) => {
      const { world, pass } = passingWorld();
      const hub = await startTestHub({ env: { ...env, HUB_PRINT_UNSEEN_MS: "60000" }, world });
      const a = checkA(await hub.terminal({ login: "cashier", deviceId: "tablet" }));
      await a.write([dish("Ron", 102)]);
      await a.send();
      const operator = operatorOf(hub);
      const barra = {
        id: "barra",
        name: "Barra",
        address: "tcp://127.0.0.1:1",
        width: 80,
        cutter: true,
        drawer: false,
      };
      expect(await operator("addPrinter", { body: barra })).toMatchObject({ status: 201 });
      const routes = { stations: { bar: ["barra"] }, terminals: {} };
      expect(await operator("setPrintRoutes", { body: routes })).toMatchObject({ status: 200 });
      if (variant === "a hub that is started again") await hub.restart();
      pass(90_000);
      const slip = await until("the slip", () => slipsOf(hub)[0]);
      expect(slip).toMatchObject({ printerId: "barra", terminalId: "tablet" });
    },
  );

  it("unseen tickets are printed in time even if the wall clock is set back [CLOCK-43]", async () => {
    const { clock } = quietWorld();
    let setMs = 0;
    const world = { clock: { ...clock, now: () => clock.now() + setMs } };
    const hub = await startRestaurant({ fallback: "caja" }, {}, world);
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102)]);
    await a.send();
    setMs = -3 * 3_600_000;
    const [slip] = await until("the slip", () => (slipsOf(hub).length > 0 ? slipsOf(hub) : undefined));
    expect(slip?.text).toMatch(/1 Ron/);
  });

  it("slips are shown as not printed when the restaurant has no printer for them [PRINT-115]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"] } });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    const a = checkA(terminal);
    await a.write([dish("Ron", 102)]);
    await a.send();
    const [slip] = await until("the job", () => (slipsOf(hub).length > 0 ? slipsOf(hub) : undefined));
    expect(slip).toMatchObject({ printerId: "", state: "failed", terminalId: "tablet" });
  });
});

describe("receipts", () => {
  const receiptsOf = (hub: TestHub) => printJobs(hub).filter(({ cause }) => cause.startsWith("receipt:"));

  async function paidAt(terminal: TestTerminal, more: Record<string, unknown> = {}) {
    // The shared back-office assigns each reference one number.
    const a = checkA(terminal, randomUUID());
    await a.write([dish("Ron", 102)]);
    await a.pay(100, more);
  }

  it("the payment that settles prints the receipt, on the terminal's own printer or the default [PRINT-130]", async () => {
    const terminals = {
      caja: { printer: "caja" },
      ask: { receipt: "ask" },
      never: { printer: "caja", receipt: "never" },
    };
    const hub = await startRestaurant({ receipts: "barra", terminals });
    for (const deviceId of ["caja", "other", "ask", "never"]) {
      const terminal = await hub.terminal({ login: "cashier", deviceId });
      const posReference = deviceId;
      const [first] = [{ type: "ORDER_UPSERT", posReference, baseVersion: 0 }];
      const { version } = await terminal.change({
        ...first,
        snapshot: { ...check([dish("Ron", 102)]), orderType: "takeout", tableId: null },
      });
      const tender = (amount: number) => ({ type: "ORDER_TENDER", tenderId: randomUUID(), methodId: 1, amount });
      expect(version).toBe(1);
      await terminal.change({ ...tender(40), posReference });
      expect(receiptsOf(hub).some(({ cause }) => cause === `receipt:${posReference}`)).toBe(false);
      await terminal.change({ ...tender(60), posReference });
    }
    expect(receiptsOf(hub).map(({ cause, printerId, terminalId }) => [cause, printerId, terminalId])).toEqual([
      ["receipt:caja", "caja", "caja"],
      ["receipt:other", "barra", "other"],
    ]);
    expect(receiptsOf(hub)[0]?.text).toContain("Pago 2 · Efectivo 60.00");
  });

  it("a receipt waits for its number and shows it [PRINT-131]", async () => {
    const hub = await startRestaurant({ receipts: "caja" });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    await paidAt(terminal, { fiscal: { type: "B02" } });
    const receipt = await until("the receipt", () => receiptsOf(hub).find(({ state }) => state !== "held"));
    expect(receipt.text).toMatch(/Factura de Consumo NCF: B02\d{8}/);
  });

  it("an electronic receipt waits a limited time for its code, and is then printed as pending [PRINT-132]", async () => {
    const hub = await startRestaurant({ receipts: "caja" });
    await hub.backOffice.control("POST", "/quirks", { fiscal: "never" });
    const terminal = await hub.terminal({ login: "cashier", deviceId: "tablet" });
    await paidAt(terminal, { fiscal: { type: "E32" } });
    const receipt = receiptsOf(hub)[0];
    expect(receipt?.state).toBe("held");
    const numbered = await until("its number", () => receiptsOf(hub).find(({ text }) => /e NCF: E32\d{10}/.test(text)));
    expect(numbered.text).toContain("Comprobante pendiente");
  });
});

describe("documents that a terminal requests", () => {
  /** Creates a terminal with its key and a way to request a document as a given person. */
  async function asking(hub: TestHub, deviceId: string) {
    const terminal = await hub.terminal({ login: "cashier", deviceId });
    const { deviceKey } = terminal.hello;
    return {
      terminal,
      print: async (login: string, request: Record<string, unknown>) =>
        hub.send("POST", "/terminal/v1/print", {
          headers: { Authorization: `Bearer ${await hub.signIn(login)}` },
          body: { deviceKey, ...request },
        }),
    };
  }
  const bills = (hub: TestHub) => printJobs(hub).filter(({ cause }) => cause.startsWith("bill:"));

  it("a waiter may print bills, each with its own number [PRINT-140]", async () => {
    const hub = await startRestaurant({ receipts: "caja" });
    const { terminal, print } = await asking(hub, "tablet");
    const a = checkA(terminal);
    await a.write([dish("Ron", 102, 3)]);
    const first = await print("waiter", { document: "bill", posReference: "A" });
    expect(first).toMatchObject({
      status: 202,
      body: { job: { document: "bill", posReference: "A", printer: "caja" } },
    });
    await print("waiter", { document: "bill", posReference: "A", parts: 2 });
    expect(bills(hub).map(({ cause }) => cause)).toEqual(["bill:A:1", "bill:A:2"]);
    expect(bills(hub)[0]?.text).toContain("PRE CUENTA · no es comprobante fiscal");
    expect(bills(hub)[1]?.text).toMatch(/Impresión 2 .*2 partes de RD\$150\.00/);
    await a.pay(300);
    expect(await print("waiter", { document: "bill", posReference: "A" })).toMatchObject({ status: 400 });
  });

  it("only a cashier may print a receipt: the original if none was printed [PRINT-141]", async () => {
    const hub = await startRestaurant({ receipts: "caja", terminals: { tablet: { receipt: "ask" } } });
    const { terminal, print } = await asking(hub, "tablet");
    const a = checkA(terminal);
    await a.write([dish("Ron", 102)]);
    expect(await print("cashier", { document: "receipt", posReference: "A" })).toMatchObject({ status: 400 });
    await a.pay(100);
    expect(printJobs(hub)).toEqual([]);
    expect(await print("waiter", { document: "receipt", posReference: "A" })).toMatchObject({ status: 403 });
    expect(await print("cashier", { document: "receipt", posReference: "A" })).toMatchObject({ status: 202 });
    // The first still waits: a second tap adds no job.
    expect(await print("cashier", { document: "receipt", posReference: "A" })).toMatchObject({ status: 202 });
    expect(printJobs(hub).map(({ cause, state }) => [cause, state])).toEqual([["receipt:A", "waiting"]]);
  });

  it("a print request that does not name its order or shift is refused [PRINT-142]", async () => {
    const hub = await startRestaurant({ receipts: "caja" });
    const { print } = await asking(hub, "tablet");
    for (const [document, field] of [
      ["bill", "posReference"],
      ["till", "shiftId"],
    ]) {
      expect(await print("cashier", { document })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR", error: `${field}: is missing` },
      });
    }
  });

  it("a print request is refused when no printer prints receipts [PRINT-142]", async () => {
    const hub = await startRestaurant({ stations: { hot: ["cocina"] } });
    const { terminal, print } = await asking(hub, "tablet");
    await checkA(terminal).write([dish("Ron", 102)]);
    expect(await print("cashier", { document: "bill", posReference: "A" })).toMatchObject({
      status: 404,
      body: { errorCode: "NOT_FOUND" },
    });
    expect(await print("cashier", { document: "bill", posReference: "nowhere" })).toMatchObject({ status: 404 });
    expect(await print("cashier", { document: "station", posReference: "A" })).toMatchObject({ status: 404 });
  });
});
