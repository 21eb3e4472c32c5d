import { type FloatOfCurrency, isActive, isLocked } from "@comanda/protocol";
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
 * line.
 */
export type BumpTarget = string | { kitchenTicketId: string };

export interface ServedOptions {
  lineIds?: readonly string[] | undefined;
  heldBy?: string | undefined;
  undo?: true | undefined;
  stationId?: string | undefined;
}

/** All of them show at once and throw TerminalRefusal for what the order as shown does not allow. */
export interface OrderCommands {
  /** `additionalCheck`: also if the table has a check already. */
  openOrder(order: NewOrder, options?: { additionalCheck?: boolean }): Mutation;
  /** `edit` gets the content as shown, and changes it or answers another. */
  editOrder(posReference: string, edit: (content: OrderContent) => OrderContent | void): Mutation;
  /** All or nothing: split, merge, move. An order that does not exist yet is new. */
  changeOrders(changes: readonly { posReference: string; content: OrderContent }[]): Mutation;

  /** Moves lines, or parts of them, to another check; one that does not exist yet is made, otherwise like the first. */
  moveLines(from: string, into: string, parts: readonly LinePart[]): Mutation;
  /** Parts a line in two of the same check. */
  splitLine(posReference: string, lineId: string, quantity: number): Mutation;
  /** All lines go to `into`; the checks they came from are closed. */
  mergeOrders(from: readonly string[], into: string): Mutation;
  /** What was to be taken away is eaten there, and bears the taxes of that. */
  moveToTable(posReference: string, tableId: number): Mutation;
  /** To another waiter. */
  handOver(posReference: string, staffName: string): Mutation;
  /** The main table first; one alone parts them again. */
  joinTables(posReference: string, tableIds: readonly number[]): Mutation;
  /** The whole line, or `quantity` of it. */
  voidLine(posReference: string, lineId: string, options?: { quantity?: number; reason?: string }): Mutation;
  /**
   * Removes lines that the kitchen has not looked at, or lowers them to `quantity`; with `keepUnsent` they stay on the check
   * as new lines that were not sent.
   */
  takeBack(posReference: string, lines: readonly LinePart[], options?: { keepUnsent?: boolean }): Mutation;

  sendToKitchen(posReference: string, lineIds?: readonly string[]): Mutation;
  kitchenSeen(kitchenTicketId: string, stationId: string): Mutation;
  bump(target: BumpTarget, lineId: string, preparedQuantity: number, kitchenItemStatus?: string): Mutation;
  /**
   * These lines of a ticket, or all that are ready; `heldBy`: only what that check holds of them. `undo`: they were not
   * served after all.
   */
  served(kitchenTicketId: string, options?: ServedOptions): Mutation;
  /** The kitchen makes a ticket before all others, or in its turn again. */
  prioritize(kitchenTicketId: string, priority: boolean): Mutation;
  setItemState(item: ItemStateIntent): Mutation;

  /** With what lies in the drawer; answers the shift, which can be counted from now on. */
  openShift(tillId: string, float: number, floats?: FloatOfCurrency[]): Mutation & { shiftId: string };
  moveCash(move: CashMove): Mutation;
  countShift(count: ShiftCount): Mutation;
  /** Without a sale. */
  openDrawer(tillId: string, reason: string): Mutation;

  checkOut(posReference: string): Mutation;
  reopen(posReference: string): Mutation;
  pay(posReference: string, payment: PaymentIntent): Mutation;
  /** A part payment, or the one that settles the check. */
  tender(posReference: string, tender: TenderIntent): Mutation;
  voidTender(tenderId: string, reason: string): Mutation;
  discardOrder(posReference: string, reason?: string): Mutation;
}

