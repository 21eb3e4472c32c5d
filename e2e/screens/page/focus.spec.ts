import type { ApiKey } from "@comanda/protocol";
import { expect, test } from "../support/screen-test.ts";

test("a newly opened screen starts at its top with the focus on its main region [UI-235]", async ({ open }) => {
  const page = await open("/system/settings");
  await expect(page.getByText("HUB_HTTP_PORT").first()).toBeVisible();
  await page.keyboard.press("End");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole("link", { name: "Kitchen", exact: true }).focus();
  await page.keyboard.press("Enter");
  const main = page.getByRole("main", { name: "Kitchen" });
  await expect(main).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // A tab belongs to the same screen.
  const tab = page.getByRole("tab", { name: "Stations" });
  await tab.focus();
  await page.keyboard.press("Enter");
  await expect(tab).toBeFocused();
  await expect(tab).toHaveAttribute("aria-selected", "true");
});

test("Escape closes the open order and the navigation, and returns the focus [UI-236]", async ({ open }) => {
  const page = await open("/orders");
  const link = page.getByRole("link", { name: "POS/2026/00002" });
  await link.focus();
  await page.keyboard.press("Enter");
  const pane = page.getByRole("article", { name: "Order POS/2026/00002" });
  await expect(pane).toBeFocused();
  // Escape closes a dialog above the pane first.
  await pane.getByRole("button", { name: "Restore this version" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(pane).toBeVisible();
  // In a field, Escape edits the text instead of closing the pane.
  const search = page.getByRole("searchbox");
  await search.fill("00002");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  await expect(pane).toBeVisible();
  await pane.focus();
  await page.keyboard.press("Escape");
  await expect(pane).toHaveCount(0);
  await expect(link).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  const burger = page.getByRole("button", { name: "Open the menu" });
  await burger.click();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(burger).toBeFocused();
});

test("a cut text is shown in full on hover and on keyboard focus [UI-237]", async ({ open }) => {
  const page = await open("/orders");
  await page.setViewportSize({ width: 1260, height: 768 });
  const row = page.getByRole("row", { name: /00002/ });
  const cell = row.getByRole("cell", { name: "María Altagracia" });
  const fullText = (await cell.textContent()) ?? "";
  const hint = page.locator(".cut-text-hint");
  await cell.hover();
  await expect(hint).toHaveText(fullText);
  await page.keyboard.press("Escape");
  await expect(hint).toHaveCount(0);
  await page.keyboard.press("Tab");
  await row.getByRole("link").focus();
  await expect(hint).toContainText(fullText);
});

test("forced colours still mark the current screen, and transitions are reduced on request [UI-241]", async ({
  open,
}) => {
  const page = await open("/orders");
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const chosen = page.getByRole("link", { name: "Orders", exact: true });
  await expect(chosen).toHaveCSS("outline-style", "solid");
  await expect(page.getByRole("link", { name: "Kitchen" })).toHaveCSS("outline-style", "none");
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll("*")].map((element) =>
        Number.parseFloat(getComputedStyle(element).transitionDuration),
      ),
    ),
  );
  expect(longest).toBeLessThanOrEqual(0.001);
});

test("a dialog focuses its first field or safe button and returns the focus when it closes [UI-527]", async ({
  open,
  dinner,
}) => {
  const page = await open("/terminals/leases");
  const dialog = page.getByRole("dialog");
  const release = page.getByRole("button", { name: "Release POS/2026/00001" });
  await release.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(release).toBeFocused();

  // The dialog is opened from a menu, which has closed.
  await page.goto("/#/terminals");
  const menu = page.getByRole("button", { name: "Actions for tablet-1" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Disconnect" }).press("Enter");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();

  // One dialog replaces another.
  await page.goto("/#/integrations");
  const create = page.getByRole("button", { name: "Create a key" });
  await create.click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Kiosk");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "I saved it" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(create).toBeFocused();

  // A form in the page returns the focus, too.
  await page.goto("/#/tills/tills");
  const add = page.getByRole("button", { name: "Add a till" });
  await add.press("Enter");
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(add).toBeFocused();

  // The button that opened the dialog is gone, because the key was deleted elsewhere.
  await page.goto("/#/integrations");
  await page.getByRole("button", { name: "Delete Kiosk" }).press("Enter");
  const { keys } = await dinner.operator.get<{ keys: ApiKey[] }>("/operator/v1/keys");
  const kiosk = keys.find(({ label }) => label === "Kiosk");
  await dinner.operator.delete(`/external-keys/${kiosk?.keyId}`);
  await expect(page.getByRole("row", { name: /Kiosk/, includeHidden: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
});

test("a button regains the focus when it is no longer busy [UI-591]", async ({ open }) => {
  const page = await open("/system/backups");
  const button = page.getByRole("button", { name: "Back up now" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Backup made and verified.")).toBeVisible();
  await expect(button).toBeFocused();
});

test("a double click leaves the dialog open, and a click outside a form discards nothing [UI-532]", async ({
  open,
}) => {
  const page = await open("/integrations/deliveries");
  const dialog = page.getByRole("dialog");
  const delivery = page.getByRole("button", { name: /^Show delivery/ }).first();
  await delivery.dblclick({ delay: 20 });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/#/integrations");
  await page.getByRole("button", { name: "Create a key" }).dblclick({ delay: 20 });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await name.fill("Delivery");
  await page.mouse.click(5, 400);
  await expect(name).toHaveValue("Delivery");
});

test("a long name without spaces fits the title of a dialog on a phone [UI-532]", async ({ open, dinner }) => {
  const name = "InstitutoTecnologicoDeSantoDomingo".repeat(2).slice(0, 60);
  await dinner.operator.post("/operator/v1/tills", { id: "largo", name, terminals: [] });
  const page = await open("/tills/tills");
  await page.getByRole("button", { name: `Delete the till ${name}` }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  const dialog = page.getByRole("dialog");
  const [title, close] = [dialog.getByRole("heading"), dialog.getByRole("button", { name: "Close" })];
  const end = (box: { x: number; width: number } | null) => (box === null ? Number.NaN : box.x + box.width);
  expect(end(await title.boundingBox())).toBeLessThanOrEqual((await close.boundingBox())?.x ?? 0);
  expect(end(await close.boundingBox())).toBeLessThanOrEqual(390);
  // The other specs share this dinner and expect no tills.
  await dinner.operator.delete("/operator/v1/tills/largo");
});
