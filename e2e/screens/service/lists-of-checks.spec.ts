import { expect, test } from "../support/screen-test.ts";

// Other specs settle the checks that wait for their number.
test.use({ locale: "en-US", ownDinner: "lists" });

test("lists of checks show the table first, then the reference [UI-450]", async ({ open }) => {
  const page = await open("/back-office");
  await expect(page.getByRole("row", { name: /^Terraza 8 POS\/2026\/00016/ })).toBeVisible();
  await page.goto("/#/back-office/attention");
  await expect(page.getByRole("row", { name: /^Mesa 4 POS\/2026\/00008/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^Mesa 8 POS\/2026\/00010/ })).toBeVisible();
  await page.goto("/#/back-office/fiscal");
  await expect(page.getByRole("row", { name: /^Terraza 8 POS\/2026\/00016/ })).toBeVisible();
  await page.goto("/#/terminals");
  await expect(page.getByRole("row", { name: /tablet-1/ })).toContainText("Mesa 1 POS/2026/00001");
  await page.goto("/#/today");
  const voids = page.getByRole("region", { name: "Voids" });
  await expect(voids.getByRole("row", { name: /^\S.* POS\/2026\/00011 1 × Mojito/ })).toBeVisible();
});

test("the closing page lists open checks in the order of their tables [UI-450]", async ({ open }) => {
  const page = await open("/back-office/closing");
  const checks = page.getByRole("listitem").filter({ hasText: /^Open checks/ });
  await expect(checks.getByRole("link").first()).toBeVisible();
  const names = await checks.getByRole("link").allInnerTexts();
  expect(names.length).toBeGreaterThan(5);
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })));
});

test("a check shows each tax and the legal tip by name [UI-451]", async ({ open }) => {
  const page = await open("/orders/POS%2F2026%2F00002");
  const sums = page.locator(".order-lines tfoot");
  await expect(sums.getByText("ITBIS 18 %")).toBeVisible();
  await expect(sums.getByText("Propina legal 10 %")).toBeVisible();
  // ITBIS and legal tip of 1,800: 324 and 180.
  await expect(sums).toContainText("RD$324.00");
  await expect(sums).toContainText("RD$180.00");
});
