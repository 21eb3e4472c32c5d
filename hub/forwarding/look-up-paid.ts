import type { LookupOrder } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { PaidOrder } from "./paid-orders.ts";

/** Looking orders up only spares sending them again: it is not worth a longer wait. */
const LOOKUP_WAIT_MS = 5_000;

/**
 * The paid orders that the back-office has among those whose outcome is unknown, by reference; none where it has no
 * lookup. Throws when the back-office cannot be reached at all.
 */
export async function lookUpPaid(
  client: BackOfficeClient,
  own: OwnSession,
  unknown: readonly PaidOrder[],
): Promise<Map<string, LookupOrder>> {
  if (unknown.length === 0) return new Map();
  const posReferences = unknown.map(({ event }) => event.posReference);
  let found: LookupOrder[] | null = null;
  try {
    found = await own.use((token) => client.lookup(token, posReferences, LOOKUP_WAIT_MS));
  } catch (error) {
    if (!(error instanceof BackOfficeError) || isAboutTheLine(error)) throw error;
  }
  // No help: a harmless call shows whether the back-office can be reached at all.
  if (found === null) await own.use((token) => client.bootstrap(token));
  return new Map(found?.flatMap((order) => (order.status === "paid" ? [[order.posReference, order]] : [])));
}

/** Nothing was sent, or the hub's own sign-in failed: no order is to blame. */
export function isAboutTheLine({ kind, reason }: BackOfficeError): boolean {
  return kind === "login_refused" || kind === "session_dead" || reason === "no_connection";
}
