import { DAY_MS, HOUR_MS } from "@comanda/protocol";

/**
 * When simulated restaurants begin to sell, in ms since 1970: an evening eleven days ago, 18:00 in Santo Domingo. A fixed day
 * would one day be too old, and headquarters would not keep its sales.
 */
export const EVENING = Math.floor(Date.now() / DAY_MS) * DAY_MS - 11 * DAY_MS + 22 * HOUR_MS;
