import type { AmountRefusal, PaymentRefusal, TenderRefusal } from "@comanda/rules";

/** What a terminal is told of a payment that its check does not take. */
export function sentenceOfPayment(refusal: PaymentRefusal, posReference: string): string {
  switch (refusal.code) {
    case "NOTHING_CHARGED":
      return `order ${posReference} has no lines: discard it instead`;
    case "NOT_COVERED":
      return `payments: ${refusal.values.paid} does not cover ${totalOf(refusal.values)}`;
    case "TOO_MUCH":
      return `payments: ${refusal.values.paid} is more than ${totalOf(refusal.values)}, and only cash gives change`;
    case "WRONG_TENDERED":
      return sentenceOfTendered(refusal);
  }
}

/** What a terminal is told of a tender that its check does not take. */
export function sentenceOfTender(refusal: TenderRefusal, posReference: string): string {
  switch (refusal.code) {
    case "NOTHING_CHARGED":
      return `order ${posReference} has no lines: there is nothing to pay`;
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
