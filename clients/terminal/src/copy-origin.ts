import type { Schemas } from "./schemas.ts";
import type { HubState } from "./state/hub-state.ts";
import { readSavedState } from "./state/state-cache.ts";

/** Where the local copy of the hub's state comes from, and how old it is. */
export interface CopyOrigin {
  /** Where the hub is, and the one that the local copy is of. */
  address: string | undefined;
  heldFrom: string | undefined;
  /** The hub's time in ms when it was heard last with the state complete. */
  heardAt: number | null;
}

/** Shows what was saved, until the hub sends what has changed since. */
export function restoreCopy(
  hub: HubState,
  { cache, schemas, trouble }: { cache: ReadonlyMap<string, unknown>; schemas: Schemas; trouble: (e: unknown) => void },
): CopyOrigin {
  const origin: CopyOrigin = { address: undefined, heldFrom: undefined, heardAt: null };
  try {
    const saved = readSavedState(cache, schemas);
    if (saved === null) return origin;
    hub.restore(saved);
    return { ...origin, heardAt: Date.parse(saved.asOf), heldFrom: saved.from };
  } catch (error) {
    // Written by another version: the hub sends everything.
    queueMicrotask(() => trouble(error));
    return origin;
  }
}
