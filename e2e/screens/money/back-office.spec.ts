import type { BackOfficeStatus, PaymentPage } from "@comanda/protocol";
import { addLine } from "@comanda/terminal";
import { connectTerminal } from "../../../hub/test/support/connect-terminal.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { startWire } from "../../support/wire.ts";
import { payWithoutNumber } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test("the back-office page shows whether the back-office responds, its address, the hub's account and the queue [UI-17]", async ({
  open,
  dinner,
}) => {
  const page = await open("/back-office");
  await expect(page.getByText("Responding", { exact: true })).toBeVisible();
  const fact = (panel: string, name: string) =>
    page.getByRole("region", { name: panel }).locator("dt", { hasText: name }).locator("+ dd");
  await expect(fact("Connection", "Server")).toHaveText(dinner.restaurant.backOfficeUrl);
  const { login, queue } = await dinner.operator.get<BackOfficeStatus>("/operator/v1/back-office");
  await expect(fact("Connection", "The hub's account")).toHaveText(String(login));
  await expect(page.getByRole("region", { name: "Queue" }).locator(".big-number")).toHaveText(String(queue.pending));
  await expect(fact("Queue", "Sent in total")).toHaveText(String(queue.total));
  await page.getByRole("button", { name: "Try now" }).click();
  await expect(page.getByText("Result: Responding.")).toBeVisible();
});

