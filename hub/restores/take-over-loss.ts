import { HUB_ORIGIN, isActive, type Snapshot, type StoredLine, type StoredOrder, type Tender } from "@comanda/protocol";
import {
  addUp,
  cancelWork,
  chargedQuantity,
  nextCheckNumber,
  openTenders,
  proportionOf,
  refusalOfRemoval,
  sentVoidedQuantityOf,
  statusOf,
  subtract,
  sum,
  tablesOf,
  quantityToMake,
} from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import type { PaymentIdentities } from "../orders/payments/payment-identities.ts";
import type { UnappliedPaymentStore } from "../orders/payments/unapplied-payment-store.ts";
import type { RecoverTickets } from "../orders/recover-tickets.ts";
import { lockedError, requireNoOtherLease, requireUnlocked } from "../orders/rulebook/order-guards.ts";
import { keepTender } from "../orders/payments/keep-payment.ts";
import { ruleError } from "../orders/rulebook/rule-error.ts";
import { saveVersion, type VersionWriter } from "../orders/store/save-version.ts";
import type { Rulebook } from "../orders/rulebook/rulebook.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import type { OrderWriter } from "../orders/store/order-writer.ts";
import { explainedError } from "../platform/errors.ts";
import type { LossRow, LossStore } from "./loss-store.ts";
import { lacksPayments } from "./paid-alike.ts";

export interface SaveDeps {
  orders: OrderStore;
  orderWriter: OrderWriter;
  leases: LeaseBook;
  paymentIdentities: PaymentIdentities;
  unappliedPayments: UnappliedPaymentStore;
  recoverTickets: RecoverTickets;
  losses: LossStore;
}

interface TakeOverDeps extends SaveDeps {
  rulebook: Rulebook;
}

/**
 * Applies a loss to its order, as a new version above all known ones: its content, its payment (which queues it for the
 * back-office), or its removal. Throws a HubError if the order has been paid, closed, discarded or locked since.
 */
export function takeOverLoss(deps: TakeOverDeps, tx: Tx, loss: LossRow, userName: string): void {
  const { posReference } = loss;
  const { orders, rulebook } = deps;
  const present = orders.get(posReference);
  if (orders.wasRemoved(posReference)) {
    throw explainedError("ORDER_LOCKED", "order_discarded", { posReference });
  }
  if (loss.kind === "kitchen_work" && present !== null && loss.order !== null) {
    return takeOverWork(deps, tx, loss.order.snapshot, { present, userName });
  }
  const isLossPaid = loss.order !== null && !isActive(loss.order.snapshot.status);
  const canBeReplaced = present === null || isActive(present.snapshot.status) || (isLossPaid && lacksPayments(present));
  if (!canBeReplaced) throw lockedError(present);
  if (loss.kind === "order_discarded") return discard(deps, tx, present, { reason: null });
  if (loss.kind === "order_merged") return closeMerged(deps, tx, loss, present);
  if (loss.order === null) throw explainedError("VALIDATION_ERROR", "loss_without_content", { posReference });
  if (present !== null && !isLossPaid) {
    requireUnlocked(present);
    requireNoOtherLease(rulebook.context(tx, { terminalId: HUB_ORIGIN, userName, role: "manager" }), posReference);
  }
  const content = isLossPaid ? loss.order.snapshot : withWorkSince(deps, loss, loss.order.snapshot, present);
  saveContent(deps, tx, { order: { ...loss.order, snapshot: content }, present, userName });
}

/** Takes over what the kitchen received and prepared of a check. The rest of the check stays unchanged. */
function takeOverWork(
  { orders, recoverTickets, losses }: Pick<SaveDeps, "orders" | "recoverTickets" | "losses">,
  tx: Tx,
  restored: Snapshot,
  { present, userName }: { present: StoredOrder; userName: string | null },
): void {
  const done = new Map(restored.lines.map((line) => [line.id, line]));
  const lines = present.snapshot.lines.map((line) => {
    const sentQuantity = Math.max(line.sentQuantity ?? 0, done.get(line.id)?.sentQuantity ?? 0);
    const preparedQuantity = Math.max(line.preparedQuantity ?? 0, done.get(line.id)?.preparedQuantity ?? 0);
    const isServed = done.get(line.id)?.kitchenItemStatus === "served";
    const served = isServed ? { kitchenItemStatus: "served" } : {};
    return { ...done.get(line.id), ...line, ...served, sentQuantity, preparedQuantity };
  });
  const kitchen = recoverTickets(tx, { ...present.snapshot, lines });
  const writer = restorer(losses, tx, userName);
  saveVersion(orders, tx, writer, {
    posReference: present.posReference,
    snapshot: { ...present.snapshot, lines: kitchen.lines },
    kind: "bumped",
    previous: present,
  });
  kitchen.save(writer);
}

