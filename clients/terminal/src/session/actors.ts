import type { HubMessageOf } from "@comanda/protocol";
import type { Actor } from "../outbox/entries/outbox-entry.ts";

/** The session's user and the person who acts by PIN, as saved for a reload. */
export interface SavedActor {
  actor: Actor | null;
  withPin?: Actor | null;
  session: string;
}

export type Actors = ReturnType<typeof createActors>;

/** Tracks who acts: a person with a PIN, otherwise the session's user. */
export function createActors(deps: {
  saved: SavedActor | null;
  token: string;
  save: (saved: SavedActor | null) => void;
}) {
  const { saved, save } = deps;
  let session = nameOf(deps.token);
  const usable = saved?.session === session ? saved : null;
  let signedIn: Actor | null = usable?.actor ?? null;
  // After a reload, a person with a PIN must not get the rights of the user signed in on this device.
  let withPin: Actor | null = usable?.withPin ?? null;

  return {
    current: (): Actor | null => withPin ?? signedIn,
    /** Null returns to the session's user. */
    use(actor: Actor | null): void {
      withPin = actor;
      keep();
    },
    authenticated({ actorToken, user }: HubMessageOf<"AUTH_OK">): void {
      signedIn = actorToken === undefined ? null : { token: actorToken, user: { id: user.id, name: user.name } };
      keep();
    },
    /** Notes a renewed token of the session. The user stays. */
    renewed(token: string): void {
      session = nameOf(token);
      keep();
    },
    /** Notes the token of another user, whose name arrives with AUTH_OK. */
    switched(token: string): void {
      session = nameOf(token);
      withPin = null;
      signedIn = null;
      keep();
    },
  };

  function keep(): void {
    save(signedIn === null && withPin === null ? null : { actor: signedIn, withPin, session });
  }
}

/** A suffix that distinguishes a token from others. */
function nameOf(token: string): string {
  return token.slice(-8);
}
