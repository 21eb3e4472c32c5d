/** What the page reads by a schema: records of plugins. */
export { Reservation, WaitingParty } from "@comanda/protocol";
