import type { PosSession } from "@comanda/protocol";
import { within } from "../within.ts";
import type { World } from "../world.ts";
import type { OwnSession } from "./own-session.ts";
import type { PosState } from "./pos-state.ts";
import type { Reachability } from "./reachability.ts";

/** How long a caller waits for the back-office when it would be refused otherwise, and when it would not. */
const REFUSAL_WAIT_MS = 5_000;
const CONSENT_WAIT_MS = 1_000;

/**
 * The POS session for decisions that hang on it: read again for each of them, callers at the same time sharing a read, so
 * that a session opened or closed just now counts. While the back-office cannot be reached, the last one heard of; null when none was.
 */
export function createCurrentSession(deps: {
  world: World;
  pos: PosState;
  own: OwnSession;
  reachability: Reachability;
}): () => Promise<PosSession | null> {
  const { world, pos, own, reachability } = deps;
  return async () => {
    if (!own.hasCredentials) return pos.session();
    const isActive = pos.session()?.active === true;
    // The polling notices when the back-office is back; until then an open session stays open.
    if (isActive && reachability.isUp() === false) return pos.session();
    await within(world, isActive ? CONSENT_WAIT_MS : REFUSAL_WAIT_MS, pos.refreshFromNow());
    return pos.session();
  };
}
