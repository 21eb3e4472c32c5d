import type { Page } from "@playwright/test";
import type { TouchScreen } from "./all-touch-screens.ts";

/** Returns the last match, which is the one in the frontmost sheet. */
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).last();

/** Returns a function that taps these buttons in turn; the sheet is open at the end. */
function taps(...names: (string | RegExp)[]): (page: Page) => Promise<void> {
  return async (page) => {
    for (const name of names) await button(page, name).tap();
    await page.getByRole("dialog").last().waitFor();
  };
}

/** Like `taps`, on the lines of a check. */
function checkTaps(...names: (string | RegExp)[]): (page: Page) => Promise<void> {
  return async (page) => {
    await openLines(page);
    await taps(...names)(page);
  };
}

/** Like `taps`, on a selected line. */
function lineTaps(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await chooseLine(page);
    await taps(name)(page);
  };
}

/** Like `taps`, on the person's sheet once it is open: a phone's navigation has a button of the same name. */
function personTaps(...names: string[]): (page: Page) => Promise<void> {
  return async (page) => {
    await taps(/^Trabaja/)(page);
    await taps(...names)(page);
  };
}

const check = { address: "/check/POS%2F2026%2F00002", sign: "Entradas" };
const pay = { address: "/pay/POS%2F2026%2F00012", sign: "Efectivo" };
const inMenu = (name: string) => checkTaps("Acciones de la cuenta", name);

/** The sheets of all screens, with the taps that open them. */
export const allTouchSheets: readonly TouchScreen[] = [
  { name: "places", address: "/floor", sign: "Mesa 1", act: openOtherPlaces },
  { name: "table number", address: "/floor", sign: "Mesa 1", act: openTableNumber },
  { name: "choices", address: "/table/28", sign: "Entradas", act: openChoices },
  { name: "stock", address: "/table/28", sign: "Entradas", act: taps("Agotado…", /^Tostones/) },
  { name: "check acts", ...check, act: checkTaps("Acciones de la cuenta") },
  { name: "change table", ...check, act: inMenu("Cambiar de mesa") },
  { name: "merge", ...check, act: inMenu("Unir con otra cuenta") },
  { name: "join", ...check, act: inMenu("Juntar mesas") },
  { name: "hand over", ...check, act: inMenu("Pasar a otro mesero") },
  { name: "discount", ...check, act: inMenu("Descuento") },
  { name: "details", ...check, act: inMenu("Datos de la cuenta") },
  { name: "discard", ...check, act: inMenu("Anular la cuenta") },
  { name: "split", ...check, act: checkTaps("Dividir") },
  { name: "chosen lines", ...check, act: chooseLine },
  { name: "move", ...check, act: lineTaps("Mover") },
  { name: "void", ...check, act: lineTaps("Anular") },
  { name: "comp", ...check, act: lineTaps("Cortesía") },
  { name: "equal parts", ...pay, act: (page) => button(page, "÷3").tap() },
  { name: "amount", ...pay, act: taps("Otro monto") },
  { name: "fiscal number", ...pay, act: taps(/^Consumidor final/) },
  { name: "credit", ...pay, act: taps("Crédito de cliente") },
  { name: "take back a payment", ...pay, act: taps("Devolver") },
  { name: "approval", ...pay, act: taps("Exacto") },
  { name: "receipt", address: "/pay/POS%2F2026%2F00011", sign: "Cobrado" },
  { name: "paid check", address: "/recent", sign: "Altagracia Rosario", act: openPaidCheck },
  { name: "recall", address: "/kitchen", sign: "Empezar turno", act: taps("Recuperar") },
  { name: "kitchen settings", address: "/kitchen", sign: "Empezar turno", act: taps("Ajustes") },
  { name: "part of a dish", address: "/kitchen", sign: "Empezar turno", act: taps(/: por partes$/) },
  { name: "refund", address: "/recent", sign: "Altagracia Rosario", act: openRefund },
  { name: "walk-in", address: "/host", sign: "Familia Peralta", act: taps("Llegaron sin reserva") },
  { name: "seat", address: "/host", sign: "Familia Peralta", act: taps("Sentar: Rosa Almonte") },
  { name: "wait", address: "/host", sign: "Familia Peralta", act: taps("Anotar en espera") },
  { name: "phone booking", address: "/host", sign: "Familia Peralta", act: taps("Anotar reserva") },
  { name: "booking", address: "/host", sign: "Familia Peralta", act: taps("Más sobre Rosa Almonte") },
  { name: "seat who waits", address: "/host", sign: "Familia Peralta", act: taps("Sentar: Pedro Luis") },
  { name: "account", address: "/floor", sign: "Mesa 1", act: personTaps("Más") },
  { name: "new PIN", address: "/floor", sign: "Mesa 1", act: personTaps("Más", "Poner mi clave (PIN)") },
];

/** Opens the menu of further places, unless there is room for all of them. */
async function openOtherPlaces(page: Page): Promise<void> {
  const others = page.getByRole("navigation").getByRole("button", { name: "Más" });
  if (await others.isVisible()) await taps("Más")(page);
}

/** Opens the table number pad, which exists only without a floor plan. */
async function openTableNumber(page: Page): Promise<void> {
  const number = button(page, "Número de mesa");
  if (await number.isVisible()) await number.tap();
}

async function openChoices(page: Page): Promise<void> {
  await page.locator(".tile").first().click({ button: "right" });
  await page.getByRole("dialog").last().waitFor();
}

/** Opens the lines, which on a phone are behind the total. */
async function openLines(page: Page): Promise<void> {
  const total = page.locator(".order-total");
  if (await total.isVisible()) await total.tap();
}

/** Selects a line, unless one is still selected where the check is always visible. */
async function chooseLine(page: Page): Promise<void> {
  await openLines(page);
  const chosen = page.getByRole("group", { name: "Líneas elegidas" });
  if (!(await chosen.isVisible())) await button(page, /^\d La Bandera/).tap();
  await chosen.waitFor();
}

async function openRefund(page: Page): Promise<void> {
  await openPaidCheck(page);
  await taps("Devolver")(page);
}

async function openPaidCheck(page: Page): Promise<void> {
  await button(page, /^Altagracia Rosario/).tap();
  await page.getByRole("article", { name: "COPIA" }).waitFor();
}
