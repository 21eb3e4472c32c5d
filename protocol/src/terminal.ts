import { z } from "zod";
import { errorCodes } from "./errors.ts";
import {
  DeviceId,
  IsoTime,
  noteText,
  plainText,
  PosReference,
  Quantity,
  Role,
  SessionToken,
  TableId,
} from "./fields.ts";
import { OfferedOrder, Payment, Snapshot, StoredOrder, TerminalSnapshot } from "./orders.ts";
import { PluginRecord } from "./plugins.ts";
import { TableLock, TableState, TableStatus } from "./tables.ts";
import type { Budget } from "./token-bucket.ts";

export const PROTOCOL_VERSION = 1;

/** Capability by which a terminal takes a JSON array of messages in one frame. */
export const BATCH_CAPABILITY = "batch";

/** Capability by which a terminal gives back what the hub has lost, and by which a hub takes it: ORDER_OFFER. */
export const OFFERS_CAPABILITY = "offers";

/** Why the hub ends a connection. */
export const CloseCode = {
  /** The hub is going down. */
  goingAway: 1001,
  /** A binary frame. */
  unsupportedData: 1003,
  /** Nothing was drained for 30 s, or nothing was heard for two heartbeats. */
  policyViolation: 1008,
  /** A frame above 1 MiB. */
  messageTooBig: 1009,
  /** More than this hub takes of one address just now: come back in a moment. */
  tryAgainLater: 1013,
  /** Bad token, or no AUTH in time. */
  unauthenticated: 4401,
  /** Known, but not allowed in, or not on this device. */
  forbidden: 4403,
  /** A newer connection with the same deviceId took over: do not reconnect by yourself. */
  replaced: 4409,
  /** The protocol version, or the terminal's own, is too old. */
  protocolTooOld: 4426,
  /**
   * The back-office cannot be asked now, and the hub does not know this identity: it cannot be reached, or too many
   * unknown sessions are being asked about. Come back later.
   */
  backOfficeUnreachable: 4503,
} as const;

/** Limits of a terminal's connection; times in ms, sizes in bytes. */
export const terminalLimits = {
  authWithinMs: 10_000,
  frameBytes: 1_048_576,
  /** The largest frame of a connection that has not signed in. */
  authFrameBytes: 8_192,
  /** How deep a message may nest. */
  messageDepth: 32,
  /** Above this the hub sends a terminal no changes until it has drained. */
  sendBufferBytes: 262_144,
  /** A terminal that drains nothing for this long is closed with 1008. */
  notReadingMs: 30_000,
  leaseRequestTimeoutMs: 10_000,
  /** Leases that one terminal may hold at once. */
  leasesPerTerminal: 50,
  /** Tables that one terminal may lock at once. */
  locksPerTerminal: 50,
  tableLockMaxMs: 3_600_000,
  /** How long a carried-out mutation is remembered. */
  mutationMemoryMs: 7 * 24 * 3_600_000,
  /** A kitchen send queued longer ago than this is marked late. */
  lateSendMs: 5 * 60_000,
} as const;

/**
 * How many messages of a kind one session may send: `burst` at once, and `perSecond` from then on. A setting of the hub
 * may change that of mutations.
 */
export const messageBudgets = {
  mutation: { burst: 2_000, perSecond: 200 },
  presence: { burst: 10, perSecond: 5 },
  resync: { burst: 10, perSecond: 10 / 60 },
  lease: { burst: 200, perSecond: 20 },
  table: { burst: 200, perSecond: 20 },
  heartbeat: { burst: 60, perSecond: 5 },
  offer: { burst: 500, perSecond: 5 },
  /** What cannot be read or has no meaning here. */
  other: { burst: 300, perSecond: 10 },
} as const satisfies Record<string, Budget>;
export type MessageKind = keyof typeof messageBudgets;

/** Where a terminal stands in the hub's history. */
export const Since = z.object({
  hubId: plainText(128),
  epoch: plainText(128),
  seq: z.int().nonnegative(),
});
export type Since = z.infer<typeof Since>;

/** What a terminal has not yet been able to hand in. */
export const OutboxReport = z.object({ pending: z.int().nonnegative(), oldestAt: IsoTime.nullish() });
export type OutboxReport = z.infer<typeof OutboxReport>;

export const LeaseRole = z.enum(["editor", "checkout"]);
export type LeaseRole = z.infer<typeof LeaseRole>;

const requestId = plainText(64).optional();
const mutationId = z.guid();
const baseVersion = z.int().nonnegative();
const existingVersion = z.int().positive();
/** When the terminal put the mutation into its outbox. */
const queuedAt = IsoTime.optional();

