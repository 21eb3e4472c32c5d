import type { Database } from "better-sqlite3";
import type { World } from "../platform/world.ts";

/** How many earlier epochs are known by their last seq: a terminal that was away longer gets everything anyway. */
const EARLIER_EPOCHS = 20;

/** Gives the data file a new epoch and remembers where the one before ended. */
export function forkEpoch(db: Database, world: World): void {
  const row = db
    .prepare<[], { epoch: string; seq: number; earlierEpochs: string }>(
      "SELECT epoch, seq, former_epochs AS earlierEpochs FROM hub_state",
    )
    .get();
  if (row === undefined) throw new Error("the data file has no hub state");
  const earlier = [...(JSON.parse(row.earlierEpochs) as unknown[]), { epoch: row.epoch, seq: row.seq }];
  db.prepare("UPDATE hub_state SET epoch = ?, former_epochs = ?").run(
    world.random.uuid(),
    JSON.stringify(earlier.slice(-EARLIER_EPOCHS)),
  );
}
