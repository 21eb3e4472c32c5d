import { describe, expect, it, onTestFinished } from "vitest";
import { content, entry, line, storedOrder } from "../../test/builders.ts";
import { openTerminalWith } from "../open-with.ts";
import type { OrderContent, OrderLine } from "../orders/order-content.ts";
import type { Intent, Refusal } from "../outbox/entries/outbox-entry.ts";
import { reopeningsFor } from "./conflict-steps.ts";
import { checkToPay } from "../outbox/answers/check-to-pay.ts";
import { memoryStorage } from "../outbox/queue/outbox-storage.ts";
import { protocolSchemas } from "../schemas.ts";

/**
 * A terminal without a hub, with these mutations as conflicts, because check A was paid, or has another `status`, and others that
 * wait for them.
 */
async function withRefused(
  before: OrderContent,
  intents: readonly Intent[],
  status = "paid",
  waiting: readonly Intent[] = [],
) {
  const storage = memoryStorage();
  const refusal: Refusal = { errorCode: "ORDER_LOCKED", error: "paid", collisions: [], at: "2026-11-21T20:00:00.000Z" };
  for (const intent of intents) await storage.put(entry(intent, { refusal }));
  for (const intent of waiting) await storage.put(entry(intent));
  const stored = storedOrder("A", 3, before);
  await storage.saveCache([
    ["version", "1.0.0"],
    ["place", { since: { hubId: "hub-1", epoch: "e", seq: 3 }, asOf: "2026-11-21T20:00:00.000Z" }],
    ["order A", { ...stored, snapshot: { ...stored.snapshot, status } }],
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

it("an own check for additions keeps the customer, the destination and the notes last set on this device [CLIENT-310]", async () => {
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

it("a reopening is queued before the refused change, and that before what waits for it [CLIENT-730]", async () => {
  const before = content([line("soup")]);
  const next = content([line("soup"), line("cake")]);
  const change: Intent = { type: "ORDER_UPSERT", posReference: "A", base: before, next };
  const send: Intent = { type: "ORDER_SEND", posReference: "A", lineIds: ["cake"] };
  const terminal = await withRefused(before, [change], "checkout", [send]);
  const [conflict] = terminal.conflicts();
  if (conflict !== undefined) terminal.retry(conflict.id, undefined, reopeningsFor(conflict));
  expect(terminal.conflicts()).toEqual([]);
  expect(terminal.order("A")?.snapshot).toMatchObject({
    status: "sent",
    lines: [
      { id: "soup", quantity: 1 },
      { id: "cake", sentQuantity: 1 },
    ],
  });
});

it("an added quantity is charged in full on its own check, and a fixed discount stays with the rest [CLIENT-316]", async () => {
  const tea = { unitPrice: 118, discount: { amount: 36 } };
  const before = content([line("tea", { ...tea, quantity: 2, total: 200, taxAmount: 30.51 })]);
  const next = { ...before, lines: [line("tea", { ...tea, quantity: 3, total: 318, taxAmount: 48.51 })] };
  const terminal = await withRefused(before, [{ type: "ORDER_UPSERT", posReference: "A", base: before, next }]);
  terminal.onOwnCheck(terminal.conflicts()[0]?.id ?? "", "B");
  const { lines = [] } = terminal.order("B")?.snapshot ?? {};
  expect(lines).toMatchObject([{ quantity: 1, unitPrice: 118, total: 118, taxAmount: 18 }]);
  expect(lines[0]).not.toHaveProperty("discount");
});

it("an added quantity gets of a new fixed discount at most what was not given before [CLIENT-316]", async () => {
  const added = async (before: Partial<OrderLine>, after: Partial<OrderLine>) => {
    const price = { unitPrice: 118 };
    const was = content([line("tea", { ...price, ...before })]);
    const next = { ...was, lines: [line("tea", { ...price, ...after })] };
    const terminal = await withRefused(was, [{ type: "ORDER_UPSERT", posReference: "A", base: was, next }]);
    terminal.onOwnCheck(terminal.conflicts()[0]?.id ?? "", "B");
    return terminal.order("B")?.snapshot.lines;
  };
  const one = { quantity: 1, total: 118, taxAmount: 18 };
  const two = { quantity: 2, total: 177, taxAmount: 27, discount: { amount: 59 } };
  expect(await added(one, two)).toMatchObject([{ quantity: 1, total: 59, taxAmount: 9, discount: { amount: 59 } }]);
  // A line that was raised: the additional part.
  const less = { quantity: 1, total: 88.5, taxAmount: 13.5, discount: { amount: 29.5 } };
  expect(await added(less, two)).toMatchObject([
    { quantity: 1, total: 88.5, taxAmount: 13.5, discount: { amount: 29.5 } },
  ]);
  // The discount exceeds the added amount, or was lowered: its proportional part.
  const most = { quantity: 2, total: 59, taxAmount: 9, discount: { amount: 177 } };
  expect(await added(one, most)).toMatchObject([
    { quantity: 1, total: 29.5, taxAmount: 4.5, discount: { amount: 88.5 } },
  ]);
  const lower = { quantity: 2, total: 212.4, taxAmount: 32.4, discount: { amount: 23.6 } };
  expect(await added(less, lower)).toMatchObject([
    { quantity: 1, total: 106.2, taxAmount: 16.2, discount: { amount: 11.8 } },
  ]);
  // Replaces a percentage, whose value is not charged twice.
  const share = { quantity: 2, total: 212.4, taxAmount: 32.4, discount: { percent: 10 } };
  const instead = { quantity: 3, total: 295, taxAmount: 45, discount: { amount: 59 } };
  expect(await added(share, instead)).toMatchObject([
    { quantity: 1, total: 98.33, taxAmount: 15, discount: { amount: 19.67 } },
  ]);
});

describe("of two payments that were refused because their check became cheaper", () => {
  const seen = content([line("steak", { total: 1_000 })]);
  const [ana, luis] = ["4a1f6a1e-0000-4000-8000-000000000001", "4a1f6a1e-0000-4000-8000-000000000002"] as const;
  const money = { posReference: "A", seen, seenVersion: 2 };
  const tender = (tenderId: string, amount: number, seenDue: number): Intent => ({
    ...money,
    type: "ORDER_TENDER",
    tenderId,
    methodId: 2,
    amount,
    seenDue,
  });
  const payments = [{ methodId: 2, amount: 1_000 }];
  const whole: Intent = { ...money, type: "ORDER_PAY", paymentId: luis, payments };

  it.each([
    ["a tender", tender(luis, 400, 400), 400],
    ["a whole payment", whole, 1_000],
  ])(
    "the second, %s, counts as paid what the first has put there, which still waits [CLIENT-342]",
    async (_, second, brought) => {
      const cheaper = content([line("steak", { total: 700 })]);
      const part = await withRefused(cheaper, [tender(ana, 600, 1_000), second], "open");
      const [one, other] = part.conflicts();
      expect(part.applyAsPart(one!.id)).toMatchObject({ collect: 100, giveBack: 0 });
      expect(checkToPay(other!, [part.expectedOrder("A")!])?.snapshot.tenders).toMatchObject([{ amount: 600 }]);
      expect(part.applyAsPart(other!.id)).toMatchObject({ collect: 0, giveBack: brought - 100 });

      const all = await withRefused(cheaper, [tender(ana, 800, 1_000), second], "open");
      const [covering, rest] = all.conflicts();
      expect(all.applyAsPart(covering!.id)).toMatchObject({ collect: 0, giveBack: 100 });
      expect(checkToPay(rest!, [all.expectedOrder("A")!])).toBeNull();
      expect(() => all.applyAsPart(rest!.id)).toThrow("nothing is due");
    },
  );
});
