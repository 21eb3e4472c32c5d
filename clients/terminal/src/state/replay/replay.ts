import { isActive, type StoredOrder } from "@comanda/protocol";
import { apply, type Outcome, paymentsIn, type Refusal, type ServiceMutation, withPayments } from "@comanda/rules";
import type { OrderContent } from "../../orders/order-content.ts";
import { type MoneyMove, movesMoney, type OutboxEntry } from "../../outbox/entries/outbox-entry.ts";
import { createReplayedMutations } from "./replayed-mutations.ts";
import { createReplayedState, type ReplayedHub } from "./replayed-state.ts";
import { type ReplayKnowledge, ruleContextOf } from "./rule-context.ts";

export type Replay = ReturnType<typeof createReplay>;

/**
 * What the hub has, with this device's mutations carried out on it by the hub's own rules. What the hub will refuse changes
 * nothing, except money: what was taken always shows. What needs another person's permission is taken to have it.
 */
export function createReplay(hub: ReplayedHub, knowledge: ReplayKnowledge) {
  const { state, order, orders, tickets, store, keep } = createReplayedState(hub, knowledge);
  const { mutationOf, moneyOf, writeOf, carriedOut } = createReplayedMutations({ order, orders, menu: knowledge.menu });
  /** What became of the mutation that was tried last: carried out next, it need not be worked out again. */
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

  /** Why the hub would refuse a mutation now, as far as the rules of service can tell. */
  function refusalOf(entry: OutboxEntry): Refusal | null {
    const { intent } = entry;
    tried = tryOut(entry, movesMoney(intent) ? moneyOf(entry, intent) : mutationOf(entry, intent));
    const { outcome } = tried;
    return outcome !== null && "refusal" in outcome ? outcome.refusal : null;
  }

  /** What the hub will refuse shows as it was brought: money that was taken is not hidden. */
  function payFor(entry: OutboxEntry, intent: MoneyMove): void {
    const { posReference } = intent;
    const known = order(posReference);
    if (known !== null && !isActive(known.snapshot.status)) return;
    if ("seen" in intent && (known === null || intent.type === "ORDER_PAY")) show(entry, posReference, intent.seen);
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

  /** A check reads as it did when money was taken for it, whatever became of it since. */
  function show(entry: OutboxEntry, posReference: string, seen: OrderContent): void {
    storeUnlessRefused(outcomeOf(entry, writeOf(entry.mutationId, [{ posReference, base: null, next: seen }])));
  }
}

/** Whether the hub has a tender already. */
function hasTender({ snapshot }: StoredOrder, intent: MoneyMove): boolean {
  return intent.type === "ORDER_TENDER" && snapshot.tenders?.some((each) => each.tenderId === intent.tenderId) === true;
}
