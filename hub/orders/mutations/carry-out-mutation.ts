import type { OrderMutation } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import type { VersionPeopleStore } from "../../people/version-people.ts";
import type { Payments } from "../payments/payments.ts";
import { type ApplyDeps, applyMutation } from "../rulebook/apply-mutation.ts";
import type { CreditAnswers } from "../payments/credit-rules.ts";
import { isOfOrder, type MutationAnswer } from "../store/mutation-store.ts";
import type { TillService } from "../../till/till-service.ts";
import type { Writer } from "../writer.ts";
import { requireProduct } from "../rulebook/order-guards.ts";

/** Who applies a mutation, when it was queued (ms since 1970; null if unknown), and the answers about its credit. */
export interface MutationContext {
  writer: Writer;
  queuedAtMs: number | null;
  credit: CreditAnswers;
}

type WithoutId<A> = A extends unknown ? Omit<A, "mutationId"> : never;

interface CarryDeps extends ApplyDeps {
  payments: Payments;
  itemStates: ItemStates;
  versionPeople: VersionPeopleStore;
  till: Pick<TillService, "carryOut">;
}

export type CarryOut = ReturnType<typeof createCarryOut>;

export function createCarryOut(deps: CarryDeps) {
  /** Applies a mutation and records who did it. Throws a HubError if a rule refuses it. */
  return (tx: Tx, mutation: OrderMutation, context: MutationContext): MutationAnswer => {
    const answer = { mutationId: mutation.mutationId, ...carryOut(deps, tx, mutation, context) };
    notePeople(deps.versionPeople, mutation, answer, context.writer);
    return answer;
  };
}

function carryOut(
  deps: CarryDeps,
  tx: Tx,
  mutation: OrderMutation,
  context: MutationContext,
): WithoutId<MutationAnswer> {
  const { writer, queuedAtMs } = context;
  switch (mutation.type) {
    case "ORDER_PAY":
    case "ORDER_TENDER":
      return deps.payments.take(tx, mutation, context);
    case "ORDER_TENDER_VOID":
      return deps.payments.giveBack(tx, mutation, writer);
    case "ITEM_STATE_SET": {
      requireProduct(deps.pos.config(), deps.itemStates, mutation);
      const { seq, itemState } = deps.itemStates.set(tx, mutation);
      return { productId: itemState.productId, state: itemState.state, seq };
    }
    case "TILL_OPEN":
    case "TILL_MOVE":
    case "TILL_COUNT":
    case "TILL_DRAWER":
      return deps.till.carryOut(tx, mutation, writer, queuedAtMs);
    case "ORDER_UPSERT":
    case "ORDER_BATCH":
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN":
    case "ORDER_DISCARD":
    case "ORDER_SEND":
    case "KITCHEN_SEEN":
    case "KITCHEN_BUMP":
    case "KITCHEN_SERVED":
    case "KITCHEN_PRIORITY":
      return applyMutation(deps, tx, mutation, writer, { queuedAt: queuedAtMs });
  }
}

/** Records the users that versions do not contain: who approved, and who discarded. */
function notePeople(
  versionPeople: VersionPeopleStore,
  { type }: OrderMutation,
  answer: MutationAnswer,
  writer: Writer,
): void {
  const { userName, approvedBy = null } = writer;
  if ((approvedBy === null && type !== "ORDER_DISCARD") || !isOfOrder(answer)) return;
  for (const { posReference, version } of answer.orders ?? [answer]) {
    if (posReference === undefined || version === undefined) continue;
    versionPeople.save(posReference, { version, userName, approvedBy });
  }
}
