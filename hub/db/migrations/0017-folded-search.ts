import type { Database } from "better-sqlite3";

/** Orders are found whatever the accents: "nunez" finds Núñez. Only the rows that have some are written. */
export function migrate(db: Database): void {
  db.exec(`
    UPDATE orders SET search_text = fold(search_text) WHERE search_text <> fold(search_text);
    UPDATE removed_orders SET search_text = fold(search_text) WHERE search_text <> fold(search_text);
  `);
}
