import { readFile } from "node:fs/promises";
import type { ClosingReport, OrderDetail, OrderPage, SalesReport, Snapshot } from "@comanda/protocol";
import { discountCheck } from "@comanda/terminal";
import type { Page } from "@playwright/test";
import { newOrder } from "../../support/orders.ts";
import type { Dinner } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

const sizes = [
  { width: 1366, height: 768 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

/** Sums the paid checks' amounts independently of the product, in cents. */
async function countedByHand({ operator }: Dinner) {
  const paid: Snapshot[] = [];
  const { orders } = await operator.get<OrderPage>("/operator/v1/orders?status=paid&limit=200");
  for (const { posReference } of orders) {
    const { order } = await operator.get<OrderDetail>(`/operator/v1/orders/${encodeURIComponent(posReference)}`);
    paid.push(order.snapshot);
  }
  const cents = (amount: number) => Math.round(amount * 100);
  const add = (amounts: number[]) => amounts.reduce((all, amount) => all + cents(amount), 0);
  const charged = paid.flatMap(({ lines }) => lines.filter(({ voided }) => voided !== true));
  return {
    checks: paid.length,
    sold: add(paid.map(({ totals }) => totals.total)),
    taxed: add(charged.map(({ taxAmount = 0 }) => taxAmount)),
    tips: add(paid.flatMap(({ payments = [] }) => payments.map((payment) => Number(payment["tip"] ?? 0)))),
  };
}

const money = (cents: number) =>
  `RD$${(cents / 100).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const centsOf = (text: string) => Math.round(Number(text.replace(/[^\d.-]/g, "")) * 100);

/** Returns the amounts (cents) in the last column of a panel's table. */
async function amountsIn(page: Page, panel: string): Promise<number[]> {
  const cells = page.getByRole("region", { name: panel }).locator("tbody tr td:last-child");
  return (await cells.allInnerTexts()).map(centsOf);
}

/** Returns the number in a tile. */
const tile = (page: Page, name: string) =>
  page.locator(".tile", { has: page.getByText(name, { exact: true }) }).locator(".tile-value");

const sumOf = (cents: number[]) => cents.reduce((all, each) => all + each, 0);

test("the sales page shows the same totals as the closing and as a count by hand [UI-404]", async ({
  open,
  dinner,
  page,
}) => {
  const { checks, sold, taxed, tips } = await countedByHand(dinner);
  const { totals } = await dinner.operator.get<ClosingReport>("/operator/v1/closing");
  expect([totals.paidOrders, Math.round(totals.paidAmount * 100)]).toEqual([checks, sold]);
  const back = Math.round((totals.refunds?.amount ?? 0) * 100);
  await open("/today");
  await expect(tile(page, "Sales")).toHaveText(money(sold - back));
  await expect(tile(page, "Paid checks")).toHaveText(String(checks));
  await expect(tile(page, "Voluntary tips")).toHaveText(money(tips));
  for (const panel of ["By waiter", "Dishes and drinks"]) expect(sumOf(await amountsIn(page, panel))).toBe(sold - back);
  const bars = await page.locator(".hour-bar .num").allInnerTexts();
  expect(sumOf(bars.map(centsOf))).toBe(sold - back);
  const part = (name: string) => page.locator(".sold-parts tr", { hasText: name }).locator("td").innerText();
  expect(centsOf(await part("Net sales"))).toBe(sold - taxed);
  expect(centsOf(await part("ITBIS")) + centsOf(await part("Propina legal"))).toBe(taxed);

  await open("/back-office/closing");
  await expect(page.locator(".big-number")).toHaveText(money(sold - back));
});

test("the sales page shows a new payment within seconds [UI-404]", async ({ open, dinner, page }) => {
  await open("/today");
  const checks = tile(page, "Paid checks");
  const before = Number(await checks.innerText());
  const { cashier } = dinner;
  cashier.openOrder(newOrder("POS/2026/00404", [line("l1", "sancocho")]));
  await cashier.idle();
  const total = cashier.order("POS/2026/00404")?.snapshot.totals.total ?? 0;
  cashier.pay("POS/2026/00404", { payments: [{ methodId: 1, amount: total }] });
  await cashier.idle();
  await expect(checks).toHaveText(String(before + 1), { timeout: 15_000 });
});

test("the sales page opens any day by its address, by previous and next day, and by date [UI-480]", async ({
  open,
  dinner,
  page,
}) => {
  const { today, totals } = await dinner.operator.get<SalesReport>("/operator/v1/sales");
  await open(`/today/${today}`);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toContainText("Sales of");
  await expect(tile(page, "Paid checks")).toHaveText(String(totals.paidOrders));
  const date = page.getByRole("textbox", { name: "Day" });
  await expect(date).toHaveValue(today);
  await expect(page.getByRole("button", { name: "Next day" })).toBeDisabled();

  await page.getByRole("button", { name: "Previous day" }).click();
  await expect(page.getByText("No sales that day")).toBeVisible();
  await expect(date).not.toHaveValue(today);
  await page.getByRole("button", { name: "Next day" }).click();
  await expect(tile(page, "Paid checks")).toHaveText(String(totals.paidOrders));
  await date.fill("2026-01-31");
  await expect(page).toHaveURL(/#\/today\/2026-01-31$/);
  await expect(heading).toHaveText("Sales of Saturday, January 31, 2026");
  await page.getByRole("button", { name: "Since opening" }).click();
  await expect(page).toHaveURL(/#\/today$/);
  await expect(heading).toHaveText("Sales");
});

test("the sales page sums voids by reason and person, and names who allowed voids and comps [OP-472] [OP-624]", async ({
  open,
  dinner,
  page,
}) => {
  const { cashier } = dinner;
  const off = (id: string, product: "mojito" | "flan", voidReason: string, more = {}) =>
    line(id, product, 1, { voided: true, voidReason, ...more });
  const lines = [
    line("l1", "sancocho"),
    off("l2", "mojito", "Se cayó"),
    off("l3", "flan", "Se cayó"),
    off("l4", "flan", "No le gustó"),
    off("l5", "flan", "Cumpleaños", { comp: true }),
  ];
  cashier.openOrder({ ...newOrder("POS/2026/00405", lines), staffName: "Yudelka Reyes" });
  await cashier.idle();
  cashier.editOrder("POS/2026/00405", (content) => discountCheck(content, { percent: 10 }, "Empleado"));
  await cashier.idle();
  cashier.pay("POS/2026/00405", {
    payments: [{ methodId: 1, amount: cashier.order("POS/2026/00405")?.snapshot.totals.total ?? 0 }],
  });
  await cashier.idle();
  await open("/today");
  const voids = page.getByRole("region", { name: "Voids" });
  await expect(voids.getByRole("row", { name: /^Se cayó 2 RD\$/ })).toBeVisible();
  await expect(voids.getByRole("row", { name: /^No le gustó 1 RD\$/ })).toBeVisible();
  const allower = String(cashier.signedIn()?.user.name);
  const sales = await dinner.operator.get<SalesReport>("/operator/v1/sales");
  const allowedVoids = sales.voids.largest.filter(({ by, staffName }) => (by ?? staffName) === allower);
  expect(allowedVoids.length).toBeGreaterThanOrEqual(3);
  const amount = money(sumOf(allowedVoids.map((each) => Math.round(each.amount * 100))));
  await expect(
    voids.getByRole("row", { name: `${allower} ${allowedVoids.length} ${amount}`, exact: true }),
  ).toBeVisible();
  // The check's owner did not allow these voids, so they are not added up under that name.
  await expect(voids.getByRole("rowheader", { name: "Yudelka Reyes" })).toHaveCount(0);
  const allowed = `Yudelka Reyes · allowed by ${allower}`;
  await expect(voids.getByRole("row", { name: /No le gustó/ }).last()).toContainText(allowed);
  await expect(page.getByRole("region", { name: "Comps" })).toContainText("Cumpleaños");
  await expect(page.getByRole("region", { name: "Comps" })).toContainText(allowed);
  await expect(page.getByRole("region", { name: "Discounts" })).toContainText("Empleado");
});

test("the sales page says when a day is no longer stored, or only in part [UI-480]", async ({ open, dinner, page }) => {
  const { today } = await dinner.operator.get<SalesReport>("/operator/v1/sales");
  let keptSince = "";
  await page.route(/sales\?day=/, async (call) => {
    const response = await call.fetch();
    const report = (await response.json()) as SalesReport;
    await call.fulfill({ response, json: { ...report, keptSince: keptSince || report.until } });
  });
  await open("/today/2026-01-31");
  await expect(page.getByText("The sales of that day are not kept any more")).toBeVisible();
  keptSince = new Date().toISOString();
  await page.goto(`/#/today/${today}`);
  await expect(page.getByText(/^Of that day only what was sold since .* is left/)).toBeVisible();
  await expect(tile(page, "Sales")).toBeVisible();
});

