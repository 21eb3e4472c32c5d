import {
  type AuditAction,
  type FiscalState,
  HUB_ORIGIN,
  hubSentence,
  type ReleaseNcfAnswer,
  type ReserveNcfAnswer,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { BackOfficeError, isAboutTheLine } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Listener, Recorder, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { OrderAnswer } from "../orders/store/mutation-store.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { saveVersion } from "../orders/store/save-version.ts";
import { HubError } from "../platform/errors.ts";
import { createLoop } from "../platform/loop.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { FiscalRequestRow, FiscalRequests } from "./fiscal-requests.ts";
import { createNumberDecisions, type DecisionDeps } from "./number-decisions.ts";
import { type RefusedNumber, refusalOr, releaseOrRefusal } from "./refused-number.ts";

/** How long the answer to a payment waits for the number. */
const ANSWER_WAIT_MS = 2_000;
/** After so many attempts without an answer the others of a run wait for the next one. */
const MAX_UNANSWERED = 3;
/** An order that a manager sends without a number waits for so many attempts to give one up, no longer. */
const MAX_RELEASES = 7;

interface FiscalDeps extends Pick<DecisionDeps, "refused"> {
  world: World;
  changes: ChangeLog;
  orders: OrderStore;
  ncfs: NcfStore;
  fiscalRequests: FiscalRequests;
  client: Pick<BackOfficeClient, "reserveNcf" | "releaseNcf">;
  own: OwnSession;
  audit: { record(tx: Tx, userName: string, action: AuditAction, target: string, note?: string | null): void };
  intervalMs: number;
  /** The order may be forwarded, as it stands at this version. */
  letGo(tx: Tx, posReference: string, version: number): void;
}

export type FiscalNumbers = ReturnType<typeof createFiscalNumbers>;

/** Stores with a payment the number that its order carries, or the request for one. */
export function fiscalRecorder({ ncfs, fiscalRequests }: Pick<FiscalDeps, "ncfs" | "fiscalRequests">): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.event !== "paid") return;
    const { posReference, snapshot } = change.order;
    const { ncf, fiscal } = snapshot;
    if (ncf !== undefined) ncfs.keep(tx, ncf, posReference);
    if (fiscal?.status !== "pending" && fiscal?.status !== "failed") return;
    fiscalRequests.add(tx, posReference, fiscal.type ?? "", fiscal.rnc ?? null);
    if (fiscal.status === "failed") fiscalRequests.fail(tx, posReference, fiscal.error ?? "", fiscal.errorCode ?? null);
  };
}

/**
 * Asks the back-office for the fiscal numbers of paid orders, one request for each order at a time, until it has given or
 * refused them. Payment never waits for that: what gets no answer is asked again, with back-off and after a restart.
 */
