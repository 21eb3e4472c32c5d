import type { Payment, Refund } from "@comanda/protocol";
import { reversed, moneyOf } from "@comanda/rules";
import type { Recorder, Tx } from "../changes/change.ts";
import { followCheck } from "./follow-check.ts";
import { addMove, type BookDeps, groupOf, partOf } from "./money-moves.ts";

/** Money that was taken but is on no check. */
export interface UnappliedMoney {
  identity: string;
  posReference: string;
  terminalId: string;
  userName: string;
  payments: readonly Payment[];
  /** Ms since 1970; null if the terminal did not say. */
  takenAt: number | null;
}

export type TillBook = ReturnType<typeof createTillBook>;

/** Records each movement of a check's money with the shift whose drawer holds it, in the transaction of the change. */
export function createTillBook(deps: BookDeps) {
  const { money, tills } = deps;

  return {
    record: ((change, tx) => {
      if (change.kind !== "order.stored" || change.versionKind === null || !MOVES_MONEY.has(change.versionKind)) return;
      if (change.versionKind !== "paid" && change.order.snapshot.tenders === undefined) return;
      followCheck(deps, tx, change);
    }) satisfies Recorder,

    /** Records money on no check: it is in the drawer anyway. */
    kept(tx: Tx, { identity, posReference, payments, terminalId, userName, takenAt }: UnappliedMoney): void {
      const rows = money.listByOrder(posReference).filter((row) => groupOf(row.identity) === identity);
      const moved = { terminalId, userName, queuedAt: takenAt };
      for (const row of rows) if (row.kind === "payment") money.mark(tx, { ...row, isKept: 1, isSettling: 0 });
      if (rows.length > 0) return;
      for (const [index, payment] of payments.entries()) {
        const row = { ...moneyOf(payment), identity: partOf(identity, index), kind: "payment", isKept: 1 } as const;
        addMove(deps, tx, { posReference }, moved, row);
      }
    },

    /** Records that a manager has settled kept money: what is still on no check was given back. */
    settled(tx: Tx, identity: string, posReference: string, by: string): void {
      for (const row of money.listByOrder(posReference)) {
        if (row.isKept === 0 || row.kind !== "payment" || groupOf(row.identity) !== identity) continue;
        const { methodId, amount, tip, drawer, foreign, currency, terminalId } = row;
        const takenMoney = { methodId, amount, tip, drawer, foreign, currency: currency ?? undefined, isRefund: false };
        const moved = { terminalId, userName: by, queuedAt: null };
        money.mark(tx, { ...row, isKept: 0 });
        addMove(deps, tx, { posReference }, moved, {
          ...reversed(takenMoney),
          identity: row.identity,
          kind: "given_back",
        });
      }
    },

    /** Records a credit note: the guest's money leaves a drawer. */
    refunded(tx: Tx, posReference: string, { refundId, refund, terminalId, by }: Refund): void {
      for (const [index, { methodId, amount, shiftId }] of refund.entries()) {
        const back = { ...reversed(moneyOf({ methodId, amount })), identity: partOf(refundId, index) };
        const named = shiftId === undefined ? null : tills.getShift(shiftId);
        const place = named?.state === "open" ? { shiftId: named.id } : {};
        const moved = { terminalId, userName: by, queuedAt: null };
        addMove(deps, tx, { posReference }, moved, { ...back, isRefund: true, kind: "refund", ...place });
      }
    },
  };
}

/** Changes that affect a check's money. A check that arrives with tenders does so when it is first stored. */
const MOVES_MONEY: ReadonlySet<string> = new Set(["paid", "tendered", "tender_voided", "created", "restored"]);