test("sales of a week or month are listed by day, and each day links to its own page [UI-530]", async ({
  open,
  dinner,
}) => {
  const { today, totals } = await dinner.operator.get<SalesReport>("/operator/v1/sales");
  const page = await open(`/today/${today}`);
  const kinds = page.getByRole("radiogroup", { name: "Which days" });
  await kinds.getByText("Week", { exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Sales of the week of / })).toBeVisible();
  await expect(tile(page, "Paid checks")).toContainText(String(totals.paidOrders));
  await expect(page.getByRole("heading", { name: "By hour" })).toHaveCount(0);
  await kinds.getByText("Month", { exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/today/month-${today.slice(0, 7)}-01$`));
  await expect(page.getByRole("heading", { level: 1, name: /^Sales of [A-Z][a-z]+ \d{4}$/ })).toBeVisible();
  const days = page.getByRole("region", { name: "By day" }).getByRole("row");
  // One row for each day until today, and the header.
  await expect(days).toHaveCount(Number(today.slice(8)) + 1);
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  expect(await seriousIssues(page)).toEqual([]);
  await days.last().getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/today/${today}$`));
  await expect(page.getByRole("heading", { name: "By hour" })).toBeVisible();
  await page.goto(`/#/today/month-${today}`);
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByText("No sales in these days")).toBeVisible();
});

