import type { Restaurant } from "../support/restaurant.ts";
import type { Page } from "@playwright/test";
import { setPin, enterPin } from "./people-acts.ts";
import { devices, expect, tapsOf, test, type DeviceKind } from "./touch-test.ts";

/** A call of a manager at the screens. */
async function operator<T>(restaurant: Restaurant, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(new URL(`/operator/v1${path}`, restaurant.hubUrl), {
    method,
    headers: {
      authorization: `Bearer ${await restaurant.token("manager")}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function typeDigits(page: Page, digits: string): Promise<void> {
  const keypad = page.getByRole("group", { name: "Teclado" });
  for (const digit of digits) await keypad.getByRole("button", { name: digit, exact: true }).tap();
}

/** The way to the till, as a person goes it: a phone has it behind the dots when it has no room. */
async function goToTill(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Caja", exact: true }).tap();
}

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`[TILL-42] a shift is opened in 3 taps, a drop made in 3, and the count is blind (${kind})`, async ({
    open,
    restaurant,
  }) => {
    const name = `caja-turno-${kind}`;
    await operator(restaurant, "POST", "/tills", { id: name, name: `Barra ${kind}`, terminals: [name] });
    const page = await open({ name, login: "cashier", kind, managerWasHere: true });
    await expect(page.getByRole("link", { name: "Caja", exact: true })).toBeVisible();
    const toOpen = await tapsOf(page, async () => {
      await goToTill(page);
      await typeDigits(page, "1500");
      await page.getByRole("button", { name: "Abrir con RD$1,500.00" }).tap();
    });
    expect(toOpen - 4).toBeLessThanOrEqual(3);
    await expect(page.getByRole("button", { name: "Contar y cerrar" })).toBeVisible();
    await page.getByRole("link", { name: "Salón" }).tap();
    const toDrop = await tapsOf(page, async () => {
      await goToTill(page);
      await page.getByRole("button", { name: "Retiro" }).tap();
      await typeDigits(page, "500");
      await page.getByRole("button", { name: "Guardar RD$500.00" }).tap();
    });
    expect(toDrop - 3).toBeLessThanOrEqual(3);
    await page.getByRole("button", { name: "Contar y cerrar" }).tap();
    await page.getByRole("button", { name: /^500/ }).tap();
    await typeDigits(page, "1");
    await page.getByRole("button", { name: "Siguiente" }).tap();
    await typeDigits(page, "2");
    await page.getByRole("button", { name: "Cerrar con RD$900.00" }).tap();
    await expect(page.getByText(/Turno cerrado/)).toBeVisible();
    const { shifts } = await operator<{ shifts: { tillId: string; id: string }[] }>(restaurant, "GET", "/shifts");
    const shift = shifts.find(({ tillId }) => tillId === name);
    const report = await operator(restaurant, "GET", `/shifts/${shift?.id}`);
    expect(report).toMatchObject({
      state: "closed",
      float: 1_500,
      difference: -100,
      moves: [{ kind: "drop", amount: 500 }],
    });
  });
}

test("[TILL-42, TILL-21] a count that is too far off asks a manager for their PIN, and says no amount (820)", async ({
  open,
  restaurant,
}) => {
  const name = "caja-aprobada";
  await setPin(restaurant, "manager", "482915");
  await operator(restaurant, "POST", "/tills", { id: name, name: "Terraza", terminals: [name] });
  const page = await open({ name, login: "cashier", kind: "tablet", managerWasHere: true });
  await goToTill(page);
  await typeDigits(page, "2000");
  await page.getByRole("button", { name: "Abrir con RD$2,000.00" }).tap();
  await page.getByRole("button", { name: "Contar y cerrar" }).tap();
  await typeDigits(page, "3");
  await page.getByRole("button", { name: "Cerrar con RD$6,000.00" }).tap();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Cerrar la caja con este conteo");
  await expect(page.getByText(/2,000|4,000/)).toHaveCount(0);
  await enterPin(page, /^Marisol Peña/, "482915");
  await expect(page.getByText(/Turno cerrado/)).toBeVisible();
});
