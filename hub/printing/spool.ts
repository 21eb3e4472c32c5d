import type { Block, PrintDocument } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";

/** What is to be printed, whole: nothing of it is looked up later. */
export interface NewPrintJob {
  /** What it is printed for, for example `ticket:<id>`; with its printer its key: the same again makes no second job. */
  cause: string;
  document: PrintDocument;
  printerId: string;
  blocks: readonly Block[];
  posReference?: string;
  stationId?: string;
  /** The terminal that caused it, which is told what becomes of it. */
  terminalId?: string;
  /** Opens the drawer of this printer, unless the pulse is older than 10 s by then. */
  opensDrawer?: true;
  /** It waits until `complete` brings its blocks, at most until this time (ms since 1970). */
  heldUntil?: number;
}

/** Where jobs wait until they are printed; all within the transaction that causes them. */
export interface Spool {
  /** Null: this cause was given to this printer before. */
  add(tx: Tx, job: NewPrintJob): { id: string } | null;
  /** The final blocks of held jobs, which then wait to be printed; does nothing where none of this cause is held. */
  complete(tx: Tx, cause: string, blocks: readonly Block[]): void;
}
