import type { SalesReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useCatalogue } from "../../components/labels.ts";
import { useSoldPartsOf } from "../../components/sold-parts.tsx";
import { salesCsv } from "./sales-csv.ts";
import { useDishName } from "./use-dish-name.ts";

/** Writes a report as a file for a spreadsheet, in the words of the screen. */
export function useSalesCsv(): (report: SalesReport) => string {
  const { t } = useTranslation(["today", "sales"]);
  const format = useFormat();
  const { paymentMethods } = useCatalogue();
  const dish = useDishName();
  const partsOf = useSoldPartsOf();
  return (report) =>
    salesCsv(report, {
      section: (name) => (name === "taxes" ? t("sales:title") : t(`today:${name}`)),
      column: (name) => t(`today:${name}`),
      dish,
      method: (id) => paymentMethods[id] ?? t("today:anyMethod", { id }),
      nobody: t("today:nobody"),
      time: format.dateTime,
      parts: partsOf(report),
    });
}
