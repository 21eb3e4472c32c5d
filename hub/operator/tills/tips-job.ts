import type { BackOfficeTax, Rounding } from "@comanda/protocol";
import { refundedLegalTip, sum, tipsOfCheck } from "@comanda/rules";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { defineReading } from "../../jobs/job.ts";
import { readRefunds, readTakings } from "../sales/sales-job.ts";

interface Input {
  file: string;
  /** Ms since 1970. */
  from: number;
  to: number;
  taxes: readonly BackOfficeTax[];
  rounding: Rounding | null;
}

/** The tips of a waiter's guests: the legal tip, and voluntary ones. */
export interface TipsOfWaiter {
  userName: string | null;
  legal: number;
  voluntary: number;
}

/**
 * Sums the tips of a period by waiter, less the legal tip of its refunds. For a check that cannot be read, only the tips in
 * its payments count.
 */
export const tipsJob = defineReading("tips", function* tips(db, { from, to, taxes, rounding }: Input): Generator<
  undefined,
  TipsOfWaiter[]
> {
  const waiters = new Map<string | null, TipsOfWaiter>();
  const add = (userName: string | null, tips: Omit<TipsOfWaiter, "userName">): void => {
    const { legal = 0, voluntary = 0 } = waiters.get(userName) ?? {};
    waiters.set(userName, {
      userName,
      legal: sum([legal, tips.legal]),
      voluntary: sum([voluntary, tips.voluntary]),
    });
  };
  const menu = { taxes, rounding: rounding ?? undefined };
  const period = { since: from, until: to, session: null };
  yield* readTakings(db, period, ({ payments }, check) => {
    const content = check ?? { lines: [], orderType: "dine_in" as const, payments: parseColumn(payments, []) };
    add(check?.staffName ?? null, tipsOfCheck(content, menu));
  });
  readRefunds(db, period, (refund) => {
    add(refund.check?.staffName ?? null, { legal: -refundedLegalTip(refund, menu), voluntary: 0 });
  });
  return [...waiters.values()]
    .filter(({ legal, voluntary }) => legal !== 0 || voluntary !== 0)
    .toSorted((a, b) => b.legal + b.voluntary - a.legal - a.voluntary);
});
