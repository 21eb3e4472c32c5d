import { isActive, type KitchenTicket, type Snapshot, type StoredOrder } from "@comanda/protocol";
import {
  apply,
  checksOf,
  type Outcome,
  paymentsIn,
  type Refusal,
  type RuleContext,
  type RuleMenu,
  type ServiceChanges,
  type ServiceMutation,
  type ServiceState,
  tablesOf,
  ticketsOfLines,
  withPayments,
} from "@comanda/rules";
import { mergeContent } from "../orders/merge-content.ts";
import { contentOf, linesOf, sameContent, sameValue, type OrderContent } from "../orders/order-content.ts";
import type { PricedMenu } from "../orders/reprice-line.ts";
import { roundOrder } from "../orders/round-order.ts";
import {
  type ContentChange,
  type Intent,
  type MoneyMove,
  movesMoney,
  type OutboxEntry,
} from "../outbox/outbox-entry.ts";
import type { HubState } from "./hub-state.ts";

/** What a replay takes from the hub. */
export type ReplayedHub = Pick<
  HubState,
  "order" | "orders" | "ticket" | "ticketsOf" | "holdersOf" | "wasRemoved" | "itemState"
>;

/** What this device knows of the house while it replays what it did. */
export interface ReplayKnowledge {
  deviceId: string;
  /** Who is signed in: of what nobody is named for. */
  userName(): string;
  menu(): (PricedMenu & Pick<RuleMenu, "products"> & Partial<Pick<RuleContext, "stations">>) | null;
  takeBackMs(): number;
  /** The hub's time (ms since 1970) at a time of this device's clock (ISO 8601). */
  hubTime(deviceTime: string): number;
}

export type Replay = ReturnType<typeof createReplay>;

/**
 * What the hub has, with this device's mutations carried out on it by the hub's own rules. What the hub will refuse changes
 * nothing, except money: what was taken always shows. What needs another person's permission is taken to have it.
 */
