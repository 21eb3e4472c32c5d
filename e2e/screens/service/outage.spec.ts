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

test("the back-office page shows when the back-office stops and resumes responding [UI-2]", async ({
  open,
  dinner,
}) => {
  const page = await open("/");
  await dinner.restaurant.killBackOffice();
  const sentence = page.getByRole("region", { name: "Overall state" });
  await page.goto("/#/back-office");
  await expect(page.getByText("Not responding").first()).toBeVisible({ timeout: 20_000 });
  await dinner.restaurant.startBackOffice();
  await expect(page.getByText("Responding", { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(sentence).toBeVisible();
});
