import type { ElectronicReceipt, FiscalState, Snapshot } from "@comanda/protocol";

/*
 * What is known of the e-CF of the Dominican Republic: docs/operations/electronic-receipts.md lists what an accountant has to
 * confirm.
 */

/** The type of receipt that a fiscal number is of: its first three signs. */
export function typeOfNumber(ncf: string): string {
  return ncf.slice(0, 3);
}

/** What a check is to get instead while the back-office cannot sign. */
const contingencyTypes: ReadonlyMap<string, string> = new Map([
  ["E31", "B01"],
  ["E32", "B02"],
  ["E34", "B04"],
]);

/** Whether a type of receipt, or a number of it, is electronic: it has to be signed. */
export function isElectronic(typeOrNumber: string | undefined): boolean {
  return typeOrNumber?.startsWith("E") === true;
}

/** Types that no guest's receipt has, on paper and electronic: of debit and credit notes, and of what the house itself buys. */
const otherTypes: ReadonlySet<string> = new Set("B03 B04 E33 E34 B11 B13 B17 E41 E43 E47".split(" "));

/** Whether a sale may have the type. */
export function isSaleType(type: string): boolean {
  return !otherTypes.has(type);
}

/** The type on paper that stands in for an electronic one; undefined where none does. */
export function contingencyTypeOf(type: string | undefined): string | undefined {
  return type === undefined ? undefined : contingencyTypes.get(type);
}

/** Whether a credit note on paper stands in for an electronic one, by its number and that of the check. */
export function isNoteInContingency(note: string | null, check: string | undefined): boolean {
  return note !== null && !isElectronic(note) && isElectronic(check);
}

/** Letters without vowels, so that no word comes of them, and digits that look like no letter. */
const LOOKUP_SIGNS = "BCDFGHJKLMNPQRSTVWXZ23456789";
export const LOOKUP_LENGTH = 8;

/** The code under which a guest finds a receipt that was not complete when it was printed; `chance` are random bytes. */
export function lookupCode(chance: Iterable<number>): string {
  return [...chance]
    .slice(0, LOOKUP_LENGTH)
    .map((byte) => LOOKUP_SIGNS.charAt(byte % LOOKUP_SIGNS.length))
    .join("");
}

/** The order's first number stays: an answer under another one is shown to a manager, and never printed. */
export const OTHER_NUMBER = "NCF_CONFLICT";

/**
 * What has to follow for a check's receipt: `signing`, its security code is still to come; `sent`, it has its code, and
 * whether the tax office takes it is still to come; `conflict`, the back-office has it
 * under another number; `rejected` by the tax office; `contingency`, a number on paper that an electronic receipt has to
 * replace later.
 */
export type ReceiptStanding = "signing" | "sent" | "conflict" | "rejected" | "contingency";

/** Null where nothing has to follow. Only what the back-office has, a `closed` check, can be signed. */
export function receiptStanding({
  status,
  ncf,
  fiscal,
}: Pick<Snapshot, "status" | "ncf" | "fiscal">): ReceiptStanding | null {
  if (fiscal?.errorCode === OTHER_NUMBER && fiscal.status === "assigned") return "conflict";
  if (fiscal?.ecf?.status === "rejected") return "rejected";
  if (fiscal?.contingency === true && ncf !== undefined && !isElectronic(ncf)) return "contingency";
  if (status !== "closed" || !isElectronic(ncf)) return null;
  if (fiscal?.ecf?.securityCode === undefined) return "signing";
  return fiscal.ecf.status === "signed" || fiscal.ecf.status === "pending" ? "sent" : null;
}

/**
 * A check's number and its state after the back-office has answered for its receipt. Its number is taken where there was none;
 * of another one only the number is kept, for it must not be printed. `error` is why it is another order's.
 */
export function withReceipt(
  { ncf, fiscal = { status: "none" } }: Pick<Snapshot, "ncf" | "fiscal">,
  receipt: ElectronicReceipt,
  error: string | null,
): { ncf?: string; fiscal: FiscalState } {
  const { error: _error, errorCode: _code, ...rest } = fiscal;
  if (error !== null) {
    const ecf = { ncf: receipt.ncf, status: receipt.status };
    return { ...(ncf !== undefined && { ncf }), fiscal: { ...fiscal, ecf, error, errorCode: OTHER_NUMBER } };
  }
  const type = typeOfNumber(receipt.ncf);
  const ecf = isElectronic(type) && { ecf: withKnownCode(rest.ecf, receipt) };
  return { ncf: receipt.ncf, fiscal: { ...rest, status: "assigned", type, ...ecf } };
}

/** The guest has the code of a receipt on paper: a later answer about it, a rejection for example, does not take it away. */
function withKnownCode(known: ElectronicReceipt | undefined, receipt: ElectronicReceipt): ElectronicReceipt {
  if (known?.securityCode === undefined || known.ncf !== receipt.ncf || receipt.securityCode !== undefined)
    return receipt;
  if (receipt.status === "pending") return known;
  const { securityCode, signedAt, qrUrl } = known;
  return {
    ...receipt,
    securityCode,
    ...(signedAt !== undefined && { signedAt }),
    ...(qrUrl !== undefined && { qrUrl }),
  };
}
