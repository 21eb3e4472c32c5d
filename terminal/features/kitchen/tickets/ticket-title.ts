import type { CheckAddress, KitchenTicket } from "@comanda/protocol";
import { wholeNumber } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableNames } from "../../../lib/labels/table-names.ts";

type Address = Omit<CheckAddress, "posReference">;

/** Returns a function that gives a ticket's large title, and the details shown beside it. */
export function useTicketTitle(): (address: Address) => { title: string; details: string[] } {
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
    if (ticketNumber !== null)
      return { title: `${type} ${wholeNumber(ticketNumber)}`, details: [...check, ...customer] };
    return customerName === null ? { title: type, details: check } : { title: customerName, details: [type, ...check] };
  };
}

/** Returns a function that names where a dish goes after it left the ticket's check: another table, or check at it. */
export function useDestination(): (ticket: KitchenTicket, address: Address) => string {
  const titleOf = useTicketTitle();
  return (ticket, address) => {
    const { title, details } = titleOf(address);
    return title === titleOf(ticket).title && details.length > 0 ? details.join(" · ") : title;
  };
}
