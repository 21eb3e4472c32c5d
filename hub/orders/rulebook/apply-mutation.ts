import { EXTERNAL_REFERENCE_PREFIX, hubLimits } from "@comanda/protocol";
import { apply, type CheckChange, type ServiceChanges, type ServiceMutation, tablesOf } from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import { requireFewUnplanned } from "../../tables/require-known-tables.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { PointOfSale } from "../point-of-sale.ts";
import type { OrderAnswer } from "../store/mutation-store.ts";
import type { OrderStore } from "../store/order-store.ts";
import type { OrderWriter, Stored } from "../store/order-writer.ts";
import type { Writer } from "../writer.ts";
import { requireFewOrders } from "./order-guards.ts";
import { posReferenceOf, RefusedMutation } from "./refused-mutation.ts";
import { ruleError } from "./rule-error.ts";
import { written, type Written } from "../store/save-version.ts";
import type { Rulebook } from "./rulebook.ts";

type Answer = Omit<OrderAnswer, "mutationId">;

export interface ApplyDeps {
  pos: PointOfSale;
  rulebook: Rulebook;
  orders: OrderStore;
  orderWriter: OrderWriter;
  tables: TableStore;
}

/**
 * Applies a mutation according to the rules. `isOnAnyTable` skips the limit of tables that the floor plan lacks. Throws a
 * HubError, for a batch a RefusedMutation.
 */
export function applyMutation(
  deps: ApplyDeps,
  tx: Tx,
  mutation: ServiceMutation,
  writer: Writer,
  { queuedAt = null, isOnAnyTable = false }: { queuedAt?: number | null; isOnAnyTable?: boolean } = {},
): Answer {
  const references = contentsOf(mutation).map(({ posReference }) => posReference);
  const { rulebook, orders } = deps;
  const state = rulebook.contentState(tx, references);
  const applied = apply(state, mutation, rulebook.context(tx, writer, { queuedAt }));
  if ("refusal" in applied) {
    const { refusal, posReference = posReferenceOf(mutation) } = applied;
    throw refusedAt(mutation, posReference, ruleError(orders.get, refusal, posReference));
  }
  const stored = storeApplied(deps, tx, mutation, applied, { writer, isOnAnyTable });
  if (mutation.type === "ORDER_BATCH") {
    return { orders: references.flatMap((posReference) => versionOf(stored, posReference) ?? []) };
  }
  const { ticketIds = [], posReference = posReferenceOf(mutation) } = applied;
  const [kitchenTicketId] = ticketIds;
  return {
    ...answerFor(orders, stored, posReference ?? ""),
    ...(kitchenTicketId !== undefined && { kitchenTicketId, kitchenTicketIds: ticketIds }),
  };
}

function contentsOf(mutation: ServiceMutation) {
  if (mutation.type === "ORDER_BATCH") return mutation.orders;
  return mutation.type === "ORDER_UPSERT" ? [mutation] : [];
}

/** Adds the reference of the refused check for a batch. */
function refusedAt(mutation: ServiceMutation, posReference: string | undefined, error: HubError): Error {
  return mutation.type === "ORDER_BATCH" ? new RefusedMutation(posReference, error) : error;
}

/** Stores the result of a mutation within the limits of a terminal and the hub. */
function storeApplied(
  deps: ApplyDeps,
  tx: Tx,
  mutation: ServiceMutation,
  changes: ServiceChanges,
  { writer, isOnAnyTable }: { writer: Writer; isOnAnyTable: boolean },
): Stored {
  let at = posReferenceOf(mutation);
  try {
    return deps.orderWriter.store(tx, writer, changes, (change) => {
      at = change.snapshot.posReference;
      return admitContent(deps, tx, writer, change, isOnAnyTable);
    });
  } catch (error) {
    throw error instanceof HubError ? refusedAt(mutation, at, error) : error;
  }
}

/** Returns the size limit (bytes) of a check's content. Throws if the terminal has too many orders or unplanned tables. */
function admitContent(
  { pos, orders, tables }: ApplyDeps,
  tx: Tx,
  { terminalId }: Writer,
  { previous, snapshot, kind }: CheckChange,
  isOnAnyTable: boolean,
): number {
  if (kind !== "created" && kind !== "edited") return Infinity;
  if (previous === null) requireFewOrders(orders, terminalId);
  if (!isOnAnyTable) requireFewUnplanned({ plannedTables: pos.tables, tables }, tablesOf(snapshot), tx.now);
  // The size of an integration's request is already limited, and the fields that the hub adds come on top.
  const isBounded = !snapshot.posReference.startsWith(EXTERNAL_REFERENCE_PREFIX);
  return isBounded ? hubLimits.orderContentBytes : Infinity;
}

/** Returns the answer for the requested check, or for another check if only that one has changed. */
function answerFor(orders: OrderStore, stored: Stored, posReference: string): Written {
  const own = versionOf(stored, posReference);
  if (own !== undefined) return own;
  const unchanged = unchangedAnswer(orders, posReference);
  if (stored.seq === 0) return unchanged;
  const [other] = stored.checks.keys();
  return (other === undefined ? undefined : versionOf(stored, other)) ?? { ...unchanged, seq: stored.seq };
}

function versionOf({ checks }: Stored, posReference: string): Written | undefined {
  const change = checks.get(posReference);
  return change === undefined ? undefined : written(change);
}

/** Returns version and seq of a check that did not change; for a discarded check, the version of its removal. */
function unchangedAnswer(orders: OrderStore, posReference: string): Written {
  const version = orders.get(posReference)?.version ?? orders.getRemoval(posReference)?.version ?? 1;
  return { posReference, version, seq: orders.getSeq(posReference) };
}
