import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import type * as library from "@comanda/terminal";
import { openRestaurant, type Restaurant } from "../../support/restaurant.ts";

/** The globals that the bundle adds to the page. */
type WithLibrary = typeof globalThis & { comanda: typeof library; terminal: library.Terminal };

const root = path.resolve(import.meta.dirname, "../../..");
let restaurant: Restaurant;
let bundle = "";

test.beforeAll(async () => {
  restaurant = await openRestaurant();
  const file = path.join(restaurant.folder, "terminal.js");
  const rolldown = path.join(root, "node_modules/rolldown/bin/cli.mjs");
  const entry = path.join(root, "clients/terminal/src/index.ts");
  const args = [entry, "--format", "iife", "--name", "comanda", "--platform", "browser", "--file", file];
  const built = spawnSync(process.execPath, [rolldown, ...args], { cwd: root, encoding: "utf8" });
  expect(built.stderr).not.toMatch(/node:|unresolved/i);
  bundle = `${readFileSync(file, "utf8")}; globalThis.comanda = comanda;`;
});
test.afterAll(() => restaurant?.close());

/** Opens a page of the hub with the library, and a terminal on an IndexedDB outbox in it. */
async function openTerminalIn(page: Page, deviceId: string): Promise<void> {
  await page.goto(restaurant.hubUrl);
  await page.evaluate(bundle);
  const options = { deviceId, token: await restaurant.token("manager"), url: restaurant.hubSocketUrl };
  await page.evaluate(async (input) => {
    const { comanda } = globalThis as WithLibrary;
    const storage = await comanda.openIndexedDbStorage(input.deviceId);
    const terminal = await comanda.openTerminal({ ...input, storage, openSocket: comanda.openWebSocket });
    Object.assign(globalThis, { terminal });
  }, options);
}

const start = (page: Page) => page.evaluate(() => (globalThis as WithLibrary).terminal.start());
const isIdle = (page: Page) => page.evaluate(() => (globalThis as WithLibrary).terminal.idle());

test("a tab that dies with a payment in its outbox sends it when it is back [CLIENT-44]", async ({ page }) => {
  await openTerminalIn(page, "tab");
  await page.evaluate(async () => {
    const { terminal } = globalThis as WithLibrary;
    const lines = [{ id: "1", productId: "1", quantity: 1, unitPrice: 350, total: 350 }];
    const totals = { subtotal: 350, tax: 0, total: 350 };
    terminal.openOrder({ posReference: "POS/tab/1", orderType: "takeout", lines, totals });
    await terminal.pay("POS/tab/1", { payments: [{ methodId: 1, amount: 350 }] }).stored;
  });
  await page.reload();
  await openTerminalIn(page, "tab");
  expect(await page.evaluate(() => (globalThis as WithLibrary).terminal.order("POS/tab/1")?.snapshot.status)).toBe(
    "paid",
  );
  await start(page);
  await isIdle(page);
  const { conflicts, pending } = await page.evaluate(() => {
    const { terminal } = globalThis as WithLibrary;
    return { conflicts: terminal.conflicts().length, pending: terminal.outbox().pending };
  });
  expect([conflicts, pending]).toEqual([0, 0]);
  const other = await restaurant.terminal("other");
  other.start();
  await expect.poll(() => other.order("POS/tab/1")?.snapshot.payments).toEqual([{ methodId: 1, amount: 350 }]);
});

test("a tab whose IndexedDB connection was lost continues without loss [CLIENT-129]", async ({ page }) => {
  await page.addInitScript(() => {
    const opened: IDBDatabase[] = [];
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (this: IDBFactory, ...args: Parameters<typeof open>) {
      const request = open.apply(this, args);
      request.addEventListener("success", () => opened.push(request.result));
      return request;
    };
    Object.assign(globalThis, { loseConnections: () => opened.forEach((each) => each.close()) });
  });
  await openTerminalIn(page, "pausing");
  const { unsaved, pending } = await page.evaluate(async () => {
    const { terminal, loseConnections } = globalThis as WithLibrary & { loseConnections: () => void };
    terminal.openOrder({ posReference: "POS/pausing/1", orderType: "takeout", lines: [] });
    loseConnections();
    await terminal.editOrder("POS/pausing/1", (order) => ({ ...order, notes: "after the pause" })).stored;
    return terminal.outbox();
  });
  expect([unsaved, pending]).toEqual([0, 2]);
  await page.reload();
  await openTerminalIn(page, "pausing");
  const notes = await page.evaluate(() => (globalThis as WithLibrary).terminal.order("POS/pausing/1")?.snapshot.notes);
  expect(notes).toBe("after the pause");
});

test("a second tab cannot open the outbox of the first [CLIENT-43]", async ({ page, context }) => {
  await openTerminalIn(page, "shared");
  const second = await context.newPage();
  await expect(openTerminalIn(second, "shared")).rejects.toThrow(/in use by another tab/);
  await page.close();
  await openTerminalIn(second, "shared");
});
