import { deviceLine } from "../support/device-line.ts";
import { signInByForm } from "../support/people-acts.ts";
import { expect, test } from "../support/touch-test.ts";

test("a floor plan that is still on its way is reported as that, not as missing [TOUCH-1541]", async ({ open }) => {
  const page = await open({ name: "plano-en-camino" });
  await page.route("**/terminal/v1/floors", () => {});
  await page.reload();
  await expect(page.getByText("Trayendo el plano de la PC principal…")).toBeVisible();
});

test("a menu that could not be loaded at sign-in is requested again automatically [TOUCH-404]", async ({ open }) => {
  const page = await open({ name: "menu-tardio", isNew: true, refusalsExpected: true });
  let refused = 0;
  await page.route("**/terminal/v1/menu", async (route) => {
    refused += 1;
    if (refused > 2) return route.continue();
    const body = { errorCode: "UPSTREAM_UNAVAILABLE", error: "the back-office does not answer" };
    return route.fulfill({ status: 503, json: body });
  });
  await signInByForm(page, "waiter");
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await expect(page.locator(".tile").filter({ hasText: "Quipes de res" })).toBeVisible();
  expect(refused).toBeGreaterThan(2);
});

test("a missing menu is explained by the connection, or by the back-office that the hub could not reach [TOUCH-1572]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "menu-sin-leer", isNew: true, refusalsExpected: true });
  const body = { errorCode: "UPSTREAM_UNAVAILABLE", error: "nothing was read yet" };
  for (const part of ["menu", "floors"]) {
    await page.route(`**/terminal/v1/${part}`, (route) => route.fulfill({ status: 503, json: body }));
  }
  await signInByForm(page, "waiter");
  await expect(page.getByText("Trayendo el plano de la PC principal…")).toBeVisible();
  await restaurant.killBackOffice();
  await expect(page.getByText("no ha podido leerlos del back-office. Un gerente ve la razón")).toBeVisible();
  await page.evaluate(() => (location.hash = "#/table/28"));
  await expect(page.getByText("no ha podido leerlos del back-office. Un gerente ve la razón")).toBeVisible();
  await (await deviceLine(page)).cut();
  await expect(page.getByText("Llegan solos cuando vuelva la conexión con la PC principal")).toBeVisible();
  await restaurant.startBackOffice();
});
