import type { Snapshot, Tender } from "@comanda/protocol";

/** Why a tender cannot be voided. */
export type VoidRefusal = { code: "NO_TENDER" } | { code: "VOIDED_BEFORE" };

/** Returns the tenders of a check with one marked as voided, or why it cannot be voided. */
export function voidTender(
  { tenders = [] }: Pick<Snapshot, "tenders">,
  tenderId: string,
  voided: NonNullable<Tender["voided"]>,
): { tenders: Tender[] } | { refusal: VoidRefusal } {
  const tender = tenders.find((each) => each.tenderId === tenderId);
  if (tender === undefined) return { refusal: { code: "NO_TENDER" } };
  if (tender.voided !== undefined) return { refusal: { code: "VOIDED_BEFORE" } };
  return { tenders: tenders.map((each) => (each === tender ? { ...each, voided } : each)) };
}
