import AxeBuilder from "@axe-core/playwright";
import { serveDinner } from "../screens/dinner.ts";
import { allTouchScreens } from "./all-touch-screens.ts";
import { HUB_NAME } from "./hub-name.ts";
import { expect, test as base, type RestaurantOf } from "./touch-test.ts";

const test = base.extend<object, { restaurantOf: RestaurantOf }>({
  restaurantOf: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures wanted from this pattern
    async ({}, use) => {
      const dinner = await serveDinner({ allowedHosts: HUB_NAME });
      await use(() => Promise.resolve(dinner.restaurant));
      await dinner.close();
    },
    { scope: "worker" },
  ],
});

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
