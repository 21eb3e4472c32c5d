import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/screen-test.ts";

test("a disconnected tablet with unsent work is listed first, with its changes and payments [UI-15] [UI-181]", async ({
  open,
}) => {
  const page = await open("/terminals");
  const first = page.getByRole("row").nth(1);
  await expect(first).toContainText("tablet-7");
  await expect(first).toContainText("Away");
  await expect(first).toContainText("3 changes");
  await expect(first).toContainText("1 payment of RD$1,450.00");
  await expect(first).toContainText(/for \d+ min/);
});

test("a manager disconnects a terminal after reading what that does [UI-11] [UI-15]", async ({ open, dinner }) => {
  const spare = await dinner.restaurant.terminal("prestada", { login: "waiter" });
  await online(spare);
  const page = await open("/terminals");
  await page.getByRole("button", { name: "Actions for prestada" }).click();
  await page.getByRole("menuitem", { name: "Disconnect" }).click();
  const dialog = page.getByRole("dialog", { name: "Disconnect prestada" });
  await expect(dialog.getByText(/stays stored on the terminal/)).toBeVisible();
  const cut = new Promise((resolve) => spare.on("connection", (state) => state.name !== "online" && resolve(state)));
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await cut;
  await expect(page.getByText("prestada was disconnected.")).toBeVisible();
  await spare.stop();
});

test("a new device is marked until a manager confirms it with one click [UI-340]", async ({ open, dinner }) => {
  const spare = await dinner.restaurant.terminal("nueva", { login: "waiter" });
  await online(spare);
  const page = await open("/terminals");
  const row = page.getByRole("row", { name: /nueva/ });
  await expect(row).toContainText("New device: confirm it");
  await page.getByRole("button", { name: "Confirm nueva" }).click();
  await expect(page.getByText("nueva belongs to the restaurant.")).toBeVisible();
  await expect(row).not.toContainText("New device");
  await spare.stop();
});

test("a manager forgets a terminal in use after reading what that does [UI-161]", async ({ open, dinner }) => {
  const spare = await dinner.restaurant.terminal("perdida", { login: "waiter" });
  await online(spare);
  const page = await open("/terminals");
  // Another spec of the same dinner may have left a tablet-perdida.
  const row = page.getByRole("row", { name: /^perdida / });
  await expect(row).toHaveCount(1);
  await page.getByRole("button", { name: "Actions for perdida" }).click();
  await page.getByRole("menuitem", { name: "Forget" }).click();
  const dialog = page.getByRole("dialog", { name: "Forget perdida" });
  await expect(dialog.getByText(/no longer recognises this terminal/)).toBeVisible();
  await expect(dialog.getByText(/is using it: the connection is cut/)).toBeVisible();
  const ended = new Promise((resolve) => spare.on("connection", (state) => state.name === "ended" && resolve(state)));
  await dialog.getByRole("button", { name: "Forget" }).click();
  expect(await ended).toMatchObject({ reason: "forbidden" });
  await expect(page.getByText("The hub has forgotten perdida.")).toBeVisible();
  await expect(row).toHaveCount(0);
  await spare.stop();
});

test("a manager releases a check that a terminal has leased [UI-15]", async ({ open, dinner }) => {
  await dinner.waiter.acquireLease("POS/2026/00005");
  const lost = new Promise((resolve) => dinner.waiter.on("leaseLost", resolve));
  const page = await open("/terminals/leases");
  await page.getByRole("button", { name: "Release POS/2026/00005" }).click();
  const dialog = page.getByRole("dialog", { name: "Release POS/2026/00005" });
  await expect(dialog.getByText(/loses the check at once and is notified/)).toBeVisible();
  await dialog.getByRole("button", { name: "Release" }).click();
  await expect(page.getByText("POS/2026/00005 is free.")).toBeVisible();
  await lost;
});

test("the connect screen shows no code when the hub listens on its own PC only [UI-271]", async ({ open }) => {
  const page = await open("/terminals/connect");
  await expect(page.getByRole("alert").getByText("terminals cannot reach it")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Code that connects/ })).toHaveCount(0);
  await expect(page.getByText(/scan/i)).toHaveCount(0);
  await expect(page.getByText(/^ws:\/\//)).toBeVisible();
});

test("a manager sees who has a PIN and removes one after reading what that does [UI-183]", async ({ open }) => {
  const page = await open("/terminals/people");
  await expect(page.getByRole("row", { name: /^Wendy Almonte/ })).toContainText("In use");
  await page.getByRole("button", { name: "Remove the PIN of Wendy Almonte" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the PIN of Wendy Almonte" });
  await expect(dialog.getByText(/until they sign in with their password and set a new one/)).toBeVisible();
  await dialog.getByRole("button", { name: "Remove the PIN" }).click();
  await expect(page.getByText("The PIN of Wendy Almonte was removed.")).toBeVisible();
  await expect(page.getByText("Nobody has a PIN yet")).toBeVisible();
});
