import type { TicketLine, TicketLineState, TicketShare } from "@comanda/protocol";
import { isShareServed } from "./dish-places.ts";
import { activeQuantity } from "./shares.ts";

/** Returns the kitchen's progress with a share. */
export function shareState(line: Pick<TicketLine, "state">, share: TicketShare): TicketLineState {
  const active = activeQuantity(share);
  if (active === 0) return "cancelled";
  if (isShareServed(line, share)) return "served";
  return line.state === "started" && share.preparedQuantity >= active ? "ready" : line.state;
}