export const Auth = z.object({
  type: z.literal("AUTH"),
  requestId,
  /** Empty only for a hub with HUB_DEV_AUTH. */
  token: z.union([SessionToken, z.literal("")]),
  deviceId: DeviceId,
  /** What this hub gave the device in an AUTH_OK. */
  deviceKey: z.string().max(128).optional(),
  protocolVersion: z.int().nonnegative().default(1),
  clientVersion: plainText(64).optional(),
  clientTime: IsoTime.optional(),
  caps: z.array(plainText(64)).max(32).optional(),
  since: Since.optional(),
  outbox: OutboxReport.optional(),
});
export type Auth = z.infer<typeof Auth>;

const Heartbeat = z.object({
  type: z.literal("HEARTBEAT"),
  requestId,
  outbox: OutboxReport.optional(),
  clientTime: IsoTime.optional(),
});
const Resync = z.object({ type: z.literal("RESYNC"), requestId, since: Since.optional() });
const Presence = z.object({
  type: z.literal("PRESENCE"),
  requestId,
  posReference: PosReference.optional(),
  tableId: TableId.optional(),
});
const LeaseAcquire = z.object({
  type: z.literal("LEASE_ACQUIRE"),
  requestId,
  posReference: PosReference,
  role: LeaseRole.default("editor"),
  takeover: z.boolean().optional(),
  /** The order is not on the hub yet: this terminal is about to create it. */
  new: z.boolean().optional(),
});
const LeaseRelease = z.object({
  type: z.literal("LEASE_RELEASE"),
  requestId,
  posReference: PosReference,
  leaseId: plainText(128).optional(),
});
const TableLockRequest = z.object({
  type: z.literal("TABLE_LOCK"),
  requestId,
  tableId: TableId,
  ttlMs: z.int().positive().max(terminalLimits.tableLockMaxMs).optional(),
});
const TableUnlock = z.object({ type: z.literal("TABLE_UNLOCK"), requestId, tableId: TableId });
const TableReserve = z.object({ type: z.literal("TABLE_RESERVE"), requestId, tableId: TableId });
const TableUnreserve = z.object({ type: z.literal("TABLE_UNRESERVE"), requestId, tableId: TableId });

