import type { HubMessageOf, KitchenTicket, StoredOrder } from "@comanda/protocol";
import type { MutationMessage } from "@comanda/terminal";
import type { HubView } from "./read-hub.ts";

/** A mutation that the hub has acknowledged. */
export interface Acknowledged {
  message: MutationMessage;
  answer: HubMessageOf<"ORDER_ACK">;
  /** Length of the write log when the answer arrived; 0 without a log. */
  mark: number;
}

/** An order that the integration API answered with 201. */
export interface Created {
  posReference: string;
  /** Includes the day, because numbers restart each day. */
  ticketNumber: string;
  mark: number;
}

/** What the hub has acknowledged. Every check has one writer, so that its versions can be counted. */
export interface Ledger {
  acknowledged: Acknowledged[];
  created: Created[];
  /** Checks with a discard in flight: they may be gone before it is acknowledged. */
  discarding: Set<string>;
}

export interface Difference {
  kind: "lost" | "doubled";
  description: string;
  count: number;
}

export function createLedger(): Ledger {
  return { acknowledged: [], created: [], discarding: new Set() };
}

/** Returns the entries that were acknowledged before the write log reached `mark`. */
export function ledgerUntil(ledger: Ledger, mark: number): Ledger {
  return {
    ...ledger,
    acknowledged: ledger.acknowledged.filter((each) => each.mark <= mark),
    created: ledger.created.filter((each) => each.mark <= mark),
  };
}

/**
 * Compares the ledger with the hub's present state. With `isComplete` no mutation is in flight: then every version must come
 * from an answer in the ledger.
 */
export function compareLedger(ledger: Ledger, view: HubView, { isComplete = false } = {}): Difference[] {
  const differences: Difference[] = [];
  const note = (kind: Difference["kind"], description: string, count = 1): void =>
    void differences.push({ kind, description, count });
  for (const [posReference, acknowledged] of byCheck(ledger)) {
    const last = acknowledged.at(-1)!;
    const version = last.answer.version ?? 0;
    const order = view.orders.get(posReference);
    if (last.message.type === "ORDER_DISCARD") {
      if (order !== undefined) note("lost", `${posReference} was discarded and is there`);
      continue;
    }
    if (order === undefined && ledger.discarding.has(posReference)) continue;
    if (order === undefined) {
      note("lost", `${posReference} is not there`, acknowledged.length);
      continue;
    }
    if (order.version < version) {
      note("lost", `${posReference} is at version ${order.version} of ${version}`, version - order.version);
      continue;
    }
    for (const description of missingContent(acknowledged, order)) note("lost", description);
    if (acknowledged.some(({ message }) => message.type === "ORDER_PAY") && !view.forward.has(posReference)) {
      note("lost", `${posReference} is paid and not on its way to the back-office`);
    }
    if (!isComplete) continue;
    const ownVersions = order.snapshot.status === "closed" ? order.version - 1 : order.version;
    if (ownVersions > version)
      note("doubled", `${posReference} has ${ownVersions} versions of ${version} mutations`, ownVersions - version);
    for (const description of doubledTickets(order, view.tickets)) note("doubled", description);
  }
  for (const { posReference } of ledger.created) {
    if (!view.orders.has(posReference)) note("lost", `${posReference} was answered 201 and is not there`);
  }
  for (const number of duplicates(ledger.created.map(({ ticketNumber }) => ticketNumber))) {
    note("doubled", `ticket number ${number} was given twice`);
  }
  // A send without new lines is answered with the check's present seq.
  const writes = ledger.acknowledged.filter(({ message }) => message.type !== "ORDER_SEND");
  for (const seq of duplicates(writes.map(({ answer }) => String(answer.seq)))) {
    note("doubled", `seq ${seq} was given twice`);
  }
  for (const id of duplicates([...view.forwardEvents])) note("doubled", `${id} is to be forwarded twice`);
  return differences;
}

/** Returns every acknowledged reference. */
export function checksOf(ledger: Ledger): Set<string> {
  const checks = ledger.acknowledged.flatMap(({ answer }) => answer.posReference ?? []);
  return new Set([...checks, ...ledger.created.map(({ posReference }) => posReference)]);
}

/** Groups the acknowledged mutations by check, in the order of their versions. */
function byCheck({ acknowledged }: Ledger): Map<string, Acknowledged[]> {
  const found = Map.groupBy(
    acknowledged.filter(({ answer }) => answer.posReference !== undefined),
    ({ answer }) => answer.posReference!,
  );
  for (const list of found.values()) list.sort((a, b) => (a.answer.version ?? 0) - (b.answer.version ?? 0));
  return found;
}

function missingContent(acknowledged: Acknowledged[], order: StoredOrder): string[] {
  const missing: string[] = [];
  const written = acknowledged.map(({ message }) => message).findLast((message) => message.type === "ORDER_UPSERT");
  for (const line of written?.snapshot.lines ?? []) {
    const storedLine = order.snapshot.lines.find(({ id }) => id === line.id);
    if (storedLine?.quantity !== line.quantity)
      missing.push(`line ${line.id} of ${order.posReference} is not as written`);
  }
  const payment = acknowledged.map(({ message }) => message).find((message) => message.type === "ORDER_PAY");
  if (payment !== undefined) {
    const { status, payments } = order.snapshot;
    if (status !== "paid" && status !== "closed") missing.push(`${order.posReference} was paid and is ${status}`);
    if (payments?.[0]?.amount !== payment.payments[0]?.amount) {
      missing.push(`the payment of ${order.posReference} is not as made`);
    }
  }
  return missing;
}

/** Describes the lines of which the kitchen got more than was ordered. */
function doubledTickets({ posReference, snapshot }: StoredOrder, tickets: readonly KitchenTicket[]): string[] {
  const sent = new Map<string, number>();
  for (const share of tickets.flatMap((ticket) => ticket.lines.flatMap((line) => line.shares))) {
    if (share.posReference !== posReference || share.takenBack === true) continue;
    sent.set(share.lineId, (sent.get(share.lineId) ?? 0) + share.quantity);
  }
  return snapshot.lines
    .filter((line) => (sent.get(line.id) ?? 0) > line.quantity)
    .map((line) => `line ${line.id} of ${posReference} went to the kitchen twice`);
}

function duplicates(list: string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(list.filter((each) => seen.size === seen.add(each).size))];
}
