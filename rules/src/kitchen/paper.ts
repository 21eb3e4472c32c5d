import type { RuleContext } from "../context.ts";
import type { ServiceState } from "../state.ts";
import { kitchenChanges, type KitchenChanges } from "./kitchen-changes.ts";
import { createKitchenDraft } from "./kitchen-draft.ts";

/**
 * The slip of a ticket lies at a station where nobody marks dishes: for the lists it is done, without being ready or served.
 * Nothing changes for one that is over, or gone.
 */
export function putOnPaper(state: ServiceState, ticketId: string, { now }: Pick<RuleContext, "now">): KitchenChanges {
  const draft = createKitchenDraft(state.ticketsOf, state.holdersOf(ticketId));
  const ticket = draft.find(ticketId);
  if (ticket === undefined || ticket.isOver) return { checks: [], tickets: [] };
  ticket.onPaper = true;
  return kitchenChanges(state, draft, { now });
}
