import type { CreditNoteAnswer, Refund, RefundPayment, RefundRequest } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import { BackOfficeError, isAboutTheLine, isUnsent } from "../back-office/back-office-error.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { CARRIED_REFUNDS } from "../db/restore/carry-refunds.ts";
import type { Memory } from "../db/remembered.ts";
import { isoTime } from "../platform/world.ts";
import { readReceipt } from "./read-receipt.ts";
import { createRefundBook, type MadeNote, type RefundBookDeps, requireOpenShifts } from "./refund-book.ts";
import type { KeptRefund } from "./refund-store.ts";
import { type RefundedBy, requireRefunder } from "./refunder.ts";
import { isSaidByCode } from "./refused-number.ts";
import { type NoteDeps, noteRefusal, requestNote } from "./request-note.ts";

interface RefundDeps extends RefundBookDeps, NoteDeps {
  changes: ChangeLog;
  memory: Memory;
}

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * Gives back what was paid, each time with a credit note of the back-office. The refund is stored before the back-office is
 * asked, under the id that the screen made: a repeat, a crash in between or a lost answer never makes a second note.
 */
export function createRefunds(deps: RefundDeps) {
  const { world, changes, orders, memory, refunds, audit, posConfig } = deps;
  const book = createRefundBook(deps);
  /** The questions under way, by refund. */
  const asking = new Map<string, Promise<Refund>>();

  async function ask(kept: KeptRefund, by: RefundedBy, isRepeat: boolean): Promise<Refund> {
    try {
      const note = madeNoteOf(await requestNote(deps, kept, by));
      return await changes.write((tx) => book.finish(tx, kept, note));
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      return followFailure(kept, by, isRepeat, error);
    }
  }

  /** What becomes of a refund whose question was not answered with a note. */
  async function followFailure(
    kept: KeptRefund,
    by: RefundedBy,
    isRepeat: boolean,
    error: BackOfficeError,
  ): Promise<Refund> {
    const isRefused = isSaidByCode(error);
    const isNotAsked = isAboutTheLine(error) || isUnsent(error.reason) || error.reason === "busy";
    const isPaid = orders.get(kept.posReference)?.snapshot.status === "paid";
    const refusal = noteRefusal(kept, by, { error, isPaid });
    if (!isRefused && !isNotAsked) return changes.write((tx) => book.doubt(tx, kept));
    if (!isRepeat) {
      await changes.write((tx) => book.drop(tx, kept));
      throw refusal;
    }
    // What became of the first question is as open as before.
    if (isNotAsked || error.errorCode === "FORBIDDEN") throw refusal;
    const isOne = kept.refund.isWhole === true && !book.hasNote(kept.posReference);
    if (error.errorCode === "ALREADY_CREDITED" && isOne) {
      // The note that was asked for first: a back-office that makes one for each check tells no number any more.
      return changes.write((tx) => book.finish(tx, kept, { ncf: null }));
    }
    await changes.write((tx) => book.drop(tx, kept));
    throw refusal;
  }

  /** One that cannot be read keeps no hub from starting. */
  function showCarried(tx: Tx, posReference: string): void {
    try {
      book.showCarried(tx, posReference);
    } catch (error) {
      world.log.error({ err: error, posReference }, "what was given back before a restore is not on its check");
    }
  }

  return {
    /**
     * Gives back what a person asks for. Answers the refund, `pending` where nobody knows whether its note was made. Throws
     * FORBIDDEN where nobody who may has a hand in it, what the rules refuse, and the back-office's refusals.
     */
    async give(posReference: string, request: RefundRequest, by: RefundedBy): Promise<Refund> {
      requireRefunder(by, posConfig());
      const { kept, isRepeat } = await changes.write((tx) => book.begin(tx, posReference, request, by));
      const { refund } = kept;
      if (refund.state === "made") return refund;
      const attempt =
        asking.get(refund.refundId) ?? ask(kept, by, isRepeat).finally(() => asking.delete(refund.refundId));
      asking.set(refund.refundId, attempt);
      return attempt;
    },

    /** Throws ORDER_LOCKED while a refund of the check has no answer. */
    requireAnswered: book.requireAnswered,

    /** Refunds whose notes on paper stand in for electronic ones. */
    inContingency: refunds.inContingency,

    /** A manager has had such a note replaced, or all of a check; false where there is none. */
    settleContingency(posReference: string, ncf: string | undefined, userName: string): Promise<boolean> {
      return changes.write((tx) => {
        const settled = refunds.inContingency().filter((kept) => {
          return kept.posReference === posReference && (ncf === undefined || kept.refund.ncf === ncf);
        });
        for (const { refund } of settled) {
          refunds.noteContingency(tx, refund.refundId, false);
          audit.record(tx, userName, "fiscal.dismiss", posReference, refund.ncf);
        }
        if (settled.length > 0) tx.notify(["fiscal"]);
        return settled.length > 0;
      });
    },

    /** Throws SHIFT_CLOSED where money is to leave a drawer whose shift is not open. */
    requireOpenShifts: (payments: readonly RefundPayment[]): void => requireOpenShifts(deps.tills, payments),

    /** Keeps a note of the whole check, as the back-office makes it by itself; `refund` where it was said how the money goes back. */
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
        const kept = { posReference, refund, asksAll: true, isInDoubt: false };
        book.finish(tx, kept, madeNoteOf(note));
      });
    },

    /** Refunds that were under way when the hub ended are in doubt from now on; those that a restore kept stand on their checks. */
    async start(): Promise<void> {
      const unsettled = refunds.unsettled();
      const carried = memory.read<string[]>(CARRIED_REFUNDS)?.value ?? [];
      if (unsettled.length === 0 && carried.length === 0) return;
      await changes.write((tx) => {
        for (const kept of unsettled) book.doubt(tx, kept);
        for (const posReference of carried) showCarried(tx, posReference);
        memory.write(CARRIED_REFUNDS, [], tx.now);
      });
    },
  };
}

/** Of another number than the note's nothing is kept: it must not be printed. */
function madeNoteOf({ ncf, total, modifies, fiscal }: CreditNoteAnswer): MadeNote {
  const ecf = readReceipt(fiscal, ncf);
  return { ncf, total, modifies, ...(ecf?.ncf === ncf && { ecf }) };
}
