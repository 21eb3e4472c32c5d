import type { Conflict, OutboxEntry } from "@comanda/terminal";

export type Hub = NonNullable<Conflict["orders"][number]["hub"]>;

export const content = { orderType: "dine_in", tableId: 61, guestCount: 2 } as const;
export const line = { id: "a", productId: 1, quantity: 2, unitPrice: 100, total: 200 };
export const hub = {
  posReference: "A",
  version: 2,
  snapshot: { ...content, status: "open", lines: [line], totals: { total: 200 } },
} as unknown as Hub;
export const edit = { type: "ORDER_UPSERT", posReference: "A", base: content, next: content } as const;
export const pay = {
  type: "ORDER_PAY" as const,
  posReference: "A",
  paymentId: "p",
  payments: [{ methodId: 1, amount: 200 }],
  seen: { ...content, totals: { subtotal: 200, tax: 0, total: 200 } },
  seenVersion: 1,
} satisfies OutboxEntry["intent"];

/** Builds a conflict about check A, which the hub has. */
export function conflictOf(
  intent: OutboxEntry["intent"],
  errorCode: Conflict["refusal"]["errorCode"],
  more: Partial<Conflict> & { existing?: boolean; order?: Partial<Conflict["orders"][number]> } = {},
): Conflict {
  const { existing = false, order = {}, ...rest } = more;
  const found = existing ? { existing: { posReference: "B", checkNumber: 1, staffName: "Ana" } } : {};
  return {
    id: "1",
    intent,
    queuedAt: "2026-11-22T20:00:00.000Z",
    author: null,
    refusal: { errorCode, error: "", collisions: [], at: "2026-11-22T20:00:00.000Z", ...found },
    isNotice: false,
    orders: [{ posReference: "A", mine: null, base: content, hub, ...order }],
    insisted: intent,
    behind: [],
    ...rest,
  };
}
