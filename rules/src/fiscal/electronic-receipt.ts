import type { ElectronicReceipt, FiscalState, Snapshot } from "@comanda/protocol";

/*
 * Rules for the electronic receipt (e-CF) of the Dominican Republic. docs/operations/electronic-receipts.md lists what an
 * accountant has to confirm.
 */

/** Returns the receipt type of a fiscal number: its first three characters. */
export function typeOfNumber(ncf: string): string {
  return ncf.slice(0, 3);
}

/** The type that a check gets instead while the back-office cannot sign. */
const contingencyTypes: ReadonlyMap<string, string> = new Map([
  ["E31", "B01"],
  ["E32", "B02"],
  ["E34", "B04"],
]);

/** Returns whether a receipt type or number is electronic, and so has to be signed. */
export function isElectronic(typeOrNumber: string | undefined): boolean {
  return typeOrNumber?.startsWith("E") === true;
}

/** Types that sales never have, paper and electronic: debit and credit notes, and the restaurant's own purchases. */
const otherTypes: ReadonlySet<string> = new Set("B03 B04 E33 E34 B11 B13 B17 E41 E43 E47".split(" "));

/** Returns whether a sale may have this type. */
export function isSaleType(type: string): boolean {
  return !otherTypes.has(type);
}

/** Returns the paper type that replaces an electronic one; undefined if there is none. */
export function contingencyTypeOf(type: string | undefined): string | undefined {
  return type === undefined ? undefined : contingencyTypes.get(type);
}

/** Returns whether a note is a paper note for an electronic receipt, judged by both numbers. */
export function isNoteInContingency(note: string | null, check: string | undefined): boolean {
  return note !== null && !isElectronic(note) && isElectronic(check);
}

/** Consonants only, so that codes form no words, and digits that do not look like letters. */
const LOOKUP_SIGNS = "BCDFGHJKLMNPQRSTVWXZ23456789";
export const LOOKUP_LENGTH = 8;

/** Returns the code for looking up a receipt that was incomplete when printed. `chance` are random bytes. */
export function lookupCode(chance: Iterable<number>): string {
  return [...chance]
    .slice(0, LOOKUP_LENGTH)
    .map((byte) => LOOKUP_SIGNS.charAt(byte % LOOKUP_SIGNS.length))
    .join("");
}

/** Error code for a receipt with a number other than the order's first. A manager sees it; it is never printed. */
export const OTHER_NUMBER = "NCF_CONFLICT";

/**
 * What a check's receipt still waits for. `signing`: its security code. `sent`: the tax office's answer. `conflict`: a manager,
 * because the back-office has it under another number. `rejected`: a manager, because the tax office rejected it.
 * `contingency`: an electronic receipt that replaces its paper number.
 */
export type ReceiptStanding = "signing" | "sent" | "conflict" | "rejected" | "contingency";

/** Returns what a check's receipt waits for, or null. Only a check that the back-office has (`closed`) can be signed. */
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
 * Returns a check's number and fiscal state after the back-office has answered for its receipt. The receipt's number is used
 * unless `error` says that it is wrong; then only its number and status are stored, because it must not be printed.
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
  const ecf = isElectronic(type) && { ecf: withEarlierCode(rest.ecf, receipt) };
  return { ncf: receipt.ncf, fiscal: { ...rest, status: "assigned", type, ...ecf } };
}

/** Keeps the security code that the guest has on paper, even if a later answer, such as a rejection, lacks it. */
function withEarlierCode(earlier: ElectronicReceipt | undefined, receipt: ElectronicReceipt): ElectronicReceipt {
  if (earlier?.securityCode === undefined || earlier.ncf !== receipt.ncf || receipt.securityCode !== undefined)
    return receipt;
  if (receipt.status === "pending") return earlier;
  const { securityCode, signedAt, qrUrl } = earlier;
  return {
    ...receipt,
    securityCode,
    ...(signedAt !== undefined && { signedAt }),
    ...(qrUrl !== undefined && { qrUrl }),
  };
}
