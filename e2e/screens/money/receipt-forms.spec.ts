import type { FiscalRequest, OrderDetail, PrintJob } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { startFakePrinter } from "../../../hub/test/fake-printer/fake-printer.ts";
import { newOrder } from "../../support/orders.ts";
import type { Dinner } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "receipt-forms", refusalsExpected: true });

const json = { "Content-Type": "application/json" };

async function call({ restaurant, operator }: Dinner, method: string, path: string, body: unknown): Promise<void> {
  const headers = { ...json, Authorization: `Bearer ${operator.token}` };
  const answer = await fetch(`${restaurant.hubUrl}/operator/v1/${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

/** Sells a check whose electronic receipt gets a certain answer from the back-office, and prints the receipt. */
async function sell(
  { restaurant, operator, cashier }: Dinner,
  posReference: string,
  { fiscal = "signed", request = { type: "E32" } }: { fiscal?: string; request?: FiscalRequest },
): Promise<void> {
  const body = JSON.stringify({ fiscal, fiscalAfterMs: 0 });
  await restaurant.stub("/stub/v1/quirks", { method: "POST", headers: json, body });
  cashier.openOrder(newOrder(posReference, [line("l1", "tostones", 2), line("l2", "mojito"), line("l3", "mofongo")]));
  await cashier.idle();
  const total = cashier.order(posReference)?.snapshot.totals.total ?? 0;
  cashier.pay(posReference, { payments: [{ methodId: 1, amount: total }], fiscal: request });
  await cashier.idle();
  await operator.until<OrderDetail>(
    `/operator/v1/orders/${encodeURIComponent(posReference)}`,
    (detail) => detail.order.snapshot.status === "closed",
  );
  await operator.until<{ jobs: PrintJob[] }>(`/operator/v1/print-jobs?cause=receipt:${posReference}`, ({ jobs }) =>
    jobs.some(({ state }) => state === "printed"),
  );
}

/** Opens a document's preview; returns its text and its codes. */
async function preview(page: Page, posReference: string) {
  const row = page.getByRole("row").filter({ hasText: posReference }).first();
  await row.getByRole("button", { name: /^See how it comes out/ }).click();
  const paper = page.getByRole("region", { name: "As it comes out" });
  await expect(paper).toBeVisible();
  const printed = (await paper.innerText()).replaceAll(/\s+/g, " ");
  const codes = await paper.getByRole("img").count();
  expect(await seriousIssues(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(paper).toHaveCount(0);
  return { words: printed, codes };
}

test("the preview of every form of receipt shows its number, with a QR code once signed, at both widths [PRINT-161]", async ({
  open,
  dinner,
  page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 900, height: 1800 });
  const printer = await startFakePrinter();
  await call(dinner, "POST", "printers", { id: "caja", name: "Caja", address: printer.address });
  await call(dinner, "PUT", "print-routes", { stations: {}, terminals: {}, receipts: "caja" });
  const ref = (n: number): string => `POS/2026/0030${n}`;
  await sell(dinner, ref(0), {});
  await sell(dinner, ref(1), { request: { type: "E31", rnc: "131246789", name: "Ferretería Núñez, S.A." } });
  await sell(dinner, ref(2), { fiscal: "never" });
  await sell(dinner, ref(3), { fiscal: "rejected" });
  await sell(dinner, ref(4), { request: { type: "B02" } });
  await call(dinner, "POST", `orders/${encodeURIComponent(ref(0))}/refunds`, {
    refundId: crypto.randomUUID(),
    lines: [{ lineId: "l2", quantity: 1 }],
    reason: "Derramado",
    refund: [{ methodId: 1, amount: 448 }],
  });
  await call(dinner, "PATCH", "settings", { values: { HUB_FISCAL_CONTINGENCY: "true" } });
  await sell(dinner, ref(5), {});

  for (const width of [80, 58]) {
    await call(dinner, "PATCH", "printers/caja", { width });
    await open("/printers/jobs");
    await page.reload();
    const note = await preview(page, ref(0));
    expect(note.words).toMatch(/Nota de Crédito Electrónica e-NCF: E34\d{10}.*Código de Seguridad: \w{6}/);
    expect(note.codes).toBe(1);
    const taxpayer = await preview(page, ref(1));
    expect(taxpayer.words).toMatch(
      /Factura de Crédito Fiscal Electrónica.*RNC\/Cédula: 131246789.*Código de Seguridad/,
    );
    expect(taxpayer.codes).toBe(1);
    // One receipt waits for the tax office, the other was refused by it.
    for (const n of [2, 3]) {
      const { words, codes } = await preview(page, ref(n));
      expect(words).toMatch(/e-NCF: E32\d{10}.*Comprobante pendiente/);
      expect(codes).toBe(0);
    }
    expect((await preview(page, ref(4))).words).toMatch(/NCF: B02\d{8}/);
    expect((await preview(page, ref(5))).words).toMatch(/NCF: B02\d{8}/);
  }
  await printer.stop();
});
