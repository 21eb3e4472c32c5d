import type { Floors, Menu } from "@comanda/protocol";
import type { Page, Route } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { signInByForm } from "../support/people-acts.ts";
import { devices, expect, test, type DeviceKind } from "../support/touch-test.ts";

/** Fetches the hub's response to this request; only the browser can resolve the hub's name. */
async function fetchFromHub<T>(route: Route): Promise<T> {
  const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
  return (await (await route.fetch({ url })).json()) as T;
}

/** Signs in at a new device, whose menu is the hub's menu modified by `change`. */
async function signInWithMenu(page: Page, change: (menu: Menu) => Partial<Menu>, login = "waiter"): Promise<void> {
  await page.route("**/terminal/v1/menu", async (route) => {
    const menu = await fetchFromHub<Menu>(route);
    await route.fulfill({ json: { ...menu, ...change(menu) } });
  });
  await signInByForm(page, login);
}

test("a menu without dishes says so, and only a search reports that nothing was found [TOUCH-460]", async ({
  open,
}) => {
  const page = await open({ name: "menu-vacio", isNew: true });
  await signInWithMenu(page, () => ({ products: [], categories: [] }));
  const table = page.getByRole("link", { name: /^Mesa 1 / });
  await table.waitFor();
  // Retried, because the offer of a PIN may appear over the table at any moment.
  await expect(async () => {
    if (await table.isVisible()) await table.tap();
    await expect(page.locator(".tiles-hint")).toHaveText(/^El menú todavía no tiene platos\. /, { timeout: 3_000 });
  }).toPass();
  await page.getByRole("searchbox", { name: "Buscar plato" }).fill("mofongo");
  await expect(page.locator(".tiles-hint")).toHaveText("No hay nada con ese nombre.");
});

test("a menu of forty pages cuts a row to show that there are more [TOUCH-734]", async ({ open }) => {
  const page = await open({ name: "menu-largo", isNew: true, kind: "tablet" });
  const numbers = Array.from({ length: 40 }, (_, n) => n + 1);
  await signInWithMenu(page, ({ categories: [category], products: [product] }) => ({
    categories: numbers.map((n) => ({ ...category!, id: 900 + n, name: `Página ${n}` })),
    products: numbers.map((n) => ({ ...product!, id: 900 + n, categoryId: 900 + n })),
  }));
  await page.getByRole("link", { name: /^Mesa 1 / }).waitFor();
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  const pages = page.locator(".tiles-categories");
  await expect(pages.getByRole("tab")).toHaveCount(40);
  const cut = await pages.evaluate((list) => {
    const { bottom } = list.getBoundingClientRect();
    const boxes = [...list.querySelectorAll("[role=tab]")].map((tab) => tab.getBoundingClientRect());
    return boxes.filter((box) => box.top < bottom && box.bottom > bottom).length;
  });
  expect(cut).toBeGreaterThan(1);
  await pages.getByRole("tab", { name: "Página 40" }).tap();
  await expect(pages.getByRole("tab", { name: "Página 40" })).toBeInViewport({ ratio: 1 });
});

for (const kind of ["phone", "pc"] as const) {
  test(`an area without tables says so, and so does an empty list of one's own tables (${kind}) [TOUCH-482]`, async ({
    open,
    restaurant,
  }) => {
    const other = await restaurant.terminal(`otro-${kind}`);
    await online(other);
    const order = newOrder(`AJENA-${kind}`, [lineOf("uno")], 40);
    other.openOrder({ ...order, staffName: "Wendy Mejía" });
    await other.idle();
    const page = await open({ name: `sin-mesas-${kind}`, kind });
    await page.route("**/terminal/v1/floors", async (route) => {
      const plan = await fetchFromHub<Floors>(route);
      const [firstTable] = plan.floors.flatMap(({ tables }) => tables);
      const floors = plan.floors.map((floor, at) => ({
        ...floor,
        tables: at === 0 ? [{ ...firstTable!, id: 40 }] : [],
      }));
      await route.fulfill({ json: { ...plan, floors } });
    });
    await page.reload();
    await page.getByRole("tab", { name: "Terraza" }).tap();
    const notice = page.getByText(
      "Esta área todavía no tiene mesas. Se dibujan en el back-office y llegan aquí solas.",
    );
    await expect(notice).toBeVisible();
    await page.getByRole("tab", { name: "Salón" }).tap();
    await expect(page.getByRole("link", { name: /^Mesa 1 / }).first()).toBeVisible();
    if (kind === "phone") {
      await page.getByRole("button", { name: "Mías" }).tap();
      await expect(page.getByText("Aquí todas las mesas son de otros meseros.")).toBeVisible();
    }
    other.discardOrder(order.posReference, "fin de la prueba");
    await other.idle();
  });
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`long names without a space neither cover a button nor push one out of the window (${kind}) [TOUCH-461]`, async ({
    open,
  }) => {
    const page = await open({ name: `nombres-${kind}`, kind, isNew: true });
    const long = <T extends { name: string }>(all: readonly T[]): T[] =>
      all.map((each) => ({ ...each, name: each.name.replaceAll(" ", "").padEnd(60, "Esternocleidomastoideo") }));
    await page.route("**/terminal/v1/floors", async (route) => {
      const plan = await fetchFromHub<Floors>(route);
      const floors = long(plan.floors).map((floor) => ({ ...floor, tables: long(floor.tables) }));
      await route.fulfill({ json: { ...plan, floors } });
    });
    await signInWithMenu(page, ({ products, categories, taxes, paymentMethods, stations }) => ({
      products: long(products),
      categories: long(categories),
      taxes: long(taxes),
      paymentMethods: long(paymentMethods),
      stations: long(stations),
    }));
    await page.getByRole("link", { name: /^Mesa/ }).nth({ phone: 3, tablet: 4, pc: 5 }[kind]).tap();
    for (const index of [0, 1, 2]) await page.locator(".tile").nth(index).tap();
    await page.getByRole("tab").nth(1).tap();
    expect(await outOfReach(page)).toEqual([]);
    const total = page.locator(".order-total");
    if (await total.isVisible()) await total.tap();
    expect(await outOfReach(page)).toEqual([]);
    await page
      .getByRole("button", { name: /^Cobrar/ })
      .last()
      .tap();
    await expect(page.locator(".pay-amount")).toBeInViewport({ ratio: 1 });
    expect(await outOfReach(page)).toEqual([]);
  });
}

