import type { Since } from "@comanda/protocol";
import Database from "better-sqlite3";
import { createPlaceSigner } from "../../../terminals/sync/sign-places.ts";

/** Signs a cursor as the hub of this data file would. */
export function signCursor(dbPath: string, cursor: Since): Since {
  const db = new Database(dbPath, { readonly: true });
  try {
    return { ...cursor, signature: createPlaceSigner(db).sign(cursor) };
  } finally {
    db.close();
  }
}
