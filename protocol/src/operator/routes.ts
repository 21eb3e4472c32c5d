import { z } from "zod";
import { CreateKey, UpdateKey } from "../keys.ts";
import { CreateWebhook } from "../webhooks.ts";
import { Catalogue, LiveFloorPlan, TableList } from "./floor.ts";
import {
  BackOfficeStatus,
  ClosingReport,
  ForwardDetail,
  ForwardEventAnswer,
  ForwardPage,
  ForwardQuery,
  PaymentAnswer,
  PaymentPage,
  PaymentQuery,
  Retried,
  RetryAll,
  SetAside,
  SettlePayment,
} from "./forwarding.ts";
import {
  DeadLetters,
  Deleted,
  DeliveryAnswer,
  DeliveryDetail,
  DeliveryPage,
  DeliveryQuery,
  KeyChanged,
  KeyCreated,
  KeyList,
  PauseWebhooks,
  PluginOverview,
  Replayed,
  ReplayDeliveries,
  ReservationDay,
  ReservationQuery,
  UpdateWebhook,
  WebhookAnswer,
  WebhookCreated,
  WebhookList,
  WebhooksPaused,
  WebhookTestResult,
} from "./integrations.ts";
import { KitchenQuery, TicketList } from "./kitchen.ts";
import {
  OrderDetail,
  OrderExport,
  OrderPage,
  OrderQuery,
  OrderVersions,
  OrderWritten,
  RevertOrder,
  Timeline,
  VersionContent,
} from "./orders.ts";
import { Feed, Overview } from "./overview.ts";
import { Me, SignedIn, SignIn } from "./sign-in.ts";
import { StreamQuery } from "./stream.ts";
import {
  AuditPage,
  AuditQuery,
  BackupAnswer,
  BackupList,
  BackupPreview,
  ChangeSettings,
  DataFile,
  DiagnosticsList,
  DrillReport,
  LogQuery,
  LogTail,
  RestoreBackup,
  Restoring,
  SettingList,
  VersionInfo,
} from "./system.ts";
import { LeaseList, Pairing, TerminalList } from "./terminals.ts";

export interface OperatorRoute {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `:name` stands for one URL-encoded segment. */
  path: string;
  /** `public`: without a token counts and states, with a manager's token the whole. */
  who: "public" | "manager";
  /** What it does, in one sentence for the documents. */
  does: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The JSON answer; for `file` the content of the download, for `stream` absent. */
  answer?: z.ZodType;
  /** Status of the good answer; 200 when absent. */
  status?: 201 | 202;
  /** Answered with `Content-Disposition: attachment`. */
  file?: true;
  stream?: true;
  /** A hub may lack it: 404. */
  optional?: true;
}

const text = z.string();

