import type { OrderVersion, TimelineEntry } from "@comanda/protocol";
import { isAccepted } from "../../components/webhook-event-label.ts";

type EntryOf<K extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: K }>;
export type TicketSent = EntryOf<"ticket_sent">;
export type ForwardAttempt = EntryOf<"forward">;
export type WebhookAttempt = EntryOf<"webhook">;

/** The steps of an order: opened, sent to the kitchen, seen and made there, paid, in accounting. */
export const stepNames = ["opened", "kitchen", "seen", "paid", "accounting"] as const;
export type StepName = (typeof stepNames)[number];

/** An entry that is an item of its own. */
export type ShownEntry = Exclude<TimelineEntry, { kind: "webhook" | "ticket_sent" }>;

/** One event as a manager sees it. Several entries about the same event form one item. */
export type StoryItem = { key: string; at: string; step: StepName } & (
  | { kind: "entry"; entry: ShownEntry }
  /** The tickets of one send. */
  | { kind: "sent"; version: OrderVersion | null; tickets: readonly TicketSent[] }
  /** Consecutive failed attempts, the latest last. */
  | { kind: "not_forwarded"; attempts: readonly ForwardAttempt[] }
  | { kind: "forwarded"; version: OrderVersion; attempt: ForwardAttempt }
);

export interface Story {
  /** Oldest first, like the entries. */
  items: StoryItem[];
  webhooks: WebhookAttempt[];
}

/** Builds the story of an order from its timeline entries, oldest first. */
export function buildStory(entries: readonly TimelineEntry[]): Story {
  const moments = Map.groupBy(entries, ({ at }) => at);
  const items: StoryItem[] = [];
  const failed: ForwardAttempt[] = [];
  for (const entry of entries) {
    if (entry.kind === "webhook") continue;
    const simultaneous = moments.get(entry.at) ?? [];
    if (entry.kind === "forward" && (entry.outcome === "failed" || entry.outcome === "unreachable")) {
      failed.push(entry);
      continue;
    }
    const isCovered = isCoveredBy(entry, simultaneous);
    // A decision or a success starts a new series of attempts.
    if (stepOf(entry) === "accounting") endAttempts();
    if (!isCovered) items.push(itemOf(entry, simultaneous));
  }
  endAttempts();
  items.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { items, webhooks: entries.filter((entry) => entry.kind === "webhook") };

  function endAttempts() {
    const attempts = failed.splice(0);
    const last = attempts.at(-1);
    if (last === undefined) return;
    items.push({ kind: "not_forwarded", key: `not_forwarded ${last.at}`, at: last.at, step: "accounting", attempts });
  }
}

/** Whether another entry of the same write says more, so that this one is left out. */
function isCoveredBy(entry: TimelineEntry, simultaneous: readonly TimelineEntry[]): boolean {
  const hasVersion = (kind: OrderVersion["kind"]) =>
    simultaneous.some((each) => each.kind === "version" && each.version.kind === kind);
  switch (entry.kind) {
    case "version": {
      const { kind, approvedBy } = entry.version;
      if (approvedBy !== undefined) return false;
      if (kind === "seen") return simultaneous.some((each) => each.kind === "ticket_seen");
      if (kind === "tendered") return simultaneous.some((each) => each.kind === "payment");
      if (kind === "refunded") return simultaneous.some((each) => each.kind === "credit_note");
      return kind === "tender_voided" && simultaneous.some((each) => each.kind === "tender_voided");
    }
    case "ticket_sent":
      // If the send is no version, its first ticket represents all of them.
      return hasVersion("sent") || simultaneous.find((each) => each.kind === "ticket_sent") !== entry;
    case "forward":
      if (entry.outcome === "set_aside") {
        return simultaneous.some((each) => each.kind === "operator" && each.action === "forward.set_aside");
      }
      return hasVersion("closed");
    case "operator":
      return entry.action === "order.revert" && hasVersion("reverted");
    case "ticket_seen":
    case "ticket_ready":
    case "payment":
    case "tender_voided":
    case "payment_unapplied":
    case "credit_note":
    case "webhook":
      return false;
  }
}

function itemOf(entry: ShownEntry | TicketSent, simultaneous: readonly TimelineEntry[]): StoryItem {
  const common = { key: keyOf(entry), at: entry.at, step: stepOf(entry) };
  const tickets = simultaneous
    .filter((each) => each.kind === "ticket_sent")
    .toSorted((a, b) => (a.stationName ?? "").localeCompare(b.stationName ?? ""));
  if (entry.kind === "ticket_sent") return { ...common, kind: "sent", version: null, tickets };
  if (entry.kind === "version") {
    const { version } = entry;
    if (version.kind === "sent" && tickets.length > 0) return { ...common, kind: "sent", version, tickets };
    const attempt = version.kind === "closed" ? simultaneous.find((each) => each.kind === "forward") : undefined;
    if (attempt !== undefined) return { ...common, kind: "forwarded", version, attempt };
  }
  return { ...common, kind: "entry", entry };
}

/** Entries have no id, and recorded entries do not change. */
function keyOf(entry: TimelineEntry): string {
  return entry.kind === "version" ? `version ${entry.version.version} ${entry.version.kind}` : JSON.stringify(entry);
}

const stepOfVersion: Record<OrderVersion["kind"], StepName> = {
  created: "opened",
  edited: "opened",
  discarded: "opened",
  reverted: "opened",
  sent: "kitchen",
  seen: "seen",
  bumped: "seen",
  served: "seen",
  checkout: "paid",
  reopened: "paid",
  tendered: "paid",
  tender_voided: "paid",
  paid: "paid",
  numbered: "accounting",
  signed: "accounting",
  refunded: "paid",
  closed: "accounting",
};

function stepOf(entry: TimelineEntry): StepName {
  switch (entry.kind) {
    case "version":
      return stepOfVersion[entry.version.kind];
    case "ticket_sent":
      return "kitchen";
    case "ticket_seen":
    case "ticket_ready":
      return "seen";
    case "payment":
    case "tender_voided":
    case "payment_unapplied":
      return "paid";
    case "forward":
    case "credit_note":
    case "webhook":
      return "accounting";
    case "operator":
      if (/^(forward|fiscal)\./.test(entry.action)) return "accounting";
      return entry.action.startsWith("payment.") ? "paid" : "opened";
  }
}

/** Counts the notified systems. `failed` are those whose latest attempt for some delivery failed. */
export function countSystems(attempts: readonly WebhookAttempt[]): { systems: number; failed: number } {
  const latest = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]));
  const failed = [...latest.values()].filter(({ status }) => !isAccepted(status)).map(({ url }) => url);
  return { systems: new Set(attempts.map(({ url }) => url)).size, failed: new Set(failed).size };
}
