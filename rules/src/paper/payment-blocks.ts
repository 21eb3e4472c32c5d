import type { Block, Payment } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import type { PaperContext } from "./paper-context.ts";
import { joinFacts, row } from "./pieces.ts";

/** The payments; for cash also the amount tendered and the change. Several payments are numbered. */
export function paymentBlocks(payments: readonly Payment[], { format, methodName }: PaperContext): Block[] {
  const tips = sum(payments.map(({ tip = 0 }) => tip));
  return [
    ...payments.flatMap((payment, index): Block[] => {
      const { methodId, amount, tendered, change = 0, reference } = payment;
      const part = payments.length > 1 && `Pago ${index + 1}`;
      return [
        row(joinFacts([part, methodName(methodId)]), format.amount(amount)),
        ...foreignBlocks(payment, format.amount),
        ...(reference === undefined || reference === "" ? [] : [row(`Ref. ${reference}`, "", { indent: 2 })]),
        ...(tendered === undefined ? [] : [row("Recibido", format.amount(tendered), { indent: 2 })]),
        ...(tendered === undefined && change === 0 ? [] : [row("Devuelta", format.amount(change), { indent: 2 })]),
      ];
    }),
    ...(tips === 0 ? [] : [row("Propina voluntaria", format.amount(tips))]),
  ];
}

/** Foreign cash with the rate at which it was taken. */
function foreignBlocks({ foreign }: Payment & { foreign?: unknown }, amountOf: (value: number) => string): Block[] {
  const { currency, amount, rate } = (foreign ?? {}) as { currency?: unknown; amount?: unknown; rate?: unknown };
  if (typeof currency !== "string" || typeof amount !== "number" || typeof rate !== "number") return [];
  return [row(`${currency} ${amountOf(amount)} a ${amountOf(rate)}`, "", { indent: 2 })];
}
