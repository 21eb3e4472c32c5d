import type { Emitter } from "./emitter.ts";
import type { ActorGrant, HubCopies } from "./http/hub-copies.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Actor } from "./outbox/entries/outbox-entry.ts";
import type { Actors } from "./session/actors.ts";
import type { Connection } from "./session/connection.ts";
import type { TerminalEvents } from "./terminal-interface.ts";

/** Changes who is signed in and who acts, in the session and the outbox, and notifies listeners. */
export function createActingPeople(deps: {
  actors: Actors;
  connection: Connection;
  outbox: Outbox;
  enterPin: HubCopies["enterPin"];
  presence: { renamed: () => void };
  emitter: Emitter<TerminalEvents>;
}) {
  const { actors, connection, outbox, enterPin, presence, emitter } = deps;

  function useActor(actor: Actor | null): void {
    actors.use(actor);
    if (actor !== null) outbox.renewActor(actor);
    presence.renamed();
    emitter.emit("actor", actors.current());
  }

  return {
    useToken(token: string): void {
      actors.renewed(token);
      connection.useToken(token);
    },
    switchUser(token: string): void {
      actors.switched(token);
      const isRunning = connection.state().name !== "stopped";
      connection.stop();
      connection.useToken(token);
      if (isRunning) connection.start();
      emitter.emit("actor", actors.current());
    },
    useActor,
    async signInWithPin(userId: number | string, pin: string): Promise<ActorGrant> {
      const grant = await enterPin(userId, pin);
      useActor({ token: grant.actorToken, user: grant.user });
      return grant;
    },
    actor: actors.current,
    pendingPins: outbox.pendingPins,
    renewActor(actor: Actor): void {
      if (String(actors.current()?.user.id) === String(actor.user.id)) useActor(actor);
      else outbox.renewActor(actor);
    },
    answerFor: outbox.answerFor,
    giveUpPin: outbox.giveUpPin,
  };
}
