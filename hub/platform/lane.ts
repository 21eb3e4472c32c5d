import type { World } from "./world.ts";

/** Thrown if the queue was full or the wait too long. Nothing was done, and the caller may retry. */
export class LaneBusy extends Error {
  override readonly name = "LaneBusy";
}

export interface LaneLimits {
  /** How much work runs at once, in total and for one peer. */
  concurrency: number;
  perPeer: number;
  waiting: number;
}

interface Waiting {
  start(): void;
  refuse(): void;
}

/** With a call about an unknown session, this stays below the 15 s that a terminal waits for its answer. */
const WAIT_MS = 6_000;

/**
 * Runs work of one kind a few at a time. Peers take turns, so a peer with a long queue delays only itself. If the queue is
 * full, the peer with the most waiting work loses its newest.
 */
export function createLane(world: World, { concurrency, perPeer, waiting: places }: LaneLimits) {
  /** By peer, the next one first. */
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let totalRunning = 0;
  let allWaiting = 0;

  function mayStart(peer: string): boolean {
    return totalRunning < concurrency && (running.get(peer) ?? 0) < perPeer;
  }

  function begin(peer: string): void {
    totalRunning += 1;
    running.set(peer, (running.get(peer) ?? 0) + 1);
  }

  function end(peer: string): void {
    totalRunning -= 1;
    const count = (running.get(peer) ?? 0) - 1;
    if (count > 0) running.set(peer, count);
    else running.delete(peer);
    startWaiting();
  }

  function startWaiting(): void {
    for (const [peer, queue] of queues) {
      if (!mayStart(peer)) continue;
      // Moves the peer behind the rest; `start` removes it if it has no more work.
      queues.delete(peer);
      queues.set(peer, queue);
      queue[0]?.start();
    }
  }

  function wait(peer: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      world.timers.clearTimeout(timer);
      const remaining = (queues.get(peer) ?? []).filter((other) => other !== entry);
      if (remaining.length === 0) queues.delete(peer);
      else queues.set(peer, remaining);
      allWaiting -= 1;
    };
    const entry: Waiting = {
      start() {
        leave();
        begin(peer);
        resolve();
      },
      refuse() {
        leave();
        reject(new LaneBusy("no place to wait in"));
      },
    };
    const timer = world.timers.setTimeout(entry.refuse, WAIT_MS);
    queues.set(peer, [...(queues.get(peer) ?? []), entry]);
    allWaiting += 1;
    if (allWaiting > places) longestQueue().at(-1)?.refuse();
    return promise;
  }

  function longestQueue(): Waiting[] {
    return [...queues.values()].reduce((longest, queue) => (queue.length > longest.length ? queue : longest));
  }

  return {
    /** Runs `work` when it is its turn. Throws LaneBusy if it does not get one. */
    async run<T>(peer: string, work: () => T | Promise<T>): Promise<T> {
      if (mayStart(peer)) begin(peer);
      else await wait(peer);
      try {
        return await work();
      } finally {
        end(peer);
      }
    },
  };
}
