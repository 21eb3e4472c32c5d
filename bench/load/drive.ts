import type { Fleet } from "./fleet.ts";
import { percentile } from "../lib/statistics.ts";
import { type LoadUsage, startUsage } from "./usage.ts";

const SETTLE_WITHIN_MS = 60_000;

export interface PumpOptions {
  writers: number;
  inFlight: number;
  /** The pump ends after so many seconds or so many writes. */
  seconds?: number;
  writes?: number;
  /** How long to wait for late deliveries after the last write before they count as lost. */
  settleWithinMs?: number;
}

export interface PumpResult {
  /** In the load process's own time. */
  startedAt: number;
  writes: number;
  /** Ms from the first send until every reading terminal had every write. */
  elapsedMs: number;
  usage: LoadUsage;
}

/** Sends a write whenever an earlier one is answered, with a fixed number in flight. */
export async function pump(fleet: Fleet, options: PumpOptions): Promise<PumpResult> {
  const usage = startUsage();
  const startedAt = performance.now();
  const until = startedAt + (options.seconds ?? Infinity) * 1000;
  const maxWrites = options.writes ?? Infinity;
  const ended = Promise.withResolvers<void>();
  let sent = 0;
  let inFlight = 0;
  let next = 0;
  const shouldContinue = (): boolean => sent < maxWrites && performance.now() < until;
  const sendOne = (): void => {
    const order = nextFree();
    if (order === undefined) return;
    const writer = fleet.terminals[order.index % options.writers];
    if (writer === undefined) throw new Error(`a fleet of ${fleet.terminals.length} has no ${options.writers} writers`);
    sent += 1;
    inFlight += 1;
    fleet.edit(order, writer);
  };
  const nextFree = (): Fleet["orders"][number] | undefined => {
    for (let attempt = 0; attempt < fleet.orders.length; attempt += 1) {
      const order = fleet.orders[next % fleet.orders.length];
      next += 1;
      if (order !== undefined && !order.inFlight) return order;
    }
    return undefined;
  };
  fleet.onAcknowledged(() => {
    inFlight -= 1;
    if (shouldContinue()) sendOne();
    else if (inFlight === 0) ended.resolve();
  });
  while (inFlight < options.inFlight && shouldContinue()) sendOne();
  const stuck = setTimeout(ended.resolve, (options.seconds ?? 60) * 1000 + SETTLE_WITHIN_MS);
  await ended.promise;
  clearTimeout(stuck);
  await fleet.settled(options.settleWithinMs ?? SETTLE_WITHIN_MS);
  return { startedAt, writes: sent, elapsedMs: performance.now() - startedAt, usage: usage() };
}

export interface PaceOptions {
  writers: number;
  perSecond: number;
  seconds: number;
}

export interface PaceResult {
  writes: number;
  /** Ms from sending a write until the last terminal received it. */
  p50: number;
  p99: number;
  max: number;
  /** How late the generator's own timer fired, in ms: a high value distorts the latencies. */
  lateP99: number;
  usage: LoadUsage;
}

/** Writes at a fixed rate, however fast answers come. The fleet must be opened with `timed`. */
export async function pace(fleet: Fleet, options: PaceOptions): Promise<PaceResult> {
  const usage = startUsage();
  const latencies: number[] = [];
  const lateMs: number[] = [];
  fleet.onAcknowledged(() => undefined);
  fleet.onDeliveredToAll((_order, _version, latencyMs) => void latencies.push(latencyMs));
  const stepMs = 1000 / options.perSecond;
  const startedAt = performance.now();
  const total = Math.round(options.perSecond * options.seconds);
  let next = 0;
  for (let n = 0; n < total; n += 1) {
    const due = startedAt + n * stepMs;
    await until(due);
    lateMs.push(performance.now() - due);
    for (let attempt = 0; attempt < fleet.orders.length; attempt += 1) {
      const order = fleet.orders[next % fleet.orders.length];
      next += 1;
      const writer = fleet.terminals[(order?.index ?? 0) % options.writers];
      if (order === undefined || order.inFlight || writer === undefined) continue;
      fleet.edit(order, writer);
      break;
    }
  }
  await fleet.settled(SETTLE_WITHIN_MS);
  return {
    writes: latencies.length,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
    max: percentile(latencies, 100),
    lateP99: percentile(lateMs, 99),
    usage: usage(),
  };
}

function until(due: number): Promise<void> {
  return new Promise((resolve) => {
    const remainingMs = due - performance.now();
    if (remainingMs <= 0) setImmediate(resolve);
    else setTimeout(resolve, remainingMs);
  });
}
