import { logEvent } from "../../../platform/log-event.ts";
import type { Identities } from "../../../back-office/identities.ts";
import { mayRefund } from "../../../fiscal/refunder.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { TerminalHandlers } from "../../handlers.ts";
import type { PasswordSignIn } from "../../access/password-sign-in.ts";
import { requirePassword } from "../../access/require-password.ts";
import { presentPerson } from "../present-person.ts";

interface Deps extends Pick<Stores, "people" | "terminalStore"> {
  world: World;
  identities: Identities;
  passwordSignIn: PasswordSignIn;
}

/** Routes for signing in at a terminal, with a password or a PIN. */
export function terminalPeopleRoutes({ world, identities, passwordSignIn, people, terminalStore }: Deps) {
  return {
    async signIn({ body, ctx }) {
      const { token, identity } = await passwordSignIn(body, "terminal", ctx.ip);
      world.log.info(logEvent("terminal_sign_in", { user: identity.userName }), "somebody signed in at a terminal");
      return { token, user: presentPerson(identity) };
    },

    async signOut({ user }) {
      const hasEnded = await identities.signOut(user.token);
      return { signedOut: true, ...(!hasEnded && { backOffice: "pending" }) };
    },

    async setPin({ user, body, ctx }) {
      if (!people.arePinsOpen) await requirePassword({ identities, passwordSignIn }, user, body.password, ctx.ip);
      await people.setPin(user, body.pin);
      world.log.info(logEvent("pin_set", { user: user.userName }), "a PIN was set");
      return { set: true };
    },

    async enterPin({ body: { userId, pin, for: purpose }, deviceId, ctx }) {
      const senderId = terminalStore.get(deviceId)?.userId ?? null;
      const isApproval = purpose === "approval";
      const attempt = { userId, deviceId, peer: ctx.ip, senderId };
      const { token, person, expiresAt } = await people.enterPin(attempt, pin, isApproval);
      return { actorToken: token, user: presentPerson(person), expiresAt: isoTime(expiresAt) };
    },

    deviceName: ({ deviceId, query: { name } }) => ({
      isFree: name === deviceId || terminalStore.get(name) === null,
    }),

    unusedName: ({ query: { name } }) => ({ isFree: terminalStore.get(name) === null }),

    people: ({ deviceId }) => ({
      people: people.listAt(deviceId).map((person) => {
        const { userId: id, userName: name, role } = person;
        return { id, name, role, ...(mayRefund(person) && { mayRefund: true as const }) };
      }),
    }),
  } satisfies Partial<TerminalHandlers>;
}
