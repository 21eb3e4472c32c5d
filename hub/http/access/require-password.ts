import type { Identities } from "../../back-office/identities.ts";
import { HubError } from "../../platform/errors.ts";
import type { SessionUser } from "./access.ts";
import type { PasswordSignIn } from "./password-sign-in.ts";

export interface PasswordDeps {
  identities: Pick<Identities, "isPasswordRecent" | "isTerminals" | "signOut">;
  passwordSignIn: PasswordSignIn;
}

/**
 * Throws unless the caller with a terminal's session knows its user's password: they signed in with it a moment ago, or send it
 * now. Such a session is on a tablet that anyone can pick up. Throws CONFIRMATION_NEEDED; RATE_LIMITED or UPSTREAM_UNAVAILABLE
 * if the password cannot be checked now.
 */
export async function requirePassword(
  { identities, passwordSignIn }: PasswordDeps,
  user: SessionUser,
  password: string | undefined,
  peer: string,
): Promise<void> {
  if (!identities.isTerminals(user.token) || identities.isPasswordRecent(user.token)) return;
  if (password === undefined || user.login === null) {
    const hint = user.login === null ? "sign in again with it" : "give it as `password`";
    throw new HubError("CONFIRMATION_NEEDED", `the password of ${user.userName} is needed: ${hint}`);
  }
  const { token } = await passwordSignIn({ login: user.login, password }, "terminal", peer, ({ userId }) => {
    if (userId !== user.userId) throw new HubError("CONFIRMATION_NEEDED", "password: belongs to another user");
  }).catch((error: unknown) => {
    const isWrong = error instanceof HubError && error.code === "UNAUTHENTICATED";
    throw isWrong ? new HubError("CONFIRMATION_NEEDED", `password: ${error.message}`) : error;
  });
  await identities.signOut(token);
}
