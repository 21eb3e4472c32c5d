import { DAY_MS } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { ACTOR_TTL_MS, type ActorTokens } from "./actor-tokens.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { digestPin } from "./pin-digest.ts";
import type { IssuedActor, PinChecker } from "./pin-checker.ts";

/**
 * Pseudo-devices for PINs entered on screens; no device can have such an id. The hub's own computer is separate, so that wrong
 * PINs from the network lock nobody out there.
 */
export const screenPlaces = { hub: "screens:hub", network: "screens:network" } as const;
export type ScreenPlace = (typeof screenPlaces)[keyof typeof screenPlaces];

/** Sessions at the screens that are opened with a PIN. */
export function createScreenSessions(deps: {
  time: TrustedTime;
  store: PersonStore;
  tokens: ActorTokens;
  checkPin: PinChecker;
}) {
  const { time, store, tokens, checkPin } = deps;

  /** How long a person's last confirmation is still valid, in ms. */
  function remainingConfirmationMs(userId: number): number {
    const confirmedAt = store.confirmedAt(userId);
    return confirmedAt === null ? 0 : DAY_MS - Math.abs(time.latest() - confirmedAt);
  }

  /** Whether a person may open a session. Others get the same answer as for a wrong PIN: theirs is valid at terminals. */
  function admits({ userId, role }: Person): boolean {
    return role === "manager" && !store.isPinTooShort(userId);
  }

  return {
    /**
     * Opens a session for the manager with this login or name, until a day after the back-office last confirmed them and at
     * most 12 h. Throws as `checkPin` does, and takes as long for an unknown person; throws UPSTREAM_UNAVAILABLE once that day
     * is over.
     */
    async open(
      { login, pin, place, peer }: { login: string; pin: string; place: ScreenPlace; peer: string },
      onOpened: (tx: Tx, person: Person) => void,
    ): Promise<IssuedActor> {
      const found = store.findByLogin(login);
      if (found === null || store.pin(found.userId) === null) {
        await digestPin(pin, "nobody");
        throw new HubError("UNAUTHENTICATED", "login: no user with this login has a PIN at this hub");
      }
      const give = (tx: Tx, person: Person): IssuedActor => {
        onOpened(tx, person);
        const ttlMs = Math.min(ACTOR_TTL_MS, remainingConfirmationMs(person.userId));
        if (ttlMs <= 0) {
          const message = "the back-office confirmed this account more than 24 h ago: sign in with the password";
          throw new HubError("UPSTREAM_UNAVAILABLE", message);
        }
        const expiresAt = time.latest() + ttlMs;
        const token = tokens.give({ userId: person.userId, deviceId: place, isPin: true, expiresAt });
        return { token, person, expiresAt };
      };
      const isHubScreen = place === screenPlaces.hub;
      const attempt = { userId: found.userId, deviceId: place, peer, senderId: null, isHubScreen };
      return checkPin(attempt, pin, give, admits);
    },

    /** Returns the person of a session, or null if the token is unknown or has expired. */
    find(token: string): Omit<IssuedActor, "token"> | null {
      const found = tokens.findValid(token);
      if (found === null || !isScreenPlace(found.deviceId)) return null;
      const person = store.get(found.userId);
      return person === null ? null : { person, expiresAt: found.expiresAt };
    },

    /** Call in a transaction. */
    end: tokens.end,
    /** Call in a transaction. */
    endAll(): void {
      for (const place of Object.values(screenPlaces)) tokens.revokeDevice(place);
    },
  };
}

function isScreenPlace(deviceId: string): boolean {
  return Object.values<string>(screenPlaces).includes(deviceId);
}
