import { DAY_MS, HOUR_MS, MINUTE_MS } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import { createLoop, type Loop } from "../platform/loop.ts";
import { redactUrl } from "../platform/redact-url.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import type { Subscription } from "./subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./sending/webhook-deps.ts";

const KEEP_MS = 7 * DAY_MS;

/** What was stamped within this time before now, was stamped after the clock was set: that is noticed every minute. */
const RECENTLY_MS = 2 * MINUTE_MS;

/** By this age an event has had most of its attempts. */
const PACK_AFTER_MS = HOUR_MS;

/**
 * Packs the content of events, and deletes settled deliveries and gathered events older than seven days. Runs at the start and
 * hourly, while the clock is confirmed.
 */
export function createPruning(deps: WebhookDeps & { time: TrustedTime }): Loop {
  const { world, time, changes, deliveries, gathered, subscriptions } = deps;
  time.onStampsSet((byMs, since) => {
    void writeOrLog(deps, "the age of deliveries could not be kept", ({ now }) =>
      [deliveries, gathered].forEach((each) => each.keepAge({ byMs, since, now, recently: now - RECENTLY_MS })),
    );
  });
  return createLoop(world, "webhook pruning", HOUR_MS, async () => {
    if (!time.isConfirmed()) return;
    const before = time.now() - KEEP_MS;
    await changes.write((tx) => subscriptions.list().forEach((each) => giveUp(tx, each, before)));
    await writeInSlices(changes, () => deliveries.prune(before));
    await writeInSlices(changes, () => gathered.forgetUnused(before));
    await changes.write(() => subscriptions.forgetDeleted());
    const packSome = (): number => gathered.packSome(time.now() - PACK_AFTER_MS);
    while ((await changes.write(packSome)) > 0);
  });

  /** Drops gathered events that a receiver has not accepted within seven days. */
  function giveUp(tx: Tx, subscription: Subscription, before: number): void {
    const { id, url, gathered: range } = subscription;
    const remaining = gathered.since(subscription, before);
    if (range === null || remaining?.from === range.from) return;
    subscriptions.setGathered(id, remaining);
    world.log.warn(
      { webhook: id },
      "events of more than seven days ago were not delivered and are not kept any longer",
    );
    tx.notify(["webhooks"], { kind: "webhook_dead_lettered", level: "bad", detail: { text: redactUrl(url) } });
  }
}
