import type { Payment, Refund, Snapshot, Tender } from "@comanda/protocol";
import { givenBack, moneyOf, openTenders, shiftOfMoney, subtract, sum, type TillMoney } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import type { MoneyRow, MoneyStore, NewMoney } from "./money-store.ts";
import type { TillStore } from "./till-store.ts";

/** Money that was taken and is on no check. */
export interface KeptMoney {
  identity: string;
  posReference: string;
  terminalId: string;
  userName: string;
  payments: readonly Payment[];
  /** Ms since 1970; null where the terminal did not say. */
  takenAt: number | null;
}

/** Where and by whom money was moved, and when its terminal queued that. */
interface Moved {
  terminalId: string;
  userName: string;
  queuedAt: number | null;
}

export type TillBook = ReturnType<typeof createTillBook>;

/** Notes each movement of a check's money with the shift in whose drawer it lies, in the write that moves it. */
export function createTillBook({ money, tills }: { money: MoneyStore; tills: TillStore }) {
  /** The shift that is open at the till of a terminal, or was when the money was taken. */
  function placeOf(tx: Tx, terminalId: string, queuedAt: number | null) {
    const till = tills.ofTerminal(terminalId);
    if (till === null) return { shiftId: null, queuedShiftId: null };
    const { shiftId, queuedIn } = shiftOfMoney(tills.times(till.id), queuedAt ?? tx.now);
    return { shiftId, queuedShiftId: queuedIn };
  }

  function add(
    tx: Tx,
    check: { posReference: string; staffName?: string | null | undefined },
    moved: Moved,
    row: TillMoney & Pick<NewMoney, "identity" | "kind"> & Partial<Pick<NewMoney, "isKept" | "isSettling" | "shiftId">>,
  ): void {
    const { isRefund: _, currency = null, ...amounts } = row;
    const { terminalId, userName, queuedAt } = moved;
    money.add(tx, {
      isKept: 0,
      isSettling: 0,
      posReference: check.posReference,
      staffName: check.staffName ?? null,
      terminalId,
      userName,
      ...placeOf(tx, terminalId, queuedAt),
      ...amounts,
      currency,
    });
  }

  /** The money of a check as it stands: what is new is added, what was kept for it is on it now. */
  function follow(tx: Tx, { order, origin, did, queuedAt = null }: ChangeOf<"order.stored">): void {
    const { snapshot } = order;
    const { tenders = [], payments = [] } = snapshot;
    const rows = money.ofOrder(snapshot.posReference).filter(({ kind }) => kind !== "refund");
    const adopted = new Set<string>();
    const isPaid = did === "paid";
    let settling = false;

    function bring(identity: string, payment: Payment, moved: Moved, isLast: boolean): void {
      const own = rows.find((row) => row.kind === "payment" && row.identity === identity);
      const spare = own ?? rows.find((row) => isSpare(row, adopted) && row.methodId === String(payment.methodId));
      const isSettling = isPaid && isLast ? 1 : 0;
      const brought = moneyOf(payment);
      if (spare === undefined) {
        settling ||= isSettling === 1;
        add(tx, snapshot, moved, { ...brought, identity, kind: "payment", isSettling });
        return;
      }
      if (spare.isKept === 0) return;
      adopted.add(groupOf(spare.identity));
      settling ||= isSettling === 1;
      money.mark(tx, { id: spare.id, identity, isKept: 0, isSettling });
      spare.isKept = 0;
      spare.identity = identity;
      const less = subtract(brought.amount, spare.amount);
      if (less === 0) return;
      // The check needs less, or more, than what was kept: the rest went back to the guest.
      const kind = less < 0 ? ("given_back" as const) : ("payment" as const);
      const rest = { ...brought, amount: less, tip: 0, drawer: less, foreign: 0, currency: undefined };
      add(tx, snapshot, moved, { ...rest, identity: `${identity}.rest`, kind });
    }

    const open = openTenders({ tenders });
    const direct = isPaid ? payments.slice(open.length) : [];
    for (const tender of tenders) {
      const { tenderId, terminalId, takenBy: userName, voided } = tender;
      const isLast = direct.length === 0 && tender === open.at(-1);
      bring(tenderId, tender, { terminalId, userName, queuedAt }, isLast);
      if (voided !== undefined) returnTender(tx, snapshot, tender, rows, queuedAt);
    }
    if (!isPaid) return;
    const { posReference, paymentId = `${posReference} ${order.version}` } = snapshot;
    const userName = typeof snapshot["paidBy"] === "string" ? snapshot["paidBy"] : "";
    for (const [index, payment] of direct.entries()) {
      const moved = { terminalId: origin, userName, queuedAt };
      bring(partOf(paymentId, index), payment, moved, index === direct.length - 1);
    }
    correct(tx, snapshot, { terminalId: origin, userName, queuedAt });
    if (settling) return;
    const nothing = { methodId: "", amount: 0, tip: 0, isRefund: false, drawer: 0, foreign: 0 };
    const moved = { terminalId: origin, userName, queuedAt };
    add(tx, { posReference }, moved, { ...nothing, identity: posReference, kind: "payment", isSettling: 1 });
  }

  function returnTender(tx: Tx, snapshot: Snapshot, tender: Tender, rows: MoneyRow[], queuedAt: number | null): void {
    const { tenderId, terminalId, voided } = tender;
    if (voided === undefined || rows.some(({ kind, identity }) => kind === "given_back" && identity === tenderId))
      return;
    // It lay in the drawer of the terminal that took it.
    const moved = { terminalId, userName: voided.by, queuedAt };
    add(tx, snapshot, moved, { ...givenBack(moneyOf(tender)), identity: tenderId, kind: "given_back" });
  }

  /** Whatever came with the check another way, after a restore for example: this book adds up to the takings all the same. */
  function correct(tx: Tx, snapshot: Snapshot, moved: Moved): void {
    const off = new Map<string, { amount: number; tip: number }>();
    const change = (methodId: string, amount: number, tip: number): void => {
      const { amount: was = 0, tip: tipped = 0 } = off.get(methodId) ?? {};
      off.set(methodId, { amount: sum([was, amount]), tip: sum([tipped, tip]) });
    };
    for (const payment of snapshot.payments ?? []) {
      const { methodId, amount, tip } = moneyOf(payment);
      change(methodId, amount, tip);
    }
    for (const row of money.ofOrder(snapshot.posReference)) {
      if (row.kind !== "refund" && row.isKept === 0) change(row.methodId, -row.amount, -row.tip);
    }
    for (const [methodId, { amount, tip }] of off) {
      if (methodId === "" || (amount === 0 && tip === 0)) continue;
      const rest = { methodId, amount, tip, isRefund: false, drawer: 0, foreign: 0 };
      const kind = amount < 0 ? ("given_back" as const) : ("payment" as const);
      add(tx, snapshot, moved, { ...rest, identity: `${snapshot.posReference}.rest`, kind, shiftId: null });
    }
  }

  return {
    record: ((change, tx) => {
      if (change.kind !== "order.stored" || change.did === null || !MOVES_MONEY.has(change.did)) return;
      if (change.did !== "paid" && change.order.snapshot.tenders === undefined) return;
      follow(tx, change);
    }) satisfies Recorder,

    /** Money that is on no check lies in the drawer all the same. */
    kept(tx: Tx, { identity, posReference, payments, terminalId, userName, takenAt }: KeptMoney): void {
      const rows = money.ofOrder(posReference).filter((row) => groupOf(row.identity) === identity);
      const moved = { terminalId, userName, queuedAt: takenAt };
      for (const row of rows) if (row.kind === "payment") money.mark(tx, { ...row, isKept: 1, isSettling: 0 });
      if (rows.length > 0) return;
      for (const [index, payment] of payments.entries()) {
        const row = { ...moneyOf(payment), identity: partOf(identity, index), kind: "payment", isKept: 1 } as const;
        add(tx, { posReference }, moved, row);
      }
    },

    /** A manager has settled kept money: what is still on no check was given back. */
    settled(tx: Tx, identity: string, posReference: string, by: string): void {
      for (const row of money.ofOrder(posReference)) {
        if (row.isKept === 0 || row.kind !== "payment" || groupOf(row.identity) !== identity) continue;
        const { methodId, amount, tip, drawer, foreign, currency, terminalId } = row;
        const taken = { methodId, amount, tip, drawer, foreign, currency: currency ?? undefined, isRefund: false };
        const moved = { terminalId, userName: by, queuedAt: null };
        money.mark(tx, { ...row, isKept: 0 });
        add(tx, { posReference }, moved, { ...givenBack(taken), identity: row.identity, kind: "given_back" });
      }
    },

    /** A credit note was made: what the guest gets back leaves a drawer. */
    refunded(tx: Tx, posReference: string, { refundId, refund, terminalId, by }: Refund): void {
      for (const [index, { methodId, amount, shiftId }] of refund.entries()) {
        const back = { ...givenBack(moneyOf({ methodId, amount })), identity: partOf(refundId, index) };
        const named = shiftId === undefined ? null : tills.shift(shiftId);
        const place = named?.state === "open" ? { shiftId: named.id } : {};
        const moved = { terminalId, userName: by, queuedAt: null };
        add(tx, { posReference }, moved, { ...back, isRefund: true, kind: "refund", ...place });
      }
    },
  };
}

/** What changes the money of a check. A check that comes with its tenders does so when it is stored. */
const MOVES_MONEY: ReadonlySet<string> = new Set(["paid", "tendered", "tender_voided", "created", "restored"]);

/** Kept money that came together with one that is on its check now. */
function isSpare({ kind, isKept, identity }: MoneyRow, adopted: ReadonlySet<string>): boolean {
  return kind === "payment" && isKept === 1 && adopted.has(groupOf(identity));
}

/** Payments that came together have the identity of the first, with their place. */
function partOf(identity: string, index: number): string {
  return index === 0 ? identity : `${identity}#${index}`;
}

function groupOf(identity: string): string {
  return identity.replace(/#\d+$/, "");
}
