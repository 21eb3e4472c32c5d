import type { Page } from "@playwright/test";
import { type FakePrinter, startFakePrinter } from "../../../hub/test/fake-printer/fake-printer.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { control } from "../support/control.ts";
import { expect, hasAllScreens, tapsOf, test } from "../support/touch-test.ts";

// The restaurant has no printer at first, and gets two of them during the tests.
test.describe.configure({ mode: "serial" });

let caja: FakePrinter;
let cocina: FakePrinter;
test.beforeAll(async () => {
  [caja, cocina] = [await startFakePrinter(), await startFakePrinter()];
});
test.afterAll(async () => {
  await Promise.all([caja.stop(), cocina.stop()]);
});

const textsOn = (printer: FakePrinter): string[] =>
  printer.papers().map(({ lines }) =>
    lines
      .map(({ text }) => text)
      .join(" ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

/** Opens a takeaway check and sends it to the kitchen. */
async function sendCheck(restaurant: Restaurant, customerName: string, deviceId = `tableta-${customerName}`) {
  const terminal = await restaurant.terminal(deviceId);
  await online(terminal);
  const posReference = `P-${customerName}`;
  const line = { id: "uno", productId: "104", name: "Yaniqueques", quantity: 2, unitPrice: 150, total: 354 };
  const lines = [{ ...line, taxIds: ["1"], taxAmount: 54 }];
  const totals = { subtotal: 300, tax: 54, total: 354 };
  terminal.openOrder({ posReference, orderType: "takeout", tableId: null, customerName, lines, totals });
  terminal.sendToKitchen(posReference);
  await terminal.idle();
  return { terminal, posReference };
}

async function pay({ terminal, posReference }: Awaited<ReturnType<typeof sendCheck>>): Promise<void> {
  terminal.pay(posReference, { payments: [{ methodId: 1, amount: 354 }], fiscal: { type: "B02" } });
  await terminal.idle();
}

async function manage(restaurant: Restaurant, method: string, path: string, body: unknown): Promise<void> {
  const headers = { Authorization: `Bearer ${await restaurant.token("manager")}`, "Content-Type": "application/json" };
  const url = new URL(`/operator/v1${path}`, restaurant.hubUrl);
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function givePrinters(restaurant: Restaurant): Promise<void> {
  await manage(restaurant, "POST", "/printers", { id: "caja", name: "Caja", address: caja.address });
  await manage(restaurant, "POST", "/printers", { id: "cocina", name: "Cocina", address: cocina.address, width: 58 });
  await manage(restaurant, "PUT", "/print-routes", {
    stations: { cocina: ["cocina"] },
    terminals: {},
    receipts: "caja",
    paperOnly: ["cocina"],
  });
}

/** Records what the page asks the browser to print. */
function recordPrints(): void {
  const recorder = window as unknown as { printed?: string[] };
  window.print = () => {
    const paper = document.querySelector(".browser-print .paper");
    (recorder.printed ??= []).push(paper?.textContent ?? "no paper");
    window.dispatchEvent(new Event("afterprint"));
  };
}

const printed = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { printed?: string[] }).printed ?? []);

test("without a printer in the restaurant, the browser prints the receipt [TOUCH-410]", async ({
  open,
  restaurant,
}) => {
  await pay(await sendCheck(restaurant, "Altagracia"));
  const page = await open({ name: "caja-sin", login: "cashier", refusalsExpected: true, before: recordPrints });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await page.getByRole("button", { name: "Imprimir el recibo de Altagracia" }).tap();
  await expect.poll(() => printed(page)).toHaveLength(1);
  const [paper] = await printed(page);
  expect(paper).toMatch(/Comedor La Comanda.*Factura de Consumo.*NCF: B02\d{8}.*Yaniqueques.*RD\$354\.00/s);
  await expect(page.locator(".browser-print")).toHaveCount(0);
});

test("the browser prints a receipt while the hub is away [TOUCH-410]", async ({ open, restaurant }) => {
  await pay(await sendCheck(restaurant, "Dulce"));
  const page = await open({ name: "caja-lejos", login: "cashier", refusalsExpected: true, before: recordPrints });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await hasAllScreens(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Imprimir el recibo de Dulce" }).tap();
  await expect.poll(() => printed(page)).toHaveLength(1);
});

test("a receipt prints automatically, and printing it again as a copy takes 2 taps [TOUCH-411]", async ({
  open,
  restaurant,
}) => {
  await givePrinters(restaurant);
  await pay(await sendCheck(restaurant, "Belkis"));
  await expect.poll(() => textsOn(caja)).toEqual([expect.stringContaining("2 Yaniqueques")]);
  const page = await open({ name: "caja-1", login: "cashier" });
  await expect(page.getByRole("link", { name: "Cobradas" })).toBeVisible();
  const taps = await tapsOf(page, async () => {
    await page.getByRole("link", { name: "Cobradas" }).tap();
    await page.getByRole("button", { name: "Imprimir el recibo de Belkis" }).tap();
    await expect(page.getByText("Sale en Caja")).toBeVisible();
  });
  expect(taps).toBe(2);
  await expect.poll(() => textsOn(caja)).toHaveLength(2);
  expect(textsOn(caja)[1]).toMatch(/^COPIA 1 /);
});

test("a line that is on paper in the kitchen says so on its check [TOUCH-412]", async ({ open, restaurant }) => {
  await sendCheck(restaurant, "Carmela");
  await expect.poll(() => textsOn(cocina).some((lines) => lines.includes("Carmela"))).toBe(true);
  const page = await open({ name: "mesera-1", kind: "tablet" });
  await page.getByRole("link", { name: "Para llevar" }).tap();
  await page.getByRole("link", { name: /Carmela/ }).tap();
  await expect(page.locator(".line").first()).toContainText("en papel");
});

test("a failed print is one sentence at its terminal, with a button to print again [TOUCH-413]", async ({ open }) => {
  const page = await open({ name: "caja-2", login: "cashier" });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  const printAgain = page.getByRole("button", { name: "Imprimir el recibo de Belkis" });
  await expect(printAgain).toBeVisible();
  const before = textsOn(caja).length;
  caja.faults.after = { bytes: 200, fault: "reset" };
  await printAgain.tap();
  const strip = page.getByRole("region", { name: "Lo que no se imprimió" });
  await expect(strip).toContainText("Puede que el recibo de Belkis se imprimiera en Caja: mire el papel.");
  await strip.getByRole("button", { name: "Otra vez" }).tap();
  await expect(strip).toHaveCount(0);
  await expect.poll(() => textsOn(caja).length).toBe(before + 2);
  expect(textsOn(caja).at(-1)).toMatch(/^COPIA 3 /);
});

test("prints that wait for paper are shown last, and their notice cannot be dismissed [TOUCH-413]", async ({
  open,
}) => {
  const page = await open({ name: "caja-3", login: "cashier", kind: "tablet" });
  cocina.faults.paper = "out";
  await page.getByRole("link", { name: "Para llevar" }).tap();
  await page.getByRole("link", { name: "Nueva para llevar" }).tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: /^Enviar/ }).tap();
  const strip = page.getByRole("region", { name: "Lo que no se imprimió" });
  await expect(strip).toContainText("Cocina espera: le falta papel.");
  await expect(strip.getByRole("button")).toHaveCount(0);
  await page.getByRole("link", { name: "Cobradas" }).tap();
  caja.faults.after = { bytes: 200, fault: "reset" };
  await page.getByRole("button", { name: "Imprimir el recibo de Belkis" }).tap();
  await expect(strip).toContainText("Puede que el recibo de Belkis se imprimiera en Caja: mire el papel.");
  await expect(strip).toContainText("y 1 más");
  await strip.getByRole("button", { name: "Descartar" }).tap();
  await expect(strip).toContainText("Cocina espera: le falta papel.");
  caja.faults.isCoverOpen = true;
  await page.getByRole("button", { name: "Imprimir el recibo de Belkis" }).tap();
  await expect(strip.getByRole("status")).toHaveText(
    "Cocina espera: le falta papel. Caja espera: tiene la tapa abierta.",
  );
  caja.mend();
  await expect(strip.getByRole("status")).toHaveText("Cocina espera: le falta papel.");
  cocina.mend();
  await expect(strip).toHaveCount(0);
  // On a slow machine, tickets of the tests before have waited so long that they are printed as well.
  await expect.poll(() => textsOn(cocina).filter((text) => text.includes("Quipes de res"))).toHaveLength(1);
});