export function createOrderCommands(deps: {
  orders: ShownOrders;
  /** Throws TerminalRefusal for what the hub would refuse of the house as it shows. */
  ask(intent: Intent): Mutation;
  uuid(): string;
  /** What rounds orders and prices lines again; null while it is not known. */
  menu(): PricedMenu | null;
}): OrderCommands {
  const { orders, ask, uuid, menu } = deps;
  const { contentOrNew, editable, asSeen, unfinished } = createOpenChecks(orders);
  return {
    openOrder({ posReference, ...next }, { additionalCheck } = {}) {
      if (orders.get(posReference) !== undefined) {
        throw new TerminalRefusal("CONFLICT", `there is an order ${posReference} already`);
      }
      const additional = additionalCheck === true ? { additionalCheck } : {};
      return ask({ type: "ORDER_UPSERT", posReference, base: null, next: roundOrder(next, menu()), ...additional });
    },
    editOrder,
    changeOrders,

    moveLines(from, into, parts) {
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
    splitLine(posReference, lineId, quantity) {
      const content = editable(posReference);
      requireLines(posReference, content, [{ lineId, quantity }]);
      requireSome([{ lineId, quantity }]);
      return editOrder(posReference, () => splitLine(content, lineId, quantity, uuid()));
    },
    mergeOrders(from, into) {
      const emptied: { posReference: string; content: OrderContent }[] = [];
      let content = editable(into);
      for (const posReference of from) {
        requireTwo(posReference, into);
        const merged = mergeChecks({ posReference, content: editable(posReference) }, content, uuid, menu());
        content = merged.into;
        unfinished(posReference);
        emptied.push({ posReference, content: merged.from });
      }
      return changeOrders([{ posReference: into, content }, ...emptied]);
    },
    moveToTable: (posReference, tableId) => editOrder(posReference, (content) => seatAt(content, tableId, menu())),
    handOver: (posReference, staffName) => editOrder(posReference, (content) => ({ ...content, staffName })),
    joinTables(posReference, tableIds) {
      const [tableId] = tableIds;
      if (tableId === undefined) throw new TerminalRefusal("VALIDATION_ERROR", "tables are joined with at least one");
      const joined = tableIds.length > 1 ? [...tableIds] : null;
      return editOrder(posReference, (content) => ({ ...content, tableId, tableIds: joined }));
    },
    voidLine(posReference, lineId, options) {
      requireLines(posReference, editable(posReference), [{ lineId }]);
      return editOrder(posReference, (content) => voidLine(content, lineId, options));
    },
    takeBack(posReference, lines, { keepUnsent = false } = {}) {
      requireLines(posReference, editable(posReference), lines);
      return editOrder(posReference, (content) => takeBackLines(content, lines, keepUnsent ? uuid : undefined));
    },

    ...createKitchenCommands(ask),
    ...createTillCommands(ask, uuid),

    checkOut: (posReference) => ask({ type: "ORDER_CHECKOUT", ...asSeen(posReference) }),
    reopen: (posReference) => ask({ type: "ORDER_REOPEN", ...asSeen(posReference) }),
    pay(posReference, payment) {
      unfinished(posReference);
      return ask({ type: "ORDER_PAY", ...asSeen(posReference), paymentId: uuid(), ...payment });
    },
    tender(posReference, tender) {
      const seenDue = amountDue(unfinished(posReference).snapshot);
      return ask({ type: "ORDER_TENDER", ...asSeen(posReference), tenderId: uuid(), seenDue, ...tender });
    },
    voidTender(tenderId, reason) {
      for (const { posReference, snapshot } of orders.all()) {
        if (!openTenders(snapshot).some((tender) => tender.tenderId === tenderId)) continue;
        unfinished(posReference);
        return ask({ type: "ORDER_TENDER_VOID", posReference, tenderId, reason });
      }
      throw new TerminalRefusal("NOT_FOUND", `there is no payment ${tenderId} to take back`);
    },
    discardOrder(posReference, reason) {
      unfinished(posReference);
      return ask({ type: "ORDER_DISCARD", ...asSeen(posReference), reason });
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
function createKitchenCommands(
  ask: (intent: Intent) => Mutation,
): Pick<OrderCommands, "sendToKitchen" | "kitchenSeen" | "bump" | "served" | "prioritize" | "setItemState"> {
  return {
    sendToKitchen: (posReference, lineIds) =>
      ask({ type: "ORDER_SEND", posReference, lineIds: lineIds === undefined ? undefined : [...lineIds] }),
    kitchenSeen: (kitchenTicketId, stationId) => ask({ type: "KITCHEN_SEEN", kitchenTicketId, stationId }),
    bump(target, lineId, preparedQuantity, kitchenItemStatus) {
      const about = typeof target === "string" ? { posReference: target } : target;
      return ask({ type: "KITCHEN_BUMP", ...about, lineId, preparedQuantity, kitchenItemStatus });
    },
    served: (kitchenTicketId, { lineIds, ...options } = {}) =>
      ask({ type: "KITCHEN_SERVED", kitchenTicketId, lineIds: lineIds && [...lineIds], ...options }),
    prioritize: (kitchenTicketId, priority) => ask({ type: "KITCHEN_PRIORITY", kitchenTicketId, priority }),
    setItemState: (item) => ask({ type: "ITEM_STATE_SET", ...item }),
  };
}

function createTillCommands(
  ask: (intent: Intent) => Mutation,
  uuid: () => string,
): Pick<OrderCommands, "openShift" | "moveCash" | "countShift" | "openDrawer"> {
  return {
    openShift(tillId, float, floats) {
      const shiftId = uuid();
      return { ...ask({ type: "TILL_OPEN", tillId, shiftId, float, floats }), shiftId };
    },
    moveCash: (move) => ask({ type: "TILL_MOVE", ...move }),
    countShift: (count) => ask({ type: "TILL_COUNT", ...count }),
    openDrawer: (tillId, reason) => ask({ type: "TILL_DRAWER", tillId, reason }),
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
