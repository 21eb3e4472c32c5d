import type { OrderDetail } from "@comanda/protocol";
import { newOrder } from "../../support/orders.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "receipts", refusalsExpected: true });

test("wrong receipts and numbers in contingency are listed until they are settled [ECF-13] [ECF-14]", async ({
  open,
  dinner,
}) => {
  const { restaurant, operator, cashier } = dinner;
  const json = { "Content-Type": "application/json" };
  const quirk = (fiscal: string) =>
    restaurant.stub("/stub/v1/quirks", { method: "POST", headers: json, body: JSON.stringify({ fiscal }) });
  async function sell(order: string, fiscal: string): Promise<void> {
    await quirk(fiscal);
    cashier.openOrder(newOrder(order, [line("l1", "tostones")]));
    await cashier.idle();
    cashier.pay(order, { payments: [{ methodId: 2, amount: 288 }], fiscal: { type: "E32" } });
    await cashier.idle();
    await operator.until<OrderDetail>(
      `/operator/v1/orders/${encodeURIComponent(order)}`,
      (detail) => detail.order.snapshot.status === "closed",
    );
  }
  await sell("POS/2026/00091", "rejected");
  await sell("POS/2026/00092", "other");
  await sell("POS/2026/00093", "never");

  const page = await open("/back-office/fiscal");
  const rejected = page.getByRole("row", { name: /POS\/2026\/00091/ });
  await expect(rejected).toContainText("The tax office rejects the receipt.");
  await expect(rejected).toContainText("El RNC del comprador no existe en la DGII.");
  const conflict = page.getByRole("row", { name: /POS\/2026\/00092/ });
  await expect(conflict).toContainText(/The back-office has this check under E329\d+, and the guest was given E320\d+/);
  await expect(page.getByText(/^1 receipt waits for its signature/)).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);

  await quirk("signed");
  await page.getByRole("button", { name: "Ask again: POS/2026/00092" }).click();
  await expect(conflict).toHaveCount(0);
  await page.getByRole("button", { name: "Settle: POS/2026/00091" }).click();
  // The request names the number: if another manager settles it first, another problem of the check must not be dismissed.
  const decision = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/fiscal"));
  await page.getByRole("dialog").getByRole("button", { name: "Settle" }).click();
  expect((await decision).postDataJSON()).toEqual({ action: "dismiss", ncf: expect.stringMatching(/^E32/) });
  await expect(page.getByText("None needs attention")).toBeVisible();

  // The setting applies without a restart.
  const headers = { ...json, Authorization: `Bearer ${operator.token}` };
  const body = JSON.stringify({ values: { HUB_FISCAL_CONTINGENCY: "true" } });
  await fetch(`${restaurant.hubUrl}/operator/v1/settings`, { method: "PATCH", headers, body });
  await expect(page.getByText("Contingency is on (System, Settings)")).toBeVisible();
  await sell("POS/2026/00094", "signed");
  await expect(page.getByRole("row", { name: /POS\/2026\/00094/ })).toContainText(/B02\d{8}/);
  await page.goto(`/#/orders/${encodeURIComponent("POS/2026/00094")}`);
  await expect(page.getByText("In contingency", { exact: true })).toBeVisible();
  await page.goto(`/#/orders/${encodeURIComponent("POS/2026/00092")}`);
  await expect(page.getByText(/^Accounting has it under another number: E329\d+/)).toBeVisible();
  await expect(page.getByText("Security code", { exact: true })).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
});
