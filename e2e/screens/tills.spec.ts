import { online } from "../support/restaurant.ts";
import { expect, seriousIssues, test } from "./screen-test.ts";

test.use({ ownDinner: "tills" });

const sizes = [
  { width: 1366, height: 768 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];

test("[TILL-50] a manager adds a till, and sees its shift, its report and what has none", async ({ open, dinner }) => {
  const page = await open("/tills/tills");
  await page.getByRole("button", { name: "Add a till" }).click();
  await page.getByLabel("Name").fill("Barra");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("cell", { name: "Barra", exact: true })).toBeVisible();
  const { tills } = await dinner.operator.get<{ tills: { id: string }[] }>("/operator/v1/tills");
  const tillId = tills[0]?.id ?? "";

  const { cashier } = dinner;
  await online(cashier);
  await expect.poll(() => cashier.tills()).toHaveLength(1);
  const { shiftId } = cashier.openShift(tillId, 1_000);
  cashier.moveCash({ shiftId, kind: "drop", amount: 300, reason: "Caja fuerte" });
  cashier.countShift({ shiftId, counted: [{ methodId: 1, amount: 690 }] });
  await cashier.idle();

  await page.getByRole("tab", { name: "Shifts" }).click();
  await page.getByRole("button", { name: /^Show the shift of/ }).click();
  await expect(page.getByRole("heading", { name: "Close of Barra (Z)" })).toBeVisible();
  const methods = page.getByRole("region", { name: "Money by method" });
  await expect(methods).toContainText("RD$690.00");
  await expect(methods).toContainText("-RD$10.00");
  await expect(page.getByRole("region", { name: "Moves" })).toContainText("Caja fuerte");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Barra-.*\.csv$/);
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (process.env["PICTURES"] !== undefined)
      await page.screenshot({ path: `${process.env["PICTURES"]}/report-${size.width}.png`, fullPage: true });
  }
  await page.getByRole("button", { name: "Back to the shifts" }).click();
  await page.getByRole("tab", { name: "No shift" }).click();
  await expect(page.getByRole("region", { name: "Money of no shift" }).locator("tbody tr").first()).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  if (process.env["PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["PICTURES"]}/none-390.png` });
  await page.getByRole("tab", { name: "Tips" }).click();
  await expect(page.getByRole("region", { name: "Tips of the day" })).toBeVisible();
});
