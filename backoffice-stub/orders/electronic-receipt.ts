import { createHash } from "node:crypto";
import { type CreditNoteAnswer, type ElectronicReceipt, IDENTIFIED_FROM } from "@comanda/protocol";
import { isElectronic, toCents } from "@comanda/rules";
import type { Quirks } from "../control/quirks.ts";
import { company } from "../seed/company.ts";
import type { Signature } from "../stores/signatures.ts";
import type { StoredOrder } from "../stores/orders.ts";
import { fiscalDay, fiscalTime, isoTime } from "../world.ts";
import { contentOf } from "./order-content.ts";
import type { OrderDeps } from "./place-order.ts";
import { takeNextNcf } from "./take-next-ncf.ts";

export type Signing = Pick<Quirks, "fiscal" | "fiscalAfterMs">;

/** Returns the `fiscal` field for a paid order, or no field if its number is not electronic. */
export function electronicReceipt(
  deps: OrderDeps,
  { fiscal, fiscalAfterMs }: Signing,
  order: StoredOrder,
): { fiscal?: ElectronicReceipt } {
  const ncf = numberOf(deps, fiscal, order.posReference);
  if (fiscal === "none" || ncf === undefined || !isElectronic(ncf)) return {};
  if (fiscal === "rejected") return { fiscal: { ncf, ...REJECTED } };
  const { signatures, orders } = deps.stores;
  const isLater = isPast(deps, orders.paidAt(order.id) + fiscalAfterMs);
  const isDue = fiscal !== "never" && (fiscal !== "later" || isLater);
  const signature =
    signatures.get(order.posReference) ?? (isDue ? sign(deps, order.posReference, [ncf, order.received]) : null);
  if (signature === null) return { fiscal: { ncf, status: "pending" } };
  const { securityCode, signedAt } = signature;
  const { total } = contentOf(order).totals;
  const issued = { ncf, total, issuedAt: orders.paidAt(order.id), posReference: order.posReference };
  const answered = { securityCode, signedAt: isoTime(signedAt), qrUrl: qrUrlOf(deps, issued, signature) };
  if (fiscal === "rejected-later" && isLater) return { fiscal: { ncf, ...answered, ...REJECTED } };
  const isSent = (fiscal === "accepted-later" || fiscal === "rejected-later") && !isLater;
  return { fiscal: { ncf, ...answered, status: isSent ? "signed" : "accepted" } };
}

/** Returns the `fiscal` field for a credit note, which is signed when it is created or not at all. */
export function receiptOfNote(
  deps: OrderDeps,
  { fiscal }: Pick<Signing, "fiscal">,
  { id, ncf, pos_reference: posReference, total }: CreditNoteAnswer,
): { fiscal?: ElectronicReceipt } {
  if (fiscal === "none" || fiscal === "other" || !isElectronic(ncf)) return {};
  if (fiscal === "rejected") return { fiscal: { ncf, ...REJECTED } };
  if (fiscal === "never" || fiscal === "later") return { fiscal: { ncf, status: "pending" } };
  const signature = deps.stores.signatures.get(ncf) ?? sign(deps, ncf, [ncf, id]);
  const { securityCode, signedAt } = signature;
  const qrUrl = qrUrlOf(deps, { ncf, total, issuedAt: signedAt, posReference }, signature);
  return {
    fiscal: {
      ncf,
      securityCode,
      signedAt: isoTime(signedAt),
      qrUrl,
      status: fiscal === "signed" ? "accepted" : "signed",
    },
  };
}

const REJECTED = { status: "rejected", error: "El RNC del comprador no existe en la DGII." } as const;

/** With the quirk, an order without a number gets one, and an order with a number is answered with another. */
function numberOf({ stores, world }: OrderDeps, fiscal: Signing["fiscal"], posReference: string): string | undefined {
  const assigned = stores.ncfNumbers.findByOrder(posReference)?.ncf;
  if (fiscal !== "other" || assigned?.startsWith("B") === true) return assigned;
  if (assigned === undefined)
    return takeNextNcf(stores, world, "E32", { holder: "order", posReference, rnc: null }).ncf;
  return `${assigned.slice(0, 3)}9${assigned.slice(4)}`;
}

function isPast({ world }: OrderDeps, at: number): boolean {
  return world.now() >= at;
}

/** Signs the content of a receipt, once. `key` is the order's reference, or the number of a credit note. */
function sign({ stores, world }: OrderDeps, key: string, content: readonly unknown[]): Signature {
  const signedAt = world.now();
  const hash = createHash("sha256")
    .update(JSON.stringify([...content, signedAt]))
    .digest("base64");
  const signature = { securityCode: hash.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 6), signedAt };
  stores.signatures.add(key, signature);
  return signature;
}

/** Returns the tax office's URL: a shorter one for final consumers below the amount that requires the buyer's identity. */
function qrUrlOf(
  { stores }: OrderDeps,
  { ncf, total, issuedAt, posReference }: { ncf: string; total: number; issuedAt: number; posReference: string },
  signature: Signature,
): string {
  const number = { RncEmisor: company.rnc, ENCF: ncf, MontoTotal: twoDecimals(total) };
  const code = { CodigoSeguridad: signature.securityCode };
  if (ncf.startsWith("E32") && total < IDENTIFIED_FROM) {
    return address("https://fc.dgii.gov.do/ecf/ConsultaTimbreFC", { ...number, ...code });
  }
  const { RncEmisor, ENCF, MontoTotal } = number;
  return address("https://ecf.dgii.gov.do/ecf/ConsultaTimbre", {
    RncEmisor,
    RncComprador: stores.ncfNumbers.findBuyer(posReference) ?? "",
    ENCF,
    FechaEmision: dayFirst(fiscalDay(issuedAt)),
    MontoTotal,
    FechaFirma: `${dayFirst(fiscalDay(signature.signedAt))} ${fiscalTime(signature.signedAt)}`,
    ...code,
  });
}

function address(page: string, fields: Record<string, string>): string {
  return `${page}?${Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;
}

function twoDecimals(amount: number): string {
  const cents = String(toCents(amount)).padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Converts `YYYY-MM-DD` to `DD-MM-YYYY`. */
function dayFirst(day: string): string {
  return day.split("-").toReversed().join("-");
}
