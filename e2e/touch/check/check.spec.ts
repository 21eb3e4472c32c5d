import { openTenders, type Terminal } from "@comanda/terminal";
import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { setPin, typePin } from "../support/people-acts.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "../support/touch-test.ts";

const kinds = Object.keys(devices) as DeviceKind[];
/** The record ids of tables 5 to 8. */
const TABLE = { five: 32, six: 33, seven: 34, eight: 35 } as const;

let helper: Terminal | undefined;
let checks = 0;

/** Returns another terminal of the restaurant, which prepares the tables for a test and observes the results. */
async function other(restaurant: Restaurant): Promise<Terminal> {
  if (helper === undefined) {
    helper = await restaurant.terminal("ayudante-cuentas");
    await online(helper);
  }
  return helper;
}

/** Opens a check with these dishes on a table and sends it to the kitchen. */
async function servedTable(
  restaurant: Restaurant,
  tableId: number,
  dishes: readonly (readonly [string, number])[],
): Promise<string> {
  const terminal = await other(restaurant);
  const lines = dishes.map(([name, price]) => ({ ...lineOf(`${name}-${checks}`, price), name }));
  const { posReference, ...order } = newOrder(`CUENTA-${(checks += 1)}`, lines, tableId);
  terminal.openOrder({ posReference, ...order }, { additionalCheck: true });
  terminal.sendToKitchen(posReference);
  await terminal.idle();
  return posReference;
}

/** Removes the checks of all tables of these tests. */
async function clearTables(restaurant: Restaurant): Promise<void> {
  const terminal = await other(restaurant);
  const own: readonly number[] = Object.values(TABLE);
  for (const { posReference, tableId, snapshot } of terminal.orders()) {
    const isActive = snapshot.status !== "paid" && snapshot.status !== "closed";
    if (isActive && tableId !== null && own.includes(tableId)) terminal.discardOrder(posReference, "fin de la prueba");
  }
  await terminal.idle();
  // Other specs look at the kitchen's lists, where cancelled lines stay until they have been seen.
  for (const { id, posReference, stationId } of terminal.tickets()) {
    if (posReference.startsWith("CUENTA-")) terminal.kitchenSeen(id, stationId ?? "cocina");
  }
  await terminal.idle();
}

/** Types the PIN on the pad, which has already chosen the person if there is only one. */
async function approveAs(page: Page, name: RegExp, pin: string): Promise<void> {
  const person = page.getByRole("dialog").getByRole("button", { name });
  if (await person.isVisible()) await person.tap();
  await typePin(page, pin);
}

/** Opens a table's check from the floor; on a phone, tapping the total opens its lines. */
async function openLines(page: Page, table: string, kind: DeviceKind): Promise<void> {
  const link =
    kind === "phone"
      ? page.getByRole("link", { name: new RegExp(`^Cuenta de ${table}:`) })
      : page.getByRole("link", { name: new RegExp(`^${table} En cocina`) });
  await link.tap();
}

const line = (page: Page, dish: string) => page.getByRole("button", { name: new RegExp(`^\\d+ ${dish}`) });
const quantities = (terminal: Terminal, posReference: string): Record<string, number> =>
  Object.fromEntries(
    (terminal.order(posReference)?.snapshot.lines ?? []).map((each) => [String(each["name"]), each.quantity]),
  );

test.afterEach(async ({ restaurant }) => clearTables(restaurant));
test.afterAll(() => (helper = undefined));

