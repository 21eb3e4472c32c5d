import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "../support/touch-test.ts";

const table = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} `) });
const dish = (page: Page, name: string) => page.locator(".tile").filter({ hasText: name });
const send = (page: Page) => page.getByRole("button", { name: /^Enviar · / });
const chip = (page: Page) => page.locator(".notices");

test("the terminal is served on the hub's port and works on an origin that is not secure [TOUCH-1]", async ({
  open,
}) => {
  const page = await open({ name: "nuevo", isNew: true });
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  await page.getByLabel("Usuario").fill("waiter");
  await page.getByLabel("Contraseña").fill("waiter");
  await page.getByRole("button", { name: "Entrar" }).tap();
  await expect(page.getByText("Wendy Almonte")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
});

for (const [index, kind] of (Object.keys(devices) as DeviceKind[]).entries()) {
  test(`opening a table takes 5 taps, ordering one more dish 3 and repeating a round 2 (${kind}) [TOUCH-10, TOUCH-11, TOUCH-17]`, async ({
    open,
    restaurant,
  }) => {
    const name = `Mesa ${index + 1}`;
    const page = await open({ name: `mesero-${kind}`, kind });
    await expect(table(page, name)).toBeVisible();
    const opened = await tapsOf(page, async () => {
      await table(page, name).tap();
      for (const each of ["Tostones con salsa de ajo", "Quipes de res", "Croquetas de pollo"]) {
        await dish(page, each).tap();
      }
      await expect(send(page)).toHaveAccessibleName(`Enviar · ${name} Cocina 3`);
      await send(page).tap();
      await expect(page.getByRole("link", { name: new RegExp(`^${name} En cocina`) })).toBeVisible();
    });
    const kitchen = await restaurant.terminal(`cocina-${kind}`);
    kitchen.start();
    const sent = () =>
      kitchen
        .tickets()
        .filter(({ tableId }) => tableId === 28 + index)
        .map(({ stationName, lines }) => [stationName, ...lines.map(({ quantity }) => quantity)]);
    await expect.poll(sent).toEqual([["Cocina", 1, 1, 1]]);

    const more = await tapsOf(page, async () => {
      await table(page, name).tap();
      await dish(page, "Quipes de res").tap();
      await send(page).tap();
      await expect(table(page, name)).toBeVisible();
    });
    await expect.poll(sent).toEqual([
      ["Cocina", 1, 1, 1],
      ["Cocina", 1],
    ]);

    const again = await tapsOf(page, async () => {
      await table(page, name).tap();
      await page.getByRole("button", { name: "Otra ronda igual" }).tap();
      await expect(table(page, name)).toBeVisible();
    });
    await expect.poll(sent).toEqual([
      ["Cocina", 1, 1, 1],
      ["Cocina", 1],
      ["Cocina", 1],
    ]);
    expect({ opened, more, again }).toEqual({ opened: 5, more: 3, again: 2 });

    await chip(page).getByRole("button", { name: "Deshacer" }).tap();
    await expect(chip(page)).toContainText("La ronda se quitó de la cuenta.");
    await expect
      .poll(() => kitchen.tickets().flatMap(({ lines }) => lines.filter(({ state }) => state === "cancelled")))
      .toHaveLength(index + 1);
  });
}

test("a send can be undone, and one with a sold-out dish names it and offers to send the rest [TOUCH-12, TOUCH-13, TOUCH-18, TOUCH-358]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "mesero-86" });
  await table(page, "Mesa 4").tap();
  await page.getByRole("tab", { name: "Bebidas" }).tap();
  await dish(page, "Cerveza grande").tap();
  await page.getByRole("tab", { name: "Postres" }).tap();
  await dish(page, "Flan de coco").tap();
  await expect(send(page)).toHaveAccessibleName("Enviar · Mesa 4 Bar 1 · Cocina 1");
  await send(page).tap();
  await expect(page.getByRole("link", { name: /^Mesa 4 En cocina/ })).toBeVisible();
  await chip(page).getByRole("button", { name: "Deshacer" }).tap();
  await expect(chip(page)).toContainText("Devuelto a la cuenta, sin enviar.");
  await table(page, "Mesa 4").tap();
  await expect(send(page)).toHaveAccessibleName("Enviar · Mesa 4 Bar 1 · Cocina 1");

  // The bar reports a product as sold out while this waiter edits the check.
  const bar = await restaurant.terminal("barra-86", { login: "waiter" });
  bar.start();
  await bar.setItemState({ productId: 129, state: "out" }).outcome;
  await send(page).tap();
  await expect(chip(page)).toContainText("No se envió nada: Cerveza grande");
  // The message disappears; a strip on the check keeps offering both choices.
  await expect(chip(page).getByRole("button", { name: "Enviar el resto" })).toBeVisible();
  await table(page, "Mesa 4").tap();
  const strip = page.locator(".strip").filter({ hasText: "Agotado: Cerveza grande" });
  await expect(strip.getByRole("button")).toHaveText(["Quitar", "Enviar el resto"]);
  await strip.getByRole("button", { name: "Enviar el resto" }).tap();
  await expect
    .poll(() =>
      bar
        .tickets()
        .filter(({ tableId, isOver }) => tableId === 31 && !isOver)
        .flatMap(({ lines }) => lines.filter(({ state }) => state === "unseen").map((line) => line.name)),
    )
    .toEqual(["Flan de coco"]);

  await strip.getByRole("button", { name: "Quitar" }).tap();
  await expect(strip).toHaveCount(0);
  await page.getByRole("tab", { name: "Bebidas" }).tap();
  await expect(dish(page, "Cerveza grande")).toContainText("Agotado");
  await page.getByRole("button", { name: "Agotado…" }).tap();
  await dish(page, "Cerveza grande").tap();
  await page.getByRole("button", { name: "Ya hay de nuevo" }).tap();
  await expect.poll(() => bar.itemStates()).toEqual([]);
  await dish(page, "Cerveza grande").tap();
  await page.getByRole("button", { name: "Quedan 5" }).tap();
  await expect(dish(page, "Cerveza grande")).toContainText("quedan 5");
  await chip(page).getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => bar.itemStates()).toEqual([]);
});

test("a send can no longer be undone once the kitchen has seen all of it [TOUCH-12]", async ({ open, restaurant }) => {
  const page = await open({ name: "mesero-visto" });
  const kitchen = await restaurant.terminal("cocina-visto", { login: "waiter" });
  kitchen.start();
  await table(page, "Mesa 10").tap();
  await dish(page, "Quipes de res").tap();
  await dish(page, "Croquetas de pollo").tap();
  await page.getByRole("tab", { name: "Bebidas" }).tap();
  await dish(page, "Mojito").tap();
  await send(page).tap();
  const undo = chip(page).getByRole("button", { name: "Deshacer" });
  await expect(undo).toBeVisible();
  const tickets = () => kitchen.tickets().filter(({ tableId }) => tableId === 37);
  await expect.poll(() => tickets().length).toBe(2);
  const [first, second] = tickets();
  await kitchen.kitchenSeen(first?.id ?? "", first?.stationId ?? "").outcome;
  // Tickets that the other station has not seen can still be taken back.
  await expect(undo).toBeVisible();
  await kitchen.kitchenSeen(second?.id ?? "", second?.stationId ?? "").outcome;
  await expect(chip(page)).toHaveText("Enviados: 3 artículos. La cocina ya lo vio.");
});

test("a send that the hub does not answer is reported as saved, and as sent once the hub has it [TOUCH-12]", async ({
  open,
}) => {
  const page = await open({ name: "mesero-mudo" });
  const line = await deviceLine(page);
  await table(page, "Mesa 9").tap();
  await dish(page, "Quipes de res").tap();
  line.holdBack();
  await send(page).tap();
  await expect(chip(page)).toHaveText("Guardado: 1 artículo espera a que responda la PC principal.");
  await line.restore();
  await expect(chip(page)).toContainText("Enviado: 1 artículo.");
  await expect(chip(page).getByRole("button", { name: "Deshacer" })).toBeVisible();
});

test("a send that the hub refuses later is no longer reported as waiting [TOUCH-12]", async ({ open, restaurant }) => {
  const other = await restaurant.terminal("otra-mesera", { login: "manager" });
  other.start();
  const page = await open({ name: "mesero-rechazado" });
  const line = await deviceLine(page);
  await table(page, "Mesa 8").tap();
  await dish(page, "Quipes de res").tap();
  await send(page).tap();
  await expect(chip(page)).toContainText("Enviado: 1 artículo.");
  const check = () => other.orders().find(({ tableId }) => tableId === 35);
  await expect.poll(() => check()?.snapshot.status).toBe("sent");
  await table(page, "Mesa 8").tap();
  await expect(dish(page, "Croquetas de pollo")).toBeVisible();
  line.holdBack();
  await dish(page, "Croquetas de pollo").tap();
  await send(page).tap();
  await other.discardOrder(check()?.posReference ?? "", "Se fueron").outcome;
  await expect(chip(page)).toContainText("Guardado: 1 artículo espera");
  await line.restore();
  await expect(page.getByRole("link", { name: /por decidir/ })).toBeVisible();
  await expect(chip(page)).toHaveText("");
});

test("an offline send to a table that was occupied meanwhile is reported as sent once the hub has it [TOUCH-12]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("otra-a-la-vez", { login: "manager" });
  await online(other);
  const page = await open({ name: "mesero-a-la-vez" });
  const line = await deviceLine(page);
  await expect(table(page, "Mesa 6")).toBeVisible();
  await line.cut();
  await table(page, "Mesa 6").tap();
  await dish(page, "Quipes de res").tap();
  other.openOrder(newOrder("A-LA-VEZ", [lineOf("a", 100)], 33));
  await other.idle();
  await send(page).tap();
  await expect(chip(page)).toContainText("Sin conexión: 1 artículo sale al volver.");
  await line.restore();
  await expect(chip(page)).toContainText("Enviado: 1 artículo.");
  await expect(page.getByRole("link", { name: /por decidir/ })).toBeVisible();
});

test("a keyboard searches and scans dishes, and choices and courses reach the kitchen [TOUCH-14, TOUCH-16, TOUCH-20, TOUCH-21, TOUCH-1596]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "mesero-pc", kind: "pc" });
  const kitchen = await restaurant.terminal("cocina-tiempos");
  kitchen.start();
  await page.getByRole("link", { name: "Para llevar" }).tap();
  await page.getByRole("link", { name: "Nueva para llevar" }).tap();

  await expect(page.locator(".tile").first()).toBeVisible();
  await page.keyboard.type("2 chu", { delay: 90 });
  await expect(page.locator(".tile")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await page.getByRole("button", { name: /^2 Churrasco/ }).tap();
  await page.getByRole("button", { name: "Cambiar Churrasco" }).tap();
  await page.getByRole("button", { name: "Chimichurri" }).tap();
  await page.getByRole("button", { name: "Sin sal" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Tiempo 2" }).tap();
  await page.getByRole("button", { name: /^Guardar/ }).tap();
  await expect(page.getByRole("button", { name: "Tiempo 1" })).toHaveText("Tiempo 1");
  await expect(page.getByRole("heading", { name: "Tiempo 2 espera" })).toBeVisible();
  // The possible action replaces Send.
  await expect(page.getByRole("button", { name: "Marchar tiempo 2" })).toBeVisible();
  await expect(send(page)).toHaveCount(0);

  await page.keyboard.type("flan", { delay: 90 });
  await page.keyboard.press("Enter");
  await expect(send(page)).toHaveAccessibleName("Enviar · Para llevar Cocina 1");
  await expect(page.getByRole("link", { name: "Volver" })).toHaveAttribute("href", "#/takeaway");
  await dish(page, "Tostones con salsa de ajo").click({ button: "right" });
  await expect(page.getByRole("dialog", { name: "Tostones con salsa de ajo" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // Dispatched in the page, because a scanner types faster than Playwright can.
  await page.evaluate(() => {
    for (const key of ["7", "4", "6", "0", "0", "0", "1", "Enter"]) {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  });
  await expect(chip(page)).toContainText("7460001");
  await expect(page.getByRole("searchbox")).toHaveValue("");

  await page.getByRole("button", { name: "Marchar tiempo 2" }).tap();
  await expect
    .poll(() => kitchen.tickets().filter(({ orderType }) => orderType === "takeout"))
    .toMatchObject([
      { lines: [{ name: "Churrasco", quantity: 2, note: "Sin sal", course: 2, modifiers: [{ name: "Chimichurri" }] }] },
    ]);
  await expect(send(page)).toHaveAccessibleName("Enviar · Para llevar Cocina 1");
});
