import type { Db } from "../db/open.ts";
import type { World } from "../platform/world.ts";
import { retentionCutoffs } from "./cutoffs.ts";
import type { HubConfig } from "../settings/config.ts";
import { createTidying } from "./tidy.ts";

/** Enough that a transaction costs nothing, and little enough for the log. */
const STEPS_A_TRANSACTION = 2_000;

/**
 * Brings a data file that nobody else has open into the state of a hub that has lived with it: everything is packed, thinned
 * and removed by its stamps and the world's clock, in one go.
 */
export function tidyOffline(db: Db, world: World, days: HubConfig["retention"]): void {
  // Otherwise each deleted version has SQLite read every order for one that points at it.
  db.pragma("foreign_keys = OFF");
  const everything = Number.MAX_SAFE_INTEGER;
  const mark = { at: 0, seq: everything, auditId: everything, paymentId: everything, lossId: everything };
  const steps = createTidying(db)(retentionCutoffs(world.clock.now(), days, () => mark));
  const slice = db.transaction((): boolean => {
    for (let n = 0; n < STEPS_A_TRANSACTION; n += 1) if (steps.next().done === true) return false;
    return true;
  });
  for (; slice(););
}