/** The whole operator API. The hub serves it, the UI calls it and the documents describe it from this table. */
export const operatorRoutes = {
  signIn: {
    method: "POST",
    path: "/operator/v1/sign-in",
    who: "public",
    does: "Signs a manager in with a back-office account.",
    body: SignIn,
    answer: SignedIn,
  },
  signOut: {
    method: "POST",
    path: "/operator/v1/sign-out",
    who: "manager",
    does: "Ends the back-office session of this token.",
    answer: z.object({ signedOut: z.literal(true) }),
  },
  me: {
    method: "GET",
    path: "/operator/v1/me",
    who: "manager",
    does: "Tells whose token this is.",
    answer: Me,
  },

  overview: {
    method: "GET",
    path: "/operator/v1/overview",
    who: "public",
    does: "Tells how things are.",
    answer: Overview,
  },
  feed: {
    method: "GET",
    path: "/operator/v1/feed",
    who: "public",
    does: "Tells what happened lately.",
    answer: Feed,
  },
  floorPlan: {
    method: "GET",
    path: "/operator/v1/floor-plan",
    who: "public",
    does: "Gives the floors with every table's place and live state.",
    answer: LiveFloorPlan,
  },
  stream: {
    method: "GET",
    path: "/operator/v1/stream",
    who: "public",
    does: "Tells every change as it happens.",
    query: StreamQuery,
    stream: true,
  },

  tables: {
    method: "GET",
    path: "/operator/v1/tables",
    who: "manager",
    does: "Lists the live states of the tables that the hub has seen.",
    answer: TableList,
  },
  catalogue: {
    method: "GET",
    path: "/operator/v1/catalogue",
    who: "manager",
    does: "Tells what products, payment methods and tables are called.",
    answer: Catalogue,
  },

  terminals: {
    method: "GET",
    path: "/operator/v1/terminals",
    who: "manager",
    does: "Lists every terminal that the hub knows.",
    answer: TerminalList,
  },
  disconnectTerminal: {
    method: "POST",
    path: "/operator/v1/terminals/:terminalId/disconnect",
    who: "manager",
    does: "Ends a terminal's connection; it may come back by itself.",
    answer: z.object({ disconnected: z.literal(true) }),
  },
  forgetTerminal: {
    method: "DELETE",
    path: "/operator/v1/terminals/:terminalId",
    who: "manager",
    does: "Takes a terminal that is away off the list.",
    answer: Deleted,
  },
  leases: {
    method: "GET",
    path: "/operator/v1/leases",
    who: "manager",
    does: "Lists the leases on orders.",
    answer: LeaseList,
  },
  releaseLease: {
    method: "DELETE",
    path: "/operator/v1/leases/:posReference",
    who: "manager",
    does: "Frees an order from its lease; its holder is told.",
    answer: z.object({ released: z.literal(true) }),
  },
  pairing: {
    method: "GET",
    path: "/operator/v1/pairing",
    who: "public",
    does: "Tells how a terminal finds this hub, as discovery announces it.",
    answer: Pairing,
  },

  orders: {
    method: "GET",
    path: "/operator/v1/orders",
    who: "manager",
    does: "Finds orders, newest activity first.",
    query: OrderQuery,
    answer: OrderPage,
  },
  order: {
    method: "GET",
    path: "/operator/v1/orders/:posReference",
    who: "manager",
    does: "Gives one order.",
    answer: OrderDetail,
  },
  orderVersions: {
    method: "GET",
    path: "/operator/v1/orders/:posReference/versions",
    who: "manager",
    does: "Lists the versions of an order with their differences.",
    answer: OrderVersions,
  },
  orderVersion: {
    method: "GET",
    path: "/operator/v1/orders/:posReference/versions/:version",
    who: "manager",
    does: "Gives the content of one version.",
    answer: VersionContent,
  },
  orderTimeline: {
    method: "GET",
    path: "/operator/v1/orders/:posReference/timeline",
    who: "manager",
    does: "Tells everything that happened to an order.",
    answer: Timeline,
  },
  revertOrder: {
    method: "POST",
    path: "/operator/v1/orders/:posReference/revert",
    who: "manager",
    does: "Writes an earlier version's content as a new version.",
    body: RevertOrder,
    answer: OrderWritten,
  },
  exportOrder: {
    method: "GET",
    path: "/operator/v1/orders/:posReference/export",
    who: "manager",
    does: "Downloads an order with its history as one JSON file.",
    answer: OrderExport,
    file: true,
  },

  kitchen: {
    method: "GET",
    path: "/operator/v1/kitchen",
    who: "manager",
    does: "Lists kitchen tickets, oldest first.",
    query: KitchenQuery,
    answer: TicketList,
  },

  backOffice: {
    method: "GET",
    path: "/operator/v1/back-office",
    who: "manager",
    does: "Tells how the hub and the back-office stand.",
    answer: BackOfficeStatus,
  },
  tryBackOffice: {
    method: "POST",
    path: "/operator/v1/back-office/try",
    who: "manager",
    does: "Signs the hub in anew, drains the queue, and tells how it went.",
    answer: BackOfficeStatus,
  },
  forwardEvents: {
    method: "GET",
    path: "/operator/v1/forward",
    who: "manager",
    does: "Lists what is to be forwarded, what needs attention and what is done.",
    query: ForwardQuery,
    answer: ForwardPage,
  },
  forwardEvent: {
    method: "GET",
    path: "/operator/v1/forward/:eventId",
    who: "manager",
    does: "Gives one event with every try.",
    answer: ForwardDetail,
  },
  retryForward: {
    method: "POST",
    path: "/operator/v1/forward/:eventId/retry",
    who: "manager",
    does: "Tries an event again, now, with its refusals forgotten.",
    answer: ForwardEventAnswer,
  },
  setAsideForward: {
    method: "POST",
    path: "/operator/v1/forward/:eventId/set-aside",
    who: "manager",
    does: "Stops trying an event until a manager says otherwise.",
    body: SetAside,
    answer: ForwardEventAnswer,
  },
  retryAllForward: {
    method: "POST",
    path: "/operator/v1/forward/retry",
    who: "manager",
    does: "Tries every event of a state again.",
    body: RetryAll,
    answer: Retried,
  },
  payments: {
    method: "GET",
    path: "/operator/v1/payments",
    who: "manager",
    does: "Lists payments that were taken and could not be applied.",
    query: PaymentQuery,
    answer: PaymentPage,
  },
  settlePayment: {
    method: "POST",
    path: "/operator/v1/payments/:paymentId/settle",
    who: "manager",
    does: "Marks a payment as accounted for, with a note.",
    body: SettlePayment,
    answer: PaymentAnswer,
  },
  closing: {
    method: "GET",
    path: "/operator/v1/closing",
    who: "manager",
    does: "Tells whether the shift may be closed and what stands against it.",
    answer: ClosingReport,
  },

  keys: {
    method: "GET",
    path: "/external-keys",
    who: "manager",
    does: "Lists the API keys.",
    answer: KeyList,
  },
  createKey: {
    method: "POST",
    path: "/external-keys",
    who: "manager",
    does: "Makes an API key; its token is shown this once.",
    body: CreateKey,
    answer: KeyCreated,
    status: 201,
  },
  updateKey: {
    method: "PATCH",
    path: "/external-keys/:keyId",
    who: "manager",
    does: "Enables or disables an API key.",
    body: UpdateKey,
    answer: KeyChanged,
  },
  deleteKey: {
    method: "DELETE",
    path: "/external-keys/:keyId",
    who: "manager",
    does: "Deletes an API key.",
    answer: Deleted,
  },

  webhooks: {
    method: "GET",
    path: "/operator/v1/webhooks",
    who: "manager",
    does: "Lists the webhook subscriptions with their health.",
    answer: WebhookList,
  },
  createWebhook: {
    method: "POST",
    path: "/operator/v1/webhooks",
    who: "manager",
    does: "Makes a subscription; its secret is shown this once.",
    body: CreateWebhook,
    answer: WebhookCreated,
    status: 201,
  },
  pauseWebhooks: {
    method: "POST",
    path: "/operator/v1/webhooks/pause",
    who: "manager",
    does: "Holds all deliveries back, or lets them go again.",
    body: PauseWebhooks,
    answer: WebhooksPaused,
  },
  updateWebhook: {
    method: "PATCH",
    path: "/operator/v1/webhooks/:webhookId",
    who: "manager",
    does: "Enables or disables a subscription.",
    body: UpdateWebhook,
    answer: WebhookAnswer,
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/operator/v1/webhooks/:webhookId",
    who: "manager",
    does: "Deletes a subscription; what is queued for it is parked.",
    answer: Deleted,
  },
  testWebhook: {
    method: "POST",
    path: "/operator/v1/webhooks/:webhookId/test",
    who: "manager",
    does: "Sends one signed ping and tells the answer.",
    answer: WebhookTestResult,
  },
  deliveries: {
    method: "GET",
    path: "/operator/v1/deliveries",
    who: "manager",
    does: "Finds webhook deliveries, newest first.",
    query: DeliveryQuery,
    answer: DeliveryPage,
  },
  deadLetters: {
    method: "GET",
    path: "/operator/v1/deliveries/dead",
    who: "manager",
    does: "Groups the dead-lettered deliveries by what went wrong.",
    answer: DeadLetters,
  },
  replayDeliveries: {
    method: "POST",
    path: "/operator/v1/deliveries/replay",
    who: "manager",
    does: "Queues dead-lettered deliveries again.",
    body: ReplayDeliveries,
    answer: Replayed,
  },
  delivery: {
    method: "GET",
    path: "/operator/v1/deliveries/:deliveryId",
    who: "manager",
    does: "Gives one delivery with its body and every attempt.",
    answer: DeliveryDetail,
  },
  replayDelivery: {
    method: "POST",
    path: "/operator/v1/deliveries/:deliveryId/replay",
    who: "manager",
    does: "Queues one delivery again, whatever its state.",
    answer: DeliveryAnswer,
  },

  plugins: {
    method: "GET",
    path: "/operator/v1/plugins",
    who: "manager",
    does: "Lists the enabled plugins and their live records.",
    answer: PluginOverview,
  },
  deletePluginRecord: {
    method: "DELETE",
    path: "/operator/v1/plugins/:pluginId/:key",
    who: "manager",
    does: "Removes a plugin record; terminals are told.",
    answer: Deleted,
  },
  reservations: {
    method: "GET",
    path: "/operator/v1/reservations",
    who: "manager",
    does: "Lists the bookings of a day and those that terminals drop.",
    query: ReservationQuery,
    answer: ReservationDay,
  },

  version: {
    method: "GET",
    path: "/operator/v1/version",
    who: "manager",
    does: "Tells which hub this is.",
    answer: VersionInfo,
  },
  settings: {
    method: "GET",
    path: "/operator/v1/settings",
    who: "manager",
    does: "Lists the effective settings and where each comes from.",
    answer: SettingList,
  },
  changeSettings: {
    method: "PATCH",
    path: "/operator/v1/settings",
    who: "manager",
    does: "Changes settings that the environment does not set.",
    body: ChangeSettings,
    answer: SettingList,
  },
  backups: {
    method: "GET",
    path: "/operator/v1/backups",
    who: "manager",
    does: "Lists the backups, newest first.",
    answer: BackupList,
  },
  makeBackup: {
    method: "POST",
    path: "/operator/v1/backups",
    who: "manager",
    does: "Makes a backup now and verifies it.",
    answer: BackupAnswer,
    status: 201,
  },
  verifyBackup: {
    method: "POST",
    path: "/operator/v1/backups/:name/verify",
    who: "manager",
    does: "Reads a whole backup and tells whether it is good.",
    answer: BackupAnswer,
  },
  previewBackup: {
    method: "GET",
    path: "/operator/v1/backups/:name",
    who: "manager",
    does: "Tells what restoring this backup would bring back and lose.",
    answer: BackupPreview,
  },
  restoreBackup: {
    method: "POST",
    path: "/operator/v1/backups/:name/restore",
    who: "manager",
    does: "Puts a backup in the place of the data file; the present one is kept aside.",
    body: RestoreBackup,
    answer: Restoring,
    status: 202,
  },
  downloadBackup: {
    method: "GET",
    path: "/operator/v1/backups/:name/download",
    who: "manager",
    does: "Downloads a backup.",
    file: true,
  },
  dataFile: {
    method: "GET",
    path: "/operator/v1/data-file",
    who: "manager",
    does: "Tells how the data file is.",
    answer: DataFile,
  },
  checkDataFile: {
    method: "POST",
    path: "/operator/v1/data-file/check",
    who: "manager",
    does: "Checks the whole data file now.",
    answer: DataFile,
  },
  logs: {
    method: "GET",
    path: "/operator/v1/logs",
    who: "manager",
    does: "Gives the last log lines; the stream carries the next ones.",
    query: LogQuery,
    answer: LogTail,
  },
  exportLogs: {
    method: "GET",
    path: "/operator/v1/logs/export",
    who: "manager",
    does: "Downloads the kept log lines, one JSON object a line.",
    answer: text,
    file: true,
  },
  diagnostics: {
    method: "GET",
    path: "/operator/v1/diagnostics",
    who: "manager",
    does: "Lists what the diagnostics bundle would hold.",
    answer: DiagnosticsList,
  },
  downloadDiagnostics: {
    method: "GET",
    path: "/operator/v1/diagnostics/bundle",
    who: "manager",
    does: "Downloads the diagnostics bundle, without secrets and personal data.",
    file: true,
  },
  audit: {
    method: "GET",
    path: "/operator/v1/audit",
    who: "manager",
    does: "Lists what operators did, newest first.",
    query: AuditQuery,
    answer: AuditPage,
  },
  drill: {
    method: "POST",
    path: "/operator/v1/drill",
    who: "manager",
    does: "Cuts the back-office off in a practice copy and counts what is lost: nothing.",
    answer: DrillReport,
    optional: true,
  },
} as const satisfies Record<string, OperatorRoute>;

export type OperatorRouteName = keyof typeof operatorRoutes;
