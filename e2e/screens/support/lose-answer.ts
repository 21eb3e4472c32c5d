import type { Page } from "@playwright/test";

/** The hub carries out the next such request, and the page never hears of it, as where the hub ends meanwhile. */
export async function loseAnswer(page: Page, method: "POST" | "PUT", address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
