import { serveDinner } from "../../screens/support/dinner.ts";
import { HUB_NAME } from "./hub-name.ts";
import { setPin } from "./people-acts.ts";
import { test as base, type RestaurantOf } from "./touch-test.ts";

/** Uses the dinner of the screenshots: every screen has content, and every sheet can be opened. */
export const test = base.extend<object, { restaurantOf: RestaurantOf }>({
  restaurantOf: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures wanted from this pattern
    async ({}, use) => {
      const dinner = await serveDinner({ allowedHosts: HUB_NAME });
      await setPin(dinner.restaurant, "manager", "444444");
      await use(() => Promise.resolve(dinner.restaurant));
      await dinner.close();
    },
    { scope: "worker" },
  ],
});
