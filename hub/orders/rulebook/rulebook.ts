import { isWithKitchen, type PlacedTicket, type RuleContext, type ServiceState } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";
import type { UnappliedPaymentStore } from "../payments/unapplied-payment-store.ts";
import type { Numbering } from "../store/numbering.ts";
import type { Writer } from "../writer.ts";
import { checkOfParty } from "./check-of-party.ts";
import { type MendDeps, mendTickets } from "./mend-tickets.ts";

export type Rulebook = ReturnType<typeof createRulebook>;

/** A change as the rules see it, with what only the hub can know. */
export type HubContext = RuleContext & { hub: NonNullable<RuleContext["hub"]> };

/** What the rules are handed: the state that they look at within a write, and what is known of the change. */
export function createRulebook(
  deps: MendDeps & {
    itemStates: ItemStates;
    leases: LeaseBook;
    numbering: Numbering;
    unappliedPayments: UnappliedPaymentStore;
  },
) {
  const { world, pos, orders, tickets, itemStates, leases, numbering, unappliedPayments } = deps;

  /**
   * What the rules look at, within a write. A ticket that cannot be read is first rebuilt from the lines of the checks
   * that hold shares of it: without it they would be sent again.
   */
  function state(tx: Tx): ServiceState {
    return {
      order: orders.get,
      wasRemoved: orders.wasRemoved,
      checksOn: orders.activeOnTable,
      ticketsOf(posReference): readonly PlacedTicket[] {
        const found = tickets.ofOrder(posReference);
        if (found.unreadable.length === 0) return found.tickets;
        mendTickets(deps, tx, found.unreadable);
        return tickets.ofOrder(posReference).tickets;
      },
      holdersOf: tickets.holdersOf,
      stockOf: itemStates.stockOf,
    };
  }

  return {
    state,

    /**
     * The same for a write of the content of checks: each is looked up once, and their tickets are rebuilt also where
     * the write leaves them alone.
     */
    contentState(tx: Tx, posReferences: readonly string[]): ServiceState {
      const service = state(tx);
      const written = new Map(posReferences.map((posReference) => [posReference, orders.get(posReference)]));
      for (const [posReference, order] of written) {
        if (order?.snapshot.lines.some(isWithKitchen) === true) service.ticketsOf(posReference);
      }
      const order = (posReference: string) => {
        const known = written.get(posReference);
        return known === undefined ? orders.get(posReference) : known;
      };
      return { ...service, order };
    },

    /**
     * What a rule knows of a change. To an integration every other writer's version is a conflict, not only new
     * content.
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
            unappliedPayments.ofOrder(posReference).some(({ settledAt }) => settledAt === null),
          formerRate: pos.formerRate,
          checkOfParty: (record) => checkOfParty(orders, record, tx.now),
          ticketNumber: (orderType) => numbering.ticketNumber(tx, orderType),
        },
      };
    },
  };
}
