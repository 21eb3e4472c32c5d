import type { PosSession } from "@comanda/protocol";
import { within } from "../within.ts";
import type { World } from "../world.ts";
import type { OwnSession } from "./own-session.ts";
import type { PosState } from "./pos-state.ts";
import type { Reachability } from "./reachability.ts";

/** What is known for no longer than this counts as current: an open session, and a closed one, which refuses orders. */
const FRESH_OPEN_MS = 1_000;
const FRESH_CLOSED_MS = 100;
/** How long a caller waits for the back-office when it would be refused otherwise, and when it would not. */
const REFUSAL_WAIT_MS = 5_000;
const CONSENT_WAIT_MS = 1_000;

/**
 * The POS session for decisions that hang on it: read again when what is known is not fresh, so that a session opened or
 * closed just now counts. While the back-office cannot be reached, the last one heard of; null when none was.
 */
export function createCurrentSession(deps: {
  world: World;
  pos: PosState;
  own: OwnSession;
  reachability: Reachability;
}): () => Promise<PosSession | null> {
  const { world, pos, own, reachability } = deps;
  return async () => {
    const isActive = pos.session()?.active === true;
    if (pos.ageMs() <= (isActive ? FRESH_OPEN_MS : FRESH_CLOSED_MS) || !own.hasCredentials) return pos.session();
    // The polling notices when the back-office is back; until then an open session stays open.
    if (isActive && reachability.isUp() === false) return pos.session();
    await within(world, isActive ? CONSENT_WAIT_MS : REFUSAL_WAIT_MS, pos.refresh());
    return pos.session();
  };
}
