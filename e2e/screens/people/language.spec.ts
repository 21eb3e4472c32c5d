import type { Page } from "@playwright/test";
import { newOrder } from "../../support/orders.ts";
import { resetPin, setPin } from "../../touch/support/people-acts.ts";
import { line } from "../support/menu.ts";
import { allScreens } from "../support/all-screens.ts";
import { expect, test } from "../support/screen-test.ts";

test.use({ ownDinner: "language", locale: "es-DO", refusalsExpected: true });

/** Sentences and words of the hub that a manager should never see. */
const hubEnglish = [
  "must be",
  "there is no",
  "Invalid input",
  "Too big",
  "Too small",
  "cannot be reached",
  "did not answer",
  "the back-office answered",
  "ECONNREFUSED",
  "status 5",
  "to version",
  "forward.",
  "webhook.",
  "lease.",
  "settings.change",
  "environment",
  "default",
];

const patterns = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
  /\d\s?ms\b/,
  /\bDOP\b/,
  /\d bytes?\b.*\bbyte\b/,
  /[ap]\. m\.\./,
  /\b(HUB|ERP)_[A-Z_]+\b/,
];

/** Raw names of events and records may appear only on developers' screens. */
const developersPatterns = [/\b(order|table)\.[a-z]+\b/, /\{"/];
const forDevelopers: readonly string[] = ["plugins", "tools"];

/** Returns the page's text for a manager, without parts that are technical or that people have written. */
function readText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    const technical = "[lang=en], .setting-name, .code-box, details:not([open]), script, style, .visually-hidden";
    for (const element of copy.querySelectorAll(technical)) element.remove();
    // Separates the texts of adjacent elements.
    for (const element of copy.querySelectorAll("*")) element.append(" ");
    return (copy.textContent ?? "").replaceAll(/\s+/g, " ");
  });
}

async function expectSpanish(page: Page): Promise<void> {
  const text = await readText(page);
  expect.soft(hubEnglish.filter((sentence) => text.includes(sentence))).toEqual([]);
  expect.soft(patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])).toEqual([]);
}

test("no screen in Spanish shows the hub's English, an id or the name of a variable [UI-220]", async ({ open }) => {
  for (const { name, address, es } of allScreens) {
    await test.step(name, async () => {
      const page = await open(address);
      await expect(page.getByText(es).first()).toBeVisible();
      await expectSpanish(page);
      if (forDevelopers.includes(name)) return;
      const text = await readText(page);
      expect.soft(developersPatterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])).toEqual([]);
    });
  }
});

test("the button that shows a password has a Spanish accessible name [UI-220]", async ({ openPublic }) => {
  const page = await openPublic("/kitchen");
  const field = page.getByRole("textbox", { name: "Contraseña" });
  await page.getByRole("button", { name: "Mostrar lo escrito" }).click();
  await expect(field).toHaveAttribute("type", "text");
});

test("the queue tile estimates no time for a check that waits for its fiscal number [UI-322]", async ({ open }) => {
  const page = await open("/");
  const tile = page.getByRole("link", { name: /Cola al back-office/ });
  await expect(tile).toContainText("espera su NCF");
  await expect(tile).not.toContainText("se vacía en");
  await page.goto("/#/back-office");
  await expect(page.getByRole("link", { name: "1 espera su NCF" })).toBeVisible();
  await expect(page.locator("dl").filter({ hasText: "Se vacía en" })).toContainText("Se vacía en–");
});

test("a delivery describes its event and the receiver's answer in words [UI-320]", async ({ open }) => {
  const page = await open("/integrations/deliveries");
  const row = page.getByRole("row", { name: /broken.*Respondió con un error \(502\)/ }).first();
  await expect(row).toContainText("Cuenta cambiada");
  await expect(page.getByRole("row", { name: /good.*Recibida \(200\)/ }).first()).toContainText("Cuenta cambiada");
  await row.getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Respondió con un error (502)").first()).toBeVisible();
  // The technical name is shown in small print for developers.
  await expect(dialog.locator(".soft.mono")).toHaveText("order.updated");
});

