import type Database from "better-sqlite3";
import { expireSome } from "../../hub/kitchen/expire-tickets.ts";
import { createTicketStore } from "../../hub/kitchen/ticket-store.ts";
import { createLog } from "../../hub/platform/log.ts";
import { tidyOffline } from "../../hub/test/support/tidy-offline.ts";
import { realWorld } from "../../hub/platform/world.ts";

/** Thinned as by the hub's defaults; retained long enough that a file of three years keeps everything. */
export const RETENTION = { historyDays: 60, retentionDays: 1200 };

/**
 * Brings a data file to the state of a hub that has run until `now` (ms since 1970). Expires abandoned tickets and packs and
 * thins old data, all with the hub's own code, run to completion.
 */
export function tidyUp(db: Database.Database, now: number): void {
  const world = realWorld(createLog("silent"));
  expireTickets(db, now);
  tidyOffline(db, { ...world, clock: { ...world.clock, now: () => now } }, RETENTION);
}

function expireTickets(db: Database.Database, now: number): void {
  const tickets = createTicketStore(db);
  const state = db.prepare<[], number>("SELECT seq FROM hub_state").pluck();
  let seq = state.get() ?? 0;
  const nothing = (): void => undefined;
  const tx = { now, firstSeq: 1, nextSeq: () => ++seq, emit: nothing, notify: nothing, onUndo: nothing };
  db.transaction(() => {
    while (expireSome(tickets, tx, now)) continue;
    db.prepare("UPDATE hub_state SET seq = ?").run(seq);
  })();
}
