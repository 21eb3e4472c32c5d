import { newOrder } from "../support/orders.ts";
import { line } from "./menu.ts";
import { expect, test } from "./screen-test.ts";

test("[UI-16] a ticket that no station has shown stands out, and follows the kitchen", async ({ open, dinner }) => {
  const { waiter } = dinner;
  waiter.openOrder(newOrder("POS/2026/00070", [line("l1", "chivo", 2)], 67));
  await waiter.idle();
  waiter.sendToKitchen("POS/2026/00070");
  await waiter.idle();
  const page = await open("/kitchen");
  const ticket = page.getByRole("article", { name: "Terraza 7" });
  await expect(ticket.getByText("Nobody has seen it")).toBeVisible();
  const { kitchenTicketId = "" } = waiter.order("POS/2026/00070")?.snapshot.lines[0] ?? {};
  waiter.kitchenSeen(kitchenTicketId, "fría");
  await expect(ticket.getByText("Seen", { exact: true })).toBeVisible();
  await expect(ticket.getByText(/fría at/)).toBeVisible();
  waiter.bump("POS/2026/00070", "l1", 1);
  await expect(ticket.getByText("1 of 2")).toBeVisible();
  waiter.bump("POS/2026/00070", "l1", 2);
  await expect(ticket).toHaveCount(0);
  await page.getByText("Ready", { exact: true }).click();
  await expect(ticket.getByText(/^took/)).toBeVisible();
});
