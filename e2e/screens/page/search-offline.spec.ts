import type { Page } from "@playwright/test";
import { expect, test } from "../support/screen-test.ts";

test.use({ refusalsExpected: true, ownDinner: "search" });

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search everything" }).fill(text);
}

test("without the hub the search covers what was already loaded, and says so [UI-248]", async ({ open, dinner }) => {
  const page = await open("/orders");
  await expect(page.getByRole("link", { name: "POS/2026/00002" })).toBeVisible();
  await search(page, "tablet-7");
  await expect(page.getByRole("dialog").getByRole("button").filter({ hasText: "tablet-7" }).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await dinner.restaurant.killHub();
  await search(page, "maria altagracia");
  await expect(page.getByText("The hub does not answer: only what was already loaded was searched.")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("button").filter({ hasText: "POS/2026/00002" })).toBeVisible();
  await dinner.restaurant.startHub();
});
