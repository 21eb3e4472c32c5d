import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { control } from "../support/control.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { deviceLine } from "../support/device-line.ts";
import { setPin, enterPin } from "../support/people-acts.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "../support/touch-test.ts";

/** Calls the operator API as a manager. */
async function operator<T>(restaurant: Restaurant, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(new URL(`/operator/v1${path}`, restaurant.hubUrl), {
    method,
    headers: {
      authorization: `Bearer ${await restaurant.token("manager")}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function typeDigits(page: Page, digits: string, name = "Teclado"): Promise<void> {
  const keypad = page.getByRole("group", { name });
  for (const digit of digits) await keypad.getByRole("button", { name: digit, exact: true }).tap();
}

/** Opens the till from the navigation. */
async function goToTill(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Caja", exact: true }).tap();
}

/** Opens the shift with RD$2,000 in the drawer. */
async function openShift(page: Page): Promise<void> {
  await goToTill(page);
  await typeDigits(page, "2000");
  await page.getByRole("button", { name: "Abrir con RD$2,000.00" }).tap();
}

async function submitWrongCount(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await typeDigits(page, "3");
  await page.getByRole("button", { name: "Cerrar con RD$6,000.00" }).tap();
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`opening a shift takes 3 taps, a drop 3, and the count shows no expected amount (${kind}) [TILL-42]`, async ({
    open,
    restaurant,
  }) => {
    const name = `caja-turno-${kind}`;
    await operator(restaurant, "POST", "/tills", { id: name, name: `Barra ${kind}`, terminals: [name] });
    const page = await open({ name, login: "cashier", kind, managerWasHere: true });
    await expect(page.getByRole("link", { name: "Caja", exact: true })).toBeVisible();
    const tapsToOpen = await tapsOf(page, async () => {
      await goToTill(page);
      await typeDigits(page, "1500");
      await page.getByRole("button", { name: "Abrir con RD$1,500.00" }).tap();
    });
    expect(tapsToOpen - 4).toBeLessThanOrEqual(3);
    await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
    await page.getByRole("link", { name: "Salón" }).tap();
    const tapsToDrop = await tapsOf(page, async () => {
      await goToTill(page);
      await page.getByRole("button", { name: "Retiro" }).tap();
      await typeDigits(page, "500");
      await page.getByRole("button", { name: "Guardar RD$500.00" }).tap();
    });
    expect(tapsToDrop - 3).toBeLessThanOrEqual(3);
    await page.getByRole("button", { name: "Contar y cerrar" }).tap();
    await page.getByRole("button", { name: /^500/ }).tap();
    await typeDigits(page, "1");
    await page.getByRole("button", { name: "Siguiente" }).tap();
    await typeDigits(page, "2");
    await page.getByRole("button", { name: "Cerrar con RD$900.00" }).tap();
    await expect(page.getByText(/Turno cerrado/)).toBeVisible();
    const { shifts } = await operator<{ shifts: { tillId: string; id: string }[] }>(restaurant, "GET", "/shifts");
    const shift = shifts.find(({ tillId }) => tillId === name);
    const report = await operator(restaurant, "GET", `/shifts/${shift?.id}`);
    expect(report).toMatchObject({
      state: "closed",
      float: 1_500,
      difference: -100,
      moves: [{ kind: "drop", amount: 500 }],
    });
  });
}

test("an unfinished count survives another screen and a reload until it is sent [TILL-43]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-a-medias";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Patio", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "phone", managerWasHere: true });
  const count = page.getByRole("button", { name: "Contar y cerrar" });
  await goToTill(page);
  await typeDigits(page, "500");
  await page.getByRole("button", { name: "Abrir con RD$500.00" }).tap();
  await count.tap();
  await page.getByRole("button", { name: /^500/ }).tap();
  await typeDigits(page, "1");
  await page.getByRole("textbox", { name: "Nota (opcional)" }).fill("contado a medias");
  await page.getByRole("link", { name: "Salón" }).tap();
  await goToTill(page);
  await count.tap();
  await expect(page.getByRole("textbox", { name: "Nota (opcional)" })).toHaveValue("contado a medias");
  await page.reload();
  await count.tap();
  await expect(page.getByRole("textbox", { name: "Nota (opcional)" })).toHaveValue("contado a medias");
  await page.getByRole("button", { name: "Cerrar con RD$500.00" }).tap();
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
  await typeDigits(page, "200");
  await page.getByRole("button", { name: "Abrir con RD$200.00" }).tap();
  await count.tap();
  await expect(page.getByRole("button", { name: "Cerrar con RD$0.00" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Nota (opcional)" })).toHaveValue("");
});

test("a keyboard alone enters the float and the count of a shift [TOUCH-713]", async ({ open, restaurant }) => {
  const name = "caja-teclado";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Teclado", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "pc" });
  await page.getByRole("link", { name: "Caja", exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "Abrir con RD$0.00" })).toBeVisible();
  await page.keyboard.type("500");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Abrir con RD$500.00" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Contar y cerrar" }).press("Enter");
  const next = page.getByRole("button", { name: "Siguiente" });
  await expect(next).toBeVisible();
  await page.keyboard.type("0");
  await page.keyboard.press("Enter");
  await expect(next).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.type("0");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1");
  await page.getByRole("button", { name: "Cerrar con RD$500.00" }).press("Enter");
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
});

test("a drawer that cannot open, a report that cannot print and an offline count each say so [TILL-44] [TILL-45] [TOUCH-410]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-lejos";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Lejos", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet", refusalsExpected: true });
  const line = await deviceLine(page);
  await goToTill(page);
  await page.getByRole("button", { name: "Abrir con RD$0.00" }).tap();
  const openDrawer = async (): Promise<void> => {
    await page.getByRole("button", { name: "Abrir gaveta" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Menudo" }).tap();
  };
  await openDrawer();
  await expect(page.locator(".notices")).toContainText("La gaveta no se abre sola: ábrala con su llave.");
  await page.getByRole("button", { name: "Imprimir X" }).tap();
  await expect(page.locator(".notices")).toContainText("No hay impresora para el reporte.");
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  await openDrawer();
  await expect(page.locator(".notices")).toContainText("la gaveta abre solo si la conexión vuelve en 10 segundos");
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await page.getByRole("button", { name: "Cerrar con RD$0.00" }).tap();
  await expect(page.getByText(/^El conteo se guardó\. El turno cierra cuando/)).toBeVisible();
});

/** Takes a payment of 300 by card on another terminal of the till. */
async function payByCard(restaurant: Restaurant, deviceId: string): Promise<void> {
  const terminal = await restaurant.terminal(`${deviceId}-tarjeta`, { login: "cashier" });
  await online(terminal);
  const { posReference, ...order } = newOrder(`${deviceId}-1`, [lineOf("Chillo", 300)]);
  terminal.openOrder({ posReference, ...order });
  terminal.pay(posReference, { payments: [{ methodId: 2, amount: 300 }] });
  await terminal.idle();
}

const labels = {
  es: {
    till: "Caja",
    keypad: "Teclado",
    dollars: "US$0",
    open: "Abrir con RD$1,500.00 y US$40",
    count: "Contar y cerrar",
    inDollars: /^USD en efectivo/,
    slips: /^Vouchers de Tarjeta/,
    note: "Nota (opcional)",
    close: "Cerrar con RD$1,500.00",
    closed: /Turno cerrado/,
  },
  en: {
    till: "Till",
    keypad: "Keypad",
    dollars: "US$0",
    open: "Open with RD$1,500.00 and US$40",
    count: "Count and close",
    inDollars: /^Cash in USD/,
    slips: /^Tarjeta slips/,
    note: "Note (optional)",
    close: "Close with RD$1,500.00",
    closed: /Shift closed/,
  },
} as const;

for (const [kind, language] of [
  ["phone", "es"],
  ["tablet", "en"],
  ["pc", "es"],
] as const) {
  test(`a shift's float has dollars, and its count has dollars and card slips (${kind}, ${language}) [TOUCH-421]`, async ({
    open,
    restaurant,
  }) => {
    const name = `caja-divisas-${kind}`;
    const texts = labels[language];
    const terminals = [name, `${name}-tarjeta`];
    await operator(restaurant, "POST", "/tills", { id: name, name: `Divisas ${kind}`, terminals });
    const page = await open({ name, login: "cashier", kind, language });
    const expectAccessible = async (): Promise<void> => {
      expect(await seriousIssues(page, "#root")).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
    };
    await page.getByRole("link", { name: texts.till, exact: true }).tap();
    await typeDigits(page, "1500", texts.keypad);
    await page.getByRole("button", { name: texts.dollars, exact: true }).tap();
    await typeDigits(page, "40", texts.keypad);
    await expectAccessible();
    await page.getByRole("button", { name: texts.open }).tap();
    await payByCard(restaurant, name);

    await page.getByRole("button", { name: texts.count }).tap();
    await page.getByRole("button", { name: /^500/ }).tap();
    await typeDigits(page, "3", texts.keypad);
    await page.getByRole("button", { name: texts.inDollars }).tap();
    await typeDigits(page, "40", texts.keypad);
    await page.getByRole("button", { name: texts.slips }).tap();
    await typeDigits(page, "295", texts.keypad);
    await page.getByLabel(texts.note).fill("falta un voucher");
    await expectAccessible();
    await page.getByRole("button", { name: texts.close }).tap();
    await expect(page.getByText(texts.closed)).toBeVisible();
    const { shifts } = await operator<{ shifts: { tillId: string; id: string }[] }>(restaurant, "GET", "/shifts");
    const shift = shifts.find(({ tillId }) => tillId === name);
    expect(await operator(restaurant, "GET", `/shifts/${shift?.id}`)).toMatchObject({
      state: "closed",
      float: 1_500,
      floats: [{ currency: "USD", amount: 40 }],
      byMethod: expect.arrayContaining([
        expect.objectContaining({ methodId: 1, currency: "USD", expected: 40, counted: 40, difference: 0 }),
        expect.objectContaining({ methodId: 2, expected: 300, counted: 295, difference: -5 }),
      ]),
      counts: [{ note: "falta un voucher" }],
    });
  });
}

