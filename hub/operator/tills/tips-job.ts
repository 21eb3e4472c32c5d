import type { BackOfficeTax, Rounding } from "@comanda/protocol";
import { sum, tipsOfCheck } from "@comanda/rules";
import { openReadOnly } from "../../db/open-read-only.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { defineJob } from "../../jobs/job.ts";
import { snapshotOf } from "../sales/sales-job.ts";
import { BODY, type Body } from "../../orders/store/stored-body.ts";

interface Input {
  file: string;
  /** Ms since 1970. */
  from: number;
  to: number;
  taxes: readonly BackOfficeTax[];
  rounding: Rounding | null;
}

/** What a waiter's guests gave: by law, and on top. */
export interface TipsOfWaiter {
  userName: string | null;
  legal: number;
  voluntary: number;
}

/** Rows read before other jobs get their turn. */
const SLICE = 100;

/** The tips of a time, by waiter; of a check that cannot be read those that were paid on top. */
export const tipsJob = defineJob("tips", function* ({ file, from, to, taxes, rounding }: Input): Generator<
  undefined,
  TipsOfWaiter[]
> {
  yield;
  const db = openReadOnly(file);
  try {
    const paid = db.prepare<[number, number], Partial<Body> & { payments: string }>(`
      SELECT t.payments, ${BODY} AS body, v.checksum FROM takings t
      LEFT JOIN orders o ON o.pos_reference = t.pos_reference LEFT JOIN order_versions v ON v.id = o.body_id
      WHERE t.at >= ? AND t.at < ?`);
    const waiters = new Map<string | null, TipsOfWaiter>();
    let read = 0;
    for (const { payments, body = null, checksum = null } of paid.all(from, to)) {
      const check = snapshotOf({ body, checksum });
      const known = check ?? { lines: [], orderType: "dine_in" as const, payments: parseColumn(payments, []) };
      const tips = tipsOfCheck(known, { taxes, rounding: rounding ?? undefined });
      const userName = check?.staffName ?? null;
      const { legal = 0, voluntary = 0 } = waiters.get(userName) ?? {};
      waiters.set(userName, {
        userName,
        legal: sum([legal, tips.legal]),
        voluntary: sum([voluntary, tips.voluntary]),
      });
      read += 1;
      if (read % SLICE === 0) yield;
    }
    return [...waiters.values()]
      .filter(({ legal, voluntary }) => legal !== 0 || voluntary !== 0)
      .toSorted((one, other) => other.legal + other.voluntary - one.legal - one.voluntary);
  } finally {
    db.close();
  }
});
