import { HOUR_MS, MINUTE_MS } from "@comanda/protocol";
import { newOrder } from "../../support/orders.ts";
import { dateAnswers } from "../support/date-answers.ts";
import { layoutSettled } from "../support/layout.ts";
import { line } from "../support/menu.ts";
import { expect, test } from "../support/screen-test.ts";

test("a ticket that no station has shown is marked, then follows what the kitchen does [UI-16] [UI-171]", async ({
  open,
  dinner,
}) => {
  const { waiter } = dinner;
  waiter.openOrder(newOrder("POS/2026/00070", [line("l1", "chivo", 2)], 67));
  await waiter.idle();
  waiter.sendToKitchen("POS/2026/00070");
  await waiter.idle();
  const page = await open("/kitchen");
  const ticket = page.getByRole("article", { name: "Terraza 7" });
  await expect(ticket.getByText("Nobody has seen it")).toBeVisible();
  const ticketId = waiter.tickets().find(({ posReference }) => posReference === "POS/2026/00070")?.id ?? "";
  waiter.kitchenSeen(ticketId, "caliente");
  await expect(ticket.getByText("Seen", { exact: true })).toBeVisible();
  await expect(ticket.getByText(/Cocina caliente at/)).toBeVisible();
  waiter.bump("POS/2026/00070", "l1", 1);
  await expect(ticket.getByText("1 of 2")).toBeVisible();
  waiter.bump("POS/2026/00070", "l1", 2);
  await expect(ticket).toHaveCount(0);
  await page.getByText("Finished", { exact: true }).click();
  await expect(ticket.getByText(/^took/)).toBeVisible();
});

test("a ticket's waiting time follows the hub's clock, whatever this PC's clock shows [UI-1240]", async ({
  open,
  page,
}) => {
  await page.clock.install({ time: Date.now() + 3 * HOUR_MS });
  await open("/kitchen");
  const ticket = page.getByRole("article", { name: /^Takeout T-/ }).first();
  await expect(ticket).toContainText(/\d (s|min)/);
  await expect(ticket).not.toContainText(/\d h/);
});

test("a takeout number is not broken over two lines beside a long waiting time [UI-615]", async ({ open, page }) => {
  await dateAnswers(page, () => Date.now() + 83 * MINUTE_MS);
  await open("/kitchen");
  const link = page
    .getByRole("article", { name: /^Takeout T-/ })
    .first()
    .getByRole("link");
  await expect(link).toBeVisible();
  for (let width = 600; width <= 660; width += 10) {
    await page.setViewportSize({ width, height: 768 });
    await layoutSettled(page);
    const lines = await link.evaluate((shown) => {
      const text = shown.firstChild as Text;
      const number = document.createRange();
      number.setStart(text, text.data.lastIndexOf("T"));
      number.setEnd(text, text.length);
      return new Set([...number.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
    expect(lines, `at ${width} px`).toBe(1);
  }
});

test("the kitchen lists tickets by station, with customer and waiter, including those of paid checks [UI-171]", async ({
  open,
}) => {
  const page = await open("/kitchen");
  const hot = page.getByRole("region", { name: "Cocina caliente" });
  const bar = page.getByRole("region", { name: "Bar" });
  const paid = hot.getByRole("article", { name: /^Takeout/ });
  await expect(paid.getByText("Altagracia Rosario")).toBeVisible();
  await expect(paid.getByText(/by Wendy Almonte/)).toBeVisible();
  await expect(bar.getByText("Mojito")).toBeVisible();
  await expect(hot.getByText("Mojito")).toHaveCount(0);
  await page.getByRole("combobox", { name: "Station" }).click();
  await page.getByRole("option", { name: "Bar" }).click();
  await expect(bar).toBeVisible();
  await expect(hot).toHaveCount(0);
});

test("a cancelled dish is marked as unseen until its station has seen it [UI-172]", async ({ open, dinner }) => {
  const { waiter } = dinner;
  const page = await open("/kitchen");
  const ticket = page.getByRole("article").filter({ has: page.locator('a[href$="00015"]') });
  await expect(ticket.getByText("Cancellation not seen")).toBeVisible();
  await expect(ticket.getByText("1 cancelled")).toBeVisible();
  const ticketId = waiter.tickets().find(({ posReference }) => posReference === "POS/2026/00015")?.id ?? "";
  waiter.kitchenSeen(ticketId, "caliente");
  await expect(ticket.getByText("Cancellation not seen")).toHaveCount(0);
  await expect(ticket.getByText("1 cancelled")).toBeVisible();
});

test("the list of out-of-stock products shows what is left and makes a product available again [UI-173]", async ({
  open,
  dinner,
}) => {
  const page = await open("/kitchen/out");
  await expect(page.getByRole("row", { name: /Chillo frito/ })).toContainText("Out of stock");
  await expect(page.getByRole("row", { name: /Flan de coco/ })).toContainText("4 left");
  await page.getByRole("button", { name: "Mark a product out of stock" }).click();
  const dialog = page.getByRole("dialog", { name: "Mark a product out of stock" });
  await dialog.getByRole("combobox", { name: "Product" }).fill("Mojito");
  await page.getByRole("option", { name: "Mojito" }).click();
  await dialog.getByRole("button", { name: "Mark" }).click();
  await expect(page.getByRole("row", { name: /Mojito/ })).toContainText("Out of stock");
  await page.getByRole("button", { name: "Mojito: available again" }).click();
  await expect(page.getByText("Mojito is available again.")).toBeVisible();
  await expect(page.getByRole("row", { name: /Mojito/ })).toHaveCount(0);
  await expect.poll(() => dinner.waiter.itemStates().map(({ productId }) => String(productId))).not.toContain("132");
});