export type SaveContent = (tx: Tx, order: Parameters<typeof saveContent>[2]) => void;

/** Stores the known content of an order. A paid or closed order becomes `paid`, which queues it for the back-office. */
export function saveContent(
  deps: SaveDeps,
  tx: Tx,
  saved: { order: StoredOrder; present: StoredOrder | null; userName: string | null },
): void {
  const { orders, orderWriter, unappliedPayments } = deps;
  const { order, present, userName } = saved;
  const { posReference } = order;
  const isPaid = !isActive(order.snapshot.status);
  const snapshot: Snapshot = {
    ...order.snapshot,
    status: isPaid ? "paid" : order.snapshot.status,
  };
  const tenders =
    present === null ? (order.snapshot.tenders ?? []) : tendersOfBoth(unappliedPayments, tx, order, present.snapshot);
  if (tenders.length > 0) snapshot.tenders = tenders;
  if (!isPaid) snapshot.checkNumber = freeCheckNumber(orders, posReference, snapshot);
  orders.raiseFloor(posReference, order.version);
  notePayments(deps, tx, { posReference, paymentId: isPaid ? snapshot.paymentId : undefined, tenders, userName });
  const writer = restorer(deps.losses, tx, userName);
  const kitchen = deps.recoverTickets(tx, snapshot);
  saveVersion(orders, tx, writer, {
    posReference,
    snapshot: { ...snapshot, lines: kitchen.lines },
    kind: isPaid ? "paid" : present === null ? "created" : "edited",
    previous: present,
  });
  kitchen.save(writer);
  if (isPaid) deps.leases.end(tx, posReference, HUB_ORIGIN);
  const presentTables = present === null ? [] : tablesOf(present.snapshot);
  orderWriter.followTables(tx, [...new Set([...presentTables, ...tablesOf(snapshot)])], posReference, HUB_ORIGIN);
}

/** Records the order's payments as applied, so that a retry is recognized, and settles those kept for a manager. */
function notePayments(
  { paymentIdentities, unappliedPayments }: Pick<SaveDeps, "paymentIdentities" | "unappliedPayments">,
  tx: Tx,
  order: { posReference: string; paymentId: string | undefined; tenders: Tender[]; userName: string | null },
): void {
  const { posReference, paymentId, tenders, userName } = order;
  paymentIdentities.recordTenders(posReference, tenders);
  if (paymentId !== undefined) paymentIdentities.recordPayment(posReference, paymentId);
  for (const identity of [
    ...tenders.map(({ tenderId }) => tenderId),
    ...(paymentId === undefined ? [] : [paymentId]),
  ]) {
    // Skips an id that belongs to a payment of another order.
    if (paymentIdentities.findOrder(identity) !== posReference) continue;
    unappliedPayments.settleIdentity(tx, identity, userName ?? HUB_ORIGIN);
  }
}

/** Discards a check that was merged into others, which charge for its lines. One of these checks must be known here. */
function closeMerged(
  deps: TakeOverDeps,
  tx: Tx,
  { posReference, mergedInto }: LossRow,
  present: StoredOrder | null,
): void {
  const { orders, losses } = deps;
  const isKnown = (target: string): boolean =>
    orders.get(target) !== null ||
    orders.wasRemoved(target) ||
    losses.findNoted(target) !== null ||
    losses.settledVersion(target) > 0 ||
    losses.findOpen(target) !== null;
  if (!mergedInto.some(isKnown)) throw explainedError("NOT_FOUND", "merge_target_missing", { posReference });
  discard(deps, tx, present, { reason: null, mergedInto });
}

function discard(
  { orders, orderWriter, rulebook, losses }: Pick<TakeOverDeps, "orders" | "orderWriter" | "rulebook" | "losses">,
  tx: Tx,
  present: StoredOrder | null,
  reason: { reason: string | null; mergedInto?: string[] },
): void {
  if (present === null) return;
  requireUnlocked(present);
  const refusal = refusalOfRemoval(present.snapshot);
  if (refusal !== null) throw ruleError(orders.get, refusal, present.posReference);
  const hub = restorer(losses, tx, null);
  orderWriter.store(tx, hub, { removals: [{ check: present, ...reason }] });
  orderWriter.store(tx, hub, cancelWork(rulebook.state(tx), present.posReference, tx.now));
}

