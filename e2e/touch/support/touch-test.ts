import { test as base, expect, type Browser, type Page } from "@playwright/test";
import { devices, type DeviceKind } from "./devices.ts";
import { HUB_NAME } from "./hub-name.ts";
import { openRestaurant, type Restaurant } from "../../support/restaurant.ts";

/** Drinks go to the bar, everything else to the kitchen. */
const stations = [
  { id: "cocina", name: "Cocina", categoryIds: [1, 2, 3], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [4], productIds: [] },
];

export interface DeviceOptions {
  /** The device's name from its pairing code, by which the hub identifies the device. */
  name: string;
  login?: "waiter" | "cashier" | "manager" | "clerk";
  kind?: DeviceKind;
  language?: "es" | "en";
  /** Not signed in: shows the sign-in form. */
  isNew?: boolean;
  /** Set by tests that provoke refusals or stop the hub, because the browser logs each failure as an error. */
  refusalsExpected?: boolean;
  /** A manager has signed in on the device before, so it accepts the PINs of all people. */
  managerWasHere?: boolean;
  /** The device's time zone; the machine's if absent. */
  timeZone?: string;
  /** Runs in the page before the page's own scripts. */
  before?: () => void;
}

export interface Touch {
  /** Opens the terminal on a new device, signed in and with the hub's state; fails on any error logged by the page. */
  open: (options: DeviceOptions) => Promise<Page>;
}

/** Opens the restaurant of a spec file and closes the one of the file before. */
export type RestaurantOf = (specFile: string) => Promise<Restaurant>;

/** Each spec file has its own restaurant, whose tables no other file uses. */
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
    const pageErrors: string[] = [];
    const opened: Page[] = [];
    await use(async (options) => {
      const page = await openDevice(browser, restaurant, options, pageErrors);
      opened.push(page);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
    expect(pageErrors, "errors of the pages").toEqual([]);
  },
});
export { devices, expect, type DeviceKind };

/** Returns the terminal's address on the origin that is not a secure context. */
export function terminalUrl({ hubUrl }: Restaurant, path = "/terminal/"): string {
  const url = new URL(path, hubUrl);
  url.hostname = HUB_NAME;
  return url.href;
}

/** Waits until the page has fetched every screen, because it cannot open missing ones without the hub. */
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
  pageErrors: string[],
): Promise<Page> {
  const context = await browser.newContext({
    viewport: devices[kind],
    hasTouch: true,
    locale: language === "es" ? "es-DO" : "en-US",
    reducedMotion: "reduce",
    ...(timeZone !== undefined && { timezoneId: timeZone }),
  });
  // Long enough for a busy machine, but below a test's own timeout, which would hide the place of a failure.
  context.setDefaultTimeout(30_000);
  await context.addInitScript(countTaps);
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.on("console", (message) => {
    const isRefusal = /^(Failed to load resource|WebSocket connection to)/.test(message.text());
    if (message.type() === "error" && !(isRefusal && refusalsExpected)) pageErrors.push(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => pageErrors.push(`${name}: ${error.message}`));
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

/** Returns the stored account of a person who is signed in on a terminal. */
async function accountOf(restaurant: Restaurant, login: string): Promise<string> {
  return JSON.stringify({ token: await restaurant.token(login), user: { id: login, name: login } });
}

type CountedWindow = Window & { taps: number };

function countTaps(): void {
  const counted = window as unknown as CountedWindow;
  counted.taps = 0;
  window.addEventListener("pointerdown", () => (counted.taps += 1), { capture: true });
}

/** Counts the touches of the page during `task`, which are the taps that a person needs. */
export async function tapsOf(page: Page, task: () => Promise<void>): Promise<number> {
  const before = await page.evaluate(() => (window as unknown as CountedWindow).taps);
  await task();
  return (await page.evaluate(() => (window as unknown as CountedWindow).taps)) - before;
}
