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