test("a drawer that was not opened in time is reported as such, with nothing to print again [TOUCH-413]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "caja-4", login: "cashier" });
  await manage(restaurant, "PATCH", "/printers/caja", { drawer: true });
  await sendCheck(restaurant, "Ramona");
  caja.faults.paper = "out";
  await page.getByRole("link", { name: "Para llevar" }).tap();
  await page.getByRole("link", { name: /Ramona/ }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: "Cobrado RD$354.00" })).toBeVisible();
  const strip = page.getByRole("region", { name: "Lo que no se imprimió" });
  await expect(strip).toContainText("La gaveta no se abrió a tiempo: ábrala con su llave.");
  await expect(strip.getByRole("button", { name: "Otra vez" })).toHaveCount(0);
  await strip.getByRole("button", { name: "Descartar" }).tap();
  await expect(strip.getByRole("status")).toHaveText("Caja espera: le falta papel.");
  const before = textsOn(caja).length;
  caja.mend();
  await expect(strip).toHaveCount(0);
  await expect.poll(() => textsOn(caja).slice(before)).toEqual([expect.stringContaining("Ramona")]);
  expect(caja.papers().at(-1)?.pulses).toBe(0);
});

test("one tap prints on the new printer what waited for the one it replaced [PRINT-333]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "caja-5", login: "cashier" });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  caja.faults.isCoverOpen = true;
  await page.getByRole("button", { name: "Imprimir el recibo de Belkis" }).tap();
  const strip = page.getByRole("region", { name: "Lo que no se imprimió" });
  await expect(strip.getByRole("status")).toHaveText("Caja espera: tiene la tapa abierta.");
  await manage(restaurant, "DELETE", "/printers/caja", undefined);
  await expect(strip.getByRole("status")).toHaveText("No se imprimió el recibo de Belkis: se quitó su impresora.");
  caja.mend();
  await manage(restaurant, "POST", "/printers", { id: "barra", name: "Barra", address: caja.address });
  await manage(restaurant, "PUT", "/print-routes", { stations: {}, terminals: {}, receipts: "barra" });
  const before = textsOn(caja).length;
  await strip.getByRole("button", { name: "Otra vez" }).tap();
  await expect(strip).toHaveCount(0);
  await expect.poll(() => textsOn(caja).slice(before)).toEqual([expect.stringContaining("Belkis")]);
});

