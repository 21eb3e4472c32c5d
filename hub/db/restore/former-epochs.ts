import type Database from "better-sqlite3";
import { parseColumn } from "../rows/parse-column.ts";

/** An epoch that this hub's history had before, and the last change that is known of it. */
export interface FormerEpoch {
  epoch: string;
  seq: number;
}

/** For an epoch whose end is known to be lost: what a terminal says of it proves nothing new. */
export const KNOWN_AS_LOST = Number.MAX_SAFE_INTEGER;

/** So many are kept: a terminal that was away for longer gets everything anyway. */
const FORMER_EPOCHS = 20;

/** The former epochs of a data file, newest last. */
export function readFormerEpochs(db: Database.Database): FormerEpoch[] {
  const list = db.prepare<[], string>("SELECT former_epochs FROM hub_state").pluck().get() ?? "[]";
  // Without them a terminal of an earlier epoch gets everything.
  return parseColumn<FormerEpoch[]>(list, []);
}

/** Of an epoch that is named twice the last entry counts. */
export function writeFormerEpochs(db: Database.Database, formers: readonly FormerEpoch[]): void {
  const list = [...new Map(formers.map((former) => [former.epoch, former])).values()];
  db.prepare("UPDATE hub_state SET former_epochs = ?").run(JSON.stringify(list.slice(-FORMER_EPOCHS)));
}
