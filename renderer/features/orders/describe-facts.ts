import type { FactValue, OrderFact } from "@comanda/protocol";
import type { Format } from "@comanda/ui/format.ts";
import type { Translate } from "@comanda/ui/translation.ts";

/** What sentences need: the texts and formats of the language, and the names of products and tables. */
export interface Words {
  t: Translate<"orders", "common">;
  format: Format;
  productName: (productId: string) => string | undefined;
  tableName: (tableId: number) => string;
}

export interface FactsInWords {
  /** The changes as a manager would put them, in the order of the facts. */
  sentences: string[];
  /** The names of other changes, for which there is no sentence. */
  others: string[];
}

/** Describes what a version changed. */
export function describeFacts(facts: readonly OrderFact[], words: Words): FactsInWords {
  const inWords: FactsInWords = { sentences: [], others: [] };
  for (const { fact, values } of facts) {
    const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inText(value, words)]));
    if (fact === "other") inWords.others.push([texts["item"], texts["field"]].filter(Boolean).join(": "));
    else inWords.sentences.push(words.t(`said.${fact}`, texts) + detailsOf(fact, texts, words));
  }
  return inWords;
}

/** Returns the percentage, the reason and the approver of a discount or charge, as far as they are known. */
function detailsOf(fact: OrderFact["fact"], { percent, reason, by }: Record<string, string>, { t }: Words): string {
  if (!fact.startsWith("adjusted.")) return "";
  return [
    percent !== undefined && ` (${percent})`,
    reason !== undefined && `, ${t("said.reason", { reason })}`,
    by !== undefined && `, ${t("said.allowedBy", { by })}`,
  ]
    .filter((detail) => detail !== false)
    .join("");
}

type Dish = Extract<FactValue, { dish: unknown }>["dish"];

function inText(value: FactValue, words: Words): string {
  const { t, format, tableName } = words;
  if ("number" in value) return format.number(value.number);
  if ("money" in value) return format.money(value.money);
  if ("percent" in value) return t("said.percent", { percent: format.number(value.percent) });
  if ("names" in value) return format.list(value.names);
  if ("tables" in value) return format.list(value.tables.map(tableName));
  if ("orderType" in value) return t(`common:${value.orderType}`);
  if ("status" in value) return t(`common:status.${value.status}`);
  if ("dish" in value) return dishInText(value.dish, words);
  if ("dishes" in value) return format.list(value.dishes.map((dish) => dishInText(dish, words)));
  return value.text;
}

function dishInText({ productId, name, quantity, modifiers = [] }: Dish, words: Words): string {
  const { t, format, productName } = words;
  let item = (productId === null ? undefined : productName(productId)) ?? name ?? t("aLine");
  if (modifiers.length > 0) item = t("said.withExtras", { item, extras: format.list(modifiers) });
  return quantity === undefined ? item : t("said.quantityOf", { quantity: format.number(quantity), item });
}
