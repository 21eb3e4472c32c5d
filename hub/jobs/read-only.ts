import Database from "better-sqlite3";
import { registerSeal } from "../db/seal.ts";

/** Opens a database that this thread only reads, for the length of a job. */
export function openReadOnly(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  registerSeal(db);
  return db;
}
