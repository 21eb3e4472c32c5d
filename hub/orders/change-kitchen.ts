import type { StoredOrder, TerminalMessageOf } from "@comanda/protocol";
import { bump, type KitchenProgress, type KitchenRefusal, markSeen, markServed, send } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { kitchenError } from "./kitchen-refusal.ts";
import { storeKitchenChanges } from "./kitchen-write.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireNoOtherLease, requireOrder } from "./order-guards.ts";
import type { Written } from "./save-version.ts";
import { ruleContext, serviceState } from "./service-state.ts";

/** Sends to the kitchen what it does not have yet, one ticket for each station. With nothing new there is no version. */
export function sendOrder(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"ORDER_SEND">,
  writer: Writer,
  queuedAtMs: number | null,
): Written & { kitchenTicketId?: string; kitchenTicketIds?: string[] } {
  const { posReference } = request;
  const stored = requireOrder(deps, posReference);
  requireNoOtherLease(deps, posReference, writer);
  const sent = send(serviceState(deps, tx), request, ruleContext(deps, tx, writer, queuedAtMs));
  if ("refusal" in sent) throw kitchenError(sent.refusal);
  deps.itemStates.count(tx, sent.itemStates);
  const saved = storeKitchenChanges(deps, tx, sent, { writer, kind: "sent" });
  const [kitchenTicketId] = sent.ticketIds;
  return {
    ...(saved?.written.get(posReference) ?? unchanged(deps, posReference, stored)),
    ...(kitchenTicketId !== undefined && { kitchenTicketId, kitchenTicketIds: sent.ticketIds }),
  };
}

/** What a station or an expo does with tickets. Stations write beside the terminal that holds the lease. */
export function changeProgress(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SEEN" | "KITCHEN_BUMP" | "KITCHEN_SERVED">,
  writer: Writer,
): Written {
  const { progress, kind } = progressOf(deps, tx, request);
  if ("refusal" in progress) throw kitchenError(progress.refusal);
  const { posReference } = progress;
  const saved = storeKitchenChanges(deps, tx, progress, { writer, kind });
  const here = (): Written => unchanged(deps, posReference, deps.orders.get(posReference));
  if (saved === null) return here();
  // The answer is about the check that was asked for, else about one that has changed with it.
  return saved.written.get(posReference) ?? saved.written.values().next().value ?? { ...here(), seq: saved.seq };
}

function progressOf(
  deps: OrderDeps,
  tx: Tx,
  request: TerminalMessageOf<"KITCHEN_SEEN" | "KITCHEN_BUMP" | "KITCHEN_SERVED">,
): { progress: KitchenProgress | { refusal: KitchenRefusal }; kind: "seen" | "bumped" | "served" } {
  const state = serviceState(deps, tx);
  switch (request.type) {
    case "KITCHEN_SEEN":
      return { progress: markSeen(state, request, tx), kind: "seen" };
    case "KITCHEN_BUMP":
      return { progress: bump(state, request, tx), kind: "bumped" };
    case "KITCHEN_SERVED":
      return { progress: markServed(state, request, tx), kind: "served" };
  }
}

/** Where a check stands; of a discarded one the version that its discard made. */
function unchanged(deps: OrderDeps, posReference: string, stored: StoredOrder | null): Written {
  const version = stored?.version ?? deps.orders.removal(posReference)?.version ?? 1;
  return { posReference, version, seq: deps.orders.seqOf(posReference) };
}
