import { callHub } from "../../../lib/hub-client.ts";
import { signOut } from "../../../lib/session.ts";

/** Ends the session here at once, and in the back-office when it can be reached. */
export async function signOutEverywhere(): Promise<void> {
  const told = callHub("signOut", {}).catch(() => undefined);
  signOut();
  await told;
}
