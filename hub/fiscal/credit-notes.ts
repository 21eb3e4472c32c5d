import { type CreditNoteAnswer, HUB_ORIGIN, isActive } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { Identities } from "../back-office/identities.ts";
import { relayedRefusal } from "../back-office/relayed-refusal.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import type { Refunds } from "./refunds.ts";

/** The signed-in person who makes the note; `peer` is the address that the request comes from. */
export interface CreditNoteUser {
  userName: string;
  permissions: readonly string[];
  token: string;
  peer: string;
}

export type CreditNotes = ReturnType<typeof createCreditNotes>;

/**
 * Credit notes as the back-office makes them by itself: for what is not voided of a check with something void. It makes them
 * with the person's own session, and decides.
 */
export function createCreditNotes(deps: {
  orders: OrderStore;
  client: Pick<BackOfficeClient, "creditNote">;
  identities: Pick<Identities, "useSession">;
  refundService: Pick<Refunds, "record" | "requireAnswered">;
}) {
  const { orders, client, identities, refundService } = deps;

  return {
    /** Throws FORBIDDEN without the permission `refund`, and the back-office's refusals with its words and codes. */
    async issue(posReference: string, user: CreditNoteUser): Promise<CreditNoteAnswer> {
      const { userName, permissions, token, peer } = user;
      if (!permissions.includes("refund")) throw new HubError("FORBIDDEN", `${userName} may not make credit notes`);
      const { status } = requireOrder(orders, posReference).snapshot;
      if (isActive(status)) throw explainedError("VALIDATION_ERROR", "order_not_paid", { posReference });
      refundService.requireAnswered(posReference);
      const request = { pos_reference: posReference };
      const note = await identities
        .useSession(token, (newest) => client.creditNote(newest, request, { lane: "known", peer }))
        .catch((error: unknown) => {
          if (!(error instanceof BackOfficeError)) throw error;
          if (status === "paid" && error.errorCode === "NOT_FOUND") {
            throw new HubError("NOT_FOUND", `the back-office does not have order ${posReference} yet; try again later`);
          }
          throw relayedRefusal(error);
        });
      await refundService.record(posReference, { userName, terminalId: HUB_ORIGIN }, note);
      return note;
    },
  };
}
