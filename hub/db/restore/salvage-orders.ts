import { crc32 } from "node:zlib";
import type { Database } from "better-sqlite3";
import { plainColumn, type StoredVersion } from "../rows/pack.ts";
import { registerSeal } from "../rows/seal.ts";

/** An order in a state that the restored data file does not have. */
export interface LostOrder {
  kind: "order_missing" | "order_older" | "order_paid" | "order_discarded" | "order_merged" | "kitchen_work";
  posReference: string;
  /** For a discarded or merged check, the version of its removal. */
  version: number;
  /** The stored order as JSON; null for a discarded or merged check. */
  body: string | null;
  /** For a merged check, the checks that its lines moved to. */
  mergedInto?: string[];
  /** When it was written (ms since 1970), and by which user, if known. */
  at: number;
  by: string | null;
  source: "replaced_file" | "webhook_log";
}

type Version = Pick<StoredVersion, "version" | "body" | "checksum" | "at" | "userName"> & { posReference: string };

/** Reads the orders that are still readable in a damaged file: stored versions first, then the content of webhook events. */
export function salvageOrders(db: Database): LostOrder[] {
  return [...newestVersions(db), ...newestInWebhookLog(db)];
}

/** Reads the newest readable version of each order without the table `orders`, which may be damaged. */
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
 * Reads the rows of a statement in the order of a key and, if that fails, again from the other end, so that a damaged page
 * does not hide the rows after it. Returns whether all rows were read the first time.
 */
export function readFromBothEnds<R>(db: Database, select: string, key: string, take: (row: R) => void): boolean {
  for (const order of ["ASC", "DESC"]) {
    try {
      for (const row of db.prepare<[], R>(`${select} ORDER BY ${key} ${order}`).iterate()) take(row);
      return order === "ASC";
    } catch {
      // A damaged page: the rows after it may be readable from the other end.
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
      // Skips a damaged event, even if it is valid JSON, so that the others are still read.
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
