import type { Page } from "@playwright/test";

/** Every screen of the touch terminal: its address, a text that shows that it has loaded, and actions that open it further. */
export const allTouchScreens: readonly TouchScreen[] = [
  { name: "floor", address: "/floor", sign: "Mesa 1" },
  { name: "order", address: "/table/28", sign: "Entradas" },
  { name: "check", address: "/table/29", sign: "Entradas", act: openCheck },
  { name: "takeaway", address: "/takeaway", sign: "Nueva para llevar" },
  { name: "pay", address: "/pay/POS%2F2026%2F00003", sign: "Efectivo" },
  { name: "bill", address: "/bill/POS%2F2026%2F00003", sign: "Total" },
  { name: "recent", address: "/recent", sign: "Cuentas cobradas" },
  { name: "kitchen", address: "/kitchen", sign: "Empezar turno" },
  { name: "pass", address: "/expo", sign: "listo" },
  { name: "host", address: "/host", sign: "Familia Peralta" },
  { name: "conflicts", address: "/conflicts", sign: "Conexión" },
  { name: "device", address: "/device", sign: "Este dispositivo" },
  { name: "person", address: "/floor", sign: "Mesa 1", act: openPerson },
];

/** Screens of the practice mode, in which the page stays afterwards. */
export const practiceScreens: readonly TouchScreen[] = [
  { name: "practice", address: "/floor", sign: "Mesa 1", act: enterPractice },
  { name: "practice-tasks", address: "/floor", sign: "Mesa 1", act: openTasks },
];

export interface TouchScreen {
  name: string;
  address: string;
  sign: string;
  /** Actions of a person before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

/** Opens the check, which on a phone is behind its total. */
async function openCheck(page: Page): Promise<void> {
  const total = page.locator(".order-total");
  if (await total.isVisible()) await total.click();
}

async function openPerson(page: Page): Promise<void> {
  await page.locator(".person-chip").click();
  await page.getByRole("dialog").waitFor();
}

async function enterPractice(page: Page): Promise<void> {
  const bar = page.getByRole("region", { name: "Práctica" });
  if (await bar.isVisible()) return;
  await openPerson(page);
  await page.getByRole("dialog").getByRole("button", { name: "Más", exact: true }).click();
  await page.getByRole("button", { name: "Practicar" }).click();
  await bar.waitFor();
  await page.getByRole("main").getByText("Mesa 1").first().waitFor();
}

async function openTasks(page: Page): Promise<void> {
  await enterPractice(page);
  await page.getByRole("button", { name: /^Tareas/ }).click();
  await page.getByRole("dialog").waitFor();
}
