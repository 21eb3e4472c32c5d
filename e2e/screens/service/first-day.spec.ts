import { expect, test } from "@playwright/test";
import { openRestaurant } from "../../support/restaurant.ts";

test("[UI-525] before the back-office was ever read the screens do not call the register closed", async ({ page }) => {
  const restaurant = await openRestaurant({ ERP_URL: "http://127.0.0.1:9" });
  await page.goto(`${restaurant.hubUrl}/#/`);
  const banner = page.getByRole("banner");
  await expect(banner.getByText("Register not read yet")).toBeVisible();
  await expect(banner.getByText("Register closed")).toHaveCount(0);
  await expect(page.getByText("not read from the back-office yet")).toBeVisible();
  await restaurant.close();
});
