import { messageBudgets, type HubMessageOf, type TerminalMessageInput } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "./paced-sender.ts";

/** Where another terminal's user is. */
export type Whereabouts = Omit<HubMessageOf<"PRESENCE">, "type">;
export type Place = { posReference: string } | { tableId: number };

/** By this the refusal of a PRESENCE is known. */
export const PRESENCE_ID = "presence";

/** Where this user is, as the hub is sent it, and where the others are. */
export interface Presence {
  others(): Whereabouts[];
  show(place: Place | null): void;
  /** The session is online: shows the place again. */
  resume(): void;
  /** The hub refused the last message as one too many. */
  refused(): void;
  lost(): void;
  forgetOthers(): void;
  received(message: HubMessageOf<"PRESENCE">): void;
  left(terminalId: string): void;
}

export function createPresence(deps: {
  world: TerminalWorld;
  isOnline: () => boolean;
  send: (message: TerminalMessageInput) => void;
  changed: (others: readonly Whereabouts[]) => void;
}): Presence {
  const others = new Map<string, Whereabouts>();
  let place: Place | null = null;
  const sender = createPacedSender(deps.world, messageBudgets.presence, () =>
    deps.send({ type: "PRESENCE", ...place, requestId: PRESENCE_ID }),
  );
  const list = () => [...others.values()];
  return {
    others: list,
    show(newPlace) {
      place = newPlace;
      if (deps.isOnline()) sender.request();
    },
    resume() {
      if (place !== null) sender.request();
    },
    refused: sender.refused,
    lost: sender.reset,
    forgetOthers: () => others.clear(),
    received(message) {
      const { type: _, ...whereabouts } = message;
      others.set(whereabouts.terminalId, whereabouts);
      deps.changed(list());
    },
    left(terminalId) {
      if (others.delete(terminalId)) deps.changed(list());
    },
  };
}
