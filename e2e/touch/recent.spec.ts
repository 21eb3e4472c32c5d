import { totalsOfLines } from "@comanda/terminal";
import { online, type Restaurant } from "../support/restaurant.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "./touch-test.ts";

/** A takeaway check, paid in cash with a fiscal number, with a line that was voided on it if wanted. */
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
  test(`[TOUCH-85] the receipt of a paid check is shown again with 2 taps (${kind})`, async ({ open, restaurant }) => {
    await payCheck(restaurant, `Doña Mercedes ${kind}`);
    const page = await open({ name: `caja-recibo-${kind}`, login: "cashier", kind });
    const nav = page.getByRole("link", { name: "Cobradas" });
    await expect(nav).toBeVisible();
    const taps = await tapsOf(page, async () => {
      await nav.tap();
      await page.getByRole("button", { name: new RegExp(`^Doña Mercedes ${kind}`) }).tap();
      await expect(page.getByRole("article", { name: "COPIA" })).toContainText(/NCF E32\d{10}/);
    });
    expect(taps).toBe(2);
    await expect(page.getByRole("article", { name: "COPIA" })).toContainText("TotalRD$354.00");
  });
}

test("[TOUCH-88] makes a credit note, and tells the back-office's refusal in words", async ({ open, restaurant }) => {
  await payCheck(restaurant, "Con anulado", { isVoided: true });
  await payCheck(restaurant, "Sin anulado");
  const page = await open({ name: "gerente-nota", login: "manager", kind: "tablet", refusalsExpected: true });
  await page.getByRole("link", { name: "Cobradas" }).tap();
  const ask = async (name: string) => {
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).tap();
    await page.getByRole("button", { name: "Nota de crédito" }).tap();
    await page.getByRole("button", { name: "Mantenga para hacer la nota" }).dispatchEvent("pointerdown");
  };
  await ask("Con anulado");
  await expect(page.getByText(/^Nota de crédito E34\d{10} por RD\$177\.00\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Cerrar" }).tap();
  await ask("Con anulado");
  await expect(page.getByText("Esta cuenta ya tiene una nota de crédito.")).toBeVisible();
  await page.getByRole("button", { name: "Cerrar" }).tap();
  await ask("Sin anulado");
  await expect(page.getByText("En esta cuenta no hay nada anulado que acreditar.")).toBeVisible();
});
