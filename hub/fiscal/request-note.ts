import type { CreditNoteAnswer, CreditNoteRequest } from "@comanda/protocol";
import { type BackOfficeError, isLineFailure } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { Identities } from "../back-office/identities.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import { relayedRefusal } from "../back-office/relayed-refusal.ts";
import { HubError } from "../platform/errors.ts";
import type { StoredRefund } from "./refund-store.ts";
import { mayRefund, type RefundedBy, refunderOf } from "./refunder.ts";

export interface NoteDeps {
  client: Pick<BackOfficeClient, "creditNote">;
  identities: Pick<Identities, "useSession">;
  own: OwnSession;
}

/** Requests a credit note in the refunding person's name: with their session, or with the hub's on their behalf. */
export function requestNote(
  { client, identities, own }: NoteDeps,
  { posReference, refund }: StoredRefund,
  by: RefundedBy,
): Promise<CreditNoteAnswer> {
  const { refundId, lines, amount, reason, refund: payments, isWhole } = refund;
  const request: CreditNoteRequest =
    isWhole === true
      ? { pos_reference: posReference }
      : {
          pos_reference: posReference,
          lines,
          refundId,
          total: amount,
          refund: payments.map(({ methodId, amount: back }) => ({ methodId, amount: back })),
          ...(reason !== null && { reason }),
        };
  const { person, token, peer } = by;
  if (token !== null && mayRefund(person)) {
    return identities.useSession(token, (newest) => client.creditNote(newest, request, { lane: "known", peer }));
  }
  const onBehalfOf = refunderOf(by).userId;
  return own.use((newest) => client.creditNote(newest, { ...request, onBehalfOf }, null));
}

/** Returns the refusal for the person. `isPaid`: the check is paid, and the back-office may not have it yet. */
export function noteRefusal(
  { posReference }: StoredRefund,
  by: RefundedBy,
  { error, isPaid }: { error: BackOfficeError; isPaid: boolean },
): HubError {
  if (isPaid && error.errorCode === "NOT_FOUND") {
    return new HubError("NOT_FOUND", `the back-office does not have order ${posReference} yet; try again later`);
  }
  const isOwn = by.token === null || !mayRefund(by.person);
  if (isOwn && isLineFailure(error)) {
    return new HubError("UPSTREAM_UNAVAILABLE", "the hub's own account cannot sign in at the back-office");
  }
  return relayedRefusal(error);
}
