import { DAY_MS } from "@comanda/protocol";
import { writeInSlices } from "../changes/write-in-slices.ts";
import { createLoop, type Loop } from "../platform/loop.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

const KEEP_MS = 7 * DAY_MS;

/**
 * Deletes settled deliveries that are older than seven days, at the start and daily, while the clock can be trusted.
 */
export function createPruning(deps: WebhookDeps & { time: TrustedTime }): Loop {
  const { world, time, changes, deliveries, subscriptions } = deps;
  time.onCorrected((byMs, since) => {
    changes
      .write(() => deliveries.correctAge(Math.round(byMs), Math.round(since)))
      .catch((error: unknown) => world.log.error({ err: error }, "the age of deliveries could not be corrected"));
  });
  return createLoop(world, "webhook pruning", DAY_MS, async () => {
    if (!time.isConfirmed()) return;
    const before = time.now() - KEEP_MS;
    await writeInSlices(changes, () => deliveries.prune(before));
    await changes.write(() => subscriptions.forgetDeleted());
  });
}
