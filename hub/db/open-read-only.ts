import Database from "better-sqlite3";
import { registerSeal } from "./rows/seal.ts";

export function openReadOnly(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  registerSeal(db);
  return db;
}
