import { MAX_TENDERS } from "../basics/bounds.ts";
import { DAY_MS, HOUR_MS } from "../basics/durations.ts";
import type { Budget } from "../basics/token-bucket.ts";

export const PROTOCOL_VERSION = 1;

/** Capability of a terminal that accepts a JSON array of messages in one frame. */
export const BATCH_CAPABILITY = "batch";

/** Capability of a terminal that can offer what the hub has lost, and of a hub that lost data: ORDER_OFFER. */
export const OFFERS_CAPABILITY = "offers";

/**
 * Capability of a terminal that can propose its copy of a previous hub's data, and of a hub that accepts it because it has no
 * history of its own yet: ORDER_OFFER with `hubId`.
 */
export const PROPOSALS_CAPABILITY = "proposals";

/** Why the hub ends a connection. */
export * as CloseCode from "./close-codes.ts";

/** Limits of a terminal's connection, which terminals know too. Times in ms, sizes in bytes. */
export const terminalLimits = {
  frameBytes: 1_048_576,
  /** Maximum nesting depth of a message. */
  messageDepth: 32,
  leaseRequestTimeoutMs: 10_000,
} as const;

/** How long the hub waits for AUTH after a connection. */
export const AUTH_WITHIN_MS = 10_000;

/** Limits that only the hub enforces. Times in ms, sizes in bytes. Separate, so that pages do not load them. */
export const hubLimits = {
  authWithinMs: AUTH_WITHIN_MS,
  /** The largest frame of a connection that has not signed in. */
  authFrameBytes: 8_192,
  /** Above this, the hub sends a terminal no changes until it has read the buffered ones. */
  sendBufferBytes: 262_144,
  /** A terminal that reads nothing for this long is closed with 1008. */
  notReadingMs: 30_000,
  /** Signed-in connections per user and per address: more than three times the terminals of a large restaurant. */
  connectionsPerUser: 120,
  connectionsPerAddress: 360,
  /** Leases that one terminal, and all terminals of one user, may hold at once. */
  leasesPerTerminal: 50,
  leasesPerUser: 200,
  /** Tables that one terminal, and all terminals of one user, may lock at once. */
  locksPerTerminal: 50,
  locksPerUser: 200,
  tableLockMaxMs: HOUR_MS,
  /** Size of an order as JSON. Every change sends the whole order to every terminal. */
  orderContentBytes: 256 * 1024,
  /** Total size of the active orders last written by one terminal. Above it, only small orders are accepted. */
  openOrderBytesPerTerminal: 8 * 1024 * 1024,
  smallOrderBytes: 16 * 1024,
  /** Active orders last written by one terminal: more than a large restaurant has open in an evening. */
  openOrdersPerTerminal: 1_000,
  /** Tables missing in the floor plan whose state the hub keeps. */
  unplannedTables: 1_000,
  /** Payments on one check, including voided ones. Each one is a version of the whole check. */
  tendersPerCheck: MAX_TENDERS,
  /** Parties waiting for a table. */
  waitingParties: 200,
  /** Bookings taken by phone that are kept at once. */
  phoneBookings: 1000,
  /** Unauthorized payments that wait for a manager, per device and per person. */
  unauthorizedPayments: 20,
  /** Changes with a revoked token that wait for a manager, per terminal and in total. */
  keptChangesPerTerminal: 100,
  keptChanges: 500,
  /** How long a processed mutation is remembered. */
  mutationMemoryMs: 7 * DAY_MS,
} as const;

/** Messages that terminals throttle themselves with the hub's own budget, sending only the newest. */
export const pacedBudgets = {
  presence: { burst: 10, perSecond: 5 },
  resync: { burst: 30, perSecond: 0.5 },
} as const satisfies Record<string, Budget>;

/**
 * How many messages of each kind a session may send: `burst` at once, then `perSecond`. A setting of the hub can change the
 * budget for mutations.
 */
export const messageBudgets = {
  mutation: { burst: 2_000, perSecond: 200 },
  ...pacedBudgets,
  lease: { burst: 200, perSecond: 20 },
  table: { burst: 200, perSecond: 20 },
  heartbeat: { burst: 60, perSecond: 5 },
  offer: { burst: 100, perSecond: 2 },
  /** Unparsable and unknown messages. */
  other: { burst: 300, perSecond: 10 },
} as const satisfies Record<string, Budget>;

/**
 * A session also has a budget of bytes, which excludes its offers: this many bytes per allowed mutation. An order of 20 dishes
 * is a few times larger, but no terminal changes one a hundred times a second.
 */
export const BYTES_PER_MUTATION = 2_560;

/** Returns the budgets of a session at a hub that allows this many mutations per second. */
export function sessionBudgets(mutationsPerSecond: number): { mutations: Budget; bytes: Budget } {
  const mutations = { burst: 10 * mutationsPerSecond, perSecond: mutationsPerSecond };
  const { burst, perSecond } = mutations;
  return { mutations, bytes: { burst: burst * BYTES_PER_MUTATION, perSecond: perSecond * BYTES_PER_MUTATION } };
}

export type MessageKind = keyof typeof messageBudgets;
