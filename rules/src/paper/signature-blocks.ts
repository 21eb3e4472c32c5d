import type { Block, ElectronicReceipt } from "@comanda/protocol";
import type { PaperContext } from "./paper-context.ts";
import { centered } from "./pieces.ts";

/** Returns whether an electronic document is signed and can be verified with the tax office. */
export function isSigned(ecf: ElectronicReceipt | undefined): boolean {
  return ecf?.securityCode !== undefined && ecf.status !== "rejected";
}

/** How an electronic document can be verified with the tax office. */
export function signatureBlocks(
  { qrUrl, securityCode, signedAt }: Partial<ElectronicReceipt>,
  { format }: Pick<PaperContext, "format">,
): Block[] {
  if (securityCode === undefined) return [];
  return [
    ...(qrUrl === undefined ? [] : [{ kind: "qr" as const, text: qrUrl }]),
    centered(`Código de Seguridad: ${securityCode}`, { bold: true }),
    ...(signedAt === undefined ? [] : [centered(`Fecha de Firma Digital: ${format.exactDateTime(signedAt)}`)]),
    centered("Representación impresa de un comprobante fiscal electrónico (e-CF)"),
  ];
}
