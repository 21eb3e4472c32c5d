import Database from "better-sqlite3";

export function withDatabase<T>(file: string, options: Database.Options, work: (db: Database.Database) => T): T {
  const db = new Database(file, options);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
