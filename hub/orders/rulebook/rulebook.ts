import { isWithKitchen, type PlacedTicket, type RuleContext, type ServiceState } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";
import type { UnappliedPaymentStore } from "../payments/unapplied-payment-store.ts";
import type { Numbering } from "../store/numbering.ts";
import type { Writer } from "../writer.ts";
import { checkOfParty } from "./check-of-party.ts";
import { type RepairDeps, repairTickets } from "./repair-tickets.ts";

export type Rulebook = ReturnType<typeof createRulebook>;

/** The context of a change for the rules, with the facts that only the hub knows. */
export type HubContext = RuleContext & { hub: NonNullable<RuleContext["hub"]> };

/** Creates the inputs of the rules: the state that they read within a write, and the context of a change. */
export function createRulebook(
  deps: RepairDeps & {
    itemStates: ItemStates;
    leases: LeaseBook;
    numbering: Numbering;
    unappliedPayments: UnappliedPaymentStore;
  },
) {
  const { world, pos, orders, tickets, itemStates, leases, numbering, unappliedPayments } = deps;

  /**
   * Returns the state that the rules read within a write. Unreadable tickets are first rebuilt from the lines of the
   * checks with shares of them; otherwise the lines would be sent to the kitchen again.
   */
  function state(tx: Tx): ServiceState {
    return {
      order: orders.get,
      wasRemoved: orders.wasRemoved,
      checksOn: orders.listActiveOnTable,
      ticketsOf(posReference): readonly PlacedTicket[] {
        const found = tickets.listByOrder(posReference);
        if (found.unreadable.length === 0) return found.tickets;
        repairTickets(deps, tx, found.unreadable);
        return tickets.listByOrder(posReference).tickets;
      },
      holdersOf: tickets.listHolders,
      stockOf: itemStates.stockOf,
    };
  }

  return {
    state,

    /**
     * Returns the same for a write that changes the content of checks. Reads each check once, and rebuilds their
     * unreadable tickets even if the write does not use them.
     */
    contentState(tx: Tx, posReferences: readonly string[]): ServiceState {
      const service = state(tx);
      const written = new Map(posReferences.map((posReference) => [posReference, orders.get(posReference)]));
      for (const [posReference, order] of written) {
        if (order?.snapshot.lines.some(isWithKitchen) === true) service.ticketsOf(posReference);
      }
      const order = (posReference: string) => {
        const draft = written.get(posReference);
        return draft === undefined ? orders.get(posReference) : draft;
      };
      return { ...service, order };
    },

    /**
     * Returns the context of a change for the rules. With `contentOnly` false (integrations) every version of another
     * writer is a conflict, not only new content.
     */
    context(
      tx: Tx,
      writer: Writer,
      { queuedAt = null, contentOnly = true }: { queuedAt?: number | null; contentOnly?: boolean } = {},
    ): HubContext {
      const { terminalId } = writer;
      return {
        now: tx.now,
        queuedAt,
        writer,
        stations: pos.stations(),
        menu: pos.config(),
        session: pos.session(),
        takeBackMs: pos.takeBackMs,
        newId: world.random.uuid,
        hub: {
          otherHolder: (posReference) => leases.holderOtherThan(posReference, terminalId),
          hasOtherWriter: (posReference, version) =>
            orders.hasOtherWriter(posReference, version, terminalId, contentOnly),
          hasKeptMoney: (posReference) =>
            unappliedPayments.listByOrder(posReference).some(({ settledAt }) => settledAt === null),
          formerRate: pos.formerRate,
          checkOfParty: (record) => checkOfParty(orders, record),
          ticketNumber: (orderType) => numbering.ticketNumber(tx, orderType),
        },
      };
    },
  };
}
