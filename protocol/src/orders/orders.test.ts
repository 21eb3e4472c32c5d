import { describe, expect, it } from "vitest";
import { OfferedOrder, StoredLine } from "./orders.ts";

const BEYOND_ALL_BOUNDS = 1e300;

/** Returns the fields that an offered order with this line is rejected for. */
function refusedFields(line: object): string[] {
  const offered = {
    posReference: "R/1",
    version: 1,
    tableId: null,
    terminalId: "till",
    createdAt: "2026-11-22 12:00:00",
    updatedAt: "2026-11-22 12:00:00",
    snapshot: {
      posReference: "R/1",
      status: "open",
      orderType: "takeout",
      tableId: null,
      guestCount: 1,
      createdAt: "2026-11-22T12:00:00.000Z",
      updatedAt: "2026-11-22T12:00:00.000Z",
      lines: [line],
      totals: { subtotal: 0, tax: 0, total: 0 },
    },
  };
  return OfferedOrder.safeParse(offered).error?.issues.map(({ path }) => String(path.at(-1))) ?? [];
}

describe("a line of an order", () => {
  const numbers = Object.keys(StoredLine.shape).filter(
    (field) => StoredLine.safeParse({ id: "a", quantity: 1, [field]: BEYOND_ALL_BOUNDS }).success,
  );

  it("a line has a bound for each number that it is stored with [ORDER-62]", () => {
    expect(numbers).toContain("preparedQuantity");
    const refused = numbers.filter((field) =>
      refusedFields({ id: "a", quantity: 1, [field]: BEYOND_ALL_BOUNDS }).includes(field),
    );
    expect(refused).toEqual(numbers);
  });
});
