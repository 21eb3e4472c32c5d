import { describe, expect, it } from "vitest";
import type { EveningLedger } from "../../../hub/test/data-file/restore-evening.ts";
import { compareEvenings, withoutBooked } from "./compare-evenings.ts";

/** Returns an evening with a paid check, and an open one with a dish that is partly made and partly left to cook. */
const evening = (): EveningLedger => ({
  checks: {
    paid: { isPaid: true, total: 300, paid: [100, 200], lines: { a: ["Mofongo", 3, 3, 3] } },
    open: { isPaid: false, total: 200, paid: [], lines: { b: ["Sancocho", 2, 2, 1] } },
  },
  toCook: { Sancocho: 1 },
  takings: { paidOrders: 1, paidAmount: 300 },
  unapplied: ["kept"],
});

/** Returns the findings for an evening with this change. */
function findingsOf(change: (ledger: EveningLedger) => void): string[] {
  const after = evening();
  change(after);
  return compareEvenings(evening(), after).map(({ kind, description, count }) => `${kind} ${count}: ${description}`);
}

describe("compareEvenings [FAULT-120]", () => {
  it("compareEvenings reports nothing for equal evenings", () => {
    expect(findingsOf(() => {})).toEqual([]);
  });

  it.each<[string, (ledger: EveningLedger) => void, string[]]>([
    [
      "a missing check with its dish",
      ({ checks }) => delete checks["open"],
      [
        "lost 2: Sancocho: ordered 0 instead of 2",
        "lost 2: Sancocho: sent 0 instead of 2",
        "lost 1: Sancocho: prepared 0 instead of 1",
      ],
    ],
    [
      "a dish that is also on another check",
      ({ checks }) => (checks["paid"]!.lines["c"] = ["Sancocho", 2, 0, 0]),
      ["doubled 2: Sancocho: ordered 4 instead of 2"],
    ],
    [
      "a dish that the kitchen no longer makes",
      ({ toCook }) => delete toCook["Sancocho"],
      ["lost 1: Sancocho: left to cook 0 instead of 1"],
    ],
    [
      "a dish that is made twice",
      ({ toCook }) => (toCook["Sancocho"] = 2),
      ["doubled 1: Sancocho: left to cook 2 instead of 1"],
    ],
    ["a missing tender", ({ checks }) => (checks["paid"]!.paid = [200]), ["lost 100: paid: paid 200 instead of 300"]],
    [
      "a tender that counts twice",
      ({ checks }) => (checks["paid"]!.paid = [100, 100, 200]),
      ["doubled 100: paid: paid 400 instead of 300"],
    ],
    [
      "missing pesos of the register",
      ({ takings }) => (takings.paidAmount = 0),
      ["lost 300: the register: pesos 0 instead of 300"],
    ],
    [
      "a dish on an unexpected check",
      ({ checks }) => {
        checks["other"] = { ...checks["open"]! };
        delete checks["open"];
      },
      [
        "hidden 1: open is not there, though all of it is there",
        "hidden 1: other is not as it was, though all of it is there",
      ],
    ],
    [
      "a check that is open again",
      ({ checks }) => (checks["paid"]!.isPaid = false),
      ["hidden 1: paid is not as it was, though all of it is there"],
    ],
    [
      "a missing unapplied payment",
      (ledger) => (ledger.unapplied = []),
      ["lost 1: the payment of kept that waited for a manager"],
    ],
    [
      "an additional unapplied payment",
      (ledger) => ledger.unapplied.push("open"),
      ["stuck 1: a payment of open waits for a manager"],
    ],
  ])("compareEvenings finds %s", (_, change, found) => {
    expect(findingsOf(change)).toEqual(found);
  });

  it("withoutBooked leaves out a check that the back-office has with the same total, and no other", () => {
    const after = evening();
    delete after.checks["paid"];
    after.takings = { paidOrders: 0, paidAmount: 0 };
    const judged = (booked: [string, number][]) =>
      compareEvenings(withoutBooked(evening(), after, new Map(booked)), after).map(({ kind }) => kind);
    expect(judged([["paid", 300]])).toEqual([]);
    expect(judged([["paid", 200]])).toContain("lost");
    expect(judged([["open", 200]])).toContain("lost");
  });
});
