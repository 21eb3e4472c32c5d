import type { Page } from "@playwright/test";
import type { Restaurant } from "../../support/restaurant.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { expect, test } from "../support/touch-test.ts";
import { deviceLine } from "../support/device-line.ts";
import { enterPin, resetPin, setPin, signInByForm, typePin } from "../support/people-acts.ts";

/** Returns the button with the name of the person who is working. */
const personButton = (page: Page, name: string) => page.getByRole("button", { name: `Trabaja ${name}` });

async function lineOn(page: Page, table: string, dish: RegExp): Promise<void> {
  await page.goto(new URL("#/floor", page.url()).href);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: new RegExp(`^${table} `) }).tap();
  await page.getByRole("button", { name: dish }).tap();
}

/** Returns the hub's name of the person who wrote a table's check. */
async function writerOf(restaurant: Restaurant, tableId: number): Promise<string | null | undefined> {
  const observer = await restaurant.terminal(`observer-${tableId}`);
  observer.start();
  await expect.poll(() => observer.orders().some((order) => order.tableId === tableId)).toBe(true);
  const staffName = observer.orders().find((order) => order.tableId === tableId)?.snapshot.staffName;
  await observer.stop();
  return staffName;
}

test("another person takes over the device with a PIN, and unsent work stays its author's [TOUCH-141]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const page = await open({ name: "people-switch", managerWasHere: true });
  const line = await deviceLine(page);
  await expect(personButton(page, "Wendy Almonte")).toBeVisible();
  await line.cut();
  await lineOn(page, "Terraza 8", /^Quipes de res/);
  await expect(page.getByRole("link", { name: "Sin conexión · 1 por enviar" })).toBeVisible();

  await personButton(page, "Wendy Almonte").tap();
  await enterPin(page, /^Carlos Jiménez/, "2222");
  await expect(personButton(page, "Carlos Jiménez")).toBeVisible();
  await lineOn(page, "Terraza 7", /^Croquetas de pollo/);
  await page.reload();
  await expect(personButton(page, "Carlos Jiménez")).toBeVisible();

  await line.restore();
  await expect(page.getByRole("link", { name: /por enviar/ })).toBeHidden();
  expect(await writerOf(restaurant, 68)).toBe("Wendy Almonte");
  expect(await writerOf(restaurant, 67)).toBe("Carlos Jiménez");
});

test("while the hub checks a PIN no other person can be chosen, and its refusal names whose PIN it was [TOUCH-140]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  await setPin(restaurant, "manager", "111111");
  const page = await open({ name: "people-slow", managerWasHere: true, refusalsExpected: true });
  const { promise: released, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/terminal/v1/pin", async (route) => {
    await released;
    await route.continue();
  });
  await personButton(page, "Wendy Almonte").tap();
  await enterPin(page, /^Carlos Jiménez/, "3333");
  const manager = page.getByRole("dialog").getByRole("button", { name: /^Marisol Peña/ });
  await expect(manager).toBeDisabled();
  answer();
  await expect(page.getByText("Esa no es la clave de Carlos Jiménez. Intente de nuevo.")).toBeVisible();
  await expect(manager).toBeEnabled();
});

test("setting a PIN asks for the password when the hub no longer knows of a recent sign-in [TOUCH-280]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "people-password", isNew: true, refusalsExpected: true });
  await signInByForm(page, "cashier");
  await expect(personButton(page, "Carlos Jiménez")).toBeVisible();
  // After a restart the hub no longer knows when the person signed in.
  await restaurant.killHub();
  await restaurant.startHub();
  await personButton(page, "Carlos Jiménez").tap();
  await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
  await page.getByRole("button", { name: "Poner mi clave (PIN)" }).tap();
  await page.getByRole("button", { name: "Aceptar" }).waitFor();
  for (const pin of ["7777", "7777"]) {
    await page.keyboard.type(pin);
    await page.keyboard.press("Enter");
  }
  await page.getByLabel("Contraseña").fill("12345678");
  await page.getByRole("button", { name: "Guardar la clave" }).tap();
  await expect(page.getByText("Contraseña incorrecta.")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByLabel("Contraseña").fill("cashier");
  await page.getByRole("button", { name: "Guardar la clave" }).tap();
  await expect(page.getByText("Clave guardada")).toBeVisible();
  await resetPin(restaurant, "Carlos Jiménez");
});

