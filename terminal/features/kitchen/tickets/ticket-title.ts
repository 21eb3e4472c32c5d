import type { CheckAddress } from "@comanda/protocol";
import { wholeNumber } from "@comanda/ui/format.ts";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableNames } from "../../../lib/labels/table-names.ts";

type Address = Omit<CheckAddress, "posReference">;

/**
 * Returns a function that gives a ticket's large title, and what is shown beside it. Only the checks of a table from number
 * `first` on are numbered: most tables have one check.
 */
export function useTicketTitle(first = 2): (address: Address) => { title: string; about: string } {
  const { t } = useTranslation("kitchen");
  const names = useTableNames();
  return ({ tableId, orderType, ticketNumber, checkNumber, customerName }) => {
    const check = (checkNumber ?? 0) >= first && t("check", { number: checkNumber });
    const type = t(`orderTypes.${orderType}`);
    const table = tableId === null ? undefined : names.get(tableId);
    if (table !== undefined) {
      return { title: table, about: joinWithDots(orderType !== "dine_in" && type, check, customerName) };
    }
    if (ticketNumber !== null) {
      return { title: `${type} ${wholeNumber(ticketNumber)}`, about: joinWithDots(check, customerName) };
    }
    return { title: customerName ?? type, about: joinWithDots(customerName !== null && type, check) };
  };
}

/** Returns a function that names where a dish goes after it left the ticket's check: another table, or check at it. */
export function useDestination(): (from: Address, to: Address) => string {
  const titleOf = useTicketTitle(1);
  return (from, to) => {
    const { title, about } = titleOf(to);
    return (title === titleOf(from).title && about) || title;
  };
}
