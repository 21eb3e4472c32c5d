import { type FloatOfCurrency, isActive, isLocked, type TicketLine } from "@comanda/protocol";
import { amountDue, openTenders } from "@comanda/rules";
import type { Mutation } from "../outbox/sending/intake.ts";
import type {
  CashMove,
  Intent,
  ItemStateIntent,
  PaymentIntent,
  ShiftCount,
  TenderIntent,
} from "../outbox/entries/outbox-entry.ts";
import { TerminalRefusal } from "../refusal.ts";
import { seatAt } from "../orders/change-order-type.ts";
import { mergeChecks, moveLines, splitLine, takeBackLines, voidLine, type LinePart } from "../orders/edit-content.ts";
import { contentOf, copyOf, linesOf, type OrderContent } from "../orders/order-content.ts";
import type { LocalOrder } from "../orders/local-order.ts";
import type { PricedMenu } from "../orders/reprice-line.ts";
import { roundOrder } from "../orders/round-order.ts";

/** The orders as the user sees them. */
export interface ShownOrders {
  get(posReference: string): LocalOrder | undefined;
  all(): Iterable<LocalOrder>;
}

export interface NewOrder extends OrderContent {
  posReference: string;
}

/**
 * Where the kitchen's progress is shown: under a ticket, over all shares of its line, or under the check that holds the
 * line; `shownQuantity`: how much was shown as prepared before.
 */
export type BumpTarget = string | { kitchenTicketId: string; shownQuantity?: number | undefined };

type ShownLine = Pick<TicketLine, "lineId" | "cancelledQuantity">;

export interface ServedOptions {
  lineIds?: readonly string[] | undefined;
  onlyReady?: true | undefined;
  heldBy?: string | undefined;
  undo?: true | undefined;
  stationId?: string | undefined;
}

export type OrderCommands = ReturnType<typeof createOrderCommands>;

interface CommandsDeps {
  orders: ShownOrders;
  /** Throws TerminalRefusal for what the hub would refuse of the house as it shows. */
  ask(intent: Intent): Mutation;
  uuid(): string;
  /** What rounds orders and prices lines again; null while it is not known. */
  menu(): PricedMenu | null;
}

/** All of them show at once and throw TerminalRefusal for what the order as shown does not allow. */
export function createOrderCommands(deps: CommandsDeps) {
  const { orders, ask, uuid } = deps;
  const openChecks = createOpenChecks(orders);
  const { asSeen, unfinished } = openChecks;
  return {
    ...createContentCommands(deps, openChecks),
    ...createKitchenCommands(ask),
    ...createTillCommands(ask, uuid),

    checkOut: (posReference: string) => ask({ type: "ORDER_CHECKOUT", ...asSeen(posReference) }),
    reopen: (posReference: string) => ask({ type: "ORDER_REOPEN", ...asSeen(posReference) }),
    pay: (posReference: string, payment: PaymentIntent) =>
      ask({ type: "ORDER_PAY", ...asSeen(posReference), paymentId: uuid(), ...payment }),
    /** A part payment, or the one that settles the check. */
    tender(posReference: string, tender: TenderIntent): Mutation {
      const seenDue = amountDue(unfinished(posReference).snapshot);
      return ask({ type: "ORDER_TENDER", ...asSeen(posReference), tenderId: uuid(), seenDue, ...tender });
    },
    voidTender(tenderId: string, reason: string): Mutation {
      for (const { posReference, snapshot } of orders.all()) {
        if (!openTenders(snapshot).some((tender) => tender.tenderId === tenderId)) continue;
        unfinished(posReference);
        return ask({ type: "ORDER_TENDER_VOID", posReference, tenderId, reason });
      }
      throw new TerminalRefusal("NOT_FOUND", `there is no payment ${tenderId} to take back`);
    },
    discardOrder: (posReference: string, reason?: string) =>
      ask({ type: "ORDER_DISCARD", ...asSeen(posReference), reason }),
  };
}

