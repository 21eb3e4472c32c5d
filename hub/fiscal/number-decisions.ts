import { sentenceInEnglish, type DecideNumber, type Sentence, type StoredOrder } from "@comanda/protocol";
import { typeOfNumber } from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import { relayedError } from "../back-office/relayed-refusal.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { requireSaleType } from "../orders/payments/fiscal-rules.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import { type FiscalRequestRow, type FiscalRequests, isReceipt } from "./fiscal-requests.ts";
import type { NumberOutcomes } from "./number-outcomes.ts";
import { releaseOrRefusal } from "./refused-number.ts";

/** Error codes with which the back-office has, or may have, a number reserved for the order. */
const NUMBER_IN_USE = new Set(["NCF_ALREADY_RESERVED", "NCF_IN_USE"]);

/** A paid order that was forwarded with its number and refused because of it. */
export interface RefusedOrder {
  posReference: string;
  error: Sentence | null;
  errorCode: string | null;
  /** When the order was queued, ms since 1970. */
  createdAt: number;
}

/** A number that a manager decides about: one that was requested, or one `refused` with its order. */
type Undecided = Pick<FiscalRequestRow, "posReference" | "type" | "rnc" | "error" | "errorCode" | "changedAt"> & {
  state: FiscalRequestRow["state"] | "refused";
};

export interface DecisionDeps {
  changes: ChangeLog;
  orders: OrderStore;
  fiscalRequests: FiscalRequests;
  client: Pick<BackOfficeClient, "releaseNcf">;
  own: OwnSession;
  audit: Pick<AuditLog, "record">;
  refused: {
    list(): RefusedOrder[];
    /** Takes the order back from forwarding, and holds it until `letGo`. */
    takeBack(tx: Tx, posReference: string): void;
  };
  outcomes: Pick<NumberOutcomes, "saveState" | "noteReleased">;
  attempts: {
    /** Requests the number of an order; does not wait. */
    ask(posReference: string): void;
    /** Waits for the attempt in progress. */
    settled(posReference: string): Promise<void>;
    /** Runs `work` while no attempt for the order is in progress. If it throws synchronously, nothing is blocked. */
    alone(posReference: string, work: () => Promise<void>): Promise<void>;
    /** Runs due requests at once. */
    wake(): void;
  };
}

/** A manager's decisions about the number of a paid order that is missing, or with which the order was refused. */
export function createNumberDecisions(deps: DecisionDeps) {
  const { changes, orders, fiscalRequests: requests, client, own, audit, refused } = deps;
  const { ask, settled, alone, wake } = deps.attempts;
  const { saveState, noteReleased } = deps.outcomes;

  function requireRequest(posReference: string): Undecided {
    const request = requests.get(posReference);
    if (request !== null && request.state !== "releasing" && !isReceipt(request)) return request;
    const order = request ?? refusedOrders().find((each) => each.posReference === posReference);
    if (order?.state === "refused") return order;
    throw noNumber(posReference);
  }

  function refusedOrders(): Undecided[] {
    return refused.list().flatMap(({ posReference, error, errorCode, createdAt: changedAt }) => {
      const { ncf, fiscal } = orders.get(posReference)?.snapshot ?? {};
      if (ncf === undefined) return [];
      const [type, rnc] = [fiscal?.type ?? typeOfNumber(ncf), fiscal?.rnc ?? null];
      return [{ posReference, error, errorCode, changedAt, state: "refused", type, rnc }];
    });
  }

  /** Returns the request, inside the transaction of the decision. Takes a refused order back from forwarding. */
  function takeRequest(tx: Tx, posReference: string): Undecided {
    const request = requireRequest(posReference);
    if (request.state !== "refused") return request;
    refused.takeBack(tx, posReference);
    requests.add(tx, posReference, request.type, request.rnc);
    return request;
  }

  async function retry(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    // The attempt in progress may still bring a number.
    await settled(posReference);
    await changes.write((tx) => askAgain(tx, posReference, decision, userName));
    ask(posReference);
    await settled(posReference);
  }

  function askAgain(tx: Tx, posReference: string, { type, rnc, name }: DecideNumber, userName: string): void {
    const request = takeRequest(tx, posReference);
    const next = { type: type ?? request.type, rnc: rnc === undefined ? request.rnc : rnc };
    if (next.type === "") throw explainedError("VALIDATION_ERROR", "number_type_missing");
    requests.add(tx, posReference, next.type, next.rnc);
    saveState(tx, posReference, { status: "pending", ...next, ...(name !== undefined && { name }) });
    audit.record(tx, userName, "fiscal.retry", posReference, [next.type, next.rnc ?? [], name ?? []].flat().join(" "));
    tx.notify(["fiscal"]);
  }

  /**
   * Releases the number that the back-office has reserved for the order, then requests another. Throws without changing
   * anything if the back-office does not release it.
   */
  async function replace(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    await alone(posReference, () => {
      requireFailedNumber(posReference);
      return releaseNumber(posReference, decision, userName);
    });
    ask(posReference);
    await settled(posReference);
  }

  /** Throws unless the request was refused because the order already has a number at the back-office. */
  function requireFailedNumber(posReference: string): void {
    const { state, errorCode } = requireRequest(posReference);
    if (state === "refused" || (state === "failed" && NUMBER_IN_USE.has(errorCode ?? ""))) return;
    throw explainedError("VALIDATION_ERROR", "no_number_to_replace", { posReference });
  }

  async function releaseNumber(posReference: string, decision: DecideNumber, userName: string): Promise<void> {
    const reason = `another number was asked for by ${userName}`;
    const call = own.use((token) => client.releaseNcf(token, posReference, reason));
    const answer = await releaseOrRefusal(call).catch((error: unknown) => {
      if (!(error instanceof BackOfficeError)) throw error;
      throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached for this");
    });
    // NOT_FOUND: the number was released before, and that answer was lost.
    if ("refusal" in answer && answer.errorCode !== "NOT_FOUND") {
      throw relayedError(sentenceInEnglish(answer.refusal), answer.errorCode);
    }
    await changes.write((tx) => {
      if ("ncf" in answer) noteReleased(tx, posReference, answer.ncf);
      askAgain(tx, posReference, decision, userName);
    });
  }

  async function skip(posReference: string, userName: string): Promise<void> {
    await changes.write((tx) => {
      takeRequest(tx, posReference);
      audit.record(tx, userName, "fiscal.skip", posReference);
      // Whatever the last request was answered, an earlier one without an answer may have reserved a number.
      requests.release(tx, posReference, `order sent without a number by ${userName}`);
      saveState(tx, posReference, { status: "none" });
      tx.notify(["fiscal"]);
    });
    wake();
  }

  return {
    /** The orders that need a manager's decision. */
    listFailed: (): Undecided[] => [...requests.listFailed(), ...refusedOrders()],

    /** Executes a decision. Throws NOT_FOUND if the order neither waits for a number nor was refused because of one. */
    async decide(posReference: string, decision: DecideNumber, userName: string): Promise<StoredOrder> {
      const { action, type } = decision;
      requireSaleType(type);
      if (action === "skip") await skip(posReference, userName);
      else if (action === "dismiss") throw noNumber(posReference);
      else await { retry, replace }[action](posReference, decision, userName);
      return requireOrder(orders, posReference);
    },
  };
}

function noNumber(posReference: string): HubError {
  return new HubError("NOT_FOUND", `order ${posReference} is not waiting for a fiscal number`);
}
