import type { KitchenTicket } from "@comanda/protocol";
import { expect, it } from "vitest";
import { share, ticket, ticketLine } from "../../test/builders.ts";
import { takeBackLeftMs } from "./take-back.ts";

it("offers to take back what this device sent within the time that the hub tells and nobody in the kitchen has seen or begun [CLIENT-133]", () => {
  const sentAt = Date.parse("2026-11-21T20:00:00.000Z");
  const left = (change: Partial<KitchenTicket>, { after = 10_000, lineId = "soup", takeBackMs = 30_000 } = {}) =>
    takeBackLeftMs(
      [ticket("one", change)],
      { posReference: "A", lineId },
      { deviceId: "tablet-1", now: sentAt + after, takeBackMs },
    );
  expect(left({})).toBe(20_000);
  expect(left({}, { after: 30_000 })).toBe(0);
  expect(left({}, { takeBackMs: 12_000 })).toBe(2_000);
  expect(left({}, { lineId: "beer" })).toBe(0);
  expect(left({ terminalId: "tablet-2" })).toBe(0);
  expect(left({ seen: [{ stationId: "grill", at: "2026-11-21T20:00:05.000Z" }] })).toBe(0);
  expect(left({ lines: [ticketLine("soup", [share("A", "soup", 2)], { preparedQuantity: 1 })] })).toBe(0);
  expect(left({ lines: [ticketLine("soup", [{ ...share("A", "soup", 2), takenBack: true }])] })).toBe(0);
});
