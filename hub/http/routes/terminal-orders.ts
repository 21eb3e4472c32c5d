import type { Customer, FoundCustomers, RecentOrders } from "@comanda/protocol";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../../back-office/client.ts";
import type { Identities } from "../../back-office/identities.ts";
import { relayedRefusal } from "../../back-office/relayed-refusal.ts";
import type { CreditNotes } from "../../fiscal/credit-notes.ts";
import type { OrderDeps } from "../../orders/order-deps.ts";
import type { RecentTakings } from "../../orders/recent-takings.ts";
import type { CustomerStore } from "../../people/customer-store.ts";
import { isoTime } from "../../platform/world.ts";
import type { TerminalHandlers } from "../handlers.ts";

interface Deps extends Pick<OrderDeps, "world" | "changes" | "orders"> {
  client: Pick<BackOfficeClient, "customersSearch" | "creditCheck">;
  identities: Pick<Identities, "relay">;
  creditNotes: CreditNotes;
  customers: CustomerStore;
  recentTakings: RecentTakings;
  /** When this shift began, or the last one while none is open; ms since 1970. */
  shiftSince(): number;
  /** The back-office is known not to answer. */
  isLineDown(): boolean;
}

/** Somebody waits for the answer with a guest at the table. */
const CREDIT_WAIT_MS = 8_000;

/** What terminals ask about customers and about what was paid; the back-office is asked with the user's own session. */
export function terminalOrderRoutes(deps: Deps) {
  const { world, changes, orders, client, identities, customers, recentTakings } = deps;

  /** Customers that were found are offered again while the line is down. */
  async function keep(found: readonly Customer[]): Promise<void> {
    if (found.length === 0) return;
    await changes
      .write((tx) => customers.use(found, tx.now))
      .catch((error: unknown) => world.log.error({ err: error }, "customers could not be kept"));
  }

  function searchKept(q: string, limit: number, reason: NonNullable<FoundCustomers["reason"]>): FoundCustomers {
    const at = customers.asOf();
    return { customers: customers.search(q, limit), source: "kept", reason, asOf: at === null ? null : isoTime(at) };
  }

  return {
    async customers({ user, query: { q, limit }, ctx }) {
      if (deps.isLineDown()) return searchKept(q, limit, "unreachable");
      try {
        const found = await identities.relay(user.token, (token) =>
          client.customersSearch(token, q, limit, { lane: "known", peer: ctx.ip }),
        );
        if (found === null) return searchKept(q, limit, "not_served");
        await keep(found);
        return { customers: found, source: "back_office", asOf: isoTime(world.clock.now()) };
      } catch (error) {
        if (!(error instanceof BackOfficeError)) throw error;
        if (error.kind === "unreachable") return searchKept(q, limit, "unreachable");
        throw relayedRefusal(error);
      }
    },

    creditCheck: ({ user, body, ctx }) =>
      identities
        .relay(user.token, (token) =>
          client.creditCheck(token, body, { caller: { lane: "known", peer: ctx.ip }, timeoutMs: CREDIT_WAIT_MS }),
        )
        .catch((error: unknown) => {
          throw error instanceof BackOfficeError ? relayedRefusal(error) : error;
        }),

    creditNote: ({ user, body, ctx }) =>
      deps.creditNotes.issue(body.pos_reference ?? body.posReference ?? "", { ...user, peer: ctx.ip }),

    recentOrders({ query: { cursor, limit } }): RecentOrders {
      const { references, nextCursor } = recentTakings.page(deps.shiftSince(), limit, cursor);
      const found = references.flatMap((posReference) => orders.shown(posReference) ?? []);
      return { orders: found, nextCursor, asOf: isoTime(world.clock.now()) };
    },
  } satisfies Partial<TerminalHandlers>;
}
