import { shiftOfMoney, type TillMoney } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { MoneyStore, NewMoney } from "./money-store.ts";
import type { TillStore } from "./till-store.ts";

/** Where and by whom money was moved, and when its terminal queued that. */
export interface Moved {
  terminalId: string;
  userName: string;
  queuedAt: number | null;
}

type NewMove = TillMoney &
  Pick<NewMoney, "identity" | "kind"> &
  Partial<Pick<NewMoney, "isKept" | "isSettling" | "shiftId">>;

export interface BookDeps {
  money: MoneyStore;
  tills: TillStore;
}

/** Notes a movement of a check's money with the shift in whose drawer it lies, which the screens show. */
export function addMove(
  deps: BookDeps,
  tx: Tx,
  check: { posReference: string; staffName?: string | null | undefined },
  { terminalId, userName, queuedAt }: Moved,
  move: NewMove,
): void {
  const { isRefund: _, currency = null, ...row } = move;
  deps.money.add(tx, {
    isKept: 0,
    isSettling: 0,
    posReference: check.posReference,
    staffName: check.staffName ?? null,
    terminalId,
    userName,
    ...placeOf(deps.tills, terminalId, { takenAt: queuedAt ?? tx.now, now: tx.now }),
    ...row,
    currency,
  });
  tx.notify(["tills"]);
}

/** The shift that is open at the till of a terminal, or was when the money was taken. */
function placeOf(tills: TillStore, terminalId: string, { takenAt, now }: { takenAt: number; now: number }) {
  const till = tills.ofTerminal(terminalId);
  if (till === null) return { shiftId: null, queuedShiftId: null };
  const { shiftId, queuedIn } = shiftOfMoney(tills.times(till.id), takenAt, now);
  return { shiftId, queuedShiftId: queuedIn };
}

/** Payments that came together have the identity of the first, with their place. */
export function partOf(identity: string, index: number): string {
  return index === 0 ? identity : `${identity}#${index}`;
}

export function groupOf(identity: string): string {
  return identity.replace(/#\d+$/, "");
}
