import type { OrderDetail } from "@comanda/protocol";
import { totalsOfLines } from "@comanda/terminal";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { addLine } from "@comanda/terminal";
import { newOrder } from "../../support/orders.ts";
import { line } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";

test("the order search matches staff, customer and table, and an order shows its history [UI-14]", async ({ open }) => {
  const page = await open("/orders");
  const search = page.getByRole("searchbox", { name: /^Search by reference/ });
  for (const query of ["altagracia", "00002", "Mesa 2"]) {
    await search.fill(query);
    await expect(page.getByRole("row", { name: /POS\/2026\/00002/ })).toBeVisible();
    await expect(page.getByRole("row", { name: /POS\/2026\/00005/ })).toHaveCount(0);
  }
  await page.getByRole("link", { name: "POS/2026/00002" }).click();
  const order = page.getByRole("article", { name: "Check POS/2026/00002" });
  await expect(order.getByText("Alergia a mariscos")).toBeVisible();
  await expect(order.getByText("The check was opened")).toBeVisible();
  await expect(order.getByText("Cocina caliente: 5 items")).toBeVisible();
  await expect(order.getByText("Station Cocina caliente showed the ticket")).toBeVisible();
  await expect(order.getByText("1 of 3 ready")).toBeVisible();
});

test.describe("unknown check", () => {
  test.use({ refusalsExpected: true });

  test("the page of an unknown check says so once and offers no action [UI-516]", async ({ open }) => {
    const page = await open("/orders/POS%2F2026%2F99999");
    const order = page.getByRole("article", { name: "Check POS/2026/99999" });
    await expect(order.getByText("This no longer exists.")).toHaveCount(1);
    await expect(order.getByRole("button", { name: "Export" })).toHaveCount(0);
    await expect(order.getByRole("heading", { name: "History" })).toHaveCount(0);
    await order.getByRole("button", { name: "Close the check" }).click();
    await expect(order).toHaveCount(0);
  });
});

test("the order search accepts no more characters than the hub does [UI-247]", async ({ open }) => {
  const page = await open("/orders");
  const search = page.getByRole("searchbox", { name: /^Search by reference/ });
  await search.pressSequentially("A".repeat(121));
  await expect(search).toHaveValue("A".repeat(120));
  await expect(page.getByText("Nothing matches")).toBeVisible();
});

