import type { StoredOrder } from "@comanda/protocol";
import type { Locator, Page } from "@playwright/test";
import type { Restaurant } from "../../support/restaurant.ts";
import { online } from "../../support/restaurant.ts";
import { createOperator } from "../../screens/support/operator.ts";
import { deviceLine } from "../support/device-line.ts";
import { setPin } from "../support/people-acts.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "../support/touch-test.ts";

const table = "Mesa 9";
const tableId = 36;

/** Opens a check on the table with a dish of RD$ 225, which is RD$ 288 with taxes. */
async function openCheck(restaurant: Restaurant, name: string): Promise<string> {
  const terminal = await restaurant.terminal(name);
  await online(terminal);
  const posReference = `${name}-${crypto.randomUUID().slice(0, 8)}`;
  const line = {
    id: "uno",
    productId: "101",
    name: "Tostones con salsa de ajo",
    quantity: 1,
    unitPrice: 225,
    total: 288,
    taxIds: ["1", "2"],
    taxAmount: 63,
  };
  terminal.openOrder({
    posReference,
    orderType: "dine_in",
    tableId,
    lines: [line],
    totals: { subtotal: 225, tax: 63, total: 288 },
  });
  terminal.sendToKitchen(posReference);
  await terminal.idle();
  return posReference;
}

/** Returns the hub's state of a check, once it is paid. */
async function untilPaid(restaurant: Restaurant, name: string, posReference: string): Promise<StoredOrder["snapshot"]> {
  const terminal = await restaurant.terminal(name);
  await online(terminal);
  await expect.poll(() => terminal.order(posReference)?.snapshot.status).toMatch(/paid|closed/);
  const snapshot = terminal.order(posReference)?.snapshot;
  if (snapshot === undefined) throw new Error("the check is gone");
  return snapshot;
}

/** Returns accounting's record of a check. */
async function bookedChecks(restaurant: Restaurant, posReference: string) {
  const { orders } = await restaurant.stub<{ orders: { posReference: string; status: string; total: number }[] }>(
    "/stub/v1/orders",
  );
  return orders.filter((order) => order.posReference === posReference).map(({ status, total }) => ({ status, total }));
}

