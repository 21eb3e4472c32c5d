import { z } from "zod";
import { route } from "../http/http-route.ts";
import { Backlog, Instant } from "./common.ts";
import { NcfSequenceStatus } from "../money/ncf-sequences.ts";
import { Said } from "./sentences.ts";
import { DataFileDoubtKind } from "./system.ts";

/**
 * The state of the connection to the back-office: `unreachable` is the line or the server, `refused` is a wrong account or one that may
 * not, `signed_out` is a session that died and is being renewed, `not_configured` means that the hub has no account.
 */
export const BackOfficeLink = z.enum(["reachable", "unreachable", "refused", "signed_out", "not_configured"]);
export type BackOfficeLink = z.infer<typeof BackOfficeLink>;

/** `no_network`: this computer finds no way out. `no_answer`: the server, or something on the way to it, does not answer. */
export const OutageCause = z.enum(["no_network", "no_answer"]);

/** The last time that the back-office could not be reached, once it is over. */
export const Outage = z.object({
  from: Instant,
  until: Instant,
  /** Paid orders that waited at its end, and how many of them still do. */
  saved: z.int(),
  left: z.int(),
  /** When the last of them had arrived; null until then. */
  arrivedAt: Instant.nullable(),
});
export type Outage = z.infer<typeof Outage>;

/** `backup`: the daily backup cannot be made. `webhooks`: a receiver does not answer and is paused. */
export const OverviewReason = z.enum([
  "back_office_unreachable",
  "no_credentials",
  "credentials_refused",
  "attention",
  "disk_low",
  "backup",
  "data_file",
  "dev_auth",
  "fiscal_numbers",
  "hub_mode_off",
  "webhooks",
]);

/** What only a manager sees of the overview: names and amounts. */
export const OverviewDetail = z.object({
  sessionName: z.string().nullable(),
  currency: z.string(),
  /** Sum of all open checks. */
  openTotal: z.number(),
  /** What tenders have paid of them. */
  openPaid: z.number(),
  /** Sum of the checks paid in this POS session, and what of it the back-office does not have yet. */
  paidTotal: z.number(),
  notYetInAccounting: z.number(),
});

/** GET /operator/v1/overview: how things are, in counts and states. `detail` only for a manager. */
export const Overview = z.object({
  at: Instant,
  hub: z.object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    startedAt: Instant,
    /** Of the restaurant, such as `America/Santo_Domingo`: the screens show its times. */
    timeZone: z.string().optional(),
  }),
  status: z.enum(["ok", "degraded"]),
  reasons: z.array(OverviewReason),
  /** Null while the back-office has never told. */
  sessionOpen: z.boolean().nullable(),
  backOffice: z.object({
    state: BackOfficeLink,
    since: Instant,
    lastSyncAt: Instant.nullable(),
    /** Why it is unreachable, as far as that shows. */
    cause: OutageCause.nullable().default(null),
    lastOutage: Outage.nullable().default(null),
    /** Whether this hub has ever reached it, in earlier runs too. */
    everReached: z.boolean().default(true),
    /** Its configured address: for a manager; for anyone else only where it is this computer's loopback, which tells nothing. */
    address: z.string().nullable().default(null),
  }),
  terminals: z.object({
    connected: z.int(),
    /** Known terminals that are away. */
    away: z.int(),
    /** Unsent work that terminals have reported, those that went dark included. */
    unsent: Backlog.extend({ terminals: z.int(), payments: z.int() }),
  }),
  orders: z.object({ active: z.int(), open: z.int(), sent: z.int(), changed: z.int(), checkout: z.int() }),
  tables: z.object({ total: z.int(), available: z.int(), occupied: z.int(), reserved: z.int() }),
  leases: z.int(),
  kitchen: z.object({
    open: z.int(),
    unseen: z.int(),
    late: z.int(),
    oldestAt: Instant.nullable(),
    /** When the first of the unseen ones was sent. */
    unseenAt: Instant.nullable(),
  }),
  forward: Backlog.extend({
    /** How long emptying the queue will take at the present rate, in ms; null when it cannot be estimated. */
    estimateMs: z.number().nullable(),
    /** Of the queue, those that leave it only when they have their fiscal number, or a manager has decided. */
    waitingForNumber: z.int().default(0),
    attention: z.int(),
    /** Set aside by a manager until later, and when the first of them needs a decision again. */
    setAside: z.int().default(0),
    setAsideUntil: Instant.nullable().default(null),
    total: z.int(),
  }),
  unappliedPayments: z.int(),
  /** Changes under a revoked token that no manager has decided on. */
  keptChanges: z.int().default(0),
  /** What did not come out of a printer, or may not have, and nobody has decided on. */
  openPrints: z.int().default(0),
  /** What headquarters propose and a manager is to decide. */
  proposals: z.int().default(0),
  /** What a restore lost and no manager has decided on. */
  losses: z.int().default(0),
  /**
   * Fiscal numbers that paid orders wait for, and those that were refused; null sequences where the back-office tells none.
   * `receipts` are electronic ones that a manager has to look at.
   */
  fiscal: z
    .object({
      pending: z.int(),
      failed: z.int(),
      sequences: z.array(NcfSequenceStatus).nullable(),
      receipts: z.int().default(0),
      isContingency: z.boolean().default(false),
    })
    .default({ pending: 0, failed: 0, sequences: null, receipts: 0, isContingency: false }),
  /** Null until a first API key exists. */
  webhooks: Backlog.extend({
    deadLettered: z.int(),
    paused: z.boolean(),
    /** Receivers that do not answer: they are tried again after growing pauses. */
    receiversPaused: z.int().default(0),
  }).nullable(),
  disk: z.object({ low: z.boolean(), freeBytes: z.number().nullable() }),
  dataFile: z.object({ ok: z.boolean(), doubts: z.array(DataFileDoubtKind) }),
  /** When the newest backup was made that was verified and is good. */
  lastBackupAt: Instant.nullable(),
  /** `verifying`: a backup is being made or verified. `second`: whether the second folder has its copies, or since when it cannot. */
  backups: z
    .object({
      verifying: z.boolean(),
      second: z.object({ state: z.enum(["off", "pending", "ok", "failing"]), since: Instant.nullable() }),
    })
    .default({ verifying: false, second: { state: "off", since: null } }),
  detail: OverviewDetail.optional(),
});
export type Overview = z.infer<typeof Overview>;

