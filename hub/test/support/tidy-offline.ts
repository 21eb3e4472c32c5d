import type { Db } from "../../db/open.ts";
import type { World } from "../../platform/world.ts";
import type { HubConfig } from "../../settings/config.ts";
import { retentionCutoffs } from "../../retention/cutoffs.ts";
import { createTidying } from "../../retention/tidy.ts";

/** High enough to make transactions cheap, low enough to keep the WAL small. */
const STEPS_A_TRANSACTION = 2_000;

/** Runs retention on a closed data file at once, using only the rows' time stamps. */
export function tidyOffline(db: Db, world: World, days: HubConfig["retention"]): void {
  // With foreign keys, each deleted version would scan the orders that may refer to it.
  db.pragma("foreign_keys = OFF");
  const everything = Number.MAX_SAFE_INTEGER;
  const unlimited = {
    at: 0,
    seq: everything,
    auditId: everything,
    paymentId: everything,
    keptChangeId: everything,
    lossId: everything,
    moneyId: everything,
    shiftEventId: everything,
    chainFactId: everything,
    printJobId: everything,
  };
  const steps = createTidying(db)(retentionCutoffs(world.clock.now(), days, () => unlimited));
  const slice = db.transaction((): boolean => {
    for (let n = 0; n < STEPS_A_TRANSACTION; n += 1) if (steps.next().done === true) return false;
    return true;
  });
  for (; slice(););
}
