import type { Block } from "@comanda/protocol";
import type { PaperContext } from "./paper-context.ts";
import { centered, RULE, text } from "./pieces.ts";

/** An opening of a drawer without a sale. */
export interface DrawerOpening {
  till: string;
  by: string;
  approvedBy?: string | undefined;
  reason: string;
  /** ISO 8601. */
  at: string;
}

export function drawerSlip({ till, by, approvedBy, reason, at }: DrawerOpening, { format }: PaperContext): Block[] {
  return [
    centered("GAVETA ABIERTA", { size: "tall", bold: true }),
    RULE,
    text(till),
    text(`Por: ${by}`),
    ...(approvedBy === undefined ? [] : [text(`Autorizó: ${approvedBy}`)]),
    text(`Motivo: ${reason}`),
    text(format.dateTime(at)),
    { kind: "feed", lines: 2 },
    text("Firma: ____________________"),
  ];
}
