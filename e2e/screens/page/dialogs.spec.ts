import type { Locator, Page } from "@playwright/test";
import { allScreens } from "../support/all-screens.ts";
import { overflowOf, layoutSettled, show, sizes } from "../support/layout.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ refusalsExpected: true });

const looks = sizes.map((size, index) => ({ size, colorScheme: index % 2 === 0 ? "light" : "dark" }) as const);

/** Checks an open dialog or menu at every size, in one theme each, because its colours do not depend on the size. */
async function checkOpen(page: Page, part: string, name: string): Promise<void> {
  for (const { size, colorScheme } of looks) {
    await show(page, size, colorScheme);
    expect.soft(await overflowOf(page), `${name} at ${size.width} px`).toEqual([]);
    expect.soft(await seriousIssues(page, part), `${name} at ${size.width} px, ${colorScheme}`).toEqual([]);
  }
  await page.setViewportSize(sizes[2]);
}

/** Returns the indexes of one control of each kind; those in further rows differ only in the row that they act on. */
async function differentOnes(controls: Locator): Promise<number[]> {
  const kinds = await controls.evaluateAll((all) => all.map((one) => `${one.textContent} ${one.innerHTML.length}`));
  return kinds.flatMap((kind, index) => (kinds.indexOf(kind) === index ? [index] : []));
}

test("axe finds nothing serious in any dialog or menu, and Escape closes each @looks [UI-236] [UI-240]", async ({
  open,
  page,
}) => {
  test.setTimeout(400_000);
  // Blocks every request that would change something.
  await page.route("**/*", (route) => (route.request().method() === "GET" ? route.fallback() : route.abort()));
  const found: string[] = [];
  for (const { name, address } of allScreens.filter((screen) => screen.name !== "wall")) {
    const openAgain = async () => {
      await open(address);
      // Hides the notices of blocked requests, which would cover other buttons.
      await page.addStyleTag({ content: ".mantine-Notifications-root { display: none }" });
      await layoutSettled(page);
    };
    await openAgain();
    const shown = page.url();
    const buttons = page.getByRole("main").locator("button:not([role=tab]):enabled, g[role=button]");
    for (const index of await differentOnes(buttons)) {
      // The last button may have opened another page or removed buttons.
      if (page.url() !== shown) await openAgain();
      if (index >= (await buttons.count())) continue;
      await buttons.nth(index).click();
      await layoutSettled(page);
      const items = page.getByRole("menuitem").and(page.locator(":enabled"));
      for (const item of await differentOnes(items)) {
        if (item === 0) await checkOpen(page, "[role=menu]", `a menu of ${name}`);
        await items.nth(item).click();
        await checkDialog(name, found);
        await buttons.nth(index).click();
      }
      if ((await items.count()) > 0) await page.keyboard.press("Escape");
      else await checkDialog(name, found);
    }
  }
  // Without this check, a walk that opens nothing would pass.
  expect(found.length).toBeGreaterThan(20);

  async function checkDialog(screen: string, titles: string[]): Promise<void> {
    const dialog = page.getByRole("dialog");
    if ((await dialog.count()) === 0) return;
    const title = (await dialog.getByRole("heading").first().textContent()) ?? screen;
    titles.push(title);
    await checkOpen(page, "[role=dialog]", title);
    // If a focused field has a list open, Escape closes the list first.
    const list = page.getByRole("listbox");
    if ((await list.count()) > 0) {
      await page.keyboard.press("Escape");
      await expect(list, title).toHaveCount(0);
    }
    await page.keyboard.press("Escape");
    await expect(dialog, title).toHaveCount(0);
  }
});
