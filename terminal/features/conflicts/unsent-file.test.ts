import { expect, it } from "vitest";
import { unsentFile } from "./unsent-file.ts";

it("the unsent file lists each check with its dishes and payments [UI-533]", () => {
  const snapshot = {
    tableId: 4,
    customerName: null,
    orderType: "dine_in" as const,
    staffName: "Wendy",
    lines: [
      { id: "a", productId: 1, name: "Mofongo", quantity: 3, unitPrice: 450, total: 1062, voidedQuantity: 1 },
      { id: "b", productId: 2, name: "Tostones", quantity: 1, unitPrice: 100, total: 118, voided: true },
    ],
    totals: { subtotal: 900, tax: 162, total: 1062 },
    payments: [
      { methodId: 1, amount: 1000 },
      { methodId: 2, amount: 62 },
    ],
  };
  const { payments: _payments, ...unpaid } = snapshot;
  const open = { ...unpaid, staffName: null };
  const text = unsentFile(
    [
      { posReference: "A-1", snapshot },
      { posReference: "A-2", snapshot: open },
    ],
    {
      head: ["tablet-1", "29 nov 2026"],
      dishOf: (line) => String(line["name"]),
      titleOf: ({ tableId }) => `Mesa ${tableId}`,
      money: (amount) => `RD$${amount}`,
      total: (amount) => `Total ${amount}`,
      taken: (amount) => `Cobrado ${amount}`,
    },
  );
  expect(text.replace("\uFEFF", "").split("\r\n")).toEqual([
    "tablet-1",
    "29 nov 2026",
    "",
    "Mesa 4 · Wendy · A-1",
    "  2 × Mofongo  RD$1062",
    "  Total RD$1062",
    "  Cobrado RD$1062",
    "",
    "Mesa 4 · A-2",
    "  2 × Mofongo  RD$1062",
    "  Total RD$1062",
    "",
  ]);
});
