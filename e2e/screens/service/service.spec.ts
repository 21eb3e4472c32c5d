import { newOrder } from "../../support/orders.ts";
import { tables } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test("without a sign-in the service screen shows counts and states, and nothing personal [UI-1]", async ({
  openPublic,
}) => {
  const page = await openPublic("/");
  await expect(page.getByText("Without signing in you see only counts and states.")).toBeVisible();
  await expect(page.getByText("Open checks")).toBeVisible();
  await expect(page.getByRole("img", { name: /^Mesa 1,/ })).toBeVisible();
  await expect(page.getByText("A check was opened").first()).toBeVisible();
  const shown = await page.locator("body").innerText();
  for (const personal of ["POS/", "Wendy", "María", "tablet-1", "RD$", "Mofongo", "Alergia"]) {
    expect(shown, personal).not.toContain(personal);
  }
});

test("a manager sees amounts, and opens a table to see its customer and check [UI-1]", async ({ open }) => {
  const page = await open("/");
  await expect(page.getByText(/RD\$[\d,]+ unpaid/)).toBeVisible();
  await page.getByRole("button", { name: /^Mesa 2,/ }).click();
  const dialog = page.getByRole("dialog", { name: "Mesa 2" });
  await expect(dialog.getByText("Wendy Mejía")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("link").click();
  await expect(page.getByRole("heading", { name: /^Mesa 2/, level: 2 })).toBeVisible();
  await expect(page.getByText(/^POS\/2026\/00002 · /)).toBeVisible();
});

test("the tiles of a wide window and their numbers stand in one row [UI-590]", async ({ open }) => {
  const page = await open("/");
  await page.setViewportSize({ width: 1280, height: 800 });
  const tiles = page.locator(".tiles .tile");
  await expect(tiles).toHaveCount(7);
  const tops = await tiles
    .locator(".tile-value")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});

test("the service screen shows what a terminal does without a reload [UI-3]", async ({ open, dinner }) => {
  const page = await open("/");
  const table = page.getByRole("button", { name: /^Mesa 10,/ });
  await expect(table).toHaveAccessibleName(/Free/);
  dinner.waiter.openOrder(newOrder("POS/2026/00050", [line("l1", "bandera")], 37));
  await dinner.waiter.idle();
  await expect(table).toHaveAccessibleName(/Open/);
  await expect(page.getByRole("link", { name: "POS/2026/00050" }).first()).toBeVisible();
});

test("a table shows its state in words [UI-9]", async ({ open }) => {
  const page = await open("/");
  await expect(page.getByRole("button", { name: /^Mesa 1, Open, for .*someone is working on it$/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Mesa 3, Changed/ })).toBeVisible();
  expect(tables.mesa3).toBe(30);
});

test("the wall shows every floor, and its button leads back to the screens", async ({ openPublic }) => {
  const page = await openPublic("/wall");
  await expect(page.getByRole("heading", { name: "Salón" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Terraza" })).toBeVisible();
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("navigation", { name: "Screens" })).toBeVisible();
});
