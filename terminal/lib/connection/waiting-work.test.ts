import { expect, it } from "vitest";
import { waitingWork } from "./waiting-work.ts";

it("a check whose name is empty is listed by its number [TOUCH-394]", () => {
  const check = (posReference: string, customerName: string | null) => ({
    posReference,
    pending: 1,
    tableId: null,
    snapshot: { customerName, ticketNumber: `T-${posReference}` },
  });
  const terminal = {
    outbox: () => ({ pending: 2 }),
    conflicts: () => [],
    orders: () => [check("1", ""), check("2", "Ana")],
  } as unknown as Parameters<typeof waitingWork>[0];
  expect(waitingWork(terminal, new Map())).toEqual({ count: 2, where: ["T-1", "Ana"] });
});
