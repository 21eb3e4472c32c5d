import { shiftOfMoney, type TillMoney } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { MoneyStore, NewMoney } from "./money-store.ts";
import type { TillStore } from "./till-store.ts";

/** Where and by whom money was moved, and when the terminal queued the change. */
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

/** Records a movement of a check's money with the shift whose drawer holds it, and notifies the screens. */
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

/** Returns the shift open at the terminal's till, now or when the money was taken. */
function placeOf(tills: TillStore, terminalId: string, { takenAt, now }: { takenAt: number; now: number }) {
  const till = tills.findByTerminal(terminalId);
  if (till === null) return { shiftId: null, queuedShiftId: null };
  const { shiftId, queuedIn } = shiftOfMoney(tills.listShiftTimes(till.id), takenAt, now);
  return { shiftId, queuedShiftId: queuedIn };
}

/** Returns the identity of one of several payments that came together: the first one's, with the index. */
export function partOf(identity: string, index: number): string {
  return index === 0 ? identity : `${identity}#${index}`;
}

export function groupOf(identity: string): string {
  return identity.replace(/#\d+$/, "");
}
