import type { Db } from "../db/open.ts";

/** An order, or the record of a discarded one. */
export interface FinishedOrder {
  posReference: string;
  id: number;
  at: number;
  seq: number;
  status: string;
  packing: number;
}

/** Candidates read at once, so that none is read twice while they are processed. */
const PAGE = 50;

const BEGINNING = { at: Number.MIN_SAFE_INTEGER, posReference: "" };

/** Both kinds, with the columns that say since when they are finished. */
const KINDS = [
  { table: "orders", id: "body_id", at: "updated_at", status: "status", where: "is_active = 0" },
  { table: "removed_orders", id: "last_id", at: "removed_at", status: "'discarded'", where: "TRUE" },
] as const;

export type Kind = ReturnType<typeof prepareKind>;

/** Prepares the statements for finished and discarded orders. */
export function prepareKinds(db: Db): Kind[] {
  return KINDS.map((kind) => prepareKind(db, kind));
}

/** Yields a kind's orders in one of these `stored` states that were finished before a time. Reads each again first. */
export function* finishedOrders(kind: Kind, stored: readonly number[], before: number): Generator<FinishedOrder> {
  for (const state of stored) {
    for (let after = BEGINNING; ;) {
      const page = kind.page(after, state, before);
      for (const { posReference } of page) {
        const order = kind.get(posReference, state, before);
        if (order !== undefined) yield order;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last;
    }
  }
}

function prepareKind(db: Db, { table, id, at, status, where }: (typeof KINDS)[number]) {
  const page = db.prepare<{ at: number; posReference: string; state: number; before: number }, FinishedOrder>(`
    SELECT pos_reference AS posReference, ${at} AS at FROM ${table}
    WHERE ${where} AND packing = @state AND ${at} < @before AND (${at}, pos_reference) > (@at, @posReference)
    ORDER BY ${at}, pos_reference LIMIT ${PAGE}`);
  const get = db.prepare<{ posReference: string; state: number; before: number }, FinishedOrder>(`
    SELECT pos_reference AS posReference, ${id} AS id, ${at} AS at, seq, ${status} AS status, packing FROM ${table}
    WHERE pos_reference = @posReference AND ${where} AND packing = @state AND ${at} < @before`);
  const setId = db.prepare<[number, string]>(`UPDATE ${table} SET ${id} = ? WHERE pos_reference = ?`);
  const setPacking = db.prepare<[number, string]>(`UPDATE ${table} SET packing = ? WHERE pos_reference = ?`);
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE pos_reference = ?`);

  return {
    page: (after: { at: number; posReference: string }, state: number, before: number): FinishedOrder[] =>
      page.all({ ...after, state, before }),
    get: (posReference: string, state: number, before: number): FinishedOrder | undefined =>
      get.get({ posReference, state, before }),
    setId: (posReference: string, to: number): void => void setId.run(to, posReference),
    setPacking: (posReference: string, to: number): void => void setPacking.run(to, posReference),
    remove: (posReference: string): void => void remove.run(posReference),
  };
}