test("one tap dismisses all failed prints of one printer with the same reason [TOUCH-413]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "caja-6", login: "cashier" });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  caja.faults.isCoverOpen = true;
  for (const guest of ["Belkis", "Ramona"]) {
    const printResponse = page.waitForResponse(/\/terminal\/v1\/print$/u);
    await page.getByRole("button", { name: `Imprimir el recibo de ${guest}` }).tap();
    await printResponse;
  }
  const strip = page.getByRole("region", { name: "Lo que no se imprimió" });
  const before = textsOn(caja).length;
  await manage(restaurant, "DELETE", "/printers/barra", undefined);
  await expect(strip).toContainText("y 1 más");
  await strip.getByRole("button", { name: "Descartar 2 iguales" }).tap();
  await expect(strip).toHaveCount(0);
  caja.mend();
  expect(textsOn(caja).length).toBe(before);
});

test("the list of paid checks on screen becomes that of the next POS session [TOUCH-86]", async ({
  open,
  restaurant,
}) => {
  await pay(await sendCheck(restaurant, "Milagros"));
  const page = await open({ name: "caja-sesion", login: "cashier" });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  const paid = page.getByRole("button", { name: "Imprimir el recibo de Milagros" });
  await expect(paid).toBeVisible();
  for (const isOpen of [false, true]) await control(restaurant, "/session", { open: isOpen });
  await expect(paid).toHaveCount(0);
});
