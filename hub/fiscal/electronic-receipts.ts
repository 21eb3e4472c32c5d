import { DAY_MS, HOUR_MS, sentence, type StoredOrder } from "@comanda/protocol";
import type { AuditLog } from "../audit/audit-log.ts";
import { BackOfficeError, isLineFailure } from "../back-office/back-office-error.ts";
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
import { FIRST_FOLLOW_MS, FIRST_WAIT_MS, noteReceipt, notifyManager } from "./receipt-rows.ts";

/** How long an unsigned receipt is requested; then a manager decides. */
const REQUEST_MS = DAY_MS;
/** How long the tax office's answer is awaited after signing, and the longest pause between two requests for it. */
const FOLLOW_MS = 3 * DAY_MS;
const FOLLOW_MAX_MS = 6 * HOUR_MS;
const CONCURRENCY = 4;
/** How long the answer to a manager waits for a repeated request. */
const ANSWER_WAIT_MS = 2_000;

interface ReceiptDeps extends AnswerDeps {
  world: World;
  changes: ChangeLog;
  fiscalRequests: FiscalRequests;
  client: Pick<BackOfficeClient, "finalize">;
  own: OwnSession;
  audit: Pick<AuditLog, "record">;
  /** The order as it was sent to the back-office; null if it is no longer kept. */
  forwardedEvent(posReference: string): ForwardEvent | null;
  /** The longest pause between two requests for one receipt. */
  pollMs: number;
}

export type ElectronicReceipts = ReturnType<typeof createElectronicReceipts>;

/**
 * Reads the back-office's answers about the electronic receipts of paid orders, and requests again what is not signed yet. The
 * back-office signs and the hub only transports: an invalid answer does not keep an order from completing.
 */
