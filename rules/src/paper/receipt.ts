import type { Block, Snapshot } from "@comanda/protocol";
import { isElectronic } from "../fiscal/electronic-receipt.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import { checkBlocks, companyBlocks, lineBlocks, sumBlocks } from "./check-blocks.ts";
import { fiscalForm, fiscalTitle, fiscalType, namesBuyer } from "./fiscal-form.ts";
import type { PaperHouse } from "./paper-house.ts";
import { paymentBlocks } from "./payment-blocks.ts";
import { centered, RULE, text } from "./pieces.ts";
import { signatureBlocks } from "./signature-blocks.ts";

const PENDING = "Comprobante pendiente";

/**
 * Whether a receipt replaces the one that was `printed`: its fiscal answer has come since, it has another number, or none. While
 * an answer is waited for only a number that the check no longer has makes a new one.
 */
export function replacesReceipt(blocks: readonly Block[], printed: readonly Block[]): boolean {
  const [now, before] = [numberOn(blocks), numberOn(printed)];
  if (isPending(blocks)) return before !== undefined && before !== now;
  return isPending(printed) || now !== before;
}

/** The fiscal number that a receipt says, as `titleBlocks` writes it. */
function numberOn(blocks: readonly Block[]): string | undefined {
  const lines = blocks.flatMap((block) => (block.kind === "text" ? block.text : []));
  return lines.find((line) => /^(e-)?NCF: /u.test(line));
}

/** Whether a receipt says that its fiscal answer has not come. */
function isPending(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.kind === "text" && block.says === "pending");
}

/** What guests take with them: who sold what to whom, what was paid, and what the tax office wants to read. */
export function receipt(snapshot: Snapshot, house: PaperHouse): Block[] {
  return [
    ...companyBlocks(house),
    ...titleBlocks(snapshot, house),
    RULE,
    ...buyerBlocks(snapshot),
    ...checkBlocks(snapshot, house),
    RULE,
    ...lineBlocks(snapshot, house),
    ...sumBlocks(snapshot, house),
    RULE,
    ...paymentBlocks(paymentsOf(snapshot), house),
    ...proofBlocks(snapshot, house),
    centered("Gracias por su visita"),
  ];
}

/** What kind of receipt it is, its number and until when that is good, and when it was issued. */
function titleBlocks(snapshot: Snapshot, { format }: PaperHouse): Block[] {
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

/** What is missing of a buyer who has to be named is filled in by hand. */
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

/** How anybody can check the receipt with the tax office, or what is to be known while that cannot be done. */
function proofBlocks(snapshot: Snapshot, house: PaperHouse): Block[] {
  const { fiscal } = snapshot;
  switch (fiscalForm(snapshot)) {
    case "complete":
      return [RULE, ...signatureBlocks(fiscal?.ecf ?? {}, house)];
    case "pending":
    case "failed": {
      const { lookup } = fiscal ?? {};
      const words =
        lookup === undefined
          ? `${PENDING}: pídalo en caja con este recibo`
          : `${PENDING}: su validez podrá consultarse con el código ${lookup}`;
      return [RULE, centered(words, { bold: true, says: "pending" })];
    }
    case "none":
      return [RULE, centered("Este recibo no es un comprobante fiscal")];
  }
}
