import AxeBuilder from "@axe-core/playwright";
import { test } from "../support/dinner-test.ts";
import { allTouchScreens } from "../support/all-touch-screens.ts";
import { expect } from "../support/touch-test.ts";

test("every screen has a heading that names it [TOUCH-84]", async ({ open }) => {
  test.setTimeout(120_000);
  const page = await open({ name: "titulos", kind: "tablet" });
  const nameless: string[] = [];
  for (const { name, address, sign } of allTouchScreens) {
    await page.evaluate((hash) => (location.hash = hash), `#${address}`);
    await page.getByRole("main").getByText(sign).first().waitFor();
    const isThere = await page.evaluate(() => "axe" in window);
    const { violations } = await new AxeBuilder(isThere ? { page, axeSource: ";" } : { page })
      .setLegacyMode()
      .withRules(["page-has-heading-one"])
      .analyze();
    if (violations.length > 0) nameless.push(name);
  }
  expect(nameless).toEqual([]);
});

test("the next screen or sheet gets the focus when the focused element is gone [TOUCH-649]", async ({ open }) => {
  const page = await open({ name: "foco", managerWasHere: true });
  const enter = async (role: "button" | "link", name: string | RegExp) => {
    await page.getByRole(role, { name }).first().focus();
    await page.keyboard.press("Enter");
  };
  // A screen may have to be fetched at first: the focused element is hidden before it is removed.
  const fetched = Promise.withResolvers<void>();
  await page.route(/\/waiter-screens-[^/]+\.js$/, async (route) => {
    await fetched.promise;
    await route.continue();
  });
  await page.reload();
  await enter("link", /^Mesa 7/);
  fetched.resolve();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByRole("heading", { level: 1, name: "Mesa 7" })).toBeVisible();

  await enter("button", /^Trabaja/);
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "Más" }).press("Enter");
  await expect(sheet.getByRole("heading", { name: "Más" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Trabaja/ })).toBeFocused();

  await enter("link", "Cobradas");
  await expect(page.getByRole("link", { name: "Cobradas" })).toBeFocused();
  await enter("button", /^Altagracia Rosario/);
  await expect(page.getByRole("heading", { level: 1, name: "Altagracia Rosario" })).toBeFocused();
  await enter("button", "Volver a la lista");
  await expect(page.getByRole("region", { name: "Cuentas cobradas" })).toBeFocused();
});
