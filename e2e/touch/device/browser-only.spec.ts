import { expect, test } from "../support/touch-test.ts";

test("in a browser the terminal has nothing of the desktop app and never checks for updates [DESK-87] [UPD-61]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "navegador" });
  const requests: URL[] = [];
  page.on("request", (request) => requests.push(new URL(request.url())));
  await page.reload();
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  expect(requests.some(({ pathname }) => pathname.startsWith("/terminal/v1/"))).toBe(true);
  const { port } = new URL(restaurant.hubUrl);
  expect(requests.filter((url) => url.port !== port || /update/.test(url.pathname)).map(String)).toEqual([]);
  expect(await page.evaluate(() => "desktopTerminal" in globalThis)).toBe(false);
  await expect(page.getByRole("button", { name: "Esta PC" })).toHaveCount(0);
});
