import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectTerminal, type Since } from "./connect-terminal.ts";
import { BENCH_PREFIX, type Frame } from "./decode-frame.ts";
import { createFleetBook, type Order, type Terminal, type Verdict } from "./fleet-book.ts";
import type { Target } from "./flavour.ts";
import { createFrameCache } from "./frame-cache.ts";

/** Terminals on one server that watch each other's writes, and a record of what each must have seen. */
export interface Fleet {
  terminals: readonly Terminal[];
  orders: readonly Order[];
  /** Sends the next edit of an order from a terminal; the order must not be in flight. */
  edit: (order: Order, from: Terminal) => void;
  /** Sets the listener that is called when an edit was acknowledged. */
  onAcknowledged: (listener: (order: Order) => void) => void;
  /** Sets the listener that is called when the last open terminal has received an edit. */
  onDeliveredToAll: (listener: (order: Order, version: number, latencyMs: number) => void) => void;
  /** Returns when an edit was sent; undefined if it is no longer remembered. */
  sentAt: (posReference: string, version: number) => number | undefined;
  /** Resolves to true when every reading terminal has every acknowledged edit, or to false after `withinMs`. */
  settled: (withinMs: number) => Promise<boolean>;
  stopReading: (terminal: Terminal) => void;
  /** Resumes reading, or reconnects from its last position if the server closed the socket. Resolves to whether it did. */
  resumeReading: (terminal: Terminal) => Promise<{ reconnected: boolean }>;
  since: (terminal: Terminal) => Since;
  verdict: () => Verdict;
  close: () => Promise<void>;
}

export interface FleetOptions {
  target: Target;
  terminals: number;
  orders: number;
  /** Distinguishes this fleet's references and device names from those of other fleets. */
  run: string;
  /** Tables of the orders, in turn: several checks to a table if there are more orders. Without tables, orders are takeout. */
  tableIds?: readonly number[];
  /** Remembers when each edit was sent and which terminals have it. Needed for latencies; slows down peak throughput. */
  timed?: boolean;
}

export async function connectFleet(options: FleetOptions): Promise<Fleet> {
  const { target, run, timed = false } = options;
  const tableIds = options.tableIds ?? [];
  const decode = createFrameCache(target.flavour);
  const orders = Array.from({ length: options.orders }, (_, index): Order => {
    const tableId = tableIds[index % tableIds.length] ?? null;
    return { index, posReference: `${BENCH_PREFIX}${run}/${index}`, tableId, version: 0, inFlight: false, sentAt: 0 };
  });
  const terminals: Terminal[] = [];
  const notReading = new Set<Terminal>();
  const deliveries = createDeliveries();
  const book = createFleetBook(orders, timed ? deliveries.arrive : null);

  const connect = async (deviceId: string, terminal: Terminal | null, since?: Since): Promise<Terminal> => {
    const early: [Frame, number][] = [];
    const holder: { terminal: Terminal | null } = { terminal };
    const connection = await connectTerminal({
      target,
      deviceId,
      decode,
      onFrame: (frame, at) => {
        if (holder.terminal === null) early.push([frame, at]);
        else book.receive(holder.terminal, frame, at);
      },
      ...(since !== undefined && { since }),
    });
    const connected = terminal ?? { connection, seq: connection.synced.at(-1)?.seq ?? 0, seen: [] };
    connected.connection = connection;
    if (terminal !== null)
      book.receive(
        connected,
        { changes: [], acknowledgements: [], syncs: [...connection.synced], others: [] },
        performance.now(),
      );
    holder.terminal = connected;
    for (const [frame, at] of early) book.receive(connected, frame, at);
    return connected;
  };

  for (let n = 0; n < options.terminals; n += 1) terminals.push(await connect(`bench-${run}-${n}`, null));
  const sinceOf = (terminal: Terminal): Since => {
    const page = terminal.connection.synced.at(-1);
    return { hubId: page?.hubId ?? "", epoch: page?.epoch ?? "", seq: terminal.seq };
  };
  const isBehind = (terminal: Terminal): boolean => !notReading.has(terminal) && !book.hasAll(terminal);

  return {
    terminals,
    orders,
    edit(order, from) {
      order.inFlight = true;
      order.sentAt = performance.now();
      const version = order.version + 1;
      if (timed) deliveries.send(order, version, terminals.length - notReading.size);
      from.connection.send("ORDER_UPSERT", {
        mutationId: randomUUID(),
        posReference: order.posReference,
        baseVersion: order.version,
        // More orders than the restaurant has tables.
        additionalCheck: true,
        snapshot: benchSnapshot(order.index, version, order.tableId),
      });
    },
    onAcknowledged: book.onAcknowledged,
    onDeliveredToAll: deliveries.onDeliveredToAll,
    sentAt: deliveries.sentAt,
    async settled(withinMs) {
      const hasSettled = (): boolean => !orders.some((order) => order.inFlight) && !terminals.some(isBehind);
      if (await becomesTrue(hasSettled, withinMs)) return true;
      const behind = terminals.filter(isBehind).length;
      const unanswered = orders.filter((order) => order.inFlight).length;
      book.reportProblem("lost", `${unanswered} unanswered, ${behind} terminals behind after ${withinMs} ms`);
      return false;
    },
    stopReading(terminal) {
      notReading.add(terminal);
      terminal.connection.stopReading();
    },
    async resumeReading(terminal) {
      const { deviceId } = terminal.connection;
      const closedMeanwhile = !terminal.connection.isOpen();
      terminal.connection.goOnReading();
      // The server may have closed this terminal: the close event comes only once the socket has been read to its end.
      await becomesTrue(() => !terminal.connection.isOpen() || book.hasAll(terminal), 30_000);
      const reconnected = closedMeanwhile || !terminal.connection.isOpen();
      if (reconnected) await connect(deviceId, terminal, sinceOf(terminal));
      notReading.delete(terminal);
      return { reconnected };
    },
    since: sinceOf,
    verdict: book.verdict,
    close: async () => void (await Promise.all(terminals.map((terminal) => terminal.connection.close()))),
  };
}

/** Tracks the edits in flight and how many terminals have not received each. */
function createDeliveries() {
  const inFlight = new Map<string, { sentAt: number; remaining: number }>();
  let deliveredToAll: (order: Order, version: number, latencyMs: number) => void = () => undefined;
  return {
    send: ({ posReference, sentAt }: Order, version: number, remaining: number) =>
      void inFlight.set(`${posReference} ${version}`, { sentAt, remaining }),
    arrive(order: Order, version: number, receivedAt: number): void {
      const write = inFlight.get(`${order.posReference} ${version}`);
      if (write === undefined) return;
      write.remaining -= 1;
      if (write.remaining === 0) deliveredToAll(order, version, receivedAt - write.sentAt);
    },
    sentAt: (posReference: string, version: number) => inFlight.get(`${posReference} ${version}`)?.sentAt,
    onDeliveredToAll: (listener: typeof deliveredToAll) => void (deliveredToAll = listener),
  };
}

/** Resolves to whether the condition became true within `withinMs`. */
async function becomesTrue(condition: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return true;
}
