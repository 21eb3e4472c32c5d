import { connectTerminal, type Since } from "./connect-terminal.ts";
import { pace, type PaceOptions, type PaceResult, pump, type PumpOptions, type PumpResult } from "./drive.ts";
import type { Target } from "./flavour.ts";
import { connectFleet, type Fleet, type FleetOptions } from "./fleet.ts";
import type { Verdict } from "./fleet-book.ts";
import { createFrameCache } from "./frame-cache.ts";
import { floodJob, getJob, postJob } from "./http-load.ts";
import { type Kitchen, type KitchenOptions, openKitchen } from "./kitchen-load.ts";
import { prepareOrders } from "./prepare-orders.ts";
import { openReceiver, type Receiver, type ReceiverReport } from "./webhook-receiver.ts";

const fleets = new Map<number, Fleet>();
const receivers = new Map<number, Receiver>();
const kitchens = new Map<number, Kitchen>();
let lastId = 0;

/** The jobs of the load process; arguments and results are plain JSON. */
export const jobs = {
  /** Connects terminals and creates their orders (version 1); resolves when all terminals have seen them. */
  async open(options: FleetOptions): Promise<number> {
    const fleet = await connectFleet(options);
    lastId += 1;
    fleets.set(lastId, fleet);
    if (options.orders > 0) {
      const writers = Math.min(4, options.terminals);
      await pump(fleet, { writers, inFlight: 32, writes: options.orders });
    }
    return lastId;
  },
  pump: ({ id, ...options }: PumpOptions & { id: number }): Promise<PumpResult> => pump(fleetOf(id), options),
  pace: ({ id, ...options }: PaceOptions & { id: number }): Promise<PaceResult> => pace(fleetOf(id), options),
  async stopReading({ id, terminal }: { id: number; terminal: number }): Promise<void> {
    const fleet = fleetOf(id);
    fleet.stopReading(terminalOf(fleet, terminal));
  },
  /** Returns the time (ms) until the terminal that had stopped reading has everything again. */
  async resumeReading({
    id,
    terminal,
  }: {
    id: number;
    terminal: number;
  }): Promise<{ reconnected: boolean; tookMs: number }> {
    const fleet = fleetOf(id);
    const startedAt = performance.now();
    const { reconnected } = await fleet.resumeReading(terminalOf(fleet, terminal));
    await fleet.settled(60_000);
    return { reconnected, tookMs: performance.now() - startedAt };
  },
  since: async ({ id, terminal }: { id: number; terminal: number }): Promise<Since> => {
    const fleet = fleetOf(id);
    return fleet.since(terminalOf(fleet, terminal));
  },
  /** Ends a fleet and reports what its terminals saw. */
  async close({ id }: { id: number }): Promise<Verdict> {
    const fleet = fleetOf(id);
    fleets.delete(id);
    await fleet.close();
    return fleet.verdict();
  },
  /** Connects once with `since` and reports how long it took to receive all changes. */
  async resume({ target, since, deviceId }: { target: Target; since: Since; deviceId: string }): Promise<ResumeResult> {
    const decode = createFrameCache(target.flavour);
    const terminal = await connectTerminal({ target, deviceId, since, decode, onFrame: () => undefined });
    const orders = terminal.synced.flatMap((page) => page.orders);
    await terminal.close();
    return {
      tookMs: terminal.connectedInMs,
      mode: terminal.synced[0]?.mode ?? "",
      pages: terminal.synced.length,
      orders: new Set(orders.map((order) => order.posReference)).size,
      damaged: orders.filter((order) => order.damaged).length,
    };
  },
  openReceiver: async (): Promise<{ receiver: number; url: string }> => {
    const receiver = await openReceiver();
    lastId += 1;
    receivers.set(lastId, receiver);
    return { receiver: lastId, url: receiver.url };
  },
  /** Waits for `expected` order deliveries and reports them; the next report counts from zero. */
  async received({ receiver, expected, withinMs, id, secret }: ReceivedOptions): Promise<ReceiverReport> {
    const open = receivers.get(receiver);
    if (open === undefined) throw new Error(`no receiver ${receiver}`);
    const fleet = id === undefined ? undefined : fleetOf(id);
    return await open.report({ expected, withinMs, secret, ...(fleet !== undefined && { sentAt: fleet.sentAt }) });
  },
  closeReceiver: async ({ receiver }: { receiver: number }): Promise<void> => {
    await receivers.get(receiver)?.close();
    receivers.delete(receiver);
  },
  openKitchen: async (options: KitchenOptions): Promise<number> => {
    const kitchen = await openKitchen(options);
    lastId += 1;
    kitchens.set(lastId, kitchen);
    return lastId;
  },
  workInKitchen: async ({ id, ...options }: { id: number; perSecond: number; seconds: number }): Promise<void> =>
    kitchens.get(id)?.work(options),
  closeKitchen: async ({ id }: { id: number }): Promise<void> => {
    await kitchens.get(id)?.close();
    kitchens.delete(id);
  },
  prepare: prepareOrders,
  post: postJob,
  get: getJob,
  flood: floodJob,
} as const;

export interface ResumeResult {
  tookMs: number;
  mode: string;
  pages: number;
  orders: number;
  damaged: number;
}

export interface ReceivedOptions {
  receiver: number;
  expected: number;
  withinMs: number;
  secret: string;
  /** The fleet whose edits trigger the deliveries; its send times are used to compute delays. */
  id?: number;
}

export type Jobs = typeof jobs;
export type JobName = keyof Jobs;

function fleetOf(id: number): Fleet {
  const fleet = fleets.get(id);
  if (fleet === undefined) throw new Error(`no fleet ${id}`);
  return fleet;
}

function terminalOf(fleet: Fleet, index: number): Fleet["terminals"][number] {
  const terminal = fleet.terminals[index];
  if (terminal === undefined) throw new Error(`no terminal ${index}`);
  return terminal;
}
