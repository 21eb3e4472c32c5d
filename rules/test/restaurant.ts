import type { ItemState, KitchenTicket, Snapshot, StoredLine, StoredOrder, TerminalLine } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import {
  apply,
  changesOf,
  checksOf,
  type Outcome,
  patchCheck,
  putOnPaper,
  type Refusal,
  type RuleContext,
  type ServiceChanges,
  type ServiceMutation,
  type ServiceState,
  tablesOf,
} from "../src/index.ts";
import type { Patch } from "../src/checks/patch.ts";

const NOW = Date.parse("2026-11-25T20:00:00Z");
export const TAKE_BACK_MS = 30_000;

type SeenMutation = Extract<ServiceMutation, { type: "KITCHEN_SEEN" }>;
type Served = Extract<ServiceMutation, { type: "KITCHEN_SERVED" }>;
type LineInput = Partial<TerminalLine> & { id: string };
type Result = Refusal | null;
export interface Actor {
  terminalId: string;
  mayVoid?: boolean;
  approvedBy?: string;
}
/** A mutation without its id. */
type MutationInput = ServiceMutation extends infer M ? (M extends unknown ? Omit<M, "mutationId"> : never) : never;

const anyActor: Actor = { terminalId: "tablet", mayVoid: true };

export type RestaurantOptions = Partial<Pick<RuleContext, "stations" | "menu" | "hub">>;

