import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { noteTypeOf, planRefund } from "./refund-plan.ts";

const methods = [
  { id: 1, type: "cash" as const },
  { id: 2, type: "bank" as const },
];

const sale: Snapshot = {
  posReference: "A",
  status: "closed",
  orderType: "dine_in",
  tableId: 31,
  guestCount: 2,
  createdAt: "2026-11-26T18:00:00.000Z",
  updatedAt: "2026-11-26T19:00:00.000Z",
  lines: [
    { id: "m", quantity: 2, total: 200 },
    { id: "f", quantity: 1, total: 50 },
    { id: "v", quantity: 1, total: 40, voided: true },
  ],
  totals: { subtotal: 250, tax: 0, total: 250 },
  payments: [{ methodId: 2, amount: 250 }],
};

it("the plan refunds everything left until a line is reduced [TOUCH-340]", () => {
  expect(planRefund(sale, new Map(), methods)).toEqual({
    rows: [
      { lineId: "m", left: 2, chosen: 2 },
      { lineId: "f", left: 1, chosen: 1 },
    ],
    lines: [
      { lineId: "m", quantity: 2 },
      { lineId: "f", quantity: 1 },
    ],
    isAll: true,
    amount: 250,
    options: [[{ methodId: 2, amount: 250 }], [{ methodId: 1, amount: 250 }]],
  });
  const part = planRefund(
    sale,
    new Map([
      ["m", 1],
      ["f", 0],
    ]),
    methods,
  );
  expect(part).toMatchObject({ lines: [{ lineId: "m", quantity: 1 }], isAll: false, amount: 100 });
  expect(
    planRefund(
      sale,
      new Map([
        ["m", 0],
        ["f", 0],
      ]),
      methods,
    ),
  ).toMatchObject({ lines: [], amount: 0, options: [] });
});

it("the note type follows from the number of the check [TOUCH-340]", () => {
  expect(noteTypeOf({ ncf: "E320000000001" })).toBe("E34");
  expect(noteTypeOf({ ncf: "B0200000001" })).toBe("B04");
  expect(noteTypeOf({})).toBeNull();
});
