import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { newOrder } from "../../support/orders.ts";
import { tables } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "another hub", refusalsExpected: true });

test("checks that terminals hold from a former hub are recovered or dismissed [UI-360]", async ({ dinner, open }) => {
  const { restaurant, waiter } = dinner;
  const checks = ["00020", "00021", "00022"].map((number) => `POS/2026/${number}`);
  for (const reference of checks) waiter.openOrder(newOrder(reference, [line("l1", "bandera", 2)], tables.mesa6));
  await waiter.idle();
  await restaurant.killHub();
  await restaurant.startHub({ HUB_DB_PATH: join(mkdtempSync(join(restaurant.folder, "another-")), "hub.sqlite") });

  const page = await open("/system/backups");
  await expect(page.getByRole("paragraph").filter({ hasText: /or the hub was replaced/ })).toBeVisible();
  const panel = page.getByRole("region", { name: "What the former hub had" });
  await expect(panel.getByText(/^Terminals hold checks of another hub/)).toBeVisible();
  const row = panel.getByRole("row").filter({ hasText: "POS/2026/00020" });
  await expect(row).toContainText("The whole check");
  await expect(row).toContainText("former hub");
  expect(await seriousIssues(page)).toEqual([]);
  await row.getByRole("button", { name: /^Recover/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Recover" }).click();
  await expect(page.getByText("POS/2026/00020 is recovered.")).toBeVisible();
  await expect.poll(() => waiter.order("POS/2026/00020")?.snapshot.status).toBe("open");

  await panel.getByRole("button", { name: "Dismiss everything" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("They were paid in cash");
  await dialog.getByRole("button", { name: "Dismiss everything" }).click();
  await expect(panel.getByText("Nothing is left to decide.")).toBeVisible();
});
