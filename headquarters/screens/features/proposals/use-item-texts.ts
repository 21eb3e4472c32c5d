import type { ProposedStock } from "@comanda/protocol/proposals.ts";
import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { settingTexts } from "@comanda/protocol/setting-texts.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useProducts } from "../../lib/cache.ts";
import { useHasRole } from "../../lib/person.ts";

/** Returns functions for an item's name and for the text of a value. A hub may report any value: unknown ones are shown too. */
export function useItemTexts(kind: HqProposalRow["terms"]["kind"]) {
  const { t, format, language } = useTranslation("proposals");
  const mayPropose = useHasRole("owner", "operations", "region");
  const { data } = useProducts(mayPropose);

  function nameOf(key: string): string {
    if (kind === "stock")
      return data?.products.find(({ productId }) => productId === key)?.name ?? t("dish", { id: key });
    const text = (settingTexts[language] as Readonly<Record<string, string>>)[key];
    return text === undefined ? key : `${text} (${key})`;
  }

  function stockText(value: unknown): string {
    // A hub stores a state only for dishes that are not simply available.
    if (value === null || value === undefined) return t("stock.available");
    const { state, left, until } = value as Partial<ProposedStock>;
    if (state === "available") return t("stock.available");
    if (state === "limited") return t("stock.limited", { left: format.number(left ?? 0) });
    if (state !== "out") return t("unknown");
    return until ? t("stock.outUntil", { time: format.dateTime(until) }) : t("stock.out");
  }

  function valueOf(value: unknown): string {
    if (kind === "stock") return stockText(value);
    return value === null || value === undefined ? t("byDefault") : `«${textOf(value)}»`;
  }

  return { nameOf, valueOf };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
