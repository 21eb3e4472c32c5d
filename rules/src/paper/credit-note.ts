import type { Block, Refund, RefundLine, Snapshot } from "@comanda/protocol";
import { fromCents, subtract, sum, toCents } from "../money/amounts.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { taxesByName } from "../money/pricing/taxes-by-name.ts";
import { isElectronic, typeOfNumber } from "../fiscal/electronic-receipt.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { refundAmount, refundedPart } from "../refunds/refund-amounts.ts";
import { companyBlocks, OTHER_TAXES, totalBlocks, withTaxOfLines } from "./check-blocks.ts";
import { fiscalTitle } from "./fiscal-form.ts";
import type { PaperContext } from "./paper-context.ts";
import { centered, row, RULE, text } from "./pieces.ts";
import { isSigned, signatureBlocks } from "./signature-blocks.ts";

/** The credit note: refunded lines, total, and how the money was paid back. */
export function creditNote(snapshot: Snapshot, refund: Refund, context: PaperContext): Block[] {
  const { format, methodName } = context;
  const { ncf = null, modifies, reason, amount, total = amount, madeAt, at, by, approvedBy, ecf } = refund;
  const type = ncf === null ? (isElectronic(snapshot.ncf) ? "E34" : "B04") : typeOfNumber(ncf);
  const { fiscal } = snapshot;
  return [
    ...companyBlocks(context),
    RULE,
    centered(fiscalTitle(type), { bold: true }),
    text(ncf === null ? "Número: en la oficina" : `${isElectronic(type) ? "e-NCF" : "NCF"}: ${ncf}`, { bold: true }),
    text(`Fecha de emisión: ${format.dateTime(madeAt ?? at)}`),
    ...referenceBlocks(modifies ?? snapshot.ncf, snapshot),
    ...(fiscal?.rnc == null ? [] : [text(`RNC/Cédula: ${fiscal.rnc}`)]),
    ...(fiscal?.name == null ? [] : [text(`Cliente: ${fiscal.name}`)]),
    RULE,
    ...lineBlocks(snapshot, refund, context),
    ...totalBlocks(total, partsOf(snapshot, refund, context), context),
    ...refund.refund.map((payment) => row(`Devuelto: ${methodName(payment.methodId)}`, format.amount(payment.amount))),
    RULE,
    ...(reason === null || reason === "" ? [] : [text(`Motivo: ${reason}`)]),
    text(`Por: ${by}`),
    ...(approvedBy === undefined ? [] : [text(`Autorizó: ${approvedBy}`)]),
    { kind: "feed", lines: 2 },
    text("Firma: ____________________"),
    ...(isSigned(ecf) ? [RULE, ...signatureBlocks(ecf ?? {}, context)] : []),
  ];
}

function referenceBlocks(modifies: string | undefined, { posReference, checkNumber }: Snapshot): Block[] {
  return [
    ...(modifies === undefined ? [] : [text(`Modifica: ${modifies}`)]),
    text(`De la cuenta ${checkNumber ?? posReference}`),
  ];
}

/** The refunded amount of each line, including taxes. */
function lineBlocks(snapshot: Snapshot, refund: Refund, { format, dishName }: PaperContext): Block[] {
  if (refund.lines.length === 0) return [text("Todo lo facturado")];
  const amounts = amountsOf(snapshot, refund);
  return refund.lines.map(({ lineId, quantity }, index) => {
    const line = snapshot.lines.find(({ id }) => id === lineId);
    const name = line === undefined ? lineId : dishName(line);
    return row(`${format.quantity(quantity)} ${name}`, format.amount(amounts[index] ?? 0));
  });
}

/** The line amounts that add up to the note's total: as paid, or as sold if the note excludes adjustments. */
function amountsOf(snapshot: Snapshot, refund: Refund): number[] {
  const { lines, amount, total = amount } = refund;
  const before = refundedBefore(snapshot, refund);
  const paid = lines.map((chosen) => refundAmount(snapshot, [chosen], before));
  const sold = lines.map(({ lineId }) => lineTotal(snapshot.lines.find(({ id }) => id === lineId) ?? { quantity: 0 }));
  return [paid, sold].find((amounts) => toCents(sum(amounts)) === toCents(total)) ?? paid;
}

function refundedBefore({ refunds = [] }: Snapshot, { refundId, at }: Refund): RefundLine[] {
  return refunds.filter((each) => each.refundId !== refundId && each.at < at).flatMap(({ lines }) => lines);
}

/** The parts of the total that are taxes, as their lines were sold, and the check's adjustments. */
function partsOf(snapshot: Snapshot, refund: Refund, { taxes }: PaperContext): { name: string; amount: number }[] {
  const { amount, total = amount } = refund;
  const before = refundedBefore(snapshot, refund);
  const lines = withTaxOfLines(snapshot).lines.flatMap((line) => {
    const chosen = refund.lines.find(({ lineId }) => lineId === line.id);
    const quantity = refund.lines.length === 0 ? chargedQuantity(line) : (chosen?.quantity ?? 0);
    return quantity > 0 ? [{ line, quantity }] : [];
  });
  const partOf = ({ line, quantity }: (typeof lines)[number], whole: number): number =>
    refundedPart(whole, line, before, quantity);
  const taxOf = (name: string): number =>
    sum(
      lines.flatMap((each) =>
        taxesByName({ ...snapshot, lines: [each.line] }, taxes, OTHER_TAXES)
          .filter((tax) => tax.name === name)
          .map(({ cents }) => partOf(each, fromCents(cents))),
      ),
    );
  const charged = taxesByName({ ...snapshot, lines: lines.map(({ line }) => line) }, taxes, OTHER_TAXES);
  const linesTotal = sum(lines.map((each) => partOf(each, lineTotal(each.line))));
  const adjusted = snapshot.adjustments?.length ? subtract(total, linesTotal) : 0;
  return [
    ...charged.map(({ name }) => ({ name, amount: taxOf(name) })),
    ...(adjusted === 0 ? [] : [{ name: "Ajustes de la cuenta", amount: adjusted }]),
  ];
}