for (const kind of kinds) {
  test(`moving two lines to another check takes 5 taps, and one tap moves them back (${kind}) [TOUCH-40]`, async ({
    open,
    restaurant,
  }) => {
    const from = await servedTable(restaurant, TABLE.five, [
      ["Sancocho", 520],
      ["Mofongo", 695],
      ["Chivo", 640],
    ]);
    const into = await servedTable(restaurant, TABLE.six, [["Café", 100]]);
    const page = await open({ name: `cuentas-${kind}`, kind });
    const taps = await tapsOf(page, async () => {
      await openLines(page, "Mesa 5", kind);
      await line(page, "Sancocho").tap();
      await line(page, "Chivo").tap();
      await expect(page.getByRole("group", { name: "Líneas elegidas" })).toContainText("2 líneas");
      await page.getByRole("button", { name: "Mover" }).tap();
      await page.getByRole("button", { name: /^Mesa 6/ }).tap();
      await expect(line(page, "Sancocho")).toHaveCount(0);
    });
    expect(taps).toBe(5);
    const terminal = await other(restaurant);
    await expect.poll(() => quantities(terminal, from)).toEqual({ Mofongo: 1 });
    await expect.poll(() => quantities(terminal, into)).toEqual({ Café: 1, Sancocho: 1, Chivo: 1 });
    await page.getByRole("button", { name: "Deshacer" }).tap();
    await expect.poll(() => quantities(terminal, from)).toEqual({ Mofongo: 1, Sancocho: 1, Chivo: 1 });
    await expect.poll(() => quantities(terminal, into)).toEqual({ Café: 1 });
  });

  test(`voiding a sent line with its reason takes 4 taps (${kind}) [TOUCH-41]`, async ({ open, restaurant }) => {
    const posReference = await servedTable(restaurant, TABLE.seven, [
      ["Sancocho", 520],
      ["Mofongo", 695],
    ]);
    const page = await open({ name: `caja-cuentas-${kind}`, login: "cashier", kind });
    const taps = await tapsOf(page, async () => {
      await openLines(page, "Mesa 7", kind);
      await line(page, "Mofongo").tap();
      await page.getByRole("button", { name: "Anular", exact: true }).tap();
      await page.getByRole("button", { name: "No le gustó" }).tap();
      await expect(page.getByText(/Anulado · No le gustó/)).toBeVisible();
    });
    expect(taps).toBe(4);
    const terminal = await other(restaurant);
    await expect
      .poll(() => terminal.order(posReference)?.snapshot)
      .toMatchObject({ lines: [{}, { voided: true, voidReason: "No le gustó" }], totals: { total: 520 } });
    expect(terminal.conflicts()).toEqual([]);
  });
}

test("a waiter voids a sent line with a cashier's PIN in place, and cancelling leaves the line as it was [TOUCH-42]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const posReference = await servedTable(restaurant, TABLE.seven, [
    ["Sancocho", 520],
    ["Mofongo", 695],
  ]);
  const terminal = await other(restaurant);
  const page = await open({ name: "cuentas-permiso", kind: "tablet", managerWasHere: true });
  const voidLine = async (): Promise<void> => {
    await line(page, "Mofongo").tap();
    await page.getByRole("button", { name: "Anular", exact: true }).tap();
    await page.getByRole("button", { name: "No hay" }).tap();
    await expect(page.getByRole("dialog")).toContainText("Anular: 1 Mofongo");
  };
  await openLines(page, "Mesa 7", "tablet");
  await voidLine();
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).tap();
  await expect(page.getByText("No se hizo: Anular: 1 Mofongo")).toBeVisible();
  await expect(line(page, "Mofongo")).toBeEnabled();
  expect(terminal.order(posReference)?.snapshot.totals.total).toBe(1215);

  await voidLine();
  await approveAs(page, /^Carlos Jiménez/, "2222");
  await expect.poll(() => terminal.order(posReference)?.snapshot.totals.total).toBe(520);
  expect(terminal.order(posReference)?.snapshot.lines[1]).toMatchObject({ voided: true, voidReason: "No hay" });

  await line(page, "Sancocho").tap();
  await page.getByRole("button", { name: "Anular", exact: true }).tap();
  await page.getByRole("button", { name: "No hay", exact: true }).tap();
  await expect(page.getByRole("dialog")).toContainText("Anular: 1 Sancocho");
  terminal.pay(posReference, { payments: [{ methodId: 1, amount: 520 }] });
  await terminal.idle();
  await approveAs(page, /^Carlos Jiménez/, "2222");
  await expect(page.getByText(/^No se hizo: Anular: 1 Sancocho\. /)).toBeVisible();
  await page.evaluate(() => (location.hash = "/conflicts"));
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
});

