import { addLine, changeQuantity, voidLine } from "@comanda/terminal";
import { newOrder } from "../../support/orders.ts";
import { payWithoutNumber } from "../support/dinner.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

// Its own dinner, because every table of the shared one may have a check.
test.use({ ownDinner: "timeline" });

const sizes = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
];

const pathOf = (posReference: string) => `/orders/${encodeURIComponent(posReference)}`;

/** Records, ids and field paths, which a manager should never see. */
const internals = /[[{]"|[0-9a-f]{8}-[0-9a-f]{4}|lines\.|totals|tableId|kitchenTicket/i;

test("the timeline of a check describes its changes in sentences, without records or ids [UI-210]", async ({
  open,
  dinner,
  page,
}) => {
  const { waiter, cashier } = dinner;
  const name = "POS/2026/00070";
  waiter.openOrder(newOrder(name, [line("l1", "mofongo"), line("l2", "mojito", 2)], 37));
  waiter.editOrder(name, (content) => {
    const more = addLine(content, line("l3", "chivo", 1, { modifiers: [{ id: 1, name: "Sin cebolla", price: 0 }] }));
    return { ...changeQuantity(more, "l1", 3), guestCount: 4, notes: "Aniversario", customerName: "Rosa Peña" };
  });
  waiter.moveToTable(name, 67);
  await waiter.idle();
  await expect.poll(() => cashier.order(name)?.snapshot.tableId).toBe(67);
  cashier.editOrder(name, (content) => voidLine(content, "l2", { quantity: 1, reason: "se derramó" }));
  await cashier.idle();
  cashier.editOrder(name, (content) => {
    const { totals = { subtotal: 0, tax: 0, total: 0 } } = content;
    const amount = -Math.round(totals.total * 10) / 100;
    const total = Math.round((totals.total + amount) * 100) / 100;
    const adjustments = [{ kind: "discount" as const, amount, reason: "cortesía", by: "Rosa" }];
    return { ...content, adjustments, totals: { ...totals, total } };
  });
  cashier.editOrder(name, (content) => ({ ...content, loyalty: { card: "77", points: 12 } }));
  await cashier.idle();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await open(pathOf(name));
    const order = page.getByRole("article", { name: `Order ${name}` });
    for (const sentence of [
      "Added 1 × Chivo guisado (Sin cebolla)",
      "Mofongo de camarones: from 1 to 3",
      "Guests: from 2 to 4",
      "Note: Aniversario",
      "Customer: Rosa Peña",
      /^Mesa 10 → Terraza \d$/,
      "Voided 1 × Mojito (reason: se derramó)",
      /^Discount of RD\$[\d,.]+ \(10%\), reason: cortesía, allowed by Rosa$/,
    ]) {
      await expect(order.getByText(sentence)).toBeVisible();
    }
    await expect(order.getByText(/^Total: from RD\$[\d,.]+ to RD\$[\d,.]+$/).first()).toBeVisible();
    await expect(order.getByText("loyalty")).toBeHidden();
    await order.getByText("Other details changed").click();
    await expect(order.getByText("loyalty")).toBeVisible();
    await order.getByText("Other details changed").click();
    expect(await order.innerText()).not.toMatch(internals);
    expect(await seriousIssues(page)).toEqual([]);
  }
});

test("the timeline of a check shows what each station received, saw and prepared [UI-211]", async ({
  open,
  dinner,
  page,
}) => {
  const { waiter, cashier } = dinner;
  const name = "POS/2026/00071";
  waiter.openOrder(newOrder(name, [line("l1", "mofongo", 2), line("l2", "mojito")], 39));
  waiter.sendToKitchen(name);
  await waiter.idle();
  const ticket = () => cashier.tickets().find((each) => each.posReference === name && each.stationName === "Bar");
  await expect.poll(ticket).toBeDefined();
  cashier.kitchenSeen(ticket()?.id ?? "", "bar");
  cashier.bump({ kitchenTicketId: ticket()?.id ?? "" }, "l2", 1);
  await cashier.idle();
  await open(pathOf(name));
  const order = page.getByRole("article", { name: `Order ${name}` });
  const send = order.getByRole("listitem").filter({ hasText: "Sent to the kitchen" });
  await expect(send).toContainText("Bar: 1 item · Cocina caliente: 2 items");
  await expect(order.getByText("Station Bar showed the ticket")).toBeVisible();
  await expect(order.getByText("Ready: 1 × Mojito")).toBeVisible();
  await expect(order.getByText("Ready at Bar")).toBeVisible();
});

test("the timeline of a check shows its requested number, and no warning for one that arrived [UI-618]", async ({
  open,
  dinner,
  page,
}) => {
  const { waiter, cashier } = dinner;
  const name = "POS/2026/00618";
  waiter.openOrder(newOrder(name, [line("l1", "sancocho")], 42));
  await waiter.idle();
  await expect.poll(() => cashier.order(name)?.snapshot.totals.total).toBe(665.6);
  cashier.pay(name, { payments: [{ methodId: 1, amount: 665.6 }], fiscal: { type: "B02" } });
  await cashier.idle();
  await open(pathOf(name));
  const history = page.getByRole("article", { name: `Order ${name}` });
  await expect(history.getByText(/B02\d{8} · valid until/)).toBeVisible();
  await expect(history.getByText("An NCF B02 was asked for", { exact: true })).toBeVisible();
  await expect(history.locator('.timeline-mark[data-tone="warn"]')).toHaveCount(0);
});

test("the timeline folds attempts at accounting and webhook deliveries into one line each [UI-212]", async ({
  open,
  page,
}) => {
  await open(pathOf("POS/2026/00008"));
  const refused = page.getByRole("article", { name: "Order POS/2026/00008" });
  // An attempt in flight when the order was set aside may be listed above that.
  const attempts = refused
    .getByRole("listitem")
    .filter({ hasText: /attempts? to send it to accounting/ })
    .last();
  const errorText = attempts.getByText("El producto 112 no tiene cuenta contable").first();
  await expect(errorText).toBeHidden();
  await attempts.getByText("What the back-office answered").click();
  await expect(errorText).toBeVisible();
  await expect(refused.getByText("A manager set the check aside")).toHaveCount(1);

  await page.goto(`/#${pathOf("POS/2026/00001")}`);
  const order = page.getByRole("article", { name: "Order POS/2026/00001" });
  const systems = order.getByRole("group").filter({ hasText: "2 other systems were notified, 1 failed" });
  const received = systems.getByText("received").first();
  await expect(received).toBeHidden();
  await systems.getByText("2 other systems were notified, 1 failed").click();
  await expect(received).toBeVisible();
  await expect(systems.getByText(/answered with error \d+/).first()).toBeVisible();
});

test("five steps show an order's progress, and each opens its part of the history [UI-213]", async ({ open, page }) => {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await open(pathOf("POS/2026/00011"));
    const order = page.getByRole("article", { name: "Order POS/2026/00011" });
    const steps = order.getByRole("list", { name: "How far the check is" });
    await expect(steps.getByRole("listitem")).toHaveCount(5);
    await expect(steps.getByRole("button", { name: /^Opened done \d/ })).toBeVisible();
    await expect(steps.getByRole("button", { name: /^Seen in progress$/ })).toBeVisible();
    await expect(steps.getByRole("button", { name: /^Accounting done \d/ })).toBeVisible();
    const isCut = await order.evaluate((pane) => pane.scrollWidth > pane.clientWidth);
    expect(isCut).toBe(false);
    await steps.getByRole("button", { name: /^Paid/ }).click();
    await expect(order.getByRole("heading", { name: "History: Paid" })).toBeInViewport();
    await expect(order.getByText(/^Payment: RD\$/)).toBeVisible();
    await expect(order.getByText("The check was opened")).toHaveCount(0);
    await order.getByRole("button", { name: "Show all" }).click();
    await expect(order.getByText("The check was opened")).toBeVisible();
    expect(await seriousIssues(page)).toEqual([]);
  }
  await open(pathOf("POS/2026/00008"));
  const stuck = page.getByRole("list", { name: "How far the check is" });
  await expect(stuck.getByRole("button", { name: "Kitchen not needed" })).toBeVisible();
  await expect(stuck.getByRole("button", { name: "Accounting problem" })).toBeVisible();
});

test("the order list says that a paid order's fiscal number was refused [UI-214]", async ({ open, dinner, page }) => {
  await payWithoutNumber(dinner, "POS/2026/00072", 41);
  await open("/orders");
  await page.getByText("Paid", { exact: true }).first().click();
  await expect(page.getByRole("row", { name: /POS\/2026\/00072/ })).toContainText("NCF refused");
});