test("a large amount shows all its digits, also beside ten payment methods [TOUCH-462]", async ({ open }) => {
  const page = await open({ name: "montos", login: "cashier", isNew: true });
  await signInWithMenu(
    page,
    ({ paymentMethods: [cash, card] }) => ({
      paymentMethods: [cash!, ...Array.from({ length: 9 }, (_, index) => ({ ...card!, id: 20 + index }))],
    }),
    "cashier",
  );
  const amount = page.locator(".large-money");
  const openPayment = async (table: string, typed: string): Promise<void> => {
    await page.getByRole("link", { name: new RegExp(`^${table} `) }).tap();
    await page.getByRole("searchbox", { name: "Buscar plato" }).fill(typed);
    await page.keyboard.press("Enter");
    await page.locator(".order-total").tap();
    await page
      .getByRole("button", { name: /^Cobrar/ })
      .last()
      .tap();
  };
  await openPayment("Mesa 7", "999 churrasco");
  await expect(amount).toHaveText("RD$1,598,400.00");
  await expect(amount).toBeInViewport({ ratio: 1 });
  await page.getByRole("link", { name: "Volver a la cuenta" }).tap();
  await page.evaluate(() => (location.hash = "#/floor"));
  await openPayment("Mesa 8", "tostones");
  await page.getByRole("button", { name: "Otro monto" }).tap();
  const keys = page.getByRole("dialog");
  for (const digit of "50000") await keys.getByRole("button", { name: digit, exact: true }).tap();
  await keys.getByRole("button", { name: "Efectivo" }).tap();
  await expect(amount).toHaveText("RD$49,712.00");
  await expect(amount).toBeInViewport({ ratio: 1 });
});

test("a table without a size, a negative option price and missing payment methods are shown properly [TOUCH-466] [TOUCH-467] [TOUCH-468]", async ({
  open,
}) => {
  const page = await open({ name: "rarezas", login: "cashier", kind: "pc", isNew: true });
  await page.route("**/terminal/v1/floors", async (route) => {
    const plan = await fetchFromHub<Floors>(route);
    for (const { tables } of plan.floors)
      Object.assign(tables.find(({ name }) => name === "Mesa 9") ?? {}, { width: 0 });
    await route.fulfill({ json: plan });
  });
  const half = { id: 990, name: "Media porción", price: -100 };
  await signInWithMenu(
    page,
    ({ products }) => ({
      paymentMethods: [],
      products: products.map((product) => ({ ...product, modifiers: [half] })),
    }),
    "cashier",
  );
  const table = page.getByRole("link", { name: /^Mesa 9 / });
  await expect(table).toBeInViewport({ ratio: 1 });
  await table.tap();
  await page.locator(".tile").first().click({ button: "right" });
  const choices = page.getByRole("dialog");
  await choices.getByRole("button", { name: "Media porción -RD$100" }).tap();
  await choices.getByRole("button", { name: /^Agregar/ }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await expect(page.getByText("La casa no tiene formas de pago.")).toBeVisible();
});

/** Returns buttons that are outside the window or covered; ignores those that are scrolled out of a strip or list. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const part = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const covered = [...part.querySelectorAll("button, a[href]")].filter((target) => {
      const { left, top, width, height } = target.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (width === 0 || isScrolledAway(target, x, y)) return false;
      const hit = document.elementFromPoint(x, y);
      return hit === null || (!target.contains(hit) && !hit.contains(target));
    });
    return covered.map((target) => target.textContent);

    function isScrolledAway(target: Element, x: number, y: number): boolean {
      for (let box = target.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        if (/auto|scroll/.test(overflowX) && (x < left || x > right)) return true;
        if (/auto|scroll/.test(overflowY) && (y < top || y > bottom)) return true;
      }
      return false;
    }
  });
}
