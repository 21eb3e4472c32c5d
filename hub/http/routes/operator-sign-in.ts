import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identities } from "../../back-office/identities.ts";
import type { World } from "../../platform/world.ts";
import { HubError } from "../../platform/errors.ts";
import { createAttemptLimiter } from "../attempt-limiter.ts";
import type { OperatorHandlers } from "../handlers.ts";

/** Failed sign-ins of one address within a minute, so that no back-office user can be locked out through this hub. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

interface SignInRoutesDeps {
  world: World;
  identities: Identities;
  /** Checks the token of every open stream. */
  recheckStreams(): void;
}

export function operatorSignInRoutes(deps: SignInRoutesDeps): Pick<OperatorHandlers, "signIn" | "signOut" | "me"> {
  const { world, identities } = deps;
  const limiter = createAttemptLimiter(world, MAX_FAILURES, WINDOW_MS);

  return {
    signIn: ({ body, ctx }) =>
      limiter.run(ctx.ip, async () => {
        const { token, identity } = await trySignIn(body.login, body.password, ctx.ip);
        const { userId: id, userName: name, role } = identity;
        if (role === "manager") {
          world.log.info({ user: name }, "a manager signed in at the screens");
          return { token, user: { id, name, role } };
        }
        await identities.signOut(token).catch(() => {});
        throw new HubError("FORBIDDEN", `${name} is not a manager`);
      }),

    async signOut({ manager }) {
      const hasEnded = await identities.signOut(manager.token);
      deps.recheckStreams();
      return { signedOut: true, ...(!hasEnded && { backOffice: "pending" }) };
    },

    me({ manager }) {
      const { userId: id, userName: name, token } = manager;
      const newest = identities.newestOf(token);
      return { user: { id, name, role: "manager" }, ...(newest !== token && { token: newest }) };
    },
  };

  async function trySignIn(login: string, password: string, peer: string) {
    try {
      return await identities.signIn(login, password, peer);
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      if (error.kind === "unreachable") {
        throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached to sign in");
      }
      throw new HubError("UNAUTHENTICATED", `the back-office refuses this sign-in: ${error.message}`);
    }
  }
}
