import { z } from "zod";
import { DeviceId, IsoTime, Money, plainText, PosReference, Role, SessionToken, TableId } from "../basics/fields.ts";
import { ItemState, KitchenTicket } from "../orders/kitchen.ts";
import { NcfSequenceStatus } from "../money/ncf-sequences.ts";
import { OrderRemoval, StoredOrder } from "../orders/orders.ts";
import { PluginRecord } from "../orders/plugins.ts";
import { PrintJobNews } from "../orders/printing.ts";
import { TableState } from "../floor/tables.ts";
import { TillState } from "../money/tills.ts";
import { errorCode, place, requestId, seq, signature, signedBy } from "./envelope.ts";
import { Lease } from "./lease-messages.ts";

/** A place in the hub's history, with the signature that came with it. */
export const Since = z.object({ hubId: plainText(128), epoch: plainText(128), seq, signature });
export type Since = z.infer<typeof Since>;

/** What a terminal has not yet been able to send. */
export const OutboxReport = z.object({
  pending: z.int().nonnegative(),
  oldestAt: IsoTime.nullish(),
  /** Payments among them, and the sum of what they settle. */
  payments: z.int().nonnegative().optional(),
  amount: Money.optional(),
});
export type OutboxReport = z.infer<typeof OutboxReport>;

export const PosSession = z.object({
  active: z.boolean(),
  id: z.union([z.string(), z.int()]).optional(),
  name: z.string().optional(),
});
export type PosSession = z.infer<typeof PosSession>;

export const Auth = z.object({
  type: z.literal("AUTH"),
  requestId,
  /** Empty only for a hub with HUB_DEV_AUTH. */
  token: z.union([SessionToken, z.literal("")]),
  deviceId: DeviceId,
  /** The key from this hub's AUTH_OK. */
  deviceKey: z.string().max(128).optional(),
  /** This device had another name when it was given the key: with it goes on what the hub knows of it. */
  renamed: z.literal(true).optional(),
  protocolVersion: z.int().default(1),
  clientVersion: plainText(64).optional(),
  clientTime: IsoTime.optional(),
  caps: z.array(plainText(64)).max(32).optional(),
  since: Since.optional(),
  outbox: OutboxReport.optional(),
});
export type Auth = z.infer<typeof Auth>;

export const AuthOk = z.object({
  type: z.literal("AUTH_OK"),
  requestId,
  terminalId: DeviceId,
  user: z.object({
    id: z.union([z.int(), z.string()]),
    name: z.string(),
    role: Role,
    permissions: z.array(z.string()).optional(),
  }),
  /** The device's key from now on, to be stored and sent with every AUTH; former keys are invalid. */
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
  /** Mutations that this session may send a second, and ten times that at once; absent from a hub without a limit. */
  mutationRate: z.int().positive().optional(),
  /** How long what was sent and not seen can be taken back. */
  takeBackMs: z.int().nonnegative().optional(),
  /** The back-office is unreachable; this identity comes from the hub's cache. */
  offline: z.boolean(),
  /** The back-office has rotated this terminal's session: use this token from now on. */
  token: z.string().optional(),
  /** This user's `actor` for mutations, for 12 h: they stay this user's when somebody else signs in here. */
  actorToken: z.string().optional(),
  /** Changes with the menu of GET /terminal/v1/menu. */
  menuVersion: z.string().nullish(),
});

/** Also ends a session that was accepted. */
export const AuthFailed = z.object({
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
export const TokenChanged = z.object({ type: z.literal("TOKEN_CHANGED"), token: z.string() });

export const Resync = z.object({ type: z.literal("RESYNC"), requestId, since: Since.optional() });

export const Sync = z.object({
  type: z.literal("SYNC"),
  requestId,
  mode: z.enum(["full", "delta"]),
  ...place,
  hubId: z.string(),
  epoch: z.string(),
  orders: z.array(StoredOrder),
  removedOrders: z.array(PosReference),
  /** What is known of each of `removedOrders`. */
  removals: z.array(OrderRemoval).optional(),
  tables: z.array(TableState),
  leases: z.array(Lease),
  /** Full: those that are not over; delta: those that changed. */
  tickets: z.array(KitchenTicket).optional(),
  /** Full: those that were over last, of the last day, oldest change first: what may stand at the pass, and be recalled. */
  recentTickets: z.array(KitchenTicket).optional(),
  itemStates: z.array(ItemState).optional(),
  /** Print jobs of this terminal that failed, or may have. */
  printJobs: z.array(PrintJobNews).optional(),
  /** Full: all that are not deleted; delta: those that changed. */
  tills: z.array(TillState).optional(),
  pluginRecords: z.array(PluginRecord),
  removedPluginRecords: z.array(z.object({ pluginId: z.string(), key: z.string() })),
  /** Another SYNC page of the same cut follows. */
  more: z.boolean(),
});

export const Heartbeat = z.object({
  type: z.literal("HEARTBEAT"),
  requestId,
  outbox: OutboxReport.optional(),
  clientTime: IsoTime.optional(),
});

export const HeartbeatAck = z.object({ type: z.literal("HEARTBEAT_ACK"), requestId, serverTime: z.string() });

export const Presence = z.object({
  type: z.literal("PRESENCE"),
  requestId,
  actor: signedBy.actor,
  posReference: PosReference.optional(),
  tableId: TableId.optional(),
});

export const PresenceChanged = z.object({
  type: z.literal("PRESENCE"),
  terminalId: z.string(),
  userName: z.string(),
  posReference: PosReference.optional(),
  tableId: TableId.optional(),
});

export const ErrorMessage = z.object({
  type: z.literal("ERROR"),
  requestId,
  errorCode,
  error: z.string(),
  retryable: z.boolean(),
});

export const SessionChanged = z.object({ type: z.literal("SESSION_CHANGED"), session: PosSession });
/** To the terminal that caused a print job: it failed, may have been printed, was printed, or cannot be printed now. */
export const PrintChanged = z.object({ type: z.literal("PRINT_CHANGED"), job: PrintJobNews });
export const MenuChanged = z.object({ type: z.literal("MENU_CHANGED"), menuVersion: z.string() });
export const TerminalJoined = z.object({
  type: z.literal("TERMINAL_JOINED"),
  terminalId: z.string(),
  userName: z.string(),
});
export const TerminalLeft = TerminalJoined.extend({ type: z.literal("TERMINAL_LEFT") });

export const HubStatus = z.object({
  type: z.literal("HUB_STATUS"),
  backOffice: z.enum(["up", "down"]),
  pendingForward: z.int(),
  attention: z.int(),
  diskLow: z.boolean(),
  /** Types of fiscal numbers that run out or expire, one entry each; absent while there is none. */
  fiscalNumbers: z.array(NcfSequenceStatus).optional(),
});

export const PluginRecordPushed = z.object({ type: z.literal("PLUGIN_RECORD"), ...place, record: PluginRecord });
export const PluginRemoved = z.object({
  type: z.literal("PLUGIN_REMOVED"),
  ...place,
  pluginId: z.string(),
  key: z.string(),
});
