import type { Since } from "@comanda/protocol";
import Database from "better-sqlite3";
import { createPlaceSigner } from "../../../terminals/sync/sign-places.ts";

/** A place as the hub of a data file would have signed it, had it come that far. */
export function signPlace(dbPath: string, place: Since): Since {
  const db = new Database(dbPath, { readonly: true });
  try {
    return { ...place, signature: createPlaceSigner(db).sign(place) };
  } finally {
    db.close();
  }
}