for (const kind of kinds) {
  test(`a dish on the house needs an approval, is still cooked, and is charged again by undo (${kind}) [TOUCH-420]`, async ({
    open,
    restaurant,
  }) => {
    await setPin(restaurant, "cashier", "2222");
    const posReference = await servedTable(restaurant, TABLE.five, [
      ["Flan", 150],
      ["Sancocho", 500],
    ]);
    const terminal = await other(restaurant);
    const page = await open({ name: `cuentas-cortesia-${kind}`, kind, managerWasHere: true });
    const taps = await tapsOf(page, async () => {
      await openLines(page, "Mesa 5", kind);
      await line(page, "Flan").tap();
      await page.getByRole("button", { name: "Cortesía", exact: true }).tap();
      await page.getByRole("dialog").getByRole("button", { name: "Cumpleaños" }).tap();
    });
    expect(taps).toBeLessThanOrEqual(5);
    await expect(page.getByRole("dialog").last()).toContainText("Cortesía: 1 Flan");
    await approveAs(page, /^Carlos Jiménez/, "2222");
    await expect.poll(() => terminal.order(posReference)?.snapshot.totals.total).toBe(500);
    expect(terminal.order(posReference)?.snapshot.lines[0]).toMatchObject({
      voided: true,
      comp: true,
      voidReason: "Cumpleaños",
      kitchenItemStatus: "pending",
    });
    await expect(line(page, "Flan")).toContainText("Cortesía · Cumpleaños");
    await expect(line(page, "Flan")).toContainText("Enviado");
    await page.getByRole("button", { name: "Deshacer" }).tap();
    await expect.poll(() => terminal.order(posReference)?.snapshot.totals.total).toBe(650);
    expect(terminal.order(posReference)?.snapshot.lines[0]).not.toHaveProperty("comp");
  });
}

test("a waiter's discount sends nothing to the hub before it is approved [TOUCH-293]", async ({ open, restaurant }) => {
  await setPin(restaurant, "cashier", "2222");
  const posReference = await servedTable(restaurant, TABLE.six, [["Sancocho", 500]]);
  const terminal = await other(restaurant);
  const page = await open({ name: "cuentas-descuento", kind: "tablet", managerWasHere: true });
  let writes = 0;
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => void (writes += String(payload).includes("ORDER_UPSERT") ? 1 : 0));
  });
  await page.reload();
  await openLines(page, "Mesa 6", "tablet");
  const sheet = page.getByRole("dialog");
  const discount = async (): Promise<void> => {
    await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
    await sheet.getByRole("button", { name: "Descuento" }).tap();
    await sheet.getByRole("button", { name: "10 %", exact: true }).tap();
    await sheet.getByRole("button", { name: "Cortesía" }).tap();
    await expect(sheet).toContainText("Descuento: toda la cuenta: 10 %");
  };
  // The discount applies to the whole check, even if a line is selected.
  await line(page, "Sancocho").tap();
  await discount();
  await sheet.getByRole("button", { name: "Cerrar" }).tap();
  await expect(page.getByText("No se hizo: Descuento: toda la cuenta: 10 %")).toBeVisible();
  await expect(line(page, "Sancocho")).toBeEnabled();

  await discount();
  expect(writes).toBe(0);
  await approveAs(page, /^Carlos Jiménez/, "2222");
  await expect.poll(() => terminal.order(posReference)?.snapshot.totals.total).toBe(450);
  const { adjustments } = terminal.order(posReference)!.snapshot;
  await expect.poll(() => writes).toBe(1);
  expect(adjustments).toMatchObject([{ kind: "discount", amount: -50, reason: "Cortesía", by: "Carlos Jiménez" }]);
});

