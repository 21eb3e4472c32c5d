import { logEvent } from "../platform/log-event.ts";
import {
  type FiscalState,
  HUB_ORIGIN,
  type ReleaseNcfAnswer,
  type ReserveNcfAnswer,
  sentence,
  sentenceInEnglish,
  type Sentence,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { receiptStanding } from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Tx } from "../changes/change.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { hubWriter, saveVersion } from "../orders/store/save-version.ts";
import type { World } from "../platform/world.ts";
import { noteReceipt } from "./receipt-rows.ts";
import type { FiscalRequestRow, FiscalRequests } from "./fiscal-requests.ts";
import type { RefusedNumber } from "./refused-number.ts";

export interface OutcomeDeps {
  world: World;
  orders: OrderStore;
  ncfs: NcfStore;
  fiscalRequests: FiscalRequests;
  audit: Pick<AuditLog, "record">;
  /** Lets the order be forwarded as of this version. */
  letGo(tx: Tx, posReference: string, version: number): void;
}

export type NumberOutcomes = ReturnType<typeof createNumberOutcomes>;

/** Stores the outcomes of number requests. `wake` runs the remaining requests at once. */
export function createNumberOutcomes(deps: OutcomeDeps, wake: () => void) {
  const { world, orders, ncfs, fiscalRequests: requests, audit, letGo } = deps;

  function takeNumber(tx: Tx, posReference: string, { ncf, type, expiresOn }: ReserveNcfAnswer): void {
    const request = requests.get(posReference);
    if (request?.state === "releasing") {
      // A manager has sent the order without a number meanwhile.
      requests.noteNumber(tx, posReference, ncf);
      wake();
      return;
    }
    if (request?.type !== type) {
      // A manager has requested another type meanwhile. The next attempt will report that this number is held.
      wake();
      return;
    }
    const holder = ncfs.findHolder(ncf);
    if (holder !== null && holder !== posReference) {
      fail(tx, posReference, sentence("number_of_another_order", { ncf, posReference: holder }), "NCF_IN_USE");
      return;
    }
    ncfs.keep(tx, ncf, posReference);
    finish(tx, posReference, { status: "assigned", type, expiresOn }, ncf);
  }

  function fail(tx: Tx, posReference: string, reason: Sentence, errorCode: string | null): void {
    // Irrelevant for an order that is sent without a number.
    if (requests.get(posReference)?.state !== "pending") return;
    const error = sentenceInEnglish(reason);
    world.log.error(
      logEvent("fiscal_number_refused", { posReference, reason: error }),
      "the back-office refuses a fiscal number",
    );
    requests.fail(tx, posReference, reason, errorCode);
    saveState(tx, posReference, { status: "failed", error, ...(errorCode !== null && { errorCode }) });
    tx.notify(["fiscal"], { kind: "fiscal_failed", level: "bad", detail: { posReference, said: reason } });
  }

  /** Sends the order without a number. A number that the back-office keeps is reported to the managers. */
  function endRelease(tx: Tx, posReference: string, answer: ReleaseNcfAnswer | RefusedNumber): void {
    const ncf = requests.get(posReference)?.ncf ?? null;
    if ("ncf" in answer) noteReleased(tx, posReference, answer.ncf);
    else if (ncf !== null) recordUnreleased(tx, posReference, { about: ncf, ...answer.refusal });
    finishWithoutNumber(tx, posReference);
  }

  /** Sends the order without a number although no answer says whether the back-office has reserved one. */
  function giveUpRelease(tx: Tx, { posReference, ncf }: FiscalRequestRow, error: Sentence): void {
    recordUnreleased(tx, posReference, { ...(ncf !== null && { about: ncf }), ...error });
    finishWithoutNumber(tx, posReference);
  }

  function recordUnreleased(tx: Tx, posReference: string, reason: Sentence): void {
    audit.record(tx, HUB_ORIGIN, "fiscal.not_released", posReference, reason);
    tx.notify(["fiscal"], { kind: "fiscal_not_released", level: "bad", detail: { posReference, said: reason } });
  }

  function finishWithoutNumber(tx: Tx, posReference: string): void {
    requests.remove(tx, posReference);
    letGo(tx, posReference, requireOrder(orders, posReference).version);
  }

  /** Records a released number, so that no other order of this hub can use it. */
  function noteReleased(tx: Tx, posReference: string, ncf: string): void {
    ncfs.keep(tx, ncf, posReference);
    audit.record(tx, HUB_ORIGIN, "fiscal.released", posReference, ncf);
  }

  /** Ends the request and lets the order be forwarded with the given state. */
  function finish(tx: Tx, posReference: string, fiscal: FiscalState, ncf?: string): void {
    const order = saveState(tx, posReference, fiscal, ncf);
    requests.remove(tx, posReference);
    if (receiptStanding(order.snapshot) === "contingency") noteReceipt(requests, tx, order);
    letGo(tx, posReference, order.version);
    tx.notify(["fiscal"]);
  }

  /** Saves the state of the number as a new version by the hub. */
  function saveState(tx: Tx, posReference: string, fiscal: FiscalState, ncf?: string): StoredOrder {
    const stored = requireOrder(orders, posReference);
    const { error: _error, errorCode: _code, expiresOn: _expiresOn, ...before } = stored.snapshot.fiscal ?? {};
    const { ncf: _former, ...rest } = stored.snapshot;
    const snapshot: Snapshot = {
      ...rest,
      ...(ncf !== undefined && { ncf }),
      fiscal: { ...before, ...fiscal },
    };
    return saveVersion(orders, tx, hubWriter, { posReference, snapshot, kind: "numbered", previous: stored }).order;
  }

  return { takeNumber, fail, endRelease, giveUpRelease: giveUpRelease, noteReleased, finish, saveState };
}
