import type { Snapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { fiscalStanding, withRequestedNumber } from "./fiscal-standing.ts";

function standingOf(paid: Partial<Snapshot>, pending = 0) {
  return fiscalStanding({ snapshot: paid as Snapshot, pending });
}

it("the receipt shows the fiscal number, or what it waits for [TOUCH-79]", () => {
  expect(standingOf({}, 1)).toEqual({ state: "pending" });
  expect(standingOf({ fiscal: { status: "pending", type: "E32" } })).toEqual({ state: "pending" });
  const fiscal = { status: "assigned", type: "E32" } as const;
  expect(standingOf({ ncf: "E320000000001", fiscal })).toEqual({ state: "assigned", ncf: "E320000000001" });
  expect(standingOf({ fiscal: { status: "failed", errorCode: "NCF_EXHAUSTED" } })).toEqual({
    state: "failed",
    code: "NCF_EXHAUSTED",
  });
  expect(standingOf({ fiscal: { status: "none" } }, 1)).toEqual({ state: "none" });
  expect(standingOf({})).toEqual({ state: "none" });
});

it("a receipt without the hub's answer waits for the number that its last payment asked for, or for none [TOUCH-79]", () => {
  const [plain, forBuyer] = [{ amount: 100 }, { amount: 50, fiscal: { type: "E31", rnc: "101010101", name: "Ozama" } }];
  const paidWith = (...tenders: object[]) => ({ snapshot: { tenders } as unknown as Snapshot, pending: 1 });
  expect(withRequestedNumber(paidWith(plain, forBuyer, plain)).fiscal).toEqual({
    type: "E31",
    rnc: "101010101",
    name: "Ozama",
    status: "pending",
  });
  expect(withRequestedNumber(paidWith(plain)).fiscal).toEqual({ status: "none" });
  const answered = { ...paidWith(forBuyer), snapshot: { fiscal: { status: "none" } } as unknown as Snapshot };
  expect(withRequestedNumber(answered)).toBe(answered.snapshot);
});
