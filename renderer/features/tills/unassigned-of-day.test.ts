import type { UnassignedPayment } from "@comanda/protocol";
import { expect, it } from "vitest";
import { unassignedOfDay } from "./unassigned-of-day.ts";

it("money without a shift counts on its business day, which ends in the small hours [UI-460]", () => {
  const payments = ["2026-11-21T01:00:00.000Z", "2026-11-21T05:30:00.000Z", "2026-11-21T09:30:00.000Z"].map(
    (at): UnassignedPayment => ({
      paymentId: at,
      posReference: "A",
      kind: "payment",
      methodId: 1,
      amount: 100,
      tip: 0,
      at,
      takenBy: "Ana",
      terminalId: "front",
    }),
  );
  const [evening, afterMidnight] = payments;
  expect(unassignedOfDay(payments, { day: "2026-11-20", timeZone: "America/Santo_Domingo" })).toEqual([
    evening,
    afterMidnight,
  ]);
});
