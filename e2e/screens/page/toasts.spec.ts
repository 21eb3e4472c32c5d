import type { Page } from "@playwright/test";
import { expect, test } from "../support/screen-test.ts";

/** Returns the buttons and links that a message covers, without its own and those of the banner. */
function coveredBy(page: Page, message: string): Promise<string[]> {
  return page.evaluate((text) => {
    const toast = [...document.querySelectorAll(".mantine-Notification-root")].find(({ textContent }) =>
      textContent.includes(text),
    );
    if (toast === undefined) throw new Error("there is no such message");
    const { left, right, top, bottom } = toast.getBoundingClientRect();
    return [...document.querySelectorAll("button, a[href], input")]
      .filter((each) => !toast.contains(each) && each.closest(".sentence") === null)
      .filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      })
      .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent);
  }, message);
}

for (const width of [1366, 820]) {
  test(`at ${width} px a toast covers no button below the banner [UI-408]`, async ({ open, page, dinner }) => {
    await page.setViewportSize({ width, height: 768 });
    await open("/kitchen/out");
    await dinner.operator.post("/operator/v1/item-states", { productId: 105, state: "out" });
    const restore = page.getByRole("button", { name: "Chicharrón de cerdo: available again" });
    await restore.click();
    const done = "Chicharrón de cerdo is available again.";
    await expect(page.getByText(done)).toBeVisible();
    expect(await coveredBy(page, done)).toEqual([]);
  });
}

test.describe(() => {
  test.use({ refusalsExpected: true });

  test("a failure notice disappears once the same action succeeds [UI-733]", async ({ open, page, dinner }) => {
    await dinner.operator.post("/operator/v1/item-states", { productId: 106, state: "out" });
    await open("/kitchen/out");
    const restore = page.getByRole("button", { name: /: available again$/ }).first();
    await page.route("**/operator/v1/item-states", (route) =>
      route.request().method() === "POST" ? route.abort() : route.fallback(),
    );
    await restore.click();
    const toasts = page.locator(".mantine-Notification-root");
    await expect(toasts).toHaveCount(1);
    await expect(toasts).not.toContainText("is available again.");
    await page.unroute("**/operator/v1/item-states");
    await restore.click();
    await expect(toasts.filter({ hasText: "is available again." })).toBeVisible();
    await expect(toasts).toHaveCount(1);
  });

  test("a failure notice stays when saving another setting succeeds [UI-733]", async ({ open, page }) => {
    await open("/system/settings");
    const switches = page.getByRole("switch", { name: /headquarters/i });
    await page.route("**/operator/v1/settings", (route) =>
      route.request().method() === "GET" ? route.fallback() : route.abort(),
    );
    await switches.nth(0).press(" ");
    const toasts = page.locator(".mantine-Notification-root");
    const saved = toasts.filter({ hasText: "Saved" });
    const failed = toasts.filter({ hasNotText: "Saved" });
    await expect(failed).toHaveCount(1);
    await page.unroute("**/operator/v1/settings");
    // Switches off and on again.
    for (const isOn of [false, true]) {
      await switches.nth(1).press(" ");
      await expect(switches.nth(1)).toBeChecked({ checked: !isOn });
      await expect(saved).toHaveCount(1);
    }
    await expect(failed).toHaveCount(1);
    await switches.nth(0).press(" ");
    await expect(failed).toHaveCount(0);
    await switches.nth(0).press(" ");
  });
});
