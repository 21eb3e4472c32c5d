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

/** A position in the hub's history, with the signature that came with it. */
export const Since = z.object({ hubId: plainText(128), epoch: plainText(128), seq, signature });
export type Since = z.infer<typeof Since>;

/** A terminal's unsent work. */
export const OutboxReport = z.object({
  pending: z.int().nonnegative(),
  oldestAt: IsoTime.nullish(),
  /** The payments among it, and the sum that they settle. */
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
  /** Empty only with a hub in HUB_DEV_AUTH. */
  token: z.union([SessionToken, z.literal("")]),
  deviceId: DeviceId,
  /** The key from this hub's AUTH_OK. */
  deviceKey: z.string().max(128).optional(),
  /** The device has been renamed since it got its key. The hub's data about it moves to the new name. */
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
  /** The device's new key, to be stored and sent with every AUTH. Earlier keys are invalid. */
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
  /** Mutations that this session may send per second; the burst is ten times that. Absent if the hub has no limit. */
  mutationRate: z.int().positive().optional(),
  /** How long a sent line that no station has seen can be taken back. */
  takeBackMs: z.int().nonnegative().optional(),
  /** The back-office is unreachable; the identity is from the hub's cache. */
  offline: z.boolean(),
  /** The back-office has rotated this terminal's session. Use this token from now on. */
  token: z.string().optional(),
  /** This user's `actor` for mutations, valid for 12 h. Mutations stay this user's even if another user signs in here. */
  actorToken: z.string().optional(),
  /** Changes whenever GET /terminal/v1/menu changes. */
  menuVersion: z.string().nullish(),
});

/** Also sent to end a session that was accepted before. */
export const AuthFailed = z.object({
  type: z.literal("AUTH_FAILED"),
  requestId,
  errorCode,
  error: z.string(),
  /** DEVICE_TAKEN: the hub that requires the missing key. */
  hubId: z.string().optional(),
  /** CLIENT_TOO_OLD: the required version. */
  minClientVersion: z.string().optional(),
});

/** The back-office has rotated this terminal's session. Use this token from now on. */
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
  /** Details of each of `removedOrders`, as far as known. */
  removals: z.array(OrderRemoval).optional(),
  tables: z.array(TableState),
  leases: z.array(Lease),
  /** Full: tickets that are not over. Delta: changed tickets. */
  tickets: z.array(KitchenTicket).optional(),
  /** Full: the tickets finished last within a day, oldest change first. They may be at the pass, or be recalled. */
  recentTickets: z.array(KitchenTicket).optional(),
  itemStates: z.array(ItemState).optional(),
  /** Print jobs of this terminal that failed, or may have failed. */
  printJobs: z.array(PrintJobNews).optional(),
  /** Full: all tills that are not deleted. Delta: changed tills. */
  tills: z.array(TillState).optional(),
  pluginRecords: z.array(PluginRecord),
  removedPluginRecords: z.array(z.object({ pluginId: z.string(), key: z.string() })),
  /** Another SYNC page of the same state follows. */
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
/** Sent to the terminal that caused a print job: it was printed, failed, may have been printed, or cannot be printed now. */
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
  /** Types of fiscal numbers that are running out or expiring, one entry each; absent if there are none. */
  fiscalNumbers: z.array(NcfSequenceStatus).optional(),
});

export const PluginRecordPushed = z.object({ type: z.literal("PLUGIN_RECORD"), ...place, record: PluginRecord });
export const PluginRemoved = z.object({
  type: z.literal("PLUGIN_REMOVED"),
  ...place,
  pluginId: z.string(),
  key: z.string(),
});
