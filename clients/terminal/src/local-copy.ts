import { DAY_MS, MINUTE_MS } from "@comanda/protocol";
import type { OutboxStorage } from "./outbox/queue/outbox-storage.ts";
import type { Schemas } from "./schemas.ts";
import type { HubClock } from "./session/hub-clock.ts";
import { createHubState, type HubState } from "./state/hub/hub-state.ts";
import { createStateCache, readSavedState } from "./state/hub/state-cache.ts";
import type { TerminalWorld } from "./world.ts";

/** Origin and age of the local copy of the hub's state. */
interface CopyOrigin {
  /** The hub's current address, and the address of the hub that the local copy was made from. */
  address: string | undefined;
  copyFrom: string | undefined;
  /** Hub time, in ms, of the last contact with the complete state. */
  syncedAt: number | null;
  /** How far the hub's clock was ahead of the device's at that time, in ms. */
  leadMs: number;
}

export type LocalCopy = ReturnType<typeof createLocalCopy>;

interface LocalCopyDeps {
  storage: OutboxStorage;
  cache: ReadonlyMap<string, unknown>;
  schemas: Schemas;
  world: TerminalWorld;
  hubClock: HubClock;
  trouble: (error: unknown) => void;
}

/** Creates the local copy of the hub's state. `cache` preserves it over a reload. */
export function createLocalCopy(deps: LocalCopyDeps) {
  const { storage, world, hubClock, trouble } = deps;
  const hub = createHubState(hubClock.now);
  const origin = restoreCopy(hub, deps);
  const asOf = () => (origin.syncedAt === null ? null : new Date(origin.syncedAt).toISOString());
  const place = () => {
    const at = asOf();
    return at === null ? null : { asOf: at, leadMs: origin.leadMs, from: origin.copyFrom };
  };
  return {
    hub,
    origin,
    asOf,
    cache: createStateCache({ storage, hub, world, place, trouble }),
    /** Notes a contact with the hub while the state is complete. */
    noteSync(): void {
      origin.syncedAt = hubClock.now();
      origin.leadMs = origin.syncedAt - world.clock.now();
    },
  };
}

/** Restores the saved state, which is shown until the hub sends the changes since then. */
function restoreCopy(hub: HubState, { cache, schemas, world, hubClock, trouble }: LocalCopyDeps): CopyOrigin {
  const origin: CopyOrigin = { address: undefined, copyFrom: undefined, syncedAt: null, leadMs: 0 };
  try {
    const saved = readSavedState(cache, schemas);
    if (saved === null) return origin;
    const { asOf, from, leadMs = 0 } = saved;
    const syncedAt = Date.parse(asOf);
    // Outside this range, the device's clock was probably corrected since, so the saved lead does not apply. The hub's time is
    // an estimate, so right after a correction the age may seem to be some ms less than the lead.
    const agoMs = world.clock.now() + leadMs - syncedAt;
    if (agoMs >= 0 && (leadMs < DAY_MS || agoMs < leadMs - MINUTE_MS)) hubClock.assume(leadMs);
    hub.restore(saved);
    return { address: undefined, copyFrom: from, syncedAt, leadMs };
  } catch (error) {
    // Saved by another version; the hub sends everything again.
    queueMicrotask(() => trouble(error));
    return origin;
  }
}
