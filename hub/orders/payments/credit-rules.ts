import type { Payment, PosConfig } from "@comanda/protocol";
import { creditAmong, paymentsOf, sum, toCents } from "@comanda/rules";
import type { Recorder } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { PointOfSale } from "../point-of-sale.ts";
import type { CreditStore } from "./credit-store.ts";

/** The back-office's answer about a customer's credit; `unreachable` if it could not be asked. */
export type CreditAnswer = { available: number } | { refused: string } | "unreachable";

/** Answers by customer id. */
export type CreditAnswers = ReadonlyMap<string, CreditAnswer>;

/** Used instead of answers when a person grants the credit, for example for a payment that was taken earlier. */
export const CREDIT_GRANTED = "granted";

interface CreditDeps {
  credits: Pick<CreditStore, "listByCustomer">;
  /** How much one customer may owe while the back-office cannot be asked. */
  uncheckedCredit: number;
}

export type RequireCredit = ReturnType<typeof createCreditRules>;

/** Creates the function that refuses payments beyond a customer's credit. */
export function createCreditRules({ pos, ...deps }: CreditDeps & { pos: Pick<PointOfSale, "config"> }) {
  /**
   * Returns the payments to store; unchecked payments on credit are marked `isUnchecked`. Throws VALIDATION_ERROR for
   * credit without a customer, and CREDIT_REFUSED. Call it before anything is written.
   */
  return function requireCredit<P extends Payment>(
    payments: readonly P[],
    answers: CreditAnswers | typeof CREDIT_GRANTED,
  ): (P & { isUnchecked?: true })[] {
    const onCredit = creditPayments(pos.config(), payments);
    for (const [customerId, amount] of sumByCustomer(onCredit)) {
      if (answers !== CREDIT_GRANTED) requireCustomerCredit(deps, customerId, amount, answers.get(customerId));
    }
    return payments.map((payment) => {
      if (!onCredit.includes(payment)) return payment;
      const answer = answers === CREDIT_GRANTED ? undefined : answers.get(customerOf(payment));
      return typeof answer === "object" ? payment : { ...payment, isUnchecked: true };
    });
  };
}

function requireCustomerCredit(
  { credits, uncheckedCredit }: CreditDeps,
  customerId: string,
  amount: number,
  answer: CreditAnswer = "unreachable",
): void {
  const owed = credits.listByCustomer(customerId);
  if (typeof answer === "string") {
    const unchecked = sum([amount, ...owed.filter((each) => each.isUnchecked).map((each) => each.amount)]);
    if (toCents(unchecked) <= toCents(uncheckedCredit)) return;
    throw new HubError(
      "CREDIT_REFUSED",
      `while the back-office cannot be reached, customer ${customerId} may owe at most ${uncheckedCredit}, not ${unchecked}`,
    );
  }
  if ("refused" in answer) throw new HubError("CREDIT_REFUSED", answer.refused);
  // The back-office does not know of `owed` yet. If it grants `amount` although less is available, there is no limit.
  const total = sum([amount, ...owed.map((each) => each.amount)]);
  if (toCents(answer.available) < toCents(amount) || toCents(total) <= toCents(answer.available)) return;
  const open = sum(owed.map((each) => each.amount));
  throw new HubError(
    "CREDIT_REFUSED",
    `customer ${customerId} has ${answer.available} of credit available, of which ${open} is used by checks not yet sent to accounting`,
  );
}

/** Returns the payments on credit. Throws VALIDATION_ERROR for one without a customer. */
export function creditPayments<P extends Payment>(config: PosConfig | null, payments: readonly P[]): P[] {
  const onCredit = creditAmong(payments, config?.paymentMethods ?? null);
  for (const { customerId } of onCredit) {
    if (customerId === undefined) throw new HubError("VALIDATION_ERROR", "customerId: credit needs a customer");
  }
  return onCredit;
}

/** Sums up the payments by customer. */
export function sumByCustomer(payments: readonly Payment[]): [customerId: string, amount: number][] {
  return [...Map.groupBy(payments, customerOf)].map(([customerId, list]) => [
    customerId,
    sum(list.map(({ amount }) => amount)),
  ]);
}

function customerOf({ customerId }: Payment): string {
  return String(customerId);
}

/** Records the credit payments of each order until the back-office has the order. */
export function creditRecorder(credits: CreditStore, pos: Pick<PointOfSale, "config">): Recorder {
  return (change, tx) => {
    if (change.kind === "order.removed") credits.replace(tx, change.posReference, []);
    // Without a new version the content is unchanged, and may be damaged.
    if (change.kind !== "order.stored" || change.versionKind === null) return;
    const { posReference, snapshot } = change.order;
    const { status, tenders = [], payments } = snapshot;
    if (status !== "closed" && tenders.length === 0 && payments === undefined) return;
    const openPayments: Payment[] = status === "closed" ? [] : paymentsOf({ payments, tenders });
    const named = openPayments.filter(({ customerId }) => customerId !== undefined);
    const rows = creditPayments(pos.config(), named).map((payment) => ({
      customerId: customerOf(payment),
      amount: payment.amount,
      isUnchecked: payment["isUnchecked"] === true,
    }));
    credits.replace(tx, posReference, rows);
  };
}
