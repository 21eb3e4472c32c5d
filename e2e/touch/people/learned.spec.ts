import { DAY_MS } from "@comanda/protocol";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { storeSales } from "../../../hub/test/support/data/store-history.ts";
import { expect, test } from "../support/touch-test.ts";

// In a separate file, and so a separate restaurant, because these tests need a sales history.

/** Products of several categories, most sold first: fried plantain, two drinks, a dessert and more. */
const favourites = [129, 101, 130, 110, 102, 131, 120];

const table = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} `) });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const tilesOf = (page: Page) =>
  page.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => Number((tile as HTMLElement).dataset["product"])));

test("the order screen begins with the most-ordered dishes once there is a sales history [TOUCH-23] [TOUCH-24]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "mesero", refusalsExpected: true });
  await table(page, "Mesa 1").tap();
  await expect(tab(page, "Entradas")).toHaveAttribute("aria-selected", "true");
  await expect(tab(page, "Lo más pedido")).toHaveCount(0);

  await restaurant.killHub();
  const sold = Object.fromEntries(favourites.map((id, index) => [id, favourites.length - index]));
  const hours = Array.from({ length: 5 * 24 }, (_, hour) => Date.now() - 2 * DAY_MS - hour * 3_600_000);
  storeSales(
    join(restaurant.folder, "hub.sqlite"),
    hours.map((at) => ({ at, sold })),
  );
  await restaurant.startHub();
  const bar = await restaurant.terminal("barra");
  bar.start();
  await bar.setItemState({ productId: 101, state: "out" }).outcome;
  const learned = page.waitForResponse((response) => response.url().endsWith("/learned") && response.ok());
  await page.reload();
  await learned;
  await page.getByRole("link", { name: "Volver" }).tap();
  await table(page, "Mesa 1").tap();
  await expect(tab(page, "Lo más pedido")).toHaveAttribute("aria-selected", "true");
  expect(await tilesOf(page)).toEqual(favourites);
  await expect(page.locator('.tile[data-product="101"]')).toContainText("Agotado");

  // The tiles keep their order while a person works, even without the hub.
  await restaurant.killHub();
  await page.locator('.tile[data-product="130"]').tap();
  await expect(page.locator('.tile[data-product="130"] .tile-count')).toContainText("1");
  expect(await tilesOf(page)).toEqual(favourites);
  await page.getByRole("link", { name: "Volver" }).tap();
  await table(page, "Mesa 2").tap();
  await expect(tab(page, "Lo más pedido")).toHaveAttribute("aria-selected", "true");
  await tab(page, "Postres").tap();
  await expect(tab(page, "Lo más pedido")).toHaveAttribute("aria-selected", "false");
  await restaurant.startHub();
});
