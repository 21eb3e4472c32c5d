import { layoutSettled } from "../../screens/support/layout.ts";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, hasAllScreens, test } from "../support/touch-test.ts";

const TICKETS = 40;

test("of forty tickets only those near the screen are drawn, and every one can be used [TOUCH-604]", async ({
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
    // One after the other, because checks sent at the same moment have no defined order.
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

  // What is drawn while it scrolls into view moves it once more.
  await tickets.last().scrollIntoViewIfNeeded();
  await layoutSettled(page);
  await tickets
    .last()
    .getByRole("button", { name: `${TICKETS} Mofongo de camarones: por partes` })
    .tap();
  await page.getByRole("dialog").getByRole("button", { name: "3", exact: true }).tap();
  await expect(tickets.last().getByText(`3 de ${TICKETS} listos`)).toBeVisible();
  await expect.poll(() => isDrawn(TICKETS - 1)).toBe(true);
  await expect.poll(() => isDrawn(0)).toBe(false);
});

test("a fetched sheet or screen is drawn with the tap that opens it, also the first time [TOUCH-648]", async ({
  restaurant,
  open,
}) => {
  const waiter = await restaurant.terminal("mesero-toque");
  await online(waiter);
  waiter.openOrder(newOrder("TOQUE-1", [line("a", "mofongo", 2)], 62));
  waiter.sendToKitchen("TOQUE-1");
  await waiter.idle();
  const page = await open({ name: "cocina-toque", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/kitchen"));
  const parts = page.getByRole("article").getByRole("button", { name: /: por partes$/ });
  await expect(parts.first()).toBeVisible();
  await hasAllScreens(page);
  const places = page.getByRole("navigation").first();
  for (const [opens, what] of [
    [parts.first(), "dialog .quantity-keys"],
    [page.getByRole("dialog").getByRole("button", { name: "Cerrar" }), ".kitchen"],
    [places.getByRole("link", { name: "Para llevar" }), ".takeaway"],
    [places.getByRole("link", { name: "Cobradas" }), ".recent"],
  ] as const) {
    const isThere = await opens.evaluate(async (key: HTMLElement, selector) => {
      key.click();
      // In the next turn no timer has fired yet.
      await new Promise((resolve) => setTimeout(resolve));
      return document.querySelector(selector) !== null;
    }, what);
    expect(isThere, what).toBe(true);
  }
});

test("the kitchen shows its tickets before the texts of other screens have loaded [TOUCH-170]", async ({
  restaurant,
  open,
}) => {
  const waiter = await restaurant.terminal("mesero-textos");
  await online(waiter);
  waiter.openOrder(newOrder("TEXTOS-1", [line("a", "mofongo", 1)], 63));
  waiter.sendToKitchen("TEXTOS-1");
  await waiter.idle();
  const page = await open({ name: "cocina-textos", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/kitchen"));
  await page.route(/\/others-[^/]+\.js$/, () => {});
  await page.reload();
  await expect(page.getByRole("article").first()).toBeVisible();
});

test("the parts of the frame that are rarely shown are fetched after the first screen [TOUCH-170]", async ({
  open,
}) => {
  const page = await open({ name: "cocina-marco", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/kitchen"));
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-parts", "fetched");
  const first = (name: string): number => requested.findIndex((url) => url.includes(`/assets/${name}-`));
  expect(first("kitchen-screen")).toBeGreaterThan(-1);
  expect(first("shell-parts")).toBeGreaterThan(first("kitchen-screen"));
  expect(first("others")).toBeGreaterThan(first("kitchen-screen"));
});
