import type { Page } from "@playwright/test";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

/** Opens the search with its shortcut and types into it. */
async function search(page: Page, text: string): Promise<void> {
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search everything" }).fill(text);
}

/** Searches, waits until the expected result is listed first, and opens it with Enter. */
async function searchAndEnter(page: Page, text: string, result: RegExp): Promise<void> {
  await search(page, text);
  await expect(results(page).first()).toContainText(result);
  await page.keyboard.press("Enter");
}

const results = (page: Page) => page.getByRole("dialog").getByRole("button");

test("one search finds tables, checks, customers, tickets, terminals, settings and screens [UI-248]", async ({
  open,
}) => {
  const page = await open("/");
  await expect(page.getByRole("button", { name: /^Mesa 1,/ })).toBeVisible();
  for (const [text, result] of [
    ["terraza 2", /^Terraza 2Terraza · Occupied/],
    ["00002", /^POS\/2026\/00002Mesa 2/],
    ["maria", /^María Altagracia1 check/],
    ["MOJITO", /Bar · /],
    ["tablet-7", /^tablet-7/],
    ["hub_name", /HUB_NAME$/],
    ["tills", /^TillsTills/],
    ["shifts", /^ShiftsTills/],
    ["practice", /^PracticeTerminals/],
    ["ready to close", /^Ready to close\?Back-office/],
    ["dark", /^Use the dark theme/],
  ] as const) {
    await search(page, text);
    await expect(results(page).filter({ hasText: result }).first(), text).toBeVisible();
    expect(await seriousIssues(page), text).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("the search works by keyboard alone, even from another text field [UI-248]", async ({ open }) => {
  const page = await open("/orders");
  const field = page.getByRole("searchbox", { name: /^Search by reference/ });
  await field.fill("chur");
  await search(page, "copias");
  await expect(page.getByText("Nothing matches.")).toBeVisible();
  await page.getByRole("textbox", { name: "Search everything" }).fill("out of");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/kitchen\/out$/);
  await search(page, "");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/today$/);
});

test("a search result opens a table with its details and a check with its timeline [UI-249]", async ({ open }) => {
  const page = await open("/kitchen");
  await searchAndEnter(page, "mesa 2", /^Mesa 2.* · Occupied/);
  await expect(page.getByRole("dialog", { name: "Mesa 2" }).getByText("Wendy Mejía")).toBeVisible();
  await page.keyboard.press("Escape");
  await search(page, "POS/2026/00002");
  await results(page).filter({ hasText: "POS/2026/00002" }).first().click();
  await expect(page.getByRole("article", { name: "Check POS/2026/00002" })).toBeVisible();
  await search(page, "altagracia rosario");
  await results(page)
    .filter({ hasText: /^Altagracia Rosario1 check/ })
    .click();
  await expect(page.getByRole("article", { name: "Check POS/2026/00011" })).toBeVisible();
});

test("Enter pressed before the results arrive opens the first of them [UI-249]", async ({ open }) => {
  const page = await open("/system/settings");
  const answers = Promise.withResolvers<void>();
  await page.route(/operator\/v1\/(kitchen|orders)\b/, async (route) => {
    await answers.promise;
    await route.continue();
  });
  await search(page, "maría altagracia");
  await expect(page.getByRole("dialog").getByText("Searching")).toBeVisible();
  await page.keyboard.press("Enter");
  answers.resolve();
  await expect(page.getByRole("dialog", { name: "Search everything" })).toHaveCount(0);
  await expect(page).toHaveURL(/\/(kitchen|orders)/);
});

test("a terminal, ticket or setting found by the search is scrolled to and marked [UI-249]", async ({ open }) => {
  const page = await open("/");
  await searchAndEnter(page, "tablet-7", /tablet-7/);
  await expect(page.locator(".row-found")).toContainText("tablet-7");
  await search(page, "mojito");
  await results(page).filter({ hasText: "Bar" }).first().click();
  await expect(page.locator(".ticket-found")).toContainText("Mojito");
  await searchAndEnter(page, "HUB_WEBHOOK_DISPATCH_MS", /HUB_WEBHOOK_DISPATCH_MS/);
  const setting = page.locator(".row-found");
  await expect(setting).toContainText("HUB_WEBHOOK_DISPATCH_MS");
  await expect(setting).toBeInViewport();
});

test("without a sign-in the search finds screens and tables only [UI-248]", async ({ openPublic }) => {
  const page = await openPublic("/");
  await expect(page.getByRole("img", { name: /^Mesa 1,/ })).toBeVisible();
  for (const text of ["maria", "tablet-7", "POS/2026", "mojito", "HUB_NAME", "dark theme"]) {
    await search(page, text);
    await expect(page.getByText("Nothing matches."), text).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await search(page, "terraza 2");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-found]")).toHaveAccessibleName(/^Terraza 2,/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, locale: "es-DO" });

  test("on a phone the search is opened and used by touch [UI-248]", async ({ open }) => {
    const page = await open("/");
    await page.getByRole("button", { name: /^Buscar \(/ }).tap();
    await page.getByRole("textbox", { name: "Buscar en todo" }).fill("sancocho");
    expect(await seriousIssues(page)).toEqual([]);
    await results(page).first().tap();
    await expect(page).toHaveURL(/#\/kitchen$/);
    await expect(page.locator(".ticket-found")).toContainText("Sancocho");
  });
});

test("the searches for terminals, tickets and the closing ignore case and accents [UI-247]", async ({ open }) => {
  const page = await open("/terminals");
  await page.getByRole("searchbox").fill("CARLOS JIMENEZ");
  await expect(page.getByRole("row", { name: /^caja/ }).first()).toBeVisible();
  await expect(page.getByRole("row", { name: /^tablet-7/ })).toHaveCount(0);
  await page.getByRole("searchbox").fill("nobody");
  await expect(page.getByText("Nothing matches")).toBeVisible();

  await page.goto("/#/kitchen");
  const bar = page.getByRole("region", { name: "Bar" });
  const hot = page.getByRole("region", { name: "Cocina caliente" });
  await page.getByRole("searchbox").fill("MÓJITO");
  await expect(bar.getByText("Mojito")).toBeVisible();
  await expect(hot).toHaveCount(0);

  await page.goto("/#/back-office/closing");
  await page.getByRole("searchbox").fill("terraza 2");
  await expect(page.getByRole("link", { name: "Terraza 2" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Mesa 1", exact: true })).toHaveCount(0);
});

test("the search for orders ignores accents [UI-14]", async ({ open }) => {
  const page = await open("/orders");
  await page.getByRole("searchbox", { name: /^Search by reference/ }).fill("maria");
  await expect(page.getByRole("link", { name: "POS/2026/00002" })).toBeVisible();
  await expect(page.getByRole("link", { name: "POS/2026/00001" })).toHaveCount(0);
});
