import type { PlanTable } from "@comanda/protocol";

export const tableLooks = ["available", "reserved", "open", "sent", "changed", "checkout"] as const;
export type TableLook = (typeof tableLooks)[number];

/** How a table is drawn: by its check when it has one, else by its own state. */
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

/** What is painted on the table: its number, when its name is a word and a number ("Mesa 4"); there is little room. */
export function paintedName(name: string): string {
  return /\s(\d+\w?)$/.exec(name)?.[1] ?? name;
}
