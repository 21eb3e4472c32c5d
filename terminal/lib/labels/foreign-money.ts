import { localeOf } from "@comanda/ui/format.ts";
import { useLanguage } from "@comanda/ui/translation.ts";

/** Returns a function that gives the sign and format of a foreign currency. */
export function useForeignMoney() {
  const locale = localeOf[useLanguage()];
  return (currency: string) => {
    const sign = currency === "USD" ? "US$" : signOf(locale, currency);
    const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: 2 });
    return { sign, format: (amount: number) => `${sign}${number.format(amount)}` };
  };
}

function signOf(locale: string, currency: string): string {
  const parts = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}
