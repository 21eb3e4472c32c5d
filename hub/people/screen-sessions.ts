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

/** What happens in the transaction in which a PIN is judged. */
export interface PinObserver {
  /** The PIN is right; throwing refuses all the same. */
  accept(tx: Tx, person: Person): void;
  /** It is wrong, and nobody can try another one for a while. */
  onLocked(tx: Tx, person: Person): void;
}

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

  return {
    /**
     * Opens a session for the person with this login or name, until a day after the back-office last confirmed them and
     * for 12 h at most. Refuses as a PIN judge does, in the same time whether or not there is such a person; with
     * UPSTREAM_UNAVAILABLE when that day is over.
     */
    async open(
      { login, pin, place }: { login: string; pin: string; place: ScreenPlace },
      { accept, onLocked }: PinObserver,
    ): Promise<GivenActor> {
      const found = store.findByLogin(login);
      if (found === null || store.pin(found.userId) === null) {
        await digestPin(pin, "nobody");
        throw new HubError("UNAUTHENTICATED", "login: nobody with this login has set a PIN here");
      }
      const give = (tx: Tx, person: Person): GivenActor => {
        accept(tx, person);
        const leftMs = Math.min(ACTOR_TTL_MS, confirmationLeft(person.userId));
        if (leftMs <= 0) {
          const why = "the back-office confirmed this account more than 24 h ago: sign in with the password";
          throw new HubError("UPSTREAM_UNAVAILABLE", why);
        }
        const expiresAt = time.latest() + leftMs;
        const token = tokens.give({ userId: person.userId, deviceId: place, isPin: true, expiresAt });
        return { token, person, expiresAt };
      };
      return judgePin({ userId: found.userId, deviceId: place }, pin, give, onLocked);
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
      for (const place of Object.values(screenPlaces)) tokens.endDevice(place);
    },
  };
}

function isScreenPlace(deviceId: string): boolean {
  return Object.values<string>(screenPlaces).includes(deviceId);
}
