import {
  isActive,
  isLocked,
  hubLineFieldNames,
  type Snapshot,
  type StoredLine,
  type StoredOrder,
} from "@comanda/protocol";
import {
  bumpedLine,
  editedLine,
  isCovered,
  lineTotal,
  paymentsForCheck,
  paymentsIn,
  sentLine,
  settledCheck,
  statusOf,
  sumOfLines,
  tenderForCheck,
  voidTender,
} from "@comanda/rules";
import { isMoney, type ContentChange, type Intent, type OutboxEntry } from "../outbox/outbox-entry.ts";
import { mergeContent } from "./merge-content.ts";
import { contentOf, linesOf, sameContent, sameValue, type OrderContent, type OrderLine } from "./order-content.ts";
import type { PricedMenu } from "./reprice-line.ts";
import { roundOrder } from "./round-order.ts";

/** An order as the user sees it: the hub's state with this device's waiting mutations on top. */
export interface LocalOrder {
  posReference: string;
  /** The hub's version; 0 while the hub does not know the order. */
  version: number;
  tableId: number | null;
  snapshot: Snapshot;
  /** Mutations of this device that the hub has not yet answered, or whose effect has not yet come back. */
  pending: number;
  /** A payment of this device was refused and is a conflict: the money has been taken. */
  paymentRefused: boolean;
  /** Last writer on the hub; null while the hub does not know the order. */
  origin: string | null;
  forward: StoredOrder["forward"];
}

/** A mutation as it was replayed: its intent is replaced where another takes its place. */
export interface ReplayedStep {
  entry: OutboxEntry;
  intent: Intent;
}

/** What a replay came to: the next one goes on from it where only newer mutations were added. */
export interface Replay {
  order: LocalOrder | undefined;
  stored: StoredOrder | undefined;
  steps: readonly ReplayedStep[];
}

/**
 * Replays this device's mutations of one order, in their order, on what the hub has. Undefined when there is no such
 * order (any more). Conflicts are left out, except a payment: money taken is never hidden by a draft. `menu` rounds what
 * two writers made together.
 */
export function replayOrder(
  posReference: string,
  stored: StoredOrder | undefined,
  entries: readonly OutboxEntry[],
  { before, menu = null }: { before?: Replay | undefined; menu?: PricedMenu | null } = {},
): LocalOrder | undefined {
  const steps = stepsOf(entries);
  const known = before !== undefined && isBeginning(before, stored, steps) ? before : null;
  let snapshot = known === null ? stored?.snapshot : known.order?.snapshot;
  for (const { entry } of steps.slice(known?.steps.length ?? 0)) {
    snapshot = replayEntry(posReference, snapshot, entry, menu);
  }
  if (snapshot === undefined) return undefined;
  return {
    posReference,
    version: stored?.version ?? 0,
    tableId: snapshot.tableId,
    snapshot,
    pending: entries.filter(({ refusal, isAnswered }) => refusal === null && isAnswered !== true).length,
    paymentRefused: entries.some((entry) => entry.refusal !== null && isMoney(entry.intent)),
    origin: stored?.terminalId ?? null,
    forward: stored?.forward,
  };
}

/** The mutations that show. */
export function stepsOf(entries: readonly OutboxEntry[]): ReplayedStep[] {
  return entries
    .filter(({ refusal, intent }) => refusal === null || intent.type === "ORDER_PAY")
    .map((entry) => ({ entry, intent: entry.intent }));
}

function isBeginning(before: Replay, stored: StoredOrder | undefined, steps: readonly ReplayedStep[]): boolean {
  if (before.stored !== stored) return false;
  return before.steps.every(({ entry, intent }, at) => steps[at]?.entry === entry && steps[at].intent === intent);
}