test("a count that is too far off asks for a manager's PIN without showing an amount (820) [TILL-42, TILL-21]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-aprobada";
  await setPin(restaurant, "manager", "482915");
  await operator(restaurant, "POST", "/tills", { id: name, name: "Terraza", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet", managerWasHere: true });
  await openShift(page);
  await submitWrongCount(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Cerrar la caja con este conteo");
  await expect(page.getByText(/2,000|4,000/)).toHaveCount(0);
  await enterPin(page, /^Marisol Peña/, "482915");
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
});

test("a manager approves only the last of several counts made while the hub was away (820) [TILL-44]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-sin-linea";
  await setPin(restaurant, "manager", "482915");
  await operator(restaurant, "POST", "/tills", { id: name, name: "Muelle", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet", managerWasHere: true });
  const line = await deviceLine(page);
  await openShift(page);
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  await typeDigits(page, "3");
  await page.getByRole("button", { name: "Cerrar con RD$6,000.00" }).tap();
  await page.getByRole("button", { name: "Contar otra vez" }).tap();
  await typeDigits(page, "1");
  await page.getByRole("button", { name: "Cerrar con RD$2,000.00" }).tap();
  await line.restore();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Cerrar la caja con este conteo");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Pedir aprobación" }).tap();
  await enterPin(page, /^Marisol Peña/, "482915");
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
  const { shifts } = await operator<{ shifts: { tillId: string; difference: number }[] }>(restaurant, "GET", "/shifts");
  expect(shifts.filter(({ tillId }) => tillId === name)).toMatchObject([{ state: "closed", difference: 0 }]);
});

test("a manager approves only the last count of a drawer that was counted again (820) [TILL-44]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-otra-vez";
  await setPin(restaurant, "manager", "482915");
  await operator(restaurant, "POST", "/tills", { id: name, name: "Patio", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet", managerWasHere: true });
  await openShift(page);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  for (const [digit, amount] of [
    ["3", "RD$6,000.00"],
    ["1", "RD$2,000.00"],
  ] as const) {
    await typeDigits(page, digit);
    await page.getByRole("button", { name: `Cerrar con ${amount}` }).tap();
    await expect(dialog).toContainText("Cerrar la caja con este conteo");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    if (digit === "3") await page.getByRole("button", { name: "Contar otra vez" }).tap();
  }
  await page.getByRole("button", { name: "Pedir aprobación" }).tap();
  await enterPin(page, /^Marisol Peña/, "482915");
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
  const { shifts } = await operator<{ shifts: { tillId: string; difference: number }[] }>(restaurant, "GET", "/shifts");
  expect(shifts.filter(({ tillId }) => tillId === name)).toMatchObject([{ state: "closed", difference: 0 }]);
});

test("a waiting count can be approved only by managers, and is settled with its shift (390) [TILL-44] [TOUCH-140]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-espera";
  await setPin(restaurant, "cashier", "2222");
  await setPin(restaurant, "manager", "482915");
  await operator(restaurant, "POST", "/tills", {
    id: name,
    name: "Espera",
    terminals: [name, `${name}-otra`, `${name}-gerente`],
  });
  const page = await open({ name, kind: "phone", managerWasHere: true });
  const dialog = page.getByRole("dialog");
  const toDecide = page.getByRole("link", { name: /por decidir/ });
  const workAs = async (person: RegExp, pin: string): Promise<void> => {
    await page.getByRole("button", { name: /^Trabaja/ }).tap();
    await enterPin(page, person, pin);
  };
  await workAs(/^Carlos Jiménez/, "2222");
  await openShift(page);
  await submitWrongCount(page);
  await expect(dialog).toContainText("Cerrar la caja con este conteo");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Trabaja/ }).tap();
  await page.getByRole("button", { name: "Volver a Wendy Almonte" }).tap();
  await toDecide.tap();
  await expect(page.getByText("El conteo se guardó; falta que un gerente lo apruebe.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Reintentar" })).toHaveCount(0);
  await page.getByRole("button", { name: "Autorizar" }).tap();
  await expect(dialog.getByRole("button", { name: /^Marisol Peña/ })).toBeVisible();
  await expect(dialog.getByRole("button", { name: /^Carlos Jiménez/ })).toHaveCount(0);
  await page.keyboard.press("Escape");

  const other = await open({ name: `${name}-otra`, login: "cashier", kind: "tablet" });
  await goToTill(other);
  await expect(other.getByText(/^El conteo se guardó\. Hace falta la aprobación de un gerente/)).toBeVisible();

  const manager = await restaurant.terminal(`${name}-gerente`, { login: "manager" });
  await online(manager);
  const shiftId = manager.tills().find(({ id }) => id === name)?.shift?.id ?? "";
  const { outcome } = manager.countShift({ shiftId, counted: [{ methodId: 1, amount: 2_000 }] });
  expect(await outcome).toMatchObject({ state: "acknowledged" });
  await goToTill(page);
  await expect(toDecide).toBeHidden();
});

