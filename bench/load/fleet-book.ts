import type { TerminalConnection } from "./connect-terminal.ts";
import type { Frame } from "./decode-frame.ts";

/** Problems with deliveries; a good run has none. */
export interface Verdict {
  lost: number;
  doubled: number;
  damaged: number;
  rejected: number;
  /** Writes that reached a terminal as part of a newer state of the order, as the protocol allows when it lags. */
  coalesced: number;
  firstProblem: string | null;
}

export interface Order {
  index: number;
  posReference: string;
  tableId: number | null;
  /** Last acknowledged version. */
  version: number;
  inFlight: boolean;
  sentAt: number;
}

export interface Terminal {
  connection: TerminalConnection;
  seq: number;
  /** Last version seen, by order index. */
  seen: number[];
}

/**
 * Records what each terminal must have seen and compares it with what it receives. Calls `arrive` for each version of an order
 * that is new to a terminal.
 */
export function createFleetBook(
  orders: readonly Order[],
  arrive: ((order: Order, version: number, receivedAt: number) => void) | null,
) {
  const verdict: Verdict = { lost: 0, doubled: 0, damaged: 0, rejected: 0, coalesced: 0, firstProblem: null };
  const byReference = new Map(orders.map((order) => [order.posReference, order]));
  let acknowledged: (order: Order) => void = () => undefined;

  const reportProblem = (kind: "lost" | "doubled" | "damaged" | "rejected", detail: string): void => {
    verdict[kind] += 1;
    verdict.firstProblem ??= `${kind}: ${detail}`;
  };

  const seeOrder = (
    terminal: Terminal,
    received: { posReference: string; version: number; damaged: boolean },
    mayJump: boolean,
    receivedAt: number,
  ): void => {
    const order = byReference.get(received.posReference);
    if (order === undefined) return;
    const before = terminal.seen[order.index] ?? 0;
    const name = terminal.connection.deviceId;
    if (received.damaged) reportProblem("damaged", `${received.posReference} v${received.version} at ${name}`);
    if (received.version <= before) {
      if (!mayJump || received.version < before)
        reportProblem("doubled", `${received.posReference} v${received.version} at ${name}`);
      return;
    }
    const skipped = received.version - before - 1;
    if (skipped > 0 && mayJump) verdict.coalesced += skipped;
    if (skipped > 0 && !mayJump) reportProblem("lost", `${received.posReference} v${before + 1} at ${name}`);
    terminal.seen[order.index] = received.version;
    if (arrive === null) return;
    for (let version = before + 1; version <= received.version; version += 1) arrive(order, version, receivedAt);
  };

  const receive = (terminal: Terminal, frame: Frame, receivedAt: number): void => {
    for (const page of frame.syncs) {
      for (const order of page.orders) seeOrder(terminal, order, true, receivedAt);
      if (!page.more) terminal.seq = Math.max(terminal.seq, page.seq);
    }
    for (const change of frame.changes) {
      if (change.seq <= terminal.seq) reportProblem("doubled", `seq ${change.seq} at ${terminal.connection.deviceId}`);
      else if (change.seq !== terminal.seq + 1) {
        reportProblem("lost", `seq ${terminal.seq + 1} before ${change.seq} at ${terminal.connection.deviceId}`);
      }
      terminal.seq = change.seq;
      if (change.order !== null) seeOrder(terminal, change.order, false, receivedAt);
    }
    for (const message of frame.others) {
      if (message["type"] === "ORDER_REJECTED" || message["type"] === "ERROR") {
        reportProblem("rejected", JSON.stringify(message).slice(0, 300));
      }
    }
    for (const ack of frame.acknowledgements) {
      const order = byReference.get(ack.posReference);
      if (order === undefined || !order.inFlight) continue;
      if (ack.version !== order.version + 1)
        reportProblem("damaged", `acknowledged ${ack.posReference} as v${ack.version}`);
      order.version = ack.version;
      order.inFlight = false;
      acknowledged(order);
    }
  };

  return {
    receive,
    reportProblem,
    /** Sets the listener that is called when an edit was acknowledged. */
    onAcknowledged: (listener: (order: Order) => void) => void (acknowledged = listener),
    hasAll: (terminal: Terminal): boolean =>
      orders.every((order) => (terminal.seen[order.index] ?? 0) >= order.version),
    verdict: (): Verdict => ({ ...verdict }),
  };
}
