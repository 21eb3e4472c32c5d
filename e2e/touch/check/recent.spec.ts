import { totalsOfLines } from "@comanda/terminal";
import { online, type Restaurant } from "../../support/restaurant.ts";
import type { Page } from "@playwright/test";
import { control } from "../support/control.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { enterPin, setPin } from "../support/people-acts.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "../support/touch-test.ts";

/** Pays a takeaway check in cash with a fiscal number, optionally with a voided line on it. */
async function payCheck(restaurant: Restaurant, customerName: string, { isVoided = false } = {}): Promise<string> {
  const terminal = await restaurant.terminal(`paga-${crypto.randomUUID().slice(0, 8)}`);
  await online(terminal);
  const posReference = `R-${crypto.randomUUID().slice(0, 8)}`;
  const dish = { quantity: 1, unitPrice: 150, total: 177, taxIds: ["1"], taxAmount: 27 };
  const lines = [
    { ...dish, id: "uno", productId: "104", name: "Yaniqueques" },
    {
      ...dish,
      id: "dos",
      productId: "104",
      name: "Yaniqueques",
      ...(isVoided && { voided: true, voidReason: "Frío" }),
    },
  ];
  const totals = totalsOfLines(lines);
  terminal.openOrder({ posReference, orderType: "takeout", tableId: null, customerName, lines, totals });
  terminal.pay(posReference, { payments: [{ methodId: 1, amount: totals.total }], fiscal: { type: "E32" } });
  await terminal.idle();
  await expect.poll(() => terminal.order(posReference)?.snapshot).toMatchObject({ status: "closed", ncf: /^E32/ });
  return posReference;
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`showing the receipt of a paid check again takes 2 taps (${kind}) [TOUCH-85]`, async ({ open, restaurant }) => {
    await payCheck(restaurant, `Doña Mercedes ${kind}`);
    const page = await open({ name: `caja-recibo-${kind}`, login: "cashier", kind });
    const nav = page.getByRole("link", { name: "Cobradas" });
    await expect(nav).toBeVisible();
    const taps = await tapsOf(page, async () => {
      await nav.tap();
      await page.getByRole("button", { name: new RegExp(`^Doña Mercedes ${kind}`) }).tap();
      await expect(page.getByRole("article", { name: "COPIA" })).toContainText(/NCF: E32\d{10}/);
    });
    expect(taps).toBe(2);
    await expect(page.getByRole("article", { name: "COPIA" })).toContainText("TOTALRD$354.00");
  });
}

const NOTE = /^Nota de crédito E34\d{10} por /;

async function openCheck(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).tap();
}

/** Holds a button until the caller releases it. */
async function startHolding(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name }).dispatchEvent("pointerdown");
}

test("a refund of one dish, then of the rest, shows the amount, method and note beforehand (390) [TOUCH-340, TOUCH-341, TOUCH-410, TOUCH-442]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Doña Nereida");
  // The restaurant has no printer, so print requests are refused.
  const page = await open({ name: "gerente-devuelve", login: "manager", kind: "phone", refusalsExpected: true });
  const other = await open({ name: "caja-mira", login: "cashier", kind: "tablet" });
  await other.getByRole("link", { name: "Cobradas" }).tap();
  await openCheck(page, "Doña Nereida");
  await page.getByRole("button", { name: "Devolver" }).tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Se devuelve RD$354.00: Efectivo");
  await expect(sheet).toContainText(/nota de crédito E34 sobre el comprobante E32\d{10}/);
  await expect(sheet).toContainText("A la cocina no se le avisa nada");
  const own = page.viewportSize();
  for (const [width, height] of [
    [360, 640],
    [820, 1180],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(sheet.getByRole("button", { name: /^Mantenga para devolver/ })).toBeInViewport({ ratio: 1 });
    await expect(sheet.getByText("Falta el motivo.")).toBeInViewport({ ratio: 1 });
    // Nothing may show through below the sheet's last row.
    const lowest = await sheet.evaluate((dialog) => {
      const { left, bottom } = dialog.getBoundingClientRect();
      return document.elementFromPoint(left + 60, bottom - 4)?.className;
    });
    expect(lowest).toMatch(/^(sheet-foot|sheet-body|sheet)$/);
  }
  await page.setViewportSize(own!);
  await sheet.getByRole("button", { name: "Uno menos: Yaniqueques" }).first().tap();
  await expect(sheet).toContainText("Se devuelve RD$177.00: Efectivo");
  await expect(sheet.getByRole("button", { name: "Mantenga para devolver RD$177.00" })).toBeDisabled();
  await expect(sheet).toContainText("Falta el motivo.");
  await sheet.getByRole("button", { name: "No le gustó" }).tap();
  await startHolding(page, "Mantenga para devolver RD$177.00");
  await expect(sheet.getByText(NOTE)).toContainText("por RD$177.00.");
  await expect(sheet).toContainText("Devuelva RD$177.00: Efectivo");
  await sheet.getByRole("button", { name: "Listo" }).tap();

  const row = other.getByRole("button", { name: /^Doña Nereida/ });
  await expect(row).toContainText("Devuelto RD$177.00");
  await page.getByRole("button", { name: "Devolver" }).tap();
  await expect(sheet).toContainText("Se devuelve RD$177.00: Efectivo");
  await sheet.getByRole("button", { name: "Error nuestro" }).tap();
  await startHolding(page, "Mantenga para devolver RD$177.00");
  await expect(sheet.getByText(NOTE)).toBeVisible();
  await sheet.getByRole("button", { name: "Listo" }).tap();
  await expect(page.getByRole("button", { name: "Todo devuelto" })).toBeDisabled();
  const refunds = page.getByRole("list", { name: "Devoluciones" }).getByRole("listitem");
  await expect(refunds).toHaveCount(2);
  await expect(row).toContainText("Devuelto RD$354.00");
  const refundIds = new Set<unknown>();
  for (const nth of [0, 1]) {
    const request = page.waitForRequest((each) => each.method() === "POST" && each.url().includes("print"));
    await refunds.nth(nth).getByRole("button", { name: "Imprimir la nota de crédito" }).tap();
    const body = (await request).postDataJSON() as { document?: string; refundId?: string };
    expect(body).toMatchObject({ document: "credit-note", refundId: expect.any(String) });
    await expect(page.locator(".notices")).toContainText("No hay impresora para la nota de crédito.");
    refundIds.add(body.refundId);
  }
  expect(refundIds.size).toBe(2);
});

