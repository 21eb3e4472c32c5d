import type { KitchenTicket } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { useTableNames } from "../../lib/table-names.ts";

/** For whom a ticket is: large, and what goes beside it in small. */
export function useTicketTitle(): (ticket: KitchenTicket) => { title: string; details: string[] } {
  const { t } = useTranslation("kitchen");
  const names = useTableNames();
  return ({ tableId, orderType, ticketNumber, checkNumber, customerName }) => {
    const check = checkNumber === null ? [] : [t("check", { number: checkNumber })];
    const customer = customerName === null ? [] : [customerName];
    const type = t(`orderTypes.${orderType}`);
    const table = tableId === null ? undefined : names.get(tableId);
    if (table !== undefined) {
      return { title: table, details: [...(orderType === "dine_in" ? [] : [type]), ...check, ...customer] };
    }
    if (ticketNumber !== null) return { title: `${type} ${ticketNumber}`, details: [...check, ...customer] };
    return customerName === null ? { title: type, details: check } : { title: customerName, details: [type, ...check] };
  };
}
