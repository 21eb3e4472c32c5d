import { DAY_MS } from "@comanda/protocol";
import type { OutboxStorage } from "./outbox/queue/outbox-storage.ts";
import type { Schemas } from "./schemas.ts";
import type { HubClock } from "./session/hub-clock.ts";
import { createHubState, type HubState } from "./state/hub/hub-state.ts";
import { createStateCache, readSavedState } from "./state/hub/state-cache.ts";
import type { TerminalWorld } from "./world.ts";

/** Where the local copy of the hub's state comes from, and how old it is. */
interface CopyOrigin {
  /** Where the hub is, and the one that the local copy is of. */
  address: string | undefined;
  heldFrom: string | undefined;
  /** The hub's time in ms when it was heard last with the state complete. */
  heardAt: number | null;
  /** How far it was ahead of the device's clock then. */
  leadMs: number;
}

export type HeldCopy = ReturnType<typeof createHeldCopy>;

interface HeldDeps {
  storage: OutboxStorage;
  cache: ReadonlyMap<string, unknown>;
  schemas: Schemas;
  world: TerminalWorld;
  hubClock: HubClock;
  trouble: (error: unknown) => void;
}

/** The local copy of the hub's state, which `cache` keeps over a reload. */
export function createHeldCopy(deps: HeldDeps) {
  const { storage, world, hubClock, trouble } = deps;
  const hub = createHubState(hubClock.now);
  const origin = restoreCopy(hub, deps);
  const asOf = () => (origin.heardAt === null ? null : new Date(origin.heardAt).toISOString());
  const place = () => {
    const at = asOf();
    return at === null ? null : { asOf: at, leadMs: origin.leadMs, from: origin.heldFrom };
  };
  return {
    hub,
    origin,
    asOf,
    cache: createStateCache({ storage, hub, world, place, trouble }),
    /** The hub was heard, with the state complete. */
    noteHeard(): void {
      origin.heardAt = hubClock.now();
      origin.leadMs = origin.heardAt - world.clock.now();
    },
  };
}

/** Shows what was saved, until the hub sends what has changed since. */
function restoreCopy(hub: HubState, { cache, schemas, world, hubClock, trouble }: HeldDeps): CopyOrigin {
  const origin: CopyOrigin = { address: undefined, heldFrom: undefined, heardAt: null, leadMs: 0 };
  try {
    const saved = readSavedState(cache, schemas);
    if (saved === null) return origin;
    const { asOf, from, leadMs = 0 } = saved;
    const heardAt = Date.parse(asOf);
    // Otherwise the device's clock was put right meanwhile: nobody comes back before, or after so long.
    const agoMs = world.clock.now() + leadMs - heardAt;
    if (agoMs >= 0 && (leadMs < DAY_MS || agoMs < leadMs)) hubClock.assume(leadMs);
    hub.restore(saved);
    return { address: undefined, heldFrom: from, heardAt, leadMs };
  } catch (error) {
    // Written by another version: the hub sends everything.
    queueMicrotask(() => trouble(error));
    return origin;
  }
}