export function createFiscalNumbers(deps: FiscalDeps) {
  const { world, changes, orders, ncfs, fiscalRequests: requests, client, own, audit, intervalMs } = deps;
  /** The attempts under way, by reference. */
  const asking = new Map<string, Promise<Outcome>>();
  let isEager = true;
  let isStopping = false;
  const loop = createLoop(world, "fiscal numbers", intervalMs, askDue);

  async function askDue(): Promise<void> {
    if (!own.hasCredentials) return;
    const due = requests.due(world.clock.now(), isEager);
    isEager = false;
    let unanswered = 0;
    for (const posReference of due) {
      if (isStopping || unanswered === MAX_UNANSWERED) return;
      const outcome = await ask(posReference);
      if (outcome === "no_line") return;
      unanswered = outcome === "unanswered" ? unanswered + 1 : 0;
    }
  }

  function ask(posReference: string): Promise<Outcome> {
    const underWay = asking.get(posReference);
    if (underWay !== undefined) return underWay;
    const attempt = carryOut(posReference).catch((error: unknown): Outcome => {
      world.log.error({ err: error, posReference }, "what came of a fiscal number could not be stored");
      return "unanswered";
    });
    return occupy(posReference, attempt);
  }

  /** Nothing else is asked for this order until the attempt has ended. */
  function occupy(posReference: string, attempt: Promise<Outcome>): Promise<Outcome> {
    const underWay = attempt.finally(() => asking.delete(posReference));
    asking.set(posReference, underWay);
    return underWay;
  }

  /** Does something for an order while nothing is asked for it. */
  async function alone(posReference: string, work: () => Promise<void>): Promise<void> {
    while (asking.has(posReference)) await asking.get(posReference);
    const done = work();
    const ended = (): Outcome => "answered";
    await Promise.all([done, occupy(posReference, done.then(ended, ended))]);
  }

  async function carryOut(posReference: string): Promise<Outcome> {
    const request = requests.get(posReference);
    if (request === null || request.state === "failed") return "answered";
    try {
      await (request.state === "pending" ? reserve(request) : release(request));
      return "answered";
    } catch (error) {
      if (error instanceof BackOfficeError && isAboutTheLine(error)) return "no_line";
      // One damaged order must not keep the others from their numbers.
      if (!(error instanceof BackOfficeError)) world.log.error({ err: error, posReference }, "an order gets no number");
      const failure = answered(error);
      await changes.write((tx) => {
        const isGivenUp = request.state === "releasing" && request.attempts + 1 >= MAX_RELEASES;
        if (isGivenUp) leaveBehind(tx, request, failure.error ?? hubSentence("back_office_no_result"));
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
      if ("refusal" in answer) fail(tx, posReference, answer.refusal, answer.errorCode);
      else takeNumber(tx, posReference, answer);
    });
  }

  function takeNumber(tx: Tx, posReference: string, { ncf, type, expiresOn }: ReserveNcfAnswer): void {
    const request = requests.get(posReference);
    if (request?.state === "releasing") {
      // A manager has sent the order without it meanwhile.
      requests.noteNumber(tx, posReference, ncf);
      loop.wake();
      return;
    }
    if (request?.type !== type) {
      // A manager has asked for another type meanwhile: the next attempt tells that this one is held.
      loop.wake();
      return;
    }
    const holder = ncfs.holderOf(ncf);
    if (holder !== null && holder !== posReference) {
      fail(tx, posReference, `the back-office gave ${ncf}, which order ${holder} already has`, "NCF_IN_USE");
      return;
    }
    ncfs.keep(tx, ncf, posReference);
    finish(tx, posReference, { status: "assigned", type, expiresOn }, ncf);
  }

  function fail(tx: Tx, posReference: string, error: string, errorCode: string | null): void {
    // Of an order that goes without a number it does not matter.
    if (requests.get(posReference)?.state !== "pending") return;
    world.log.error({ posReference, reason: error }, "the back-office refuses a fiscal number");
    requests.fail(tx, posReference, error, errorCode);
    saveState(tx, posReference, { status: "failed", error, ...(errorCode !== null && { errorCode }) });
    tx.notify(["fiscal"], { kind: "fiscal_failed", level: "bad", detail: { posReference, text: error } });
  }

  async function release(request: FiscalRequestRow): Promise<void> {
    const { posReference, reason } = request;
    const answer = await releaseOrRefusal(own.use((token) => client.releaseNcf(token, posReference, reason ?? "")));
    await changes.write((tx) => endRelease(tx, posReference, answer));
  }

  /** The order goes without a number; a manager is told of one that stays behind at the back-office. */
  function endRelease(tx: Tx, posReference: string, answer: ReleaseNcfAnswer | RefusedNumber): void {
    const left = requests.get(posReference)?.ncf ?? null;
    if ("ncf" in answer) noteReleased(tx, posReference, answer.ncf);
    else if (left !== null) tellLeft(tx, posReference, `${left}: ${answer.refusal}`);
    goWithout(tx, posReference);
  }

  /** Whether a number is held for the order is not known: nobody answered that. */
  function leaveBehind(tx: Tx, { posReference, ncf }: FiscalRequestRow, error: string): void {
    tellLeft(tx, posReference, ncf === null ? error : `${ncf}: ${error}`);
    goWithout(tx, posReference);
  }

  function tellLeft(tx: Tx, posReference: string, text: string): void {
    audit.record(tx, HUB_ORIGIN, "fiscal.not_released", posReference, text);
    tx.notify(["fiscal"], { kind: "fiscal_not_released", level: "bad", detail: { posReference, text } });
  }

  function goWithout(tx: Tx, posReference: string): void {
    requests.remove(tx, posReference);
    deps.letGo(tx, posReference, requireOrder(orders, posReference).version);
  }

  /** No other order of this hub may carry it either. */
  function noteReleased(tx: Tx, posReference: string, ncf: string): void {
    ncfs.keep(tx, ncf, posReference);
    audit.record(tx, HUB_ORIGIN, "fiscal.released", posReference, ncf);
  }

  /** Nothing is asked any more: the order is forwarded as it stands now. */
  function finish(tx: Tx, posReference: string, fiscal: FiscalState, ncf?: string): void {
    const { version } = saveState(tx, posReference, fiscal, ncf);
    requests.remove(tx, posReference);
    deps.letGo(tx, posReference, version);
    tx.notify(["fiscal"]);
  }

  /** A version of the hub's own that says where the number stands. */
  function saveState(tx: Tx, posReference: string, fiscal: FiscalState, ncf?: string): StoredOrder {
    const stored = orders.getWithForward(posReference);
    if (stored === null) throw new HubError("NOT_FOUND", `there is no order ${posReference}`);
    const { error: _error, errorCode: _code, expiresOn: _expiresOn, ...before } = stored.snapshot.fiscal ?? {};
    const { ncf: _former, ...rest } = stored.snapshot;
    const snapshot: Snapshot = {
      ...rest,
      ...(ncf !== undefined && { ncf }),
      fiscal: { ...before, ...fiscal },
    };
    const hub = { terminalId: HUB_ORIGIN, userName: null };
    return saveVersion(orders, tx, hub, {
      posReference,
      snapshot,
      kind: "numbered",
      previous: stored,
      ...(stored.forward && { forward: stored.forward }),
    }).order;
  }

  /** Waits for the attempt under way, so that most answers carry the number. */
  async function settled(posReference: string): Promise<void> {
    await withTimeout(world, ANSWER_WAIT_MS, asking.get(posReference) ?? Promise.resolve());
  }

  const decisions = createNumberDecisions({
    ...deps,
    ask: (posReference) => void ask(posReference),
    settled,
    alone,
    saveState,
    finish,
    noteReleased,
    wake: loop.wake,
  });

  return {
    start: loop.start,
    /** The back-office answers again: everything that waits is due. */
    wake(): void {
      isEager = true;
      loop.wake();
    },
    async stop(): Promise<void> {
      isStopping = true;
      await loop.stop();
      await Promise.all(asking.values());
    },

    /** Asks for the number of each order as soon as its payment is durable. */
    follow: ((group) => {
      if (!own.hasCredentials || isStopping) return;
      for (const change of group) {
        const isWaiting = change.kind === "order.stored" && change.order.snapshot.fiscal?.status === "pending";
        if (isWaiting && change.event === "paid") void ask(change.order.posReference);
      }
    }) satisfies Listener,

    /** The answer to a payment with the number and its state; waits at most 2 s for an attempt that is under way. */
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

/** What came of an attempt; `no_line`: nothing could be asked at all. */
type Outcome = "answered" | "unanswered" | "no_line";

/** What the back-office said where it gave no number and refused none. */
function answered(error: unknown): { error: string | null; errorCode: string | null } {
  if (!(error instanceof BackOfficeError) || error.status === undefined) return { error: null, errorCode: null };
  return { error: error.message, errorCode: error.errorCode ?? null };
}
