import type { OrderMutation, Payment } from "@comanda/protocol";
import { paymentsIn } from "@comanda/rules";
import { sum } from "@comanda/rules";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import { type CreditAnswer, type CreditAnswers, creditPayments } from "../orders/payments/credit-rules.ts";
import { isPayment } from "../orders/payments/keep-payment.ts";
import type { MutationStore } from "../orders/store/mutation-store.ts";
import { identityOf, type PaymentIdentities } from "../orders/payments/payment-identities.ts";
import type { PointOfSale } from "../orders/point-of-sale.ts";

/** How long the back-office is awaited while a guest pays; after that the hub's own limit decides. */
const WAIT_MS = 5_000;

/** Asks the back-office for credit before a payment uses it. */
export function createCreditChecks(deps: {
  client: Pick<BackOfficeClient, "creditCheck">;
  own: OwnSession;
  mutations: Pick<MutationStore, "find">;
  paymentIdentities: Pick<PaymentIdentities, "findOrder">;
  pos: Pick<PointOfSale, "config">;
}) {
  const { client, own, mutations, paymentIdentities, pos } = deps;

  async function askAll(onCredit: readonly Payment[]): Promise<CreditAnswers> {
    const byCustomer = Map.groupBy(onCredit, ({ customerId }) => customerId ?? "");
    const answers = [...byCustomer].map(async ([customerId, payments]): Promise<[string, CreditAnswer]> => [
      String(customerId),
      await ask(customerId, sum(payments.map(({ amount }) => amount))),
    ]);
    return new Map(await Promise.all(answers));
  }

  async function ask(customerId: string | number, amount: number): Promise<CreditAnswer> {
    if (!own.hasCredentials) return "unreachable";
    try {
      const question = { customerId, amount };
      const { eligible, available } = await own.use((token) =>
        client.creditCheck(token, question, { timeoutMs: WAIT_MS }),
      );
      if (eligible) return { available };
      return {
        refused: `the back-office gives customer ${customerId} no credit of ${amount}: ${available} is available`,
      };
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      return error.kind === "refused" ? { refused: error.message } : "unreachable";
    }
  }

  /** Returns the credit answers for a mutation, or null if it uses no credit or was executed before. */
  return (mutation: OrderMutation): Promise<CreditAnswers> | null => {
    if (!isPayment(mutation)) return null;
    const payments = paymentsIn(mutation).filter(({ customerId }) => customerId !== undefined);
    const onCredit = creditPayments(pos.config(), payments);
    if (onCredit.length === 0 || mutations.find(mutation.mutationId) !== null) return null;
    return paymentIdentities.findOrder(identityOf(mutation)) === null ? askAll(onCredit) : null;
  };
}
