import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identities } from "../../back-office/identities.ts";
import type { SignInPlace } from "../../back-office/sign-ins.ts";
import type { Identity } from "../../back-office/session-calls.ts";
import { HubError } from "../../platform/errors.ts";
import { createRateLimiter } from "../../platform/rate-limiter.ts";
import type { World } from "../../platform/world.ts";

/** Failed sign-ins per address and minute. The limit keeps anyone from locking out back-office users through this hub. */
const MAX_FAILURES = 10;

export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>;

/** Signs people in with login and password. Failures at the screens and the terminals count together. */
export function createPasswordSignIn({ world, identities }: { world: World; identities: Identities }) {
  const failures = createRateLimiter(MAX_FAILURES, world.clock.monotonic);

  /**
   * Opens a back-office session for a person at `peer`, for use at a `place`. `accept` may refuse by throwing. Throws
   * UNAUTHENTICATED, RATE_LIMITED or UPSTREAM_UNAVAILABLE.
   */
  return async function signIn(
    { login, password }: { login: string; password: string },
    place: SignInPlace,
    peer: string,
    accept: (identity: Identity) => void = () => {},
  ): Promise<{ token: string; identity: Identity }> {
    if (!failures.admits(peer)) {
      throw new HubError("RATE_LIMITED", `more than ${MAX_FAILURES} failed attempts; retry in a minute`);
    }
    const signedIn = await identities.signIn({ login, password, place }, peer).catch((error: unknown) => {
      const isUnreachable = error instanceof BackOfficeError && error.kind === "unreachable";
      if (isUnreachable) failures.giveBack(peer);
      throw asHubError(error);
    });
    try {
      accept(signedIn.identity);
    } catch (error) {
      await identities.signOut(signedIn.token).catch(() => {});
      throw error;
    }
    failures.giveBack(peer);
    return signedIn;
  };
}

function asHubError(error: unknown): unknown {
  if (!(error instanceof BackOfficeError)) return error;
  if (error.kind === "unreachable") {
    return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached to sign in");
  }
  return new HubError("UNAUTHENTICATED", `the back-office refuses this sign-in: ${error.message}`);
}
