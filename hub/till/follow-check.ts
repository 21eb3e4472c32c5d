import type { Payment, Snapshot, Tender } from "@comanda/protocol";
import { reversed, moneyOf, openTenders, subtract, sum, type TillMoney } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import { addMove, type BookDeps, groupOf, type Moved, partOf } from "./money-moves.ts";
import { type MoneyRow, tillMoneyOf } from "./money-store.ts";

/** Brings the recorded money in line with a check: adds new payments, and assigns kept money to them. */
export function followCheck(
  deps: BookDeps,
  tx: Tx,
  { order, origin, versionKind, queuedAt = null }: ChangeOf<"order.stored">,
): void {
  const { snapshot } = order;
  const { tenders = [], payments = [] } = snapshot;
  const rows = deps.money.listByOrder(snapshot.posReference).filter(({ kind }) => kind !== "refund");
  const { record, giveBackUnused } = recordPaymentsOf(deps, tx, snapshot, rows);
  const isPaid = versionKind === "paid";
  const open = openTenders({ tenders });
  const direct = isPaid ? payments.slice(open.length) : [];
  let isSettled = false;
  for (const tender of tenders) {
    const { tenderId, terminalId, takenBy: userName, voided } = tender;
    const isSettling = isPaid && direct.length === 0 && tender === open.at(-1);
    isSettled = record(tenderId, tender, { terminalId, userName, queuedAt }, isSettling) || isSettled;
    if (voided !== undefined) returnTender(deps, tx, snapshot, { tender, rows, queuedAt });
  }
  giveBackUnused(queuedAt);
  if (!isPaid) return;
  const { posReference, paymentId = `${posReference} ${order.version}` } = snapshot;
  const userName = typeof snapshot["paidBy"] === "string" ? snapshot["paidBy"] : "";
  const moved = { terminalId: origin, userName, queuedAt };
  for (const [index, payment] of direct.entries()) {
    isSettled = record(partOf(paymentId, index), payment, moved, index === direct.length - 1) || isSettled;
  }
  giveBackUnused(queuedAt);
  correct(deps, tx, snapshot, moved);
  if (isSettled) return;
  const nothing = { methodId: "", amount: 0, tip: 0, isRefund: false, drawer: 0, foreign: 0 };
  addMove(deps, tx, { posReference }, moved, { ...nothing, identity: posReference, kind: "payment", isSettling: 1 });
}

/** Records the payments of a check, each matched with money kept for it. */
function recordPaymentsOf(deps: BookDeps, tx: Tx, snapshot: Snapshot, rows: readonly MoneyRow[]) {
  const adopted = new Set<string>();
  const isUnmatched = ({ kind, isKept, identity }: MoneyRow): boolean =>
    kind === "payment" && isKept === 1 && adopted.has(groupOf(identity));

  function markAs(row: MoneyRow, identity: string, isSettling: 0 | 1): void {
    deps.money.mark(tx, { id: row.id, identity, isKept: 0, isSettling });
    row.isKept = 0;
    row.identity = identity;
  }

  return {
    /** Records a payment unless it is recorded already. Returns whether it is new and settles the check. */
    record(identity: string, payment: Payment, moved: Moved, isSettling: boolean): boolean {
      const own = rows.find((row) => row.kind === "payment" && row.identity === identity);
      if (own?.isKept === 0) return false;
      if (own !== undefined) adopted.add(groupOf(identity));
      const money = moneyOf(payment);
      const settles = isSettling ? (1 as const) : (0 as const);
      const matched = [own, ...rows.filter(isUnmatched)].find((row) => row !== undefined && isAlike(row, money));
      if (matched === undefined) {
        addMove(deps, tx, snapshot, moved, { ...money, identity, kind: "payment", isSettling: settles });
        return isSettling;
      }
      const difference = differenceOf(money, tillMoneyOf(matched));
      markAs(matched, identity, settles);
      const { amount, tip, drawer, foreign } = difference;
      if (amount === 0 && tip === 0 && drawer === 0 && foreign === 0) return isSettling;
      // The check needs another amount than was kept: a surplus was given back, a shortfall is one more payment.
      const kind = amount < 0 || (amount === 0 && drawer < 0) ? ("given_back" as const) : ("payment" as const);
      addMove(deps, tx, snapshot, moved, { ...difference, identity: `${identity}.rest`, kind });
      return isSettling;
    },

    /** Gives back kept money that the check did not use: the guest paid in other cash, by another method or not at all. */
    giveBackUnused(queuedAt: number | null): void {
      for (const row of rows.filter(isUnmatched)) {
        const { identity, terminalId, userName } = row;
        markAs(row, identity, 0);
        const back = { ...reversed(tillMoneyOf(row)), identity: `${identity}.rest`, kind: "given_back" } as const;
        addMove(deps, tx, snapshot, { terminalId, userName, queuedAt }, back);
      }
    },
  };
}

/** Returns by how much a payment exceeds the money kept for it. */
function differenceOf(money: TillMoney, recorded: TillMoney): TillMoney {
  return {
    ...money,
    amount: subtract(money.amount, recorded.amount),
    tip: subtract(money.tip, recorded.tip),
    drawer: subtract(money.drawer, recorded.drawer),
    foreign: subtract(money.foreign, recorded.foreign),
  };
}

/** Whether method and currency are the same. */
function isAlike(row: MoneyRow, { methodId, currency }: TillMoney): boolean {
  return row.methodId === methodId && (row.currency ?? undefined) === currency;
}

function returnTender(
  deps: BookDeps,
  tx: Tx,
  snapshot: Snapshot,
  { tender, rows, queuedAt }: { tender: Tender; rows: readonly MoneyRow[]; queuedAt: number | null },
): void {
  const { tenderId, terminalId, voided } = tender;
  if (voided === undefined || rows.some(({ kind, identity }) => kind === "given_back" && identity === tenderId)) return;
  // The money was in the drawer of the terminal that took it.
  const moved = { terminalId, userName: voided.by, queuedAt };
  addMove(deps, tx, snapshot, moved, { ...reversed(moneyOf(tender)), identity: tenderId, kind: "given_back" });
}

/** Corrects what differs from the check's payments, for example after a restore, so that the book matches the takings. */
function correct(deps: BookDeps, tx: Tx, snapshot: Snapshot, moved: Moved): void {
  const off = new Map<string, { amount: number; tip: number }>();
  const change = (methodId: string, amount: number, tip: number): void => {
    const { amount: was = 0, tip: tipped = 0 } = off.get(methodId) ?? {};
    off.set(methodId, { amount: sum([was, amount]), tip: sum([tipped, tip]) });
  };
  for (const payment of snapshot.payments ?? []) {
    const { methodId, amount, tip } = moneyOf(payment);
    change(methodId, amount, tip);
  }
  for (const row of deps.money.listByOrder(snapshot.posReference)) {
    if (row.kind !== "refund" && row.isKept === 0) change(row.methodId, -row.amount, -row.tip);
  }
  for (const [methodId, { amount, tip }] of off) {
    if (methodId === "" || (amount === 0 && tip === 0)) continue;
    const rest = { methodId, amount, tip, isRefund: false, drawer: 0, foreign: 0 };
    const kind = amount < 0 ? ("given_back" as const) : ("payment" as const);
    const identity = `${snapshot.posReference}.rest`;
    addMove(deps, tx, snapshot, moved, { ...rest, identity, kind, shiftId: null });
  }
}
