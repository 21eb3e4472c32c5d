import type { OutboxReport } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import { settledBy, type OutboxEntry } from "../entries/outbox-entry.ts";

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
