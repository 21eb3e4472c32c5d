import { isDeepStrictEqual } from "node:util";
import {
  type ElectronicReceipt,
  isActive,
  type PosConfig,
  type Refund,
  type RefundLine,
  type RefundPayment,
  type RefundRequest,
  type Sentence,
  sentence,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { decideRefund, isNoteInContingency } from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Tx } from "../changes/change.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import { ruleError } from "../orders/rulebook/rule-error.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { hubWriter, saveVersion, type VersionWriter } from "../orders/store/save-version.ts";
import type { People } from "../people/people.ts";
import type { VersionPeopleStore } from "../people/version-people.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { TillBook } from "../till/till-book.ts";
import type { TillStore } from "../till/till-store.ts";
import { rejectionOf, notifyManager } from "./receipt-rows.ts";
import type { StoredRefund, RefundStore } from "./refund-store.ts";
import { approvedRefund, type RefundedBy, takesLinesOf } from "./refunder.ts";

export interface RefundBookDeps {
  world: World;
  orders: OrderStore;
  ncfs: NcfStore;
  refunds: RefundStore;
  versionPeople: Pick<VersionPeopleStore, "save">;
  people: Pick<People, "noteApproved">;
  /** Records which drawer a refund's money leaves. */
  tillBook: Pick<TillBook, "refunded">;
  tills: Pick<TillStore, "getShift">;
  audit: Pick<AuditLog, "record">;
  posConfig(): PosConfig | null;
}

/** The note that the back-office has made; `ncf` is null if it does not give the number. */
export interface MadeNote {
  ncf: string | null;
  total?: number | undefined;
  modifies?: string | undefined;
  ecf?: ElectronicReceipt | undefined;
}

