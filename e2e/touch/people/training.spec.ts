import type { Page } from "@playwright/test";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { setPin } from "../support/people-acts.ts";
import { devices, expect, test } from "../support/touch-test.ts";
import { anHourAhead } from "../support/wrong-clock.ts";

const bar = (page: Page) => page.getByRole("region", { name: "Práctica" });
const table = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^${name} `) });

async function openMore(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Trabaja ${name}` }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
}

test("a cashier practises a whole check, and nothing of it reaches the hub or the device's storage [TOUCH-186] [TOUCH-187] [TOUCH-188]", async ({
  open,
  restaurant,
}) => {
  test.setTimeout(180_000);
  await setPin(restaurant, "manager", "432100");
  // The device's clock is wrong, so practice must not mix it with the hub's.
  const page = await open({ name: "practica-caja", login: "cashier", before: anHourAhead });
  await expect(table(page, "Mesa 5")).toBeVisible();
  const storedEntries = () => page.evaluate(() => JSON.stringify(Object.entries(localStorage).map(String).toSorted()));
  const before = await storedEntries();
  await openMore(page, "Carlos Jiménez");
  await page.getByRole("button", { name: "Practicar" }).tap();
  await expect(bar(page).getByText("Práctica: nada de esto cuenta")).toBeVisible();

  await table(page, "Mesa 5").tap();
  for (const dish of ["Tostones con salsa de ajo", "Quipes de res", "Croquetas de pollo"]) {
    await page.locator(".tile").filter({ hasText: dish }).tap();
  }
  await page.getByRole("button", { name: /^Enviar · Mesa 5/ }).tap();
  await expect(table(page, "Mesa 5")).toHaveAccessibleName(/En cocina/);
  await expect(bar(page).getByRole("status")).toHaveText("Bien: Abrir una mesa y enviar 3 platos, 5 toques");
  for (const { width, height } of Object.values(devices)) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousIssues(page)).toEqual([]);
    }
  }
  await page.setViewportSize(devices.phone);
  // The practice's kitchen works automatically.
  await expect(table(page, "Mesa 5")).toHaveAccessibleName(/listo/i, { timeout: 30_000 });

  await table(page, "Mesa 5").tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: /^Exacto/ }).tap();
  await expect(page.getByRole("heading", { name: /^Cobrado/ })).toBeVisible();
  await expect(page.locator(".receipt").getByText("PRÁCTICA").first()).toBeVisible();
  await expect(bar(page).getByRole("status")).toHaveText("Bien: Cobrar exacto en efectivo, 3 toques");
  await bar(page).getByRole("button", { name: "Tareas 2/9" }).tap();
  const task = (name: string) => page.getByRole("dialog").getByRole("listitem").filter({ hasText: name });
  await expect(task("Abrir una mesa")).toContainText("meta: 5 toquesusted: 5 toques");
  await expect(task("Enviar un plato más")).toHaveText("Enviar un plato másMesa abierta, plato, Enviarmeta: 3 toques");
  expect(await seriousIssues(page)).toEqual([]);
  await page.keyboard.press("Escape");

  // In practice all people have the same PIN, and no real PIN is accepted.
  await page.evaluate(() => (location.hash = "#/floor"));
  await page.getByRole("button", { name: "Trabaja Carlos Jiménez" }).tap();
  await expect(page.getByText("En la práctica la clave (PIN) de todos es 123456.")).toBeVisible();
  await page.keyboard.press("Escape");

  await bar(page).getByRole("button", { name: "Salir" }).tap();
  await expect(bar(page)).toBeHidden();
  await expect(table(page, "Mesa 5")).toHaveAccessibleName(/Libre/);
  expect(await storedEntries()).toBe(before);
  const manager = await restaurant.terminal("gerente-practica");
  await online(manager);
  expect(manager.orders()).toEqual([]);
  expect([...manager.tickets(), ...manager.recentTickets()]).toEqual([]);
});

test("unsent work stays on the device and is sent after the practice, and one tap resets the practice [TOUCH-186]", async ({
  open,
  restaurant,
}) => {
  test.setTimeout(120_000);
  const page = await open({ name: "practica-mesera" });
  const line = await deviceLine(page);
  await expect(table(page, "Mesa 7")).toBeVisible();
  await line.cut();
  await table(page, "Mesa 7").tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.evaluate(() => (location.hash = "#/floor"));
  await openMore(page, "Wendy Almonte");
  await page.getByRole("button", { name: "Practicar" }).tap();
  await expect(page.getByText(/^Hay 1 cambio sin enviar \(Mesa 7\)/)).toBeVisible();
  await line.restore();
  await page.getByRole("button", { name: "Practicar de todos modos" }).tap();
  await expect(bar(page)).toBeVisible();
  await table(page, "Mesa 8").tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: /^Enviar · Mesa 8/ }).tap();
  await expect(table(page, "Mesa 8")).toHaveAccessibleName(/En cocina/);
  await bar(page)
    .getByRole("button", { name: /^Tareas/ })
    .tap();
  await page.getByRole("button", { name: "Empezar de nuevo" }).tap();
  await expect(table(page, "Mesa 8")).toHaveAccessibleName(/Libre/);
  await bar(page).getByRole("button", { name: "Salir" }).tap();
  const manager = await restaurant.terminal("gerente-mesera");
  await online(manager);
  await expect.poll(() => manager.orders().map(({ tableId }) => tableId)).toEqual([34]);
});

test("a reload in the middle of a divided payment stays in the practice [TOUCH-186]", async ({ open }) => {
  test.setTimeout(120_000);
  const page = await open({ name: "practica-partes", login: "cashier", kind: "tablet" });
  await openMore(page, "Carlos Jiménez");
  await page.getByRole("button", { name: "Practicar" }).tap();
  await table(page, "Mesa 9").tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await page.getByRole("dialog").getByRole("link", { name: "÷ 2" }).tap();
  await expect(page.getByText("Parte 1 de 2")).toBeVisible();
  await page.reload();
  await expect(bar(page)).toBeVisible();
});