function replayEntry(
  posReference: string,
  snapshot: Snapshot | undefined,
  entry: OutboxEntry,
  menu: PricedMenu | null,
): Snapshot | undefined {
  const { intent, queuedAt } = entry;
  switch (intent.type) {
    case "ORDER_UPSERT":
      return replayChange(posReference, snapshot, intent, { queuedAt, menu });
    case "ORDER_BATCH": {
      const change = intent.orders.find((order) => order.posReference === posReference);
      if (change === undefined) return snapshot;
      const changed = replayChange(posReference, snapshot, change, { queuedAt, menu });
      return isMergedAway(change) && changed?.lines.length === 0 ? undefined : changed;
    }
    case "ORDER_PAY":
      return replayPayment(posReference, snapshot, intent, { queuedAt, menu });
    case "ORDER_TENDER":
      return replayTender(posReference, snapshot, intent, { entry, menu });
    case "ORDER_TENDER_VOID":
      return snapshot === undefined ? undefined : withoutTender(snapshot, intent, entry);
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN": {
      const before = snapshot ?? shape(posReference, undefined, intent.seen, queuedAt);
      if (!isActive(before.status)) return before;
      return { ...before, status: intent.type === "ORDER_CHECKOUT" ? "checkout" : statusOf(before.lines) };
    }
    case "ORDER_DISCARD":
      return snapshot === undefined || isActive(snapshot.status) ? undefined : snapshot;
    case "ORDER_SEND":
      return snapshot === undefined ? undefined : sent(snapshot, intent, queuedAt);
    case "KITCHEN_BUMP":
      return snapshot === undefined ? undefined : bumped(snapshot, intent);
    case "KITCHEN_SEEN":
    case "KITCHEN_SERVED":
    case "ITEM_STATE_SET":
      return snapshot;
  }
}

/** The hub closes a check whose lines all went to others of its batch. */
function isMergedAway({ base, next }: ContentChange): boolean {
  return linesOf(base ?? {}).length > 0 && linesOf(next).length === 0;
}

function replayChange(
  posReference: string,
  snapshot: Snapshot | undefined,
  change: { base: OrderContent | null; next: OrderContent },
  { queuedAt, menu }: { queuedAt: string; menu: PricedMenu | null },
): Snapshot | undefined {
  if (snapshot === undefined) return shape(posReference, undefined, change.next, queuedAt);
  if (isLocked(snapshot.status)) return snapshot;
  const current = contentOf(snapshot);
  const content = roundOrder(mergeContent(change.base ?? current, change.next, current).content, menu);
  if (sameContent(content, current)) return snapshot;
  const refires = snapshot.status === "sent" && !sameContent({ lines: linesOf(content) }, { lines: linesOf(current) });
  return { ...shape(posReference, snapshot, content, queuedAt), status: refires ? "changed" : snapshot.status };
}

/**
 * Shows what was paid, as it was seen when the money was taken, unless the hub has the payment already. What the hub will
 * refuse shows as it was brought: money that was taken is not hidden.
 */
function replayPayment(
  posReference: string,
  snapshot: Snapshot | undefined,
  intent: Extract<Intent, { type: "ORDER_PAY" }>,
  { queuedAt, menu }: { queuedAt: string; menu: PricedMenu | null },
): Snapshot {
  if (snapshot !== undefined && !isActive(snapshot.status)) return snapshot;
  const shown = shape(posReference, snapshot, intent.seen, queuedAt);
  const result = paymentsForCheck(shown, intent.payments, menu?.paymentMethods ?? null);
  const payments = "payments" in result ? result.payments : intent.payments;
  return settledCheck(shown, { tenders: shown.tenders ?? [], payments, paymentId: intent.paymentId });
}