test("sales are saved as CSV with the amounts on the screen and printed without the controls [UI-481]", async ({
  open,
  dinner,
  page,
}) => {
  const { today, totals } = await dinner.operator.get<SalesReport>("/operator/v1/sales");
  await open(`/today/${today}`);
  await expect(page.getByRole("heading", { name: "By waiter" })).toBeVisible();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`sales-${today}.csv`);
  const rows = (await readFile(await file.path(), "utf8")).split("\r\n");
  const from = rows.indexOf("Waiter,Paid checks,Guests,Amount,Given back,Left,Voluntary tips");
  const waiters = rows.slice(from + 1, rows.indexOf("", from)).map((row) => row.split(",").map(Number));
  expect(sumOf(waiters.map((row) => Math.round((row[3] ?? 0) * 100)))).toBe(Math.round(totals.paidAmount * 100));

  await page.emulateMedia({ media: "print" });
  for (const name of ["Save CSV", "Previous day"]) await expect(page.getByRole("button", { name })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("the closing page lists net sales, each tax and the legal tip separately [UI-406]", async ({ open, page }) => {
  await open("/back-office/closing");
  const parts = page.getByRole("region", { name: "Taxes and legal tip apart" });
  for (const name of ["Net sales, without taxes", "ITBIS 18 %", "Propina legal 10 %", "Sales RD"]) {
    await expect(parts.getByRole("row", { name: new RegExp(`^${name}`) })).toContainText("RD$");
  }
});

for (const { width, height } of sizes) {
  for (const theme of ["light", "dark"] as const) {
    test(`the sales page fits ${width} px in the ${theme} theme without a serious accessibility issue [UI-404]`, async ({
      open,
      dinner,
      page,
    }) => {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      const { today } = await dinner.operator.get<SalesReport>("/operator/v1/sales");
      await open(theme === "light" ? "/today" : `/today/${today}`);
      await expect(page.getByRole("heading", { name: "By waiter" })).toBeVisible();
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
      expect(await seriousIssues(page)).toEqual([]);
    });
  }
}

test("a refund is deducted from its payment method on the sales page as at the closing [UI-404]", async ({
  open,
  dinner,
}) => {
  const order = encodeURIComponent("POS/2026/00011");
  const { total } = (await dinner.operator.get<OrderDetail>(`/operator/v1/orders/${order}`)).order.snapshot.totals;
  await dinner.operator.post(`/operator/v1/orders/${order}/refunds`, {
    refundId: crypto.randomUUID(),
    reason: "Estaba frío",
    refund: [{ methodId: 1, amount: total }],
  });
  const { totals } = await dinner.operator.get<ClosingReport>("/operator/v1/closing");
  const netAmounts = totals.byMethod.map(
    ({ amount, refunded = 0 }) => Math.round(amount * 100) - Math.round(refunded * 100),
  );
  expect(sumOf(netAmounts)).toBe(Math.round(totals.paidAmount * 100) - Math.round(total * 100));
  const page = await open("/today");
  await expect.poll(() => amountsIn(page, "By payment method")).toEqual(netAmounts);
});
