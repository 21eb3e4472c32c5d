import { sentence, type OrderMutation, type Sentence } from "@comanda/protocol";
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

/** Throws the rulebook's refusal, if any. */
export function requireAllowed(refusal: TillRefusal | null, subject: string): void {
  if (refusal !== null) throw new HubError(refusal, `${subject}: ${reasons[refusal]}`);
}

const reasons: Readonly<Record<TillRefusal, string>> = {
  FORBIDDEN: "only a cashier or manager may do this",
  NO_TILL: "there is no such till",
  SHIFT_OPEN: "its shift is not closed yet",
  SHIFT_CLOSED: "it accepts no more changes",
};

/** Returns a till, or null if it was removed. */
export function present(till: StoredTill | null): StoredTill | null {
  return till?.isRemoved === true ? null : till;
}

/** Returns when something was done at a till, ms since 1970: when it was queued, but not before its shift began. */
export function occurredAt({ now }: Tx, queuedAt: number | null, shift: { openedAt: number } | null): number {
  return Math.min(Math.max(queuedAt ?? now, shift?.openedAt ?? 0), now);
}

/** Returns the audit log's text: these words and the approver, if any. */
export function approvedNote({ approvedBy }: TillWriter, text: string): Sentence | string {
  return approvedBy === undefined ? text : { ...sentence("note_approved_by", { name: approvedBy }), words: text };
}

export function actorFields({ userName: by, approvedBy, terminalId }: TillWriter) {
  return { by, ...(approvedBy !== undefined && { approvedBy }), terminalId };
}
