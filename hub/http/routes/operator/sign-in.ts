import { logEvent } from "../../../platform/log-event.ts";
import type { Identities } from "../../../back-office/identities.ts";
import type { OperatorStream } from "../../../operator/stream/stream.ts";
import type { Person } from "../../../people/person.ts";
import { HubError } from "../../../platform/errors.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import type { PasswordSignIn } from "../../access/password-sign-in.ts";
import type { PinSessions } from "../../access/pin-sessions.ts";
import { presentPerson } from "../present-person.ts";

interface Deps extends Pick<Stores, "people"> {
  world: World;
  identities: Identities;
  passwordSignIn: PasswordSignIn;
  pinSessions: PinSessions;
  stream: OperatorStream;
}

export function operatorSignInRoutes(deps: Deps) {
  const { world, identities, passwordSignIn, pinSessions, people } = deps;

  return {
    async signIn({ body, ctx }) {
      const { token, identity } = await passwordSignIn(body, "screens", ctx.ip, ({ role, userName }) => {
        if (role !== "manager") throw new HubError("FORBIDDEN", `${userName} is not a manager`);
      });
      world.log.info(logEvent("manager_sign_in", { user: identity.userName }), "a manager signed in at the screens");
      return { token, user: presentPerson(identity) };
    },

    async signInWithPin({ body, ctx }) {
      const { token, person, expiresAt } = await pinSessions.open(body, ctx.ip);
      return { token, user: presentPerson(person), pinUntil: isoTime(expiresAt) };
    },

    async setPin({ manager, body }) {
      const { userId, userName, permissions } = manager;
      const person: Person = { userId, userName, role: "manager", permissions: [...permissions], login: null };
      await people.setPin(person, body.pin);
      world.log.info(logEvent("pin_set", { user: userName }), "a PIN was set");
      return { set: true };
    },

    async signOut({ manager }) {
      if (manager.pinUntil !== null) {
        await pinSessions.end(manager.token);
        deps.stream.recheck();
        return { signedOut: true };
      }
      const hasEnded = await identities.signOut(manager.token);
      return { signedOut: true, ...(!hasEnded && { backOffice: "pending" }) };
    },

    me({ manager }) {
      const { userId: id, userName: name, permissions, token, pinUntil } = manager;
      const newest = identities.newestOf(token);
      return {
        user: { id, name, role: "manager", permissions },
        ...(newest !== token && { token: newest }),
        ...(pinUntil !== null && { pinUntil: isoTime(pinUntil) }),
        ...(people.hasPin(id) && { hasPin: true as const }),
      };
    },
  } satisfies Partial<OperatorHandlers>;
}
