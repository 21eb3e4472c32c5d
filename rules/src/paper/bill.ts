import type { Block, Snapshot } from "@comanda/protocol";
import { amountDue, openTenders } from "../money/due/amount-due.ts";
import { fromCents, toCents } from "../money/amounts.ts";
import { partsOf } from "../money/due/parts.ts";
import { checkBlocks, companyBlocks, lineBlocks, sumBlocks } from "./check-blocks.ts";
import type { PaperHouse } from "./paper-house.ts";
import { paymentBlocks } from "./payment-blocks.ts";
import { centered, row, RULE, text } from "./pieces.ts";

/** The bill that guests see before they pay; `parts` if they want to divide it. */
export interface Bill {
  snapshot: Snapshot;
  /** How often it has been printed, including this time. */
  printing: number;
  parts?: number;
  /** ISO 8601. */
  at: string;
}

export function bill({ snapshot, printing, parts, at }: Bill, house: PaperHouse): Block[] {
  return [
    ...companyBlocks(house),
    RULE,
    centered("PRE-CUENTA · no es comprobante fiscal", { bold: true }),
    text(house.format.dateTime(at)),
    text(`Impresión ${printing}`),
    RULE,
    ...checkBlocks(snapshot, house),
    RULE,
    ...lineBlocks(snapshot, house),
    ...sumBlocks(snapshot, house),
    ...paidBlocks(snapshot, house),
    ...(parts === undefined || parts < 2 ? [] : partBlocks(snapshot, parts, house)),
    RULE,
    centered("Pida su comprobante fiscal al pagar"),
    ...(house.company.rnc === undefined ? [] : [text("RNC: ______________________")]),
  ];
}

/** What is already paid of the check, and what is left. */
function paidBlocks(snapshot: Snapshot, house: PaperHouse): Block[] {
  const tenders = openTenders(snapshot);
  if (tenders.length === 0) return [];
  const left = house.format.money(amountDue(snapshot));
  return [RULE, ...paymentBlocks(tenders, house), row("RESTA", left, { size: "tall", bold: true })];
}

/** Equal parts are printed as one row with their number. */
function partBlocks({ totals, tenders }: Snapshot, count: number, { format }: PaperHouse): Block[] {
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