/** What changes what checks say. */
function createContentCommands({ orders, ask, uuid, menu }: CommandsDeps, openChecks: OpenChecks) {
  const { contentOrNew, editable } = openChecks;
  return {
    /** `additionalCheck`: also if the table has a check already. */
    openOrder({ posReference, ...next }: NewOrder, { additionalCheck }: { additionalCheck?: boolean } = {}): Mutation {
      if (orders.get(posReference) !== undefined) {
        throw new TerminalRefusal("CONFLICT", `there is an order ${posReference} already`);
      }
      const additional = additionalCheck === true ? { additionalCheck } : {};
      return ask({ type: "ORDER_UPSERT", posReference, base: null, next: roundOrder(next, menu()), ...additional });
    },
    /** `edit` gets the content as shown, and changes it or answers another. */
    editOrder,
    /** All or nothing: split, merge, move. An order that does not exist yet is new. */
    changeOrders,

    /** Moves lines, or parts of them, to another check; one that does not exist yet is made, otherwise like the first. */
    moveLines(from: string, into: string, parts: readonly LinePart[]): Mutation {
      requireTwo(from, into);
      const content = editable(from);
      requireLines(from, content, parts);
      requireSome(parts);
      const moved = moveLines({ posReference: from, content }, contentOrNew(into, content), parts, uuid, menu());
      return changeOrders([
        { posReference: into, content: moved.into },
        { posReference: from, content: moved.from },
      ]);
    },
    /** Parts a line in two of the same check. */
    splitLine(posReference: string, lineId: string, quantity: number): Mutation {
      const content = editable(posReference);
      requireLines(posReference, content, [{ lineId, quantity }]);
      requireSome([{ lineId, quantity }]);
      return editOrder(posReference, () => splitLine(content, lineId, quantity, uuid()));
    },
    /** All lines go to `into`; the checks they came from are closed. */
    mergeOrders(from: readonly string[], into: string): Mutation {
      const emptied: { posReference: string; content: OrderContent }[] = [];
      let content = editable(into);
      for (const posReference of from) {
        requireTwo(posReference, into);
        const merged = mergeChecks({ posReference, content: editable(posReference) }, content, uuid, menu());
        content = merged.into;
        emptied.push({ posReference, content: merged.from });
      }
      return changeOrders([{ posReference: into, content }, ...emptied]);
    },
    /** What was to be taken away is eaten there, and bears the taxes of that. */
    moveToTable: (posReference: string, tableId: number) =>
      editOrder(posReference, (content) => seatAt(content, tableId, menu())),
    /** To another waiter: each for itself, so that one which has to wait, or is refused, holds up no other. */
    handOver(references: readonly string[], staffName: string): Mutation[] {
      for (const posReference of references) editable(posReference);
      return references.map((posReference) => editOrder(posReference, (content) => ({ ...content, staffName })));
    },
    /** The main table first; one alone parts them again. */
    joinTables(posReference: string, tableIds: readonly number[]): Mutation {
      const [tableId] = tableIds;
      if (tableId === undefined) throw new TerminalRefusal("VALIDATION_ERROR", "tables are joined with at least one");
      const joined = tableIds.length > 1 ? [...tableIds] : null;
      return editOrder(posReference, (content) => ({ ...content, tableId, tableIds: joined }));
    },
    /** The whole line, or `quantity` of it. */
    voidLine(posReference: string, lineId: string, options?: { quantity?: number; reason?: string }): Mutation {
      requireLines(posReference, editable(posReference), [{ lineId }]);
      return editOrder(posReference, (content) => voidLine(content, lineId, options));
    },
    /**
     * Removes lines that the kitchen has not looked at, or lowers them to `quantity`; with `keepUnsent` they stay on the check
     * as new lines that were not sent.
     */
    takeBack(
      posReference: string,
      lines: readonly LinePart[],
      { keepUnsent = false }: { keepUnsent?: boolean } = {},
    ): Mutation {
      requireLines(posReference, editable(posReference), lines);
      return editOrder(posReference, (content) => takeBackLines(content, lines, keepUnsent ? uuid : undefined));
    },
  };

  function editOrder(posReference: string, edit: (content: OrderContent) => OrderContent | void): Mutation {
    const base = editable(posReference);
    const draft = copyOf(base);
    const next = roundOrder(edit(draft) ?? draft, menu());
    return ask({ type: "ORDER_UPSERT", posReference, base, next });
  }

  function changeOrders(changes: readonly { posReference: string; content: OrderContent }[]): Mutation {
    const changed = changes.map(({ posReference, content }) => {
      const base = orders.get(posReference) === undefined ? null : editable(posReference);
      const next = roundOrder(content, menu());
      return { posReference, base, next };
    });
    return ask({ type: "ORDER_BATCH", orders: changed });
  }
}

type OpenChecks = ReturnType<typeof createOpenChecks>;

