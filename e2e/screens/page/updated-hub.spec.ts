import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildNextVersion } from "../../support/build-next-version.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "its hub is updated", refusalsExpected: true });

test("a page older than its hub offers a reload, which keeps what was typed [UI-744] [UI-25] [UI-856]", async ({
  dinner: { restaurant, operator },
  open,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "comanda-next-"));
  const nextVersion = await buildNextVersion(folder, "renderer");
  const page = await open("/integrations/webhooks");
  const subscribe = page.getByRole("button", { name: "Create a subscription" });
  const address = page.getByRole("textbox", { name: "Address (http or https)" });
  const reload = page.getByRole("button", { name: "New version: reload" });
  await subscribe.click();
  await address.fill("https://pedidos.example.do/hooks");
  await restaurant.hub().stop();
  // The answer contains an event that the page does not know, so the page cannot parse it.
  const webhooks = "**/operator/v1/webhooks";
  await page.route(webhooks, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll('"events":[', '"events":["order.split",'),
    });
  });
  await restaurant.startHub({}, nextVersion);
  await page.keyboard.press("Escape");
  for (const width of [1366, 820, 390]) {
    await page.setViewportSize({ width, height: 768 });
    await expect(reload).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  expect(await seriousIssues(page)).toEqual([]);
  await subscribe.click();
  await page.getByRole("dialog").getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("It was done");
  expect((await operator.get<{ webhooks: object[] }>("/operator/v1/webhooks")).webhooks).toHaveLength(3);
  await page.keyboard.press("Escape");
  await page.unroute(webhooks);
  await reload.click();
  await expect(page.locator("script[src*='/next-']")).toBeAttached();
  await subscribe.click();
  await expect(address).toHaveValue("https://pedidos.example.do/hooks");
  await expect(reload).toHaveCount(0);
  await rm(folder, { recursive: true });
});
