import type { PlacedTicket, RuleContext, ServiceState } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { mendTickets } from "./mend-tickets.ts";

export type StateDeps = Pick<OrderDeps, "orders" | "tickets" | "itemStates" | "world" | "stations" | "posConfig">;

/**
 * What the rules look at, within a write. A ticket that cannot be read is first made anew from the lines of the checks that
 * hold shares of it: without it they would be sent again.
 */
export function serviceState(deps: StateDeps, tx: Tx): ServiceState {
  return {
    order: deps.orders.get,
    wasRemoved: deps.orders.wasRemoved,
    ticketsOf(posReference): readonly PlacedTicket[] {
      const found = deps.tickets.ofOrder(posReference);
      if (found.unreadable.length === 0) return found.tickets;
      mendTickets(deps, tx, found.unreadable);
      return deps.tickets.ofOrder(posReference).tickets;
    },
    holdersOf: deps.tickets.holdersOf,
    stockOf: deps.itemStates.stockOf,
  };
}

/** What a rule is told of a change that a person makes. */
export function ruleContext(deps: StateDeps, tx: Tx, writer: Writer, queuedAt: number | null = null): RuleContext {
  const { terminalId, userName } = writer;
  return {
    now: tx.now,
    queuedAt,
    writer: { terminalId, userName },
    stations: deps.stations(),
    menu: deps.posConfig(),
    newId: deps.world.random.uuid,
  };
}
