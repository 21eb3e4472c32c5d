import type { OutboxReport } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import type { Intent, OutboxEntry } from "../entries/outbox-entry.ts";

/** What is reported to the hub of the outbox, and what only this device knows. */
export interface OutboxState extends OutboxReport {
  pending: number;
  /** Of these, the ones that wait for no decision. */
  toSend: number;
  oldestAt: string | null;
  /** Payments of which the hub does not know yet, and the sum of what they settle. */
  payments: number;
  amount: number;
  /** Mutations that only the memory has, because the storage fails: a reload would lose those not yet answered. */
  unsaved: number;
}

/** `slots` are the unsent mutations. */
export function reportOutbox(slots: readonly { entry: OutboxEntry; unsaved: boolean }[]): OutboxState {
  const cents = slots.filter(({ entry }) => !isMoneyKept(entry)).flatMap(({ entry }) => moneyOf(entry.intent));
  return {
    pending: slots.length,
    toSend: slots.filter(({ entry }) => entry.refusal === null).length,
    oldestAt: slots.map(({ entry }) => entry.queuedAt).toSorted()[0] ?? null,
    payments: cents.length,
    amount: fromCents(cents.reduce((sum, each) => sum + each, 0)),
    unsaved: slots.filter(({ unsaved }) => unsaved).length,
  };
}

function isMoneyKept({ isKeptByHub, refusal }: OutboxEntry): boolean {
  return isKeptByHub === true || refusal?.isMoneyKept === true;
}

/** What a mutation settles, in cents; nothing for one without money. */
function moneyOf(intent: Intent): number[] {
  if (intent.type === "ORDER_TENDER") return [toCents(intent.amount)];
  if (intent.type !== "ORDER_PAY") return [];
  const paid = intent.payments.reduce((sum, { amount }) => sum + toCents(amount), 0);
  // What is above the total is change.
  return [Math.min(paid, toCents(intent.seen.totals?.total ?? fromCents(paid)))];
}
