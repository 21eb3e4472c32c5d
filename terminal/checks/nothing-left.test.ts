import { describe, expect, it } from "vitest";
import { isAllVoid, isBlank } from "./nothing-left.ts";

const tender = { tenderId: "t", methodId: 1, amount: 50, takenAt: "", takenBy: "Ana", terminalId: "caja" };

describe("a check that has come to nothing", () => {
  it("[TOUCH-355] is blank without lines, unless somebody has said something of it or paid on it", () => {
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

  it("[TOUCH-354] is all void when no line counts any more, and an empty one is not", () => {
    const line = { id: "a", quantity: 2 };
    expect(isAllVoid({ lines: [] })).toBe(false);
    expect(isAllVoid({ lines: [{ ...line, voided: true }] })).toBe(true);
    expect(isAllVoid({ lines: [{ ...line, voidedQuantity: 2 }] })).toBe(true);
    expect(isAllVoid({ lines: [{ ...line, voidedQuantity: 1 }] })).toBe(false);
  });
});
