import Database from "better-sqlite3";
import { prepareLate } from "./late-statement.ts";
import { registerSeal } from "./rows/seal.ts";

export function openReadOnly(file: string): Database.Database {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 200 });
  registerSeal(db);
  prepareLate(db);
  return db;
}
