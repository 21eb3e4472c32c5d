import type { Page } from "@playwright/test";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { deviceLine } from "../support/device-line.ts";
import { enterPin, setPin } from "../support/people-acts.ts";
import { expect, terminalUrl, test } from "../support/touch-test.ts";

/** Waits for a fast connection. A busy machine may appear as slow as a bad one: then the test is repeated with the button. */
async function expectFastConnection(page: Page, texts: { quick: string; slow: string; again: string }): Promise<void> {
  const line = page.getByRole("listitem").filter({ hasText: /Conexión con la PC principal|Connection to the main PC/ });
  await expect(async () => {
    await expect(line).toContainText(new RegExp(`${texts.quick}|${texts.slow}`));
    if ((await line.getByText(texts.slow).count()) > 0)
      await page.getByRole("button", { name: texts.again }).last().tap();
    await expect(line).toContainText(texts.quick, { timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}

test("the device test asks for one thing at a time and explains each result [TOUCH-161]", async ({ open }) => {
  const page = await open({ name: "device-test" });
  await page.getByRole("button", { name: "Trabaja Wendy Almonte" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Más" }).tap();
  await page.getByRole("button", { name: "Este dispositivo" }).tap();
  const list = page.getByRole("listitem");
  await expectFastConnection(page, {
    quick: "La PC principal responde en",
    slow: "La PC principal tarda",
    again: "Probar de nuevo",
  });
  await expect(list.filter({ hasText: "Memoria" })).toContainText("se queda en este dispositivo");
  await expect(list.filter({ hasText: "Reloj" })).toContainText("El reloj va con el de la PC principal.");
  await expect(list.filter({ hasText: "Página cifrada" })).toContainText("es una dirección http de la red local");

  const step = page.getByRole("status").filter({ hasText: "Probar" });
  await expect(step).toContainText("Toque «Probar sonido» y escuche.");
  await page.getByRole("button", { name: "Probar sonido" }).tap();
  await page.getByRole("button", { name: "Se oye", exact: true }).tap();
  await expect(page.getByText("Esta página no puede mantener la pantalla encendida.").first()).toBeVisible();
  await page.getByRole("button", { name: "Ya lo puse" }).tap();
  await expect(page.getByText("Este dispositivo está listo para el servicio.")).toBeVisible();
});

test("a device stores its start screen and its name from the pairing code or the device screen [TOUCH-162]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "device-name", language: "en" });
  await expect(page.getByRole("button", { name: "Wendy Almonte is working" })).toBeVisible();
  await page.goto(terminalUrl(restaurant, "/terminal/#/device"));
  await expect(page.getByLabel("As the manager sees it")).toHaveValue("device-name");
  await page.getByRole("button", { name: "Floor" }).tap();
  await page.getByLabel("As the manager sees it").fill("Tableta 7");
  await page.getByRole("button", { name: "Change the name" }).tap();
  await expect(page.getByLabel("As the manager sees it")).toHaveValue("Tableta-7");
  await expectFastConnection(page, { quick: "The main PC answers in", slow: "The main PC takes", again: "Test again" });
  const stored = await page.evaluate(() => localStorage.getItem("comanda-terminal-device"));
  expect(JSON.parse(stored ?? "")).toMatchObject({ id: "Tableta-7", startScreen: "floor" });
});

test("a device that came without a name is asked for one at its first sign-in [TOUCH-436]", async ({
  open,
  restaurant,
}) => {
  const signIn = async (page: Page) => {
    await page.getByLabel("Usuario").fill("waiter");
    await page.getByLabel("Contraseña").fill("waiter");
    await page.getByRole("button", { name: "Entrar" }).tap();
    await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  };
  const nameOf = async (page: Page) => {
    const stored = await page.evaluate(() => localStorage.getItem("comanda-terminal-device"));
    return (JSON.parse(stored ?? "{}") as { id: string }).id;
  };
  const knownNames = async () => {
    const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
    const answer = await fetch(new URL("/operator/v1/terminals", restaurant.hubUrl), { headers });
    const { terminals } = (await answer.json()) as { terminals: { terminalId: string }[] };
    return terminals.map(({ terminalId }) => terminalId);
  };
  const field = (page: Page) => page.getByLabel("Nombre de este dispositivo (opcional)");

  const page = await open({ name: "", isNew: true });
  await field(page).fill("Barra del jardín");
  expect(await seriousIssues(page)).toEqual([]);
  await signIn(page);
  expect(await nameOf(page)).toBe("Barra-del-jardin");
  await expect.poll(knownNames).toContain("Barra-del-jardin");

  const other = await open({ name: "", isNew: true });
  await field(other).fill("Barra-del-jardín");
  await other.getByLabel("Usuario").fill("waiter");
  await other.getByLabel("Contraseña").fill("waiter");
  await other.getByRole("button", { name: "Entrar" }).tap();
  await expect(other.getByRole("alert")).toHaveText(
    "Otro dispositivo ya se llama Barra-del-jardin. Elija otro nombre.",
  );
  await field(other).fill("");
  await signIn(other);
  const generatedName = await nameOf(other);
  expect(generatedName).toMatch(/^terminal-\w{6}$/);
  await expect.poll(knownNames).toContain(generatedName);

  const named = await open({ name: "barra-2", isNew: true });
  await expect(named.getByLabel("Usuario")).toBeVisible();
  await expect(field(named)).toHaveCount(0);
});

test("a renamed device stays the same device, and the name of another device is refused [TOUCH-403]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const other = await open({ name: "device-otra" });
  await expect(other.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  const page = await open({ name: "device-antes", managerWasHere: true });
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await page.goto(terminalUrl(restaurant, "/terminal/#/device"));
  const field = page.getByLabel("Así lo ve el gerente");
  await field.fill("device-otra");
  await page.getByRole("button", { name: "Cambiar nombre" }).tap();
  await expect(page.getByRole("alert")).toHaveText("Otro dispositivo ya se llama device-otra. Elija otro nombre.");
  expect(await seriousIssues(page)).toEqual([]);
  await field.fill("device-ahora");
  await page.getByRole("button", { name: "Cambiar nombre" }).tap();
  const names = async () => {
    const headers = { authorization: `Bearer ${await restaurant.token("manager")}` };
    const answer = await fetch(new URL("/operator/v1/terminals", restaurant.hubUrl), { headers });
    const { terminals } = (await answer.json()) as { terminals: { terminalId: string }[] };
    return terminals.map(({ terminalId }) => terminalId).filter((name) => name.startsWith("device-a"));
  };
  await expect.poll(names).toEqual(["device-ahora"]);
  await expect(field).toHaveValue("device-ahora");

  // The PIN of a person who never signed in here is accepted, because a manager has signed in before.
  await page.getByRole("button", { name: "Trabaja Wendy Almonte" }).tap();
  await enterPin(page, /^Carlos Jiménez/, "2222");
  await expect(page.getByRole("button", { name: "Trabaja Carlos Jiménez" })).toBeVisible();
});

test("a device whose name the browser has lost is the same device, with its unsent work [TOUCH-192]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "device-lost", refusalsExpected: true });
  const line = await deviceLine(page);
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await line.cut();
  await page.getByRole("link", { name: /^Mesa 3 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await page.getByRole("button", { name: /^Enviar/ }).tap();
  await expect(page.getByRole("link", { name: /2 por enviar/ })).toBeVisible();

  await page.evaluate(() => localStorage.removeItem("comanda-terminal-device"));
  await page.goto(terminalUrl(restaurant));
  await expect(page.getByRole("link", { name: /2 por enviar/ })).toBeVisible();
  await line.restore();
  await expect(page.getByRole("link", { name: /por enviar/ })).toHaveCount(0);
  const kitchen = await restaurant.terminal("device-lost-kitchen");
  kitchen.start();
  await expect.poll(() => kitchen.tickets().map(({ lines }) => lines.length)).toEqual([1]);
});

test("changes that wait under a device's former name are listed, and sent under that name [TOUCH-193]", async ({
  open,
}) => {
  const page = await open({ name: "device-former", refusalsExpected: true });
  const line = await deviceLine(page);
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await line.cut();
  await page.getByRole("link", { name: /^Mesa 4 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await page.getByRole("button", { name: /^Enviar/ }).tap();
  await expect(page.getByRole("link", { name: /2 por enviar/ })).toBeVisible();
  const renameTo = async (id: string) => {
    const device = JSON.stringify({ id, startScreen: "floor" });
    await page.evaluate((text) => localStorage.setItem("comanda-terminal-device", text), device);
    await page.reload();
  };

  await renameTo("device-new");
  await page.getByRole("link", { name: /2 sin enviar de antes/ }).tap();
  await expect(page.getByText(/^2 cambios esperan en este dispositivo bajo el nombre device-former\./)).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await renameTo("device-former");
  await line.restore();
  await expect(page.getByRole("link", { name: /por enviar|de antes/ })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
});
