import type { PlanTable } from "@comanda/protocol";

export const tableLooks = ["available", "reserved", "open", "sent", "changed", "checkout"] as const;
export type TableLook = (typeof tableLooks)[number];

/** Returns how a table is drawn: by its check if it has one, else by its own state. */
export function tableLook(table: Pick<PlanTable, "status" | "checkStatus">): TableLook {
  switch (table.checkStatus) {
    case "open":
    case "sent":
    case "changed":
    case "checkout":
      return table.checkStatus;
    case "paid":
    case "closed":
    case null:
      return table.status === "reserved" ? "reserved" : table.status === "occupied" ? "open" : "available";
  }
}

/** Returns the short name for the drawing: the number of "Mesa 4". */
export function shortName(name: string): string {
  return /\s(\d+\w?)$/.exec(name)?.[1] ?? name;
}
