import type { HubMessageOf } from "@comanda/protocol";
import type { Actor } from "../outbox/entries/outbox-entry.ts";

/** The user of the session and the person who acts by a PIN, as they are kept over a reload. */
export interface SavedActor {
  actor: Actor | null;
  withPin?: Actor | null;
  session: string;
}

export type Actors = ReturnType<typeof createActors>;

/** Who is acting: somebody with a PIN, else the user of the session. */
export function createActors(deps: {
  saved: SavedActor | null;
  token: string;
  save: (saved: SavedActor | null) => void;
}) {
  const { saved, save } = deps;
  let session = nameOf(deps.token);
  const known = saved?.session === session ? saved : null;
  let signedIn: Actor | null = known?.actor ?? null;
  // A reload must not give somebody with a PIN the rights of the user who signed in on this device.
  let withPin: Actor | null = known?.withPin ?? null;

  return {
    current: (): Actor | null => withPin ?? signedIn,
    /** Null: the user of the session again. */
    use(actor: Actor | null): void {
      withPin = actor;
      keep();
    },
    authenticated({ actorToken, user }: HubMessageOf<"AUTH_OK">): void {
      signedIn = actorToken === undefined ? null : { token: actorToken, user: { id: user.id, name: user.name } };
      keep();
    },
    /** The session's token was renewed: its user stays. */
    renewed(token: string): void {
      session = nameOf(token);
      keep();
    },
    /** Somebody else signs in: who it is comes with AUTH_OK. */
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

/** Enough of a token to tell it from another. */
function nameOf(token: string): string {
  return token.slice(-8);
}