/** Stores refunds and shows them on their checks. All methods run in a transaction. */
export function createRefundBook(deps: RefundBookDeps) {
  const { world, orders, ncfs, refunds, audit, posConfig } = deps;

  /** All refunds of a check, made or pending. */
  function refundsOf(posReference: string, snapshot: Pick<Snapshot, "refunds">): Refund[] {
    const stored = refunds.listByOrder(posReference);
    // A check that a terminal offered after a restore may have refunds that this file lacks.
    const others = (snapshot.refunds ?? []).filter((refund) => !stored.some((each) => isSameNote(each, refund)));
    return [...others, ...stored];
  }

  /** Returns the stored refund of a repeated request, or stores a new one if the rules allow it. */
  function begin(
    tx: Tx,
    posReference: string,
    request: RefundRequest,
    by: RefundedBy,
  ): { stored: StoredRefund; isRepeat: boolean } {
    const { refundId, lines = null, refund } = request;
    const existing = refunds.find(refundId);
    if (existing !== null) {
      if (existing.posReference === posReference && isRepeatOf(existing, request))
        return { stored: existing, isRepeat: true };
      throw new HubError("VALIDATION_ERROR", "refundId: it was used for another refund");
    }
    const { snapshot } = requireOrder(orders, posReference);
    const takesLines = takesLinesOf(posConfig());
    const check = { ...snapshot, refunds: refundsOf(posReference, snapshot) };
    const methods = posConfig()?.paymentMethods ?? null;
    const decided = decideRefund(check, { ...(lines !== null && { lines }), refund }, { methods, takesLines });
    if ("refusal" in decided) throw ruleError(orders.get, decided.refusal, posReference);
    requireOpenShifts(deps.tills, refund);
    const pending: Refund = {
      ...newRefund(request, by, tx.now),
      ...decided,
      ...(!takesLines && { isWhole: true as const }),
    };
    const stored: StoredRefund = { posReference, asksAll: lines === null, isInDoubt: false, refund: pending };
    refunds.save(tx, stored);
    if (by.approver !== null) deps.people.noteApproved(by.approver.approval, approvedRefund(refundId));
    return { stored, isRepeat: false };
  }

  /** Stores the made note. Its money leaves the drawer once. */
  function finish(tx: Tx, stored: StoredRefund, note: MadeNote): Refund {
    const { posReference, refund: requested } = stored;
    const { ncf, total, modifies, ecf } = note;
    // The back-office may answer a request with a note that it has already made for another one.
    const isSame = (each: Refund) => each.state === "made" && isSameNote(each, { ...requested, ncf });
    const existing = refunds.listByOrder(posReference).find(isSame);
    // A manager's note does not say how the money goes back; a request that does completes it.
    const lacksPayments = existing?.refund.length === 0 && requested.refund.length > 0;
    if (existing !== undefined && !lacksPayments) {
      if (existing.refundId !== requested.refundId) drop(tx, stored);
      return existing;
    }
    const isListed = ({ refundId }: Refund) =>
      refunds.listInContingency().some((each) => each.refund.refundId === refundId);
    // A note that a manager has had replaced is not listed again.
    const isReplaced = existing !== undefined && !isListed(existing);
    if (existing !== undefined) refunds.remove(tx, existing.refundId);
    const refund: Refund = {
      ...requested,
      state: "made",
      madeAt: isoTime(tx.now),
      ncf,
      ...(modifies !== undefined && { modifies }),
      ...(total !== undefined && { total }),
      ...(ecf !== undefined && { ecf }),
    };
    refunds.save(tx, { ...stored, refund, isInDoubt: false });
    const isOnPaper = isNoteInContingency(ncf, orders.get(posReference)?.snapshot.ncf ?? modifies);
    if (isOnPaper && !isReplaced) refunds.noteContingency(tx, refund.refundId, true);
    deps.tillBook.refunded(tx, posReference, refund);
    if (ncf !== null) ncfs.keep(tx, ncf, posReference);
    saveRefunds(tx, stored, (others) => [...others.filter(({ refundId }) => refundId !== existing?.refundId), refund]);
    audit.record(tx, requested.by, "order.credit_note", posReference, noteOn(requested, ncf));
    const detail = { posReference, userName: requested.by, amount: refund.amount, ...(ncf !== null && { text: ncf }) };
    tx.notify(["orders", "fiscal"], { kind: "credit_note_made", level: "info", detail });
    if (ecf?.status === "rejected") notifyManager(tx, posReference, rejectionOf(ecf));
    return refund;
  }

  /** Marks the note as maybe made. The check shows it as pending until the back-office is asked again. */
  function markInDoubt(tx: Tx, stored: StoredRefund): Refund {
    if (stored.isInDoubt) return stored.refund;
    refunds.save(tx, { ...stored, isInDoubt: true });
    saveRefunds(tx, stored, (others) => [...others, stored.refund]);
    world.log.warn({ posReference: stored.posReference }, "nobody answered whether a credit note was made");
    return stored.refund;
  }

  /** Saves the check with its refunds as a new version, which changes neither the kitchen nor forwarding. */
  function saveOnCheck(tx: Tx, stored: StoredOrder, writer: VersionWriter, shown: Refund[]): StoredOrder {
    const { refunds: _, ...snapshot } = stored.snapshot;
    return saveVersion(orders, tx, writer, {
      posReference: stored.posReference,
      snapshot: { ...snapshot, ...(shown.length > 0 && { refunds: shown }) },
      kind: "refunded",
      previous: stored,
    }).order;
  }

  function saveRefunds(
    tx: Tx,
    { posReference, refund: { refundId, by, approvedBy, terminalId } }: StoredRefund,
    next: (others: Refund[]) => Refund[],
  ): void {
    const stored = orders.get(posReference);
    // A note can be requested by reference alone, for an order that only the back-office knows.
    if (stored === null) return;
    const { refunds: before = [] } = stored.snapshot;
    const now = next(before.filter((each) => each.refundId !== refundId));
    const { version } = saveOnCheck(tx, stored, { terminalId, userName: by }, now);
    if (approvedBy === undefined) return;
    deps.versionPeople.save(posReference, { version, userName: by, approvedBy });
  }

  /** Shows the refunds of a paid check on it again, if they came from a file replaced by a restore. */
  function attachCarried(tx: Tx, posReference: string): void {
    const stored = orders.get(posReference);
    if (stored === null || isActive(stored.snapshot.status)) return;
    const carried = refundsOf(posReference, stored.snapshot);
    if (isDeepStrictEqual(carried, stored.snapshot.refunds ?? [])) return;
    saveOnCheck(tx, stored, hubWriter, carried);
  }

  /** Deletes a refund for which the back-office has made no note. */
  function drop(tx: Tx, stored: StoredRefund): void {
    refunds.remove(tx, stored.refund.refundId);
    if (stored.isInDoubt) saveRefunds(tx, stored, (others) => others);
  }

  /** Throws while it is unknown whether a note of the check was made: another request could make a second one. */
  function requireAnswered(posReference: string): void {
    const check = orders.get(posReference)?.snapshot ?? {};
    const unanswered = refundsOf(posReference, check).find(({ state }) => state === "pending");
    if (unanswered === undefined) return;
    const { refundId } = unanswered;
    throw ruleError(orders.get, { code: "REFUND_UNANSWERED", values: { refundId } }, posReference);
  }

  /** Whether the note of the whole check is known; a back-office that makes one per check has made no other. */
  function hasNote(posReference: string): boolean {
    return refunds.listByOrder(posReference).some(({ state, isWhole }) => state === "made" && isWhole === true);
  }

  return { begin, finish, markInDoubt, drop, attachCarried: attachCarried, requireAnswered, hasNote };
}

