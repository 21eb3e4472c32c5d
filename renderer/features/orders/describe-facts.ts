import type { FactValue, OrderFact } from "@comanda/protocol";
import type { Format } from "@comanda/ui/format.ts";
import type { Translate } from "@comanda/ui/translation.ts";

/** What sentences need: the texts and formats of the language, and the names of products and tables. */
export interface FactFormatter {
  t: Translate<"orders", "common">;
  format: Format;
  productName: (productId: string) => string | undefined;
  tableName: (tableId: number) => string;
}

export interface DescribedFacts {
  /** The changes as a manager would put them, in the order of the facts. */
  sentences: string[];
  /** The names of other changes, for which there is no sentence. */
  others: string[];
}

/** Describes what a version changed. */
export function describeFacts(facts: readonly OrderFact[], formatter: FactFormatter): DescribedFacts {
  const described: DescribedFacts = { sentences: [], others: [] };
  for (const { fact, values } of facts) {
    const texts = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, formatValue(value, formatter)]),
    );
    if (fact === "other") described.others.push([texts["item"], texts["field"]].filter(Boolean).join(": "));
    else described.sentences.push(formatter.t(`fact.${fact}`, texts) + detailsOf(fact, texts, formatter));
  }
  return described;
}

/** Returns the percentage, the reason and the approver of a discount or charge, as far as they are known. */
function detailsOf(
  fact: OrderFact["fact"],
  { percent, reason, by }: Record<string, string>,
  { t }: FactFormatter,
): string {
  if (!fact.startsWith("adjusted.")) return "";
  return [
    percent !== undefined && ` (${percent})`,
    reason !== undefined && `, ${t("fact.reason", { reason })}`,
    by !== undefined && `, ${t("fact.allowedBy", { by })}`,
  ]
    .filter((detail) => detail !== false)
    .join("");
}

type Dish = Extract<FactValue, { dish: unknown }>["dish"];

function formatValue(value: FactValue, formatter: FactFormatter): string {
  const { t, format, tableName } = formatter;
  if ("number" in value) return format.number(value.number);
  if ("money" in value) return format.money(value.money);
  if ("percent" in value) return t("fact.percent", { percent: format.number(value.percent) });
  if ("names" in value) return format.list(value.names);
  if ("tables" in value) return format.list(value.tables.map(tableName));
  if ("orderType" in value) return t(`common:${value.orderType}`);
  if ("status" in value) return t(`common:status.${value.status}`);
  if ("dish" in value) return formatDish(value.dish, formatter);
  if ("dishes" in value) return format.list(value.dishes.map((dish) => formatDish(dish, formatter)));
  return value.text;
}

function formatDish({ productId, name, quantity, modifiers = [] }: Dish, formatter: FactFormatter): string {
  const { t, format, productName } = formatter;
  let item = (productId === null ? undefined : productName(productId)) ?? name ?? t("aLine");
  if (modifiers.length > 0) item = t("fact.withExtras", { item, extras: format.list(modifiers) });
  return quantity === undefined ? item : t("fact.quantityOf", { quantity: format.quantity(quantity), item });
}
