import { readFile } from "node:fs/promises";
import type { KitchenTicket } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { expect, test } from "../support/touch-test.ts";

const dish = (page: Page, name: string) => page.locator(".tile").filter({ hasText: name });

/** Returns the quantities that the kitchen has to prepare, by ticket, for the tickets that `isIncluded` selects. */
async function requestedDishes(restaurant: Restaurant, name: string, isIncluded: (ticket: KitchenTicket) => boolean) {
  const kitchen = await restaurant.terminal(name);
  await online(kitchen);
  return () =>
    kitchen
      .tickets()
      .filter(isIncluded)
      .map(({ lines }) => lines.map((line) => `${line.quantity} ${line.name}`).toSorted());
}

for (const connection of ["online", "offline"] as const) {
  test(`paying a takeaway check sends its unsent dishes to the kitchen (${connection}) [TOUCH-350]`, async ({
    open,
    restaurant,
  }) => {
    const name = `llevar-${connection}`;
    const page = await open({ name, login: "cashier", kind: "tablet" });
    const tickets = await requestedDishes(restaurant, `cocina-${connection}`, ({ tableId }) => tableId === null);
    const before = tickets().length;
    const line = await deviceLine(page);
    await page.getByRole("link", { name: /^Para llevar/ }).tap();
    await page.getByRole("link", { name: "Nueva para llevar" }).tap();
    if (connection === "offline") await line.cut();
    await dish(page, "Quipes de res").tap();
    await dish(page, "Croquetas de pollo").tap();
    await page.getByRole("button", { name: /^Cobrar/ }).tap();
    await expect(page.getByText("Al cobrar se envían 2 artículos")).toBeVisible();
    await page.getByRole("button", { name: "Tarjeta" }).tap();
    await expect(
      page.getByRole("heading", { name: connection === "online" ? /^Cobrado/ : /por registrar$/ }),
    ).toBeVisible();
    if (connection === "offline") await line.restore();
    await expect.poll(() => tickets().slice(before)).toEqual([["1 Croquetas de pollo", "1 Quipes de res"]]);
  });
}

test("a waiting course can be fired after the payment, from the floor and from the paid checks [TOUCH-350, TOUCH-351, TOUCH-352]", async ({
  open,
  restaurant,
}) => {
  const terminal = await restaurant.terminal("tiempos");
  await online(terminal);
  const line = (id: string, rest: object) => ({
    id,
    productId: "105",
    quantity: 1,
    unitPrice: 100,
    total: 128,
    ...rest,
  });
  terminal.openOrder({
    posReference: "tiempos",
    orderType: "dine_in",
    tableId: 30,
    lines: [line("uno", { name: "Sopa" }), line("dos", { name: "Flan", course: 2, hold: true })],
    totals: { subtotal: 200, tax: 56, total: 256 },
  });
  await terminal.idle();
  const page = await open({ name: "caja-tiempos", login: "cashier" });
  const tickets = await requestedDishes(restaurant, "cocina-tiempos", ({ tableId }) => tableId === 30);
  await page.getByRole("link", { name: /^Mesa 3 1 sin enviar/ }).tap();
  await page.getByRole("button", { name: /2 líneas$/ }).tap();
  // The sheet offers both actions.
  await expect(page.getByRole("dialog").getByRole("button", { name: /^Enviar · Mesa 3/ })).toBeVisible();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Cobrar/ })
    .tap();
  await expect(page.getByText("Al cobrar se envía 1 artículo")).toBeVisible();
  await expect(page.getByText("1 artículo sigue en espera de su tiempo")).toBeVisible();
  await page.getByRole("button", { name: "Tarjeta" }).tap();
  await expect(page.getByRole("heading", { name: /^Cobrado/ })).toBeVisible();
  await expect.poll(tickets).toEqual([["1 Sopa"]]);
  await page.getByRole("button", { name: "Listo" }).tap();

  await page.getByRole("link", { name: "Cobradas" }).tap();
  await page.getByRole("button", { name: /Mesa 3.*Falta enviar a cocina/ }).tap();
  await expect(page.getByText("Tiempo 2 · 1 artículo")).toBeVisible();
  await page.getByRole("link", { name: "Salón" }).tap();
  await page.getByRole("link", { name: /^Mesa 3 1 sin enviar/ }).tap();
  await page.getByRole("button", { name: "Marchar tiempo 2" }).tap();
  await expect.poll(tickets).toEqual([["1 Sopa"], ["1 Flan"]]);
  await page.getByRole("link", { name: "Salón" }).tap();
  await expect(page.getByRole("link", { name: /^Mesa 3 Libre/ })).toBeVisible();
});

test("a table sent without the hub shows as still to be sent until the hub has it [TOUCH-353]", async ({ open }) => {
  const page = await open({ name: "sin-hub" });
  const line = await deviceLine(page);
  const table = (state: string) => page.getByRole("link", { name: new RegExp(`^Mesa 5 ${state}`) });
  await table("Libre").tap();
  await line.cut();
  await dish(page, "Quipes de res").tap();
  await page.getByRole("button", { name: /^Enviar · Mesa 5/ }).tap();
  await expect(table("Por enviar")).toBeVisible();
  await line.restore();
  await expect(table("En cocina")).toBeVisible();
});

test("a device saves its unsent changes as a file [UI-533]", async ({ open }) => {
  const page = await open({ name: "guardar", login: "waiter", kind: "tablet" });
  const line = await deviceLine(page);
  await page.getByRole("link", { name: /^Para llevar/ }).tap();
  await page.getByRole("link", { name: "Nueva para llevar" }).tap();
  await line.cut();
  await dish(page, "Quipes de res").tap();
  await page.goto(new URL("#/conflicts", page.url()).href);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Guardar lo pendiente en un archivo" }).tap();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("sin-enviar-guardar.txt");
  const text = await readFile(await file.path(), "utf8");
  expect(text).toMatch(/^\uFEFFSin enviar en guardar, /);
  expect(text).toMatch(/ {2}1 × Quipes de res {2}RD\$/);
  await line.restore();
  await expect(page.getByText("Todo llegó a la PC principal.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Guardar lo pendiente en un archivo" })).toHaveCount(0);
});
