import { isActive, type StoredOrder } from "@comanda/protocol";
import { apply, type Outcome, paymentsIn, type Refusal, type ServiceMutation, withPayments } from "@comanda/rules";
import type { OrderContent } from "../../orders/order-content.ts";
import { type MoneyMove, movesMoney, type OutboxEntry } from "../../outbox/entries/outbox-entry.ts";
import { createReplayedMutations } from "./replayed-mutations.ts";
import { createReplayedState, type ReplayedHub } from "./replayed-state.ts";
import { type ReplayKnowledge, ruleContextOf } from "./rule-context.ts";

export type Replay = ReturnType<typeof createReplay>;

/**
 * Applies this device's mutations to the hub's state, with the hub's own rules. A mutation that the hub will refuse changes
 * nothing, except payments: money that was taken always shows. Permissions are assumed to be given.
 */
export function createReplay(hub: ReplayedHub, knowledge: ReplayKnowledge) {
  const { state, order, orders, tickets, store, keep } = createReplayedState(hub, knowledge);
  const { mutationOf, moneyOf, writeOf, carriedOut } = createReplayedMutations({ order, orders, menu: knowledge.menu });
  /** The outcome of the last tried mutation, reused if that is carried out next. */
  let tried: { entry: OutboxEntry; mutation: ServiceMutation | null; outcome: Outcome | null } | null = null;

  return { order, tickets, carryOut, refusalOf };

  function carryOut(entry: OutboxEntry): void {
    const { intent } = entry;
    if (movesMoney(intent)) {
      tried = null;
      return payFor(entry, intent);
    }
    const { mutation, outcome } = tried?.entry === entry ? tried : tryOut(entry, mutationOf(entry, intent));
    tried = null;
    if (outcome !== null && "refusal" in outcome) return;
    if (outcome !== null) store(outcome);
    carriedOut(entry, mutation);
  }

  function tryOut(entry: OutboxEntry, mutation: ServiceMutation | null) {
    return { entry, mutation, outcome: outcomeOf(entry, mutation) };
  }

  function outcomeOf(entry: OutboxEntry, mutation: ServiceMutation | null): Outcome | null {
    return mutation === null ? null : apply(state, mutation, ruleContextOf(entry, knowledge));
  }

  function storeUnlessRefused(outcome: Outcome | null): void {
    if (outcome !== null && !("refusal" in outcome)) store(outcome);
  }

  /** Returns why the hub would refuse a mutation now, as far as the rules of service can tell. */
  function refusalOf(entry: OutboxEntry): Refusal | null {
    const { intent } = entry;
    tried = tryOut(entry, movesMoney(intent) ? moneyOf(entry, intent) : mutationOf(entry, intent));
    const { outcome } = tried;
    return outcome !== null && "refusal" in outcome ? outcome.refusal : null;
  }

  /** Applies a payment. If the hub will refuse it, it shows anyway, because the money was taken. */
  function payFor(entry: OutboxEntry, intent: MoneyMove): void {
    const { posReference } = intent;
    const current = order(posReference);
    if (current !== null && !isActive(current.snapshot.status)) return;
    if ("seen" in intent && (current === null || intent.type === "ORDER_PAY")) show(entry, posReference, intent.seen);
    const check = order(posReference);
    if (check === null || hasTender(check, intent)) return;
    const mutation = moneyOf(entry, intent);
    const context = ruleContextOf(entry, knowledge);
    const applied = apply(state, mutation, context);
    if (!("refusal" in applied)) return store(applied);
    if (mutation.type === "ORDER_TENDER_VOID") return;
    const { snapshot } = withPayments({ check, payments: paymentsIn(mutation) }, mutation, context);
    keep(posReference, check, snapshot);
  }

  /** Restores the check's content at the time of the payment, regardless of later changes. */
  function show(entry: OutboxEntry, posReference: string, seen: OrderContent): void {
    storeUnlessRefused(outcomeOf(entry, writeOf(entry.mutationId, [{ posReference, base: null, next: seen }])));
  }
}

/** Whether the hub already has the tender. */
function hasTender({ snapshot }: StoredOrder, intent: MoneyMove): boolean {
  return intent.type === "ORDER_TENDER" && snapshot.tenders?.some((each) => each.tenderId === intent.tenderId) === true;
}
