import { pacedBudgets, type HubMessageOf, type TerminalMessageInput } from "@comanda/protocol";
import type { TerminalWorld } from "../world.ts";
import { createPacedSender } from "../pace/paced-sender.ts";

/** Where another terminal's user is. */
export type Whereabouts = Omit<HubMessageOf<"PRESENCE">, "type">;
export type Place = { posReference: string } | { tableId: number };

/** Request id that identifies refusals of PRESENCE. */
export const PRESENCE_ID = "presence";

/** Sends the hub where this user is, and tracks the other users. */
export function createPresence(deps: {
  world: TerminalWorld;
  isOnline: () => boolean;
  /** Returns the token of the acting person. */
  actor: () => string | undefined;
  send: (message: TerminalMessageInput) => void;
  changed: (others: readonly Whereabouts[]) => void;
}) {
  const others = new Map<string, Whereabouts>();
  let place: Place | null = null;
  /** The hub may still show this user somewhere. */
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
    /** Sends the place again on a new session, or that there is none, because other terminals may have missed it. */
    resume(): void {
      if (wasAnywhere) sender.request();
    },
    /** Sends the place again, because another person acts here now. */
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