test("a till says what its other device did first, and a drop for a closed shift has to be decided [TILL-301] [TILL-302]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-entre-dos";
  const terminals = [name, `${name}-otra`];
  await operator(restaurant, "POST", "/tills", { id: name, name: "Entre dos", terminals });
  const page = await open({ name, login: "cashier", kind: "phone" });
  const line = await deviceLine(page);
  const other = await restaurant.terminal(`${name}-otra`, { login: "cashier" });
  await online(other);
  const notice = page.locator(".notices");
  const toDecide = page.getByRole("link", { name: /por decidir/ });
  await goToTill(page);
  await typeDigits(page, "1000");

  // Both open the shift while this page cannot see the other one's.
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  const opened = other.openShift(name, 500);
  await opened.outcome;
  await page.getByRole("button", { name: "Abrir con RD$1,000.00" }).tap();
  await line.restore();
  await expect(notice).toContainText("La caja ya tiene un turno abierto.");
  await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
  await expect(toDecide).toHaveCount(0);

  await page.getByRole("button", { name: "Retiro" }).tap();
  await typeDigits(page, "1");
  await other.countShift({ shiftId: opened.shiftId, counted: [{ methodId: 1, amount: 500 }] }).outcome;
  await expect(notice).toContainText("El turno se cerró en otro terminal.");
  await expect(page.getByRole("button", { name: /^Abrir con/ })).toBeVisible();

  const second = other.openShift(name, 500);
  await second.outcome;
  await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  await page.getByRole("button", { name: "Retiro" }).tap();
  await typeDigits(page, "200");
  await page.getByRole("button", { name: "Guardar RD$200.00" }).tap();
  await other.countShift({ shiftId: second.shiftId, counted: [{ methodId: 1, amount: 500 }] }).outcome;
  await line.restore();
  await expect(notice).toContainText("Ese turno de la caja ya cerró.");
  await toDecide.tap();
  const card = page.getByRole("article").filter({ hasText: "Retiro de RD$200.00" });
  await expect(card).toContainText("Ese turno de la caja ya cerró. Use uno que esté abierto.");
  await expect(card.getByRole("button")).toHaveText([/^No hacerlo/]);
});

