import type { Page } from "@playwright/test";
import { expect, test } from "../support/screen-test.ts";

const MAX_BYTES = 400_000;

/** Counts the bytes that the page receives, by path, for a browser with an empty cache that accepts these encodings. */
async function countBytes(page: Page, encodings: string): Promise<Map<string, number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Encoding": encodings } });
  const paths = new Map<string, string>();
  const received = new Map<string, number>();
  devtools.on("Network.requestWillBeSent", ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    received.set(paths.get(requestId) ?? requestId, encodedDataLength);
  });
  return received;
}

// Over plain HTTP a browser accepts brotli only from its own computer.
for (const encodings of ["br, gzip", "gzip"]) {
  test(`the first screen transfers at most 400 KB when the browser accepts ${encodings} [UI-245]`, async ({
    open,
    page,
  }) => {
    const received = await countBytes(page, encodings);
    await open("/");
    await expect(page.getByText(/RD\$[\d,]+ unpaid/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Mesa 1,/ })).toBeVisible();
    await expect(page.getByText("A check was opened").first()).toBeVisible();
    expect([...received.keys()]).toContain("/operator/v1/overview");
    const bytes = [...received.values()].reduce((sum, length) => sum + length, 0);
    expect(bytes, JSON.stringify([...received])).toBeLessThanOrEqual(MAX_BYTES);
    // Ensures that something was measured.
    expect(bytes).toBeGreaterThan(50_000);
  });
}

test("the page shows that it is loading while the code of a screen arrives [UI-520]", async ({ open, page }) => {
  const arrives = Promise.withResolvers<void>();
  await page.route(/\/assets\/orders-screen-.*\.js/, async (route) => {
    await arrives.promise;
    await route.continue();
  });
  await open("/orders");
  const loading = page.getByRole("main").getByRole("status", { name: "Loading…" });
  await expect(loading).toBeVisible();
  arrives.resolve();
  await expect(page.getByRole("heading", { name: "Checks" })).toBeVisible();
  await expect(loading).toHaveCount(0);
});
