import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectTerminal, type Since, type TerminalConnection } from "./connect-terminal.ts";
import { BENCH_PREFIX, type Frame } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";
import { createFrameCache } from "./frame-cache.ts";

/** What went wrong with deliveries; a good run has none of it. */
export interface Verdict {
  lost: number;
  doubled: number;
  damaged: number;
  rejected: number;
  /** Writes that reached a terminal inside a newer state of the same order, as the protocol allows when it lags. */
  coalesced: number;
  firstTrouble: string | null;
}

interface Order {
  index: number;
  posReference: string;
  tableId: number | null;
  /** Last acknowledged version. */
  version: number;
  inFlight: boolean;
  sentAt: number;
}

interface Terminal {
  connection: TerminalConnection;
  seq: number;
  /** Version last seen, by order. */
  seen: number[];
}

/** Terminals on one server that watch each other's writes, and the book of what each must have seen. */
export interface Fleet {
  terminals: readonly Terminal[];
  orders: readonly Order[];
  /** Sends the next edit of an order from a terminal; the order must not be in flight. */
  edit: (order: Order, from: Terminal) => void;
  /** Called when an edit was acknowledged. */
  onAcknowledged: (listener: (order: Order) => void) => void;
  /** Called when the last open terminal has an edit. */
  onDeliveredToAll: (listener: (order: Order, version: number, latencyMs: number) => void) => void;
  /** Time of sending of an edit that is still remembered. */
  sentAt: (posReference: string, version: number) => number | undefined;
  /** Resolves when every reading terminal has every acknowledged edit; false when that takes longer than `withinMs`. */
  settled: (withinMs: number) => Promise<boolean>;
  stopReading: (terminal: Terminal) => void;
  /** Reads again, or connects again from where it was when the server has closed it. Resolves to whether it had to. */
  comeBack: (terminal: Terminal) => Promise<{ reconnected: boolean }>;
  since: (terminal: Terminal) => Since;
  verdict: () => Verdict;
  close: () => Promise<void>;
}

export interface FleetOptions {
  target: Target;
  terminals: number;
  orders: number;
  /** Makes references and device names of this fleet its own. */
  run: string;
  /** Where the orders are, in turn: several checks to a table when there are more of them. Without any they are takeout. */
  tableIds?: readonly number[];
  /** Remembers when each edit was sent and how many terminals have it: for latencies, not for peak throughput. */
  timed?: boolean;
}

