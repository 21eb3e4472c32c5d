import Database from "better-sqlite3";
import { plannedOnce } from "./planned-once.ts";
import { registerSeal } from "./rows/seal.ts";

export function openReadOnly(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  registerSeal(db);
  const prepare = db.prepare.bind(db);
  db.prepare = (sql: string) => prepare(plannedOnce(sql));
  return db;
}
