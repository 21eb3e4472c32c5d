import type { LoosePayment } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { sumLoose } from "./sum-loose.ts";

/** Writes an amount in its currency: in pesos where none is named. */
export function useCashFormat() {
  const format = useFormat();
  const cash = ({ amount, currency }: { amount: number; currency?: string | undefined }): string =>
    currency === undefined ? format.money(amount) : `${currency} ${format.number(amount)}`;
  return {
    cash,
    /** What was paid, and what of another country's cash lies in the drawer for it. */
    loose(payment: LoosePayment): string {
      const { currency, foreignAmount } = payment;
      const pesos = format.money(sumLoose([payment]));
      return foreignAmount === undefined ? pesos : `${pesos} (${cash({ amount: foreignAmount, currency })})`;
    },
  };
}
