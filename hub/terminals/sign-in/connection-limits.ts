import { CloseCode, hubLimits } from "@comanda/protocol";
import { AuthRefused } from "./auth-refused.ts";
import type { ConnectedTerminal } from "../sessions/session-registry.ts";

/** Throws AuthRefused if `others` already holds as many connections as the user, or the address, may have. */
export function requirePlace(
  others: readonly { active: Pick<ConnectedTerminal["active"], "identity">; session: { address: string } }[],
  { userId, address }: { userId: number; address: string },
): void {
  const { connectionsPerUser, connectionsPerAddress } = hubLimits;
  const userConnections = others.filter(({ active }) => active.identity.userId === userId).length;
  const addressConnections = others.filter(({ session }) => session.address === address).length;
  if (userConnections >= connectionsPerUser) throw tooMany(`this user is signed in at ${userConnections} terminals`);
  if (addressConnections >= connectionsPerAddress)
    throw tooMany(`${addressConnections} terminals of this address are signed in`);
}

function tooMany(subject: string): AuthRefused {
  const sentence = `${subject}, the maximum; sign out at one of them`;
  return new AuthRefused("RATE_LIMITED", CloseCode.tryAgainLater, sentence);
}
