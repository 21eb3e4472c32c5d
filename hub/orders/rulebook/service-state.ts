import { isWithKitchen, type PlacedTicket, type RuleContext, type ServiceState } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { OrderDeps, Writer } from "../order-deps.ts";
import { mendTickets } from "./mend-tickets.ts";

export type StateDeps = Pick<OrderDeps, "orders" | "tickets" | "itemStates" | "world" | "stations" | "posConfig">;

type ContextDeps = Pick<
  OrderDeps,
  | "orders"
  | "world"
  | "stations"
  | "posConfig"
  | "session"
  | "takeBackMs"
  | "leases"
  | "unappliedPayments"
  | "numbering"
>;

/**
 * What the rules look at, within a write. A ticket that cannot be read is first made anew from the lines of the checks that
 * hold shares of it: without it they would be sent again.
 */
export function serviceState(deps: StateDeps, tx: Tx): ServiceState {
  return {
    order: deps.orders.get,
    wasRemoved: deps.orders.wasRemoved,
    checksOn: deps.orders.activeOnTable,
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

/**
 * The same for a write of the content of checks: each is looked up once, and their tickets are made anew also where the write
 * leaves them alone.
 */
export function contentState(deps: StateDeps, tx: Tx, posReferences: readonly string[]): ServiceState {
  const state = serviceState(deps, tx);
  const written = new Map(posReferences.map((posReference) => [posReference, deps.orders.get(posReference)]));
  for (const [posReference, order] of written) {
    if (order?.snapshot.lines.some(isWithKitchen) === true) state.ticketsOf(posReference);
  }
  const order = (posReference: string) => {
    const known = written.get(posReference);
    return known === undefined ? deps.orders.get(posReference) : known;
  };
  return { ...state, order };
}

/** What a rule is told of a change. To an integration every other writer's version is a conflict, not only new content. */
export function ruleContext(
  deps: ContextDeps,
  tx: Tx,
  writer: Writer,
  { queuedAt = null, contentOnly = true }: { queuedAt?: number | null; contentOnly?: boolean } = {},
): RuleContext {
  const { terminalId } = writer;
  return {
    now: tx.now,
    queuedAt,
    writer,
    stations: deps.stations(),
    menu: deps.posConfig(),
    session: deps.session(),
    takeBackMs: deps.takeBackMs,
    newId: deps.world.random.uuid,
    hub: {
      otherHolder: (posReference) => deps.leases.holderOtherThan(posReference, terminalId),
      hasOtherWriter: (posReference, version) =>
        deps.orders.hasOtherWriter(posReference, version, terminalId, contentOnly),
      hasKeptMoney: (posReference) =>
        deps.unappliedPayments.ofOrder(posReference).some(({ settledAt }) => settledAt === null),
      ticketNumber: (orderType) => deps.numbering.ticketNumber(tx, orderType),
    },
  };
}
