/** No amount of money is larger, so that sums stay exact. */
export const MAX_AMOUNT = 1_000_000_000;
/** More than anyone orders of anything. */
export const MAX_QUANTITY = 100_000;

/** Payments on one check, those included that were taken back. */
export const MAX_TENDERS = 200;
/** Characters of a search. */
export const MAX_SEARCH = 120;
