import type { Snapshot } from "@comanda/protocol";
import { wholeNumber } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableNames } from "./table-names.ts";

type Titled = Pick<Snapshot, "tableId" | "customerName" | "ticketNumber" | "orderType">;

/** Returns a function for the usual name of a check: its table, its customer or its number. */
export function useCheckTitles(): (check: Titled) => string {
  const { t } = useTranslation("order");
  const names = useTableNames();
  return ({ tableId, customerName, ticketNumber, orderType }) => {
    const table = tableId === null ? undefined : names.get(tableId);
    // Another system may have written an empty name.
    return table ?? (customerName || wholeNumber(ticketNumber ?? t(orderType)));
  };
}
