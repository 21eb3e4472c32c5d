import { expect, test as base, type Page } from "@playwright/test";
import type { ForwardPage, Overview } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { newOrder } from "../../support/orders.ts";
import { online, openRestaurant, type Restaurant } from "../../support/restaurant.ts";
import { line } from "../support/menu.ts";
import { createOperator, type Operator } from "../support/operator.ts";

interface Fixtures {
  /** A quiet restaurant of this test, and its manager. */
  restaurant: Restaurant;
  operator: Operator;
  /** Opens a screen as the manager. */
  open: (address: string) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads which fixtures are needed from the pattern
  restaurant: async ({}, use) => {
    const restaurant = await openRestaurant({ HUB_NAME: "La Terraza", HUB_TIME_ZONE: "America/Santo_Domingo" });
    await use(restaurant);
    await restaurant.close();
  },
  operator: async ({ restaurant }, use) => use(await createOperator(restaurant)),
  open: async ({ page, restaurant, operator }, use) => {
    const session = JSON.stringify({ token: operator.token, user: operator.user });
    await page.addInitScript((stored) => sessionStorage.setItem("comanda-session", stored), session);
    await use(async (address) => {
      await page.goto(`${restaurant.hubUrl}/#${address}`);
      return page;
    });
  },
});

// The restaurant's time counts, even if the reader's clock shows another one.
test.use({ timezoneId: "Asia/Tokyo" });

const sentenceOf = (page: Page) => page.getByRole("region", { name: "Overall state" });

async function openTill(restaurant: Restaurant): Promise<Terminal> {
  const till = await restaurant.terminal("till", { login: "cashier" });
  await online(till);
  return till;
}

async function sell(till: Terminal, names: string[]): Promise<void> {
  for (const posReference of names) {
    till.openOrder({ ...newOrder(posReference, [line("l1", "tostones")]), orderType: "takeout" });
    await till.idle();
    till.pay(posReference, {
      payments: [{ methodId: 1, amount: till.order(posReference)?.snapshot.totals.total ?? 0 }],
    });
    await till.idle();
  }
}

async function control(restaurant: Restaurant, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await fetch(`${restaurant.backOfficeUrl}/stub/v1${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

test("the banner counts the checks saved during an outage, then those that arrived [UI-200] [UI-201]", async ({
  open,
  restaurant,
  operator,
}) => {
  const page = await open("/orders");
  const sentence = sentenceOf(page);
  await operator.until<Overview>("/operator/v1/overview", ({ backOffice }) => backOffice.state === "reachable");
  const till = await openTill(restaurant);
  await restaurant.killBackOffice();
  await expect(sentence).toContainText(/No connection to the back-office for .* nothing waiting/);
  await sell(till, ["POS/1", "POS/2"]);
  await expect(sentence).toContainText("2 checks saved, they will be sent by themselves");
  await expect(sentence).toContainText("Service continues");
  await restaurant.startBackOffice();
  await expect(sentence).toContainText("All 2 checks that were saved have arrived.", { timeout: 20_000 });
  await expect(sentence).toContainText(/The outage lasted .*, and nothing was lost\./);
});

test("the banner names the worst problem, lists the others, and is calm about checks set aside [UI-202] [UI-203] [UI-301]", async ({
  open,
  restaurant,
  operator,
}) => {
  await control(restaurant, "POST", "/faults", {
    faults: [{ refuse: { posReferences: ["POS/9"], error: "Falta el RNC", errorCode: "NCF_INVALID" } }],
  });
  await sell(await openTill(restaurant), ["POS/9"]);
  await operator.until<ForwardPage>("/operator/v1/forward?state=attention", ({ events }) => events.length === 1);
  await restaurant.killBackOffice();
  const page = await open("/back-office/attention");
  const sentence = sentenceOf(page);
  await expect(sentence).toContainText("The back-office rejected a paid check.");
  await sentence.getByRole("button", { name: "and 1 more" }).click();
  const list = page.getByRole("dialog", { name: "Everything to know now" });
  await expect(list.getByRole("listitem")).toHaveText([/rejected a paid check/, /No connection to the back-office/]);
  await list.getByRole("link", { name: /No connection to the back-office/ }).click();
  await expect(page).toHaveURL(/#\/back-office$/);
  await expect(list).toBeHidden();

  await page.goto(`${restaurant.hubUrl}/#/back-office/attention`);
  await page.getByRole("button", { name: "Set POS/9 aside" }).click();
  const dialog = page.getByRole("dialog", { name: "Set POS/9 aside" });
  await expect(dialog.getByLabel("Until tomorrow 9:00 AM")).toBeChecked();
  await expect(dialog.getByRole("button", { name: "Set aside" })).toBeDisabled();
  await dialog.getByLabel("Another time").check();
  await dialog.getByRole("textbox", { name: "Another time" }).fill("2020-01-01T09:00");
  await dialog.getByLabel("Reason").fill("el contable viene mañana");
  await expect(dialog.getByRole("button", { name: "Set aside" })).toBeDisabled();
  await dialog.getByLabel("Until tomorrow 9:00 AM").check();
  await dialog.getByRole("button", { name: "Set aside" }).click();
  const row = page.getByRole("row", { name: /POS\/9/ });
  await expect(row).toContainText("Set aside until tomorrow 9:00 AM");
  await expect(row).toContainText("el contable viene mañana");
  await expect(sentence).toContainText("No connection to the back-office");
  await expect(sentence.getByRole("button", { name: "and 1 more" })).toBeVisible();
  await restaurant.startBackOffice();
  await expect(sentence).toContainText("One check is set aside until tomorrow 9:00 AM.", { timeout: 20_000 });
  await expect(sentence).toHaveAttribute("data-tone", "idle");
});

