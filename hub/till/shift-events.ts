import type { DrawerOpening, ShiftCount, ShiftMove } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";

/** An opening with the print job of its pulse; `jobId` is null if nothing opens the drawer. */
export type StoredOpening = Omit<DrawerOpening, "answered"> & { jobId: string | null };

/** The content of an event, by kind. */
export interface Bodies {
  move: ShiftMove;
  count: ShiftCount;
  opening: StoredOpening;
}

export type ShiftEvents = ReturnType<typeof createShiftEvents>;

/** What happened at drawers besides sales: moves, counts and openings, oldest first. */
export function createShiftEvents(db: Db) {
  const insert = db.prepare<Record<string, string | number | null>>(`
    INSERT INTO shift_events (shift_id, till_id, kind, mutation_id, at, body)
    VALUES (@shiftId, @tillId, @kind, @mutationId, @at, @body)`);
  const listByShift = db.prepare<[string], { kind: keyof Bodies; mutationId: string | null; body: string }>(`
    SELECT kind, mutation_id AS mutationId, body FROM shift_events INDEXED BY shift_event_by_shift
    WHERE shift_id = ? ORDER BY id`);

  return {
    add<K extends keyof Bodies>(
      tx: Tx,
      kind: K,
      target: { tillId: string; shiftId: string | null; mutationId?: string },
      body: Bodies[K],
    ): void {
      const { tillId, shiftId, mutationId = null } = target;
      insert.run({ tillId, shiftId, kind, mutationId, at: tx.now, body: JSON.stringify(body) });
    },

    listByShift(shiftId: string) {
      const rows = listByShift.all(shiftId);
      const bodies = <K extends keyof Bodies>(kind: K, from = rows): Bodies[K][] =>
        from.flatMap(({ kind: each, body }) => {
          const parsed = each === kind ? parseColumn<Bodies[K] | null>(body, null) : null;
          return parsed === null ? [] : [parsed];
        });
      const countUnder = (mutationId: string): ShiftCount | undefined =>
        bodies(
          "count",
          rows.filter((row) => row.mutationId === mutationId),
        )[0];
      return { moves: bodies("move"), counts: bodies("count"), openings: bodies("opening"), countUnder };
    },
  };
}
