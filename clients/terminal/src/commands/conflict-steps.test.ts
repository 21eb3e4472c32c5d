import { expect, it, onTestFinished } from "vitest";
import { content, entry, line, storedOrder } from "../../test/builders.ts";
import { openTerminalWith } from "../open-with.ts";
import type { OrderContent } from "../orders/order-content.ts";
import type { Intent, Refusal } from "../outbox/entries/outbox-entry.ts";
import { memoryStorage } from "../outbox/queue/outbox-storage.ts";
import { protocolSchemas } from "../schemas.ts";

/** A terminal without a hub, on which these wait to be decided, because check A was paid meanwhile. */
async function withRefused(before: OrderContent, intents: readonly Intent[]) {
  const storage = memoryStorage();
  const refusal: Refusal = { errorCode: "ORDER_LOCKED", error: "paid", collisions: [], at: "2026-11-21T20:00:00.000Z" };
  for (const intent of intents) await storage.put(entry(intent, { refusal }));
  const stored = storedOrder("A", 3, before);
  await storage.saveCache([
    ["version", "1.0.0"],
    ["place", { since: { hubId: "hub-1", epoch: "e", seq: 3 }, asOf: "2026-11-21T20:00:00.000Z" }],
    ["order A", { ...stored, snapshot: { ...stored.snapshot, status: "paid" } }],
    ["actor", { token: "t", user: { id: 1, name: "Ana" } }],
  ]);
  const terminal = await openTerminalWith(protocolSchemas, {
    url: "ws://127.0.0.1:9",
    deviceId: "tablet-1",
    token: "t",
    clientVersion: "1.0.0",
    storage,
    openSocket: () => {
      throw new Error("nobody connects");
    },
  });
  onTestFinished(terminal.stop);
  return terminal;
}

it("[CLIENT-310] keeps for whom what was added is, where it goes and what was noted, as this device had it last", async () => {
  const contact = { phone: "809-555-0142", address: "Calle Duarte 12" };
  const delivery = { orderType: "delivery", tableId: null, customerName: "Ana Méndez", guestCount: 4 } as const;
  const before = content([line("soup")], { ...delivery, pluginData: { contact, reservations: { key: "b-1" } } });
  const more = { ...before, lines: [line("soup"), line("cake", { total: 9 })] };
  const moved = { ...contact, address: "Calle Mella 3" };
  const last = { ...more, notes: "Portón azul", pluginData: { ...before.pluginData, contact: moved } };
  const other = { posReference: "Z", base: null, next: content([line("tea")]) };
  const terminal = await withRefused(before, [
    { type: "ORDER_BATCH", orders: [other, { posReference: "A", base: before, next: more }] },
    { type: "ORDER_UPSERT", posReference: "A", base: more, next: last },
  ]);
  const [conflict] = terminal.conflicts().filter(({ orders }) => orders[0]?.posReference === "A");
  terminal.onOwnCheck(conflict?.id ?? "", "B");
  const { lines, pluginData, ...shown } = terminal.order("B")?.snapshot ?? {};
  expect(shown).toMatchObject({ ...delivery, guestCount: 1, notes: "Portón azul" });
  expect(lines).toMatchObject([{ quantity: 1, total: 9 }]);
  expect(pluginData).toEqual({ contact: moved });
});

it("[CLIENT-316] charges what was added of a line in full, whose fixed discount stays with what was there", async () => {
  const tea = { unitPrice: 118, discount: { amount: 36 } };
  const before = content([line("tea", { ...tea, quantity: 2, total: 200, taxAmount: 30.51 })]);
  const next = { ...before, lines: [line("tea", { ...tea, quantity: 3, total: 318, taxAmount: 48.51 })] };
  const terminal = await withRefused(before, [{ type: "ORDER_UPSERT", posReference: "A", base: before, next }]);
  terminal.onOwnCheck(terminal.conflicts()[0]?.id ?? "", "B");
  const { lines = [] } = terminal.order("B")?.snapshot ?? {};
  expect(lines).toMatchObject([{ quantity: 1, unitPrice: 118, total: 118, taxAmount: 18 }]);
  expect(lines[0]).not.toHaveProperty("discount");
});