test("a screen that was never opened opens while the hub is unreachable [UI-204]", async ({ open, restaurant }) => {
  const page = await open("/");
  await expect.poll(() => page.evaluate(areFetched, ["integrations-screen", "kitchen-screen"])).toBe(true);
  await restaurant.killHub();
  await expect(sentenceOf(page)).toContainText("No connection to the hub since");
  await page.getByRole("link", { name: "Kitchen", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Kitchen", level: 1 })).toBeVisible();
  await expect(sentenceOf(page)).toContainText("No connection to the hub since");
});

test("on a phone the sentence on top keeps its explanation where no button leads to one [UI-2]", async ({
  open,
  restaurant,
}) => {
  const page = await open("/orders");
  await page.setViewportSize({ width: 390, height: 844 });
  const sentence = sentenceOf(page);
  const explanation = sentence.getByText(/this page reconnects by itself|Service continues/);
  await restaurant.killBackOffice();
  await expect(sentence.getByRole("link", { name: "View and resolve" })).toBeVisible();
  await expect(explanation).toBeHidden();
  await restaurant.killHub();
  await expect(sentence).toContainText("No connection to the hub since");
  await expect(explanation).toBeVisible();
});

test("a screen whose code could not be fetched opens by itself when the hub is back [UI-204]", async ({
  open,
  page,
  restaurant,
}) => {
  await page.route(/assets\/kitchen-screen/, (route) => route.abort());
  await open("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await restaurant.killHub();
  await expect(sentenceOf(page)).toContainText("No connection to the hub since");
  await page.getByRole("link", { name: "Kitchen", exact: true }).click();
  await expect(page.getByText("This screen is not loaded yet")).toBeVisible();
  await expect(sentenceOf(page)).toContainText("No connection to the hub since");
  await page.unroute(/assets\/kitchen-screen/);
  await restaurant.startHub();
  await expect(page.getByRole("heading", { name: "Kitchen", level: 1 })).toBeVisible({ timeout: 30_000 });
});

/** Returns whether these chunks of the page have been loaded, with all that they import. */
async function areFetched(names: string[]): Promise<boolean> {
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  const scripts = names.map((name) => resources.find((url) => url.includes(`/assets/${name}`) && url.endsWith(".js")));
  if (scripts.includes(undefined)) return false;
  await Promise.all(scripts.map((script) => import(script ?? "")));
  const styles = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  return styles.every(({ sheet }) => sheet !== null);
}