/** What of the checks as they are shown may be changed; throws TerminalRefusal for what may not. */
function createOpenChecks(orders: ShownOrders) {
  return { contentOrNew, editable, asSeen, unfinished };

  /** A check as shown, or a new one otherwise like `model`. */
  function contentOrNew(posReference: string, model: OrderContent): OrderContent {
    if (orders.get(posReference) !== undefined) return editable(posReference);
    const { checkNumber: _, ticketNumber: __, adjustments: ___, ...like } = model;
    return { ...like, lines: [] };
  }

  function editable(posReference: string): OrderContent {
    const { snapshot } = unfinished(posReference);
    if (isLocked(snapshot.status)) {
      throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is checked out`);
    }
    return contentOf(snapshot);
  }

  function asSeen(posReference: string): { posReference: string; seen: OrderContent; seenVersion: number } {
    const order = unfinished(posReference);
    return { posReference, seen: contentOf(order.snapshot), seenVersion: order.version };
  }

  /** Also keeps a second tap on "pay" from taking the money twice. */
  function unfinished(posReference: string): LocalOrder {
    const order = orders.get(posReference);
    if (order === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no order ${posReference}`);
    const { status } = order.snapshot;
    if (!isActive(status)) throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is ${status}`);
    return order;
  }
}

/** What the kitchen says of its tickets, and what can be sold. */
function createKitchenCommands(ask: (intent: Intent) => Mutation) {
  return {
    sendToKitchen: (posReference: string, lineIds?: readonly string[]) =>
      ask({ type: "ORDER_SEND", posReference, lineIds: lineIds === undefined ? undefined : [...lineIds] }),
    /** `lines`: as they were shown; without them all of the ticket was seen as it is. */
    kitchenSeen(kitchenTicketId: string, stationId: string, lines?: readonly ShownLine[]): Mutation {
      const shown = lines?.map(({ lineId, cancelledQuantity }) => ({ lineId, cancelledQuantity }));
      return ask({ type: "KITCHEN_SEEN", kitchenTicketId, stationId, lines: shown });
    },
    bump(target: BumpTarget, lineId: string, preparedQuantity: number, kitchenItemStatus?: string): Mutation {
      const about = typeof target === "string" ? { posReference: target } : target;
      return ask({ type: "KITCHEN_BUMP", ...about, lineId, preparedQuantity, kitchenItemStatus });
    },
    /**
     * These lines of a ticket, or all that are ready; `onlyReady`: of these those that are ready when the hub has it. `heldBy`:
     * only what that check holds of them. `undo`: they were not served after all.
     */
    served: (kitchenTicketId: string, { lineIds, ...options }: ServedOptions = {}) =>
      ask({ type: "KITCHEN_SERVED", kitchenTicketId, lineIds: lineIds && [...lineIds], ...options }),
    /** The kitchen makes a ticket before all others, or in its turn again. */
    prioritize: (kitchenTicketId: string, priority: boolean) =>
      ask({ type: "KITCHEN_PRIORITY", kitchenTicketId, priority }),
    setItemState: (item: ItemStateIntent) => ask({ type: "ITEM_STATE_SET", ...item }),
  };
}

function createTillCommands(ask: (intent: Intent) => Mutation, uuid: () => string) {
  return {
    /** With what lies in the drawer; answers the shift, which can be counted from now on. */
    openShift(tillId: string, float: number, floats?: FloatOfCurrency[]): Mutation & { shiftId: string } {
      const shiftId = uuid();
      return { ...ask({ type: "TILL_OPEN", tillId, shiftId, float, floats }), shiftId };
    },
    moveCash: (move: CashMove) => ask({ type: "TILL_MOVE", ...move }),
    countShift: (count: ShiftCount) => ask({ type: "TILL_COUNT", ...count }),
    /** Without a sale. */
    openDrawer: (tillId: string, reason: string) => ask({ type: "TILL_DRAWER", tillId, reason }),
  };
}

function requireTwo(from: string, into: string): void {
  if (from === into) throw new TerminalRefusal("VALIDATION_ERROR", `${from} cannot be merged into itself`);
}

function requireSome(parts: readonly LinePart[]): void {
  if (parts.length > 0 && parts.every(({ quantity }) => quantity !== 0)) return;
  throw new TerminalRefusal("VALIDATION_ERROR", "nothing was named to be moved or parted");
}

function requireLines(posReference: string, content: OrderContent, parts: readonly LinePart[]): void {
  for (const { lineId, quantity } of parts) {
    const line = linesOf(content).find(({ id }) => id === lineId);
    if (line === undefined) throw new TerminalRefusal("NOT_FOUND", `order ${posReference} has no line ${lineId}`);
    if (quantity !== undefined && !(quantity >= 0 && quantity <= line.quantity)) {
      throw new TerminalRefusal("VALIDATION_ERROR", `the line ${lineId} has ${line.quantity}, not ${quantity}`);
    }
  }
}
