import { expect, test } from "../support/screen-test.ts";

test("a setting shows where it comes from, and one fixed by the environment cannot be changed [UI-21]", async ({
  open,
}) => {
  const page = await open("/system/settings");
  const fixed = page.getByRole("row", { name: /HUB_HTTP_PORT/ });
  await expect(fixed).toContainText("fixed where the hub is started");
  await expect(fixed.getByRole("button")).toHaveCount(0);
  const secret = page.getByRole("row", { name: /ERP_PASSWORD/ });
  await expect(secret).toContainText(/set, not shown|not set/);
});

test("changing the database asks for the password, and allowed hosts change only in the .env file [UI-169]", async ({
  open,
}) => {
  const page = await open("/system/settings");
  const hosts = page.getByRole("row", { name: /HUB_ALLOWED_HOSTS/ });
  await expect(hosts).toContainText("Only in the hub's .env file");
  await expect(hosts.getByRole("button")).toHaveCount(0);
  await page
    .getByRole("row", { name: /ERP_DB/ })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Password of the hub's user")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("a manager makes and verifies a backup, and a restore says what it brings back [UI-21] [UI-11]", async ({
  open,
}) => {
  const page = await open("/system/backups");
  await page.getByRole("button", { name: "Back up now" }).click();
  await expect(page.getByText("Backup made and verified.")).toBeVisible();
  const row = page.getByRole("row", { name: /manual/ }).first();
  await expect(row).toContainText("Good");
  await row.getByRole("button", { name: /^Verify/ }).click();
  await expect(page.getByText("Verified: Good.")).toBeVisible();
  await row.getByRole("button", { name: /^Restore/ }).click();
  const dialog = page.getByRole("dialog", { name: "Restore a backup" });
  await expect(dialog.getByText(/^Restores the checks as they were on/)).toBeVisible();
  await expect(dialog.getByText("The current file is kept; it is not deleted.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Restore" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
});

test("a manager checks the data file [UI-21]", async ({ open }) => {
  const page = await open("/system/data");
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("The file is healthy.")).toBeVisible();
});

test("the log screen filters lines and follows new ones [UI-21]", async ({ open, dinner }) => {
  const page = await open("/system/logs");
  await page.getByRole("searchbox", { name: "Search the logs" }).fill("API key created");
  await expect(page.getByRole("row", { name: /API key created/ }).first()).toBeVisible();
  await dinner.operator.createKey("Para el registro");
  await expect(page.getByRole("row", { name: /Para el registro/ })).toBeVisible();
});

test("the audit log says who did what, and a diagnostics bundle lists its content before the download [UI-21]", async ({
  open,
  dinner,
}) => {
  await dinner.operator.createKey("Para la auditoría");
  const page = await open("/system/audit");
  await expect(page.getByRole("row", { name: /Marisol Peña Created a key Para la auditoría/ })).toBeVisible();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole("columnheader", { name: "Action" })).toBeInViewport();
  await page.getByRole("tab", { name: "Overview" }).click();
  await expect(page.getByText("settings.json")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the bundle" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/diagnostics/);
});

test("a drill on a practice hub shows with counts that nothing is lost [UI-21] [UI-265]", async ({ open }) => {
  const page = await open("/system");
  await page.getByRole("button", { name: "Run the drill" }).click();
  const counts = "20 checks paid with the line cut · 20 kept · 20 arrived when it came back";
  await expect(page.getByText(counts)).toBeVisible({ timeout: 60_000 });
  const lost = page.locator("dt", { hasText: /^Lost$/ }).locator("xpath=following-sibling::dd[1]");
  await expect(lost).toHaveText("0");
});
