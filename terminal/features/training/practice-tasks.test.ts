import type { ContentChange, Intent, OrderContent } from "@comanda/terminal";
import { describe, expect, it } from "vitest";
import { taskOf } from "./practice-tasks.ts";

const posReference = "POS/1";

function content(...quantities: number[]): OrderContent {
  const lines = quantities.map((quantity, index) => ({ id: `l${index}`, productId: 1, quantity, price: 100 }));
  return { orderType: "dine_in", tableId: 1, lines, totals: { subtotal: 288, tax: 0, total: 288 } };
}

const edit = (base: OrderContent | null, next: OrderContent): Intent => ({
  type: "ORDER_UPSERT",
  posReference,
  base,
  next,
});
const send: Intent = { type: "ORDER_SEND", posReference };
const tender = (methodId: number, amount: number, tendered?: number): Intent => ({
  type: "ORDER_TENDER",
  posReference,
  tenderId: `t${methodId}-${amount}`,
  methodId,
  amount,
  ...(tendered !== undefined && { tendered, change: tendered - amount }),
  seen: content(1),
  seenVersion: 1,
});
const batch = (...orders: ContentChange[]): Intent => ({ type: "ORDER_BATCH", orders });

describe("the practice's tasks", () => {
  it.each<[string, Intent[], number, ReturnType<typeof taskOf>]>([
    ["a table with three dishes", [edit(null, content(1)), edit(content(1), content(1, 2)), send], 5, "open"],
    ["a table with two", [edit(null, content(1)), edit(content(1), content(2)), send], 4, null],
    ["one more", [edit(content(1), content(1, 1)), send], 3, "more"],
    ["one more of the same", [edit(content(1), content(2)), send], 3, "more"],
    ["two more", [edit(content(1), content(1, 1)), edit(content(1, 1), content(1, 2)), send], 4, null],
    ["the round of two dishes", [edit(content(1, 1), content(1, 1, 1, 1)), send], 4, "round"],
    ["the round of one dish", [edit(content(1), content(1, 1)), send], 2, "round"],
    ["what waited", [send], 2, null],
    ["a dish that is not sent", [edit(null, content(3))], 4, null],
    [
      "two lines to another check",
      [
        batch(
          { posReference: "POS/2", base: content(1), next: content(1, 1, 1) },
          { posReference, base: content(1, 1, 1), next: content(1) },
        ),
      ],
      5,
      "move",
    ],
    [
      "a merge",
      [
        batch(
          { posReference: "POS/2", base: content(1), next: content(1, 1, 1) },
          { posReference, base: content(1, 1), next: content() },
        ),
      ],
      5,
      null,
    ],
    ["exact cash", [tender(1, 288, 288)], 3, "exact"],
    ["cash with change", [tender(1, 288, 300)], 4, null],
    ["a card", [tender(2, 288)], 3, null],
    ["a part", [tender(1, 100, 100)], 3, null],
    ["two methods", [tender(1, 200, 200), tender(2, 88)], 4, "methods"],
    ["two parts in cash", [tender(1, 200, 200), tender(1, 88, 88)], 4, null],
    ["two halves", [tender(1, 144, 144), tender(2, 144)], 5, "halves"],
    ["halves of an odd cent", [tender(1, 144.01, 144.01), tender(2, 143.99)], 5, "methods"],
    ["three parts", [tender(1, 96, 96), tender(1, 96, 96), tender(2, 96)], 6, null],
  ])("taskOf returns the task completed by %s, if any [TOUCH-188]", (_what, acts, taps, task) => {
    expect(taskOf(acts, taps)).toBe(task);
  });

  it("a void is recognized by its reason, once [TOUCH-188]", () => {
    const voided = content(1, 1);
    voided.lines = voided.lines?.map((line, index) => (index === 1 ? { ...line, voidReason: "No le gustó" } : line));
    expect(taskOf([edit(content(1, 1), voided)], 4)).toBe("void");
    expect(taskOf([edit(voided, { ...voided, guestCount: 3 })], 2)).toBe(null);
  });
});