const OrderUpsert = z.object({
  type: z.literal("ORDER_UPSERT"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  baseVersion,
  snapshot: TerminalSnapshot,
});
const OrderBatch = z.object({
  type: z.literal("ORDER_BATCH"),
  requestId,
  mutationId,
  queuedAt,
  orders: z
    .array(z.object({ posReference: PosReference, baseVersion, snapshot: TerminalSnapshot }))
    .min(1)
    .max(50)
    .refine((orders) => new Set(orders.map((order) => order.posReference)).size === orders.length, {
      error: "an order is named twice",
    }),
});
const OrderSend = z.object({
  type: z.literal("ORDER_SEND"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  lineIds: z.array(plainText(64).min(1)).min(1).max(1000).optional(),
});
const KitchenSeen = z.object({
  type: z.literal("KITCHEN_SEEN"),
  requestId,
  mutationId,
  queuedAt,
  kitchenTicketId: plainText(128).min(1),
  stationId: plainText(64).min(1),
});
const KitchenBump = z.object({
  type: z.literal("KITCHEN_BUMP"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  lineId: plainText(64).min(1),
  preparedQuantity: Quantity,
  kitchenItemStatus: plainText(32).min(1).optional(),
});
const OrderCheckout = z.object({
  type: z.literal("ORDER_CHECKOUT"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  baseVersion: existingVersion,
});
const OrderReopen = OrderCheckout.extend({ type: z.literal("ORDER_REOPEN") });
const OrderPay = z.object({
  type: z.literal("ORDER_PAY"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  baseVersion: existingVersion,
  payments: z.array(Payment).max(100),
  ncf: plainText(19).min(1).optional(),
  fiscal: z.looseObject({}).optional(),
});
const OrderDiscard = z.object({
  type: z.literal("ORDER_DISCARD"),
  requestId,
  mutationId,
  queuedAt,
  posReference: PosReference,
  baseVersion: existingVersion,
  reason: noteText(500).optional(),
});

/** Orders as this terminal held them before the hub's history forked from `epoch`, as far as the SYNC after it lacks them. */
const OrderOffer = z.object({
  type: z.literal("ORDER_OFFER"),
  requestId,
  epoch: plainText(128),
  orders: z.array(OfferedOrder).max(500),
});

/** Messages that change shared state exactly once, whatever the network does. */
export const OrderMutation = z.discriminatedUnion("type", [
  OrderUpsert,
  OrderBatch,
  OrderSend,
  KitchenSeen,
  KitchenBump,
  OrderCheckout,
  OrderReopen,
  OrderPay,
  OrderDiscard,
]);
export type OrderMutation = z.infer<typeof OrderMutation>;

/** Every message a terminal may send after AUTH. Unknown fields are ignored. */
export const TerminalMessage = z.discriminatedUnion("type", [
  Auth,
  Heartbeat,
  Resync,
  Presence,
  LeaseAcquire,
  LeaseRelease,
  TableLockRequest,
  TableUnlock,
  TableReserve,
  TableUnreserve,
  OrderOffer,
  ...OrderMutation.options,
]);
export type TerminalMessage = z.infer<typeof TerminalMessage>;
export type TerminalMessageType = TerminalMessage["type"];
export type TerminalMessageOf<T extends TerminalMessageType> = Extract<TerminalMessage, { type: T }>;

/** What a terminal may put on the wire: the message before defaults are filled in. */
export type TerminalMessageInput = z.input<typeof TerminalMessage>;

export const terminalMessageTypes: ReadonlySet<string> = new Set(
  TerminalMessage.options.flatMap((option) => [...option.shape.type.values]),
);

// --- from the hub ---

export const LeaseHolder = z.object({
  terminalId: z.string(),
  userName: z.string(),
  role: LeaseRole,
  expiresAt: z.string(),
});
export type LeaseHolder = z.infer<typeof LeaseHolder>;

export const Lease = LeaseHolder.extend({ posReference: PosReference, leaseId: z.string() });
export type Lease = z.infer<typeof Lease>;

const errorCode = z.enum(errorCodes);
const seq = z.int().nonnegative();

export const PosSession = z.object({
  active: z.boolean(),
  id: z.union([z.string(), z.int()]).optional(),
  name: z.string().optional(),
});
export type PosSession = z.infer<typeof PosSession>;

const AuthOk = z.object({
  type: z.literal("AUTH_OK"),
  requestId,
  terminalId: DeviceId,
  user: z.object({
    id: z.union([z.int(), z.string()]),
    name: z.string(),
    role: Role,
    /** Absent from an older hub. */
    permissions: z.array(z.string()).optional(),
  }),
  /** The device's key from now on, to be kept and brought with every AUTH; any former one is dead. */
  deviceKey: z.string().optional(),
  session: PosSession,
  hubId: z.string(),
  epoch: z.string(),
  protocolVersion: z.int(),
  caps: z.array(z.string()),
  minClientVersion: z.string().nullable(),
  heartbeatMs: z.int(),
  leaseTtlMs: z.int(),
  graceMs: z.int(),
  serverTime: z.string(),
  /** Mutations that this session may send a second, and ten times that at once; absent from a hub that does not count. */
  mutationRate: z.int().positive().optional(),
  /** The back-office cannot be reached; this identity comes from the hub's cache. */
  offline: z.boolean(),
  /** The back-office has rotated this terminal's session: use this token from now on. */
  token: z.string().optional(),
});
/** Also ends a session that had been let in. */
const AuthFailed = z.object({
  type: z.literal("AUTH_FAILED"),
  requestId,
  errorCode,
  error: z.string(),
  /** DEVICE_TAKEN: whose key was missing. */
  hubId: z.string().optional(),
  /** CLIENT_TOO_OLD: the version that is needed. */
  minClientVersion: z.string().optional(),
});
/** The back-office has rotated this terminal's session: use this token from now on. */
const TokenChanged = z.object({ type: z.literal("TOKEN_CHANGED"), token: z.string() });
const Sync = z.object({
  type: z.literal("SYNC"),
  requestId,
  mode: z.enum(["full", "delta"]),
  seq,
  hubId: z.string(),
  epoch: z.string(),
  orders: z.array(StoredOrder),
  removedOrders: z.array(PosReference),
  tables: z.array(TableState),
  leases: z.array(Lease),
  pluginRecords: z.array(PluginRecord),
  removedPluginRecords: z.array(z.object({ pluginId: z.string(), key: z.string() })),
  /** Another SYNC page of the same cut follows. */
  more: z.boolean(),
});
const HeartbeatAck = z.object({ type: z.literal("HEARTBEAT_ACK"), requestId, serverTime: z.string() });
const PresenceNews = z.object({
  type: z.literal("PRESENCE"),
  terminalId: z.string(),
  userName: z.string(),
  posReference: PosReference.optional(),
  tableId: TableId.optional(),
});
const ErrorMessage = z.object({
  type: z.literal("ERROR"),
  requestId,
  errorCode,
  error: z.string(),
  retryable: z.boolean(),
});
const LeaseGranted = z.object({
  type: z.literal("LEASE_GRANTED"),
  requestId,
  posReference: PosReference,
  leaseId: z.string(),
  role: LeaseRole,
  expiresAt: z.string(),
  ttlMs: z.int(),
});
const LeaseDenied = z.object({
  type: z.literal("LEASE_DENIED"),
  requestId,
  posReference: PosReference,
  errorCode,
  error: z.string(),
  holder: LeaseHolder.nullable(),
});
const LeaseReleased = z.object({ type: z.literal("LEASE_RELEASED"), requestId, posReference: PosReference });
const LeaseRevoked = z.object({
  type: z.literal("LEASE_REVOKED"),
  posReference: PosReference,
  by: z.object({ terminalId: z.string(), userName: z.string() }),
});
const LeaseChanged = z.object({
  type: z.literal("LEASE_CHANGED"),
  posReference: PosReference,
  holder: LeaseHolder.nullable(),
});

const acked = { posReference: PosReference, version: z.int().positive(), seq };
const OrderAck = z.object({
  type: z.literal("ORDER_ACK"),
  requestId,
  mutationId: z.string(),
  posReference: PosReference.optional(),
  version: z.int().positive().optional(),
  seq: seq.optional(),
  /** The answers of an ORDER_BATCH, in its order. */
  orders: z.array(z.object(acked)).optional(),
  /** The hub had already carried this mutation out; nothing was done again. */
  duplicate: z.literal(true).optional(),
  /** The ticket that an ORDER_SEND brought to the kitchen; absent when it had everything. */
  kitchenTicketId: z.string().optional(),
});
const OrderRejected = z.object({
  type: z.literal("ORDER_REJECTED"),
  requestId,
  mutationId: z.string(),
  posReference: PosReference.optional(),
  errorCode,
  error: z.string(),
  retryable: z.boolean(),
  hubVersion: z.int().optional(),
  snapshot: Snapshot.optional(),
});
const TableLocked = z.object({ type: z.literal("TABLE_LOCKED"), requestId, tableId: TableId, lock: TableLock });
const TableLockDenied = z.object({
  type: z.literal("TABLE_LOCK_DENIED"),
  requestId,
  tableId: TableId,
  lock: TableLock,
});
const TableUnlocked = z.object({ type: z.literal("TABLE_UNLOCKED"), requestId, tableId: TableId });
const TableAck = z.object({ type: z.literal("TABLE_ACK"), requestId, tableId: TableId, status: TableStatus });

/** `taken`: of so many the hub kept what it lacks, for a manager to decide on. */
const OrderOfferAck = z.object({ type: z.literal("ORDER_OFFER_ACK"), requestId, taken: z.int().nonnegative() });

const OrderChanged = z.object({
  type: z.literal("ORDER_CHANGED"),
  seq,
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
  order: StoredOrder,
});
const OrderRemoved = z.object({
  type: z.literal("ORDER_REMOVED"),
  seq,
  posReference: PosReference,
  version: z.int().positive(),
  origin: z.string(),
});
const TableChanged = z.object({ type: z.literal("TABLE_CHANGED"), seq, table: TableState });
const PluginRecordPushed = z.object({ type: z.literal("PLUGIN_RECORD"), seq, record: PluginRecord });
const PluginRemoved = z.object({ type: z.literal("PLUGIN_REMOVED"), seq, pluginId: z.string(), key: z.string() });
const SessionChanged = z.object({ type: z.literal("SESSION_CHANGED"), session: PosSession });
const TerminalJoined = z.object({ type: z.literal("TERMINAL_JOINED"), terminalId: z.string(), userName: z.string() });
const TerminalLeft = z.object({ type: z.literal("TERMINAL_LEFT"), terminalId: z.string(), userName: z.string() });
const HubStatus = z.object({
  type: z.literal("HUB_STATUS"),
  backOffice: z.enum(["up", "down"]),
  pendingForward: z.int(),
  attention: z.int(),
  diskLow: z.boolean(),
});

/** Every message the hub sends. Those with `seq` are the shared state, in order; the others are news and answers. */
export const HubMessage = z.discriminatedUnion("type", [
  AuthOk,
  AuthFailed,
  TokenChanged,
  Sync,
  HeartbeatAck,
  PresenceNews,
  ErrorMessage,
  LeaseGranted,
  LeaseDenied,
  LeaseReleased,
  LeaseRevoked,
  LeaseChanged,
  OrderAck,
  OrderRejected,
  TableLocked,
  TableLockDenied,
  TableUnlocked,
  TableAck,
  OrderOfferAck,
  OrderChanged,
  OrderRemoved,
  TableChanged,
  PluginRecordPushed,
  PluginRemoved,
  SessionChanged,
  TerminalJoined,
  TerminalLeft,
  HubStatus,
]);
export type HubMessage = z.infer<typeof HubMessage>;
export type HubMessageType = HubMessage["type"];
export type HubMessageOf<T extends HubMessageType> = Extract<HubMessage, { type: T }>;
