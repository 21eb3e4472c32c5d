import { useStore } from "@comanda/ui/store.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";
import { useLive } from "../../lib/connection/pos.ts";
import { personToAsk, pinAgain } from "../../people/pin-again-store.ts";

const PinAgainSheet = lazyPart(() => import("./pin-again-sheet.tsx"), "PinAgainSheet");

/**
 * Asks for the PIN of a user whose token has ended while their changes wait: at once for the acting user, for others when
 * requested in the list of conflicts.
 */
export function PinAgain() {
  const pending = useLive("pendingPins");
  const actor = useLive("actor");
  const person = personToAsk(pending, { ...useStore(pinAgain), actorId: actor?.user.id });
  if (person === null) return null;
  return <PinAgainSheet key={String(person.user.id)} person={person} isActor={person.user.id === actor?.user.id} />;
}