export const FeedLevel = z.enum(["info", "warn", "bad"]);

export const FeedKind = z.enum([
  "hub_started",
  "terminal_joined",
  "terminal_left",
  "terminal_replaced",
  "terminal_forgotten",
  "terminal_renamed",
  "print_failed",
  "print_unknown",
  "pin_locked",
  "password_only",
  "pins_refused",
  "lease_taken_over",
  "lease_released",
  "order_opened",
  "order_sent",
  "order_changed_after_sending",
  "order_checkout",
  "order_paid",
  "order_closed",
  "order_discarded",
  "order_merged",
  "order_reverted",
  "send_late",
  "price_below_menu",
  "payment_unapplied",
  "payment_settled",
  "actor_revoked",
  "change_applied",
  "change_dismissed",
  "session_opened",
  "session_closed",
  "back_office_down",
  "back_office_not_reached",
  "back_office_up",
  "back_office_refused",
  "forward_attention",
  "forward_set_aside",
  "forward_returned",
  "fiscal_failed",
  "fiscal_not_released",
  "fiscal_receipt",
  "credit_note_made",
  "webhook_dead_lettered",
  "webhook_disabled",
  "webhook_paused",
  "key_created",
  "key_changed",
  "backup_made",
  "backup_failed",
  "restore_failed",
  "data_file_doubt",
  "disk_low",
  "clock_differs",
  "settings_changed",
  "proposal_received",
  "proposal_applied",
]);

/** One line of what happened lately; `detail` (persons, references, amounts) only for a manager. The words are the UI's. */
export const FeedEntry = z.object({
  id: z.int(),
  at: Instant,
  kind: FeedKind,
  level: FeedLevel,
  tableId: z.int().optional(),
  detail: z
    .object({
      posReference: z.string().optional(),
      userName: z.string().optional(),
      terminalId: z.string().optional(),
      amount: z.number().optional(),
      /** The name of the thing, or a person's words. */
      text: z.string().optional(),
      /** Why it happened, or what was done. */
      said: Said.optional(),
      /** The settings that were changed. */
      settings: z.array(z.string()).optional(),
    })
    .optional(),
});
export type FeedEntry = z.infer<typeof FeedEntry>;

/** GET /operator/v1/feed: newest first, at most 100. */
export const Feed = z.object({ entries: z.array(FeedEntry) });
export type Feed = z.infer<typeof Feed>;

export const overviewRoutes = {
  overview: route("GET", "/operator/v1/overview", "public", {
    summary: "Returns the state of the hub in counts; with a manager's token, in detail.",
    answer: Overview,
  }),
  feed: route("GET", "/operator/v1/feed", "public", {
    summary: "Lists recent events, newest first.",
    answer: Feed,
  }),
};
