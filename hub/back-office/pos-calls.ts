import {
  BatchSyncAnswer,
  BatchSyncResult,
  CreditCheckAnswer,
  LookupAnswer,
  type LookupOrder,
  ReleaseNcfAnswer,
  ReserveNcfAnswer,
  type ReserveNcfRequest,
} from "@comanda/protocol";
import { appendJsonField } from "../platform/append-json-field.ts";
import { mismatchError } from "./back-office-error.ts";
import { orNoEndpoint, parse } from "./read-answer.ts";
import { readBootstrap, type ReadBootstrap } from "./read-bootstrap.ts";
import type { Answer, Caller, Post } from "./transport.ts";

export interface ForwardEvent {
  eventId: number;
  type: string;
  posReference: string;
  createdAt: string;
  orderJson: string;
}

/** The request body of a batch, and the number of events in it. */
export interface BatchBody {
  body: Buffer;
  count: number;
}

/** Half of the common limit of proxies. A single order may be larger. */
const BATCH_BYTES = 512 * 1024;

/** Calls of the POS API, `/pos-api/v1`. Calls with a `caller` use that user's session, all others the hub's own. */
export function posCalls(post: Post) {
  return {
    bootstrap: (token: string): Promise<Answer<ReadBootstrap>> =>
      post({ path: "/pos-api/v1/bootstrap", body: {}, token, isReused: true }, readBootstrap),

    /** Builds a batch from as many of the first events as fit, at least one. */
    batchBody: (hubId: string, events: readonly ForwardEvent[]): BatchBody => batchBody(hubId, events, events.length),

    /** Sends a batch. Returns results by event id, only for `eventIds` and without contradicting results. */
    batchSync: (
      token: string,
      body: Buffer,
      eventIds: readonly number[],
    ): Promise<Answer<Map<number, BatchSyncResult>>> =>
      post({ path: "/pos-api/v1/hub/batch-sync", body, token, isReused: true, isSuspect: true }, (value, drop) => {
        const { results } = parse(BatchSyncAnswer, value);
        const outcomes = outcomesOf(results, eventIds);
        if (outcomes.size === 0) throw mismatchError();
        if (outcomes.size !== results.length) drop();
        return outcomes;
      }),

    finalize(token: string, event: ForwardEvent): Promise<Answer<BatchSyncResult>> {
      const { eventId, posReference, orderJson } = event;
      const body = Buffer.from(appendJsonField(JSON.stringify({ eventId, posReference }), "order", orderJson));
      return post({ path: "/pos-api/v1/hub/finalize", body, token, isSuspect: true }, (value) => {
        const result = parse(BatchSyncResult, value);
        if (String(result.eventId) !== String(eventId)) throw mismatchError();
        return result;
      });
    },

    /**
     * Looks up orders, at most `maxLookupReferences`. Returns those that the back-office has, or null if it has no such
     * endpoint.
     */
    lookup(token: string, posReferences: readonly string[], timeoutMs?: number): Promise<Answer<LookupOrder[] | null>> {
      const call = { path: "/pos-api/v1/hub/lookup", body: { posReferences }, token, isSuspect: true, timeoutMs };
      const requested = new Set(posReferences);
      const answer = post(call, (value) => {
        const { orders } = parse(LookupAnswer, value, 200);
        if (!orders.every((order) => requested.has(order.posReference))) throw mismatchError();
        return orders;
      });
      return orNoEndpoint(answer, { value: null, token });
    },

    /** Reserves a fiscal number for an order, even one unknown there. Repeating the request returns the same number. */
    reserveNcf: (token: string, request: ReserveNcfRequest): Promise<Answer<ReserveNcfAnswer>> =>
      post({ path: "/pos-api/v1/orders/reserve-ncf", body: request, token, isSuspect: true }, (value) => {
        const answer = parse(ReserveNcfAnswer, value);
        if (answer.type !== request.type) throw mismatchError();
        return answer;
      }),

    /** Releases the number of an order. Fails with 404 if there is no number or no such endpoint. */
    releaseNcf(token: string, posReference: string, reason: string): Promise<Answer<ReleaseNcfAnswer>> {
      const body = { pos_reference: posReference, reason };
      return post({ path: "/pos-api/v1/orders/release-ncf", body, token, isSuspect: true }, (value) =>
        parse(ReleaseNcfAnswer, value),
      );
    },

    /** Asks whether a customer may buy on credit for this amount. */
    creditCheck: (
      token: string,
      question: { customerId: string | number; amount: number },
      { caller = null, timeoutMs }: { caller?: Caller | null; timeoutMs?: number } = {},
    ): Promise<Answer<CreditCheckAnswer>> =>
      post(
        { path: "/pos-api/v1/customers/credit-check", body: question, token, caller, isSuspect: true, timeoutMs },
        (value) => parse(CreditCheckAnswer, value),
      ),
  };
}

/** Returns the results for these events. Leaves out events with contradicting results. */
function outcomesOf(results: readonly BatchSyncResult[], eventIds: readonly number[]): Map<number, BatchSyncResult> {
  const sent = new Map(eventIds.map((id) => [String(id), id]));
  const outcomes = new Map<number, BatchSyncResult>();
  const contradicted = new Set<number>();
  for (const result of results) {
    const id = sent.get(String(result.eventId));
    if (id === undefined) continue;
    const before = outcomes.get(id);
    if (before !== undefined && (before.status !== result.status || before.orderId !== result.orderId)) {
      contradicted.add(id);
    }
    outcomes.set(id, result);
  }
  for (const id of contradicted) outcomes.delete(id);
  return outcomes;
}

function batchBody(hubId: string, events: readonly ForwardEvent[], count: number): BatchBody {
  const texts = events
    .slice(0, count)
    .map(({ orderJson, ...event }) => appendJsonField(JSON.stringify(event), "order", orderJson));
  const body = Buffer.from(appendJsonField(JSON.stringify({ hubId }), "events", `[${texts.join(",")}]`));
  if (body.length <= BATCH_BYTES || count === 1) return { body, count };
  return batchBody(hubId, events, Math.floor(count / 2));
}
