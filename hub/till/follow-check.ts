import type { Payment, Snapshot, Tender } from "@comanda/protocol";
import { givenBack, moneyOf, openTenders, subtract, sum, type TillMoney } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import { addMove, type BookDeps, groupOf, type Moved, partOf } from "./money-moves.ts";
import type { MoneyRow } from "./money-store.ts";

/** The money of a check as it stands: what is new is added, what was kept for it is on it now. */
export function followCheck(
  deps: BookDeps,
  tx: Tx,
  { order, origin, did, queuedAt = null }: ChangeOf<"order.stored">,
): void {
  const { snapshot } = order;
  const { tenders = [], payments = [] } = snapshot;
  const rows = deps.money.ofOrder(snapshot.posReference).filter(({ kind }) => kind !== "refund");
  const bring = bringTo(deps, tx, snapshot, rows);
  const isPaid = did === "paid";
  const open = openTenders({ tenders });
  const direct = isPaid ? payments.slice(open.length) : [];
  let isSettled = false;
  for (const tender of tenders) {
    const { tenderId, terminalId, takenBy: userName, voided } = tender;
    const isSettling = isPaid && direct.length === 0 && tender === open.at(-1);
    isSettled = bring(tenderId, tender, { terminalId, userName, queuedAt }, isSettling) || isSettled;
    if (voided !== undefined) returnTender(deps, tx, snapshot, { tender, rows, queuedAt });
  }
  if (!isPaid) return;
  const { posReference, paymentId = `${posReference} ${order.version}` } = snapshot;
  const userName = typeof snapshot["paidBy"] === "string" ? snapshot["paidBy"] : "";
  const moved = { terminalId: origin, userName, queuedAt };
  for (const [index, payment] of direct.entries()) {
    isSettled = bring(partOf(paymentId, index), payment, moved, index === direct.length - 1) || isSettled;
  }
  correct(deps, tx, snapshot, moved);
  if (isSettled) return;
  const nothing = { methodId: "", amount: 0, tip: 0, isRefund: false, drawer: 0, foreign: 0 };
  addMove(deps, tx, { posReference }, moved, { ...nothing, identity: posReference, kind: "payment", isSettling: 1 });
}

/** Notes a payment of a check unless it is noted; answers whether this is news of the one that settled it. */
function bringTo(deps: BookDeps, tx: Tx, snapshot: Snapshot, rows: readonly MoneyRow[]) {
  const { money } = deps;
  const adopted = new Set<string>();

  return (identity: string, payment: Payment, moved: Moved, isSettling: boolean): boolean => {
    const own = rows.find((row) => row.kind === "payment" && row.identity === identity);
    const spare = own ?? rows.find((row) => isSpare(row, adopted) && row.methodId === String(payment.methodId));
    const brought = moneyOf(payment);
    const settles = isSettling ? (1 as const) : (0 as const);
    if (spare === undefined) {
      addMove(deps, tx, snapshot, moved, { ...brought, identity, kind: "payment", isSettling: settles });
      return isSettling;
    }
    if (spare.isKept === 0) return false;
    adopted.add(groupOf(spare.identity));
    money.mark(tx, { id: spare.id, identity, isKept: 0, isSettling: settles });
    spare.isKept = 0;
    spare.identity = identity;
    const less = subtract(brought.amount, spare.amount);
    const drawer = drawerRest(spare, brought, less);
    if (less === 0 && drawer === 0) return isSettling;
    // The check needs less, or more, than what was kept: the rest went back to the guest.
    const kind = less < 0 || (less === 0 && drawer < 0) ? ("given_back" as const) : ("payment" as const);
    const rest = { ...brought, amount: less, tip: 0, drawer, foreign: 0, currency: undefined };
    addMove(deps, tx, snapshot, moved, { ...rest, identity: `${identity}.rest`, kind });
    return isSettling;
  };
}

/** Of cash of another country the change leaves the drawer, as it came to by the rate that counts at last. */
function drawerRest(spare: MoneyRow, brought: TillMoney, less: number): number {
  const isForeign = spare.currency !== null && spare.currency === brought.currency;
  return isForeign ? subtract(brought.drawer, spare.drawer) : less;
}

/** Kept money that came together with one that is on its check now. */
function isSpare({ kind, isKept, identity }: MoneyRow, adopted: ReadonlySet<string>): boolean {
  return kind === "payment" && isKept === 1 && adopted.has(groupOf(identity));
}

function returnTender(
  deps: BookDeps,
  tx: Tx,
  snapshot: Snapshot,
  { tender, rows, queuedAt }: { tender: Tender; rows: readonly MoneyRow[]; queuedAt: number | null },
): void {
  const { tenderId, terminalId, voided } = tender;
  if (voided === undefined || rows.some(({ kind, identity }) => kind === "given_back" && identity === tenderId)) return;
  // It lay in the drawer of the terminal that took it.
  const moved = { terminalId, userName: voided.by, queuedAt };
  addMove(deps, tx, snapshot, moved, { ...givenBack(moneyOf(tender)), identity: tenderId, kind: "given_back" });
}

/** Whatever came with the check another way, after a restore for example: this book adds up to the takings all the same. */
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
  for (const row of deps.money.ofOrder(snapshot.posReference)) {
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
