import type { Block, Refund, Snapshot } from "@comanda/protocol";
import { sum, toCents } from "../money/amounts.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { isElectronic, typeOfNumber } from "../fiscal/electronic-receipt.ts";
import { refundAmount } from "../refunds/refund-amounts.ts";
import { companyBlocks } from "./check-blocks.ts";
import { fiscalTitle } from "./fiscal-form.ts";
import type { PaperHouse } from "./paper-house.ts";
import { centered, row, RULE, text } from "./pieces.ts";
import { isSigned, signatureBlocks } from "./signature-blocks.ts";

/** That money went back for what was sold: lines, total, and how the guest got it. */
export function creditNote(snapshot: Snapshot, refund: Refund, house: PaperHouse): Block[] {
  const { format, methodName } = house;
  const { ncf = null, modifies, reason, amount, total = amount, madeAt, at, by, approvedBy, ecf } = refund;
  const type = ncf === null ? (isElectronic(snapshot.ncf) ? "E34" : "B04") : typeOfNumber(ncf);
  const { fiscal } = snapshot;
  return [
    ...companyBlocks(house),
    RULE,
    centered(fiscalTitle(type), { bold: true }),
    text(ncf === null ? "Número: en la oficina" : `${isElectronic(type) ? "e-NCF" : "NCF"}: ${ncf}`, { bold: true }),
    text(`Fecha de emisión: ${format.dateTime(madeAt ?? at)}`),
    ...referenceBlocks(modifies ?? snapshot.ncf, snapshot),
    ...(fiscal?.rnc == null ? [] : [text(`RNC/Cédula: ${fiscal.rnc}`)]),
    ...(fiscal?.name == null ? [] : [text(`Cliente: ${fiscal.name}`)]),
    RULE,
    ...lineBlocks(snapshot, refund, house),
    RULE,
    row("TOTAL", format.money(total), { size: "large", bold: true }),
    ...refund.refund.map((payment) => row(`Devuelto: ${methodName(payment.methodId)}`, format.amount(payment.amount))),
    RULE,
    ...(reason === null || reason === "" ? [] : [text(`Motivo: ${reason}`)]),
    text(`Por: ${by}`),
    ...(approvedBy === undefined ? [] : [text(`Autorizó: ${approvedBy}`)]),
    { kind: "feed", lines: 2 },
    text("Firma: ____________________"),
    ...(isSigned(ecf) ? [RULE, ...signatureBlocks(ecf ?? {}, house)] : []),
  ];
}

function referenceBlocks(modifies: string | undefined, { posReference, checkNumber }: Snapshot): Block[] {
  return [
    ...(modifies === undefined ? [] : [text(`Modifica: ${modifies}`)]),
    text(`De la cuenta ${checkNumber ?? posReference}`),
  ];
}

/** What came back of each line, taxes included. */
function lineBlocks(snapshot: Snapshot, refund: Refund, { format, dishName }: PaperHouse): Block[] {
  if (refund.lines.length === 0) return [text("Todo lo facturado")];
  const amounts = amountsOf(snapshot, refund);
  return refund.lines.map(({ lineId, quantity }, index) => {
    const line = snapshot.lines.find(({ id }) => id === lineId);
    const name = line === undefined ? lineId : dishName(line);
    return row(`${format.quantity(quantity)} ${name}`, format.amount(amounts[index] ?? 0));
  });
}

/** The amounts of the lines that make the note's total: what their guests paid, or, without the adjustments, as they were sold. */
function amountsOf(snapshot: Snapshot, refund: Refund): number[] {
  const { lines, amount, total = amount } = refund;
  const earlier = (snapshot.refunds ?? []).filter(({ refundId, at }) => refundId !== refund.refundId && at < refund.at);
  const before = earlier.flatMap((each) => each.lines);
  const paid = lines.map((chosen) => refundAmount(snapshot, [chosen], before));
  const sold = lines.map(({ lineId }) => lineTotal(snapshot.lines.find(({ id }) => id === lineId) ?? { quantity: 0 }));
  return [paid, sold].find((amounts) => toCents(sum(amounts)) === toCents(total)) ?? paid;
}
