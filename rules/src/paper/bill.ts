import type { Block, Snapshot } from "@comanda/protocol";
import { amountDue, openTenders } from "../money/due/amount-due.ts";
import { fromCents, toCents } from "../money/amounts.ts";
import { partsOf } from "../money/due/parts.ts";
import { checkBlocks, companyBlocks, lineBlocks, sumBlocks } from "./check-blocks.ts";
import type { PaperContext } from "./paper-context.ts";
import { paymentBlocks } from "./payment-blocks.ts";
import { centered, row, RULE, text } from "./pieces.ts";

/** The bill that guests see before they pay; `parts` if they want to divide it. */
export interface Bill {
  snapshot: Snapshot;
  /** How often it has been printed, including this time; undefined if it is only shown. */
  printing: number | undefined;
  parts?: number;
  /** ISO 8601. */
  at: string;
}

export function bill({ snapshot, printing, parts, at }: Bill, context: PaperContext): Block[] {
  return [
    ...companyBlocks(context),
    RULE,
    centered("PRE-CUENTA · no es comprobante fiscal", { bold: true }),
    text(context.format.dateTime(at)),
    ...(printing === undefined ? [] : [text(`Impresión ${printing}`)]),
    RULE,
    ...checkBlocks(snapshot, context),
    RULE,
    ...lineBlocks(snapshot, context),
    ...sumBlocks(snapshot, context),
    ...paidBlocks(snapshot, context),
    ...(parts === undefined || parts < 2 ? [] : partBlocks(snapshot, parts, context)),
    RULE,
    centered("Pida su comprobante fiscal al pagar"),
    ...(printing === undefined || context.company.rnc === undefined ? [] : [text("RNC: ______________________")]),
  ];
}

/** What is already paid of the check, and what is left. */
function paidBlocks(snapshot: Snapshot, context: PaperContext): Block[] {
  const tenders = openTenders(snapshot);
  if (tenders.length === 0) return [];
  const amountLeft = context.format.money(amountDue(snapshot));
  return [RULE, ...paymentBlocks(tenders, context), row("RESTA", amountLeft, { size: "tall", bold: true })];
}

/** Equal parts are printed as one row with their number. */
function partBlocks({ totals, tenders }: Snapshot, count: number, { format }: PaperContext): Block[] {
  const total = toCents(totals.total);
  const paid = total - toCents(amountDue({ totals, tenders }));
  const amounts = partsOf(total, { count }, paid).map(({ amount }) => amount);
  return [
    RULE,
    ...[...Map.groupBy(amounts, (cents) => cents)].map(([cents, same]) =>
      row(`${same.length} ${same.length === 1 ? "parte" : "partes"} de`, format.money(fromCents(cents)), {
        bold: true,
      }),
    ),
  ];
}
