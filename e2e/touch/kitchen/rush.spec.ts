import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const TICKETS = 40;

test("[TOUCH-604] of forty tickets only those on the screen are drawn, and all of them can be found", async ({
  restaurant,
  open,
}) => {
  const waiter = await restaurant.terminal("mesero-cocina");
  await online(waiter);
  for (let n = 1; n <= TICKETS; n += 1) {
    waiter.openOrder(newOrder(`R-${n}`, [line("a", "mofongo", n), line("b", "chivo", 1)], 61), {
      additionalCheck: true,
    });
    waiter.sendToKitchen(`R-${n}`);
    // One after the other: of two that were sent at the same moment either may stand first.
    await waiter.idle();
  }
  const page = await open({ name: "cocina-llena", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/kitchen"));
  const tickets = page.getByRole("article");
  await expect(tickets).toHaveCount(TICKETS);
  const isDrawn = (place: number) =>
    tickets
      .nth(place)
      .getByRole("button", { name: "Todo listo" })
      .evaluate((button) => button.checkVisibility({ contentVisibilityAuto: true }));
  await expect.poll(() => isDrawn(0)).toBe(true);
  await expect.poll(() => isDrawn(TICKETS - 1)).toBe(false);

  await tickets
    .last()
    .getByRole("button", { name: `${TICKETS} Mofongo de camarones: por partes` })
    .tap();
  await page.getByRole("dialog").getByRole("button", { name: "3", exact: true }).tap();
  await expect(tickets.last().getByText(`3 de ${TICKETS} listos`)).toBeVisible();
  await expect.poll(() => isDrawn(TICKETS - 1)).toBe(true);
  await expect.poll(() => isDrawn(0)).toBe(false);
});
