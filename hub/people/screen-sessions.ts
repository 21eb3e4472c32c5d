import { DAY_MS } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { ACTOR_TTL_MS, type ActorTokens } from "./actor-tokens.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { digestPin } from "./pin-digest.ts";
import type { GivenActor, PinJudge } from "./pin-judge.ts";

/**
 * Where PINs are entered on screens. No device can have such an id. The hub's own computer is apart, so that wrong PINs
 * from the network lock nobody out there.
 */
export const screenPlaces = { hub: "screens:hub", network: "screens:network" } as const;
export type ScreenPlace = (typeof screenPlaces)[keyof typeof screenPlaces];

/** Sessions at the screens that a PIN opens. */
export function createScreenSessions(deps: {
  time: TrustedTime;
  store: PersonStore;
  tokens: ActorTokens;
  judgePin: PinJudge;
}) {
  const { time, store, tokens, judgePin } = deps;

  /** For how long somebody's last confirmation still counts, in ms. */
  function confirmationLeft(userId: number): number {
    const confirmedAt = store.confirmedAt(userId);
    return confirmedAt === null ? 0 : DAY_MS - Math.abs(time.latest() - confirmedAt);
  }

  /** The right PIN of somebody else must not be told from a wrong one: it is good at terminals. */
  function admits({ userId, role }: Person): boolean {
    return role === "manager" && !store.isPinTooShort(userId);
  }

  return {
    /**
     * Opens a session for the manager with this login or name, until a day after the back-office last confirmed them and
     * for 12 h at most. Refuses as a PIN judge does, in the same time whether or not there is such a person; with
     * UPSTREAM_UNAVAILABLE when that day is over.
     */
    async open(
      { login, pin, place, peer }: { login: string; pin: string; place: ScreenPlace; peer: string },
      onOpened: (tx: Tx, person: Person) => void,
    ): Promise<GivenActor> {
      const found = store.findByLogin(login);
      if (found === null || store.pin(found.userId) === null) {
        await digestPin(pin, "nobody");
        throw new HubError("UNAUTHENTICATED", "login: nobody with this login has set a PIN here");
      }
      const give = (tx: Tx, person: Person): GivenActor => {
        onOpened(tx, person);
        const leftMs = Math.min(ACTOR_TTL_MS, confirmationLeft(person.userId));
        if (leftMs <= 0) {
          const why = "the back-office confirmed this account more than 24 h ago: sign in with the password";
          throw new HubError("UPSTREAM_UNAVAILABLE", why);
        }
        const expiresAt = time.latest() + leftMs;
        const token = tokens.give({ userId: person.userId, deviceId: place, isPin: true, expiresAt });
        return { token, person, expiresAt };
      };
      const isHubScreen = place === screenPlaces.hub;
      const attempt = { userId: found.userId, deviceId: place, peer, senderId: null, isHubScreen };
      return judgePin(attempt, pin, give, admits);
    },

    /** Whose session a token is; null when it is none or has ended. */
    find(token: string): Omit<GivenActor, "token"> | null {
      const found = tokens.findValid(token);
      if (found === null || !isScreenPlace(found.deviceId)) return null;
      const person = store.get(found.userId);
      return person === null ? null : { person, expiresAt: found.expiresAt };
    },

    /** Inside a write. */
    end: tokens.end,
    /** Inside a write. */
    endAll(): void {
      for (const place of Object.values(screenPlaces)) tokens.revokeDevice(place);
    },
  };
}

function isScreenPlace(deviceId: string): boolean {
  return Object.values<string>(screenPlaces).includes(deviceId);
}
