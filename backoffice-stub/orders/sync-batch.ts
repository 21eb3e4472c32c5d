import type { BatchSyncAnswer, BatchSyncRequest, BatchSyncResult, ForwardedEvent } from "@comanda/protocol";
import { PosReference } from "@comanda/protocol";
import { z } from "zod";
import { transact } from "../db/open.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import { finalizeOrder, type FinalizeChecks } from "./finalize-order.ts";
import type { OrderDeps } from "./place-order.ts";

const FinalizeEvent = z.looseObject({
  type: z.literal("hub_finalize"),
  posReference: PosReference,
  order: z.unknown(),
});

/** Applies all events in one commit, each in a savepoint: a failed one does not affect the rest. Results keep the order. */
export function syncBatch(deps: OrderDeps, checks: FinalizeChecks, { events }: BatchSyncRequest): BatchSyncAnswer {
  return transact(deps.db, () => ({ results: events.map((event) => settle(deps, checks, event)) }));
}

function settle(deps: OrderDeps, checks: FinalizeChecks, event: ForwardedEvent): BatchSyncResult {
  const { eventId } = event;
  try {
    const { posReference, order } = parse(FinalizeEvent, event);
    return finalizeOrder(deps, checks, { eventId, posReference, order });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { eventId, status: "failed", error: error.message, errorCode: error.errorCode };
  }
}
