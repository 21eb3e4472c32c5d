import {
  CreditNoteAnswer,
  type CreditNoteRequest,
  CustomerSearchAnswer,
  type CustomerSearchRequest,
} from "@comanda/protocol";
import { mismatchError } from "./back-office-error.ts";
import { orNoEndpoint, parse } from "./read-answer.ts";
import type { Answer, Caller, Post } from "./transport.ts";

/** A short timeout, because a user at a terminal is waiting. */
const WAIT_MS = 8_000;

/** Calls of the POS API for a user at a terminal. The session that they use determines the permissions. */
export function userCalls(post: Post) {
  function call(path: string, body: object, token: string, caller: Caller | null) {
    return { path: `/pos-api/v1/${path}`, body, token, caller, isSuspect: true, timeoutMs: WAIT_MS };
  }

  return {
    /** Searches customers. Returns null if the back-office lacks this endpoint, which is an extension of ours. */
    searchCustomers(
      token: string,
      request: CustomerSearchRequest,
      caller: Caller | null,
    ): Promise<Answer<CustomerSearchAnswer["customers"] | null>> {
      const asking = post(call("customers/search", request, token, caller), (value) => {
        return parse(CustomerSearchAnswer, value, 200).customers;
      });
      return orNoEndpoint(asking, { value: null, token });
    },
    /** Makes a credit note for an order. Without a caller, `token` is the hub's own and the request names the user. */
    creditNote: (token: string, request: CreditNoteRequest, caller: Caller | null): Promise<Answer<CreditNoteAnswer>> =>
      post(call("orders/credit-note", request, token, caller), (value) => {
        const note = parse(CreditNoteAnswer, value);
        if (note.pos_reference !== request.pos_reference) throw mismatchError();
        return note;
      }),
  };
}