test("a shift closed by this device's own count, or a reassigned till, is not reported as closed elsewhere [TILL-302]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-recargada";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Recargada", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet" });
  const line = await deviceLine(page);
  const notice = page.locator(".notices");
  const openButton = page.getByRole("button", { name: /^Abrir con/ });
  await openShift(page);
  await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await typeDigits(page, "1");
  await page.getByRole("button", { name: "Cerrar con RD$2,000.00" }).tap();
  await page.reload();
  await expect(page.getByRole("button", { name: "Contar otra vez" })).toBeVisible();
  await line.restore();
  await expect(openButton).toBeVisible();
  await expect(notice).toContainText("Turno cerrado.");

  await page.reload();
  await openShift(page);
  await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
  await operator(restaurant, "POST", "/tills", { id: `${name}-2`, name: "Otra gaveta", terminals: [] });
  await operator(restaurant, "PATCH", `/tills/${name}`, { terminals: [] });
  await operator(restaurant, "PATCH", `/tills/${name}-2`, { terminals: [name] });
  await expect(page.getByRole("heading", { name: "Otra gaveta" })).toBeVisible();
  await expect(openButton).toBeVisible();
  await expect(notice).not.toContainText("otro terminal");
});

test("dollars of a shift are still counted after the restaurant stopped taking them (820) [TILL-22]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-sin-divisas";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Azotea", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet" });
  const count = page.getByRole("button", { name: "Contar y cerrar" });
  const dollars = page.getByRole("button", { name: /^USD en efectivo/ });
  await goToTill(page);
  await page.getByRole("button", { name: "US$0", exact: true }).tap();
  await typeDigits(page, "40");
  await page.getByRole("button", { name: /^Abrir con/ }).tap();
  await count.tap();
  await expect(dollars).toBeVisible();
  await control(restaurant, "/quirks", { lacks: ["currencies"] });
  try {
    await expect(dollars).toHaveCount(0);
    await page.getByRole("button", { name: /^500/ }).tap();
    await typeDigits(page, "1");
    await page.getByLabel("Nota (opcional)").fill("sobran quinientos");
    await page.getByRole("button", { name: "Cerrar con RD$500.00" }).tap();
    await expect(page.getByText("Falta contar USD")).toBeVisible();
    await count.tap();
    await dollars.tap();
    await typeDigits(page, "39");
    await page.getByRole("button", { name: "Cerrar con RD$500.00" }).tap();
    await expect(page.getByRole("dialog")).toContainText("Cerrar la caja con este conteo");
  } finally {
    await control(restaurant, "/quirks", {});
  }
  const { shifts } = await operator<{ shifts: { tillId: string; id: string }[] }>(restaurant, "GET", "/shifts");
  const shift = shifts.find(({ tillId }) => tillId === name);
  expect(await operator(restaurant, "GET", `/shifts/${shift?.id}`)).toMatchObject({
    state: "counted",
    counts: [{ note: "sobran quinientos", counted: [{ amount: 500 }, { currency: "USD", amount: 39 }] }],
  });
});

