import {
  type AuditAction,
  type DecideNumber,
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
import { refusedInWords } from "../back-office/relayed-refusal.ts";
import type { Listener, Recorder, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { OrderAnswer } from "../orders/mutation-store.ts";
import type { NcfStore } from "../orders/ncf-store.ts";
import { requireOrder } from "../orders/order-guards.ts";
import type { OrderStore } from "../orders/order-store.ts";
import { saveVersion } from "../orders/save-version.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import { createLoop } from "../platform/loop.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { FiscalRequestRow, FiscalRequests } from "./fiscal-requests.ts";

/** How long the answer to a payment waits for the number. */
const ANSWER_WAIT_MS = 2_000;
/** After so many attempts without an answer the others of a run wait for the next one. */
const MAX_UNANSWERED = 3;
/** The back-office holds, or may hold, a number for the order although it refused the request. */
const NUMBER_HELD = new Set(["NCF_ALREADY_RESERVED", "NCF_IN_USE"]);

interface FiscalDeps {
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
      await changes.write((tx) => requests.postpone(tx, request, intervalMs));
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
    const answer = await refusalOr(own.use((token) => client.releaseNcf(token, posReference, reason ?? "")));
    await changes.write((tx) => endRelease(tx, posReference, answer));
  }

  /** The order goes without a number; a manager is told of one that stays behind at the back-office. */
  function endRelease(tx: Tx, posReference: string, answer: ReleaseNcfAnswer | RefusedNumber): void {
    const left = requests.get(posReference)?.ncf ?? null;
    if ("ncf" in answer) {
      noteReleased(tx, posReference, answer.ncf);
    } else if (left !== null) {
      const text = `${left}: ${answer.refusal}`;
      audit.record(tx, HUB_ORIGIN, "fiscal.not_released", posReference, text);
      tx.notify(["fiscal"], { kind: "fiscal_not_released", level: "bad", detail: { posReference, text } });
    }
    requests.remove(tx, posReference);
    deps.letGo(tx, posReference, requireOrder({ orders }, posReference).version);
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
    const snapshot: Snapshot = {
      ...stored.snapshot,
      ...(ncf !== undefined && { ncf }),
      fiscal: { ...before, ...fiscal },
    };
    const hub = { terminalId: HUB_ORIGIN, userName: null };
    return saveVersion({ orders }, tx, hub, {
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

  function requireRequest(posReference: string): FiscalRequestRow {
    const request = requests.get(posReference);
    if (request !== null && request.state !== "releasing") return request;
    throw new HubError("NOT_FOUND", `order ${posReference} waits for no fiscal number`);
  }

  async function retry(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    // What was asked for before may just arrive.
    await settled(posReference);
    await changes.write((tx) => askAgain(tx, posReference, decision, userName));
    void ask(posReference);
    await settled(posReference);
  }

  function askAgain(tx: Tx, posReference: string, { type, rnc }: DecideNumber, userName: string): void {
    const request = requireRequest(posReference);
    const next = { type: type ?? request.type, rnc: rnc === undefined ? request.rnc : rnc };
    if (next.type === "") throw explainedError("VALIDATION_ERROR", "number_type_missing");
    requests.add(tx, posReference, next.type, next.rnc);
    saveState(tx, posReference, { status: "pending", ...next });
    audit.record(tx, userName, "fiscal.retry", posReference, [next.type, next.rnc ?? []].flat().join(" "));
    tx.notify(["fiscal"]);
  }

  /**
   * Gives up the number that the back-office holds for the order, then asks for another one. Throws, having changed nothing,
   * where the back-office does not release it.
   */
  async function replace(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    while (asking.has(posReference)) await asking.get(posReference);
    requireHeldNumber(posReference);
    const release = releaseHeld(posReference, decision, userName);
    const ended = (): Outcome => "answered";
    await Promise.all([release, occupy(posReference, release.then(ended, ended))]);
    void ask(posReference);
    await settled(posReference);
  }

  /** What was asked for was refused because the order has another number at the back-office. */
  function requireHeldNumber(posReference: string): void {
    const { state, errorCode } = requireRequest(posReference);
    if (state === "failed" && NUMBER_HELD.has(errorCode ?? "")) return;
    throw explainedError("VALIDATION_ERROR", "no_number_to_replace", { posReference });
  }

  async function releaseHeld(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    const reason = `another number was asked for by ${userName}`;
    const call = own.use((token) => client.releaseNcf(token, posReference, reason));
    const answer = await refusalOr(call).catch((error: unknown) => {
      if (!(error instanceof BackOfficeError)) throw error;
      throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached for this");
    });
    // Without one it was released before, and that answer was lost.
    if ("refusal" in answer && answer.errorCode !== "NOT_FOUND") {
      throw refusedInWords(answer.refusal, answer.errorCode);
    }
    await changes.write((tx) => {
      if ("ncf" in answer) noteReleased(tx, posReference, answer.ncf);
      askAgain(tx, posReference, decision, userName);
    });
  }

  /** No other order of this hub may carry it either. */
  function noteReleased(tx: Tx, posReference: string, ncf: string): void {
    ncfs.keep(tx, ncf, posReference);
    audit.record(tx, HUB_ORIGIN, "fiscal.released", posReference, ncf);
  }

  async function skip(posReference: string, userName: string): Promise<void> {
    await changes.write((tx) => {
      const { state, errorCode } = requireRequest(posReference);
      const isHeld = state === "pending" || NUMBER_HELD.has(errorCode ?? "");
      audit.record(tx, userName, "fiscal.skip", posReference);
      if (!isHeld) return finish(tx, posReference, { status: "none" });
      requests.release(tx, posReference, `order sent without a number by ${userName}`);
      saveState(tx, posReference, { status: "none" });
      tx.notify(["fiscal"]);
    });
    loop.wake();
  }

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

    /** A manager's decision about an order that waits for its number. Throws NOT_FOUND when it waits for none. */
    async decide(posReference: string, decision: DecideNumber, userName: string): Promise<StoredOrder> {
      if (decision.action === "skip") await skip(posReference, userName);
      else await { retry, replace }[decision.action](posReference, decision, userName);
      return requireOrder({ orders }, posReference);
    },
  };
}

/** What came of an attempt; `no_line`: nothing could be asked at all. */
type Outcome = "answered" | "unanswered" | "no_line";

interface RefusedNumber {
  refusal: string;
  errorCode: string | null;
}

/** The answer, or why another attempt would be answered alike: it was refused, or the back-office has no such endpoint. */
async function refusalOr<T extends object>(call: Promise<T>): Promise<T | RefusedNumber> {
  try {
    return await call;
  } catch (error) {
    // A dead session was renewed before: its 404 is the endpoint's.
    if (!(error instanceof BackOfficeError) || (error.kind !== "refused" && error.status !== 404)) throw error;
    const refusal = error.kind === "refused" ? error.message : hubSentence("no_such_endpoint");
    return { refusal, errorCode: error.errorCode ?? null };
  }
}
