import type { ShiftReport } from "@comanda/protocol";
import { expect, it } from "vitest";
import { csvTime } from "@comanda/ui/csv.ts";
import { csvOf } from "./shift-csv.ts";

const nothing = { count: 0, amount: 0 };
const report: ShiftReport = {
  id: "s",
  tillId: "bar",
  tillName: 'Barra "1", arriba',
  state: "closed",
  openedAt: "2026-11-27T12:00:00.000Z",
  openedBy: "Ana",
  countedAt: null,
  closedAt: null,
  closedBy: null,
  approvedBy: null,
  sales: 100,
  difference: -5,
  float: 50,
  floats: [{ currency: "USD", amount: 20 }],
  byMethod: [
    { methodId: "1", sales: 100, tips: 0, refunded: 0, foreign: 60, expected: 150, counted: 145, difference: -5 },
    { methodId: "2", sales: 0, tips: 0, refunded: 0, expected: 0, counted: null, difference: null },
    { methodId: "9", sales: 30, tips: 0, refunded: 0, expected: 0, counted: null, difference: null, withCash: true },
  ],
  moves: [{ kind: "drop", amount: 20, reason: "=1+1", at: "2026-11-27T13:00:00.000Z", by: "Ana", terminalId: "front" }],
  refunds: nothing,
  discounts: nothing,
  voids: nothing,
  comps: nothing,
  tips: [],
  checks: { from: null, to: null, count: 0 },
  fiscal: [],
  counts: [],
  openings: [],
  late: [
    {
      paymentId: "7",
      posReference: "A-1",
      kind: "payment",
      methodId: "1",
      currency: "USD",
      foreignAmount: 4,
      amount: 200,
      tip: 10,
      at: "2026-11-27T14:00:00.000Z",
      takenBy: "Ana",
      terminalId: "front",
      assignedBy: "Luz",
      assignedAt: "2026-11-27T15:00:00.000Z",
    },
  ],
};

const labels = {
  t: (key: string) => key.toUpperCase(),
  method: (methodId: string | number) => `Method ${methodId}`,
  time: (iso: string) => csvTime(iso, "America/Santo_Domingo"),
};

it("a shift's report is a CSV table without anything that a spreadsheet would run [TILL-50]", () => {
  const lines = csvOf([report], labels).split("\r\n");
  expect(lines[0]).toBe('\uFEFFTILL,"Barra ""1"", arriba"');
  expect(lines).toContain("Method 2,,0,0,0,0,0,,");
  expect(lines).toContain("FLOAT,20,USD");
  expect(lines).toContain("MOVE.DROP,20,'=1+1,2026-11-27 09:00,Ana");
});

it("cash of another method refers to the shift's cash instead of an expected amount [TILL-175]", () => {
  expect(csvOf([report], labels).split("\r\n")).toContain("Method 9,,30,0,0,0,WITHCASH,,");
});

it("the CSV describes its content in the reader's words, with the restaurant's time [UI-528]", () => {
  const lines = csvOf([report], labels).split("\r\n");
  expect(lines).toContain("COMMON:STATE,STATES.CLOSED");
  expect(lines).toContain("OPENED,2026-11-27 08:00,Ana");
  expect(lines).toContain("METHOD,CURRENCY,SALES,TIPS,REFUNDED,FOREIGN,EXPECTED,COUNTED,DIFFERENCE");
  expect(lines).toContain("Method 1,,100,0,0,60,150,145,-5");
  expect(lines).toContain("LATE,200,10,A-1,2026-11-27 10:00,USD,4");
});

it("the shifts of a day are one CSV table with a single UTF-8 mark [UI-460]", () => {
  const [first, second] = csvOf([report, { ...report, tillName: "Terraza" }], labels).split("\r\n\r\n");
  expect(first).toMatch(/^\uFEFFTILL,/);
  expect(second).toMatch(/^TILL,Terraza\r\n/);
});
