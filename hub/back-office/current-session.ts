import type { PosSession } from "@comanda/protocol";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { OwnSession } from "./own-session.ts";
import type { PosState } from "./pos-state.ts";

/** How long a caller waits for the back-office: while the session is closed, so that it would be refused, and while open. */
const REFUSAL_WAIT_MS = 5_000;
const CONSENT_WAIT_MS = 1_000;
/** Burst size of reads. Under a constant load of orders there is one read per READ_EVERY_MS. */
const READ_BURST = 100;
const READ_EVERY_MS = 100;

/**
 * Returns the POS session for a decision. Reads it from the back-office for each call, with one read for concurrent callers,
 * so that a session that was just opened or closed counts. Under a constant load, an open session may be 100 ms old. While the
 * back-office is unreachable, returns the session that was last read; null if there was none.
 */
export function createCurrentSession(deps: {
  world: World;
  pos: PosState;
  own: OwnSession;
}): () => Promise<PosSession | null> {
  const { world, pos, own } = deps;
  let remainingReads = READ_BURST;
  let earnedAt = world.clock.monotonic();
  let newestRead: Promise<void> | null = null;

  function mayRead(): boolean {
    const earned = Math.floor((world.clock.monotonic() - earnedAt) / READ_EVERY_MS);
    earnedAt += earned * READ_EVERY_MS;
    remainingReads = Math.min(remainingReads + earned, READ_BURST);
    return remainingReads > 0;
  }

  function read(): Promise<void> {
    const reading = pos.refreshFromNow();
    if (reading !== newestRead) remainingReads -= 1;
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
