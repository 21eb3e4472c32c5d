import { bill, createPaperContext, receipt } from "@comanda/rules";
import type { Block } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import type { LiveTerminal } from "../lib/connection/live-terminal.ts";
import { withRequestedNumber } from "./fiscal-standing.ts";

/** Returns a document of a check as the hub prints it; a bill with the number of its `printing`, unless it is only shown. */
export function paperOf(
  pos: LiveTerminal,
  order: Pick<LocalOrder, "snapshot" | "pending">,
  document: "bill" | "receipt",
  printing?: number,
): Block[] {
  const menu = pos.menu.get();
  const timeZone = pos.learned.get()?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const context = createPaperContext(
    menu === null ? null : { ...menu, floors: pos.floors.get()?.floors ?? [] },
    timeZone,
  );
  if (document === "receipt") return receipt(withRequestedNumber(order), context);
  const { snapshot } = order;
  return bill({ snapshot, printing, at: new Date(pos.terminal.now()).toISOString() }, context);
}
