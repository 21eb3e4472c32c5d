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
 * Where the kitchen's progress is shown: on a ticket (all shares of its line together), or on the check with the line.
 * `shownQuantity` is the prepared quantity shown before.
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
  /** Queues the intent. Throws TerminalRefusal for what the hub would refuse, judged by the shown state. */
  ask(intent: Intent): Mutation;
  uuid(): string;
  /** The menu for rounding and pricing, or null if it is not known yet. */
  menu(): PricedMenu | null;
}

/** All commands take effect on the screen at once, and throw TerminalRefusal if the order as shown does not allow them. */
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
    /** Records a part payment, or the payment that settles the check. */
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

/** Commands that change the content of checks. */
function createContentCommands({ orders, ask, uuid, menu }: CommandsDeps, openChecks: OpenChecks) {
  const { contentOrNew, editable } = openChecks;
  return {
    /** `additionalCheck` allows a second check at a table. */
    openOrder({ posReference, ...next }: NewOrder, { additionalCheck }: { additionalCheck?: boolean } = {}): Mutation {
      if (orders.get(posReference) !== undefined) {
        throw new TerminalRefusal("CONFLICT", `there is an order ${posReference} already`);
      }
      const additional = additionalCheck === true ? { additionalCheck } : {};
      return ask({ type: "ORDER_UPSERT", posReference, base: null, next: roundOrder(next, menu()), ...additional });
    },
    /** `edit` gets the content as shown, and changes it or returns a new one. */
    editOrder,
    /** Changes several checks, all or none: split, merge, move. An order that does not exist yet is created. */
    changeOrders,

    /** Moves lines, or parts of them, to another check. A check that does not exist is created like the first. */
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
    /** Splits a line in two on the same check. */
    splitLine(posReference: string, lineId: string, quantity: number): Mutation {
      const content = editable(posReference);
      requireLines(posReference, content, [{ lineId, quantity }]);
      requireSome([{ lineId, quantity }]);
      return editOrder(posReference, () => splitLine(content, lineId, quantity, uuid()));
    },
    /** Moves all lines to `into` and closes the checks they came from. */
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
    /** Seats a check at a table. A takeaway or delivery check becomes `dine_in`, with its taxes. */
    moveToTable: (posReference: string, tableId: number) =>
      editOrder(posReference, (content) => seatAt(content, tableId, menu())),
    /** Assigns checks to another waiter, one mutation each, so that a delayed or refused one does not block the rest. */
    handOver(references: readonly string[], staffName: string): Mutation[] {
      for (const posReference of references) editable(posReference);
      return references.map((posReference) => editOrder(posReference, (content) => ({ ...content, staffName })));
    },
    /** Joins tables, the main one first. A single table ends the join. */
    joinTables(posReference: string, tableIds: readonly number[]): Mutation {
      const [tableId] = tableIds;
      if (tableId === undefined) throw new TerminalRefusal("VALIDATION_ERROR", "joining needs a table");
      const joined = tableIds.length > 1 ? [...tableIds] : null;
      return editOrder(posReference, (content) => ({ ...content, tableId, tableIds: joined }));
    },
    /** Voids the whole line, or `quantity` of it. */
    voidLine(posReference: string, lineId: string, options?: { quantity?: number; reason?: string }): Mutation {
      requireLines(posReference, editable(posReference), [{ lineId }]);
      return editOrder(posReference, (content) => voidLine(content, lineId, options));
    },
    /**
     * Removes lines that the kitchen has not looked at, or lowers them to `quantity`. With `keepUnsent`, what is removed stays
     * on the check as new, unsent lines.
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

/** Looks up checks as shown; throws TerminalRefusal if they cannot be changed. */
function createOpenChecks(orders: ShownOrders) {
  return { contentOrNew, editable, asSeen, unfinished };

  /** Returns a check as shown, or a new one that resembles `model`. */
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

  /** Returns a check that is still active. Prevents a second tap on "pay" from charging twice. */
  function unfinished(posReference: string): LocalOrder {
    const order = orders.get(posReference);
    if (order === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no order ${posReference}`);
    const { status } = order.snapshot;
    if (!isActive(status)) throw new TerminalRefusal("ORDER_LOCKED", `order ${posReference} is ${status}`);
    return order;
  }
}

/** Commands of the kitchen, and what can be sold. */
function createKitchenCommands(ask: (intent: Intent) => Mutation) {
  return {
    sendToKitchen: (posReference: string, lineIds?: readonly string[]) =>
      ask({ type: "ORDER_SEND", posReference, lineIds: lineIds === undefined ? undefined : [...lineIds] }),
    /** `lines`: as they were shown; if absent, the whole ticket was seen in its current state. */
    kitchenSeen(kitchenTicketId: string, stationId: string, lines?: readonly ShownLine[]): Mutation {
      const shown = lines?.map(({ lineId, cancelledQuantity }) => ({ lineId, cancelledQuantity }));
      return ask({ type: "KITCHEN_SEEN", kitchenTicketId, stationId, lines: shown });
    },
    bump(target: BumpTarget, lineId: string, preparedQuantity: number, kitchenItemStatus?: string): Mutation {
      const about = typeof target === "string" ? { posReference: target } : target;
      return ask({ type: "KITCHEN_BUMP", ...about, lineId, preparedQuantity, kitchenItemStatus });
    },
    /**
     * Marks these lines of a ticket as served, or all ready ones. `onlyReady`: only those that are ready when the hub applies
     * it. `heldBy`: only the share of this check. `undo`: reverts the serving.
     */
    served: (kitchenTicketId: string, { lineIds, ...options }: ServedOptions = {}) =>
      ask({ type: "KITCHEN_SERVED", kitchenTicketId, lineIds: lineIds && [...lineIds], ...options }),
    /** Moves a ticket to the front of the kitchen's queue, or back to its normal place. */
    prioritize: (kitchenTicketId: string, priority: boolean) =>
      ask({ type: "KITCHEN_PRIORITY", kitchenTicketId, priority }),
    setItemState: (item: ItemStateIntent) => ask({ type: "ITEM_STATE_SET", ...item }),
  };
}

function createTillCommands(ask: (intent: Intent) => Mutation, uuid: () => string) {
  return {
    /** Opens a shift with the cash in the drawer. The returned shift can be counted at once. */
    openShift(tillId: string, float: number, floats?: FloatOfCurrency[]): Mutation & { shiftId: string } {
      const shiftId = uuid();
      return { ...ask({ type: "TILL_OPEN", tillId, shiftId, float, floats }), shiftId };
    },
    moveCash: (move: CashMove) => ask({ type: "TILL_MOVE", ...move }),
    countShift: (count: ShiftCount) => ask({ type: "TILL_COUNT", ...count }),
    /** Opens the drawer without a sale. */
    openDrawer: (tillId: string, reason: string) => ask({ type: "TILL_DRAWER", tillId, reason }),
  };
}

function requireTwo(from: string, into: string): void {
  if (from === into) throw new TerminalRefusal("VALIDATION_ERROR", `${from} cannot be merged into itself`);
}

function requireSome(parts: readonly LinePart[]): void {
  if (parts.length > 0 && parts.every(({ quantity }) => quantity !== 0)) return;
  throw new TerminalRefusal("VALIDATION_ERROR", "there is no quantity to move");
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