test("a manager restores an earlier version of an order after reading what the restore does [UI-14]", async ({
  open,
  dinner,
}) => {
  const { waiter } = dinner;
  waiter.openOrder(newOrder("POS/2026/00060", [line("l1", "sancocho")]));
  await waiter.idle();
  waiter.editOrder("POS/2026/00060", (content) => addLine(content, line("l2", "churrasco", 2)));
  await waiter.idle();
  const page = await open("/orders/POS%2F2026%2F00060");
  const order = page.getByRole("article", { name: "Check POS/2026/00060" });
  await expect(order.getByText("Added 2 × Churrasco")).toBeVisible();
  await order.getByRole("button", { name: "Restore this version" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore version 1" });
  await expect(dialog.getByText(/is saved as a new version and sent to all terminals/)).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Restore version 1" }).click();
  await expect(order.getByText("An earlier version was restored")).toBeVisible();
  await expect(order.getByRole("cell", { name: /^Churrasco/ })).toHaveCount(0);
});

test.describe(() => {
  test.use({ refusalsExpected: true });

  test("a restore does not overwrite a change made since the dialog was opened [UI-509]", async ({ open, dinner }) => {
    const { waiter, operator } = dinner;
    const reference = "POS/2026/00061";
    waiter.openOrder(newOrder(reference, [line("l1", "sancocho")]));
    await waiter.idle();
    waiter.editOrder(reference, (content) => addLine(content, line("l2", "churrasco", 2)));
    await waiter.idle();
    const page = await open(`/orders/${encodeURIComponent(reference)}`);
    const order = page.getByRole("article", { name: `Order ${reference}` });
    await order.getByRole("button", { name: "Restore this version" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore version 1" });
    await expect(dialog).toBeVisible();
    waiter.editOrder(reference, (content) => addLine(content, line("l3", "tostones")));
    await waiter.idle();
    await expect(dialog.getByRole("alert")).toContainText("This has changed while it was open");
    await dialog.getByRole("button", { name: "Restore version 1" }).click();
    await expect(dialog).toContainText("Somebody else changed the same thing at the same time");
    const { order: stored } = await operator.get<OrderDetail>(`/operator/v1/orders/${encodeURIComponent(reference)}`);
    expect(stored.version).toBe(3);
    // After another look, the restore succeeds.
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await order.getByRole("button", { name: "Restore this version" }).last().click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore version 1" }).click();
    await expect(order.getByText("An earlier version was restored")).toBeVisible();
  });
});

test("an order is exported to a file [UI-14]", async ({ open }) => {
  const page = await open("/orders/POS%2F2026%2F00003");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  const exported = JSON.parse(readFileSync(await download.path(), "utf8")) as { order: { posReference: string } };
  expect(exported.order.posReference).toBe("POS/2026/00003");
});

test("an order shows each payment with change and tip, why one was taken back, and what is due [UI-175]", async ({
  open,
}) => {
  const page = await open("/orders/POS%2F2026%2F00012");
  const order = page.getByRole("article", { name: "Check POS/2026/00012" });
  const cash = order.getByRole("listitem").filter({ hasText: "Payment: RD$900.00 (Efectivo)" });
  await expect(cash).toContainText("Carlos Jiménez · caja");
  await expect(cash).toContainText("Handed over: RD$1,000.00 · Change: RD$100.00 · Tip: RD$50.00");
  const back = order.getByRole("listitem").filter({ hasText: "Payment taken back: RD$600.00 (Tarjeta)" });
  await expect(back).toContainText("Reason: tarjeta equivocada");
  await expect(order.getByRole("row", { name: /^Still due/ })).toContainText("RD$3,196.00");
  await expect(order.getByText("Bar: 2 items · Cocina caliente: 2 items")).toBeVisible();
});

test("an order shows its fiscal number, and where it was merged, without raw records [UI-14] [UI-176]", async ({
  open,
}) => {
  const page = await open("/orders/POS%2F2026%2F00011");
  const paid = page.getByRole("article", { name: "Check POS/2026/00011" });
  await expect(paid.getByText(/^B01\d{8} · valid until .* · RNC 131246789 · Constructora del Este SRL$/)).toBeVisible();
  await expect(paid.getByText("Voided 1 × Mojito (reason: se equivocó)")).toBeVisible();
  expect(await paid.innerText()).not.toMatch(/[[{]"/);
  // An order in accounting cannot be restored to a version. Its heading shows the table instead of the technical number.
  await expect(paid.getByRole("button", { name: "Restore this version" })).toHaveCount(0);
  await expect(paid.getByRole("heading", { level: 2 })).not.toContainText("POS/");
  await page.goto("/#/orders/POS%2F2026%2F00013");
  const merged = page.getByRole("article", { name: "Check POS/2026/00013" });
  await expect(merged.getByText("Merged into another check")).toBeVisible();
  await merged.getByRole("link", { name: "POS/2026/00014" }).click();
  await expect(page.getByRole("article", { name: "Check POS/2026/00014" })).toBeVisible();
});

/** Sells two dishes and an unnamed item for RD$531.00 in cash with a fiscal number; resolves when accounting has them. */
async function sellTwo(restaurant: Restaurant, posReference: string): Promise<void> {
  const terminal = await restaurant.terminal(`caja-${posReference}`);
  await online(terminal);
  const dish = { unitPrice: 150, taxIds: ["1"] };
  const lines = [
    { ...dish, id: "uno", productId: "104", name: "Yaniqueques", quantity: 2, total: 354, taxAmount: 54 },
    { ...dish, id: "dos", quantity: 1, total: 177, taxAmount: 27 },
  ];
  terminal.openOrder({ posReference, orderType: "takeout", tableId: null, lines, totals: totalsOfLines(lines) });
  terminal.pay(posReference, { payments: [{ methodId: 1, amount: 531 }], fiscal: { type: "E32" } });
  await terminal.idle();
  await expect.poll(() => terminal.order(posReference)?.snapshot).toMatchObject({ status: "closed", ncf: /^E32/ });
}

test("a refund of one dish appears in the order's history and on the closing page [UI-177] [TOUCH-1084]", async ({
  open,
  dinner,
}) => {
  await sellTwo(dinner.restaurant, "BACK-1");
  const page = await open("/back-office/closing");
  await expect(page.getByRole("heading", { name: "Collected by this register" })).toBeVisible();
  // Another spec may have given something back.
  const before = await page.getByText(/^Given back, \d+ credit notes?$/).allTextContents();
  await open("/orders/BACK-1");
  const order = page.getByRole("article", { name: "Order BACK-1" });
  await order.getByRole("button", { name: "Refund", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Refund of BACK-1" });
  const submit = dialog.getByRole("button", { name: /^Give back RD\$/ });
  await expect(submit).toBeDisabled();
  await expect(dialog.getByText(/credit note E34 for the fiscal number E32\d{10}\. It cannot be undone/)).toBeVisible();
  await expect(dialog.getByText("RD$531.00 is given back: Efectivo RD$531.00.")).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "an item" })).toHaveValue("1");
  await dialog.getByLabel("Yaniqueques").fill("1");
  await dialog.getByLabel("Reason").fill("Did not like it");
  expect(await seriousIssues(page)).toEqual([]);
  await expect(dialog.getByText("RD$354.00 is given back: Efectivo RD$354.00.")).toBeVisible();
  await submit.click();
  await expect(dialog).toHaveCount(0);
  const notes = order.getByText(/^Credit note E34\d{10} for RD\$/);
  await expect(notes).toContainText("for RD$354.00");
  await expect(order.getByText(/Reason: Did not like it/)).toBeVisible();
  await expect(order.getByText("Credited")).toBeVisible();
  await expect(order.getByRole("button", { name: "Refund", exact: true })).toBeVisible();

  await dinner.restaurant.stub("/stub/v1/faults", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ faults: [{ path: "/pos-api/v1/orders/credit-note", action: "drop-after", times: 1 }] }),
  });
  await order.getByRole("button", { name: "Refund", exact: true }).click();
  await dialog.getByLabel("Reason").fill("The rest, too");
  await submit.click();
  await expect(order.getByText("Refund not confirmed")).toBeVisible();
  await order.getByRole("button", { name: "Ask about the refund" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ask about the refund" }).click();
  await expect(notes).toHaveCount(2);
  await expect(order.getByRole("button", { name: "Refund", exact: true })).toHaveCount(0);

  await open("/back-office/closing");
  const notesBefore = Number(/\d+/.exec(before[0] ?? "0")?.[0]);
  await expect(page.getByText(`Given back, ${notesBefore + 2} credit notes`)).toBeVisible();
});

test("an open refund says so when another device has refunded everything meanwhile [UI-177]", async ({
  open,
  dinner,
}) => {
  await sellTwo(dinner.restaurant, "BACK-2");
  const page = await open("/orders/BACK-2");
  const order = page.getByRole("article", { name: "Order BACK-2" });
  await order.getByRole("button", { name: "Refund", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Refund of BACK-2" });
  await dialog.getByLabel("Reason").fill("Did not like it");
  await dinner.operator.post("/operator/v1/orders/BACK-2/refunds", {
    refundId: randomUUID(),
    reason: "Our mistake",
    refund: [{ methodId: 1, amount: 531 }],
  });
  await expect(dialog.getByRole("alert")).toContainText("This can no longer be done");
  await expect(dialog.getByRole("button", { name: /^Give back RD\$/ })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(order.getByText(/Reason: Our mistake/)).toBeVisible();
  await expect(order.getByRole("button", { name: "Refund", exact: true })).toHaveCount(0);
});

test("an order search without results explains where the filter looks [UI-13]", async ({ open }) => {
  const page = await open("/orders");
  await page.getByRole("searchbox", { name: /^Search by reference/ }).fill("no such order");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await expect(page.getByText(/The filter “All” also looks in paid and discarded ones/)).toBeVisible();
});

test("a discarded check can be opened and says that its history is kept", async ({ open }) => {
  const page = await open("/orders");
  await page.getByText("Discarded", { exact: true }).click();
  await page.getByRole("link", { name: "POS/2026/00009" }).click();
  await expect(page.getByText("This check was discarded; its history is kept.")).toBeVisible();
});

test.describe("refused requests", () => {
  test.use({ refusalsExpected: true });

  test("a refund whose answer is lost completes with its credit note [UI-177]", async ({ open, dinner, page }) => {
    await sellTwo(dinner.restaurant, "BACK-3");
    await page.route("**/BACK-3/refunds", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await open("/orders/BACK-3");
    const order = page.getByRole("article", { name: "Order BACK-3" });
    await order.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund of BACK-3" });
    await dialog.getByLabel("Reason").fill("Did not like it");
    await dialog.getByRole("button", { name: /^Give back RD\$/ }).click();
    await expect(page.locator(".mantine-Notification-root").filter({ hasText: /E34\d{10}/ })).toHaveCount(1);
    await expect(dialog).toHaveCount(0);
    await expect(order.getByText(/Reason: Did not like it/)).toBeVisible();
  });

  test("a refund that the back-office refuses is explained in plain words [UI-177]", async ({ open }) => {
    const page = await open("/orders/POS%2F2026%2F00007");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Refund of POS/2026/00007" });
    await expect(dialog.getByText(/The hub knows no fiscal number of this check/)).toBeVisible();
    await dialog.getByLabel("Reason").fill("Our mistake");
    await dialog.getByRole("button", { name: /^Give back RD\$/ }).click();
    await expect(dialog.getByRole("alert")).toContainText("This check has no fiscal number (NCF).");
  });

  test("a manager who may not refund sees no refund button [UI-177]", async ({ page, dinner }) => {
    await page.goto(dinner.restaurant.hubUrl);
    await page.getByRole("link", { name: "Checks" }).click();
    await page.getByLabel("User").fill("clerk");
    await page.getByRole("textbox", { name: "Password" }).fill("clerk");
    await page.getByRole("button", { name: "Sign in" }).last().click();
    await page.getByText("Paid", { exact: true }).first().click();
    await page.getByRole("link", { name: "POS/2026/00007" }).click();
    const order = page.getByRole("article", { name: "Check POS/2026/00007" });
    await expect(order.getByText("Reached accounting")).toBeVisible();
    await expect(order.getByRole("button", { name: "Export" })).toBeVisible();
    await expect(order.getByRole("button", { name: "Refund", exact: true })).toHaveCount(0);
  });

  test("an error says what happened, what to do, and its code [UI-12]", async ({ open }) => {
    const page = await open("/orders/NOPE");
    const alert = page.getByRole("alert").first();
    await expect(alert).toContainText("This no longer exists.");
    await expect(alert).toContainText("Go back to the list");
    await expect(alert).toContainText("HUB-NOT_FOUND");
  });
});

test.describe("failed next page", () => {
  test.use({ refusalsExpected: true });

  test("a list whose next page fails says so and does not retry without a pause [UI-432]", async ({ open, page }) => {
    let failed = 0;
    await page.route(/\/operator\/v1\/orders\?/, async (route) => {
      if (new URL(route.request().url()).searchParams.has("cursor")) {
        failed += 1;
        const error = { error: "the hub failed", errorCode: "INTERNAL_ERROR" };
        return route.fulfill({ status: 500, json: error });
      }
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...((await response.json()) as object), nextCursor: "2" } });
    });
    await open("/orders");
    const retry = page.getByRole("button", { name: "Try again" });
    await expect(retry).toBeVisible();
    // Looks at the screen again long after the failure: nothing was requested in the meantime.
    await page.getByText("Paid", { exact: true }).first().click();
    await expect(retry).toBeVisible();
    expect(failed).toBeLessThan(5);
  });
});
