import type { FeedEntry, StoredOrder, VersionKind } from "@comanda/protocol";
import type { Change, ChangeOf, Notice } from "../../changes/change.ts";
import { isoTime, type World } from "../../platform/world.ts";

type FeedItem = NonNullable<Notice["feed"]>;

const MAX_ENTRIES = 100;

export type Feed = ReturnType<typeof createFeed>;

/** Recent events, in memory only. The data file and the audit log store what has to last. */
export function createFeed(world: World) {
  const entries: FeedEntry[] = [];
  let lastId = 0;

  return {
    add(item: FeedItem): void {
      lastId += 1;
      entries.push({ id: lastId, at: isoTime(world.clock.now()), ...item });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    /** Newest first; details only for a manager. */
    list: (isManager: boolean): FeedEntry[] =>
      entries.toReversed().map((entry) => (isManager ? entry : withoutDetail(entry))),
  };
}

function withoutDetail(entry: FeedEntry): FeedEntry {
  const { detail: _, ...rest } = entry;
  return rest;
}

/** Returns the feed entries of a change, in order. */
export function feedEntriesOf(change: Change): FeedItem[] {
  switch (change.kind) {
    case "order.stored":
      return orderEntries(change);
    case "order.removed":
      return [
        change.mergedInto === undefined
          ? { kind: "order_discarded", level: "warn", ...about(change.last, change.origin) }
          : { kind: "order_merged", level: "info", ...about(change.last, change.origin) },
      ];
    case "lease.revoked": {
      const { posReference, by } = change;
      const kind = by.terminalId === "hub" ? "lease_released" : "lease_taken_over";
      return [{ kind, level: "info", detail: { posReference, userName: by.userName, terminalId: change.from } }];
    }
    case "session.changed": {
      const { active, name } = change.session;
      const kind = active ? "session_opened" : "session_closed";
      return [{ kind, level: "info", ...(name !== undefined && { detail: { text: name } }) }];
    }
    case "print.changed": {
      const { state, printer, posReference, settled } = change.job;
      if (!change.notifies || settled === true || (state !== "unknown" && state !== "failed")) return [];
      const detail = { text: printer, ...(posReference !== undefined && { posReference }) };
      return [{ kind: state === "failed" ? "print_failed" : "print_unknown", level: "bad", detail }];
    }
    case "notice":
      return change.notice.feed === undefined ? [] : [change.notice.feed];
    case "change.decided":
    case "table.changed":
    case "plugin.stored":
    case "plugin.removed":
    case "lease.changed":
    case "ticket.changed":
    case "item.changed":
    case "till.changed":
    case "menu.changed":
      return [];
  }
}

/** The feed entry of a version, or null if it gets none. */
const kindOfVersion: Readonly<Record<VersionKind, FeedItem["kind"] | null>> = {
  created: "order_opened",
  edited: null,
  sent: "order_sent",
  seen: null,
  bumped: null,
  served: null,
  tendered: null,
  tender_voided: null,
  numbered: null,
  signed: null,
  refunded: null,
  checkout: "order_checkout",
  reopened: null,
  paid: "order_paid",
  closed: "order_closed",
  reverted: "order_reverted",
  discarded: null,
};

function orderEntries({ versionKind, order, origin }: ChangeOf<"order.stored">): FeedItem[] {
  if (versionKind === null) return [];
  const { status, lines, updatedAt } = order.snapshot;
  const isChangedAfterSending = versionKind === "edited" && status === "changed";
  const kind = isChangedAfterSending ? "order_changed_after_sending" : kindOfVersion[versionKind];
  if (kind === null) return [];
  const subject = about(order, origin);
  const item: FeedItem = { kind, level: versionKind === "reverted" ? "warn" : "info", ...subject };
  const isLate =
    versionKind === "sent" && lines.some((line) => line.kitchenSentAt === updatedAt && line.queuedAt !== undefined);
  return isLate ? [item, { kind: "send_late", level: "warn", ...subject }] : [item];
}

function about(order: StoredOrder, origin: string): Pick<FeedItem, "tableId" | "detail"> {
  const { posReference, tableId, snapshot } = order;
  return {
    ...(tableId !== null && { tableId }),
    detail: { posReference, terminalId: origin, amount: snapshot.totals.total },
  };
}
