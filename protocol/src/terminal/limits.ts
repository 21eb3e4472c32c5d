import { MAX_TENDERS } from "../basics/bounds.ts";
import { DAY_MS, HOUR_MS } from "../basics/durations.ts";
import type { Budget } from "../basics/token-bucket.ts";

export const PROTOCOL_VERSION = 1;

/** Capability of a terminal that accepts a JSON array of messages in one frame. */
export const BATCH_CAPABILITY = "batch";

/** Capability of a terminal that offers what the hub has lost, and of a hub that lacks something: ORDER_OFFER. */
export const OFFERS_CAPABILITY = "offers";

/**
 * Capability of a terminal that proposes what it held of a hub that stood here before, and of a hub that takes it because
 * it has no past of its own yet: ORDER_OFFER with `hubId`.
 */
export const PROPOSALS_CAPABILITY = "proposals";

/** Why the hub ends a connection. */
export const CloseCode = {
  /** The hub is stopping. */
  goingAway: 1001,
  /** A binary frame. */
  unsupportedData: 1003,
  /** The terminal read nothing for 30 s, or sent nothing for two heartbeats. */
  policyViolation: 1008,
  /** A frame above 1 MiB. */
  messageTooBig: 1009,
  /** More connections of one address than the hub accepts now: reconnect in a moment. */
  tryAgainLater: 1013,
  /** Bad token, or no AUTH in time. */
  unauthenticated: 4401,
  /** Known, but not allowed, or not on this device. */
  forbidden: 4403,
  /** A newer connection has the same deviceId: do not reconnect by yourself. */
  replaced: 4409,
  /** The protocol version, or the terminal's own, is too old. */
  protocolTooOld: 4426,
  /**
   * The hub does not know this identity and cannot verify it now: the back-office is unreachable, or too many unknown
   * sessions wait to be verified. Reconnect later.
   */
  backOfficeUnreachable: 4503,
} as const;

/** Limits of a terminal's connection; times in ms, sizes in bytes. */
export const terminalLimits = {
  frameBytes: 1_048_576,
  /** How deep a message may nest. */
  messageDepth: 32,
  leaseRequestTimeoutMs: 10_000,
  tableLockMaxMs: HOUR_MS,
} as const;

/** How long the hub waits for AUTH after a connection. */
export const AUTH_WITHIN_MS = 10_000;

/**
 * What only the hub holds connections, users and addresses to; times in ms, sizes in bytes. Apart: no page is to load it.
 */
export const hubLimits = {
  authWithinMs: AUTH_WITHIN_MS,
  /** The largest frame of a connection that has not signed in. */
  authFrameBytes: 8_192,
  /** Above this the hub sends a terminal no changes until it has read what is buffered. */
  sendBufferBytes: 262_144,
  /** A terminal that reads nothing for this long is closed with 1008. */
  notReadingMs: 30_000,
  /** Signed-in connections of one user and of one address: three times the terminals of a large restaurant, and more. */
  connectionsPerUser: 120,
  connectionsPerAddress: 360,
  /** Leases that one terminal, and all terminals of one user, may hold at once. */
  leasesPerTerminal: 50,
  leasesPerUser: 200,
  /** Tables that they may lock at once. */
  locksPerTerminal: 50,
  locksPerUser: 200,
  /** What an order holds, as JSON; it is sent whole to every terminal. */
  orderContentBytes: 256 * 1024,
  /** What the active orders hold together of which a terminal is the last writer; a small one is taken beyond it. */
  openOrderBytesPerTerminal: 8 * 1024 * 1024,
  smallOrderBytes: 16 * 1024,
  /** Active orders of which a terminal is the last writer: more than a large restaurant has open in an evening. */
  openOrdersPerTerminal: 1_000,
  /** Tables that the floor plan does not have, of which the hub keeps a state. */
  unplannedTables: 1_000,
  /** Payments on one check, those included that were taken back; each is a version of the whole check. */
  tendersPerCheck: MAX_TENDERS,
  /** Parties that wait for a table. */
  waitingParties: 200,
  /** Bookings by telephone that are kept at once. */
  phoneBookings: 1000,
  /** Payments of people who may take none that wait for a manager, for each device and each person. */
  unauthorizedPayments: 20,
  /** Changes under a revoked token that wait for a manager, of one terminal and of all. */
  keptChangesPerTerminal: 100,
  keptChanges: 500,
  /** How long a carried-out mutation is remembered. */
  mutationMemoryMs: 7 * DAY_MS,
} as const;

/** Of these a terminal sends the newest when there is room: it counts as the hub does. */
export const pacedBudgets = {
  presence: { burst: 10, perSecond: 5 },
  resync: { burst: 10, perSecond: 10 / 60 },
} as const satisfies Record<string, Budget>;

/**
 * How many messages of a kind one session may send: `burst` at once, and `perSecond` from then on. A setting of the hub
 * may change that of mutations.
 */
export const messageBudgets = {
  mutation: { burst: 2_000, perSecond: 200 },
  ...pacedBudgets,
  lease: { burst: 200, perSecond: 20 },
  table: { burst: 200, perSecond: 20 },
  heartbeat: { burst: 60, perSecond: 5 },
  offer: { burst: 100, perSecond: 2 },
  /** Unreadable and unknown messages. */
  other: { burst: 300, perSecond: 10 },
} as const satisfies Record<string, Budget>;

/**
 * Beside them a session has a budget of bytes for all but its offers: so many for each mutation that it may send. An order
 * of 20 dishes has a few times as many, and nobody touches one a hundred times a second.
 */
export const BYTES_PER_MUTATION = 2_560;

/** What a session may send whose hub admits so many mutations a second. */
export function sessionBudgets(mutationsPerSecond: number): { mutations: Budget; bytes: Budget } {
  const mutations = { burst: 10 * mutationsPerSecond, perSecond: mutationsPerSecond };
  const { burst, perSecond } = mutations;
  return { mutations, bytes: { burst: burst * BYTES_PER_MUTATION, perSecond: perSecond * BYTES_PER_MUTATION } };
}

export type MessageKind = keyof typeof messageBudgets;
