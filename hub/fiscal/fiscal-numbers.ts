import { sentence, type Sentence } from "@comanda/protocol";
import { BackOfficeError, isLineFailure } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Listener, Recorder } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { OrderAnswer } from "../orders/store/mutation-store.ts";
import { createLoop } from "../platform/loop.ts";
import { type FiscalRequestRow, isReceipt } from "./fiscal-requests.ts";
import { createNumberAttempts, type Outcome } from "./number-attempts.ts";
import { createNumberDecisions, type DecisionDeps } from "./number-decisions.ts";
import { createNumberOutcomes, type OutcomeDeps } from "./number-outcomes.ts";
import { refusalOr, releaseOrRefusal } from "./refused-number.ts";

/** After this many unanswered attempts in a row, a run leaves the rest to the next one. */
const MAX_UNANSWERED = 3;
/** How often releasing a number is attempted before an order that a manager sends without one is forwarded anyway. */
const MAX_RELEASES = 7;

interface FiscalDeps extends OutcomeDeps, Pick<DecisionDeps, "refused" | "audit"> {
  changes: ChangeLog;
  client: Pick<BackOfficeClient, "reserveNcf" | "releaseNcf">;
  own: OwnSession;
  intervalMs: number;
}

export type FiscalNumbers = ReturnType<typeof createFiscalNumbers>;

/** Stores with a payment the number that its order has, or the request for one. */
export function fiscalRecorder({ ncfs, fiscalRequests }: Pick<FiscalDeps, "ncfs" | "fiscalRequests">): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.event !== "paid") return;
    const { posReference, snapshot } = change.order;
    const { ncf, fiscal } = snapshot;
    if (ncf !== undefined) ncfs.keep(tx, ncf, posReference);
    if (fiscal?.status !== "pending" && fiscal?.status !== "failed") return;
    fiscalRequests.add(tx, posReference, fiscal.type ?? "", fiscal.rnc ?? null);
    if (fiscal.status === "failed")
      fiscalRequests.fail(tx, posReference, { words: fiscal.error ?? "" }, fiscal.errorCode ?? null);
  };
}

/**
 * Requests the fiscal numbers of paid orders from the back-office, one request per order at a time, until it assigns or refuses
 * them. Payment never waits for this. Unanswered requests are retried, with back-off and after a restart.
 */
export function createFiscalNumbers(deps: FiscalDeps) {
  const { world, changes, orders, fiscalRequests: requests, client, own, intervalMs } = deps;
  let isEager = true;
  let isStopping = false;
  const loop = createLoop(world, "fiscal numbers", intervalMs, requestDue);
  const { ask, settled, alone, stopped } = createNumberAttempts(world, carryOut);
  const outcomes = createNumberOutcomes(deps, loop.wake);

  async function requestDue(): Promise<void> {
    if (!own.hasCredentials) return;
    const due = requests.listDue(world.clock.now(), isEager);
    isEager = false;
    let unanswered = 0;
    for (const posReference of due) {
      if (isStopping || unanswered === MAX_UNANSWERED) return;
      const outcome = await ask(posReference);
      if (outcome === "no_line") return;
      unanswered = outcome === "unanswered" ? unanswered + 1 : 0;
    }
  }

  async function carryOut(posReference: string): Promise<Outcome> {
    const request = requests.get(posReference);
    if (request === null || request.state === "failed" || isReceipt(request)) return "answered";
    try {
      await (request.state === "pending" ? reserve(request) : release(request));
      return "answered";
    } catch (error) {
      if (error instanceof BackOfficeError && isLineFailure(error)) return "no_line";
      // One damaged order must not block the numbers of the rest.
      if (!(error instanceof BackOfficeError)) world.log.error({ err: error, posReference }, "an order gets no number");
      const failure = answered(error);
      await changes.write((tx) => {
        const isLastAttempt = request.state === "releasing" && request.attempts + 1 >= MAX_RELEASES;
        if (isLastAttempt) outcomes.giveUpRelease(tx, request, failure.error ?? sentence("back_office_no_result"));
        else requests.postpone(tx, request, intervalMs, failure);
        tx.notify(["fiscal"]);
      });
      return "unanswered";
    }
  }

  async function reserve(request: FiscalRequestRow): Promise<void> {
    const { posReference, type, rnc } = request;
    const question = { pos_reference: posReference, type, ...(rnc !== null && { rnc }) };
    const answer = await refusalOr(own.use((token) => client.reserveNcf(token, question)));
    await changes.write((tx) => {
      if (!("refusal" in answer)) return outcomes.takeNumber(tx, posReference, answer);
      const now = requests.get(posReference);
      // A manager has changed the request meanwhile, so the refusal no longer applies.
      if (now?.state === "pending" && (now.type !== type || now.rnc !== rnc)) return loop.wake();
      outcomes.fail(tx, posReference, answer.refusal, answer.errorCode);
    });
  }

  async function release(request: FiscalRequestRow): Promise<void> {
    const { posReference, reason } = request;
    const answer = await releaseOrRefusal(own.use((token) => client.releaseNcf(token, posReference, reason ?? "")));
    await changes.write((tx) => outcomes.endRelease(tx, posReference, answer));
  }

  const decisions = createNumberDecisions({
    ...deps,
    outcomes,
    attempts: { ask: (posReference) => void ask(posReference), settled, alone, wake: loop.wake },
  });

  return {
    start: loop.start,
    /** Makes all waiting requests due. Called when the back-office answers again. */
    wake(): void {
      isEager = true;
      loop.wake();
    },
    async stop(): Promise<void> {
      isStopping = true;
      await loop.stop();
      await stopped();
    },

    /** Requests the number of each order as soon as its payment is durable. */
    follow: ((group) => {
      if (!own.hasCredentials || isStopping) return;
      for (const change of group) {
        const isWaiting = change.kind === "order.stored" && change.order.snapshot.fiscal?.status === "pending";
        if (isWaiting && change.event === "paid") void ask(change.order.posReference);
      }
    }) satisfies Listener,

    /** Adds the number and its state to a payment's answer; waits at most 2 s for an attempt in progress. */
    async completeAnswer(answer: OrderAnswer): Promise<OrderAnswer> {
      const { posReference } = answer;
      if (posReference === undefined) return answer;
      await settled(posReference);
      const snapshot = orders.get(posReference)?.snapshot;
      if (snapshot?.fiscal === undefined) return answer;
      return { ...answer, ...(snapshot.ncf !== undefined && { ncf: snapshot.ncf }), fiscal: snapshot.fiscal };
    },

    ...decisions,
  };
}

/** Returns the back-office's error for an attempt without a number or refusal; nulls if it did not answer. */
function answered(error: unknown): { error: Sentence | null; errorCode: string | null } {
  if (!(error instanceof BackOfficeError) || error.status === undefined) return { error: null, errorCode: null };
  return { error: error.said, errorCode: error.errorCode ?? null };
}
