import { CONTACT } from "@comanda/rules";
import { addedLines } from "../orders/added-lines.ts";
import { addLine } from "../orders/edit-content.ts";
import type { LocalOrder } from "../orders/local-order.ts";
import { contentOf, linesOf, type OrderContent, type OrderLine } from "../orders/order-content.ts";
import { changesOf, createdBy } from "../outbox/entries/intent-content.ts";
import type { Mutation, Signature } from "../outbox/sending/intake.ts";
import type { Outbox } from "../outbox/outbox.ts";
import {
  isMoney,
  type ContentChange,
  type ExistingCheck,
  type Intent,
  type MoneyIntent,
} from "../outbox/entries/outbox-entry.ts";
import type { Conflict } from "../outbox/queue/present-conflict.ts";
import { asPartPayment, requireIdentity } from "../outbox/answers/settle-payment.ts";
import { TerminalRefusal } from "../refusal.ts";
import type { OrderCommands } from "./order-commands.ts";

export type ConflictSteps = ReturnType<typeof createConflictSteps>;

/** Steps by which a person resolves a conflict. All throw TerminalRefusal. */
export function createConflictSteps(deps: {
  outbox: Pick<Outbox, "abandon" | "conflicts" | "discard" | "entriesOf" | "resubmit">;
  orders: {
    /** The check as the hub will have it once everything queued here is accepted. */
    expected(posReference: string): LocalOrder | undefined;
  };
  commands: OrderCommands;
  add(intent: Intent): Mutation;
  signature(): Signature;
  uuid(): string;
  trouble(error: unknown): void;
}) {
  const { outbox, orders, commands, add, signature, uuid, trouble } = deps;
  return {
    /**
     * Resubmits a payment whose check has changed as part payments of that check, or of `into`, where its dishes went.
     * Returns, in the order's currency, how much is still to be collected and how much to give back.
     */
    applyAsPart(id: string, into?: string): { mutations: Mutation[]; collect: number; giveBack: number } {
      const intent = moneyOf(find(id));
      const posReference = into ?? intent.posReference;
      const check = orders.expected(posReference);
      if (!check?.version) throw new TerminalRefusal("NOT_FOUND", `order ${posReference} is no longer on the hub`);
      const { snapshot, version } = check;
      const { tenders, collect, giveBack } = asPartPayment(intent, snapshot);
      // Each carries the fiscal data: any of them may settle the check, and the rest is collected under the same data.
      const { fiscal, ncf } = intent;
      const shared = { seen: contentOf(snapshot), seenVersion: version, fiscal, ncf };
      const [first, ...others] = tenders.map((tender) => ({ ...tender, ...shared }));
      if (first === undefined) throw new TerminalRefusal("ORDER_LOCKED", `nothing is due on order ${posReference}`);
      // Queued before the conflict is resubmitted: after a crash in between, the conflict is still there to be retried.
      const added = others.map((tender) => add(tender));
      return { mutations: [outbox.resubmit(id, first, signature()), ...added], collect, giveBack };
    },

    /** Voids a refused payment whose money was given back. */
    giveBack(id: string, reason: string): Mutation {
      const intent = moneyOf(find(id));
      const tenderId = requireIdentity(intent);
      const { posReference } = intent;
      return outbox.resubmit(id, { type: "ORDER_TENDER_VOID", posReference, tenderId, reason }, signature());
    },

    /** Merges this device's check into the one that its table already had. */
    mergeWithExisting(id: string): Mutation {
      const conflict = find(id);
      const { posReference: existing } = requireExisting(conflict);
      const own = createdBy(conflict.intent)[0] ?? "";
      if (conflict.isNotice) {
        const merged = commands.mergeOrders([own], existing);
        outbox.discard(id).catch(trouble);
        return merged;
      }
      const intents = intentsOf(own);
      return bring({ own, intents, lines: linesAfter(intents, own), into: existing }, (withLines) =>
        commands.editOrder(existing, withLines),
      );
    },

    /**
     * For a check that was paid or discarded in the meantime: opens the check `posReference` at the same table with the lines
     * that this device had added. Lines that were sent to the kitchen are sent again.
     */
    onOwnCheck(id: string, posReference: string): Mutation {
      const conflict = find(id);
      const [own = ""] = conflict.orders.map((order) => order.posReference);
      const intents = intentsOf(own);
      const last = changesTo(own, intents).at(-1)?.next ?? {};
      const lines = addedTo(own, intents);
      if (lines.length === 0) {
        throw new TerminalRefusal("VALIDATION_ERROR", `nothing was added to order ${own}`);
      }
      return bring({ own, intents, lines, into: posReference }, (withLines) =>
        commands.openOrder({ ...withLines(emptyLike(last)), posReference }, { additionalCheck: true }),
      );
    },

    /** Keeps both checks of a table. Returns null if no mutation is needed. */
    keepBoth(id: string): Mutation | null {
      const conflict = find(id);
      requireExisting(conflict);
      const { intent } = conflict;
      if (!conflict.isNotice && intent.type === "ORDER_UPSERT") {
        return outbox.resubmit(id, { ...intent, additionalCheck: true }, signature());
      }
      outbox.discard(id).catch(trouble);
      return null;
    },
  };

  /** Returns the queued intents for a check. Throws HAS_PAYMENTS if money was taken for it. */
  function intentsOf(own: string): Intent[] {
    const intents = outbox.entriesOf(own).map(({ intent }) => intent);
    if (intents.some(isMoney)) throw new TerminalRefusal("HAS_PAYMENTS", `money was taken for order ${own}`);
    return intents;
  }

  /** Moves lines of `own` to another check with `put`, resends those that were sent to the kitchen, and abandons `own`. */
  function bring(
    {
      own,
      intents,
      lines,
      into,
    }: { own: string; intents: readonly Intent[]; lines: readonly OrderLine[]; into: string },
    put: (withLines: (content: OrderContent) => OrderContent) => Mutation,
  ): Mutation {
    const named = lines.map((line) => ({ line, newId: uuid() }));
    const mutation = put((content) =>
      named.reduce((rest, { line, newId }) => addLine(rest, { ...line, id: newId }), content),
    );
    const meantForKitchen = sentBy(intents, own);
    const toSend = named.filter(({ line }) => meantForKitchen.has(line.id)).map(({ newId }) => newId);
    outbox.abandon(own);
    // With explicit ids, because the other check may hold courses back.
    if (toSend.length > 0) commands.sendToKitchen(into, toSend);
    return mutation;
  }

  function find(id: string): Conflict {
    const conflict = outbox.conflicts().find((each) => each.id === id);
    if (conflict === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no conflict ${id}`);
    return conflict;
  }
}

function changesTo(posReference: string, intents: readonly Intent[]): ContentChange[] {
  return intents.flatMap(changesOf).filter((change) => change.posReference === posReference);
}

function linesAfter(intents: readonly Intent[], posReference: string): OrderLine[] {
  return linesOf(changesTo(posReference, intents).at(-1)?.next ?? {});
}

/** Returns the lines that the intents add to a check. */
export function addedTo(posReference: string, intents: readonly Intent[]): OrderLine[] {
  const changes = changesTo(posReference, intents);
  return addedLines(linesOf(changes[0]?.base ?? {}), linesOf(changes.at(-1)?.next ?? {}));
}

/** Returns what a change that met a bill that is out needs first: the reopening of its checks. */
export function reopeningsFor({ orders }: Pick<Conflict, "orders">): Intent[] {
  return orders.flatMap(({ hub }): Intent[] => {
    if (hub?.snapshot.status !== "checkout") return [];
    const { posReference, snapshot, version } = hub;
    return [{ type: "ORDER_REOPEN", posReference, seen: contentOf(snapshot), seenVersion: version }];
  });
}

/** The content of another check for the same guests. Guests and booking are counted on the first check only. */
function emptyLike({ orderType, tableId, staffName, customerName, notes, pluginData }: OrderContent): OrderContent {
  const contact = pluginData?.[CONTACT];
  return {
    orderType,
    tableId,
    staffName,
    customerName,
    notes,
    guestCount: 1,
    ...(contact !== undefined && { pluginData: { [CONTACT]: contact } }),
  };
}

/** Ids of the lines that the intents send to the kitchen: those that a send names, or all that the order had at that time. */
function sentBy(intents: readonly Intent[], posReference: string): ReadonlySet<string> {
  const lineIds = intents.flatMap((intent, index) => {
    if (intent.type !== "ORDER_SEND") return [];
    return intent.lineIds ?? linesAfter(intents.slice(0, index), posReference).map(({ id }) => id);
  });
  return new Set(lineIds);
}

function moneyOf({ intent }: Conflict): MoneyIntent {
  if (!isMoney(intent)) throw new TerminalRefusal("VALIDATION_ERROR", "this conflict is not about a payment");
  return intent;
}

/** Throws VALIDATION_ERROR if the conflict is not about a table with two checks. */
function requireExisting({ refusal }: Conflict): ExistingCheck {
  if (refusal.existing === undefined) {
    throw new TerminalRefusal("VALIDATION_ERROR", "this conflict is not about a table");
  }
  return refusal.existing;
}
