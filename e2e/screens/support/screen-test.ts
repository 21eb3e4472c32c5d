import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { serveDinner, type Dinner } from "./dinner.ts";

interface Screens {
  /** Opens a screen by its address behind `#`, signed in as a manager. */
  open: (address: string) => Promise<Page>;
  /** Like `open`, without a sign-in. */
  openPublic: (address: string) => Promise<Page>;
  /** Set by tests that provoke refusals, because the browser logs each of them as an error. */
  refusalsExpected: boolean;
}

/**
 * A page on a dinner service that the specs share; specs that would disturb others name an `ownDinner`. Every test fails on a
 * console error or a violation of the page's policy.
 */
export const test = base.extend<Screens, { dinner: Dinner; ownDinner: string }>({
  ownDinner: ["", { option: true, scope: "worker" }],
  refusalsExpected: [false, { option: true }],
  dinner: [
    async ({ ownDinner }, use) => {
      // Depending on it is enough: Playwright starts a worker, and so a dinner, for each of its values.
      void ownDinner;
      const dinner = await serveDinner();
      await use(dinner);
      await dinner.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ dinner }, use) => use(dinner.restaurant.hubUrl),
  page: async ({ page, refusalsExpected }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !(isRefusal && refusalsExpected)) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await use(page);
    // A request that a test answers itself may be in flight when the test ends.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    expect(complaints, "console errors").toEqual([]);
  },
  open: async ({ page, dinner }, use) => {
    const session = { token: dinner.operator.token, user: dinner.operator.user };
    await page.addInitScript((stored) => {
      if (sessionStorage.getItem("comanda-test-signed-in") !== null) return;
      sessionStorage.setItem("comanda-test-signed-in", "yes");
      sessionStorage.setItem("comanda-session", JSON.stringify(stored));
    }, session);
    await use(async (address) => {
      await page.goto(`/#${address}`);
      return page;
    });
  },
  openPublic: async ({ page }, use) => {
    await use(async (address) => {
      await page.goto(`/#${address}`);
      return page;
    });
  },
});
export { expect };

/** Returns axe's serious findings on the page or a part of it, including targets below 24 px and pages without a title. */
export async function seriousIssues(page: Page, part?: string): Promise<string[]> {
  // With reduced motion, transitions end in a moment; endless animations (a progress bar) are not waited for.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  // Legacy mode, because axe would otherwise open a second page for frames, which do not exist here. Injects axe once per page.
  const hasAxe = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder(hasAxe ? { page, axeSource: ";" } : { page })
    .setLegacyMode()
    .options({ rules: { "target-size": { enabled: true } }, resultTypes: ["violations"], preload: false });
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ id, impact }) => impact === "serious" || impact === "critical" || id === "page-has-heading-one")
    .flatMap(({ id, nodes }) =>
      nodes
        // The library's menus begin with an empty element that has the focus until an item gets it.
        .filter(({ html }) => !(id === "aria-required-children" && html.includes('role="menu"')))
        .map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`),
    );
}
