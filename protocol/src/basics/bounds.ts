/** Upper bound of an amount of money, so that sums stay exact. */
export const MAX_AMOUNT = 1_000_000_000;
/** Upper bound of a quantity, far above any real order. */
export const MAX_QUANTITY = 100_000;

/** Maximum number of payments on one check, including voided ones. */
export const MAX_TENDERS = 200;
/** Maximum length of a search, in characters. */
export const MAX_SEARCH = 120;
/** Maximum length of the note of a whole check, in characters. */
export const MAX_CHECK_NOTES = 1_000;
