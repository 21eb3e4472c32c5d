import type { Block, Snapshot } from "@comanda/protocol";
import { isElectronic } from "../fiscal/electronic-receipt.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import { checkBlocks, companyBlocks, lineBlocks, sumBlocks } from "./check-blocks.ts";
import { fiscalForm, fiscalTitle, fiscalType, namesBuyer } from "./fiscal-form.ts";
import type { PaperContext } from "./paper-context.ts";
import { paymentBlocks } from "./payment-blocks.ts";
import { centered, RULE, text } from "./pieces.ts";
import { signatureBlocks } from "./signature-blocks.ts";

const PENDING = "Comprobante pendiente";

/**
 * Returns whether a receipt replaces the `printed` one: its fiscal answer has arrived since, or its number is different or
 * gone. While its own answer is pending, it does so only if the printed number is no longer the check's.
 */
export function replacesReceipt(blocks: readonly Block[], printed: readonly Block[]): boolean {
  const [now, before] = [numberOn(blocks), numberOn(printed)];
  if (isPending(blocks)) return before !== undefined && before !== now;
  return isPending(printed) || now !== before;
}

/** Returns the line with the fiscal number of a receipt, as `titleBlocks` writes it. */
function numberOn(blocks: readonly Block[]): string | undefined {
  const lines = blocks.flatMap((block) => (block.kind === "text" ? block.text : []));
  return lines.find((line) => /^(e-)?NCF: /u.test(line));
}

/** Returns whether a receipt says that its fiscal answer is pending. */
function isPending(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === "text" && block.says === "pending");
}

/** The guest's receipt: seller, buyer, sale, payments, and what the tax office requires. */
export function receipt(snapshot: Snapshot, context: PaperContext): Block[] {
  return [
    ...companyBlocks(context),
    ...titleBlocks(snapshot, context),
    RULE,
    ...buyerBlocks(snapshot),
    ...checkBlocks(snapshot, context),
    RULE,
    ...lineBlocks(snapshot, context),
    ...sumBlocks(snapshot, context),
    RULE,
    ...paymentBlocks(paymentsOf(snapshot), context),
    ...proofBlocks(snapshot, context),
    centered("Gracias por su visita"),
  ];
}

/** The kind of receipt, its number and validity, and the date of issue. */
function titleBlocks(snapshot: Snapshot, { format }: PaperContext): Block[] {
  const { ncf, fiscal, updatedAt } = snapshot;
  const type = fiscalType(snapshot);
  const label = isElectronic(type) ? "e-NCF" : "NCF";
  const paidAt = typeof snapshot["paidAt"] === "string" ? snapshot["paidAt"] : updatedAt;
  return [
    RULE,
    centered(fiscalTitle(type), { bold: true }),
    ...(ncf === undefined ? [] : [text(`${label}: ${ncf}`, { bold: true })]),
    ...(ncf === undefined || fiscal?.expiresOn === undefined
      ? []
      : [text(`Válido hasta: ${format.day(fiscal.expiresOn)}`)]),
    text(`Fecha de emisión: ${format.dateTime(paidAt)}`),
  ];
}

/** Missing data of a buyer who must be named is left blank, to be filled in by hand. */
function buyerBlocks(snapshot: Snapshot): Block[] {
  const { fiscal } = snapshot;
  const blank = namesBuyer(snapshot) ? "_".repeat(16) : null;
  const rnc = fiscal?.rnc ?? blank;
  const name = fiscal?.name ?? blank;
  return [
    ...(rnc === null ? [] : [text(`RNC/Cédula: ${rnc}`)]),
    ...(name === null ? [] : [text(`Cliente: ${name}`)]),
    ...(rnc === null && name === null ? [] : [RULE]),
  ];
}

/** How the receipt can be verified with the tax office, or what to do while it cannot. */
function proofBlocks(snapshot: Snapshot, context: PaperContext): Block[] {
  const { fiscal } = snapshot;
  switch (fiscalForm(snapshot)) {
    case "complete":
      return [RULE, ...signatureBlocks(fiscal?.ecf ?? {}, context)];
    case "pending":
    case "failed": {
      const { lookup } = fiscal ?? {};
      const label =
        lookup === undefined
          ? `${PENDING}: pídalo en caja con este recibo`
          : `${PENDING}: su validez podrá consultarse con el código ${lookup}`;
      return [RULE, centered(label, { bold: true, says: "pending" })];
    }
    case "none":
      return [RULE, centered("Este recibo no es un comprobante fiscal")];
  }
}
