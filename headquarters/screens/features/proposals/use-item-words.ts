import { ProposedStock } from "@comanda/protocol/chain.ts";
import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { settingTexts, SettingName } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useProducts } from "../../lib/cache.ts";
import { useHasRole } from "../../lib/person.ts";

/** What an item of a proposal is about, and a value of it, in words. Values of a hub are shown whatever they are. */
export function useItemWords(kind: HqProposalRow["terms"]["kind"]) {
  const { t, language } = useTranslation("proposals");
  const format = useFormat();
  const mayPropose = useHasRole("owner", "operations", "region");
  const { data } = useProducts(mayPropose);

  function nameOf(key: string): string {
    if (kind === "stock")
      return data?.products.find(({ productId }) => productId === key)?.name ?? t("dish", { id: key });
    const name = SettingName.safeParse(key);
    return name.success ? `${settingTexts[language][name.data]} (${key})` : key;
  }

  function stockText(value: unknown): string {
    const { success, data: stock } = ProposedStock.safeParse(value);
    if (!success) return t("unknown");
    const { state, left, until } = stock;
    if (state === "limited") return t("stock.limited", { left: format.number(left ?? 0) });
    if (state === "available") return t("stock.available");
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
