import type { Database } from "better-sqlite3";

/** How many orders are stored, so that nobody counts years of them for the head of a list. */
export function migrate(db: Database): void {
  db.exec(`
    CREATE TABLE order_counts (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kept INTEGER NOT NULL,
      removed INTEGER NOT NULL
    ) STRICT;
    INSERT INTO order_counts (id, kept, removed)
      VALUES (1, (SELECT count(*) FROM orders), (SELECT count(*) FROM removed_orders));

    CREATE TRIGGER order_added AFTER INSERT ON orders BEGIN
      UPDATE order_counts SET kept = kept + 1;
    END;
    CREATE TRIGGER order_taken AFTER DELETE ON orders BEGIN
      UPDATE order_counts SET kept = kept - 1;
    END;
    CREATE TRIGGER removal_added AFTER INSERT ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed + 1;
    END;
    CREATE TRIGGER removal_taken AFTER DELETE ON removed_orders BEGIN
      UPDATE order_counts SET removed = removed - 1;
    END;
  `);
}