function restorer(losses: LossStore, tx: Tx, userName: string | null): VersionWriter {
  return { terminalId: HUB_ORIGIN, userName, restoredAt: losses.listRestores(1)[0]?.at ?? tx.now };
}

/** Adds tenders taken since the restore. If the check was already paid without them, keeps them for a manager. */
function tendersOfBoth(
  unappliedPayments: UnappliedPaymentStore,
  tx: Tx,
  { posReference, snapshot }: StoredOrder,
  present: Snapshot,
): Tender[] {
  const restored = snapshot.tenders ?? [];
  const since = (present.tenders ?? []).filter(({ tenderId }) =>
    restored.every((tender) => tender.tenderId !== tenderId),
  );
  if (isActive(snapshot.status)) return [...restored, ...since];
  const refusal = explainedError("ORDER_LOCKED", "order_paid_before_restore", { posReference });
  for (const tender of openTenders({ tenders: since }))
    keepTender(unappliedPayments, tx, posReference, tender, refusal);
  return restored;
}

/** Returns the check's own number or, if another check on the table has it by now, the next free number. */
function freeCheckNumber(orders: OrderStore, posReference: string, snapshot: Snapshot): number | null {
  const { tableId, checkNumber } = snapshot;
  if (tableId === null) return null;
  const others = orders.listActiveOnTable(tableId).filter((order) => order.posReference !== posReference);
  const isFree = checkNumber != null && others.every((order) => order.checkNumber !== checkNumber);
  return isFree ? checkNumber : nextCheckNumber({ checksOn: orders.listActiveOnTable }, snapshot);
}

/**
 * Adds to the known content what was done here since history forked: new lines, and further quantities sent to the kitchen.
 * The fork is at the newest version here up to that of the loss; versions decide, since the clock may have been set back. For
 * a loss from before the last restore the fork is unknown, so that lines of both sides count once.
 */
function withWorkSince(
  { orders, losses }: Pick<TakeOverDeps, "orders" | "losses">,
  { version, foundAt }: LossRow,
  restored: Snapshot,
  present: StoredOrder | null,
): Snapshot {
  if (present === null) return restored;
  const isOfLast = losses.listRestores(1).every(({ at }) => at <= foundAt);
  const history = isOfLast ? orders.listVersions(present.posReference) : [];
  const before = history.findLast((row) => row.version <= version)?.order.snapshot.lines ?? [];
  const old = new Set([...before, ...restored.lines].map((line) => line.id));
  const lineOf = (lines: readonly StoredLine[], id: string): StoredLine | undefined =>
    lines.find((line) => line.id === id);
  const merged = restored.lines.map((line) =>
    // A line that was added on both sides is one that its terminal has retried.
    withMore(line, lineOf(present.snapshot.lines, line.id), lineOf(before, line.id) ?? line),
  );
  const added = present.snapshot.lines.filter((line) => !old.has(line.id));
  if (added.length === 0 && merged.every((line, index) => line === restored.lines[index])) return restored;
  const lines = [...merged, ...added];
  return { ...restored, lines, status: statusOf(lines), ...addUp(lines, restored.adjustments) };
}

/** Adds to a known line what was sent to the kitchen here (`present`) since history forked (`forked`). */
function withMore(line: StoredLine, present: StoredLine | undefined, forked: StoredLine): StoredLine {
  const sentOf = (each: StoredLine): number => each.sentQuantity ?? 0;
  if (present === undefined || sentOf(present) <= sentOf(forked)) return line;
  // The line was not changed there, so the line here is complete.
  if (sentOf(line) === sentOf(forked) && line.quantity === forked.quantity) return present;
  // Excludes quantities that were voided here, and those that were not ordered here but sent there as well.
  const remainingOf = (each: StoredLine): number => subtract(sentOf(each), sentVoidedQuantityOf(each));
  const more = Math.min(
    subtract(remainingOf(present), remainingOf(forked)),
    subtract(quantityToMake(present), quantityToMake(forked)),
  );
  if (more <= 0) return line;
  const charged = chargedQuantity(present);
  const share = charged > 0 ? proportionOf(present.total ?? 0, more, charged) : 0;
  return {
    ...line,
    quantity: sum([line.quantity, more]),
    sentQuantity: sum([sentOf(line), more]),
    total: sum([line.total ?? 0, share]),
  };
}
