import { z } from "zod";
import { route } from "../http/http-route.ts";
import { Backlog, Instant } from "./common.ts";
import { NcfSequenceStatus } from "../money/ncf-sequences.ts";
import { Sentence } from "./sentences.ts";
import { DataFileDoubtKind } from "./system.ts";

/**
 * The connection to the back-office. `unreachable`: network or server problem. `refused`: the account is wrong or lacks
 * permission. `signed_out`: the session has expired and is being renewed. `not_configured`: the hub has no account.
 */
export const BackOfficeLink = z.enum(["reachable", "unreachable", "refused", "signed_out", "not_configured"]);
export type BackOfficeLink = z.infer<typeof BackOfficeLink>;

/** `no_network`: this computer has no way out. `no_answer`: the server, or a device on the way to it, does not answer. */
export const OutageCause = z.enum(["no_network", "no_answer"]);

/** The last period, now over, in which the back-office could not be reached. */
export const Outage = z.object({
  from: Instant,
  until: Instant,
  /** Paid orders that were waiting at its end, and how many still are. */
  saved: z.int(),
  left: z.int(),
  /** When the last of them was forwarded; null until then. */
  arrivedAt: Instant.nullable(),
});
export type Outage = z.infer<typeof Outage>;

/** `backup`: the daily backup fails. `webhooks`: a receiver does not answer and is paused. */
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

/** The part of the overview that only managers see: names and amounts. */
export const OverviewDetail = z.object({
  sessionName: z.string().nullable(),
  currency: z.string(),
  /** Sum of all open checks. */
  openTotal: z.number(),
  /** The part of it that tenders have paid. */
  openPaid: z.number(),
  /** Sum of the checks paid in this POS session, and the part of it that is not in the back-office yet. */
  paidTotal: z.number(),
  notYetInAccounting: z.number(),
});

/** The orders that wait to be forwarded. */
export const ForwardBacklog = Backlog.extend({
  /** Estimated time to empty the queue at the current rate, in ms; null if unknown. */
  estimateMs: z.number().nullable(),
  /** The part of the queue that waits for a fiscal number, or for a manager's decision. */
  waitingForNumber: z.int().default(0),
  attention: z.int(),
  total: z.int(),
});

/** GET /operator/v1/overview: counts and states. `detail` is only for managers. */
export const Overview = z.object({
  at: Instant,
  hub: z.object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    startedAt: Instant,
    /** The restaurant's time zone, such as `America/Santo_Domingo`. The screens show times in it. */
    timeZone: z.string().optional(),
  }),
  status: z.enum(["ok", "degraded"]),
  reasons: z.array(OverviewReason),
  /** Null if the back-office has never said. */
  sessionOpen: z.boolean().nullable(),
  backOffice: z.object({
    state: BackOfficeLink,
    since: Instant,
    lastSyncAt: Instant.nullable(),
    /** Why it is unreachable, if that can be determined. */
    cause: OutageCause.nullable().default(null),
    lastOutage: Outage.nullable().default(null),
    /** Whether this hub has ever reached it, including earlier runs. */
    everReached: z.boolean().default(true),
    /** Its configured address. Readers who are not managers get it only if it is the loopback address. */
    address: z.string().nullable().default(null),
  }),
  terminals: z.object({
    connected: z.int(),
    /** Known terminals that are not connected. */
    away: z.int(),
    /** Unsent work as terminals last reported it, including terminals that are offline. */
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
    /** When the oldest unseen ticket was sent. */
    unseenAt: Instant.nullable(),
  }),
  forward: ForwardBacklog.extend({
    /** Set aside by a manager until later, and when the first of them needs a decision again. */
    setAside: z.int().default(0),
    setAsideUntil: Instant.nullable().default(null),
  }),
  unappliedPayments: z.int(),
  /** Changes with a revoked token that no manager has decided on. */
  keptChanges: z.int().default(0),
  /** Jobs that were not printed, or may not have been, and need a decision. */
  openPrints: z.int().default(0),
  /** Proposals of headquarters that need a manager's decision. */
  proposals: z.int().default(0),
  /** Losses of a restore that no manager has decided on. */
  losses: z.int().default(0),
  /**
   * Paid orders that wait for their fiscal number, and those whose number was refused. `sequences` is null if the back-office
   * reports none. `receipts` counts electronic receipts that need a manager.
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
  /** Null until the first API key exists. */
  webhooks: Backlog.extend({
    deadLettered: z.int(),
    paused: z.boolean(),
    /** Receivers that do not answer; the hub retries them with growing pauses. */
    receiversPaused: z.int().default(0),
  }).nullable(),
  disk: z.object({ low: z.boolean(), freeBytes: z.number().nullable() }),
  dataFile: z.object({ ok: z.boolean(), doubts: z.array(DataFileDoubtKind) }),
  /** When the newest backup that passed verification was made. */
  lastBackupAt: Instant.nullable(),
  /** `verifying`: a backup is being made or verified. `second`: the second folder's copies, and since when they fail. */
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

/** A recent event. `detail` (persons, references, amounts) is only for managers. The screens choose the words. */
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
      /** The name of the subject, or a person's own words. */
      text: z.string().optional(),
      /** The cause, or the action taken. */
      said: Sentence.optional(),
      /** The names of the changed settings. */
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
    summary: "Returns the state of the hub: counts only or, with a manager's token, details.",
    answer: Overview,
  }),
  feed: route("GET", "/operator/v1/feed", "public", {
    summary: "Lists recent events, newest first.",
    answer: Feed,
  }),
};
