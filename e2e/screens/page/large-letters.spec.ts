import { allScreens } from "../support/all-screens.ts";
import { doubleLetters, overflowOf, layoutSettled } from "../support/layout.ts";
import { expect, test } from "../support/screen-test.ts";

test("every screen follows the browser's font size and does not scroll sideways [UI-1066]", async ({ page, open }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1366, height: 768 });
  await doubleLetters(page);
  for (const { name, address, en } of allScreens) {
    await open(address);
    await expect(page.getByText(en).first(), name).toBeVisible();
    await expect(page.locator("html")).toHaveCSS("font-size", "30px");
    await layoutSettled(page);
    expect.soft(await overflowOf(page), name).toEqual([]);
  }
});

test("the terminal follows the browser's font size [UI-1066]", async ({ page, dinner }) => {
  await doubleLetters(page);
  await page.goto(`${dinner.restaurant.hubUrl}/terminal/`);
  await expect(page.locator("html")).toHaveCSS("font-size", "32px");
});
