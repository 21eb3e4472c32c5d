import type Database from "better-sqlite3";
import { parseColumn } from "../rows/parse-column.ts";

/** Content of a backup, for the person who decides whether to restore it. */
export interface BackupContent {
  hubId: string;
  /** Name of the restaurant at the back-office, or null if the hub had not learned it. */
  restaurant: string | null;
  orders: number;
  activeOrders: number;
  pendingForward: number;
  /** ms since 1970 */
  newestChangeAt: number | null;
  newestVersionId: number | null;
}

/** Reads an open backup of any schema version. */
export function readBackupContent(copy: Database.Database): BackupContent {
  const facts = copy
    .prepare<[], Omit<BackupContent, "restaurant">>(`
      SELECT (SELECT hub_id FROM hub_state) AS hubId,
        (SELECT count(*) FROM orders) AS orders,
        (SELECT count(*) FROM orders WHERE is_active = 1) AS activeOrders,
        (SELECT count(*) FROM hub_events WHERE forwarded = 0) AS pendingForward,
        (SELECT max(at) FROM order_versions) AS newestChangeAt,
        (SELECT max(id) FROM order_versions) AS newestVersionId`)
    .get();
  if (facts === undefined) throw new Error("the backup is empty");
  return { ...facts, restaurant: restaurantOf(copy) };
}

function restaurantOf(copy: Database.Database): string | null {
  const text = copy.prepare("SELECT value FROM remembered WHERE name = 'config'").pluck().get();
  if (typeof text !== "string") return null;
  const config = parseColumn<unknown>(text, null);
  const name = typeof config === "object" && config !== null && "name" in config ? config.name : null;
  return typeof name === "string" && name.trim() !== "" ? name : null;
}