export function createElectronicReceipts(deps: ReceiptDeps) {
  const { world, changes, orders, fiscalRequests: requests, own, audit, pollMs } = deps;
  const answers = createReceiptAnswers(deps);
  let isStopping = false;
  let isLineDown = false;
  let isAllDue = false;
  const loop = createLoop(world, "electronic receipts", pollMs, requestDue, untilDueMs);

  function untilDueMs(): number {
    const at = isLineDown || !own.hasCredentials ? null : requests.nextReceiptAt(!answers.hasSeenReceipt());
    return at === null ? pollMs : at - world.clock.now();
  }

  async function requestDue(): Promise<void> {
    if (!own.hasCredentials) return;
    if (isAllDue) await changes.write((tx) => requests.askNow(tx));
    isAllDue = false;
    isLineDown = false;
    const maxMs = { signing: pollMs, sent: FOLLOW_MAX_MS };
    const due = requests.listDueReceipts(world.clock.now(), maxMs, !answers.hasSeenReceipt());
    for (let next = 0; next < due.length && !isStopping && !isLineDown; next += CONCURRENCY) {
      const results = await Promise.all(due.slice(next, next + CONCURRENCY).map(ask));
      isLineDown = results.includes("no_line");
    }
    if (!answers.hasSeenReceipt()) await changes.write((tx) => requests.forgetReceipts(tx, tx.now - REQUEST_MS));
  }

  /** Requests a receipt once. Resolves with `no_line` if the back-office could not be asked at all. */
  async function ask(posReference: string): Promise<"answered" | "no_line"> {
    const event = deps.forwardedEvent(posReference);
    const answer = event === null ? {} : await finalizeAgain(deps, event);
    await changes.write((tx) => settle(tx, posReference, answer));
    return answer === "no_line" ? "no_line" : "answered";
  }

  function settle(tx: Tx, posReference: string, answer: { fiscal?: unknown } | "no_line"): void {
    const stored = orders.get(posReference);
    const row = requests.get(posReference);
    if (row === null || !isPending(row)) return;
    if (stored === null) return requests.remove(tx, posReference);
    const part = answer === "no_line" ? null : answers.read(tx, stored, answer.fiscal);
    if (part !== null) noteReceipt(requests, tx, answers.takeLate(tx, stored, part));
    const current = requests.get(posReference);
    if (current === null || !isPending(current)) return;
    // Just signed: its first follow-up is scheduled.
    if (current.state !== row.state) return;
    const isSent = current.state === "sent";
    if (tx.now - current.changedAt >= (isSent ? FOLLOW_MS : REQUEST_MS)) return giveUp(tx, row);
    const [firstMs, maxMs] = isSent ? [FIRST_FOLLOW_MS, FOLLOW_MAX_MS] : [FIRST_WAIT_MS, pollMs];
    const waitMs = Math.min(maxMs, firstMs * 2 ** Math.min(current.attempts + (isSent ? 1 : 0), 20));
    requests.askLater(tx, posReference, tx.now + waitMs);
  }

  function giveUp(tx: Tx, row: FiscalRequestRow): void {
    // Needs no decision if the receipt is signed and only the tax office's answer is missing, or if the back-office has never
    // known electronic receipts and so will not sign this one.
    const isOver = row.state === "sent" || !answers.hasSeenReceipt() || requests.isDismissed(row.posReference, row.ncf);
    if (isOver) return requests.remove(tx, row.posReference);
    const error = sentence("receipt_unsigned");
    requests.noteReceipt(tx, { ...row, state: "unsigned", error });
    notifyManager(tx, row.posReference, error);
  }

  return {
    start: loop.start,
    /** Makes all waiting receipts due. Called when the back-office answers again. */
    wake(): void {
      isAllDue = true;
      loop.wake();
    },
    async stop(): Promise<void> {
      isStopping = true;
      await loop.stop();
    },

    /** Reschedules the loop when an order is closed, since its receipt may have to be requested. */
    follow: ((group) => {
      if (group.some((change) => change.kind === "order.stored" && change.versionKind === "closed")) loop.reschedule();
    }) satisfies Listener,

    /** Returns what the back-office's confirmation changes on an order. */
    ofAnswer(tx: Tx, order: StoredOrder, answered: unknown): FiscalPart {
      const part = answers.read(tx, order, answered) ?? {};
      answers.keepNumber(tx, order.posReference, part);
      return part;
    },

    /** Returns what has to follow for the order's receipt, or null if nothing has. */
    following(posReference: string): ReceiptRow | null {
      const row = requests.get(posReference);
      return row !== null && isReceipt(row) ? row : null;
    },

    /** Requests the receipt again or closes the case, as a manager decides. Throws CONFLICT if no decision is pending. */
    async decide(
      { posReference, state, type, ncf }: ReceiptRow,
      action: "retry" | "dismiss",
      userName: string,
    ): Promise<void> {
      await changes.write((tx) => {
        const row = requests.get(posReference);
        if (row === null || row.state !== state || row.ncf !== ncf || isPending(row)) {
          const message = `the receipt of order ${posReference} is asked for: it waits for no decision`;
          throw new HubError("CONFLICT", message, { receiptState: row?.state ?? null });
        }
        audit.record(tx, userName, action === "retry" ? "fiscal.retry" : "fiscal.dismiss", posReference, ncf);
        // Requested below, so the loop waits until this time.
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

/** Returns the back-office's answer with the receipt; `fiscal` is undefined if it has none. */
async function finalizeAgain(
  { own, client }: Pick<ReceiptDeps, "own" | "client">,
  event: ForwardEvent,
): Promise<{ fiscal?: unknown } | "no_line"> {
  try {
    return await own.use((token) => client.finalize(token, event));
  } catch (error) {
    if (!(error instanceof BackOfficeError)) throw error;
    return isLineFailure(error) ? "no_line" : {};
  }
}

/** Whether a receipt is requested again: its signature or the tax office's answer is still missing. */
function isPending({ state }: FiscalRequestRow): boolean {
  return state === "signing" || state === "sent";
}
