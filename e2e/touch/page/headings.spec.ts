import AxeBuilder from "@axe-core/playwright";
import { test } from "../support/dinner-test.ts";
import { allTouchScreens } from "../support/all-touch-screens.ts";
import { expect } from "../support/touch-test.ts";

test("[TOUCH-84] every screen has a heading that names it", async ({ open }) => {
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