test("a cashier refunds with a manager's PIN, and a manager who may not refund is not listed [TOUCH-88] [TOUCH-140]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Don Fermín");
  await setPin(restaurant, "manager", "471199");
  await setPin(restaurant, "clerk", "889900");
  const page = await open({
    name: "caja-devuelve",
    login: "cashier",
    kind: "phone",
    managerWasHere: true,
  });
  await openCheck(page, "Don Fermín");
  await page.getByRole("button", { name: "Devolver" }).tap();
  await page.getByRole("button", { name: "Se cobró de más" }).tap();
  await startHolding(page, "Mantenga para devolver RD$354.00");
  // A manager without the permission must not be listed.
  await expect(page.getByRole("dialog").getByRole("button", { name: /Marisol Peña/ })).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("button", { name: /Clara Rosario/ })).toHaveCount(0);
  await enterPin(page, /Marisol Peña/, "471199");
  await expect(page.getByText(NOTE)).toBeVisible();
  await page.getByRole("button", { name: "Listo" }).tap();
  await expect(page.getByRole("list", { name: "Devoluciones" })).toContainText(
    "Carlos Jiménez, autorizó Marisol Peña · Se cobró de más",
  );
});

test("a refund without an answer warns not to hand over money, and can be retried after a reload [TOUCH-342]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Doña Tatica");
  const page = await open({ name: "gerente-duda", login: "manager", kind: "phone", refusalsExpected: true });
  await openCheck(page, "Doña Tatica");
  await page.getByRole("button", { name: "Devolver" }).tap();
  await page.getByRole("button", { name: "Error nuestro" }).tap();
  const fault = { path: "/pos-api/v1/orders/credit-note", action: "drop-after", times: 1 };
  await control(restaurant, "/faults", { faults: [fault] });
  await startHolding(page, "Mantenga para devolver RD$354.00");
  await expect(page.getByText(/No devuelva el dinero todavía/)).toBeVisible();
  await page.reload();
  await openCheck(page, "Doña Tatica");
  await expect(page.getByText("Devolución sin confirmar: RD$354.00")).toBeVisible();
  await expect(page.getByRole("button", { name: "Devolver", exact: true })).toBeDisabled();
  await page.getByRole("button", { name: "Preguntar otra vez" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Preguntar otra vez" }).tap();
  await expect(page.getByText(NOTE)).toBeVisible();
  const { numbers } = await restaurant.stub<{ numbers: { type: string; ncf: string }[] }>("/stub/v1/ncf");
  await page.getByRole("button", { name: "Listo" }).tap();
  const list = page.getByRole("list", { name: "Devoluciones" });
  const last = numbers.filter(({ type }) => type === "E34").at(-1)?.ncf ?? "";
  await expect(list).toContainText(last);
  await expect(list.getByRole("listitem")).toHaveCount(1);
});

test("a refund whose answer was lost is reported as made as soon as the check shows it [TOUCH-342]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Doña Mencía");
  const page = await open({ name: "gerente-perdida", login: "manager", kind: "phone", refusalsExpected: true });
  await page.route("**/terminal/v1/refunds", async (route) => {
    await route.fetch({ url: route.request().url().replace(HUB_NAME, "127.0.0.1") });
    await route.abort();
  });
  await openCheck(page, "Doña Mencía");
  await page.getByRole("button", { name: "Devolver" }).tap();
  await page.getByRole("button", { name: "Error nuestro" }).tap();
  await startHolding(page, "Mantenga para devolver RD$354.00");
  await expect(page.getByRole("dialog").getByText(NOTE)).toBeVisible();
  await expect(page.getByText(/No devuelva el dinero todavía/)).toHaveCount(0);
});

