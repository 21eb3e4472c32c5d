/**
 * SQL for the POS session to which payments and refunds are counted, as it is stored with them: the one that the hub saw last;
 * null before the first. The clock does not decide it.
 */
export const COUNTED_SESSION = "(SELECT value FROM remembered WHERE name = 'countedSession')";
