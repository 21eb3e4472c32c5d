import { pacedBudgets, type HubMessageOf, type TerminalMessageInput } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "../pace/paced-sender.ts";

/** Where another terminal's user is. */
export type Whereabouts = Omit<HubMessageOf<"PRESENCE">, "type">;
export type Place = { posReference: string } | { tableId: number };

/** By this the refusal of a PRESENCE is known. */
export const PRESENCE_ID = "presence";

/** Where this user is, as the hub is sent it, and where the others are. */
export function createPresence(deps: {
  world: TerminalWorld;
  isOnline: () => boolean;
  /** The token of the person who acts. */
  actor: () => string | undefined;
  send: (message: TerminalMessageInput) => void;
  changed: (others: readonly Whereabouts[]) => void;
}) {
  const others = new Map<string, Whereabouts>();
  let place: Place | null = null;
  /** The hub may believe that this user is somewhere. */
  let wasAnywhere = false;
  const sender = createPacedSender(deps.world, pacedBudgets.presence, () => {
    const actor = deps.actor();
    deps.send({ type: "PRESENCE", ...place, ...(actor !== undefined && { actor }), requestId: PRESENCE_ID });
  });
  const list = () => [...others.values()];
  return {
    others: list,
    show(newPlace: Place | null): void {
      place = newPlace;
      wasAnywhere ||= place !== null;
      if (deps.isOnline()) sender.request();
    },
    /** The session is online: shows the place again, or that there is none: the others may not have heard that it was left. */
    resume(): void {
      if (wasAnywhere) sender.request();
    },
    /** Somebody else acts here from now on. */
    renamed(): void {
      if (place !== null && deps.isOnline()) sender.request();
    },
    /** The hub refused the last message as one too many. */
    refused: sender.refused,
    lost: sender.reset,
    forgetOthers: () => others.clear(),
    received(message: HubMessageOf<"PRESENCE">): void {
      const { type: _, ...whereabouts } = message;
      others.set(whereabouts.terminalId, whereabouts);
      deps.changed(list());
    },
    left(terminalId: string): void {
      if (others.delete(terminalId)) deps.changed(list());
    },
  };
}
