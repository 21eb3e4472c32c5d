import type Database from "better-sqlite3";
import { parseColumn } from "../rows/parse-column.ts";

/** An earlier epoch of this hub's history, and its last known seq. */
export interface FormerEpoch {
  epoch: string;
  seq: number;
}

/** The seq of an epoch whose end is known to be lost: no seq of a terminal can prove a new loss. */
export const KNOWN_AS_LOST = Number.MAX_SAFE_INTEGER;

/** How many former epochs are kept. A terminal with an older epoch does a full SYNC anyway. */
const FORMER_EPOCHS = 20;

/** Reads the former epochs of a data file, newest last. */
export function readFormerEpochs(db: Database.Database): FormerEpoch[] {
  const list = db.prepare<[], string>("SELECT former_epochs FROM hub_state").pluck().get() ?? "[]";
  // Without former epochs, a terminal of an earlier epoch does a full SYNC.
  return parseColumn<FormerEpoch[]>(list, []);
}

/** Stores the former epochs. If an epoch occurs twice, the last entry counts. */
export function writeFormerEpochs(db: Database.Database, formers: readonly FormerEpoch[]): void {
  const list = [...new Map(formers.map((former) => [former.epoch, former])).values()];
  db.prepare("UPDATE hub_state SET former_epochs = ?").run(JSON.stringify(list.slice(-FORMER_EPOCHS)));
}
