import type { TrustedTime } from "../time/trusted-time.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import type { IdentityStore } from "./identity-store.ts";
import type { NewestIdentity } from "./newest-identity.ts";
import type { RecentPasswords } from "./recent-passwords.ts";
import type { RecentRefusals } from "./recent-refusals.ts";
import type { TerminalSessions } from "./terminal-sessions.ts";
import type { TokenRotations } from "./token-rotations.ts";

/** What the hub holds of sessions. */
export interface HeldSessions {
  time: Pick<TrustedTime, "latest">;
  store: IdentityStore;
  ofTerminals: TerminalSessions;
  rotations: TokenRotations;
  ended: EndedSessions;
  refusals: RecentRefusals;
  passwords: RecentPasswords;
  newest: NewestIdentity;
}
