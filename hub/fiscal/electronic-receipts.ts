import { DAY_MS, HOUR_MS, said, type StoredOrder } from "@comanda/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { BackOfficeError, isAboutTheLine } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import type { Listener, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { FiscalPart } from "../orders/payments/fiscal-rules.ts";
import { createLoop } from "../platform/loop.ts";
import { HubError } from "../platform/errors.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import { type FiscalRequestRow, type FiscalRequests, isReceipt, type ReceiptRow } from "./fiscal-requests.ts";
import { type AnswerDeps, createReceiptAnswers } from "./receipt-answers.ts";
import { FIRST_FOLLOW_MS, FIRST_WAIT_MS, noteReceipt, tellManager } from "./receipt-rows.ts";

/** So long a receipt is asked for; then a manager decides. */
const ASKED_FOR_MS = DAY_MS;
/** So long the tax office's word is waited for once a receipt is signed, and the longest pause between two questions. */
const FOLLOWED_FOR_MS = 3 * DAY_MS;
const FOLLOW_MAX_MS = 6 * HOUR_MS;
const AT_ONCE = 4;
/** How long the answer to a manager waits for what was asked again. */
const ANSWER_WAIT_MS = 2_000;

interface ReceiptDeps extends AnswerDeps {
  world: World;
  changes: ChangeLog;
  fiscalRequests: FiscalRequests;
  client: Pick<BackOfficeClient, "finalize">;
  own: OwnSession;
  audit: Pick<AuditLog, "record">;
  /** The order as it was sent to the back-office; null where that is not kept any more. */
  forwardedEvent(posReference: string): ForwardEvent | null;
  /** The longest pause between two questions for one receipt. */
  pollMs: number;
}

export type ElectronicReceipts = ReturnType<typeof createElectronicReceipts>;

/**
 * Takes what the back-office answers for the electronic receipts of paid orders, and asks again for what it does not sign at
 * once. It signs, the hub carries: nothing that is wrong with an answer keeps an order from being done.
 */
