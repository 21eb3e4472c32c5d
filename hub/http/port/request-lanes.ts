import type { IncomingMessage } from "node:http";
import { createTokenBucket, type Budget } from "@comanda/protocol";
import { createRecent } from "../../platform/recent.ts";
import type { World } from "../../platform/world.ts";

export interface RequestLimits {
  /** How many requests begin in one turn of the event loop: of those with an accepted session or key, and of others. */
  acceptedPerTurn: number;
  othersPerTurn: number;
  /** What one address may ask without an accepted session or key. */
  perAddress: Budget;
  /** What one user or key may ask before strangers; the rest counts as a stranger's. */
  perPayer: Budget;
  /** How many requests of one address wait for that; more are refused. */
  waitingPerAddress: number;
}

/**
 * Opening the screens is 40 requests, and a wall of screens that follow everything asks 5 a second. 300 a second are some
 * 5 % of a core; the sockets that one address may have open all find a place to wait.
 */
const defaults: RequestLimits = {
  acceptedPerTurn: 32,
  othersPerTurn: 4,
  perAddress: { burst: 1_000, perSecond: 300 },
  perPayer: { burst: 1_000, perSecond: 300 },
  waitingPerAddress: 1_000,
};
/** How long a session or key counts as accepted after its last request, and how many are remembered. */
const ACCEPTED_MS = 60_000;
const MAX_ACCEPTED = 4_096;
/** How often those are looked at that wait for their address's budget. */
const BUDGET_MS = 20;

interface Asked {
  begin(): void;
  refuse(): void;
}

export type RequestLanes = ReturnType<typeof createRequestLanes>;

/**
 * Decides when a request begins. Those with a session or key that was accepted a moment ago go first and take turns by who
 * asks, each within a budget; the others take turns by address, a few in one turn of the event loop, each address within a
 * budget. So nobody delays anybody but themselves. While nobody waits a request begins at once.
 */
export function createRequestLanes(
  world: World,
  peerOf: (request: IncomingMessage) => string,
  given: Partial<RequestLimits> = {},
) {
  const limits = { ...defaults, ...given };
  const accepted = createAccepted(world.clock.monotonic);
  const takeOfAddress = createBudgets(limits.perAddress, world.clock.monotonic);
  const takeOfPayer = createBudgets(limits.perPayer, world.clock.monotonic);
  const known = createLine(limits.acceptedPerTurn, () => true);
  const others = createLine(limits.othersPerTurn, takeOfAddress);
  let isTurnAhead = false;
  let budgetTimer: NodeJS.Timeout | null = null;

  function turn(): void {
    known.newTurn();
    others.newTurn();
    awaitTurn();
  }

  /** What began in this turn counts until the next one; without that there is only a budget to wait for. */
  function awaitTurn(): void {
    if (known.begun() + others.begun() > 0) {
      if (!isTurnAhead) world.timers.setImmediate(() => ((isTurnAhead = false), turn()));
      isTurnAhead = true;
    } else if (others.isWaiting()) {
      budgetTimer ??= world.timers.setTimeout(() => ((budgetTimer = null), turn()), BUDGET_MS);
    }
  }

  return {
    /** Calls `begin` when it is the request's turn, now or later, or `refuse` when its address asks too much. */
    take(request: IncomingMessage, asked: Asked): void {
      const payer = accepted.find(request);
      const isPaid = payer !== null && takeOfPayer(payer);
      const address = isPaid ? "" : peerOf(request);
      if (isPaid) known.add(payer, asked);
      else if (others.waitingOf(address) >= limits.waitingPerAddress) asked.refuse();
      else others.add(address, asked);
      awaitTurn();
    },
    /** Notes who stands behind a request's session or key. */
    accept: accepted.note,
  };
}

/** Requests that wait for their turn, by who asks: each turn begins `perTurn` of them, of those that `mayBegin`. */
function createLine(perTurn: number, mayBegin: (who: string) => boolean) {
  /** The one whose turn is next first. */
  const queues = new Map<string, Asked[]>();
  let begun = 0;

  function beginNext(): boolean {
    for (const [who, queue] of queues) {
      if (!mayBegin(who)) continue;
      queues.delete(who);
      const next = queue.shift();
      // To the end of the turns, if there is more.
      if (queue.length > 0) queues.set(who, queue);
      begun += 1;
      next?.begin();
      return true;
    }
    return false;
  }

  return {
    add(who: string, asked: Asked): void {
      // Those who wait have used up their turns, or their budget.
      if (begun < perTurn && !queues.has(who) && mayBegin(who)) {
        begun += 1;
        asked.begin();
        return;
      }
      const queue = queues.get(who);
      if (queue === undefined) queues.set(who, [asked]);
      else queue.push(asked);
    },
    newTurn(): void {
      begun = 0;
      while (begun < perTurn && beginNext());
    },
    begun: (): number => begun,
    isWaiting: (): boolean => queues.size > 0,
    waitingOf: (who: string): number => queues.get(who)?.length ?? 0,
  };
}

/** The sessions and keys that were accepted within the last minute, as the requests showed them. */
function createAccepted(monotonic: () => number) {
  /** Ordered by last use. */
  const payers = new Map<string, { payer: string; at: number }>();
  const shownBy = ({ headers }: IncomingMessage): string => headers.authorization ?? String(headers["x-api-key"] ?? "");

  return {
    find(request: IncomingMessage): string | null {
      const found = payers.get(shownBy(request));
      return found === undefined || found.at < monotonic() - ACCEPTED_MS ? null : found.payer;
    },
    note(request: IncomingMessage, payer: string): void {
      const shown = shownBy(request);
      payers.delete(shown);
      payers.set(shown, { payer, at: monotonic() });
      const [oldest] = payers.keys();
      if (payers.size > MAX_ACCEPTED && oldest !== undefined) payers.delete(oldest);
    },
  };
}

/** A budget for each of those who ask; silent ones are forgotten when theirs is full again. */
function createBudgets(budget: Budget, monotonic: () => number) {
  const fullAfterMs = (budget.burst / budget.perSecond) * 1_000;
  const bucketOf = createRecent(fullAfterMs, monotonic, () => createTokenBucket(budget, monotonic));
  return (who: string): boolean => bucketOf(who).take();
}