/** Returns the audit log's note: who approved the credit note, and its number. */
function noteOn({ approvedBy }: Refund, ncf: string | null): Sentence | string | null {
  if (approvedBy === undefined) return ncf;
  return { ...sentence("note_approved_by", { name: approvedBy }), ...(ncf !== null && { words: ncf }) };
}

/** Whether two refunds are the same note: they have the same number or id. */
function isSameNote(a: Pick<Refund, "refundId" | "ncf">, b: Pick<Refund, "refundId" | "ncf">): boolean {
  return a.refundId === b.refundId || (typeof a.ncf === "string" && a.ncf === b.ncf);
}

/** Returns a refund as requested, before the rules have computed its amounts. */
function newRefund(
  { refundId, reason, refund }: RefundRequest,
  { person, approver, terminalId }: RefundedBy,
  now: number,
) {
  return {
    refundId,
    state: "pending" as const,
    at: isoTime(now),
    by: person.userName,
    ...(approver !== null && { approvedBy: approver.userName }),
    terminalId,
    reason,
    refund,
  };
}

/** Throws SHIFT_CLOSED if a refund names a shift that is not open. */
export function requireOpenShifts(tills: Pick<TillStore, "getShift">, payments: readonly RefundPayment[]): void {
  for (const { shiftId } of payments) {
    if (shiftId === undefined || tills.getShift(shiftId)?.state === "open") continue;
    throw new HubError("SHIFT_CLOSED", `refund: shift ${shiftId} is not open`);
  }
}

/** Whether a request repeats a stored one: it names the same lines, or both ask for all that was left. */
function isRepeatOf({ refund, asksAll }: StoredRefund, { lines, refund: payments }: RefundRequest): boolean {
  const isSamePayment = (a: RefundPayment, b: RefundPayment | undefined) =>
    String(a.methodId) === String(b?.methodId) && a.amount === b?.amount;
  if (payments.length !== refund.refund.length) return false;
  if (!payments.every((each, index) => isSamePayment(each, refund.refund[index]))) return false;
  if (lines === undefined) return asksAll;
  const isSameLine = ({ lineId, quantity }: RefundLine) =>
    refund.lines.some((each) => each.lineId === lineId && each.quantity === quantity);
  return lines.length === refund.lines.length && lines.every(isSameLine);
}