test("an unapplied payment is applied to its check in one step, which says what is left to collect [UI-179] [UI-546]", async ({
  open,
  dinner,
}) => {
  const { restaurant, waiter, operator } = dinner;
  const order = "POS/2026/00080";
  const other = "POS/2026/00081";
  const wire = await startWire(restaurant.hubSocketUrl);
  const late = await restaurant.terminal("caja-3", { login: "cashier", url: wire.url });
  waiter.openOrder(newOrder(order, [line("l1", "tostones")], 63));
  waiter.openOrder(newOrder(other, [line("l1", "tostones")]));
  await waiter.idle();
  await online(late);
  wire.fromHub = () => "drop";
  const foreign = { currency: "USD", amount: 5, rate: 60 };
  for (const each of [order, other]) {
    waiter.editOrder(each, (content) => addLine(content, line("l2", "tostones")));
    await waiter.idle();
    late.pay(each, { payments: [{ methodId: 1, amount: 288, tip: 12, foreign }] });
    await operator.until<PaymentPage>("/operator/v1/payments", ({ payments }) =>
      payments.some(({ posReference }) => posReference === each),
    );
  }
  await late.stop();
  await wire.close();

  const page = await open("/back-office/attention");
  const row = page.getByRole("row").filter({ hasText: order });
  await expect(row).toContainText("Efectivo · USD 5 · plus RD$12.00 in tips");
  await page.getByRole("button", { name: `Apply this payment: ${order}` }).click();
  const dialog = page.getByRole("dialog", { name: `Put RD$288.00 on ${order}` });
  await expect(dialog.getByText(/RD\$576.00 is due .*RD\$288.00 is left to collect/)).toBeVisible();
  await dialog.getByRole("button", { name: "Apply this payment", exact: true }).click();
  await expect(page.getByText(/^RD\$288.00 is left to collect\.$/)).toBeVisible();
  await expect(page.getByRole("button", { name: `Apply this payment: ${order}` })).toHaveCount(0);
  await page.getByRole("button", { name: `Apply this payment: ${other}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Apply this payment", exact: true }).click();
  await expect(page.getByRole("button", { name: `Apply this payment: ${other}` })).toHaveCount(0);
  await page.goto(`/#/orders/${encodeURIComponent(order)}`);
  await expect(page.getByRole("row", { name: /^Still due/ })).toContainText("RD$288.00");
  // The amount still due of each check stays announced until the notification is closed.
  for (const each of [order, other]) {
    await expect(page.locator(".mantine-Notification-root").filter({ hasText: each })).toContainText(
      "RD$288.00 is left",
    );
  }
});

test("the search on the closing page finds an unapplied payment by its check and not by its hidden id [UI-247]", async ({
  open,
  dinner,
}) => {
  const { payments } = await dinner.operator.get<PaymentPage>("/operator/v1/payments");
  const payment = payments.find(({ posReference }) => posReference === "POS/2026/00010");
  const page = await open("/back-office/closing");
  const found = page
    .getByRole("listitem")
    .filter({ hasText: /^Unapplied payments/ })
    .getByRole("link");
  await page.getByRole("searchbox").fill("POS/2026/00010");
  await expect(found).toHaveCount(1);
  await page.getByRole("searchbox").fill(String(payment?.paymentId).slice(0, 8));
  await expect(found).toHaveCount(0);
});

test("a payment that could not be applied is announced in the banner until a manager settles it [UI-2] [UI-17]", async ({
  open,
}) => {
  const page = await open("/");
  const sentence = page.getByRole("region", { name: "Overall state" });
  await expect(sentence).toContainText("A payment was taken but could not be applied to its check.");
  await expect(sentence).toContainText("A manager must say how it was recorded.");
  await sentence.getByRole("link", { name: "View and resolve" }).click();
  await page.getByRole("button", { name: "Settle the payment of POS/2026/00010" }).click();
  const dialog = page.getByRole("dialog", { name: "Settle the payment of RD$1,600.00" });
  const settle = dialog.getByRole("button", { name: "Settle" });
  await expect(settle).toBeDisabled();
  await dialog.getByLabel(/^How it was recorded/).fill("devuelto al cliente");
  await settle.click();
  await expect(page.getByText("No pending payments")).toBeVisible();
  await page.getByText(/^Settled \(\d\)$/).click();
  await expect(page.getByText(/devuelto al cliente/)).toBeVisible();
  await expect(sentence).not.toContainText("A payment was taken");
});

test("a change from a forgotten device counts as pending until a manager applies or dismisses it [UI-403] [UI-548]", async ({
  open,
  dinner,
}) => {
  const { restaurant, operator } = dinner;
  const auth = { type: "AUTH", token: await restaurant.token("waiter"), deviceId: "tablet-perdida" };
  const lost = await connectTerminal(restaurant.hubSocketUrl, auth);
  const actor = lost.hello.actorToken;
  await operator.delete("/operator/v1/terminals/tablet-perdida");
  const found = await connectTerminal(restaurant.hubSocketUrl, auth);
  const write = async (posReference: string): Promise<void> => {
    const takeout = { orderType: "takeout", tableId: null };
    const snapshot = { ...newOrder(posReference, [line("l1", "tostones")]), ...takeout };
    const mutation = { type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot, actor };
    await expect(found.change(mutation)).rejects.toMatchObject({ errorCode: "ACTOR_REFUSED", kept: true });
  };
  await write("POS/2026/00090");
  await write("POS/2026/00091");
  await found.request({ type: "HEARTBEAT", outbox: { pending: 5, oldestAt: new Date().toISOString() } });

  const page = await open("/back-office/closing");
  const sentence = page.getByRole("region", { name: "Overall state" });
  await expect(page.getByText("Kept changes to decide on")).toBeVisible();
  await page.goto("/#/back-office/attention");
  const panel = page.getByRole("region", { name: "Kept changes to decide on" });
  const row = panel.getByRole("row", { name: /POS\/2026\/00090/ });
  await expect(row).toContainText("Opened the check");
  await expect(row).toContainText(/Tostones/i);
  await expect(row).toContainText("tablet-perdida");
  await expect(row).toContainText("3 more unsent on the terminal");
  await row.getByRole("button", { name: /^Apply/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Opened the check POS/2026/00090. It is done now and in your name.");
  await dialog.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page.getByText("Change applied in your name.")).toBeVisible();
  await panel.getByRole("button", { name: "Dismiss: Opened the check POS/2026/00091 (Wendy Almonte)" }).click();
  await page.getByRole("dialog").getByLabel(/^Why/).fill("se hizo de nuevo");
  await page.getByRole("dialog").getByRole("button", { name: "Dismiss", exact: true }).click();
  await expect(panel.getByText("No changes to decide on")).toBeVisible();
  await write("POS/2026/00092");
  await write("POS/2026/00093");
  await panel.getByRole("button", { name: "Dismiss all" }).click();
  const all = page.getByRole("dialog", { name: "Dismiss all 2 changes?" });
  await all.getByLabel(/^Why/).fill("la tableta fue robada");
  await all.getByRole("button", { name: "Dismiss all" }).click();
  await expect(page.getByText("Changes dismissed.")).toBeVisible();
  await panel.getByText(/^Decided \(4\)$/).click();
  await expect(panel.getByText("se hizo de nuevo")).toBeVisible();
  await expect(panel.getByText("la tableta fue robada")).toHaveCount(2);
  await expect(sentence).not.toContainText("reset or from a forgotten device");
  await page.goto(`/#/orders/${encodeURIComponent("POS/2026/00090")}`);
  await expect(page.getByText("A manager applied a kept change")).toBeVisible();
  // Other specs of this dinner rely on what its terminals have unsent.
  await found.request({ type: "HEARTBEAT", outbox: { pending: 0, oldestAt: null } });
  found.close();
});

test("a check that the back-office rejected shows the back-office's message and every attempt [UI-17]", async ({
  open,
}) => {
  const page = await open("/back-office/attention");
  const row = page.getByRole("row", { name: /POS\/2026\/00008/ });
  await expect(row).toContainText("El producto 112 no tiene cuenta contable");
  await expect(row).toContainText("Lo revisa contabilidad mañana");
  await row.getByRole("button", { name: /Show the attempts/ }).click();
  const dialog = page.getByRole("dialog", { name: "Attempts at POS/2026/00008" });
  await expect(dialog.getByText("rejected").first()).toBeVisible();
});

test("a check that waits for its fiscal number says that nothing has been sent yet [UI-529]", async ({ open }) => {
  const page = await open("/back-office");
  const attempts = page.getByRole("button", { name: "0: Show the attempts (POS/2026/00016)" });
  await attempts.click();
  await expect(page.getByRole("dialog").getByText("Nothing has been sent yet.")).toBeVisible();
});

test("the closing page says whether the shift can be closed and lists what prevents it [UI-17]", async ({ open }) => {
  const page = await open("/back-office/closing");
  await expect(page.getByText("Not yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Mesa 2" })).toBeVisible();
  await expect(page.getByRole("link", { name: "tablet-7" })).toBeVisible();
  await expect(page.getByText("Collected by this register")).toBeVisible();
});

test("the closing page lists unsent money, part payments and missing fiscal numbers [UI-181] [UI-182]", async ({
  open,
}) => {
  const page = await open("/back-office/closing");
  await expect(page.getByText(/3 unsent changes, for .* · 1 payment of RD\$1,450.00 · Wendy Almonte/)).toBeVisible();
  await expect(page.getByText(/RD\$900.00 already paid/)).toBeVisible();
  await expect(page.getByText(/^Checks without their NCF/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Terraza 8" }).first()).toBeVisible();
  await expect(page.getByRole("row", { name: /^B02/ })).toContainText("5,000");
});

test("a refused fiscal number is requested again with the buyer's tax number [UI-178] [UI-180] [FISC-372]", async ({
  open,
}) => {
  const page = await open("/back-office/fiscal");
  await expect(page.getByRole("row", { name: /^B02/ })).toContainText("Good");
  const row = page.getByRole("row", { name: /POS\/2026\/00016/ });
  await expect(row).toContainText("needs the buyer's RNC");
  expect(await seriousIssues(page)).toEqual([]);
  await row.getByRole("button", { name: "Send without NCF: POS/2026/00016" }).click();
  const skip = page.getByRole("dialog", { name: "Send without NCF: POS/2026/00016" });
  await expect(skip.getByText(/goes to accounting without a fiscal number/)).toBeVisible();
  await skip.getByRole("button", { name: "Cancel" }).click();
  await row.getByRole("button", { name: "Ask for the NCF again: POS/2026/00016" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for the NCF again: POS/2026/00016" });
  await dialog.getByLabel("RNC or cédula").fill("1-01-89980-1");
  await expect(dialog).toContainText("Check the number: its last digit does not go with the others.");
  await dialog.getByLabel("RNC or cédula").fill("101889901");
  await expect(dialog).not.toContainText("Check the number");
  await dialog.getByLabel("In the name of").fill("Constructora del Este SRL");
  await dialog.getByRole("button", { name: "Ask for the NCF again", exact: true }).click();
  await expect(page.getByText(/^The back-office gave the number B01\d{8}\.$/)).toBeVisible();
  await expect(page.getByText("No NCF was refused")).toBeVisible();
});

test("a fiscal number that another check has is annulled and a new one requested in one step [UI-289]", async ({
  open,
  dinner,
}) => {
  const order = "POS/2026/00096";
  const refusal = { error: "B0200000007 belongs to another order", errorCode: "NCF_IN_USE" };
  const path = "/pos-api/v1/orders/reserve-ncf";
  await dinner.restaurant.stub("/stub/v1/faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ faults: [{ path, times: 1, action: "status", status: 409, body: refusal }] }),
  });
  await payWithoutNumber(dinner, order, 42);
  const page = await open("/back-office/fiscal");
  await page.getByRole("button", { name: `Ask for the NCF again: ${order}` }).click();
  const dialog = page.getByRole("dialog", { name: `Ask for the NCF again: ${order}` });
  await expect(dialog.getByRole("checkbox", { name: "Annul the NCF that is held and ask for another" })).toBeChecked();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByLabel("RNC or cédula").fill("101889901");
  await dialog.getByRole("button", { name: "Ask for the NCF again", exact: true }).click();
  await expect(page.getByText(/^The back-office gave the number B01\d{8}\.$/)).toBeVisible();
});

test("a check refused for a number in use is listed, and its page requests another number [UI-400]", async ({
  open,
  dinner,
}) => {
  const order = "POS/2026/00097";
  const refuse = { posReferences: [order], error: "B0200000007 belongs to another order", errorCode: "NCF_CONFLICT" };
  await dinner.restaurant.stub("/stub/v1/faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ faults: [{ refuse }] }),
  });
  await payWithoutNumber(dinner, order, 42, "B02");
  const page = await open("/back-office/fiscal");
  await expect(page.getByRole("row", { name: new RegExp(order) })).toContainText("Another check already has");
  await page.goto(`/#/orders/${encodeURIComponent(order)}`);
  await page.getByRole("button", { name: `Ask for the NCF again: ${order}` }).click();
  const dialog = page.getByRole("dialog", { name: `Ask for the NCF again: ${order}` });
  await expect(dialog.getByRole("checkbox", { name: "Annul the NCF that is held and ask for another" })).toBeChecked();
  await dialog.getByRole("button", { name: "Ask for the NCF again", exact: true }).click();
  await expect(page.getByText(/^The back-office gave the number B02\d{8}\.$/)).toBeVisible();
  await dinner.restaurant.stub("/stub/v1/faults", { method: "DELETE" });
});
