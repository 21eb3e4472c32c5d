import type { Page } from "@playwright/test";

/** Changes the time that the hub's answers carry, in ms since 1970; null leaves the page to its own clock. */
export async function dateAnswers(page: Page, time: () => number | null): Promise<void> {
  await page.route(/\/operator\/v1\/(?!stream)/, async (route) => {
    const response = await route.fetch();
    const { date: _, ...headers } = response.headers();
    const at = time();
    if (at !== null) headers["date"] = new Date(at).toUTCString();
    await route.fulfill({ response, headers });
  });
}