export function createElectronicReceipts(deps: ReceiptDeps) {
  const { world, changes, orders, fiscalRequests: requests, own, audit, pollMs } = deps;
  const answers = createReceiptAnswers(deps);
  let isStopping = false;
  let isLineDown = false;
  let wantsAll = false;
  const loop = createLoop(world, "electronic receipts", pollMs, askDue, untilDueMs);

  function untilDueMs(): number {
    const at = isLineDown || !own.hasCredentials ? null : requests.nextReceiptAt(!answers.isKnowing());
    return at === null ? pollMs : at - world.clock.now();
  }

  async function askDue(): Promise<void> {
    if (!own.hasCredentials) return;
    if (wantsAll) await changes.write((tx) => requests.askNow(tx));
    wantsAll = false;
    isLineDown = false;
    const maxMs = { signing: pollMs, sent: FOLLOW_MAX_MS };
    const due = requests.dueReceipts(world.clock.now(), maxMs, !answers.isKnowing());
    for (let next = 0; next < due.length && !isStopping && !isLineDown; next += AT_ONCE) {
      const asked = await Promise.all(due.slice(next, next + AT_ONCE).map(ask));
      isLineDown = asked.includes("no_line");
    }
    if (!answers.isKnowing()) await changes.write((tx) => requests.forgetReceipts(tx, tx.now - ASKED_FOR_MS));
  }

  /** Asks once; `no_line` where nothing could be asked at all. */
  async function ask(posReference: string): Promise<"answered" | "no_line"> {
    const event = deps.forwardedEvent(posReference);
    const answer = event === null ? {} : await finalizeAgain(deps, event);
    await changes.write((tx) => settle(tx, posReference, answer));
    return answer === "no_line" ? "no_line" : "answered";
  }

  function settle(tx: Tx, posReference: string, answer: { fiscal?: unknown } | "no_line"): void {
    const stored = orders.get(posReference);
    const row = requests.get(posReference);
    if (row === null || !isAskedFor(row)) return;
    if (stored === null) return requests.remove(tx, posReference);
    const part = answer === "no_line" ? null : answers.read(tx, stored, answer.fiscal);
    if (part !== null) noteReceipt(requests, tx, answers.takeLate(tx, stored, part));
    const left = requests.get(posReference);
    if (left === null || !isAskedFor(left)) return;
    // Signed just now: its first question is planned.
    if (left.state !== row.state) return;
    const isSent = left.state === "sent";
    if (tx.now - left.changedAt >= (isSent ? FOLLOWED_FOR_MS : ASKED_FOR_MS)) return giveUp(tx, row);
    const [firstMs, maxMs] = isSent ? [FIRST_FOLLOW_MS, FOLLOW_MAX_MS] : [FIRST_WAIT_MS, pollMs];
    const waitMs = Math.min(maxMs, firstMs * 2 ** Math.min(left.attempts + (isSent ? 1 : 0), 20));
    requests.askLater(tx, posReference, tx.now + waitMs);
  }

  function giveUp(tx: Tx, row: FiscalRequestRow): void {
    // A back-office that does not follow up says nothing more of a signed one; one that has never heard of electronic
    // receipts will not sign this one either.
    const isOver = row.state === "sent" || !answers.isKnowing() || requests.isDismissed(row.posReference, row.ncf);
    if (isOver) return requests.remove(tx, row.posReference);
    const error = said("receipt_unsigned");
    requests.noteReceipt(tx, { ...row, state: "unsigned", error });
    tellManager(tx, row.posReference, error);
  }

  return {
    start: loop.start,
    /** The back-office answers again: everything that waits is due. */
    wake(): void {
      wantsAll = true;
      loop.wake();
    },
    async stop(): Promise<void> {
      isStopping = true;
      await loop.stop();
    },

    /** A receipt that is still to come is asked for in its time. */
    follow: ((group) => {
      if (group.some((change) => change.kind === "order.stored" && change.did === "closed")) loop.reschedule();
    }) satisfies Listener,

    /** What changes of an order that the back-office has confirmed. */
    ofAnswer(tx: Tx, order: StoredOrder, answered: unknown): FiscalPart {
      const part = answers.read(tx, order, answered) ?? {};
      answers.keepNumber(tx, order.posReference, part);
      return part;
    },

    /** What has to follow for the order's receipt; null where nothing has. */
    following(posReference: string): ReceiptRow | null {
      const row = requests.get(posReference);
      return row !== null && isReceipt(row) ? row : null;
    },

    /** A manager has the receipt asked for again, or has dealt with it outside. CONFLICT where it waits for no decision. */
    async decide(
      { posReference, state, type, ncf }: ReceiptRow,
      action: "retry" | "dismiss",
      userName: string,
    ): Promise<void> {
      await changes.write((tx) => {
        const row = requests.get(posReference);
        if (row === null || row.state !== state || row.ncf !== ncf || isAskedFor(row)) {
          const words = `the receipt of order ${posReference} is asked for: it waits for no decision`;
          throw new HubError("CONFLICT", words, { receiptState: row?.state ?? null });
        }
        audit.record(tx, userName, action === "retry" ? "fiscal.retry" : "fiscal.dismiss", posReference, ncf);
        // It is asked for below: the loop comes later.
        const next = tx.now + FIRST_WAIT_MS;
        if (action === "retry") requests.noteReceipt(tx, { posReference, state: "signing", type, ncf }, next);
        else requests.remove(tx, posReference);
        tx.notify(["fiscal"]);
      });
      if (action === "retry") await withTimeout(world, ANSWER_WAIT_MS, ask(posReference));
      loop.reschedule();
    },
  };
}

/** The answer's receipt; undefined where it has none. */
async function finalizeAgain(
  { own, client }: Pick<ReceiptDeps, "own" | "client">,
  event: ForwardEvent,
): Promise<{ fiscal?: unknown } | "no_line"> {
  try {
    return await own.use((token) => client.finalize(token, event));
  } catch (error) {
    if (!(error instanceof BackOfficeError)) throw error;
    return isAboutTheLine(error) ? "no_line" : {};
  }
}

/** What is asked for again: its code is to come, or the tax office's word. */
function isAskedFor({ state }: FiscalRequestRow): boolean {
  return state === "signing" || state === "sent";
}
