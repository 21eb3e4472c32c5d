import { join } from "node:path";
import type { Overview } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import type { Dinner } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ refusalsExpected: true, ownDinner: "a manager without internet", locale: "es-DO" });

const clockModule = join(import.meta.dirname, "../../support/movable-clock.ts");
const LONG_MS = "3600000";

test("a manager works through ten minutes without internet [UI-190] [UI-191] [UI-192] [UI-193] [UI-194] [UI-300]", async ({
  openPublic,
  dinner,
}) => {
  test.setTimeout(240_000);
  const { restaurant, waiter } = dinner;
  await restaurant.killHub();
  await restaurant.startHub({
    NODE_OPTIONS: `--import ${clockModule}`,
    // The terminals' clocks do not advance with the hub's, so its timeouts must be long.
    HUB_HEARTBEAT_MS: LONG_MS,
    HUB_LEASE_TTL_MS: LONG_MS,
  });
  await online(waiter);
  await waiter.acquireLease("POS/2026/00005");
  const page = await openPublic("/orders");
  await enterPassword(page);
  await setPin(page, "246824");

  await restaurant.killBackOffice();
  await expect.poll(async () => (await overview(dinner)).backOffice.state).toBe("unreachable");
  await moveClock(dinner, 10 * 60_000);
  // A PC without internet reports itself offline to the browser, although it reaches its own hub.
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));

  await test.step("reads orders, sees a new one appear, and opens it", async () => {
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    waiter.openOrder(newOrder("POS/2026/00090", [line("l1", "sancocho")], 66));
    await page.getByRole("link", { name: "POS/2026/00090" }).click();
    const order = page.getByRole("article", { name: "Cuenta POS/2026/00090" });
    await expect(order.getByText("Se abrió la cuenta")).toBeVisible();
    await expectNoErrors(page);
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  });

  await test.step("releases a lease", async () => {
    const lost = new Promise((resolve) => waiter.on("leaseLost", resolve));
    await page.goto("/#/terminals/leases");
    await page.getByRole("button", { name: "Liberar POS/2026/00005" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Liberar" }).click();
    await lost;
  });

  await test.step("makes a backup, and is told that restoring waits for the internet", async () => {
    await page.goto("/#/system/backups");
    await page.getByRole("button", { name: "Hacer una copia ahora" }).click();
    const panel = page.getByRole("region", { name: "Copias de seguridad" });
    await expect(panel.getByRole("row", { name: /manual/ }).first()).toContainText("Buena");
    await expect(panel.getByText("Necesita internet: descargar y restaurar copias.")).toBeVisible();
    await expectNoErrors(page);
  });

  await test.step("is told what of the keys waits for the internet, and sees them", async () => {
    await page.goto("/#/integrations");
    await expect(page.getByText("Página de pedidos")).toBeVisible();
    await expect(page.getByText("Necesita internet: crear, activar y eliminar llaves.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Crear una llave" })).toBeDisabled();
    await expectNoErrors(page);
  });

  await test.step("every other screen shows what it has", async () => {
    for (const address of ["/", "/terminals", "/kitchen", "/back-office", "/back-office/closing", "/system/logs"]) {
      await page.goto(`/#${address}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
      await expectNoErrors(page);
    }
  });

  await test.step("signs out, and in again with the PIN", async () => {
    await page.getByRole("button", { name: "Sesión de Marisol Peña" }).click();
    await page.getByRole("menuitem", { name: "Cerrar sesión" }).click();
    await page.goto("/#/orders");
    await expect(page.getByText("No hay conexión con el back-office", { exact: true })).toBeVisible();
    await expect(page.getByText(/^Su contraseña no se puede comprobar ahora\./)).toBeVisible();
    expect(await seriousIssues(page)).toEqual([]);
    await enterPin(page, "0000");
    await expect(page.getByText("Usuario o clave incorrectos.")).toBeVisible();
    await enterPin(page, "246824");
    await expect(page.getByRole("link", { name: "POS/2026/00090" })).toBeVisible();
    await expect(page.getByText(/^Entró con su clave: vale hasta las? /)).toBeVisible();
    await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
    expect(await seriousIssues(page)).toEqual([]);
    await page.reload();
    waiter.openOrder(newOrder("POS/2026/00091", [line("l1", "sancocho")], 67));
    await expect(page.getByRole("link", { name: "POS/2026/00091" })).toBeVisible();
  });

  await test.step("goes on when the internet is back, and confirms with the password", async () => {
    await restaurant.startBackOffice();
    await page.goto("/#/integrations");
    await expect(page.getByText("Necesita su contraseña, porque entró con su clave: crear, activar")).toBeVisible();
    await expect(page.getByText(/^Ya hay internet\. Entre con su contraseña/)).toBeVisible();
    await page.getByRole("button", { name: "Entrar con la contraseña" }).click();
    await enterPassword(page);
    await expect(page.getByText("Ya hay internet")).toHaveCount(0);
    await page.getByRole("button", { name: "Crear una llave" }).click();
    const dialog = page.getByRole("dialog", { name: "Crear una llave" });
    await dialog.getByRole("textbox").first().fill("Después del apagón");
    await dialog.getByRole("button", { name: "Crear" }).click();
    await expect(page.getByText(/hub_/).first()).toBeVisible();
  });
});

test("a page whose session the hub does not know says since when it is out of date [UI-190]", async ({
  page,
  dinner,
}) => {
  const { restaurant, operator } = dinner;
  await restaurant.killBackOffice();
  await expect.poll(async () => (await overview(dinner)).backOffice.state).toBe("unreachable");
  const unknown = { token: "this-hub-has-never-seen-it", user: operator.user };
  await page.addInitScript((stored) => sessionStorage.setItem("comanda-session", JSON.stringify(stored)), unknown);
  await page.goto("/#/orders");
  await expect(page.getByText(/^Desactualizado desde las? /)).toBeVisible();
  await expect(page.getByText("En vivo", { exact: true })).toHaveCount(0);
  await restaurant.startBackOffice();
});

test("a list that failed to reload is read again, and until then the page does not claim to be live [UI-195]", async ({
  open,
  dinner,
}) => {
  const page = await open("/kitchen/out");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
  await expect(page.getByText("Chillo frito").first()).toBeVisible();
  const body = { error: "busy", errorCode: "INTERNAL_ERROR" };
  await page.route("**/operator/v1/item-states", (route) => route.fulfill({ status: 500, json: body }));
  dinner.waiter.setItemState({ productId: "140", state: "out" });
  await expect(page.getByText(/^Desactualizado desde las? /)).toBeVisible();
  await page.unroute("**/operator/v1/item-states");
  await expect(page.getByText("En vivo", { exact: true })).toBeVisible();
});

async function enterPassword(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Usuario" }).fill("manager");
  await page.getByRole("textbox", { name: "Contraseña" }).fill("manager");
  await page.getByRole("textbox", { name: "Contraseña" }).press("Enter");
}

async function enterPin(page: Page, pin: string): Promise<void> {
  await page.getByRole("textbox", { name: "Usuario" }).fill("manager");
  await page.getByRole("textbox", { name: "Clave (PIN)" }).fill(pin);
  await page.getByRole("button", { name: "Entrar con la clave" }).click();
}

async function setPin(page: Page, pin: string): Promise<void> {
  await page.getByRole("button", { name: "Sesión de Marisol Peña" }).click();
  await page.getByRole("menuitem", { name: "Clave para entrar sin internet…" }).click();
  const dialog = page.getByRole("dialog", { name: "Clave para entrar sin internet" });
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("textbox", { name: "Clave (PIN)" }).fill(pin);
  await dialog.getByRole("button", { name: "Guardar la clave" }).click();
  await expect(dialog).toBeHidden();
}

async function expectNoErrors(page: Page): Promise<void> {
  await expect(page.locator(".error-notice")).toHaveCount(0);
}

async function overview({ restaurant }: Dinner): Promise<Overview> {
  const answer = await fetch(`${restaurant.hubUrl}/operator/v1/overview`);
  return (await answer.json()) as Overview;
}

/** Advances the hub's clock step by step, until the hub reports that `ms` have passed. */
async function moveClock(dinner: Dinner, ms: number): Promise<void> {
  const until = Date.parse((await overview(dinner)).at) + ms;
  for (let steps = 0; steps < 1_000; steps += 1) {
    if (Date.parse((await overview(dinner)).at) >= until) return;
    process.kill(dinner.restaurant.hub().pid, "SIGUSR2");
  }
  throw new Error("the hub's clock does not move");
}
