import type { Identities } from "../../back-office/identities.ts";
import type { OperatorStream } from "../../operator/stream.ts";
import type { OrderDeps } from "../../orders/order-deps.ts";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import { HubError } from "../../platform/errors.ts";
import { createRateLimiter } from "../../platform/rate-limiter.ts";
import type { OperatorHandlers } from "../handlers.ts";

/** Failed sign-ins of one address within a minute, so that no back-office user can be locked out through this hub. */
const MAX_FAILURES = 10;

interface Deps extends Pick<OrderDeps, "world"> {
  identities: Identities;
  stream: OperatorStream;
}

export function operatorSignInRoutes(deps: Deps) {
  const { world, identities } = deps;
  const failures = createRateLimiter(MAX_FAILURES, world.clock.monotonic);

  return {
    async signIn({ body: { login, password }, ctx }) {
      if (!failures.admits(ctx.ip)) {
        throw new HubError("RATE_LIMITED", `more than ${MAX_FAILURES} failed attempts; retry in a minute`);
      }
      const { token, identity } = await identities.signIn(login, password, ctx.ip).catch((error: unknown) => {
        const isUnreachable = error instanceof BackOfficeError && error.kind === "unreachable";
        if (isUnreachable) failures.giveBack(ctx.ip);
        throw asHubError(error);
      });
      const { userId: id, userName: name, role, permissions } = identity;
      if (role !== "manager") {
        await identities.signOut(token).catch(() => {});
        throw new HubError("FORBIDDEN", `${name} is not a manager`);
      }
      failures.giveBack(ctx.ip);
      world.log.info({ user: name }, "a manager signed in at the screens");
      return { token, user: { id, name, role, permissions } };
    },

    async signOut({ manager }) {
      const hasEnded = await identities.signOut(manager.token);
      deps.stream.recheck();
      return { signedOut: true, ...(!hasEnded && { backOffice: "pending" }) };
    },

    me({ manager }) {
      const { userId: id, userName: name, permissions, token } = manager;
      const newest = identities.newestOf(token);
      return { user: { id, name, role: "manager", permissions }, ...(newest !== token && { token: newest }) };
    },
  } satisfies Partial<OperatorHandlers>;
}

function asHubError(error: unknown): unknown {
  if (!(error instanceof BackOfficeError)) return error;
  if (error.kind === "unreachable") {
    return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached to sign in");
  }
  return new HubError("UNAUTHENTICATED", `the back-office refuses this sign-in: ${error.message}`);
}
