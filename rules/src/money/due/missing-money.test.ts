import type { Snapshot, Tender } from "@comanda/protocol";
import { expect, it } from "vitest";
import { missingMoney } from "./missing-money.ts";

const tender = (tenderId: string, amount: number, voided?: Tender["voided"]): Tender =>
  ({ tenderId, amount, methodId: 1, ...(voided !== undefined && { voided }) }) as Tender;
const check = (tenders: Tender[], payments?: Snapshot["payments"]) => ({ tenders, payments }) as Snapshot;
const voided = { at: "", by: "Ana", reason: "x" };

it("a payment from before a restore is missing until it is on the check again or was returned [RULE-43]", () => {
  const [ten, twenty] = [tender("a", 10.1), tender("b", 20.2)];
  expect(missingMoney(check([ten, twenty]), check([]))).toBe(30.3);
  expect(missingMoney(check([ten, twenty]), check([ten]))).toBe(20.2);
  expect(missingMoney(check([ten, twenty]), check([ten, { ...twenty, voided: voided }]))).toBe(0);
  // A payment taken since the restore does not replace the missing one.
  expect(missingMoney(check([ten]), check([twenty]))).toBe(10.1);
  expect(missingMoney(check([{ ...ten, voided: voided }]), check([]))).toBe(0);
  // The check was fully paid.
  const payments = [ten, { methodId: 2, amount: 5 }];
  expect([missingMoney(check([ten], payments), check([])), missingMoney(check([ten], payments), check([ten]))]).toEqual(
    [15.1, 5],
  );
});
