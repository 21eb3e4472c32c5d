import { callHub } from "../lib/hub.ts";
import { signOut } from "../lib/session.ts";

/** Ends the session in this browser at once, and in the back-office if it is reachable. */
export async function signOutEverywhere(): Promise<void> {
  // Called before the sign-out, because the call needs the token.
  const ended = callHub("signOut").catch(() => undefined);
  signOut();
  await ended;
}
