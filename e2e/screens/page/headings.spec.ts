import AxeBuilder from "@axe-core/playwright";
import { allScreens } from "../support/all-screens.ts";
import { expect, test } from "../support/screen-test.ts";

test("every screen has exactly one level-1 heading, signed in or not [UI-407]", async ({ open, page }) => {
  test.setTimeout(120_000);
  const nameless: string[] = [];
  const check = async (name: string) => {
    const hasAxe = await page.evaluate(() => "axe" in window);
    const { violations } = await new AxeBuilder(hasAxe ? { page, axeSource: ";" } : { page })
      .setLegacyMode()
      .withRules(["page-has-heading-one"])
      .analyze();
    const count = await page.locator("h1").count();
    if (violations.length > 0 || count !== 1) nameless.push(`${name}: ${count} headings`);
  };
  for (const { name, address, en } of allScreens) {
    await open(address);
    await expect(page.getByText(en).first()).toBeVisible();
    await check(name);
  }
  await page.evaluate(() => {
    sessionStorage.setItem("comanda-test-signed-in", "yes");
    sessionStorage.removeItem("comanda-session");
  });
  await page.reload();
  await page.goto("/#/orders");
  await expect(page.getByRole("button", { name: "Sign in", exact: true }).last()).toBeVisible();
  await check("the sign-in");
  await page.goto("/#/nowhere");
  await expect(page.getByText("This screen does not exist")).toBeVisible();
  await check("an address without a screen");
  expect(nameless).toEqual([]);
});