test("a person sets a PIN, language and theme, and signs out only when no changes wait [TOUCH-142]", async ({
  open,
}) => {
  const page = await open({ name: "people-account", isNew: true });
  await signInByForm(page, "waiter");
  await expect(personButton(page, "Wendy Almonte")).toBeVisible();
  const line = await deviceLine(page);
  const openMore = async () => {
    await personButton(page, "Wendy Almonte").tap();
    await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
  };
  await openMore();
  await page.getByRole("button", { name: "Poner mi clave (PIN)" }).tap();
  await page.getByRole("button", { name: "Aceptar" }).waitFor();
  for (const pin of ["4444", "4545", "4444", "4444"]) {
    await page.keyboard.type(pin);
    await page.keyboard.press("Enter");
    if (pin === "4545") await expect(page.getByText("No coinciden. Empiece de nuevo.")).toBeVisible();
  }
  await expect(page.getByText("Clave guardada")).toBeVisible();

  await line.cut();
  await lineOn(page, "Terraza 7", /^Croquetas de pollo/);
  await openMore();
  await page.getByRole("button", { name: "Salir" }).tap();
  await expect(page.getByText("Todavía no: 1 cambio no ha llegado a la PC principal (Terraza 7).")).toBeVisible();
  await page.getByRole("button", { name: "Oscuro" }).tap();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "Claro" }).tap();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "English" }).tap();
  await expect(page.getByText("Not yet: 1 change has not reached the main PC (Terraza 7).")).toBeHidden();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await line.restore();
  await expect(page.getByRole("link", { name: /to send/ })).toBeHidden();
  await page.getByRole("button", { name: "Sign out" }).tap();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("a person whose PIN was reset enters the new one in place, and their waiting changes are sent [TOUCH-166]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const page = await open({ name: "people-again", refusalsExpected: true, managerWasHere: true });
  await personButton(page, "Wendy Almonte").tap();
  await enterPin(page, /^Carlos Jiménez/, "2222");
  await expect(personButton(page, "Carlos Jiménez")).toBeVisible();

  await resetPin(restaurant, "Carlos Jiménez");
  await lineOn(page, "Terraza 4", /^Croquetas de pollo/);
  const sheet = page.getByRole("dialog", { name: "Clave anulada" });
  await expect(sheet.getByText("Su clave se anuló: hace falta la nueva.")).toBeVisible();
  await expect(sheet.getByText("La PC principal guardó 1 para que un gerente decida.")).toBeVisible();
  await sheet.getByRole("button", { name: "Cerrar" }).tap();
  await expect(page.getByRole("link", { name: /Falta una clave/ })).toBeVisible();
  await setPin(restaurant, "cashier", "3333");
  await page.getByRole("link", { name: /Falta una clave/ }).tap();
  await expect(page.getByText("La PC principal guardó 1 para que un gerente decida.")).toBeVisible();
  await page.getByRole("button", { name: "Escribir la clave" }).tap();
  expect(await seriousIssues(page)).toEqual([]);
  await typePin(page, "3333");
  await expect(sheet).toBeHidden();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  expect(await writerOf(restaurant, 64)).toBe("Carlos Jiménez");
});

test("a device accepts others' PINs once a manager has signed in, and a manager's PIN has 6 digits or more [TOUCH-220]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const page = await open({ name: "people-fresh" });
  await personButton(page, "Wendy Almonte").tap();
  await expect(page.getByText("Aquí todavía no sirve la clave de nadie más.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Aceptar" })).toHaveCount(0);
  await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
  await page.getByRole("button", { name: "Entrar con otro usuario" }).tap();
  await signInByForm(page, "manager");
  await expect(personButton(page, "Marisol Peña")).toBeVisible();

  await personButton(page, "Marisol Peña").tap();
  await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).tap();
  await page.getByRole("button", { name: "Poner mi clave (PIN)" }).tap();
  await expect(page.getByText("De 6 a 8 cifras, porque es de gerente.")).toBeVisible();
  await page.keyboard.type("44445");
  await expect(page.getByRole("button", { name: "Aceptar" })).toBeDisabled();
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).tap();
  await personButton(page, "Marisol Peña").tap();
  await enterPin(page, /^Carlos Jiménez/, "2222");
  await expect(personButton(page, "Carlos Jiménez")).toBeVisible();
});