async function goToTable(page: Page): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${table} `) }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
}

async function expectTable(page: Page): Promise<void> {
  await expect(page.getByRole("link", { name: new RegExp(`^${table} En cocina`) })).toBeVisible();
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`paying takes 3 taps in cash, 4 with two methods and 5 in two halves (${kind}) [TOUCH-70, TOUCH-71, TOUCH-72, TOUCH-649]`, async ({
    open,
    restaurant,
  }) => {
    const page = await open({ name: `caja-${kind}`, login: "cashier", kind });
    const payAndCount = async (posReference: string, pay: () => Promise<void>) => {
      await expectTable(page);
      const taps = await tapsOf(page, async () => {
        await goToTable(page);
        await pay();
        await expect(page.getByRole("heading", { name: "Cobrado RD$288.00" })).toBeVisible();
      });
      await expect(page.getByRole("heading", { name: "Cobrado RD$288.00" })).toBeFocused();
      const { payments } = await untilPaid(restaurant, `${posReference}-mira`, posReference);
      return { taps, payments };
    };

    const exact = await openCheck(restaurant, `exacto-${kind}`);
    expect(await payAndCount(exact, () => page.getByRole("button", { name: "Exacto" }).tap())).toMatchObject({
      taps: 3,
      payments: [{ methodId: 1, amount: 288, tendered: 288, change: 0 }],
    });
    await expect(page.getByRole("article")).toContainText(/NCF: E32\d{10}/);
    await expect(page.getByRole("article")).toContainText("Propina legal 10 %22.50");
    await page.getByRole("button", { name: "Listo" }).tap();

    const twice = await openCheck(restaurant, `dos-${kind}`);
    const byTwoMethods = async () => {
      await page.getByRole("button", { name: "RD$200", exact: true }).tap();
      await expect(page.getByText("RD$88.00").first()).toBeVisible();
      await page.getByRole("button", { name: "Tarjeta" }).tap();
    };
    expect(await payAndCount(twice, byTwoMethods)).toMatchObject({
      taps: 4,
      payments: [
        { methodId: 1, amount: 200, tendered: 200, change: 0 },
        { methodId: 2, amount: 88 },
      ],
    });
    await page.getByRole("button", { name: "Listo" }).tap();

    const halves = await openCheck(restaurant, `mitad-${kind}`);
    const inHalves = async () => {
      await page.getByRole("button", { name: "÷2" }).tap();
      await page.getByRole("button", { name: "Efectivo" }).tap();
      await expect(page.getByText("Parte 2 de 2")).toBeVisible();
      await page.getByRole("button", { name: "Tarjeta" }).tap();
    };
    expect(await payAndCount(halves, inHalves)).toMatchObject({
      taps: 5,
      payments: [
        { methodId: 1, amount: 144 },
        { methodId: 2, amount: 144 },
      ],
    });
  });
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`paying in dollars takes 4 taps, with the change in pesos (${kind}) [TOUCH-310]`, async ({
    open,
    restaurant,
  }) => {
    const page = await open({ name: `caja-dolares-${kind}`, login: "cashier", kind });
    const posReference = await openCheck(restaurant, `dolares-${kind}`);
    await expectTable(page);
    const taps = await tapsOf(page, async () => {
      await goToTable(page);
      await page.getByRole("button", { name: "US$ a 60" }).tap();
      await expect(page.getByRole("dialog")).toContainText("Faltan RD$288.00");
      await page.getByRole("button", { name: "US$10", exact: true }).tap();
      await expect(page.getByRole("button", { name: /^Devuelta RD\$312\.00/ })).toBeVisible();
    });
    expect(taps).toBe(4);
    const { payments } = await untilPaid(restaurant, `${posReference}-mira`, posReference);
    const foreign = { currency: "USD", amount: 10, rate: 60 };
    expect(payments).toMatchObject([{ methodId: 1, amount: 288, tendered: 600, change: 312, foreign }]);
    await page.getByRole("button", { name: /^Devuelta/ }).tap();
    await expect(page.getByRole("article", { name: "Recibo" })).toContainText(
      "Efectivo288.00USD 10.00 a 60.00Recibido600.00Devuelta312.00",
    );
    await expect(page.getByRole("article", { name: "Recibo" })).toContainText(/Código de Seguridad: \w{6}/);
  });
}

test("the change is shown until the next tap, and then the receipt [TOUCH-73]", async ({ open, restaurant }) => {
  await openCheck(restaurant, "devuelta");
  const page = await open({ name: "caja-devuelta", login: "cashier" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "10 %" }).tap();
  await page.getByRole("button", { name: "RD$500", exact: true }).tap();
  const change = page.getByRole("button", { name: /^Devuelta RD\$183\.20/ });
  await expect(change).toBeVisible();
  await change.tap();
  await expect(page.getByRole("article", { name: "Recibo" })).toContainText("Propina voluntaria28.80");
  await expect(page.getByRole("article", { name: "Recibo" })).toContainText("Recibido500.00Devuelta183.20");
});

test("one guest pays an amount and gets change, and another pays the rest [TOUCH-60] [TOUCH-649]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "monto");
  const page = await open({ name: "caja-monto", login: "cashier" });
  await expectTable(page);
  const taps = await tapsOf(page, async () => {
    await goToTable(page);
    await page.getByRole("button", { name: "Monto", exact: true }).tap();
    for (const digit of "150") await page.getByRole("button", { name: digit, exact: true }).last().tap();
    await page.getByRole("button", { name: "Listo · quedan RD$138.00" }).tap();
    await expect(page.getByText("Parte 1 de 2")).toBeVisible();
    await page.getByRole("button", { name: "RD$200", exact: true }).tap();
  });
  expect(taps).toBe(5 + "150".length);
  await page.getByRole("button", { name: /^Devuelta RD\$50\.00/ }).press("Enter");
  await expect(page.getByText("Parte 2 de 2")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.getByRole("button", { name: "Tarjeta" }).tap();
  const { payments } = await untilPaid(restaurant, "monto-mira", posReference);
  expect(payments).toMatchObject([
    { methodId: 1, amount: 150, tendered: 200, change: 50 },
    { methodId: 2, amount: 138 },
  ]);
});

test("an amount can be typed on a keyboard, and Enter moves the focus to the first action [TOUCH-713]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "teclado");
  const page = await open({ name: "caja-teclado", login: "cashier", kind: "pc" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "Otro monto" }).press("Enter");
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("heading")).toBeFocused();
  await page.keyboard.type("50");
  await holdEnter(page);
  await expect(sheet.getByRole("button", { name: "Efectivo" })).toBeFocused();
  // A scanner types the same: digits and Enter, and Enter once more.
  await page.keyboard.type("0");
  await page.keyboard.press("Enter");
  await expect(sheet.getByText("RD$500.00")).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Efectivo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Devuelta RD\$212\.00/ })).toBeFocused();
  const { payments } = await untilPaid(restaurant, "teclado-mira", posReference);
  expect(payments).toMatchObject([{ methodId: 1, amount: 288, tendered: 500, change: 212 }]);
});

test("a scanner that ends with two Enters takes no payment where an amount is asked for [TOUCH-1087]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "dos-enter");
  const page = await open({ name: "caja-dos-enter", login: "cashier", kind: "pc" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "Otro monto" }).tap();
  await expect(page.getByRole("dialog").getByRole("heading")).toBeFocused();
  // Keys that the page does not handle go to the focused element.
  const unhandledKeys = await page.evaluate(() =>
    ["7", "4", "6", "0", "0", "0", "1", "Enter", "Enter"].filter((key) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
      ),
    ),
  );
  // Of the two Enters, one is left to the browser; two could choose a way to pay and confirm it.
  expect(unhandledKeys).toEqual(["Enter"]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Exacto" }).tap();
  await untilPaid(restaurant, "dos-enter-mira", posReference);
});

test("a scan on the receipt, the change or the list of checks begins the next check [TOUCH-1088]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "colmado", login: "cashier", kind: "pc" });
  await page.route("**/terminal/v1/menu*", async (route) => {
    const { "if-none-match": _, ...headers } = route.request().headers();
    const response = await route.fetch({ url: new URL("/terminal/v1/menu", restaurant.hubUrl).href, headers });
    const menu = (await response.json()) as { products: { name: string }[] };
    const coded = { name: "Yaniqueques de yuca", barcode: "7460001" };
    const products = menu.products.map((each) => (each.name === "Yaniqueques" ? { ...each, ...coded } : each));
    await route.fulfill({ response, json: { ...menu, products } });
  });
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  await page.reload();
  await expect(page.getByRole("button", { name: /^Yaniqueques de yuca/ })).toBeVisible();
  await page.getByRole("link", { name: "Volver" }).tap();
  await expect(page.getByRole("link", { name: "Nueva para llevar" })).toBeVisible();
  const scan = () =>
    page.evaluate(() => {
      for (const key of ["7", "4", "6", "0", "0", "0", "1", "Enter"]) {
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      }
    });
  const newLine = page.getByRole("region", { name: "Cuenta" }).getByRole("button", { name: /Yaniqueques de yuca/ });
  await scan();
  await expect(newLine).toBeVisible();
  const pay = page.getByRole("button", { name: "Cobrar" });
  await expect(pay).toBeEnabled();
  await pay.tap();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: /^Cobrado/ })).toBeVisible();
  await scan();
  await expect(newLine).toHaveAccessibleName(/^1 /);
  // The quantity was typed before; the scanner's own keys follow it in the field.
  await page.getByRole("searchbox").fill("3*7460001");
  await scan();
  await expect(newLine).toHaveAccessibleName(/^4 /);
  await pay.tap();
  await page.getByRole("button", { name: "RD$1,000", exact: true }).tap();
  await expect(page.getByRole("button", { name: /^Devuelta/ })).toBeFocused();
  await scan();
  await expect(newLine).toHaveAccessibleName(/^1 /);
});

/** Holds Enter so long that it repeats. */
async function holdEnter(page: Page): Promise<void> {
  for (let times = 0; times < 3; times += 1) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
}

test("a keyboard alone orders, takes cash and begins the next check over the counter [TOUCH-961]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "solo-teclado", login: "cashier", kind: "pc" });
  await expect(page.getByRole("link", { name: new RegExp(`^${table} `) })).toBeVisible();
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  const bookedOrders = async () =>
    (await restaurant.stub<{ orders: { total: number }[] }>("/stub/v1/orders")).orders.filter(
      ({ total }) => total === 230.1,
    );
  const before = (await bookedOrders()).length;
  for (const typed of ["500", "Enter"]) {
    await expect(page.locator(".tile").first()).toBeVisible();
    // At the speed of a person; a scanner is faster.
    await page.keyboard.type("qui", { delay: 100 });
    await keys("Enter");
    await expect(page.getByRole("searchbox")).toHaveValue("");
    await expect(page.getByRole("button", { name: "Cobrar" })).toBeEnabled();
    await keys("Enter");
    await expect(page.getByRole("button", { name: "Cobrar" })).toBeFocused();
    await keys("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    if (typed === "Enter") {
      await holdEnter(page);
      await expect(page.getByRole("button", { name: "Exacto" })).toBeFocused();
      await keys("Enter");
    } else {
      await page.keyboard.type(typed, { delay: 100 });
      await keys("Enter", "Enter");
      await expect(page.getByRole("button", { name: /^Devuelta RD\$269\.90/ })).toBeFocused();
      await keys("Enter");
    }
    await expect(page.getByRole("heading", { name: "Cobrado RD$230.10" })).toBeFocused();
    await keys("Tab", "Tab", "Enter");
  }
  await expect(page.getByRole("heading", { name: "Para llevar" })).toBeVisible();
  await expect.poll(async () => (await bookedOrders()).length).toBe(before + 2);
});

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`a double tap neither pays a check that it opens nor dismisses the change (${kind}) [TOUCH-963]`, async ({
    open,
  }) => {
    const page = await open({ name: `dos-toques-${kind}`, login: "cashier", kind });
    await expect(page.getByRole("link", { name: new RegExp(`^${table} `) })).toBeVisible();
    await page.evaluate(() => (location.hash = "#/takeaway/new"));
    await page.getByRole("button", { name: /^Quipes de res/ }).tap();
    const pay = page.getByRole("button", { name: "Cobrar" });
    await expect(pay).toBeEnabled();
    await tapTwice(page, pay);
    const note = page.getByRole("button", { name: "RD$500", exact: true });
    await expect(note).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await tapTwice(page, note);
    const change = page.getByRole("button", { name: /^Devuelta RD\$269\.90/ });
    await expect(change).toBeVisible();
    await change.press("Enter");
    await expect(page.getByRole("heading", { name: "Cobrado RD$230.10" })).toBeVisible();
  });
}

/** Taps the same spot twice, even if something else is there the second time. */
async function tapTwice(page: Page, button: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  const tap = () => page.touchscreen.tap(x + width / 2, y + height / 2);
  // Without waiting in between, however busy the machine is.
  await Promise.all([tap(), tap()]);
}

test("a waiter's payment asks for the approval of a person who may take payments [TOUCH-80]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "manager", "444444");
  const posReference = await openCheck(restaurant, "aprobado");
  const page = await open({ name: "mesero-aprobado", managerWasHere: true });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByText("Cobrar RD$288.00 · Efectivo")).toBeVisible();
  await page.getByRole("button", { name: /^Marisol Peña/ }).tap();
  for (const digit of "444444") await page.getByRole("button", { name: digit, exact: true }).last().tap();
  await page.getByRole("button", { name: "Aceptar" }).tap();
  await expect(page.getByRole("heading", { name: "Cobrado RD$288.00" })).toBeVisible();
  const { payments } = await untilPaid(restaurant, "aprobado-mira", posReference);
  expect(payments).toMatchObject([{ methodId: 1, amount: 288 }]);
});

test("holding takes back a payment with its reason [TOUCH-81]", async ({ open, restaurant }) => {
  const posReference = await openCheck(restaurant, "equivocado");
  const page = await open({ name: "caja-equivocado", login: "cashier" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "10 %" }).tap();
  await page.getByRole("button", { name: "÷2" }).tap();
  await page.getByRole("button", { name: /^Tarjeta/ }).tap();
  await page.getByRole("button", { name: "Devolver" }).tap();
  // Includes the tip, which goes back to the guest as well.
  await expect(page.getByRole("dialog")).toContainText("RD$158.40");
  await page.getByRole("button", { name: "Monto equivocado" }).tap();
  const hold = page.getByRole("button", { name: "Mantenga para devolver" });
  await hold.dispatchEvent("pointerdown");
  await page.getByRole("group", { name: "Propina" }).getByRole("button", { name: "0", exact: true }).tap();
  await page.getByRole("group", { name: "Partes" }).getByRole("button", { name: "1", exact: true }).tap();
  await expect(page.getByText("RD$288.00").first()).toBeVisible();
  await page.getByRole("button", { name: "Exacto" }).tap();
  const snapshot = await untilPaid(restaurant, "equivocado-mira", posReference);
  expect(snapshot.payments).toMatchObject([{ methodId: 1, amount: 288 }]);
  expect(snapshot.tenders).toMatchObject([
    { amount: 144, tip: 14.4, voided: { reason: "Monto equivocado" } },
    { amount: 288 },
  ]);
});

test("a customer with an RNC gets a tax credit number, and can pay on credit [TOUCH-82]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "empresa");
  const page = await open({ name: "caja-empresa", login: "cashier", kind: "tablet" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: /^Consumidor final/ }).tap();
  await page.getByRole("button", { name: /^Constructora del Este/ }).tap();
  await expect(page.getByRole("button", { name: "Crédito fiscal · E31 Constructora del Este SRL" })).toBeVisible();
  await page.getByRole("button", { name: "Crédito de cliente" }).tap();
  await expect(page.getByText("Crédito disponible: RD$50,000.00.")).toBeVisible();
  await page.getByRole("button", { name: "Cargar RD$288.00 a crédito" }).tap();
  await expect(page.getByRole("article")).toContainText(/NCF: E31\d{10}/);
  const snapshot = await untilPaid(restaurant, "empresa-mira", posReference);
  expect(snapshot).toMatchObject({
    payments: [{ methodId: 3, amount: 288, customerId: 51 }],
    fiscal: { rnc: "131246789" },
  });
});

test("the bill before the payment locks the check until it is reopened [TOUCH-83]", async ({ open, restaurant }) => {
  const posReference = await openCheck(restaurant, "precuenta");
  const watcher = await restaurant.terminal("precuenta-mira");
  await online(watcher);
  const page = await open({ name: "mesero-precuenta" });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: "Pre-cuenta" }).tap();
  const bill = page.getByRole("article", { name: "Pre-cuenta" });
  await expect(bill).toContainText("ITBIS 18 %40.50");
  await expect(bill).toContainText("TOTALRD$288.00");
  await expect.poll(() => watcher.order(posReference)?.snapshot.status).toBe("checkout");
  await page.getByRole("button", { name: "Reabrir" }).tap();
  await expect.poll(() => watcher.order(posReference)?.snapshot.status).toBe("sent");
  watcher.pay(posReference, { payments: [{ methodId: 1, amount: 288 }] });
  await watcher.idle();
});

test("the rest of a partly paid check is divided into the equal parts that the split offered [TOUCH-74] [TOUCH-46]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "resto");
  const page = await open({ name: "caja-resto", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: new RegExp(`^${table} En cocina`) }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: "RD$200", exact: true }).tap();
  await expect(page.getByText("RD$88.00").first()).toBeVisible();
  await page.getByRole("link", { name: "Volver a la cuenta" }).tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /^÷ 2 ?RD\$44\.00/ })
    .tap();
  await expect(page.locator(".pay-amount")).toHaveText("RD$44.00");
  await page.getByRole("button", { name: "Tarjeta" }).tap();
  const second = page.getByText("Parte 2 de 2");
  await expect(second).toBeVisible();
  // An immediate second tap on the same button is ignored as a double tap.
  await expect(async () => {
    await page.getByRole("button", { name: "Tarjeta" }).tap({ timeout: 2_000 });
    await expect(second).toBeHidden({ timeout: 2_000 });
  }).toPass();
  const { payments } = await untilPaid(restaurant, "resto-mira", posReference);
  expect(payments?.map(({ amount }) => amount)).toEqual([200, 44, 44]);
});

test("a payment taken in parts while the hub is away is booked once when it is back [TOUCH-74] [TOUCH-79] [TOUCH-356]", async ({
  open,
  restaurant,
}) => {
  const posReference = await openCheck(restaurant, "sin-hub");
  const page = await open({ name: "caja-sin-hub", login: "cashier", kind: "tablet" });
  const line = await deviceLine(page);
  await page.getByRole("link", { name: new RegExp(`^${table} En cocina`) }).tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await page.getByRole("dialog").getByRole("link", { name: "÷ 3" }).tap();
  await expect(page.getByText("Parte 1 de 3")).toBeVisible();
  // The split is removed from the address, so that a reload does not repeat it.
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/pay/${encodeURIComponent(posReference)}`);
  await line.cut();
  await expect(page.getByRole("link", { name: /^Sin conexión/ })).toBeVisible();
  for (const [index, button] of ["Exacto", "Tarjeta", "Efectivo"].entries()) {
    await expect(page.getByText(`Parte ${index + 1} de 3`)).toBeVisible();
    await page.getByRole("button", { name: button }).tap();
  }
  // The check is not shown as paid before the hub has the payments.
  await expect(page.getByRole("heading", { name: "RD$288.00 por registrar" })).toBeVisible();
  const unsent = page.getByText("Guardado en este terminal. Se envía a la PC principal en cuanto haya conexión.");
  await expect(unsent).toBeVisible();
  await expect(page.getByText("Comprobante pendiente: llega solo")).toBeVisible();
  const receipt = page.getByRole("article");
  await expect(receipt).toContainText("Comprobante pendiente: pídalo en caja con este recibo");
  await expect(receipt).not.toContainText("no es un comprobante fiscal");
  await page.reload();
  await expect(unsent).toBeVisible();
  await line.restore();
  await expect(unsent).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Cobrado RD$288.00" })).toBeVisible();
  await expect(page.getByRole("article")).toContainText(/NCF: E32\d{10}/);
  const { payments } = await untilPaid(restaurant, "sin-hub-mira", posReference);
  expect(payments?.map(({ methodId, amount }) => ({ methodId, amount }))).toEqual([
    { methodId: 1, amount: 96 },
    { methodId: 2, amount: 96 },
    { methodId: 1, amount: 96 },
  ]);
  await expect.poll(() => bookedChecks(restaurant, posReference)).toEqual([{ status: "paid", total: 288 }]);
});

