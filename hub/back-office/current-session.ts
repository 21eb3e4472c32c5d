import type { PosSession } from "@comanda/protocol";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { OwnSession } from "./own-session.ts";
import type { PosState } from "./pos-state.ts";

/** How long a caller waits for the back-office when it would otherwise be refused, and when it would not. */
const REFUSAL_WAIT_MS = 5_000;
const CONSENT_WAIT_MS = 1_000;
/** How many reads may follow each other at once; in a flood of orders there is one in READ_EVERY_MS. */
const READS_AT_ONCE = 100;
const READ_EVERY_MS = 100;

/**
 * The POS session for decisions that depend on it: read again for each of them, with one read for simultaneous callers,
 * so that a session opened or closed just now counts. In a flood of orders an open session may be a tenth of a second
 * old. While the back-office cannot be reached, the last one that was read; null when there was none.
 */
export function createCurrentSession(deps: {
  world: World;
  pos: PosState;
  own: OwnSession;
}): () => Promise<PosSession | null> {
  const { world, pos, own } = deps;
  let readsLeft = READS_AT_ONCE;
  let earnedAt = world.clock.monotonic();
  let newestRead: Promise<void> | null = null;

  function mayRead(): boolean {
    const earned = Math.floor((world.clock.monotonic() - earnedAt) / READ_EVERY_MS);
    earnedAt += earned * READ_EVERY_MS;
    readsLeft = Math.min(readsLeft + earned, READS_AT_ONCE);
    return readsLeft > 0;
  }

  function read(): Promise<void> {
    const reading = pos.refreshFromNow();
    if (reading !== newestRead) readsLeft -= 1;
    newestRead = reading;
    return reading;
  }

  return async () => {
    if (!own.hasCredentials) return pos.session();
    const isActive = pos.session()?.active === true;
    if (isActive && !mayRead()) return pos.session();
    await withTimeout(world, isActive ? CONSENT_WAIT_MS : REFUSAL_WAIT_MS, read());
    return pos.session();
  };
}
