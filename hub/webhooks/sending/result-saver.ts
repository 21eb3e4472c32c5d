import type { Claims } from "./claims.ts";
import type { Lanes, Result } from "./lanes.ts";
import { saveResult } from "./save-result.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/**
 * Results within this time share a write: with receivers that take 20 ms to answer, a third of the commits and a fifth
 * less CPU for each delivery.
 */
const SAVE_TOGETHER_MS = 10;

/** Saves what came of deliveries; results that arrive together share a write, which also claims what comes next. */
export function createResultSaver(
  deps: WebhookDeps & {
    claims: Pick<Claims, "claimFor" | "send">;
    lanes: Pick<Lanes, "isIdle">;
    isStarted: () => boolean;
    onSaved: (results: readonly Result[]) => void;
  },
) {
  const { world, changes, deliveries, claims, lanes, isStarted, onSaved } = deps;
  const { timers } = world;
  const saves = new Set<Promise<void>>();
  let unsaved: Result[] = [];
  let saveTimer: NodeJS.Timeout | undefined;
  /** Deliveries whose result could not be saved, as on a full disk: they are sent again. */
  let lost: number[] = [];

  function save(): void {
    timers.clearTimeout(saveTimer);
    saveTimer = undefined;
    const results = unsaved;
    unsaved = [];
    if (results.length === 0) return;
    const saving = write(results).finally(() => saves.delete(saving));
    saves.add(saving);
  }

  /** Saves results and, in the same write, claims what comes next. */
  async function write(results: readonly Result[]): Promise<void> {
    try {
      const claimed = await changes.write((tx) => {
        tx.notify(["deliveries"]);
        for (const result of results) saveResult(deps, tx, result);
        return claims.claimFor(tx, new Set(results.map(({ lane }) => lane)));
      });
      claims.send(claimed);
    } catch (error) {
      world.log.error({ err: error }, "the results of webhook deliveries could not be saved");
      lost.push(...results.map(({ claimed }) => claimed.id));
    }
    onSaved(results);
  }

  return {
    add(result: Result): void {
      unsaved.push(result);
      // With nothing else under way there is nothing to wait for.
      if (!isStarted() || lanes.isIdle()) save();
      else saveTimer ??= timers.setTimeout(save, SAVE_TOGETHER_MS);
    },
    /** Saves at once what has arrived. */
    save,
    /** Makes the deliveries due whose result could not be saved. */
    async retryLost(): Promise<void> {
      if (lost.length === 0) return;
      const ids = lost;
      await changes.write((tx) => ids.forEach((id) => deliveries.retryAt(id, tx.now)));
      lost = lost.filter((id) => !ids.includes(id));
    },
    /** Resolves when nothing is being saved. */
    async settled(): Promise<void> {
      while (saves.size > 0) await Promise.all(saves);
    },
  };
}
