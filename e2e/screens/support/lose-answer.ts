import type { Page } from "@playwright/test";

/** Lets the hub carry out the next such request but drops its response, as if the hub had ended in between. */
export async function loseAnswer(page: Page, method: "POST" | "PUT", address: string): Promise<void> {
  let isLost = false;
  await page.route(address, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
}
