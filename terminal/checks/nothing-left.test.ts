import { describe, expect, it } from "vitest";
import { endOf, isBlank } from "./nothing-left.ts";

const tender = { tenderId: "t", methodId: 1, amount: 50, takenAt: "", takenBy: "Ana", terminalId: "caja" };

describe("an empty check", () => {
  it("a check is blank without sent lines, details and payments [TOUCH-355]", () => {
    expect(isBlank({})).toBe(true);
    expect(isBlank({ customerName: null, notes: "", pluginData: {}, tenders: [] })).toBe(true);
    expect(isBlank({ customerName: "Ana" })).toBe(false);
    expect(isBlank({ notes: "Cumpleaños" })).toBe(false);
    expect(isBlank({ lines: [{ id: "a", quantity: 1 }] })).toBe(true);
    expect(isBlank({ lines: [{ id: "a", quantity: 1, sentQuantity: 1 }] })).toBe(false);
    expect(isBlank({ pluginData: { reservations: { key: "b-1" } } })).toBe(false);
    expect(isBlank({ tenders: [tender] })).toBe(false);
    expect(isBlank({ tenders: [{ ...tender, voided: { at: "", by: "Ana", reason: "" } }] })).toBe(true);
  });

  it("a check whose lines are all void ends free unless it has a payment, and an empty one has no end [TOUCH-354]", () => {
    const line = { id: "a", quantity: 2 };
    const voided = [{ ...line, voidedQuantity: 2 }];
    expect(endOf({ status: "open", lines: [] })).toBeNull();
    expect(endOf({ status: "open", lines: [{ ...line, voided: true }] })).toBe("free");
    expect(endOf({ status: "sent", lines: voided })).toBe("free");
    expect(endOf({ status: "sent", lines: [{ ...line, voidedQuantity: 1 }] })).toBe("pay");
    expect(endOf({ status: "paid", lines: [line] })).toBeNull();
    expect(endOf({ status: "sent", lines: voided, tenders: [tender] })).toBe("pay");
    const voidedTender = { ...tender, voided: { at: "", by: "Ana", reason: "" } };
    expect(endOf({ status: "sent", lines: voided, tenders: [voidedTender] })).toBe("free");
  });
});