/** Adds a part payment, unless the hub has it already; the one that covers the total makes the order paid. */
function replayTender(
  posReference: string,
  snapshot: Snapshot | undefined,
  intent: Extract<Intent, { type: "ORDER_TENDER" }>,
  { entry: { queuedAt, actor }, menu }: { entry: OutboxEntry; menu: PricedMenu | null },
): Snapshot {
  const { seen, tenderId } = intent;
  const known = snapshot ?? shape(posReference, undefined, seen, queuedAt);
  const isKnown = known.tenders?.some((each) => each.tenderId === tenderId) === true;
  if (isKnown || !isActive(known.status)) return known;
  const result = tenderForCheck(known, paymentsIn(intent), menu?.paymentMethods ?? null);
  const taken = { tenderId, takenAt: queuedAt, takenBy: actor?.user.name ?? "", terminalId: "" };
  const added = ("payments" in result ? result.payments : paymentsIn(intent)).map((each) => ({ ...each, ...taken }));
  const shown = { ...known, tenders: [...(known.tenders ?? []), ...added] };
  return isCovered(shown) ? settledCheck(shown, { tenders: shown.tenders, payments: [] }) : shown;
}

function withoutTender(
  snapshot: Snapshot,
  { tenderId, reason }: Extract<Intent, { type: "ORDER_TENDER_VOID" }>,
  { queuedAt, actor }: OutboxEntry,
): Snapshot {
  if (!isActive(snapshot.status)) return snapshot;
  const result = voidTender(snapshot, tenderId, { at: queuedAt, by: actor?.user.name ?? "", reason });
  return "tenders" in result ? { ...snapshot, tenders: result.tenders } : snapshot;
}

/** What was sent reads as sent, also while the hub is away; a paid check stays paid. */
function sent(snapshot: Snapshot, { lineIds }: Extract<Intent, { type: "ORDER_SEND" }>, queuedAt: string): Snapshot {
  const lines = snapshot.lines.map((line) => (lineIds?.includes(line.id) === false ? line : sentLine(line, queuedAt)));
  return { ...snapshot, lines, status: isLocked(snapshot.status) ? snapshot.status : "sent" };
}

function bumped(snapshot: Snapshot, bump: Extract<Intent, { type: "KITCHEN_BUMP" }>): Snapshot {
  const { lineId, preparedQuantity, kitchenItemStatus } = bump;
  const lines = snapshot.lines.map((line) =>
    line.id === lineId ? bumpedLine(line, preparedQuantity, kitchenItemStatus) : line,
  );
  return { ...snapshot, lines };
}

/** Content in the form of a snapshot: what only the hub writes comes from `known`, or is what a new order has. */
function shape(posReference: string, known: Snapshot | undefined, content: OrderContent, queuedAt: string): Snapshot {
  const { status = "open", createdAt = queuedAt, updatedAt = queuedAt } = known ?? {};
  const knownLines = new Map((known?.lines ?? []).map((line) => [line.id, line]));
  const fields = content as Partial<Snapshot>;
  return {
    ...fields,
    posReference,
    status,
    orderType: content.orderType ?? "dine_in",
    tableId: content.tableId ?? null,
    guestCount: content.guestCount ?? 1,
    createdAt,
    updatedAt,
    lines: linesOf(content).map((line): StoredLine => {
      const was = knownLines.get(line.id);
      const edited = { ...hubLineFieldsOf(was), ...line };
      const next = was === undefined ? edited : editedLine(was, edited);
      // One that nothing changed stays the same object, so that a screen need not draw it again.
      return was !== undefined && sameValue(was, next) ? was : next;
    }),
    totals: content.totals ?? sumOfLines(linesOf(content).map(withTotal), content.adjustments),
    ...hubFieldsOf(known),
  };
}

function withTotal(line: OrderLine): OrderLine {
  return { ...line, total: lineTotal(line) };
}

function hubFieldsOf(known: Snapshot | undefined): Partial<Snapshot> {
  const { payments, tenders, fiscal, ncf } = known ?? {};
  return {
    ...(payments === undefined ? {} : { payments }),
    ...(tenders === undefined ? {} : { tenders }),
    ...(fiscal === undefined ? {} : { fiscal }),
    ...(ncf === undefined ? {} : { ncf }),
  };
}

function hubLineFieldsOf(line: StoredLine | undefined): Partial<StoredLine> {
  const present = hubLineFieldNames.filter((name) => line?.[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, line?.[name]]));
}