export async function connectFleet(options: FleetOptions): Promise<Fleet> {
  const { target, run, timed = false } = options;
  const tableIds = options.tableIds ?? [];
  const decode = createFrameCache(target.flavour);
  const verdict: Verdict = { lost: 0, doubled: 0, damaged: 0, rejected: 0, coalesced: 0, firstTrouble: null };
  const orders = Array.from({ length: options.orders }, (_, index): Order => {
    const tableId = tableIds[index % tableIds.length] ?? null;
    return { index, posReference: `${BENCH_PREFIX}${run}/${index}`, tableId, version: 0, inFlight: false, sentAt: 0 };
  });
  const byReference = new Map(orders.map((order) => [order.posReference, order]));
  const terminals: Terminal[] = [];
  const notReading = new Set<Terminal>();
  const onTheWay = new Map<string, { sentAt: number; left: number }>();
  let acknowledged: (order: Order) => void = () => undefined;
  let deliveredToAll: (order: Order, version: number, latencyMs: number) => void = () => undefined;

  const trouble = (kind: "lost" | "doubled" | "damaged" | "rejected", what: string): void => {
    verdict[kind] += 1;
    verdict.firstTrouble ??= `${kind}: ${what}`;
  };

  const seeOrder = (
    terminal: Terminal,
    seen: { posReference: string; version: number; damaged: boolean },
    mayJump: boolean,
    receivedAt: number,
  ): void => {
    const order = byReference.get(seen.posReference);
    if (order === undefined) return;
    const before = terminal.seen[order.index] ?? 0;
    const name = terminal.connection.deviceId;
    if (seen.damaged) trouble("damaged", `${seen.posReference} v${seen.version} at ${name}`);
    if (seen.version <= before) {
      if (!mayJump || seen.version < before) trouble("doubled", `${seen.posReference} v${seen.version} at ${name}`);
      return;
    }
    const skipped = seen.version - before - 1;
    if (skipped > 0 && mayJump) verdict.coalesced += skipped;
    if (skipped > 0 && !mayJump) trouble("lost", `${seen.posReference} v${before + 1} at ${name}`);
    terminal.seen[order.index] = seen.version;
    if (!timed) return;
    for (let version = before + 1; version <= seen.version; version += 1) deliver(order, version, receivedAt);
  };

  const deliver = (order: Order, version: number, receivedAt: number): void => {
    const write = onTheWay.get(`${order.posReference} ${version}`);
    if (write === undefined) return;
    write.left -= 1;
    if (write.left === 0) deliveredToAll(order, version, receivedAt - write.sentAt);
  };

  const receive = (terminal: Terminal, frame: Frame, receivedAt: number): void => {
    for (const page of frame.syncs) {
      for (const order of page.orders) seeOrder(terminal, order, true, receivedAt);
      if (!page.more) terminal.seq = Math.max(terminal.seq, page.seq);
    }
    for (const change of frame.changes) {
      if (change.seq <= terminal.seq) trouble("doubled", `seq ${change.seq} at ${terminal.connection.deviceId}`);
      else if (change.seq !== terminal.seq + 1) {
        trouble("lost", `seq ${terminal.seq + 1} before ${change.seq} at ${terminal.connection.deviceId}`);
      }
      terminal.seq = change.seq;
      if (change.order !== null) seeOrder(terminal, change.order, false, receivedAt);
    }
    for (const message of frame.others) {
      if (message["type"] === "ORDER_REJECTED" || message["type"] === "ERROR") {
        trouble("rejected", JSON.stringify(message).slice(0, 300));
      }
    }
    for (const ack of frame.acknowledgements) {
      const order = byReference.get(ack.posReference);
      if (order === undefined || !order.inFlight) continue;
      if (ack.version !== order.version + 1) trouble("damaged", `acknowledged ${ack.posReference} as v${ack.version}`);
      order.version = ack.version;
      order.inFlight = false;
      acknowledged(order);
    }
  };

  const connect = async (deviceId: string, terminal: Terminal | null, since?: Since): Promise<Terminal> => {
    const early: [Frame, number][] = [];
    const holder: { terminal: Terminal | null } = { terminal };
    const connection = await connectTerminal({
      target,
      deviceId,
      decode,
      onFrame: (frame, at) => {
        if (holder.terminal === null) early.push([frame, at]);
        else receive(holder.terminal, frame, at);
      },
      ...(since !== undefined && { since }),
    });
    const known = terminal ?? { connection, seq: connection.synced.at(-1)?.seq ?? 0, seen: [] };
    known.connection = connection;
    if (terminal !== null)
      receive(
        known,
        { changes: [], acknowledgements: [], syncs: [...connection.synced], others: [] },
        performance.now(),
      );
    holder.terminal = known;
    for (const [frame, at] of early) receive(known, frame, at);
    return known;
  };

  for (let n = 0; n < options.terminals; n += 1) terminals.push(await connect(`bench-${run}-${n}`, null));
  const sinceOf = (terminal: Terminal): Since => {
    const page = terminal.connection.synced.at(-1);
    return { hubId: page?.hubId ?? "", epoch: page?.epoch ?? "", seq: terminal.seq };
  };
  const hasAll = (terminal: Terminal): boolean =>
    orders.every((order) => (terminal.seen[order.index] ?? 0) >= order.version);

  return {
    terminals,
    orders,
    edit(order, from) {
      order.inFlight = true;
      order.sentAt = performance.now();
      const version = order.version + 1;
      if (timed) {
        onTheWay.set(`${order.posReference} ${version}`, {
          sentAt: order.sentAt,
          left: terminals.length - notReading.size,
        });
      }
      from.connection.send("ORDER_UPSERT", {
        mutationId: randomUUID(),
        posReference: order.posReference,
        baseVersion: order.version,
        // More orders than the restaurant has tables.
        additionalCheck: true,
        snapshot: benchSnapshot(order.index, version, order.tableId),
      });
    },
    onAcknowledged: (listener) => void (acknowledged = listener),
    onDeliveredToAll: (listener) => void (deliveredToAll = listener),
    sentAt: (posReference, version) => onTheWay.get(`${posReference} ${version}`)?.sentAt,
    async settled(withinMs) {
      const until = performance.now() + withinMs;
      const waiting = (): boolean =>
        orders.some((order) => order.inFlight) ||
        terminals.some((terminal) => !notReading.has(terminal) && !hasAll(terminal));
      while (waiting()) {
        if (performance.now() > until) {
          const behind = terminals.filter((terminal) => !notReading.has(terminal) && !hasAll(terminal)).length;
          const unanswered = orders.filter((order) => order.inFlight).length;
          trouble("lost", `${unanswered} unanswered, ${behind} terminals behind after ${withinMs} ms`);
          return false;
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return true;
    },
    stopReading(terminal) {
      notReading.add(terminal);
      terminal.connection.stopReading();
    },
    async comeBack(terminal) {
      const { deviceId } = terminal.connection;
      const closedMeanwhile = !terminal.connection.isOpen();
      terminal.connection.goOnReading();
      // A server that gave up on this terminal has closed it: the close shows only once the socket is read to its end.
      const until = performance.now() + 30_000;
      while (terminal.connection.isOpen() && !hasAll(terminal) && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const reconnected = closedMeanwhile || !terminal.connection.isOpen();
      if (reconnected) await connect(deviceId, terminal, sinceOf(terminal));
      notReading.delete(terminal);
      return { reconnected };
    },
    since: sinceOf,
    verdict: () => ({ ...verdict }),
    close: async () => void (await Promise.all(terminals.map((terminal) => terminal.connection.close()))),
  };
}
