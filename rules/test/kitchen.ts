import type { ItemState, KitchenTicket, Snapshot, StoredLine, StoredOrder, TerminalLine } from "@comanda/protocol";
import {
  bump,
  cancelWork,
  canTakeBack,
  type KitchenChanges,
  type KitchenRefusal,
  markSeen,
  markServed,
  planKitchenWrite,
  type RuleContext,
  send,
  type SentLinesRefusal,
  type ServiceState,
  statusOf,
} from "../src/index.ts";

const NOW = Date.parse("2026-11-25T20:00:00Z");
export const TAKE_BACK_MS = 30_000;

type Wanted = Partial<TerminalLine> & { id: string };
type Result = KitchenRefusal | SentLinesRefusal | null;
export interface By {
  terminalId: string;
  mayVoid?: boolean;
}

const anybody: By = { terminalId: "tablet", mayVoid: true };

/** Checks and tickets in memory, changed by the rules alone; each change answers why it was refused, or null. */
export function createKitchen(stations: RuleContext["stations"] = []) {
  const orders = new Map<string, StoredOrder>();
  const removed = new Set<string>();
  const tickets = new Map<string, { id: number; ticket: KitchenTicket }>();
  const items = new Map<string, { itemState: ItemState; since: number }>();
  let names = 0;
  let now = NOW;

  const sharesOf = ({ ticket }: { ticket: KitchenTicket }) => ticket.lines.flatMap(({ shares }) => shares);
  const state: ServiceState = {
    order: (posReference) => orders.get(posReference) ?? null,
    wasRemoved: (posReference) => removed.has(posReference),
    ticketsOf: (posReference) =>
      [...tickets.values()].filter((each) => sharesOf(each).some((share) => share.posReference === posReference)),
    holdersOf: (ticketId) => {
      const known = tickets.get(ticketId);
      return known === undefined
        ? []
        : [known.ticket.posReference, ...sharesOf(known).map((share) => share.posReference)];
    },
    stockOf: (productId) => items.get(productId) ?? null,
  };
  const contextOf = (by: By, queuedAt: number | null = null): RuleContext => ({
    now,
    queuedAt,
    writer: { terminalId: by.terminalId, userName: by.terminalId },
    stations,
    menu: null,
    newId: () => `id-${(names += 1)}`,
  });

  function store({ checks, tickets: changed }: KitchenChanges): void {
    for (const { previous, snapshot } of checks) put(previous.posReference, snapshot);
    for (const ticket of changed) {
      const id = tickets.get(ticket.id)?.id ?? tickets.size;
      tickets.set(ticket.id, freeze({ id, ticket }));
    }
  }

  function put(posReference: string, snapshot: Snapshot): void {
    const version = (orders.get(posReference)?.version ?? 0) + 1;
    const at = new Date(now).toISOString();
    const head = {
      posReference,
      version,
      tableId: snapshot.tableId,
      terminalId: "tablet",
      createdAt: at,
      updatedAt: at,
    };
    orders.set(posReference, freeze({ ...head, snapshot }));
  }

  function settled(result: (KitchenChanges & object) | { refusal: KitchenRefusal }): Result {
    if ("refusal" in result) return result.refusal;
    store(result);
    return null;
  }

  return {
    state,
    later: (ms: number): void => void (now += ms),
    setItem: (itemState: ItemState, since = now): void =>
      void items.set(String(itemState.productId), { itemState, since }),

    /** Writes the lines of checks at once: an edit, a split, a merge. A check without lines is closed. */
    write(contents: Record<string, Wanted[]>, by: By = anybody): Result {
      const checks = Object.entries(contents).map(([posReference, lines]) => ({
        posReference,
        stored: orders.get(posReference)?.snapshot.lines ?? [],
        requested: lines.map((line) => ({ quantity: 1, name: line.id, ...line })),
      }));
      const rights = {
        mayVoid: by.mayVoid === true,
        mayTakeBack: (part: Parameters<typeof canTakeBack>[0]) =>
          canTakeBack(part, { terminalId: by.terminalId, now, takeBackMs: TAKE_BACK_MS }),
      };
      const plan = planKitchenWrite(state, checks, rights, contextOf(by));
      const refusal = checks.map(({ posReference }) => plan.refusalOf(posReference)).find((each) => each !== null);
      if (refusal !== undefined) return refusal;
      const written = checks.map(({ posReference, requested }): Snapshot => {
        const lines = plan.lines(posReference, requested);
        const at = new Date(now).toISOString();
        const before = orders.get(posReference)?.snapshot;
        return {
          posReference,
          orderType: "takeout",
          tableId: null,
          guestCount: 1,
          createdAt: at,
          updatedAt: at,
          totals: { subtotal: 0, tax: 0, total: 0 },
          ...before,
          status: statusOf(lines),
          lines,
        };
      });
      const changes = plan.changes(written);
      for (const snapshot of written) {
        if (snapshot.lines.length > 0) put(snapshot.posReference, snapshot);
        else removed.add(snapshot.posReference);
        if (snapshot.lines.length === 0) orders.delete(snapshot.posReference);
      }
      store(changes);
      return null;
    },
    send(posReference: string, { lineIds, by = anybody, queuedAt = null }: SendOptions = {}): Result {
      const sent = send(state, { posReference, lineIds }, contextOf(by, queuedAt));
      if (!("refusal" in sent)) {
        for (const itemState of sent.itemStates) items.set(String(itemState.productId), { itemState, since: now });
      }
      return settled(sent);
    },
    bump: (posReference: string, lineId: string, preparedQuantity: number): Result =>
      settled(bump(state, { posReference, lineId, preparedQuantity }, { now })),
    bumpTicket: (kitchenTicketId: string, lineId: string, preparedQuantity: number): Result =>
      settled(bump(state, { kitchenTicketId, lineId, preparedQuantity }, { now })),
    seen: (kitchenTicketId: string, stationId = "kitchen"): Result =>
      settled(markSeen(state, { kitchenTicketId, stationId }, { now })),
    serve: (kitchenTicketId: string, lineIds?: string[]): Result =>
      settled(markServed(state, { kitchenTicketId, lineIds }, { now })),
    discard(posReference: string): void {
      orders.delete(posReference);
      removed.add(posReference);
      store(cancelWork(state, posReference, now));
    },

    tickets: (): KitchenTicket[] => [...tickets.values()].map(({ ticket }) => ticket),
    ticketsOf: (posReference: string): KitchenTicket[] => state.ticketsOf(posReference).map(({ ticket }) => ticket),
    orders: (): StoredOrder[] => [...orders.values()],
    status: (posReference: string) => orders.get(posReference)?.snapshot.status,
    line(posReference: string, lineId: string): StoredLine | undefined {
      return orders.get(posReference)?.snapshot.lines.find(({ id }) => id === lineId);
    },
  };
}

/** What a rule is given it never changes. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

interface SendOptions {
  lineIds?: string[];
  by?: By;
  queuedAt?: number | null;
}
