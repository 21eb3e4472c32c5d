import type { World } from "../platform/world.ts";
import type { Tx } from "./change.ts";
import type { ChangeLog, Synchronous } from "./change-log.ts";

/** Runs a background write and returns whether it succeeded. An error is logged with `failure` and `facts`. */
export async function writeOrLog<T>(
  { changes, world }: { changes: Pick<ChangeLog, "write">; world: World },
  failure: string,
  work: (tx: Tx) => Synchronous<T>,
  facts: object = {},
): Promise<boolean> {
  try {
    await changes.write(work);
    return true;
  } catch (error) {
    world.log.error({ err: error, ...facts }, failure);
    return false;
  }
}