test("a refund stays in doubt when the person who retries it cancels at the PIN or is refused [TOUCH-342]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Doña Ercilia");
  await setPin(restaurant, "manager", "471199");
  const page = await open({
    name: "caja-duda",
    login: "cashier",
    kind: "phone",
    managerWasHere: true,
    refusalsExpected: true,
  });
  const note = { path: "/pos-api/v1/orders/credit-note", times: 1 };
  const sheet = page.getByRole("dialog", { name: "Devolver" });
  const doubtNotice = sheet.getByText(/No devuelva el dinero todavía/);
  const retry = sheet.getByRole("button", { name: "Preguntar otra vez" });
  await openCheck(page, "Doña Ercilia");
  await page.getByRole("button", { name: "Devolver" }).tap();
  await page.getByRole("button", { name: "Error nuestro" }).tap();
  await control(restaurant, "/faults", { faults: [{ ...note, action: "drop-after" }] });
  await startHolding(page, "Mantenga para devolver RD$354.00");
  await enterPin(page, /Marisol Peña/, "471199");
  await expect(doubtNotice).toBeVisible();

  await retry.tap();
  await page.getByRole("dialog", { name: "Autorizar" }).getByRole("button", { name: "Cerrar" }).tap();
  await expect(doubtNotice).toBeVisible();
  await expect(page.getByRole("button", { name: /^Mantenga para devolver/ })).toHaveCount(0);

  const body = { error: "not any more", errorCode: "FORBIDDEN" };
  await control(restaurant, "/faults", { faults: [{ ...note, action: "status", status: 403, body }] });
  await retry.tap();
  await enterPin(page, /Marisol Peña/, "471199");
  await expect(sheet).toContainText("Esa persona no tiene permiso para devolver.");
  await expect(sheet).not.toContainText("no se devolvió nada");
  await expect(doubtNotice).toBeVisible();

  await retry.tap();
  await enterPin(page, /Marisol Peña/, "471199");
  await expect(sheet.getByText(NOTE)).toBeVisible();
});

test("a refused refund gives its reason in words, and can be retried [TOUCH-343]", async ({ open, restaurant }) => {
  await payCheck(restaurant, "Don Chago");
  const page = await open({ name: "gerente-negada", login: "manager", kind: "tablet", refusalsExpected: true });
  await openCheck(page, "Don Chago");
  await control(restaurant, "/ncf", { type: "E34", remaining: 0 });
  await page.getByRole("button", { name: "Devolver" }).tap();
  await page.getByRole("button", { name: "Error nuestro" }).tap();
  await startHolding(page, "Mantenga para devolver RD$354.00");
  await expect(page.getByText("Se acabaron los comprobantes (NCF) de ese tipo.")).toBeVisible();
  await control(restaurant, "/ncf", { type: "E34", remaining: 500 });
  await page.getByRole("button", { name: "Volver", exact: true }).tap();
  await startHolding(page, "Mantenga para devolver RD$354.00");
  await expect(page.getByText(NOTE)).toBeVisible();
});

test("a refund offers only the whole check where the back-office cannot refund single lines, and says so [TOUCH-344]", async ({
  open,
  restaurant,
}) => {
  await payCheck(restaurant, "Con anulado", { isVoided: true });
  await payCheck(restaurant, "Sin anulado");
  await control(restaurant, "/quirks", { lacks: ["creditNotes"] });
  const page = await open({ name: "gerente-entera", login: "manager", kind: "tablet", refusalsExpected: true });
  const requestRefund = async (name: string, amount: string) => {
    await openCheck(page, name);
    await page.getByRole("button", { name: "Devolver" }).tap();
    await expect(page.getByText(/solo hace notas de crédito de la cuenta completa/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Uno menos/ })).toHaveCount(0);
    await page.getByRole("button", { name: "Error nuestro" }).tap();
    await startHolding(page, `Mantenga para devolver ${amount}`);
  };
  await expect
    .poll(async () => {
      const menu = new URL("/terminal/v1/menu", restaurant.hubUrl);
      const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
      return (await (await fetch(menu, { headers })).json()) as object;
    })
    .not.toHaveProperty("creditNotes");
  await page.reload();
  await requestRefund("Con anulado", "RD$177.00");
  await expect(page.getByText(NOTE)).toContainText("por RD$177.00.");
  await page.getByRole("button", { name: "Listo" }).tap();
  await requestRefund("Sin anulado", "RD$354.00");
  await expect(page.getByText(/solo hace notas de crédito de cuentas con algo anulado/)).toBeVisible();
  await control(restaurant, "/quirks", {});
});
