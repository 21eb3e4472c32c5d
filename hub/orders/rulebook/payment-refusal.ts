import type { AmountRefusal, PaymentRefusal, TakingRefusal, TenderRefusal } from "@comanda/rules";

type RefusedPayment =
  | PaymentRefusal
  | TenderRefusal
  | Extract<TakingRefusal, { code: "UNKNOWN_METHOD" | "RATE_CHANGED" }>;

/** Returns the message for a terminal whose payment is refused. */
export function sentenceOfPayment(refusal: RefusedPayment, posReference: string): string {
  switch (refusal.code) {
    case "UNKNOWN_METHOD":
      return `${refusal.values.field}: the back-office has no such payment method`;
    case "RATE_CHANGED": {
      const { currency, sent, now } = refusal.values;
      return `foreign: the rate of ${currency} is now ${now}, not ${sent}`;
    }
    case "NOTHING_CHARGED":
      return `order ${posReference} has no lines: there is nothing to pay`;
    case "NOT_COVERED":
      return `payments: ${refusal.values.paid} does not cover ${totalOf(refusal.values)}`;
    case "TOO_MUCH":
      return `payments: ${refusal.values.paid} is more than ${totalOf(refusal.values)}, and only cash gives change`;
    case "MORE_THAN_DUE":
      return `amount: more than the ${refusal.values.due} that is due on order ${posReference}`;
    case "WRONG_TENDERED":
      return sentenceOfTendered(refusal);
  }
}

export function sentenceOfTendered({
  values: { tendered, amount, change },
}: Extract<AmountRefusal, { code: "WRONG_TENDERED" }>): string {
  const named = change === undefined ? "" : ` of ${change}`;
  return `tendered: ${tendered} is not the amount of ${amount} and the change${named}`;
}

function totalOf({ total, before }: { total: number; before: number }): string {
  return `the total of ${total}${before === 0 ? "" : ` after the ${before} that is paid`}`;
}