test("a discount cannot exceed the amount due, and a check of zero closes without asking for a tip [TOUCH-47] [TOUCH-75] [TOUCH-191]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.seven, [["Sancocho", 500]]);
  const terminal = await other(restaurant);
  const page = await open({ name: "cuentas-gratis", login: "cashier" });
  await openLines(page, "Mesa 7", "phone");
  await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  const sheet = page.getByRole("dialog").last();
  await sheet.getByRole("button", { name: "Unir con otra cuenta" }).tap();
  await expect(sheet).toContainText("No hay otra cuenta abierta.");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  await sheet.getByRole("button", { name: "Descuento" }).tap();
  const amount = sheet.getByRole("textbox", { name: "Monto, hasta RD$500.00" });
  for (const typed of ["5000", "500.01", "12,50"]) {
    await amount.fill(typed);
    await expect(sheet.getByRole("button", { name: "Listo" })).toBeDisabled();
  }
  await amount.fill("500");
  await sheet.getByRole("button", { name: "Listo" }).tap();
  await sheet.getByRole("button", { name: "Queja" }).tap();
  await expect.poll(() => terminal.order(posReference)?.snapshot.totals.total).toBe(0);

  await page.getByRole("button", { name: "Cobrar" }).last().tap();
  await expect(page.getByRole("button", { name: "Cerrar la cuenta" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Propina" })).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Partes" })).toHaveCount(0);
  await page.getByRole("button", { name: "Cerrar la cuenta" }).tap();
  await expect(page.getByRole("heading", { name: "Cuenta cerrada" })).toBeVisible();
});

test("a check is split by dishes, reunited by undo, discounted and handed over, and holding discards it [TOUCH-45] [TOUCH-47] [TOUCH-49] [TOUCH-292] [TOUCH-583] [TOUCH-649] [TOUCH-1597]", async ({
  open,
  restaurant,
}) => {
  const dishes = [
    ["Sancocho", 500],
    ["Mofongo", 700],
    ["Café", 100],
  ] as const;
  const posReference = await servedTable(restaurant, TABLE.eight, dishes);
  const terminal = await other(restaurant);
  const onTable = () =>
    terminal
      .orders()
      .filter(({ tableId }) => tableId === TABLE.eight)
      .map(({ snapshot }) => snapshot.totals.total)
      .toSorted((one, another) => one - another);
  const page = await open({ name: "cuentas-division", login: "cashier", kind: "tablet" });
  await openLines(page, "Mesa 8", "tablet");
  const sheet = page.getByRole("dialog");
  await page.getByRole("button", { name: "Dividir" }).tap();
  await sheet.getByRole("button", { name: /^1 Mofongo/ }).tap();
  const second = sheet.getByRole("button", { name: /^Parte 2/ });
  await expect(second).toHaveText(/RD\$700\.00/);
  // A split that is not done yet survives a reload.
  await sheet.getByRole("button", { name: "Cerrar" }).tap();
  await page.reload();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await expect(second).toHaveText(/RD\$700\.00/);
  await sheet.getByRole("button", { name: "Hacer 2 cuentas" }).tap();
  await expect.poll(onTable).toEqual([600, 700]);
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(onTable).toEqual([1300]);
  await page.getByRole("button", { name: "Dividir" }).tap();
  await expect(second).toHaveText(/RD\$0\.00/);
  await sheet.getByRole("button", { name: "Cerrar" }).tap();

  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
    await sheet.getByRole("button", { name }).tap();
  };
  await choose("Descuento");
  const percent = sheet.getByRole("textbox", { name: "Otro porcentaje" });
  for (const typed of ["0", "101", "12,345", "x"]) {
    await percent.fill(typed);
    await expect(sheet.getByRole("button", { name: "%", exact: true })).toBeDisabled();
  }
  await percent.fill("12,5");
  await sheet.getByRole("button", { name: "%", exact: true }).tap();
  await expect(sheet).toContainText("12.5 %");
  await expect(sheet.getByText("¿Por qué el descuento?")).toBeFocused();
  await sheet.getByRole("button", { name: "Otro motivo" }).press("Enter");
  await expect(sheet.getByRole("textbox", { name: "Motivo" })).toBeFocused();
  await page.keyboard.type("amigo de la casa");
  await page.keyboard.press("Enter");
  await expect.poll(onTable).toEqual([1137.5]);
  await choose("Pasar a otro mesero");
  await sheet
    .getByRole("group", { name: "¿A quién se le pasa?" })
    .getByRole("button", { name: "Carlos Jiménez" })
    .tap();
  await expect.poll(() => terminal.order(posReference)?.snapshot.staffName).toBe("Carlos Jiménez");

  const cashier = await restaurant.terminal("cuentas-caja", { login: "cashier" });
  await online(cashier);
  await expect.poll(() => cashier.order(posReference)?.snapshot.staffName).toBe("Carlos Jiménez");
  cashier.tender(posReference, { methodId: 1, amount: 100 });
  await expect.poll(() => openTenders(terminal.order(posReference)!.snapshot)).toHaveLength(1);
  await choose("Anular la cuenta");
  await expect(sheet).toContainText("La cuenta ya tiene pagos. Devuélvalos primero.");
  await expect(sheet.getByRole("button", { name: "Se equivocó" })).toBeHidden();
  const [tender] = openTenders(terminal.order(posReference)!.snapshot);
  cashier.voidTender(tender?.tenderId ?? "", "prueba");
  await expect(sheet.getByRole("button", { name: "Se equivocó" })).toBeVisible();
  await sheet.getByRole("button", { name: "Se equivocó" }).tap();
  const hold = sheet.getByRole("button", { name: "Mantenga presionado para anular" });
  await hold.tap();
  await expect(hold).toBeVisible();
  expect(onTable()).toEqual([1137.5]);
  await hold.focus();
  await page.keyboard.down("Enter");
  await expect.poll(onTable).toEqual([]);
  await page.keyboard.up("Enter");
});

