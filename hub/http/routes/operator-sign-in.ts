import type { Identities } from "../../back-office/identities.ts";
import type { OperatorStream } from "../../operator/stream.ts";
import type { OrderDeps } from "../../orders/order-deps.ts";
import { HubError } from "../../platform/errors.ts";
import type { OperatorHandlers } from "../handlers.ts";
import type { PasswordSignIn } from "../password-sign-in.ts";

interface Deps extends Pick<OrderDeps, "world"> {
  identities: Identities;
  passwordSignIn: PasswordSignIn;
  stream: OperatorStream;
}

export function operatorSignInRoutes(deps: Deps) {
  const { world, identities, passwordSignIn } = deps;

  return {
    async signIn({ body, ctx }) {
      const { token, identity } = await passwordSignIn(body, ctx.ip, ({ role, userName }) => {
        if (role !== "manager") throw new HubError("FORBIDDEN", `${userName} is not a manager`);
      });
      const { userId: id, userName: name, role, permissions } = identity;
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
