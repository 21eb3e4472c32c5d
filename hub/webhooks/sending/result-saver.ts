import type { Claims } from "./claims.ts";
import type { Lanes, Result } from "./lanes.ts";
import { saveResult } from "./save-result.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/**
 * Results within this time share a transaction. For receivers that answer in 20 ms, that means a third of the commits and a
 * fifth less CPU per delivery.
 */
const SAVE_TOGETHER_MS = 10;

/** Saves the results of deliveries. Results that arrive together share a transaction, which also claims the next ones. */
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
  /** Ids of deliveries whose result could not be saved, for example on a full disk; they are sent again. */
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

  /** Saves results and claims the next deliveries in the same transaction. */
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
      // If nothing else is in flight, there is nothing to wait for.
      if (!isStarted() || lanes.isIdle()) save();
      else saveTimer ??= timers.setTimeout(save, SAVE_TOGETHER_MS);
    },
    /** Saves the results so far at once. */
    save,
    /** Retries deliveries whose result was not saved. */
    async retryLost(): Promise<void> {
      if (lost.length === 0) return;
      const ids = lost;
      await changes.write((tx) => ids.forEach((id) => deliveries.retryAt(id, tx.now)));
      lost = lost.filter((id) => !ids.includes(id));
    },
    /** Resolves when no save is running. */
    async settled(): Promise<void> {
      while (saves.size > 0) await Promise.all(saves);
    },
  };
}