/** Creates checks and tickets in memory, changed only by the rules. Each change returns its refusal, or null. */
export function createRestaurant({ stations = [], menu = null, hub = null }: RestaurantOptions = {}) {
  const orders = new Map<string, StoredOrder>();
  const removed = new Set<string>();
  const tickets = new Map<string, { id: number; ticket: KitchenTicket }>();
  const items = new Map<string, { itemState: ItemState; since: number }>();
  let names = 0;
  let now = NOW;
  let isOpen = true;

  const state: ServiceState = {
    order: (posReference) => orders.get(posReference) ?? null,
    wasRemoved: (posReference) => removed.has(posReference),
    checksOn: (tableId) =>
      [...orders.values()]
        .filter(({ snapshot }) => isActive(snapshot.status) && tablesOf(snapshot).includes(tableId))
        .map(({ posReference, snapshot: { checkNumber = null } }) => ({ posReference, checkNumber })),
    ticketsOf: (posReference) => [...tickets.values()].filter(({ ticket }) => checksOf(ticket).has(posReference)),
    holdersOf: (ticketId) => {
      const entry = tickets.get(ticketId);
      return entry === undefined ? [] : checksOf(entry.ticket);
    },
    stockOf: (productId) => items.get(productId) ?? null,
  };
  const contextOf = ({ terminalId, mayVoid, approvedBy }: Actor, queuedAt: number | null = null): RuleContext => ({
    now,
    queuedAt,
    writer: { terminalId, userName: terminalId, role: mayVoid === true ? "cashier" : "waiter", approvedBy },
    stations,
    menu,
    session: { active: isOpen },
    takeBackMs: TAKE_BACK_MS,
    newId: () => `id-${(names += 1)}`,
    hub,
  });

  function store(changes: ServiceChanges): void {
    for (const { snapshot } of changes.checks) put(snapshot.posReference, snapshot);
    for (const { check } of changes.removals) {
      orders.delete(check.posReference);
      removed.add(check.posReference);
    }
    for (const ticket of changes.tickets) {
      const id = tickets.get(ticket.id)?.id ?? tickets.size;
      tickets.set(ticket.id, freeze({ id, ticket }));
    }
    for (const itemState of changes.itemStates) items.set(String(itemState.productId), { itemState, since: now });
  }

  function put(posReference: string, snapshot: Snapshot): void {
    const version = (orders.get(posReference)?.version ?? 0) + 1;
    const at = new Date(now).toISOString();
    const { tableId } = snapshot;
    const head = { posReference, version, tableId, terminalId: "tablet", createdAt: at, updatedAt: at };
    orders.set(posReference, freeze({ ...head, snapshot }));
  }

  const versionOf = (posReference: string): number => orders.get(posReference)?.version ?? 0;

  function change(input: MutationInput, by: Actor = anyActor, queuedAt: number | null = null): Result {
    const context = contextOf(by, queuedAt);
    return settle(apply(state, freeze({ mutationId: "m", ...input }), context));
  }

  function settle(outcome: Outcome): Result {
    if ("refusal" in outcome) return outcome.refusal;
    store(outcome);
    return null;
  }

  const maps: Map<string, unknown>[] = [orders, tickets, items];

  return {
    state,
    change,
    /** Saves the state and returns a function that restores it. */
    save(): () => void {
      const before = maps.map((map) => [...map]);
      const [removedBefore, named, at] = [[...removed], names, now];
      return () => {
        for (const [index, map] of maps.entries()) {
          map.clear();
          for (const [key, value] of before[index] ?? []) map.set(key, value);
        }
        removed.clear();
        for (const each of removedBefore) removed.add(each);
        names = named;
        now = at;
      };
    },
    versionOf,
    advance: (ms: number): void => void (now += ms),
    closeSession: (): void => void (isOpen = false),
    setItem: (itemState: ItemState, since = now): void =>
      void items.set(String(itemState.productId), { itemState, since }),

    /** Writes the lines of several checks in one batch: an edit, a split or a merge. */
    write: (contents: Record<string, LineInput[]>, by: Actor = anyActor): Result =>
      change(
        {
          type: "ORDER_BATCH",
          orders: Object.entries(contents).map(([posReference, lines]) => ({
            posReference,
            baseVersion: versionOf(posReference),
            snapshot: {
              orderType: "takeout",
              lines: lines.map((line) => ({ quantity: 1, ...line })),
            },
          })),
        },
        by,
      ),
    /** Changes a check as an integration does. */
    patch(posReference: string, content: Omit<Patch, "posReference" | "baseVersion">): Result {
      const context = contextOf({ terminalId: "ext:key" });
      const patch = { posReference, baseVersion: versionOf(posReference), ...content };
      return settle(patchCheck(state, freeze(patch), context));
    },
    send: (posReference: string, { lineIds, by, queuedAt }: SendOptions = {}): Result =>
      change({ type: "ORDER_SEND", posReference, lineIds }, by, queuedAt),
    bump: (posReference: string, lineId: string, preparedQuantity: number): Result =>
      change({ type: "KITCHEN_BUMP", posReference, lineId, preparedQuantity }),
    bumpTicket: (kitchenTicketId: string, lineId: string, preparedQuantity: number): Result =>
      change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId, preparedQuantity }),
    markSeen: (kitchenTicketId: string, about: Pick<SeenMutation, "stationId" | "lineIds" | "lines"> = {}): Result =>
      change({ type: "KITCHEN_SEEN", kitchenTicketId, stationId: "kitchen", ...about }),
    serve: (kitchenTicketId: string, options: Omit<Served, "type" | "mutationId" | "kitchenTicketId"> = {}): Result =>
      change({ type: "KITCHEN_SERVED", kitchenTicketId, ...options }),
    prioritize: (kitchenTicketId: string, priority: boolean): Result =>
      change({ type: "KITCHEN_PRIORITY", kitchenTicketId, priority }),
    /** Marks a ticket as printed at a station that works from paper. */
    paper(ticketId: string): void {
      store(changesOf(putOnPaper(state, ticketId, { now })));
    },
    discard: (posReference: string, by: Actor = anyActor): Result =>
      change({ type: "ORDER_DISCARD", posReference, baseVersion: versionOf(posReference) }, by),

    tickets: (): KitchenTicket[] => [...tickets.values()].map(({ ticket }) => ticket),
    ticketsOf: (posReference: string): KitchenTicket[] => state.ticketsOf(posReference).map(({ ticket }) => ticket),
    orders: (): StoredOrder[] => [...orders.values()],
    status: (posReference: string) => orders.get(posReference)?.snapshot.status,
    line(posReference: string, lineId: string): StoredLine | undefined {
      return orders.get(posReference)?.snapshot.lines.find(({ id }) => id === lineId);
    },
  };
}

/** Freezes the input of a rule deeply: rules must not change it. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

export interface SendOptions {
  lineIds?: string[];
  by?: Actor;
  queuedAt?: number | null;
}
