import { readFileSync } from "node:fs";
import type { ClosingReport } from "@comanda/protocol";
import { payWithoutNumber } from "../support/dinner.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

const sizes = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
];

test("the closing page shows one amount missing from accounting, and what terminals have not sent [UI-215] [UI-216]", async ({
  open,
  dinner,
  page,
}) => {
  await payWithoutNumber(dinner, "POS/2026/00098", 40);
  const { totals } = await dinner.operator.get<ClosingReport>("/operator/v1/closing");
  expect(totals.notYetInAccounting).toBeGreaterThan(0);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await open("/back-office/closing");
    const unforwarded = page.getByRole("listitem").filter({ hasText: /^Paid checks not in accounting/ });
    const amount = await page.locator("dt", { hasText: "Not yet in accounting" }).locator("+ dd").innerText();
    await expect(unforwarded).toContainText(amount);
    await expect(unforwarded).not.toContainText("none");
    await expect(unforwarded).toContainText(
      /1 set aside by a manager \(RD\$1,638.40\), paid .* ago: the hub does not send it while it is set aside\. If you close like this, accounting lacks RD\$1,638.40\./,
    );
    await expect(unforwarded).toContainText("Lo revisa contabilidad mañana");
    await expect(unforwarded).toContainText(/\d got no number from the back-office .* not sent until you decide/);
    await expect(unforwarded.locator(`a[href$="${encodeURIComponent("POS/2026/00098")}"]`)).toBeVisible();
    await expect(page.getByText(/^tablet-7: 3 unsent changes, for .* · 1 payment of RD\$1,450.00/)).toBeVisible();
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    expect(await seriousIssues(page)).toEqual([]);
  }
});

test("the printed closing is one page with sales, what is missing and lines to sign [UI-217] [UI-406]", async ({
  open,
  page,
}) => {
  // The browser has no printer: the page gets the same event as from a real print.
  await page.addInitScript(() => {
    window.print = () => window.dispatchEvent(new Event("beforeprint"));
  });
  await open("/back-office/closing");
  const sheet = page.locator(".closing-sheet");
  await expect(page.getByText("Not yet.")).toBeVisible();
  await expect(sheet).toHaveCount(0);
  await page.getByRole("button", { name: "Print" }).click();
  await expect(sheet).toHaveCount(1);
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(sheet.getByRole("heading", { name: "La Terraza" })).toBeVisible();
  for (const phrase of [
    "Closing of the shift",
    "It cannot be closed yet: see below what is missing.",
    /Tarjeta/,
    "Propina legal 10 %",
    /Paid checks not in accounting: \d · RD\$/,
    /1 set aside by a manager/,
    /tablet-7: 3 unsent changes/,
    /Shifts that are not closed: /,
    /Receipts without their fiscal answer, or that are not right: \d/,
    /Handed over by: Marisol Peña/,
    "Received by:",
  ]) {
    await expect(sheet.getByText(phrase).first()).toBeVisible();
  }
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await expect(sheet).toHaveCount(0);
});

test("the closing is saved as one HTML file that loads nothing else [UI-217]", async ({ open, page, context }) => {
  await open("/back-office/closing");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as a page" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^closing-\d{4}-\d\d-\d\d-\d{4}\.html$/);
  const html = readFileSync(await download.path(), "utf8");
  expect(html).not.toMatch(/<script|<link|src=|url\(/i);
  const saved = await context.newPage();
  await saved.setContent(html);
  await expect(saved.getByRole("heading", { name: "La Terraza" })).toBeVisible();
  await expect(saved.getByText("Received by:")).toBeVisible();
  await expect(saved.locator("html")).toHaveAttribute("lang", "en");
});

test.describe("offline", () => {
  test.use({ refusalsExpected: true });

  test("the closing can be saved without a connection, as it was read last [UI-217]", async ({
    open,
    page,
    context,
  }) => {
    await open("/back-office/closing");
    await expect(page.getByText("Not yet.")).toBeVisible();
    await context.setOffline(true);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as a page" }).click(),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toContain("Received by:");
  });
});