test("without the back-office, credit is refused in words, cash is taken and the number comes later [TOUCH-79] [TOUCH-82]", async ({
  open,
  restaurant,
}) => {
  await openCheck(restaurant, "sin-linea");
  const page = await open({ name: "caja-sin-linea", login: "cashier", refusalsExpected: true });
  await expectTable(page);
  await goToTable(page);
  await page.getByRole("button", { name: /^Consumidor final/ }).tap();
  await page.getByRole("button", { name: /^Constructora del Este/ }).tap();
  await expect(page.getByRole("button", { name: /^Crédito fiscal · E31/ })).toBeVisible();
  await restaurant.killBackOffice();
  await page.getByRole("button", { name: "Crédito de cliente" }).tap();
  await expect(
    page.getByText("El crédito no se puede consultar ahora: vale el límite de la casa.", { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Cargar RD$288.00 a crédito" }).tap();
  await expect(page.locator(".notices")).toHaveText(
    "Crédito no aceptado: Constructora del Este SRL no tiene RD$288.00 disponibles. Cobre de otra forma.",
  );
  await expect(page.getByRole("link", { name: /por decidir/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: "Cobrado RD$288.00" })).toBeVisible();
  await expect(page.getByText("Comprobante pendiente: llega solo")).toBeVisible();
  await restaurant.startBackOffice();
  await expect(page.getByRole("article")).toContainText(/NCF: E31\d{10}/);
  await expect(page.getByText("Comprobante pendiente: llega solo")).toHaveCount(0);
});

test("a receipt says why it has no fiscal number, and shows the one that a manager requests later [TOUCH-79]", async ({
  open,
  restaurant,
}) => {
  const setRemaining = (remaining: number) =>
    restaurant.stub("/stub/v1/ncf", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ type: "E32", remaining }),
    });
  const posReference = await openCheck(restaurant, "agotado");
  const page = await open({ name: "caja-agotado", login: "cashier" });
  await expectTable(page);
  await goToTable(page);
  await setRemaining(0);
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("article")).toContainText(
    "Sin comprobante: se acabaron los números de este tipo. Un gerente lo resuelve en la pantalla de la PC principal.",
  );
  await setRemaining(500);
  const manager = await createOperator(restaurant);
  await manager.post(`/operator/v1/orders/${encodeURIComponent(posReference)}/fiscal`, { action: "retry" });
  await expect(page.getByRole("article")).toContainText(/NCF: E32\d{10}/);
});
