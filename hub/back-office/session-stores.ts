import type { TrustedTime } from "../time/trusted-time.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import { createIdentityStore } from "./identity-store.ts";
import { createNewestIdentity } from "./newest-identity.ts";
import { createRecentPasswords } from "./recent-passwords.ts";
import { createRecentRefusals } from "./recent-refusals.ts";
import { createTerminalSessions } from "./terminal-sessions.ts";
import { createTokenRotations } from "./token-rotations.ts";

export type SessionStores = ReturnType<typeof createSessionStores>;

/** Creates all stores that hold the hub's knowledge of sessions. */
export function createSessionStores(deps: Parameters<typeof createEndedSessions>[0]) {
  const { world, db } = deps;
  const time: Pick<TrustedTime, "latest"> = deps.time;
  return {
    time,
    store: createIdentityStore(db, world),
    terminalSessions: createTerminalSessions(db, world),
    rotations: createTokenRotations(),
    ended: createEndedSessions(deps),
    refusals: createRecentRefusals(world),
    passwords: createRecentPasswords({ monotonic: world.clock.monotonic, wall: time.latest }),
    newest: createNewestIdentity(),
  };
}
