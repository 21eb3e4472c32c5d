import type { KitchenTicket } from "@comanda/protocol";
import { expect, it } from "vitest";
import { share, ticket, ticketLine } from "../../test/builders.ts";
import { takeBackLeftMs } from "./take-back.ts";

it("a line can be taken back by its sender within the hub's time limit, until the kitchen has seen or started it [CLIENT-133]", () => {
  const sentAt = Date.parse("2026-11-21T20:00:00.000Z");
  const remainingMs = (change: Partial<KitchenTicket>, { after = 10_000, lineId = "soup", takeBackMs = 30_000 } = {}) =>
    takeBackLeftMs(
      [ticket("one", change)],
      { posReference: "A", lineId },
      { deviceId: "tablet-1", now: sentAt + after, takeBackMs },
    );
  expect(remainingMs({})).toBe(20_000);
  expect(remainingMs({}, { after: 30_000 })).toBe(0);
  expect(remainingMs({}, { takeBackMs: 12_000 })).toBe(2_000);
  expect(remainingMs({}, { lineId: "beer" })).toBe(0);
  expect(remainingMs({ terminalId: "tablet-2" })).toBe(0);
  expect(remainingMs({ seen: [{ stationId: "grill", at: "2026-11-21T20:00:05.000Z" }] })).toBe(0);
  expect(remainingMs({ lines: [ticketLine("soup", [share("A", "soup", 2)], { preparedQuantity: 1 })] })).toBe(0);
  expect(remainingMs({ lines: [ticketLine("soup", [{ ...share("A", "soup", 2), takenBack: true }])] })).toBe(0);
});