test("a delivery about a table names the table [UI-320]", async ({ open, dinner }) => {
  dinner.waiter.openOrder(newOrder("POS/2026/00320", [line("l1", "flan")], 37));
  await dinner.waiter.idle();
  const page = await open("/integrations/deliveries");
  const row = page.getByRole("row", { name: /Mesa ocupada o libre/ }).first();
  await expect(row).toContainText("Mesa 10");
  await row.getByRole("button").click();
  await expect(page.getByRole("dialog").getByText("Mesa 10", { exact: true })).toBeVisible();
});

test("the hub's ids are shown only under the technical detail [UI-321]", async ({ open }) => {
  for (const [address, name] of [
    ["/terminals/connect", "Identificador"],
    ["/system/data", "Época"],
  ] as const) {
    const page = await open(address);
    const id = page.getByText(name, { exact: true });
    await expect(id).toBeHidden();
    await page.getByText("Detalle técnico").click();
    await expect(id).toBeVisible();
  }
});

test("an invalid value is explained at its field, in the reader's language [UI-221]", async ({ open }) => {
  const page = await open("/integrations/webhooks");
  await page.getByRole("button", { name: "Crear una suscripción" }).click();
  const dialog = page.getByRole("dialog");
  const address = dialog.getByRole("textbox", { name: "Dirección (http o https)" });
  await address.fill("ftp://pedidos");
  await dialog.getByRole("button", { name: "Crear" }).click();
  await expect(dialog.getByText("No es una dirección válida", { exact: true })).toBeVisible();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await expectSpanish(page);
  await dialog.getByText("Detalle técnico").click();
  await expect(dialog.locator("[lang=en]")).toContainText("http or https");
});

