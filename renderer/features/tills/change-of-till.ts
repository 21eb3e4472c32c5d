import type { ChangeTill, Till } from "@comanda/protocol";
import { changedFields } from "@comanda/ui/changed-fields.ts";

interface TillFields {
  name: string;
  terminals: string[];
  /** Empty for no printer. */
  printer: string;
}

/** Returns the changed fields of a till. */
export function changeOfTill(till: Till, fields: TillFields): ChangeTill {
  const { printer, ...changed } = changedFields({ ...till, printer: till.printer ?? "" }, fields);
  return { ...changed, ...(printer !== undefined && { printer: printer === "" ? null : printer }) };
}
