import { said, type OrderMutation, type Said } from "@comanda/protocol";
import type { TillRefusal } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { StoredTill } from "./till-store.ts";

export interface TillWriter {
  terminalId: string;
  userName: string;
  role: "waiter" | "cashier" | "manager";
  approvedBy?: string;
}

export type TillMutation = Extract<OrderMutation, { type: `TILL_${string}` }>;
export type MutationOf<T extends TillMutation["type"]> = Extract<TillMutation, { type: T }>;

export interface TillAnswer {
  tillId: string;
  shiftId?: string;
  seq: number;
  opensDrawer?: boolean;
}

/** Throws what the rulebook refuses. */
export function requireAllowed(refusal: TillRefusal | null, what: string): void {
  if (refusal !== null) throw new HubError(refusal, `${what}: ${reasons[refusal]}`);
}

const reasons: Readonly<Record<TillRefusal, string>> = {
  FORBIDDEN: "only a cashier or manager may do this",
  NO_TILL: "there is no such till",
  SHIFT_OPEN: "its shift is not closed yet",
  SHIFT_CLOSED: "it takes nothing any more",
};

/** A till that was removed is none. */
export function present(till: StoredTill | null): StoredTill | null {
  return till?.isRemoved === true ? null : till;
}

/** When it was done at a till (ms since 1970): where the device had it queued, then, and not before its shift began. */
export function doneAt({ now }: Tx, queuedAt: number | null, shift: { openedAt: number } | null): number {
  return Math.min(Math.max(queuedAt ?? now, shift?.openedAt ?? 0), now);
}

/** What stands in the audit log: these words, and who approved. */
export function approvedNote({ approvedBy }: TillWriter, words: string): Said | string {
  return approvedBy === undefined ? words : { ...said("note_approved_by", { name: approvedBy }), words };
}

export function byOf({ userName: by, approvedBy, terminalId }: TillWriter) {
  return { by, ...(approvedBy !== undefined && { approvedBy }), terminalId };
}
