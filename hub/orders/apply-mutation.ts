import { EXTERNAL_REFERENCE_PREFIX, terminalLimits } from "@comanda/protocol";
import { apply, type ServiceMutation, tablesOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { requireFewUnplanned } from "../tables/require-known-tables.ts";
import type { OrderAnswer } from "./mutation-store.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireFewOrders } from "./order-guards.ts";
import { RefusedMutation } from "./refused-mutation.ts";
import { ruleError } from "./rule-error.ts";
import { written, type Written } from "./save-version.ts";
import { contentState, ruleContext, serviceState } from "./service-state.ts";
import { storeChanges, type Stored } from "./store-changes.ts";

type Answer = Omit<OrderAnswer, "mutationId">;

/**
 * Carries out a mutation that the rules decide. `isOnAnyTable`: a check is taken on whatever table it was. Throws a HubError,
 * of a batch a RefusedMutation.
 */
export function applyMutation(
  deps: OrderDeps,
  tx: Tx,
  mutation: ServiceMutation,
  writer: Writer,
  { queuedAt = null, isOnAnyTable = false }: { queuedAt?: number | null; isOnAnyTable?: boolean } = {},
): Answer {
  const contents = contentsOf(mutation);
  const state =
    contents.length === 0
      ? serviceState(deps, tx)
      : contentState(
          deps,
          tx,
          contents.map(({ posReference }) => posReference),
        );
  const applied = apply(state, mutation, ruleContext(deps, tx, writer, { queuedAt }));
  if ("refusal" in applied) {
    const { refusal, posReference } = applied;
    // Of several checks, the one that was refused.
    if (posReference !== undefined && mutation.type === "ORDER_BATCH") {
      throw new RefusedMutation(posReference, ruleError(deps.orders.get, refusal, posReference));
    }
    throw ruleError(deps.orders.get, refusal, "posReference" in mutation ? mutation.posReference : undefined);
  }
  for (const { previous, snapshot, kind } of contents.length === 0 ? [] : applied.checks) {
    if (kind !== "created" && kind !== "edited") continue;
    if (previous === null) requireFewOrders(deps, writer.terminalId);
    if (!isOnAnyTable) requireFewUnplanned(deps, tablesOf(snapshot), tx.now);
  }
  const stored = storeChanges(deps, tx, writer, applied, contents.length === 0 ? undefined : mostBytes);
  if (mutation.type === "ORDER_BATCH") {
    return { orders: contents.flatMap(({ posReference }) => versionOf(stored, posReference) ?? []) };
  }
  const { ticketIds = [], posReference = "posReference" in mutation ? mutation.posReference : undefined } = applied;
  const [kitchenTicketId] = ticketIds;
  return {
    ...answerFor(deps, stored, posReference ?? ""),
    ...(kitchenTicketId !== undefined && { kitchenTicketId, kitchenTicketIds: ticketIds }),
  };
}

function contentsOf(mutation: ServiceMutation) {
  if (mutation.type === "ORDER_BATCH") return mutation.orders;
  return mutation.type === "ORDER_UPSERT" ? [mutation] : [];
}

/** What an integration made is as large as its body may be, and what the hub notes on each line comes on top. */
function mostBytes(posReference: string): number {
  return posReference.startsWith(EXTERNAL_REFERENCE_PREFIX) ? Infinity : terminalLimits.orderContentBytes;
}

/** The answer is about the check that was asked for, else about one that has changed with it. */
function answerFor(deps: OrderDeps, stored: Stored, posReference: string): Written {
  const own = versionOf(stored, posReference);
  if (own !== undefined) return own;
  const here = whereItStands(deps, posReference);
  if (stored.seq === 0) return here;
  const [other] = stored.checks.keys();
  return (other === undefined ? undefined : versionOf(stored, other)) ?? { ...here, seq: stored.seq };
}

function versionOf({ checks }: Stored, posReference: string): Written | undefined {
  const change = checks.get(posReference);
  return change === undefined ? undefined : written(change);
}

/** Where a check stands that got no version; of a discarded one the version that its discard made. */
function whereItStands(deps: OrderDeps, posReference: string): Written {
  const version = deps.orders.get(posReference)?.version ?? deps.orders.removal(posReference)?.version ?? 1;
  return { posReference, version, seq: deps.orders.seqOf(posReference) };
}
