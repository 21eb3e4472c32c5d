import type { FeedEntry, StoredOrder } from "@comanda/protocol";
import type { Change, ChangeOf, Notice } from "../changes/change.ts";
import { isoTime, type World } from "../platform/world.ts";

type News = NonNullable<Notice["feed"]>;

const KEPT = 100;

export type Feed = ReturnType<typeof createFeed>;

/** Recent events, in memory only: the data file and the audit log keep what has to last. */
export function createFeed(world: World) {
  const entries: FeedEntry[] = [];
  let lastId = 0;

  return {
    add(news: News): FeedEntry {
      const { kind, level, tableId, detail } = news;
      lastId += 1;
      const entry: FeedEntry = {
        id: lastId,
        at: isoTime(world.clock.now()),
        kind,
        level,
        ...(tableId !== undefined && { tableId }),
        ...(detail !== undefined && { detail }),
      };
      entries.push(entry);
      if (entries.length > KEPT) entries.shift();
      return entry;
    },
    /** Newest first; details only for a manager. */
    list: (isManager: boolean): FeedEntry[] =>
      entries.toReversed().map((entry) => (isManager ? entry : withoutDetail(entry))),
  };
}

export function withoutDetail(entry: FeedEntry): FeedEntry {
  const { detail: _, ...rest } = entry;
  return rest;
}

/** The lines that a change adds to the feed, in order. */
export function newsOfChange(change: Change): News[] {
  switch (change.kind) {
    case "order.stored":
      return newsOfOrder(change);
    case "order.removed":
      return [{ kind: "order_discarded", level: "warn", ...about(change.last, change.origin) }];
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
    case "notice":
      return change.notice.feed === undefined ? [] : [change.notice.feed];
    case "table.changed":
    case "plugin.stored":
    case "plugin.removed":
    case "lease.changed":
      return [];
  }
}

function newsOfOrder({ did, order, origin }: ChangeOf<"order.stored">): News[] {
  const subject = about(order, origin);
  switch (did) {
    case "created":
      return [{ kind: "order_opened", level: "info", ...subject }];
    case "sent": {
      const sent: News = { kind: "order_sent", level: "info", ...subject };
      const isLate = order.snapshot.kitchenTickets?.at(-1)?.late === true;
      return isLate ? [sent, { kind: "send_late", level: "warn", ...subject }] : [sent];
    }
    case "edited":
      return order.snapshot.status === "changed"
        ? [{ kind: "order_changed_after_sending", level: "info", ...subject }]
        : [];
    case "checkout":
      return [{ kind: "order_checkout", level: "info", ...subject }];
    case "paid":
      return [{ kind: "order_paid", level: "info", ...subject }];
    case "closed":
      return [{ kind: "order_closed", level: "info", ...subject }];
    case "reverted":
      return [{ kind: "order_reverted", level: "warn", ...subject }];
    case "seen":
    case "bumped":
    case "reopened":
    case "discarded":
    case null:
      return [];
  }
}

function about(order: StoredOrder, origin: string): Pick<News, "tableId" | "detail"> {
  const { posReference, tableId, snapshot } = order;
  return {
    ...(tableId !== null && { tableId }),
    detail: { posReference, terminalId: origin, amount: snapshot.totals.total },
  };
}
