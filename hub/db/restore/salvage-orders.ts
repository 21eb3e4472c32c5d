import { crc32 } from "node:zlib";
import type { Database } from "better-sqlite3";
import { plainColumn, type StoredVersion } from "../rows/pack.ts";
import { registerSeal } from "../rows/seal.ts";

/** An order of one data file that another lacks in that state. */
export interface LostOrder {
  kind: "order_missing" | "order_older" | "order_paid" | "order_discarded" | "order_merged" | "kitchen_work";
  posReference: string;
  /** For a discarded or merged check the version of its mark. */
  version: number;
  /** The stored order as JSON; null for a discarded or merged check. */
  body: string | null;
  /** Of a merged check: where its lines went. */
  mergedInto?: string[];
  /** When it was written (ms since 1970), and who wrote it, if that is known. */
  at: number;
  by: string | null;
  source: "replaced_file" | "webhook_log";
}

type Version = Pick<StoredVersion, "version" | "body" | "checksum" | "at" | "userName"> & { posReference: string };

/** What can still be read of the orders in a damaged file: stored versions first, then what webhooks sent. */
export function salvageOrders(db: Database): LostOrder[] {
  return [...newestVersions(db), ...newestInWebhookLog(db)];
}

/** The newest version of each order that can be read, for when the table of orders is damaged. */
function newestVersions(db: Database): LostOrder[] {
  const newest = new Map<string, LostOrder>();
  registerSeal(db);
  const versions = `
    SELECT pos_reference AS posReference, version, ${plainColumn()} AS body, checksum, at, user_name AS userName
    FROM order_versions`;
  readFromBothEnds<Version>(db, versions, "id", (row) => {
    const { posReference, version, body, checksum, at, userName } = row;
    if (crc32(body) !== checksum || (newest.get(posReference)?.version ?? 0) > version) return;
    const { status } = (JSON.parse(body) as { snapshot: { status: string } }).snapshot;
    const kind = status === "paid" || status === "closed" ? "order_paid" : "order_older";
    newest.set(posReference, { kind, posReference, version, body, at, by: userName, source: "replaced_file" });
  });
  return [...newest.values()];
}

/**
 * Reads the rows of a statement in the order of a key, and from the other end where that fails: a damaged page costs what
 * lies on it, not what lies behind it. Returns whether everything was read.
 */
export function readFromBothEnds<R>(db: Database, select: string, key: string, take: (row: R) => void): boolean {
  for (const order of ["ASC", "DESC"]) {
    try {
      for (const row of db.prepare<[], R>(`${select} ORDER BY ${key} ${order}`).iterate()) take(row);
      return order === "ASC";
    } catch {
      // A damaged page: what lies behind it may be read from the other end.
    }
  }
  return false;
}

interface WebhookContent {
  event: string;
  timestamp: string;
  data: {
    posReference: string;
    version: number;
    origin: string;
    mergedInto?: string[];
    snapshot: Record<string, unknown>;
  };
}

function newestInWebhookLog(db: Database): LostOrder[] {
  const newest = new Map<string, LostOrder>();
  const sent = "SELECT plain(content, packed) AS content FROM webhook_events WHERE event LIKE 'order.%'";
  readFromBothEnds<{ content: string }>(db, sent, "id", ({ content }) => {
    try {
      keepNewest(newest, content);
    } catch {
      // One that is damaged, be it still JSON, must not hide what lies between it and the next.
    }
  });
  return [...newest.values()];
}

function keepNewest(newest: Map<string, LostOrder>, content: string): void {
  const { event, timestamp, data } = JSON.parse(content) as WebhookContent;
  const { posReference, version, origin, mergedInto, snapshot } = data;
  if ((newest.get(posReference)?.version ?? 0) > version) return;
  const stamp = (iso: unknown): string => String(iso).slice(0, 19).replace("T", " ");
  const head = { posReference, version, tableId: snapshot["tableId"] ?? null, terminalId: origin };
  const times = { createdAt: stamp(snapshot["createdAt"]), updatedAt: stamp(snapshot["updatedAt"]) };
  const isRemoved = event === "order.deleted";
  const removed = mergedInto === undefined ? "order_discarded" : "order_merged";
  const isPaid = snapshot["status"] === "paid" || snapshot["status"] === "closed";
  newest.set(posReference, {
    kind: isRemoved ? removed : isPaid ? "order_paid" : "order_older",
    posReference,
    version,
    body: isRemoved ? null : JSON.stringify({ ...head, ...times, snapshot }),
    at: Date.parse(timestamp),
    by: null,
    source: "webhook_log",
    ...(mergedInto !== undefined && { mergedInto }),
  });
}
