import type { CreditNoteAnswer, Refund, RefundPayment, RefundRequest } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import { BackOfficeError, isLineFailure, isUnsent } from "../back-office/back-office-error.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { CARRIED_REFUNDS } from "../db/restore/carry-refunds.ts";
import type { Memory } from "../db/remembered.ts";
import { isoTime } from "../platform/world.ts";
import { readReceipt } from "./read-receipt.ts";
import { createRefundBook, type MadeNote, type RefundBookDeps, requireOpenShifts } from "./refund-book.ts";
import type { StoredRefund } from "./refund-store.ts";
import { type RefundedBy, requireRefunder } from "./refunder.ts";
import { hasKnownCode } from "./refused-number.ts";
import { type NoteDeps, noteRefusal, requestNote } from "./request-note.ts";

interface RefundDeps extends RefundBookDeps, NoteDeps {
  changes: ChangeLog;
  memory: Memory;
}

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * Refunds payments, each with a credit note of the back-office. The refund is stored before the back-office is asked, under the
 * client's id, so a repeat, a crash or a lost answer never makes a second note.
 */
export function createRefunds(deps: RefundDeps) {
  const { world, changes, orders, memory, refunds, audit, posConfig } = deps;
  const book = createRefundBook(deps);
  /** The requests in progress, by refund. */
  const asking = new Map<string, Promise<Refund>>();

  async function ask(stored: StoredRefund, by: RefundedBy, isRepeat: boolean): Promise<Refund> {
    try {
      const note = madeNoteOf(await requestNote(deps, stored, by));
      return await changes.write((tx) => book.finish(tx, stored, note));
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      return followFailure(stored, by, isRepeat, error);
    }
  }

  /** Handles a refund whose request did not get a note. */
  async function followFailure(
    stored: StoredRefund,
    by: RefundedBy,
    isRepeat: boolean,
    error: BackOfficeError,
  ): Promise<Refund> {
    const isRefused = hasKnownCode(error);
    const isUnasked = isLineFailure(error) || isUnsent(error.reason) || error.reason === "busy";
    const isPaid = orders.get(stored.posReference)?.snapshot.status === "paid";
    const refusal = noteRefusal(stored, by, { error, isPaid });
    if (!isRefused && !isUnasked) return changes.write((tx) => book.markInDoubt(tx, stored));
    if (!isRepeat) {
      await changes.write((tx) => book.drop(tx, stored));
      throw refusal;
    }
    // It is still open whether the first request made a note.
    if (isUnasked || error.errorCode === "FORBIDDEN") throw refusal;
    const isWholeNote = stored.refund.isWhole === true && !book.hasNote(stored.posReference);
    if (error.errorCode === "ALREADY_CREDITED" && isWholeNote) {
      // The first request made the note. A back-office that makes one per check does not repeat its number.
      return changes.write((tx) => book.finish(tx, stored, { ncf: null }));
    }
    await changes.write((tx) => book.drop(tx, stored));
    throw refusal;
  }

  /** Shows carried refunds on a check. A check that cannot be read does not keep the hub from starting. */
  function attachCarried(tx: Tx, posReference: string): void {
    try {
      book.attachCarried(tx, posReference);
    } catch (error) {
      world.log.error({ err: error, posReference }, "what was given back before a restore is not on its check");
    }
  }

  return {
    /**
     * Refunds what a person requests. Resolves with the refund, `pending` if it is unknown whether its note was made. Throws
     * FORBIDDEN if neither the person nor an approver may refund, the rules' refusals, and the back-office's refusals.
     */
    async give(posReference: string, request: RefundRequest, by: RefundedBy): Promise<Refund> {
      requireRefunder(by, posConfig());
      const { stored, isRepeat } = await changes.write((tx) => book.begin(tx, posReference, request, by));
      const { refund } = stored;
      if (refund.state === "made") return refund;
      const attempt =
        asking.get(refund.refundId) ?? ask(stored, by, isRepeat).finally(() => asking.delete(refund.refundId));
      asking.set(refund.refundId, attempt);
      return attempt;
    },

    /** Throws ORDER_LOCKED while a refund of the check has no answer. */
    requireAnswered: book.requireAnswered,

    /** Refunds whose notes on paper stand in for electronic ones. */
    listInContingency: refunds.listInContingency,

    /** Records that a manager has had such a note, or all of a check, replaced. Resolves with false if there are none. */
    settleContingency(posReference: string, ncf: string | undefined, userName: string): Promise<boolean> {
      return changes.write((tx) => {
        const settled = refunds.listInContingency().filter((stored) => {
          return stored.posReference === posReference && (ncf === undefined || stored.refund.ncf === ncf);
        });
        for (const { refund } of settled) {
          refunds.noteContingency(tx, refund.refundId, false);
          audit.record(tx, userName, "fiscal.dismiss", posReference, refund.ncf);
        }
        if (settled.length > 0) tx.notify(["fiscal"]);
        return settled.length > 0;
      });
    },

    /** Throws SHIFT_CLOSED if money would leave a drawer whose shift is not open. */
    requireOpenShifts: (payments: readonly RefundPayment[]): void => requireOpenShifts(deps.tills, payments),

    /** Records a whole check's note that the back-office made by itself. `refund`: how the money goes back, if known. */
    record(
      posReference: string,
      {
        userName,
        terminalId,
        refund: payments = [],
      }: { userName: string; terminalId: string; refund?: RefundPayment[] },
      note: CreditNoteAnswer,
    ) {
      return changes.write((tx) => {
        const lines = note.lines.flatMap(({ id, ...line }) => {
          const quantity = chargedQuantity(line);
          return id === undefined || quantity <= 0 ? [] : [{ lineId: String(id), quantity }];
        });
        const refund: Refund = {
          refundId: `note-${note.ncf}`,
          state: "pending",
          at: isoTime(tx.now),
          by: userName,
          terminalId,
          reason: null,
          lines,
          isWhole: true,
          amount: note.total,
          refund: payments,
        };
        const stored = { posReference, refund, asksAll: true, isInDoubt: false };
        book.finish(tx, stored, madeNoteOf(note));
      });
    },

    /** Marks refunds without an answer at the hub's end as in doubt, and shows refunds kept by a restore on their checks. */
    async start(): Promise<void> {
      const unsettled = refunds.listUnsettled();
      const carried = memory.read<string[]>(CARRIED_REFUNDS)?.value ?? [];
      if (unsettled.length === 0 && carried.length === 0) return;
      await changes.write((tx) => {
        for (const stored of unsettled) book.markInDoubt(tx, stored);
        for (const posReference of carried) attachCarried(tx, posReference);
        memory.write(CARRIED_REFUNDS, [], tx.now);
      });
    },
  };
}

/** Returns the made note. Drops a receipt with another number than the note's: it must not be printed. */
function madeNoteOf({ ncf, total, modifies, fiscal }: CreditNoteAnswer): MadeNote {
  const ecf = readReceipt(fiscal, ncf);
  return { ncf, total, modifies, ...(ecf?.ncf === ncf && { ecf }) };
}
