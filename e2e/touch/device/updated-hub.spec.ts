import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNextVersion } from "../../support/build-next-version.ts";
import { expect, test } from "../support/touch-test.ts";

let folder: string;
let nextVersion: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "comanda-next-"));
  nextVersion = await buildNextVersion(folder);
});
test.afterEach(async ({ restaurant }) => {
  await restaurant.hub().stop();
  await restaurant.startHub();
});
test.afterAll(() => rm(folder, { recursive: true }));

test("[TOUCH-663] a screen whose files the update has taken away opens all the same", async ({ open, restaurant }) => {
  const page = await open({ name: "parte-que-falta", refusalsExpected: true });
  // The line breaks while the page fetches ahead.
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  await page.route(/\/assets\/recent-screen/, (route) => route.abort());
  await page.reload();
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  await restaurant.hub().stop();
  await page.unroute(/\/assets\/recent-screen/);
  await restaurant.startHub({}, nextVersion);
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await expect(page.getByRole("region", { name: "Cuentas cobradas" })).toBeVisible({ timeout: 45_000 });
  await page.getByRole("link", { name: "Salón" }).tap();
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await expect(page.getByRole("button", { name: /^Enviar · Mesa 1 Cocina 1/ })).toBeVisible();
});
