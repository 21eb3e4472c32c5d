import type { RuleContext } from "../context.ts";
import type { ServiceState } from "../state.ts";
import { kitchenChanges, type KitchenChanges } from "./kitchen-changes.ts";
import { createKitchenDraft } from "./kitchen-draft.ts";

/**
 * Marks a ticket as printed at a station that does not mark dishes, which takes it off the lists without being ready or served.
 * Does nothing if the ticket is over or missing.
 */
export function putOnPaper(state: ServiceState, ticketId: string, { now }: Pick<RuleContext, "now">): KitchenChanges {
  const draft = createKitchenDraft(state.ticketsOf, state.holdersOf(ticketId));
  const ticket = draft.find(ticketId);
  if (ticket === undefined || ticket.isOver) return { checks: [], tickets: [] };
  ticket.onPaper = true;
  return kitchenChanges(state, draft, { now });
}
