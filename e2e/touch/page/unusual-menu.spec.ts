import type { Menu } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { HUB_NAME } from "../support/hub-name.ts";
import { signInByForm } from "../support/people-acts.ts";
import { expect, test } from "../support/touch-test.ts";

/** Signs in at a new device, whose menu is the hub's as `change` makes it. */
async function signInWithMenu(page: Page, change: (menu: Menu) => Partial<Menu>): Promise<void> {
  await page.route("**/terminal/v1/menu", async (route) => {
    // The browser alone knows the hub by its name.
    const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
    const menu = (await (await route.fetch({ url })).json()) as Menu;
    await route.fulfill({ json: { ...menu, ...change(menu) } });
  });
  await signInByForm(page, "waiter");
}

test("[TOUCH-460] a menu without dishes says so, and speaks of a name only when one is searched", async ({ open }) => {
  const page = await open({ name: "menu-vacio", isNew: true });
  await signInWithMenu(page, () => ({ products: [], categories: [] }));
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await expect(page.locator(".tiles-hint")).toHaveText(/^El menú todavía no tiene platos\. /);
  await page.getByRole("searchbox", { name: "Buscar plato" }).fill("mofongo");
  await expect(page.locator(".tiles-hint")).toHaveText("No hay nada con ese nombre.");
});
