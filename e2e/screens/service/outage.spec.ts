import { MINUTE_MS } from "@comanda/protocol";
import { expect, test } from "../support/screen-test.ts";

test.use({ refusalsExpected: true, ownDinner: "outage" });

test("a screen says since when it is out of date while the hub is down, and recovers by itself [UI-2] [UI-3]", async ({
  open,
  dinner,
}) => {
  const page = await open("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await dinner.restaurant.killHub();
  await expect(page.getByText(/^Out of date since /)).toBeVisible();
  await expect(page.getByRole("region", { name: "Overall state" })).toContainText("No connection to the hub since");
  await dinner.restaurant.startHub();
  await expect(page.getByText("Live", { exact: true })).toBeVisible({ timeout: 20_000 });
});

test("the sentence on top and the back-office page show when the back-office stops and resumes responding [UI-2]", async ({
  open,
  dinner,
}) => {
  const page = await open("/");
  await dinner.restaurant.killBackOffice();
  const sentence = page.getByRole("region", { name: "Overall state" });
  await page.goto("/#/back-office");
  await expect(page.getByText("Not responding").first()).toBeVisible({ timeout: 20_000 });
  // The dinner's unapplied payment comes first, so the connection is among the others.
  await sentence.getByRole("button", { name: /^and \d+ more$/ }).click();
  const outage = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "No connection to the back-office" });
  await expect(outage).toContainText("Service continues: orders, payments and the kitchen all work.");
  await expect(outage).toContainText("Check the internet and the server.");
  await dinner.restaurant.startBackOffice();
  await expect(page.getByText("Responding", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(outage).toHaveCount(0);
});

test("a screen says by the hub's clock since when a read fails, whatever this PC's clock shows [UI-1240]", async ({
  open,
  page,
  dinner,
}) => {
  await page.clock.install({ time: Date.now() + 30 * MINUTE_MS });
  await open("/");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await page.route("**/operator/v1/overview", (route) => route.abort());
  await dinner.restaurant.killBackOffice();
  const shown = (await page.getByText(/^Out of date since /).textContent()) ?? "";
  await dinner.restaurant.startBackOffice();
  const minute = Number(/:(\d\d):/.exec(shown)?.[1]);
  const ageInMinutes = (new Date().getMinutes() - minute + 60) % 60;
  expect(ageInMinutes).toBeLessThan(5);
});
