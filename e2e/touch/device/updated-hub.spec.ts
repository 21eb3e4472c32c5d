import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNextVersion } from "../../support/build-next-version.ts";
import { expect, hasAllScreens, terminalUrl, test } from "../support/touch-test.ts";

/** A screen in a file of its own. */
const kitchenScreen = /\/assets\/kitchen-screen-.*\.js/;

let folder: string;
let nextVersion: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "comanda-next-"));
  nextVersion = await buildNextVersion(folder, "terminal");
});
test.afterEach(async ({ restaurant }) => {
  await restaurant.hub().stop();
  await restaurant.startHub();
});
test.afterAll(() => rm(folder, { recursive: true }));

test("a screen whose files an update has removed still opens, and keeps the unsent dishes [TOUCH-663]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "parte-que-falta", kind: "pc", refusalsExpected: true });
  // Prefetching this screen fails, as if the connection broke.
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  const fetched = page.waitForRequest(kitchenScreen);
  await page.route(kitchenScreen, (route) => route.abort());
  await page.reload();
  await fetched;
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await restaurant.hub().stop();
  await page.unroute(kitchenScreen);
  await restaurant.startHub({}, nextVersion);
  await page.getByRole("link", { name: "Cocina" }).tap();
  await expect(page.locator(".kitchen")).toBeVisible({ timeout: 45_000 });
  await page.getByRole("link", { name: "Salón" }).tap();
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await expect(page.getByRole("button", { name: /^Enviar · Mesa 1 Cocina 1/ })).toBeVisible();
});

test("a page older than its hub works on, says so, and loads the new version on request without losing work [TOUCH-664]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "pantalla-vieja", refusalsExpected: true });
  await page.getByRole("link", { name: /^Mesa 2 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  const mark = page.getByRole("link", { name: "Versión nueva" });
  await expect(mark).toHaveCount(0);
  // Otherwise the missing screens would come from the new version.
  await hasAllScreens(page);
  await restaurant.hub().stop();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await restaurant.startHub({}, nextVersion);
  await expect(mark).toBeVisible();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await mark.tap();
  await expect(page.getByText("La PC principal tiene una versión nueva de esta pantalla.")).toBeVisible();
  await page.getByRole("button", { name: "Actualizar" }).tap();
  await expect(page.locator("script[src*='/next-']")).toBeAttached();
  await page.getByRole("link", { name: "Salón" }).tap();
  await page.getByRole("link", { name: /^Mesa 2 / }).tap();
  await expect(page.getByRole("button", { name: /^Enviar · Mesa 2 Cocina 3/ })).toBeVisible();
  await expect(mark).toHaveCount(0);
});

test("a screen that the hub never has reloads the page once, and only when a person opens it [TOUCH-663]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "parte-perdida", kind: "pc", refusalsExpected: true });
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  let requestCount = 0;
  await page.route(kitchenScreen, async (route) => {
    requestCount += 1;
    await route.fulfill({ status: 404 });
  });
  await page.goto(`${terminalUrl(restaurant)}?otra-vez`);
  await page.getByRole("link", { name: /^Mesa 3 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  let loads = 0;
  page.on("load", () => (loads += 1));
  // The page keeps retrying in the background while a person works.
  await page.waitForFunction(() => performance.now() > 24_000);
  expect(loads).toBe(0);
  await page.getByRole("link", { name: "Cocina" }).tap();
  await expect.poll(() => loads).toBe(1);
  const before = requestCount;
  await expect.poll(() => requestCount, { timeout: 30_000 }).toBeGreaterThan(before + 5);
  expect(loads).toBe(1);
});
