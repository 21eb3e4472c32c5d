import type { OutboxReport } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import { settledBy, type OutboxEntry } from "../entries/outbox-entry.ts";

/** The report of the outbox to the hub, with details for this device. */
export interface OutboxState extends OutboxReport {
  pending: number;
  /** How many of these do not wait for a decision. */
  toSend: number;
  oldestAt: string | null;
  /** Number and total of payments that the hub does not know yet. */
  payments: number;
  amount: number;
  /** Mutations that are only in memory because the storage fails. A reload would lose those not yet answered. */
  unsaved: number;
}

/** Summarizes the unsent mutations in `slots`. */
export function reportOutbox(slots: readonly { entry: OutboxEntry; unsaved: boolean }[]): OutboxState {
  const amounts = slots.flatMap(({ entry }) => (isMoneyKept(entry) ? [] : (settledBy(entry.intent) ?? [])));
  return {
    pending: slots.length,
    toSend: slots.filter(({ entry }) => entry.refusal === null).length,
    oldestAt: slots.map(({ entry }) => entry.queuedAt).toSorted()[0] ?? null,
    payments: amounts.length,
    amount: fromCents(amounts.reduce((cents, each) => cents + toCents(each), 0)),
    unsaved: slots.filter(({ unsaved }) => unsaved).length,
  };
}

function isMoneyKept({ isKeptByHub, refusal }: OutboxEntry): boolean {
  return isKeptByHub === true || refusal?.isMoneyKept === true;
}
