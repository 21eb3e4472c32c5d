import type { Page } from "@playwright/test";
import { createOperator } from "../../screens/support/operator.ts";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { enterPin, setPin } from "../support/people-acts.ts";
import { expect, test } from "../support/touch-test.ts";

const openDetails = async (page: Page) => {
  await page.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Datos de la cuenta" }).tap();
  return page.getByRole("dialog", { name: "Datos de la cuenta" });
};

test("the typed details of a check survive a reload, until they are cancelled, and overwrite nothing [TOUCH-1570]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("borrador-gerente");
  await online(manager);
  await manager.openOrder(newOrder("DRAFT/1", [lineOf("a", 300, { name: "Tostones" })], 28)).outcome;
  const page = await open({ name: "borrador-1", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/table/28"));
  const sheet = await openDetails(page);
  await sheet.getByLabel("Notas").fill("Cumpleaños de la abuela, con bizcocho");
  await sheet.getByRole("button", { name: "4", exact: true }).tap();
  await page.reload();
  await manager.editOrder("DRAFT/1", (content) => {
    content.customerName = "Familia Peña";
  }).outcome;
  await openDetails(page);
  await expect(sheet.getByLabel("Notas")).toHaveValue("Cumpleaños de la abuela, con bizcocho");
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect
    .poll(() => manager.order("DRAFT/1")?.snapshot)
    .toMatchObject({ notes: "Cumpleaños de la abuela, con bizcocho", guestCount: 4, customerName: "Familia Peña" });

  await openDetails(page);
  await sheet.getByLabel("Notas").fill("otra cosa");
  await page.keyboard.press("Escape");
  await page.reload();
  await openDetails(page);
  await expect(sheet.getByLabel("Notas")).toHaveValue("Cumpleaños de la abuela, con bizcocho");
});

test("a new booking that was being typed opens again after a reload, for nobody else [TOUCH-1570]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "cashier", "2222");
  const page = await open({ name: "borrador-2", managerWasHere: true });
  await page.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Anotar reserva" }).tap();
  const sheet = page.getByRole("dialog", { name: "Anotar reserva" });
  await sheet.getByLabel("Nombre").fill("Familia Tavárez");
  await sheet.getByLabel("Nota").fill("silla de bebé");
  await page.reload();
  await expect(sheet.getByLabel("Nombre")).toHaveValue("Familia Tavárez");
  await expect(sheet.getByLabel("Nota")).toHaveValue("silla de bebé");

  await page.evaluate(() => (location.hash = "#/floor"));
  await page.reload();
  await page.getByRole("button", { name: /^Trabaja/ }).tap();
  await enterPin(page, /^Carlos/, "2222");
  await expect(page.getByText(/^Ahora trabaja Carlos/)).toBeVisible();
  await page.evaluate(() => (location.hash = "#/host"));
  await page.getByRole("button", { name: "Anotar reserva" }).tap();
  await expect(sheet.getByLabel("Nombre")).toHaveValue("");
});

test("a float that was typed is not there for the person who takes over the device [TOUCH-1570]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "manager", "111111");
  const till = { id: "borrador-3", name: "Caja 3", terminals: ["borrador-3"] };
  await (await createOperator(restaurant)).post("/operator/v1/tills", till);
  const page = await open({ name: "borrador-3", login: "cashier", managerWasHere: true });
  await page.getByRole("link", { name: "Caja", exact: true }).tap();
  const keypad = page.getByRole("group", { name: "Teclado" });
  for (const digit of "25") await keypad.getByRole("button", { name: digit, exact: true }).tap();
  await expect(page.getByRole("button", { name: "Abrir con RD$25.00" })).toBeVisible();
  await page.getByRole("button", { name: /^Trabaja/ }).tap();
  await enterPin(page, /^Marisol/, "111111");
  await expect(page.getByRole("button", { name: "Abrir con RD$0.00" })).toBeVisible();
});

test("the note typed for a dish survives a reload until its sheet is closed [TOUCH-1570]", async ({ open }) => {
  const page = await open({ name: "borrador-4", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/table/31"));
  const tile = page.locator(".tile").filter({ hasText: "Tostones con salsa de ajo" });
  const sheet = page.getByRole("dialog", { name: "Tostones con salsa de ajo" });
  const [note, allergy] = [sheet.getByLabel("Otra nota"), sheet.getByLabel("Otra alergia")];
  await tile.click({ button: "right" });
  await note.fill("sin pelar");
  await sheet.getByRole("button", { name: "Sin sal" }).tap();
  await allergy.fill("ajonjolí");
  await page.reload();
  await tile.click({ button: "right" });
  await expect(note).toHaveValue("sin pelar");
  await expect(allergy).toHaveValue("ajonjolí");
  await expect(sheet.getByRole("button", { name: "Sin sal" })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await tile.click({ button: "right" });
  await expect(note).toHaveValue("");
});