test("moving, joining, handing over and merging a whole check can each be undone with one tap [TOUCH-44] [TOUCH-191]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.five, [["Sancocho", 520]]);
  const into = await servedTable(restaurant, TABLE.six, [["Café", 100]]);
  const terminal = await other(restaurant);
  const page = await open({ name: "cuentas-enteras", kind: "tablet" });
  const sheet = page.getByRole("dialog");
  const choose = async (name: string, ...choices: RegExp[]): Promise<void> => {
    await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
    await sheet.getByRole("button", { name }).tap();
    for (const choice of choices) await sheet.getByRole("button", { name: choice }).tap();
  };
  const undo = async (text: string): Promise<void> => {
    await expect(page.locator(".notices")).toContainText(text);
    await page.locator(".notices").getByRole("button", { name: "Deshacer" }).tap();
  };
  const check = () => terminal.order(posReference);
  await openLines(page, "Mesa 5", "tablet");

  await choose("Cambiar de mesa", /^Mesa 8/);
  await expect.poll(() => check()?.tableId).toBe(TABLE.eight);
  await expect(page.getByRole("heading", { name: /^Mesa 8/ })).toBeVisible();
  await undo("La cuenta está ahora en Mesa 8");
  await expect.poll(() => check()?.tableId).toBe(TABLE.five);
  await expect(page.getByRole("heading", { name: /^Mesa 5/ })).toBeVisible();

  await choose("Juntar mesas");
  await expect(page.getByRole("button", { name: "Dejar la mesa sola" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await choose("Juntar mesas", /^Mesa 7/, /^Juntar 2 mesas/);
  await expect.poll(() => check()?.snapshot.tableIds).toEqual([TABLE.five, TABLE.seven]);
  await undo("2 mesas juntas");
  await expect.poll(() => check()?.snapshot.tableIds ?? []).not.toContain(TABLE.seven);

  const before = check()?.snapshot.staffName;
  await choose("Pasar a otro mesero", /^Wendy Almonte/);
  await expect.poll(() => check()?.snapshot.staffName).toBe("Wendy Almonte");
  await undo("La cuenta es ahora de Wendy Almonte");
  await expect.poll(() => check()?.snapshot.staffName).toBe(before);

  await choose("Unir con otra cuenta");
  await expect(page.getByRole("heading", { name: "Salón" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Terraza" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await choose("Unir con otra cuenta", /^Mesa 6/);
  await expect(page.getByRole("heading", { name: /^Mesa 6/ })).toBeVisible();
  await expect.poll(() => quantities(terminal, into)).toEqual({ Café: 1, Sancocho: 1 });
  await expect.poll(check).toBe(undefined);
  await undo("Unida con la cuenta de Mesa 6");
  await expect.poll(() => quantities(terminal, into)).toEqual({ Café: 1 });
  const back = () => terminal.orders().filter(({ tableId }) => tableId === TABLE.five);
  await expect.poll(() => back().map(({ snapshot }) => snapshot.totals.total)).toEqual([520]);
});

test("handing over a check can include all open checks of its waiter, or only those selected [TOUCH-960]", async ({
  open,
  restaurant,
}) => {
  const terminal = await other(restaurant);
  const { five, six, seven, eight } = TABLE;
  const checksOf: string[] = [];
  for (const table of [five, six, seven, eight]) {
    checksOf.push(await servedTable(restaurant, table, [["Sancocho", 520]]));
  }
  const servedBy = () => checksOf.map((each) => terminal.order(each)?.snapshot.staffName);
  const leaving = servedBy()[0] ?? "";
  terminal.checkOut(checksOf[3] ?? "");
  await terminal.idle();
  const page = await open({ name: "cambio-de-turno", kind: "phone", login: "cashier" });
  const sheet = page.getByRole("dialog").last();
  const handOver = async (choose: () => Promise<void>): Promise<void> => {
    await openLines(page, "Mesa 5", "phone");
    await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
    await sheet.getByRole("button", { name: "Pasar a otro mesero" }).tap();
    await choose();
    await sheet.getByRole("button", { name: "Carlos Jiménez" }).tap();
  };
  await handOver(async () => {
    await expect(sheet.getByText(`1 cuenta con pre-cuenta se queda con ${leaving}`)).toBeVisible();
    await expect(sheet.getByRole("button", { name: /^Mesa 8/ })).toHaveCount(0);
    await sheet.getByRole("button", { name: /^Las \d+$/ }).tap();
  });
  const carlos = "Carlos Jiménez";
  await expect.poll(servedBy).toEqual([carlos, carlos, carlos, leaving]);
  await expect(page.locator(".notices")).toContainText("cuentas son ahora de Carlos Jiménez");
  await page.locator(".notices").getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(servedBy).toEqual([leaving, leaving, leaving, leaving]);

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Salón" }).tap();
  await handOver(() => sheet.getByRole("button", { name: /^Mesa 7/ }).tap());
  await expect.poll(servedBy).toEqual([carlos, leaving, carlos, leaving]);
  terminal.reopen(checksOf[3] ?? "");
  await terminal.idle();
});

test("52 checks are handed over at once, one in use does not stop other, and a refusal leaves the undo of the others [TOUCH-1085]", async ({
  open,
  restaurant,
}) => {
  const terminal = await other(restaurant);
  const tabs = Array.from({ length: 52 }, (_, index) => `CUENTA-BARRA-${index}`);
  for (const posReference of tabs) {
    const order = {
      ...newOrder(posReference, [lineOf(posReference, 300)]),
      orderType: "takeout",
      tableId: null,
    } as const;
    terminal.openOrder({ ...order, staffName: "Yudelka Reyes" });
  }
  await terminal.idle();
  const of = (name: string) => tabs.filter((each) => terminal.order(each)?.snapshot.staffName === name).length;
  const [inUse = "", first = "", billed = ""] = tabs;
  await terminal.acquireLease(inUse);
  const page = await open({ name: "relevo-barra", kind: "phone", login: "cashier" });
  const line = await deviceLine(page);
  await page.goto(`${page.url().split("#")[0]}#/check/${first}`);
  await page.getByRole("button", { name: /1 línea/ }).tap();
  const sheet = page.getByRole("dialog").last();
  const notices = page.locator(".notices");
  const handOver = async (): Promise<void> => {
    await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
    await sheet.getByRole("button", { name: "Pasar a otro mesero" }).tap();
    await sheet.getByRole("button", { name: "Las 52" }).tap();
    await sheet.getByRole("button", { name: "Carlos Jiménez" }).tap();
  };
  await handOver();
  await expect.poll(() => of("Carlos Jiménez")).toBe(51);
  await notices.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => of("Yudelka Reyes")).toBe(52);

  line.holdBack();
  await handOver();
  terminal.checkOut(billed);
  await terminal.idle();
  await line.restore();
  // The check in use still waits.
  await expect(notices).toContainText("Pasar a otro mesero: no se hizo en 1 de 52 cuentas.");
  await expect.poll(() => of("Carlos Jiménez")).toBe(50);
  await notices.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => of("Yudelka Reyes")).toBe(52);
  await terminal.releaseLease(inUse);
  terminal.reopen(billed);
  for (const each of tabs) terminal.discardOrder(each);
  await terminal.idle();
});