test("a value that only the hub can refuse is explained in Spanish, without the hub's own sentence [UI-221]", async ({
  open,
}) => {
  const page = await open("/system/settings");
  await page.getByRole("button", { name: "Cambiar: Base de datos del back-office" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Contraseña del usuario del hub").fill(`a"b'c\`d`);
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(dialog.getByText("El valor no puede tener saltos de línea")).toBeVisible();
  await expect(dialog.getByText("cannot be kept")).toBeHidden();
  await expectSpanish(page);
});

test("a failing back-office is explained in Spanish, and its own message is marked as a quotation [UI-222]", async ({
  open,
  dinner,
}) => {
  const page = await open("/back-office/attention");
  await expect(page.getByText("El back-office no acepta los datos de la cuenta.").first()).toBeVisible();
  await expect(page.getByText("El back-office dice: «El producto 112 no tiene cuenta contable»").first()).toBeVisible();
  await dinner.restaurant.killBackOffice();
  await open("/back-office");
  await page.getByRole("button", { name: "Intentar ahora" }).click();
  await expect(page.getByText("No hay conexión con el back-office.").first()).toBeVisible();
  await expectSpanish(page);
  await dinner.restaurant.startBackOffice();
});

test("settings are grouped and searchable, and a duration is entered in a chosen unit [UI-224]", async ({ open }) => {
  const page = await open("/system/settings");
  const row = page.getByRole("row", { name: /HUB_LEASE_TTL_MS/ });
  await expect(row).toContainText("1 minuto");
  await expect(row).toContainText("de fábrica");
  await expect(page.getByRole("heading", { name: "Cocina y servicio" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Buscar un ajuste" }).fill("maquina que no existe");
  await expect(page.getByText("Ningún ajuste coincide")).toBeVisible();
  await page.getByRole("searchbox", { name: "Buscar un ajuste" }).fill("CUENTA EN USO QUEDA RESERVADA");
  await expect(page.getByRole("region", { name: "Avanzado" }).getByRole("row")).toHaveCount(2);
  await row.getByRole("button").click();
  const dialog = page.getByRole("dialog");
  const amount = dialog.getByRole("textbox", { name: "Tiempo que una cuenta en uso queda reservada para su terminal" });
  await expect(amount).toHaveValue("1");
  await amount.fill("0.001");
  await expect(dialog.getByText("El hub no acepta este valor. De 0.2 segundos a 24 horas")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Guardar" })).toBeDisabled();
  await dialog.getByRole("combobox", { name: "Unidad" }).click();
  await page.getByRole("option", { name: "segundos" }).click();
  await amount.fill("90");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(row).toContainText("90 segundos");
  await expect(row).toContainText("cambiado aquí");
  await expect(page.getByText("Hay cambios que se aplican al reiniciar el hub.")).toBeVisible();
});

test("sign-in without a password is a switch with a warning, which only the hub's .env file can change [UI-224]", async ({
  open,
}) => {
  const page = await open("/system/settings");
  const row = page.getByRole("row", { name: /HUB_DEV_AUTH/ });
  await expect(row).toContainText("Peligroso: cualquiera en la red entra como gerente.");
  await expect(row).toContainText("Solo en el archivo «.env» del hub");
  await expect(row.getByRole("switch")).toBeDisabled();
  await expect(row.getByRole("switch")).not.toBeChecked();
});

test("the audit log and the technical log are in the reader's language [UI-223]", async ({ open, dinner }) => {
  await dinner.operator.createKey("Para la bitácora");
  await setPin(dinner.restaurant, "clerk", "889900");
  await resetPin(dinner.restaurant, "Clara Rosario");
  const page = await open("/system/audit");
  await expect(
    page.getByRole("row", { name: /Marisol Peña Quitó la clave de una persona Clara Rosario/ }),
  ).toBeVisible();
  await expect(page.getByRole("row", { name: /Clara Rosario Cambió su clave/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Marisol Peña Creó una llave Para la bitácora/ })).toBeVisible();
  await open("/system/logs");
  await expect(page.getByText("Apuntes técnicos del programa")).toBeVisible();
  const line = page.getByRole("row", { name: /Se creó una llave API key created/ }).first();
  await expect(line).toContainText("normal");
  await expect(line).toContainText("solicitudes");
});

test("the tab's title names the screen and the restaurant, with the number of problems [UI-226]", async ({
  open,
  dinner,
}) => {
  const page = await open("/kitchen");
  await expect(page).toHaveTitle(/^\(\d+\) Cocina · La Terraza$/);
  await open("/orders/POS%2F2026%2F00002");
  await expect(page).toHaveTitle(/^\(\d+\) POS\/2026\/00002 · Cuentas · La Terraza$/);
  await page.getByText("EN", { exact: true }).click();
  await expect(page).toHaveTitle(/POS\/2026\/00002 · Checks · La Terraza$/);
  await page.goto("/#/nowhere");
  await expect(page).toHaveTitle(/^\(\d+\) This screen does not exist · La Terraza$/);
  await page.goBack();
  await dinner.restaurant.killHub();
  await expect(page).toHaveTitle(/^⚠ POS/);
  await dinner.restaurant.startHub();
});

test.describe("another time zone", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("a screen in another time zone shows the restaurant's times and says so [UI-227]", async ({ open, dinner }) => {
    const page = await open("/orders/POS%2F2026%2F00002");
    const { timeZone } = await dinner.operator.get<{ timeZone: string }>("/operator/v1/version");
    const place = timeZone.split("/").at(-1)?.replaceAll("_", " ") ?? "";
    await expect(page.getByText(`Hora del restaurante (${place})`)).toBeVisible();
    const { order } = await dinner.operator.get<{ order: { snapshot: { createdAt: string } } }>(
      "/operator/v1/orders/POS%2F2026%2F00002",
    );
    const opened = new Intl.DateTimeFormat("es-DO", { timeZone, hour: "numeric", minute: "2-digit" }).format(
      new Date(order.snapshot.createdAt),
    );
    await expect(page.getByRole("article").getByText(opened).first()).toBeVisible();
  });
});