test("a drawer is counted once after cash was switched off in the back-office [TILL-22]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-sin-efectivo";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Patio", terminals: [name] });
  const page = await open({ name, login: "cashier" });
  await goToTill(page);
  await typeDigits(page, "500");
  await page.getByRole("button", { name: "Abrir con RD$500.00" }).tap();
  await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
  await page.route("**/terminal/v1/menu*", async (route) => {
    const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
    const headers = { ...route.request().headers(), "if-none-match": "" };
    const menu = (await (await route.fetch({ url, headers })).json()) as { paymentMethods: { type: string }[] };
    const paymentMethods = menu.paymentMethods.filter(({ type }) => type !== "cash");
    await route.fulfill({ json: { ...menu, paymentMethods } });
  });
  await page.reload();
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await page.getByRole("button", { name: /^500/ }).tap();
  await typeDigits(page, "1");
  await page.getByRole("button", { name: "Cerrar con RD$500.00" }).tap();
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
  const { shifts } = await operator<{ shifts: { tillId: string }[] }>(restaurant, "GET", "/shifts");
  expect(shifts.filter(({ tillId }) => tillId === name)).toMatchObject([{ state: "closed", difference: 0 }]);
});

test("the amount and the reason of a movement of cash survive a reload until the sheet is closed [TOUCH-1570]", async ({
  open,
  restaurant,
}) => {
  const name = "caja-borrador";
  await operator(restaurant, "POST", "/tills", { id: name, name: "Borrador", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet" });
  await openShift(page);
  await page.getByRole("button", { name: "Retiro" }).tap();
  await typeDigits(page, "350");
  await page.getByRole("button", { name: "Banco" }).tap();
  await page.reload();
  await page.getByRole("button", { name: "Retiro" }).tap();
  await expect(page.getByRole("button", { name: "Banco" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("button", { name: "Guardar RD$350.00" })).toBeEnabled();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Retiro" }).tap();
  await expect(page.getByRole("button", { name: "Guardar RD$0.00" })).toBeDisabled();
});
