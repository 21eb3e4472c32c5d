import { test as base, expect, type Page } from "@playwright/test";
import { openChain, PASSWORD, type Chain } from "./chain.ts";

interface Screens {
  /** Opens a screen by its address behind `#`, signed in as the owner or as `login`. */
  open: (address: string, login?: string) => Promise<Page>;
  /** Set by tests that provoke refusals, because the browser logs each of them as an error. */
  refusalsExpected: boolean;
}

/** A page on headquarters with five hundred restaurants, which the specs share. Each test fails on a console error. */
export const test = base.extend<Screens, { chain: Chain }>({
  chain: [
    async ({ browserName }, use) => {
      // Playwright requires a fixture to name the fixture that it builds on.
      void browserName;
      const chain = await openChain();
      await chain.setUp();
      await use(chain);
      await chain.close();
    },
    { scope: "worker", timeout: 240_000 },
  ],
  refusalsExpected: [false, { option: true }],
  baseURL: async ({ chain }, use) => use(chain.url),
  page: async ({ page, refusalsExpected }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      const isRefusal =
        /401 \(Unauthorized\)|403 \(Forbidden\)|404 \(Not Found\)|409 \(Conflict\)|ERR_INTERNET_DISCONNECTED/.test(
          message.text(),
        );
      if (message.type() === "error" && !(isRefusal && refusalsExpected)) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await use(page);
    expect(complaints, "console errors").toEqual([]);
  },
  open: async ({ page }, use) => {
    await use(async (address, login = "rosa") => {
      await page.request.post("/hq/v1/session", { data: { login, password: PASSWORD } });
      await page.goto(`/#${address}`);
      return page;
    });
  },
});
export { expect };
