import type { StoredLine } from "@comanda/protocol";
import { lineDiscount, modifiersOf } from "@comanda/rules";
import type { FactFormatter } from "./describe-facts.ts";

/** Explains the price of a line: its modifiers, each with its price, and its discounts. */
export function describeLine(line: StoredLine, { t, format }: Pick<FactFormatter, "t" | "format">): string[] {
  const chosen = modifiersOf(line["modifiers"]).map(({ name, quantity, price }) => {
    const what = quantity === 1 ? name : `${format.number(quantity)} × ${name}`;
    return price === 0 ? `+ ${what}` : `+ ${what} (${format.money(price)})`;
  });
  const [percent, amount] = [lineDiscount(line, "percent"), lineDiscount(line, "amount")];
  if (percent <= 0 && amount <= 0) return chosen;
  const size = percent > 0 ? t("fact.percent", { percent: format.number(percent) }) : format.money(amount);
  const discount = t("lineDiscount", { size });
  const reason = line["discountReason"];
  return [...chosen, typeof reason === "string" && reason !== "" ? `${discount} · ${reason}` : discount];
}