export function createReplay(hub: ReplayedHub, { deviceId, userName, menu, takeBackMs, hubTime }: ReplayKnowledge) {
  /** Null: gone. */
  const orders = new Map<string, StoredOrder | null>();
  const tickets = new Map<string, KitchenTicket>();
  /** The checks whose tickets are all in `tickets`. */
  const complete = new Set<string>();
  /** What became of the mutation that was tried last: carried out next, it need not be worked out again. */
  let tried: { entry: OutboxEntry; outcome: Outcome | null } | null = null;

  const state: ServiceState = {
    order,
    wasRemoved: (posReference) => orders.get(posReference) === null || hub.wasRemoved(posReference),
    checksOn: checksOnTable,
    ticketsOf(posReference) {
      addTickets(posReference);
      return [...tickets.values()]
        .filter((ticket) => checksOf(ticket).has(posReference))
        .map((ticket) => ({ id: Date.parse(ticket.sentAt), ticket }));
    },
    holdersOf(ticketId) {
      const ticket = tickets.get(ticketId);
      return ticket === undefined ? hub.holdersOf(ticketId) : checksOf(ticket);
    },
    stockOf(productId) {
      const itemState = hub.itemState(productId);
      return itemState === undefined ? null : { itemState, since: Date.parse(itemState.updatedAt) };
    },
  };

  return {
    order,
    /** The tickets that it looked at, as they are now. */
    tickets: (): ReadonlyMap<string, KitchenTicket> => tickets,
    carryOut,
    refusalOf,
  };

  function order(posReference: string): StoredOrder | null {
    const replayed = orders.get(posReference);
    return replayed === undefined ? (hub.order(posReference) ?? null) : replayed;
  }

  function checksOnTable(tableId: number) {
    const others = [...hub.orders()].filter(({ posReference }) => !orders.has(posReference));
    return [...others, ...orders.values()].flatMap((check) => {
      if (check === null || !isActive(check.snapshot.status) || !tablesOf(check.snapshot).includes(tableId)) return [];
      return { posReference: check.posReference, checkNumber: check.snapshot.checkNumber ?? null };
    });
  }

  /** The tickets of a check; those that are over and that this device no longer keeps follow from its lines. */
  function addTickets(posReference: string): void {
    if (complete.has(posReference)) return;
    complete.add(posReference);
    const own = hub.ticketsOf(posReference);
    const snapshot = hub.order(posReference)?.snapshot;
    const missing = snapshot === undefined ? [] : ticketsOfLines(snapshot, own, { stations: [], menu: rulesMenu() });
    for (const ticket of [...own, ...missing]) {
      if (!tickets.has(ticket.id)) tickets.set(ticket.id, ticket);
    }
  }

  function rulesMenu(): RuleContext["menu"] {
    const known = menu();
    // Whether new checks are taken is for the hub to say: what a guest ordered is not hidden.
    if (known === null) return null;
    const { products, taxes, rounding, paymentMethods = null } = known;
    return { products, taxes, rounding, paymentMethods };
  }

  function contextOf({ mutationId, queuedAt, actor }: OutboxEntry): RuleContext {
    const now = hubTime(queuedAt);
    let names = 0;
    return {
      now,
      queuedAt: now,
      writer: { terminalId: deviceId, userName: actor?.user.name ?? userName(), role: "manager" },
      stations: menu()?.stations ?? [],
      menu: rulesMenu(),
      session: null,
      takeBackMs: takeBackMs(),
      // The same each time, so that what it names stays what it was.
      newId: () => `${mutationId} ${(names += 1)}`,
      hub: null,
    };
  }

  function carryOut(entry: OutboxEntry): void {
    const { intent } = entry;
    const before = tried?.entry === entry ? tried : null;
    tried = null;
    if (movesMoney(intent)) payFor(entry, intent);
    else storeUnlessRefused(before === null ? outcomeOf(entry, mutationOf(entry, intent)) : before.outcome);
  }

  function outcomeOf(entry: OutboxEntry, mutation: ServiceMutation | null): Outcome | null {
    return mutation === null ? null : apply(state, mutation, contextOf(entry));
  }

  function storeUnlessRefused(outcome: Outcome | null): void {
    if (outcome !== null && !("refusal" in outcome)) store(outcome);
  }

  /** Why the hub would refuse a mutation now, as far as the rules of service can tell. */
  function refusalOf(entry: OutboxEntry): Refusal | null {
    const { intent } = entry;
    const outcome = outcomeOf(entry, movesMoney(intent) ? moneyOf(entry, intent) : mutationOf(entry, intent));
    tried = { entry, outcome };
    return outcome !== null && "refusal" in outcome ? outcome.refusal : null;
  }

  /** What the hub would be asked for now; null where it would change nothing. */
  function mutationOf({ mutationId }: OutboxEntry, intent: Exclude<Intent, MoneyMove>): ServiceMutation | null {
    switch (intent.type) {
      case "ORDER_UPSERT":
        return writeOf(mutationId, [intent]);
      case "ORDER_BATCH":
        return writeOf(mutationId, intent.orders);
      case "ORDER_CHECKOUT":
      case "ORDER_REOPEN":
      case "ORDER_DISCARD": {
        const { seen: _, seenVersion: __, ...action } = intent;
        return { ...action, mutationId, baseVersion: order(intent.posReference)?.version ?? 1 };
      }
      case "ORDER_SEND":
      case "KITCHEN_SEEN":
      case "KITCHEN_BUMP":
      case "KITCHEN_SERVED":
      case "KITCHEN_PRIORITY":
        return { ...intent, mutationId };
      case "ITEM_STATE_SET":
      case "TILL_OPEN":
      case "TILL_MOVE":
      case "TILL_COUNT":
      case "TILL_DRAWER":
        return null;
    }
  }

  function store({ checks, removals, tickets: changed }: ServiceChanges): void {
    for (const { previous, snapshot } of checks) keep(snapshot.posReference, previous, snapshot);
    for (const { check } of removals) orders.set(check.posReference, null);
    for (const ticket of changed) tickets.set(ticket.id, ticket);
  }

  function keep(posReference: string, previous: StoredOrder | null, snapshot: Snapshot): void {
    const { tableId, createdAt, updatedAt } = snapshot;
    const head = previous ?? { version: 1, terminalId: deviceId, createdAt, updatedAt };
    orders.set(posReference, { ...head, posReference, tableId, snapshot: sharing(previous?.snapshot, snapshot) });
  }

  /** Whatever of these changes the hub has already is left out. */
  function writeOf(mutationId: string, changes: readonly ContentChange[]): ServiceMutation | null {
    let isNews = false;
    const contents = changes.flatMap((change) => {
      const { posReference } = change;
      const check = order(posReference);
      const current = check === null ? null : contentOf(check.snapshot);
      // All its lines went to others, and it is gone.
      if (current === null && changes.length > 1 && isEmptied(change)) return [];
      const snapshot = mergedContent(change, current);
      isNews ||= current === null || !sameContent(snapshot, current);
      return [{ posReference, baseVersion: check?.version ?? 0, snapshot }];
    });
    // A second check of a table is for the hub to refuse: what a guest ordered is not hidden.
    return isNews ? { type: "ORDER_BATCH", mutationId, orders: contents, additionalCheck: true } : null;
  }

  function mergedContent({ base, next }: ContentChange, current: OrderContent | null): OrderContent {
    return current === null ? next : roundOrder(mergeContent(base ?? current, next, current).content, menu());
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
    const context = contextOf(entry);
    const applied = apply(state, mutation, context);
    if (!("refusal" in applied)) return store(applied);
    if (mutation.type === "ORDER_TENDER_VOID") return;
    const { snapshot } = withPayments({ check, payments: paymentsIn(mutation) }, mutation, context);
    keep(posReference, check, snapshot);
  }

  function moneyOf({ mutationId }: OutboxEntry, intent: MoneyMove): MoneyMutation {
    if (intent.type === "ORDER_TENDER_VOID") return { ...intent, mutationId };
    const { seen: _, seenVersion: __, ...action } = intent;
    if (action.type === "ORDER_TENDER") return { ...action, mutationId };
    return { ...action, mutationId, baseVersion: order(action.posReference)?.version ?? 0 };
  }

  /** A check reads as it did when money was taken for it, whatever became of it since. */
  function show(entry: OutboxEntry, posReference: string, seen: OrderContent): void {
    storeUnlessRefused(outcomeOf(entry, writeOf(entry.mutationId, [{ posReference, base: null, next: seen }])));
  }
}

type MoneyMutation = Extract<ServiceMutation, { type: MoneyMove["type"] }>;

/** Whether the hub has a tender already. */
function hasTender({ snapshot }: StoredOrder, intent: MoneyMove): boolean {
  return intent.type === "ORDER_TENDER" && snapshot.tenders?.some((each) => each.tenderId === intent.tenderId) === true;
}

function isEmptied({ base, next }: ContentChange): boolean {
  return linesOf(base ?? {}).length > 0 && linesOf(next).length === 0;
}

/** The snapshot with the very lines that it had, where they say the same: a screen need not draw them again. */
function sharing(before: Snapshot | undefined, next: Snapshot): Snapshot {
  if (before === undefined) return next;
  const known = new Map(before.lines.map((line) => [line.id, line]));
  const lines = next.lines.map((line) => {
    const was = known.get(line.id);
    return was !== undefined && sameValue(was, line) ? was : line;
  });
  return { ...next, lines };
}
