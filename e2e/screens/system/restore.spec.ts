import type { Backup, LossPage } from "@comanda/protocol";
import { addLine } from "@comanda/terminal";
import { newOrder } from "../../support/orders.ts";
import { takePicture } from "../../support/take-picture.ts";
import { tables } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "restored", refusalsExpected: true });

test("losses of a restore are listed before it and after it, and are recovered or dismissed [UI-150] [UI-151] [UI-152] [UI-267]", async ({
  dinner,
  open,
}) => {
  const { restaurant, operator, waiter, cashier } = dinner;
  const { backup } = (await operator.post("/operator/v1/backups", {})) as { backup: Backup };
  waiter.editOrder("POS/2026/00006", (content) => addLine(content, line("l9", "churrasco")));
  waiter.openOrder({
    ...newOrder("POS/2026/00020", [line("l1", "bandera", 2)], tables.mesa6),
    customerName: "Rosa Almonte",
  });
  await waiter.idle();
  await expect.poll(() => cashier.order("POS/2026/00006")?.version).toBe(2);
  cashier.tender("POS/2026/00006", { methodId: 1, amount: 100 });
  cashier.pay("POS/2026/00005", { payments: [{ methodId: 1, amount: 5000 }] });
  await cashier.idle();

  const page = await open("/system/backups");
  await page.getByRole("button", { name: `Restore ${backup.name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Restore a backup" });
  const lost = dialog.getByRole("list", { name: "What is lost" });
  await expect(lost.getByRole("listitem").filter({ hasText: "POS/2026/00020" })).toContainText("The whole check");
  const inPart = lost.getByRole("listitem").filter({ hasText: "POS/2026/00006" });
  await expect(inPart).toContainText("Changes to the check");
  await expect(inPart).toContainText("RD$100.00 paid");
  await expect(lost.getByRole("listitem").filter({ hasText: "POS/2026/00005" })).toContainText("The payment");
  // A long list scrolls, by keyboard as well.
  await lost.focus();
  await expect(lost).toBeFocused();
  await expect(dialog.getByText(/^Backup \(manual\) of .+ \(.+ ago\), [\d.]+ kB\.$/)).toBeVisible();
  await expect(dialog.getByText(/made since then (is|are) lost/)).toBeVisible();
  const restoring = dialog.getByRole("button", { name: "Restore" });
  await dialog.getByLabel("Type RESTORE to confirm").fill("RESTOR");
  await expect(restoring).toBeDisabled();
  // Case and blanks around the word are ignored.
  await dialog.getByLabel("Type RESTORE to confirm").fill(" restore ");
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText(/^Restoring\./)).toBeVisible();
  await restaurant.killHub();
  await restaurant.startHub();

  await expect(page.getByRole("paragraph").filter({ hasText: /missing since a backup was restored/ })).toBeVisible();
  const panel = page.getByRole("region", { name: "What is missing since the backup" });
  const row = (reference: string) => panel.getByRole("row").filter({ hasText: reference });
  await expect(page.getByText(/^Restoring\./)).toHaveCount(0);
  await expect(panel).toContainText(/the previous file is kept as hub\.sqlite\.replaced-/i);
  await expect(row("POS/2026/00020")).toContainText("terminal tablet-1");
  await expect(row("POS/2026/00020")).toContainText("Rosa Almonte");
  await expect(row("POS/2026/00006")).toContainText("previous file");
  await expect(row("POS/2026/00006")).toContainText("RD$100.00 paid");
  expect(await seriousIssues(page)).toEqual([]);
  await takePicture(page, "losses");
  await row("POS/2026/00020")
    .getByRole("button", { name: /^Recover/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Recover" }).click();
  await expect(page.getByText("POS/2026/00020 is recovered.")).toBeVisible();
  await expect.poll(() => waiter.order("POS/2026/00020")?.snapshot.customerName).toBe("Rosa Almonte");

  await row("POS/2026/00006")
    .getByRole("button", { name: /^Dismiss/ })
    .click();
  const dismissing = page.getByRole("dialog");
  await dismissing.getByLabel(/^Reason/).fill("it was a test");
  await dismissing.getByRole("button", { name: "Dismiss" }).click();
  await operator.until<LossPage>("/operator/v1/losses", (losses) => losses.open === 0);
  await expect(panel.getByText("Nothing is left to decide.")).toBeVisible();
  await panel.getByText(/^Decided/).click();
  await expect(row("POS/2026/00006")).toContainText("it was a test");
  // The payment had reached the back-office: the hub asked for it and closed the check by itself.
  await expect(row("POS/2026/00005")).toContainText("Recovered: The hub");
});
