import type { IncomingMessage } from "node:http";
import { createTokenBucket, type Budget } from "@comanda/protocol";
import { createRecent } from "../../platform/recent.ts";
import type { World } from "../../platform/world.ts";

export interface RequestLimits {
  /** How many requests begin per event-loop turn: those with an accepted session or key, and others. */
  acceptedPerTurn: number;
  othersPerTurn: number;
  /** The budget of one address without an accepted session or key. */
  perAddress: Budget;
  /** The priority budget of one user or key; requests beyond it count by address. */
  perPayer: Budget;
  /** How many requests of one address may wait; more are refused. */
  waitingPerAddress: number;
}

/**
 * Opening the screens takes 40 requests, and a wall of screens that follow everything sends 5 a second. 300 a second use some 5
 * % of a core. Nearly all sockets that one address may open can have a request waiting.
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
/** How often requests are checked that wait for their address's budget. */
const BUDGET_MS = 20;

interface WaitingRequest {
  begin(): void;
  refuse(): void;
}

export type RequestLanes = ReturnType<typeof createRequestLanes>;

/**
 * Decides when a request begins. Requests with a recently accepted session or key go first, taking turns by user or key. The
 * others take turns by address, a few per event-loop turn. Every user, key and address has a budget, so a caller delays only
 * its own requests. A request begins at once if none are waiting.
 */
export function createRequestLanes(
  world: World,
  peerOf: (request: IncomingMessage) => string,
  overrides: Partial<RequestLimits> = {},
) {
  const limits = { ...defaults, ...overrides };
  const accepted = createAccepted(world.clock.monotonic);
  const takeOfAddress = createBudgets(limits.perAddress, world.clock.monotonic);
  const takeOfPayer = createBudgets(limits.perPayer, world.clock.monotonic);
  const prioritized = createLine(limits.acceptedPerTurn, () => true);
  const others = createLine(limits.othersPerTurn, takeOfAddress);
  let isTurnAhead = false;
  let budgetTimer: NodeJS.Timeout | null = null;

  function turn(): void {
    prioritized.newTurn();
    others.newTurn();
    awaitTurn();
  }

  /** Schedules the next turn: right after this one if requests have begun in it, else when a budget may have refilled. */
  function awaitTurn(): void {
    if (prioritized.started() + others.started() > 0) {
      if (!isTurnAhead) world.timers.setImmediate(() => ((isTurnAhead = false), turn()));
      isTurnAhead = true;
    } else if (others.isWaiting()) {
      budgetTimer ??= world.timers.setTimeout(() => ((budgetTimer = null), turn()), BUDGET_MS);
    }
  }

  return {
    /** Calls `begin` when it is the request's turn, now or later, or `refuse` if its address sends too many. */
    take(request: IncomingMessage, waiting: WaitingRequest): void {
      const payer = accepted.find(request);
      const isPaid = payer !== null && takeOfPayer(payer);
      const address = isPaid ? "" : peerOf(request);
      if (isPaid) prioritized.add(payer, waiting);
      else if (others.waitingOf(address) >= limits.waitingPerAddress) waiting.refuse();
      else others.add(address, waiting);
      awaitTurn();
    },
    /** Records the payer of a request's session or key. */
    accept: accepted.note,
  };
}

/** Requests that wait for their turn, by caller. Each turn begins up to `perTurn` of callers that `mayBegin`. */
function createLine(perTurn: number, mayBegin: (caller: string) => boolean) {
  /** Ordered by turn, the next first. */
  const queues = new Map<string, WaitingRequest[]>();
  let started = 0;

  function beginNext(): boolean {
    for (const [caller, queue] of queues) {
      if (!mayBegin(caller)) continue;
      queues.delete(caller);
      const next = queue.shift();
      // A caller with more requests goes to the end of the line.
      if (queue.length > 0) queues.set(caller, queue);
      started += 1;
      next?.begin();
      return true;
    }
    return false;
  }

  return {
    add(caller: string, waiting: WaitingRequest): void {
      // With room left in the turn, only callers without budget are waiting, so a new caller overtakes no other.
      if (started < perTurn && !queues.has(caller) && mayBegin(caller)) {
        started += 1;
        waiting.begin();
        return;
      }
      const queue = queues.get(caller);
      if (queue === undefined) queues.set(caller, [waiting]);
      else queue.push(waiting);
    },
    newTurn(): void {
      started = 0;
      while (started < perTurn && beginNext());
    },
    started: (): number => started,
    isWaiting: (): boolean => queues.size > 0,
    waitingOf: (caller: string): number => queues.get(caller)?.length ?? 0,
  };
}

/** The sessions and keys accepted within the last minute, by their request headers. */
function createAccepted(monotonic: () => number) {
  /** Ordered by last use. */
  const payers = new Map<string, { payer: string; at: number }>();
  const credentialOf = ({ headers }: IncomingMessage): string =>
    headers.authorization ?? String(headers["x-api-key"] ?? "");

  return {
    find(request: IncomingMessage): string | null {
      const found = payers.get(credentialOf(request));
      return found === undefined || found.at < monotonic() - ACCEPTED_MS ? null : found.payer;
    },
    note(request: IncomingMessage, payer: string): void {
      const shown = credentialOf(request);
      payers.delete(shown);
      payers.set(shown, { payer, at: monotonic() });
      const [oldest] = payers.keys();
      if (payers.size > MAX_ACCEPTED && oldest !== undefined) payers.delete(oldest);
    },
  };
}

/** A budget per caller; dropped once it would be full again. */
function createBudgets(budget: Budget, monotonic: () => number) {
  const fullAfterMs = (budget.burst / budget.perSecond) * 1_000;
  const bucketOf = createRecent(fullAfterMs, monotonic, () => createTokenBucket(budget, monotonic));
  return (caller: string): boolean => bucketOf(caller).take();
}
