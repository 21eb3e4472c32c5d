import type { Snapshot } from "@comanda/protocol";
import { mustIdentifyBuyer } from "@comanda/protocol/buyer-identity.ts";
import { isElectronic, typeOfNumber } from "../fiscal/electronic-receipt.ts";
import { isForBuyer } from "../fiscal/sale-types.ts";
import { isSigned } from "./signature-blocks.ts";

/**
 * How much of a fiscal receipt can be printed: everything; only its number, or not even that, while the answer is `pending`;
 * nothing because it failed; or nothing because none was requested.
 */
export type FiscalForm = "complete" | "pending" | "failed" | "none";

type Fiscal = Pick<Snapshot, "ncf" | "fiscal">;

export function fiscalForm({ ncf, fiscal }: Fiscal): FiscalForm {
  const type = fiscalType({ ncf, fiscal });
  if (isElectronic(type)) return isSigned(fiscal?.ecf) ? "complete" : "pending";
  if (ncf !== undefined) return "complete";
  if (fiscal?.status === "failed") return "failed";
  return fiscal?.status === "pending" ? "pending" : "none";
}

/** Returns what a receipt is waiting for if an answer may still arrive shortly; otherwise null. */
export function awaitsAnswer(check: Fiscal): { for: "number" | "code"; isElectronic: boolean } | null {
  const { ncf, fiscal } = check;
  if (fiscalForm(check) !== "pending" || fiscal?.status === "failed" || fiscal?.ecf?.status === "rejected") return null;
  return { for: ncf === undefined ? "number" : "code", isElectronic: isElectronic(fiscalType(check)) };
}

/** Returns the type of a check's fiscal number, or of the requested one. */
export function fiscalType({ ncf, fiscal }: Fiscal): string | undefined {
  return ncf === undefined ? fiscal?.type : typeOfNumber(ncf);
}

/** Returns whether a receipt names the buyer, because of its type or its total. */
export function namesBuyer({ ncf, fiscal, totals }: Fiscal & Pick<Snapshot, "totals">): boolean {
  const type = fiscalType({ ncf, fiscal });
  return isForBuyer(type) || mustIdentifyBuyer(type, totals.total);
}

const titles: Readonly<Record<string, string>> = {
  E31: "Factura de Crédito Fiscal Electrónica",
  E32: "Factura de Consumo Electrónica",
  E33: "Nota de Débito Electrónica",
  E34: "Nota de Crédito Electrónica",
  E44: "Comprobante Electrónico para Regímenes Especiales",
  E45: "Comprobante Electrónico Gubernamental",
  E46: "Comprobante Electrónico para Exportaciones",
  B01: "Factura de Crédito Fiscal",
  B02: "Factura de Consumo",
  B03: "Nota de Débito",
  B04: "Nota de Crédito",
  B12: "Registro Único de Ingresos",
  B14: "Factura para Regímenes Especiales",
  B15: "Factura Gubernamental",
  B16: "Factura para Exportaciones",
};

/** Returns the title of a receipt of this type. */
export function fiscalTitle(type: string | undefined): string {
  if (type === undefined) return "Recibo";
  return titles[type] ?? (isElectronic(type) ? "Comprobante Fiscal Electrónico" : "Comprobante Fiscal");
}
