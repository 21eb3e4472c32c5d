import { test as base, expect, type Browser, type Page } from "@playwright/test";
import { devices, type DeviceKind } from "./devices.ts";
import { HUB_NAME } from "./hub-name.ts";
import { openRestaurant, type Restaurant } from "../../support/restaurant.ts";

/** Drinks go to the bar, all else to the kitchen. */
const stations = [
  { id: "cocina", name: "Cocina", categoryIds: [1, 2, 3], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [4], productIds: [] },
];

export interface DeviceOptions {
  /** The name that the device's pairing code brings; by it the hub knows the device. */
  name: string;
  login?: "waiter" | "cashier" | "manager" | "clerk";
  kind?: DeviceKind;
  language?: "es" | "en";
  /** Not signed in: shows the form. */
  isNew?: boolean;
  /** The test provokes refusals or takes the hub away: the browser logs each as an error. */
  refusalsExpected?: boolean;
  /** A manager has signed in there before: it takes everybody's PIN. */
  managerWasHere?: boolean;
  /** The time zone that the device is set to; the machine's without it. */
  timeZone?: string;
  /** Runs in the page before anything else. */
  before?: () => void;
}

export interface Touch {
  /** A page of the terminal on a device of its own, signed in and with the hub's state; fails on any complaint of the page. */
  open: (options: DeviceOptions) => Promise<Page>;
}

/** Opens a spec file's restaurant, and closes that of the file before. */
export type RestaurantOf = (specFile: string) => Promise<Restaurant>;

/** Each spec file has a restaurant of its own, whose tables nobody else uses. */
export const test = base.extend<Touch & { restaurant: Restaurant }, { restaurantOf: RestaurantOf }>({
  restaurantOf: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures wanted from this pattern
    async ({}, use) => {
      let opened: { specFile: string; restaurant: Restaurant } | undefined;
      await use(async (specFile) => {
        if (opened?.specFile === specFile) return opened.restaurant;
        await opened?.restaurant.close();
        opened = undefined;
        const restaurant = await openRestaurant({
          HUB_ALLOWED_HOSTS: HUB_NAME,
          HUB_STATIONS: JSON.stringify(stations),
          HUB_ENABLED_PLUGINS: "reservations",
        });
        opened = { specFile, restaurant };
        return restaurant;
      });
      await opened?.restaurant.close();
    },
    { scope: "worker" },
  ],
  restaurant: async ({ restaurantOf }, use, { file }) => use(await restaurantOf(file)),
  open: async ({ browser, restaurant }, use) => {
    const complaints: string[] = [];
    const opened: Page[] = [];
    await use(async (options) => {
      const page = await openDevice(browser, restaurant, options, complaints);
      opened.push(page);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
    expect(complaints, "complaints of the pages").toEqual([]);
  },
});
export { devices, expect, type DeviceKind };

/** The terminal's address on the origin that is not secure. */
export function terminalUrl({ hubUrl }: Restaurant, path = "/terminal/"): string {
  const url = new URL(path, hubUrl);
  url.hostname = HUB_NAME;
  return url.href;
}

/** Waits until the page has fetched every screen: without the hub it opens none that it has not. */
export async function hasAllScreens(page: Page): Promise<void> {
  await expect(page.locator("html[data-parts=fetched]")).toBeAttached();
}

async function openDevice(
  browser: Browser,
  restaurant: Restaurant,
  {
    name,
    login = "waiter",
    kind = "phone",
    language = "es",
    isNew = false,
    refusalsExpected = false,
    managerWasHere = false,
    timeZone,
    before,
  }: DeviceOptions,
  complaints: string[],
): Promise<Page> {
  const context = await browser.newContext({
    viewport: devices[kind],
    hasTouch: true,
    locale: language === "es" ? "es-DO" : "en-US",
    reducedMotion: "reduce",
    ...(timeZone !== undefined && { timezoneId: timeZone }),
  });
  // Generous, because a busy machine must not look like a broken product; short of a test's own end, which would hide where.
  context.setDefaultTimeout(30_000);
  await context.addInitScript(countTaps);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.on("console", (message) => {
    const isRefusal = /^(Failed to load resource|WebSocket connection to)/.test(message.text());
    if (message.type() === "error" && !(isRefusal && refusalsExpected)) complaints.push(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
  if (!isNew) {
    await context.addInitScript(
      (stored) => {
        if (localStorage.getItem("comanda-terminal-account") !== null) return;
        localStorage.setItem("comanda-terminal-account", stored);
      },
      await accountOf(restaurant, managerWasHere ? "manager" : login),
    );
  }
  await page.goto(terminalUrl(restaurant, `/terminal/?name=${name}`));
  if (managerWasHere) {
    await page.getByRole("button", { name: /Marisol Peña$/ }).waitFor();
    const account = await accountOf(restaurant, login);
    await page.evaluate((stored) => localStorage.setItem("comanda-terminal-account", stored), account);
    await page.reload();
  }
  return page;
}

/** What a terminal keeps of the person who is signed in there. */
async function accountOf(restaurant: Restaurant, login: string): Promise<string> {
  return JSON.stringify({ token: await restaurant.token(login), user: { id: login, name: login } });
}

type CountedWindow = Window & { taps: number };

function countTaps(): void {
  const counted = window as unknown as CountedWindow;
  counted.taps = 0;
  window.addEventListener("pointerdown", () => (counted.taps += 1), { capture: true });
}

/** How often the page was touched while `task` was done: what a person's fingers had to do. */
export async function tapsOf(page: Page, task: () => Promise<void>): Promise<number> {
  const before = await page.evaluate(() => (window as unknown as CountedWindow).taps);
  await task();
  return (await page.evaluate(() => (window as unknown as CountedWindow).taps)) - before;
}
